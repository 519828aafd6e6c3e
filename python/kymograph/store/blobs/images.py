"""Pictures and videos."""

from __future__ import annotations

from dataclasses import dataclass

from kymograph import _core

__all__ = ["Images"]


@dataclass(frozen=True)
class Images:
    """The images logged at one step."""

    width: int
    height: int
    items: list[bytes]
    """Encoded pictures: PNG normally, GIF for videos."""

    @classmethod
    def from_core(cls, core: _core.Images) -> Images:
        """From what the core decoded."""
        return cls(core.width, core.height, core.items)
