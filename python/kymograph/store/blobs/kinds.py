"""Every kind of blob: what the core decodes, and the class that it becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from kymograph import _core
from kymograph.store.blobs.audio import Audio
from kymograph.store.blobs.empty import Empty
from kymograph.store.blobs.graph import Graph
from kymograph.store.blobs.histogram import Histogram
from kymograph.store.blobs.images import Images
from kymograph.store.blobs.tensor import Tensor
from kymograph.store.blobs.text import Text
from kymograph.store.series import Metadata

__all__ = ["Decoded", "decoded"]

Decoded: TypeAlias = Images | Audio | Histogram | Text | Tensor | Graph | Metadata | Empty

_KINDS: dict[type, Callable[[Any], Decoded]] = {
    _core.Images: Images.from_core,
    _core.Audio: Audio.from_core,
    _core.Histogram: Histogram.from_core,
    _core.Text: Text.from_core,
    _core.Tensor: Tensor.from_core,
    _core.Graph: Graph.from_core,
    _core.Metadata: Metadata.from_core,
    _core.Empty: Empty.from_core,
}


def decoded(core: object) -> Decoded:
    """What the core made of a blob, as the class of its kind."""
    return _KINDS[type(core)](core)
