"""The routes of TensorBoard's custom scalars plugin."""

from __future__ import annotations

from kymograph import _core
from kymograph.asgi.board import Board
from kymograph.compat import tagged, values
from kymograph.compat.answers import Json, Query, check_size, points
from kymograph.compat.plugins.scalars import scalars as download_data
from kymograph.errors import QueryError
from kymograph.store import BlobSeries, wire

__all__ = ["ANSWERS"]

_CUSTOM_SCALARS = "custom_scalars"
_LAYOUT = "custom_scalars__config__"


def scalars(board: Board, query: Query) -> Json:
    """Every point of those tags of one run that begin with what the expression matches."""
    pattern = _pattern(query.find("tag") or "")
    if pattern is None:
        return {"regex_valid": False, "tag_to_events": {}}
    run = query.text("run")
    series = board.store[run].all_series() if run in board.store else []
    matches = pattern.search([one.tag for one in series])
    found = [one for one, matched in zip(series, matches, strict=True) if matched]
    check_size(sum(map(len, found)))
    return {"regex_valid": True, "tag_to_events": {one.tag: points(one) for one in found}}


def _pattern(text: str) -> _core.Pattern | None:
    try:
        # Alone first: an invalid expression may become valid between the brackets.
        _core.Pattern(text)
        return _core.Pattern(f"^(?:{text})") if text else None
    except QueryError:
        return None


def layout(board: Board, _query: Query) -> Json:
    """The layouts of all runs in one; categories of the same title are joined."""
    version = None
    categories: list[Json] = []
    by_title: dict[str, Json] = {}
    for _, series in tagged.each(board.store, _CUSTOM_SCALARS):
        for one in series:
            if not isinstance(one, BlobSeries) or one.tag != _LAYOUT:
                continue
            fields = wire.read(_serialized(one))
            version = wire.integer_of(fields, 1) if version is None else version
            for category in map(_category, wire.messages_of(fields, 2)):
                known = by_title.setdefault(category["title"], category)
                if known is category:
                    categories.append(category)
                known["chart"] += [c for c in category["chart"] if c not in known["chart"]]
    return {} if version is None else {"version": version, "category": categories}


def _serialized(series: BlobSeries) -> bytes:
    """The last layout of a run."""
    tensor = values.tensor(series[-1])
    return next(iter(tensor.string_val), b"") if tensor is not None else b""


def _category(fields: dict[int, list[wire.Field]]) -> dict[str, Json]:
    charts = [_chart(chart) for chart in wire.messages_of(fields, 2)]
    closed = bool(wire.integer_of(fields, 3))
    return {"title": wire.text_of(fields, 1), "chart": charts, "closed": closed}


def _chart(fields: dict[int, list[wire.Field]]) -> dict[str, Json]:
    chart: dict[str, Json] = {"title": wire.text_of(fields, 1)}
    for multiline in wire.messages_of(fields, 2):
        chart["multiline"] = {"tag": wire.texts_of(multiline, 1)}
    for margin in wire.messages_of(fields, 3):
        chart["margin"] = {"series": [_band(band) for band in wire.messages_of(margin, 1)]}
    return chart


def _band(fields: dict[int, list[wire.Field]]) -> dict[str, str]:
    return {
        name: wire.text_of(fields, at) for at, name in enumerate(("value", "lower", "upper"), 1)
    }


ANSWERS = {"layout": layout, "scalars": scalars, "download_data": download_data}
