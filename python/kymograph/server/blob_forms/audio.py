"""Clips as answers."""

from __future__ import annotations

from kymograph.asgi import responses
from kymograph.server.blob_forms.form import Form, Item, Number, ValueBlob, listed
from kymograph.store import Audio

__all__ = ["FORM", "AudioBlob"]


class AudioBlob(ValueBlob, tag="audio"):
    """Clips; each is requested with `as=item`."""

    sample_rate: Number | None
    items: list[Item]


def _as_json(audio: Audio) -> AudioBlob:
    rate = audio.sample_rate
    return AudioBlob(None if rate is None else responses.number(rate), listed(audio.items))


def _items(audio: Audio) -> list[bytes]:
    return audio.items


FORM = Form(_as_json, items=_items)
