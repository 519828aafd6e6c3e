"""The forms of each kind of blob, found by its class."""

from kymograph.server.blob_forms import (
    audio,
    empty,
    graph,
    histogram,
    images,
    metadata,
    tensor,
    text,
)
from kymograph.server.blob_forms.form import Form
from kymograph.store import Audio, Empty, Graph, Histogram, Images, Metadata, Tensor, Text
from kymograph.store.blobs import Decoded

__all__ = ["Value", "form_of"]

Value = (
    images.ImagesBlob
    | audio.AudioBlob
    | histogram.HistogramBlob
    | text.TextBlob
    | tensor.TensorBlob
    | graph.GraphBlob
    | metadata.MetadataBlob
    | empty.EmptyBlob
)
"""A decoded value as JSON."""

_FORMS: dict[type, Form] = {
    Images: images.FORM,
    Audio: audio.FORM,
    Histogram: histogram.FORM,
    Text: text.FORM,
    Tensor: tensor.FORM,
    Graph: graph.FORM,
    Metadata: metadata.FORM,
    Empty: empty.FORM,
}


def form_of(decoded: Decoded) -> Form:
    """The forms in which a decoded value is available."""
    return _FORMS[type(decoded)]
