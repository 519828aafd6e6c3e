"""Strings as answers."""

from __future__ import annotations

from kymograph.server.blob_forms.form import Form, ValueBlob
from kymograph.store import Text

__all__ = ["FORM", "TextBlob"]


class TextBlob(ValueBlob, tag="text"):
    """Strings, row by row."""

    shape: list[int]
    strings: list[str]


def _as_json(text: Text) -> TextBlob:
    return TextBlob(list(text.shape), text.strings)


FORM = Form(_as_json)
