"""Data that stays on disk until it is read: images, audio, histograms, text, graphs, tensors."""

from kymograph.store.blobs.audio import Audio
from kymograph.store.blobs.empty import Empty
from kymograph.store.blobs.graph import Graph
from kymograph.store.blobs.histogram import Histogram
from kymograph.store.blobs.images import Images
from kymograph.store.blobs.kinds import Decoded, decoded
from kymograph.store.blobs.series import Blob, BlobSeries, columns
from kymograph.store.blobs.tensor import Tensor
from kymograph.store.blobs.text import Text

__all__ = [
    "Audio",
    "Blob",
    "BlobSeries",
    "Decoded",
    "Empty",
    "Graph",
    "Histogram",
    "Images",
    "Tensor",
    "Text",
    "columns",
    "decoded",
]
