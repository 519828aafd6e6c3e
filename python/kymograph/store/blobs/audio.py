"""Clips."""

from __future__ import annotations

import msgspec

from kymograph import _core

__all__ = ["Audio"]


class Audio(msgspec.Struct, frozen=True):
    """The clips logged at one step."""

    sample_rate: float | None
    content_type: str | None
    items: list[bytes]
    """Encoded clips, WAV normally."""

    @classmethod
    def from_core(cls, core: _core.Audio) -> Audio:
        """From what the core decoded."""
        return cls(core.sample_rate, core.content_type, core.items)
