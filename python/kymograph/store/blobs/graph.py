"""Graphs."""

from __future__ import annotations

import msgspec

from kymograph import _core

__all__ = ["Graph"]


class Graph(msgspec.Struct, frozen=True):
    """A serialized GraphDef, RunMetadata or Keras model, as the plugin name of its tag says."""

    data: bytes

    @classmethod
    def from_core(cls, core: _core.Graph) -> Graph:
        """From what the core decoded."""
        return cls(core.data)
