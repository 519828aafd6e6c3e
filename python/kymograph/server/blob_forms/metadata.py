"""Values that are nothing but their metadata, as answers."""

from __future__ import annotations

from kymograph.server.blob_forms.form import Form, ValueBlob
from kymograph.store import Metadata

__all__ = ["FORM", "MetadataBlob"]


class MetadataBlob(ValueBlob, tag="metadata"):
    """A value that consists only of metadata."""

    plugin: str
    display_name: str
    description: str
    content: bytes


def _as_json(found: Metadata) -> MetadataBlob:
    return MetadataBlob(found.plugin_name, found.display_name, found.description, found.content)


FORM = Form(_as_json)
