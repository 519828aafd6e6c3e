"""Histograms as answers."""

from __future__ import annotations

from kymograph.asgi import responses
from kymograph.server.blob_forms.form import Form, Framed, Number, ValueBlob
from kymograph.store import Histogram

__all__ = ["FORM", "HistogramBlob"]


class HistogramBlob(ValueBlob, tag="histogram"):
    """A histogram."""

    buckets: list[tuple[Number, Number, Number]]
    """Left edge, right edge, count."""


def _as_json(histogram: Histogram) -> HistogramBlob:
    number = responses.number
    rows = histogram.buckets.tolist()
    return HistogramBlob([(number(left), number(right), number(n)) for left, right, n in rows])


def _as_frame(histogram: Histogram) -> Framed:
    left, right, count = histogram.buckets.T
    return {"left": left, "right": right, "count": count}, {"kind": "histogram"}


FORM = Form(_as_json, as_frame=_as_frame)
