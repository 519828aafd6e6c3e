"""Strings, and what is found in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from kymograph import _core
from kymograph.errors import BlobUnreadableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["FoundText", "SeriesHits", "Snippet", "Text", "TextHits"]


class Text(msgspec.Struct, frozen=True, dict=True):
    """Strings, Markdown often."""

    shape: tuple[int, ...]
    strings: list[str]
    """Row by row."""

    @cached_property
    def array(self) -> npt.NDArray[np.object_]:
        """The strings in the shape in which they were logged.

        Raises BlobUnreadableError when numpy does not support the shape.
        """
        import numpy as np

        array = np.empty(len(self.strings), dtype=object)
        array[:] = self.strings
        try:
            return array.reshape(self.shape)
        except ValueError as error:
            raise BlobUnreadableError(f"numpy cannot hold strings in this shape: {error}") from None

    @classmethod
    def from_core(cls, core: _core.Text) -> Text:
        """From what the core decoded."""
        strings = [string.decode("utf-8", errors="replace") for string in core.strings]
        return cls(tuple(core.shape), strings)


class Snippet(msgspec.Struct, frozen=True):
    """A match in its line."""

    element: int
    """The position of its string, row by row."""
    line: int
    """From 1."""
    before: str
    match: str
    after: str


class FoundText(msgspec.Struct, frozen=True):
    """A text with matches."""

    step: int
    wall_time: float
    address: str
    hits: int
    snippets: list[Snippet]
    """The first three matches."""

    @classmethod
    def from_core(cls, core: _core.FoundText) -> FoundText:
        """From what the core found."""
        snippets = [Snippet(*one) for one in core.snippets]
        return cls(core.step, core.wall_time, core.address, core.hits, snippets)


class SeriesHits(msgspec.Struct, frozen=True):
    """What was found in one series."""

    series: int
    """Its position among those that were searched."""
    hits: int
    matching: int
    """The number of texts with matches."""
    found: list[FoundText]
    next: int | None
    """The position of the text to continue with for those that are left out."""

    @classmethod
    def from_core(cls, core: _core.SeriesHits) -> SeriesHits:
        """From what the core found."""
        found = [FoundText.from_core(one) for one in core.found]
        return cls(core.series, core.hits, core.matching, found, core.next)


class TextHits(msgspec.Struct, frozen=True):
    """What was found in many series."""

    series: list[SeriesHits]
    """Those with matches."""
    hits: int
    matching: int
    """The number of texts with matches."""
    searched: int
    unsearched: int
    """How many of these texts could not be read, or not be searched to their end."""
    stopped: str | None
    """`time` or `bytes` if a limit was reached first."""
    next: tuple[int, int] | None
    """The series, and the text in it, to continue with for what is left out."""

    @classmethod
    def from_core(cls, core: _core.TextHits) -> TextHits:
        """From what the core found."""
        return cls(
            series=[SeriesHits.from_core(one) for one in core.series],
            hits=core.hits,
            matching=core.matching,
            searched=core.searched,
            unsearched=core.unsearched,
            stopped=core.stopped,
            next=core.next,
        )
