"""Values without content, as answers."""

from __future__ import annotations

from kymograph.server.blob_forms.form import Form, ValueBlob
from kymograph.store import Empty

__all__ = ["FORM", "EmptyBlob"]


class EmptyBlob(ValueBlob, tag="empty"):
    """A value without content."""


def _as_json(_value: Empty) -> EmptyBlob:
    return EmptyBlob()


FORM = Form(_as_json)
