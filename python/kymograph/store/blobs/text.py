"""Strings."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from kymograph import _core
from kymograph.errors import BlobUnreadableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Text"]


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
