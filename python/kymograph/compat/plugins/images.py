"""The routes of TensorBoard's images plugin."""

from __future__ import annotations

from urllib.parse import urlencode

from kymograph.asgi.board import Board
from kymograph.compat import items, tagged
from kymograph.compat.answers import Content, Json, Query

__all__ = ["ANSWERS"]

_IMAGES = "images"


def tags(board: Board, _query: Query) -> Json:
    """Display name, description and the largest number of pictures per step of each tag."""
    return items.listing(board.store, _IMAGES)


def images(board: Board, query: Query) -> Json:
    """The pictures of one tag of one run: when, and how to ask for them."""
    sample = query.count("sample")
    blobs = tagged.blobs(board.store, _IMAGES, query.text("run"), query.text("tag"))
    return [
        {
            "wall_time": item.wall_time,
            "step": item.step,
            "query": urlencode({"blob_key": item.key}),
        }
        for item in items.each(board, blobs, sample)
    ]


def individual_image(board: Board, query: Query) -> Content:
    """The bytes of one picture."""
    return items.fetch(board, query.text("blob_key"))


ANSWERS = {"tags": tags, "images": images, "individualImage": individual_image}
