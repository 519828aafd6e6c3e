"""The routes of TensorBoard's text plugin."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kymograph.asgi.board import Board
from kymograph.compat import markdown, tagged
from kymograph.compat.answers import Json, Query
from kymograph.store import Text

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["ANSWERS"]

_TEXT = "text"
_MOST_DIMENSIONS = 2


def tags(board: Board, _query: Query) -> Json:
    """The tags of each run."""
    return {run: [one.tag for one in series] for run, series in tagged.each(board.store, _TEXT)}


def text(board: Board, query: Query) -> Json:
    """Every text of one tag of one run as HTML; none when there is no such tag."""
    blobs = tagged.find_blobs(board.store, _TEXT, query.text("run"), query.text("tag"))
    render = _plain if query.find("markdown") == "false" else markdown.html
    return [
        {"wall_time": blob.wall_time, "step": blob.step, "text": _html(decoded.array, render)}
        for blob in blobs or ()
        if isinstance(decoded := blob.decode(), Text)
    ]


def _plain(content: str) -> str:
    return html.escape(content, quote=False)


def _html(strings: npt.NDArray[np.object_], render: Callable[[str], str]) -> str:
    """One string as it is; several as a table; of more than two dimensions the first slice."""
    if not strings.ndim:
        return render(str(strings.item()))
    if not strings.size:
        return _table([])
    warning = ""
    if strings.ndim > _MOST_DIMENSIONS:
        warning = markdown.html(
            f"**Warning:** This text has {strings.ndim} dimensions. "
            "Only two can be shown: here are those of the first slice."
        )
        strings = strings[(0,) * (strings.ndim - _MOST_DIMENSIONS)]
    rows: Any = strings.reshape(len(strings), -1)
    return warning + _table([[render(str(cell)) for cell in row] for row in rows])


def _table(rows: list[list[str]]) -> str:
    lines = ["<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in row) + "</tr>\n" for row in rows]
    return f"<table>\n<tbody>\n{''.join(lines)}</tbody>\n</table>"


ANSWERS = {"tags": tags, "text": text}
