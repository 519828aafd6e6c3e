"""The routes of TensorBoard's time series plugin: scalars, histograms and images in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kymograph.asgi.board import Board
from kymograph.compat import items, markdown, tagged
from kymograph.compat.answers import Content, Json, Query, numbers
from kymograph.compat.plugins import histograms
from kymograph.errors import RequestError
from kymograph.store import BlobSeries, Series, Store
from kymograph.store.series import Tagged

__all__ = ["ANSWERS"]

_SCALARS, _HISTOGRAMS, _IMAGES = "scalars", "histograms", "images"
_SINGLE_RUN = (_HISTOGRAMS, _IMAGES)
_Listing = dict[str, list[Tagged]]


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
    """The points of some series, each with its own error where it cannot be meant."""
    try:
        requests = msgspec.json.decode(query.text("requests"), type=list[dict[str, Any]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RequestError("`requests` is not a JSON list of objects") from error
    return [_answer(board, request) for request in requests]


def _answer(board: Board, request: Mapping[str, Any]) -> Json:
    plugin, tag, run, sample = (request.get(name) for name in ("plugin", "tag", "run", "sample"))
    answer = {"plugin": plugin, "tag": tag}
    if isinstance(run, str):
        answer["run"] = run
    if isinstance(sample, int):
        answer["sample"] = sample
    if error := _error(plugin, tag, run, sample):
        return answer | {"error": error}
    if plugin == _SCALARS:
        series = _scalars(board.store, str(tag), str(run or ""))
    else:
        series = _blobs(board, str(plugin), str(tag), str(run), int(sample or 0))
    return answer | {"runToSeries": series}


def _error(plugin: object, tag: object, run: object, sample: object) -> str | None:
    if not isinstance(tag, str):
        return "Missing tag"
    if plugin not in (_SCALARS, *_SINGLE_RUN):
        return "Invalid plugin"
    if plugin in _SINGLE_RUN and not isinstance(run, str):
        return "Missing run"
    if plugin == _IMAGES and not isinstance(sample, int):
        return "Missing sample"
    return None


def _scalars(store: Store, tag: str, run: str) -> dict[str, Json]:
    """Of one run, or of all that have the tag."""
    runs = [run] if run else store.run_table().names
    found = tagged.find_scalars(store, runs, tag)
    return {name: _events(series) for name, series in found.items()}


def _events(series: Series) -> Json:
    columns = (series.wall_times, series.steps, series.values)
    points = zip(*(numbers(column) for column in columns), strict=True)
    return [{"wallTime": time, "step": step, "value": value} for time, step, value in points]


def _blobs(board: Board, plugin: str, tag: str, run: str, sample: int) -> dict[str, Json]:
    blobs = tagged.find_blobs(board.store, plugin, run, tag)
    if blobs is None:
        return {}
    found = _bins(blobs) if plugin == _HISTOGRAMS else _images(board, blobs, sample)
    return {run: found} if found else {}


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
