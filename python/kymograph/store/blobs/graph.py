"""Graphs."""

from __future__ import annotations

from dataclasses import dataclass

from kymograph import _core

__all__ = ["Graph"]


@dataclass(frozen=True)
class Graph:
    """A serialized GraphDef, RunMetadata or Keras model, as the plugin name of its tag says."""

    data: bytes

    @classmethod
    def from_core(cls, core: _core.Graph) -> Graph:
        """From what the core decoded."""
        return cls(core.data)
