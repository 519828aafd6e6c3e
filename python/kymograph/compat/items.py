"""Pictures and clips: how many each step has, and the keys by which they are fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from kymograph.asgi import media_types
from kymograph.asgi.board import Board
from kymograph.compat import tagged
from kymograph.compat.answers import Content, Json
from kymograph.errors import RequestError
from kymograph.store import Audio, BlobSeries, Images, Store
from kymograph.store.blobs import Decoded

__all__ = ["Item", "each", "fetch", "listing", "most"]


@dataclass(frozen=True)
class Item:
    """One picture or clip."""

    step: int
    wall_time: float
    key: str


@dataclass(frozen=True)
class _Counted:
    """The numbers of items of the first blobs of a series."""

    generation: int
    last_address: str
    counts: list[int]


# Blobs that are read at once, and are then in memory together.
_BATCH = 32
# How many items a blob holds is known only once it is read, so each is read for it once.
_known: WeakKeyDictionary[Store, dict[tuple[str, str, str], _Counted]] = WeakKeyDictionary()


def listing(store: Store, dashboard: str) -> dict[str, dict[str, Json]]:
    """Display name, description and most items per step of each tag of each run."""
    return {
        run: {
            one.tag: {**tagged.described(one), "samples": most(store, one)}
            for one in series
            if isinstance(one, BlobSeries)
        }
        for run, series in tagged.each(store, dashboard)
    }


def most(store: Store, blobs: BlobSeries) -> int:
    """The largest number of items that a step has."""
    return max(_counts(store, blobs), default=0)


def _counts(store: Store, blobs: BlobSeries) -> list[int]:
    """How many items there are in each blob; none in those that cannot be read."""
    known = _known.setdefault(store, {})
    place = (blobs.run, blobs.dashboard, blobs.tag)
    before = known.get(place)
    found = list(before.counts) if before is not None and _goes_on(before, blobs) else []
    if len(found) < len(blobs):
        for start in range(len(found), len(blobs), _BATCH):
            found += map(_count, blobs.decode_all(start, start + _BATCH))
        last = blobs.addresses(len(blobs) - 1)[0]
        known[place] = _Counted(blobs.generation, last, found)
    return found[: len(blobs)]


def _goes_on(before: _Counted, blobs: BlobSeries) -> bool:
    """Whether the blobs are those counted before, and perhaps more."""
    at = len(before.counts) - 1
    if before.generation != blobs.generation or at >= len(blobs):
        return False
    return blobs.addresses(at, at + 1) == [before.last_address]


def _count(decoded: Decoded | None) -> int:
    return len(decoded.items) if isinstance(decoded, Images | Audio) else 0


def each(board: Board, blobs: BlobSeries, sample: int) -> Iterator[Item]:
    """The items of this number; steps that have fewer are left out."""
    columns = (blobs.steps.tolist(), blobs.wall_times.tolist(), blobs.addresses())
    found = zip(_counts(board.store, blobs), *columns, strict=True)
    for count, step, wall_time, address in found:
        if count > sample:
            yield Item(step, wall_time, f"{board.instance}.{sample}.{address}")


def fetch(board: Board, key: str) -> Content:
    """The item of a key, typed by what it is. Raises RequestError when there is none."""
    instance, _, rest = key.partition(".")
    sample, _, address = rest.partition(".")
    # Python refuses to read numbers of very many digits.
    if instance != board.instance or not re.fullmatch(r"[0-9]{1,9}", sample):
        raise RequestError(f"not a key of this server: {key!r}")
    decoded = board.store.decode_blob(address)
    items = decoded.items if isinstance(decoded, Images | Audio) else []
    if int(sample) >= len(items):
        raise RequestError(f"not a key of this server: {key!r}")
    item = items[int(sample)]
    return Content(item, media_types.sniff(item), f'"{key}"')
