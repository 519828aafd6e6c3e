"""Layouts of the custom scalars dashboard: which tags share a chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kymograph.writer import wire

__all__ = ["custom_scalars"]

_DT_STRING = wire.integer(1, 7)
_NO_SHAPE = wire.message(2)


def custom_scalars(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> wire.Summary:
    """A layout `{category: {chart: [kind, tags]}}`.

    The kind `"Margin"` takes three tags, for a value and its lower and upper bound; any other kind
    draws a line for each tag.
    """
    categories = [
        wire.message(2, _string(1, title), *[_chart(*entry) for entry in charts.items()])
        for title, charts in layout.items()
    ]
    string = wire.message(8, *categories)
    tensor = wire.message(8, _DT_STRING, _NO_SHAPE, string)
    value = wire.value("custom_scalars__config__", tensor, wire.plugin("custom_scalars"))
    return wire.summary(value)


def _chart(title: str, description: Sequence[Any]) -> bytes:
    tags = description[1]
    if description[0] != "Margin":
        lines = [wire.text(1, _checked(tag)) for tag in tags or ()]
        return wire.message(2, _string(1, title), wire.message(2, *lines))
    if len(tags) != 3:
        raise AssertionError("len(tags) != 3")
    bounds = [_string(field, tag) for field, tag in enumerate(tags, 1)]
    return wire.message(2, _string(1, title), wire.message(3, wire.message(1, *bounds)))


def _string(field: int, content: str | None) -> bytes:
    """A string field, absent if there is nothing in it."""
    return wire.text(field, _checked(content)) if content not in (None, "") else b""


def _checked(content: object) -> str:
    if content is None:
        raise TypeError("a title or tag is missing")
    return wire.string(content)
