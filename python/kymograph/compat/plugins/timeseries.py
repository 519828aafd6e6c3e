"""The routes of TensorBoard's time series plugin: scalars, histograms and images in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kymograph.asgi.board import Board
from kymograph.compat import items, markdown, tagged
from kymograph.compat.answers import Content, Json, Query, check_size, numbers, points
from kymograph.compat.plugins import histograms
from kymograph.errors import RequestError
from kymograph.store import BlobSeries, Series, Store
from kymograph.store.series import Tagged

__all__ = ["ANSWERS"]

_SCALARS, _HISTOGRAMS, _IMAGES = "scalars", "histograms", "images"
_SINGLE_RUN = (_HISTOGRAMS, _IMAGES)
_Listing = dict[str, list[Tagged]]
_MOST_REQUESTS = 1000
# Most pairs of run and tag that the requests for all runs may look for.
_MOST_PAIRS = 2_000_000
# A histogram of typical size takes as much of a response as this many points.
_BUCKETS = 30


class _Point(msgspec.Struct, rename="camel"):
    wall_time: float
    step: int
    value: float | str


def tags(board: Board, _query: Query) -> Json:
    """The tags of the three kinds, with their descriptions and numbers of images."""
    store = board.store
    found = {kind: dict(tagged.each(store, kind)) for kind in (_SCALARS, *_SINGLE_RUN)}
    return {
        _SCALARS: _by_run(found[_SCALARS]),
        _HISTOGRAMS: _by_run(found[_HISTOGRAMS]),
        _IMAGES: {
            "tagDescriptions": _descriptions(found[_IMAGES]),
            "tagRunSampledInfo": _samples(store, found[_IMAGES]),
        },
    }


def _by_run(listing: _Listing) -> Json:
    return {
        "runTagInfo": {run: [one.tag for one in series] for run, series in listing.items()},
        "tagDescriptions": _descriptions(listing),
    }


def _descriptions(listing: _Listing) -> dict[str, str]:
    """The description of each tag that has one; where runs differ, all, under their names."""
    runs: dict[str, dict[str, list[str]]] = {}
    for run, series in listing.items():
        for one in series:
            if text := one.metadata.description:
                runs.setdefault(one.tag, {}).setdefault(text, []).append(run)
    return {tag: markdown.html(_joined(found)) for tag, found in runs.items()}


def _joined(runs_of: Mapping[str, list[str]]) -> str:
    if len(runs_of) == 1:
        return next(iter(runs_of))
    parts = ["# Multiple descriptions"]
    for text, runs in sorted(runs_of.items()):
        parts.append(f"## For {'run' if len(runs) == 1 else 'runs'}: {', '.join(sorted(runs))}")
        parts.append(text)
    return "\n".join(parts)


def _samples(store: Store, listing: _Listing) -> Json:
    answer: dict[str, dict[str, Json]] = {}
    for run, series in listing.items():
        for one in series:
            if isinstance(one, BlobSeries):
                entry = {"maxSamplesPerStep": items.most(store, one)}
                answer.setdefault(one.tag, {})[run] = entry
    return answer


def time_series(board: Board, query: Query) -> Json:
    """The points of some series; an invalid request gets its own error."""
    try:
        requests = msgspec.json.decode(query.text("requests"), type=list[dict[str, Any]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RequestError("`requests` is not a JSON list of objects") from error
    if len(requests) > _MOST_REQUESTS:
        raise RequestError(f"more than {_MOST_REQUESTS} requests at once: {len(requests)}")
    all_runs = sum(not request.get("run") for request in requests)
    if all_runs * len(board.store) > _MOST_PAIRS:
        raise RequestError("too many requests for all runs\nhint: name the runs")
    found = [_found(board.store, request) for request in requests]
    check_size(sum(_size(series) for series in found))
    answered = zip(requests, found, strict=True)
    return [_answer(board, request, series) for request, series in answered]


def _found(store: Store, request: Mapping[str, Any]) -> list[Series] | list[BlobSeries] | str:
    """The series that a request is for, or what is wrong with it."""
    plugin, tag, run, sample = (request.get(name) for name in ("plugin", "tag", "run", "sample"))
    if not isinstance(tag, str):
        return "Missing tag"
    if plugin not in (_SCALARS, *_SINGLE_RUN):
        return "Invalid plugin"
    if plugin in _SINGLE_RUN and not isinstance(run, str):
        return "Missing run"
    if plugin == _IMAGES and not isinstance(sample, int):
        return "Missing sample"
    if plugin == _SCALARS:
        # Without a run, those of all that have the tag.
        found = tagged.find_scalars(store, [str(run)], tag).values() if run else None
        return store.all_series(tag) if found is None else list(found)
    blobs = tagged.find_blobs(store, plugin, str(run), tag)
    return [] if blobs is None else [blobs]


def _size(found: list[Series] | list[BlobSeries] | str) -> int:
    """How many points they have."""
    if isinstance(found, str):
        return 0
    is_long = any(isinstance(one, BlobSeries) and one.dashboard == _HISTOGRAMS for one in found)
    return sum(map(len, found)) * (_BUCKETS if is_long else 1)


def _answer(
    board: Board, request: Mapping[str, Any], found: list[Series] | list[BlobSeries] | str
) -> Json:
    answer: dict[str, Json] = {"plugin": request.get("plugin"), "tag": request.get("tag")}
    if isinstance(request.get("run"), str):
        answer["run"] = request["run"]
    if isinstance(request.get("sample"), int):
        answer["sample"] = request["sample"]
    if isinstance(found, str):
        return answer | {"error": found}
    series = {one.run: _points(board, one, request.get("sample")) for one in found}
    # A picture of a number that no step has is not there at all.
    return answer | {"runToSeries": {run: found for run, found in series.items() if found}}


def _points(board: Board, series: Series | BlobSeries, sample: object) -> Json:
    if isinstance(series, Series):
        return points(series, _Point)
    if series.dashboard == _HISTOGRAMS:
        return _bins(series)
    return _images(board, series, sample) if isinstance(sample, int) and sample >= 0 else []


def _bins(blobs: BlobSeries) -> Json:
    return [
        {
            "wallTime": wall_time,
            "step": step,
            "bins": [{"min": a, "max": b, "count": count} for a, b, count in numbers(buckets)],
        }
        for wall_time, step, buckets in histograms.each(blobs)
    ]


def _images(board: Board, blobs: BlobSeries, sample: int) -> Json:
    return [
        {"wallTime": item.wall_time, "step": item.step, "imageId": item.key}
        for item in items.each(board, blobs, sample)
    ]


def image_data(board: Board, query: Query) -> Content:
    """The bytes of one picture."""
    return items.fetch(board, query.text("imageId"))


ANSWERS = {"tags": tags, "timeSeries": time_series, "imageData": image_data}
