"""Pictures as answers."""

from __future__ import annotations

from kymograph.server.blob_forms.form import Form, Item, ValueBlob, listed
from kymograph.store import Images

__all__ = ["FORM", "ImagesBlob"]


class ImagesBlob(ValueBlob, tag="images"):
    """Pictures; each is requested with `as=item`."""

    width: int
    height: int
    items: list[Item]


def _as_json(images: Images) -> ImagesBlob:
    return ImagesBlob(images.width, images.height, listed(images.items))


def _items(images: Images) -> list[bytes]:
    return images.items


FORM = Form(_as_json, items=_items)
