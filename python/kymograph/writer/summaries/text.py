"""Text into summaries of the text dashboard."""

from __future__ import annotations

from kymograph.writer import wire

__all__ = ["text"]

_SHAPE_OF_ONE = wire.message(2, wire.message(2, wire.integer(1, 1)))
_DT_STRING = wire.integer(1, 7)


def text(tag: str, text: str) -> wire.Summary:
    """A Markdown text, stored under `tag` with the suffix that PyTorch's writer appends."""
    string = wire.data(8, text.encode())
    tensor = wire.message(8, _DT_STRING, _SHAPE_OF_ONE, string)
    return wire.summary(wire.value(tag + "/text_summary", tensor, wire.plugin("text")))
