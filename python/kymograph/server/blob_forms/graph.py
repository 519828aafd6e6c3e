"""Graphs as answers."""

from __future__ import annotations

from kymograph.server.blob_forms.form import Form, ValueBlob
from kymograph.store import Graph

__all__ = ["FORM", "GraphBlob"]


class GraphBlob(ValueBlob, tag="graph"):
    """A serialized message, which is requested with `as=item`."""

    bytes: int


def _as_json(graph: Graph) -> GraphBlob:
    return GraphBlob(len(graph.data))


def _items(graph: Graph) -> list[bytes]:
    return [graph.data]


FORM = Form(_as_json, items=_items)
