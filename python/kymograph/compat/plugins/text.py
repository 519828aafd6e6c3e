"""The routes of TensorBoard's text plugin."""

from __future__ import annotations

import html
from collections.abc import Callable

from kymograph.asgi.board import Board
from kymograph.compat import markdown, tagged
from kymograph.compat.answers import Json, Query
from kymograph.store import Text

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
        {"wall_time": wall_time, "step": step, "text": _html(value, render)}
        for wall_time, step, value in (tagged.decoded(blobs) if blobs else ())
        if isinstance(value, Text)
    ]


def _plain(content: str) -> str:
    return html.escape(content, quote=False)


def _html(text: Text, render: Callable[[str], str]) -> str:
    """One string as it is; several as a table; of more than two dimensions the first slice."""
    strings, shape = text.strings, text.shape
    if not shape:
        return render(strings[0])
    if not strings:
        return _table([])
    warning = ""
    if len(shape) > _MOST_DIMENSIONS:
        warning = markdown.html(
            f"**Warning:** This text has {len(shape)} dimensions. "
            "Only two can be shown: here are those of the first slice."
        )
    # The second-to-last axis has the rows; a list is a column.
    width = shape[-1] if len(shape) > 1 else 1
    height = shape[-2] if len(shape) > 1 else shape[0]
    rows = [strings[row * width : (row + 1) * width] for row in range(height)]
    return warning + _table([[render(cell) for cell in row] for row in rows])


def _table(rows: list[list[str]]) -> str:
    lines = ["<tr>\n" + "".join(f"<td>{cell}</td>\n" for cell in row) + "</tr>\n" for row in rows]
    return f"<table>\n<tbody>\n{''.join(lines)}</tbody>\n</table>"


ANSWERS = {"tags": tags, "text": text}
