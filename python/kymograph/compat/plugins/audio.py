"""The routes of TensorBoard's audio plugin."""

from __future__ import annotations

from urllib.parse import urlencode

from kymograph.asgi import media_types
from kymograph.asgi.board import Board
from kymograph.compat import items, tagged
from kymograph.compat.answers import Content, Json, Query
from kymograph.errors import RequestError

__all__ = ["ANSWERS"]

_AUDIO = "audio"
_ALLOWED = {*media_types.AUDIO, media_types.UNKNOWN}


def tags(board: Board, _query: Query) -> Json:
    """Display name, description and the largest number of clips per step of each tag."""
    return items.listing(board.store, _AUDIO)


def audio(board: Board, query: Query) -> Json:
    """The clips of one tag of one run: when, of which type, and how to ask for them."""
    sample = query.count("sample")
    blobs = tagged.blobs(board.store, _AUDIO, query.text("run"), query.text("tag"))
    found = list(items.each(board, blobs, sample))
    # One is enough to know: writers do not change the encoding in between.
    content_type = items.fetch(board, found[0].key).media_type if found else media_types.UNKNOWN
    return [
        {
            "wall_time": item.wall_time,
            "step": item.step,
            "label": "",
            "contentType": content_type,
            "query": urlencode({"blob_key": item.key, "content_type": content_type}),
        }
        for item in found
    ]


def individual_audio(board: Board, query: Query) -> Content:
    """The bytes of one clip."""
    content_type = query.text("content_type")
    if content_type not in _ALLOWED:
        raise RequestError(f"not an audio type: {content_type!r}")
    clip = items.fetch(board, query.text("blob_key"))
    return Content(clip.body, content_type, clip.tag)


ANSWERS = {"tags": tags, "audio": audio, "individualAudio": individual_audio}
