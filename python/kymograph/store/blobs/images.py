"""Pictures and videos."""

from __future__ import annotations

import msgspec

from kymograph import _core

__all__ = ["Images"]


class Images(msgspec.Struct, frozen=True):
    """The images logged at one step."""

    width: int
    height: int
    items: list[bytes]
    """Encoded pictures: PNG normally, GIF for videos."""

    @classmethod
    def from_core(cls, core: _core.Images) -> Images:
        """From what the core decoded."""
        return cls(core.width, core.height, core.items)
