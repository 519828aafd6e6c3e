"""Values without content."""

from __future__ import annotations

from dataclasses import dataclass

from kymograph import _core

__all__ = ["Empty"]


@dataclass(frozen=True)
class Empty:
    """A value without content, or a tensor that cannot be read."""

    @classmethod
    def from_core(cls, _core_value: _core.Empty) -> Empty:
        """From what the core decoded."""
        return cls()
