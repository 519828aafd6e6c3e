"""Values without content."""

from __future__ import annotations

import msgspec

from kymograph import _core

__all__ = ["Empty"]


class Empty(msgspec.Struct, frozen=True):
    """A value without content, or a tensor that cannot be read."""

    @classmethod
    def from_core(cls, _core_value: _core.Empty) -> Empty:
        """From what the core decoded."""
        return cls()
