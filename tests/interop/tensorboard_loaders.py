"""Everything TensorBoard's two loaders and ours find in a log directory, in one plain form."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    message,
)
from tensorboard import context
from tensorboard.backend.event_processing import data_provider, plugin_event_multiplexer
from tensorboard.data import provider, server_ingester
from tensorboard.util import grpc_util

import kymograph
from tests.interop.plugin_messages import plugin_content

TENSOR_DASHBOARDS = ["histograms", "text", "pr_curves", "mesh", "hparams", "custom_scalars"]
# The plugin names behind a dashboard whose values are sequences of byte strings.
BLOB_PLUGINS = {
    "images": ["images"],
    "audio": ["audio"],
    "graphs": [
        "graphs",
        "graph_tagged_run_metadata",
        "graph_run_metadata",
        "graph_run_metadata_graph",
        "graph_keras_model",
    ],
}
EVERYTHING = 1_000_000
# Asked of both loaders, so that sampling does not hide what they can read.
SAMPLES = dict.fromkeys(
    ["scalars", *TENSOR_DASHBOARDS, *(name for names in BLOB_PLUGINS.values() for name in names)],
    EVERYTHING,
)


@dataclass(frozen=True)
class Place:
    """Where a series is found."""

    dashboard: str
    run: str
    tag: str


@dataclass(frozen=True)
class Point:
    """One value; the content is a float, nested tuples of numbers or strings, or byte strings."""

    step: int
    wall_time: float
    content: Any


Found = dict[Place, list[Point]]


def read_python(logdir: Path) -> Found:
    """Reads with the loader behind `tensorboard --load_fast=false`."""
    multiplexer = plugin_event_multiplexer.EventMultiplexer(tensor_size_guidance=SAMPLES)
    multiplexer.AddRunsFromDirectory(str(logdir))
    # In the program an exception ends the thread that loads; what it had read stays visible.
    with contextlib.suppress(message.DecodeError):
        multiplexer.Reload()
    return _ask(data_provider.MultiplexerDataProvider(multiplexer, str(logdir)))


def read_rust(logdir: Path) -> Found:
    """Reads with the data server behind plain `tensorboard`; its process ends with this call."""
    with _data_server(logdir) as provider:
        return _settled(provider)


@contextlib.contextmanager
def _data_server(logdir: Path) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder, "port")
        samples = ",".join(f"{name}={count}" for name, count in SAMPLES.items())
        process = subprocess.Popen(
            [
                server_ingester.get_server_binary().path,
                f"--logdir={logdir}",
                "--reload=once",
                f"--samples-per-plugin={samples}",
                "--port=0",
                f"--port-file={port_file}",
                "--die-after-stdin",
            ],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            address = f"localhost:{_port(port_file)}"
            ingester = server_ingester.ExistingServerDataIngester(
                address, channel_creds_type=grpc_util.ChannelCredsType.LOCAL
            )
            yield ingester.data_provider
        finally:
            # The server ends when its standard input closes.
            process.communicate(timeout=10)


def _port(port_file: Path) -> int:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        text = port_file.read_text() if port_file.exists() else ""
        if text.endswith("\n"):
            return int(text)
        time.sleep(0.05)
    raise TimeoutError("the data server did not say its port within 20 seconds")


def _settled(provider: Any) -> Found:
    """The server loads in the background and does not say when it is done: two equal answers."""
    before = None
    for _ in range(100):
        time.sleep(0.4)
        now = _ask(provider)
        if before is not None and _counts(now) == before:
            return now
        before = _counts(now)
    raise TimeoutError("the data server did not settle within 40 seconds")


def _counts(found: Found) -> dict[Place, int]:
    return {place: len(points) for place, points in found.items()}


def _ask(provider: Any) -> Found:
    found = Found()
    for place, points in _scalars(provider):
        found[place] = points
    for dashboard in TENSOR_DASHBOARDS:
        for place, points in _tensors(provider, dashboard):
            found[place] = points
    for dashboard, plugins in BLOB_PLUGINS.items():
        for plugin in plugins:
            for place, points in _blobs(provider, dashboard, plugin):
                found[place] = points
    return found


def _scalars(source: Any) -> Iterator[tuple[Place, list[Point]]]:
    for run, tag, _ in _listed(source.list_scalars, "scalars"):
        data = _read(source.read_scalars, "scalars", run, tag)
        points = [Point(d.step, d.wall_time, _number(d.value)) for d in data]
        yield Place("scalars", run, tag), points


def _tensors(source: Any, dashboard: str) -> Iterator[tuple[Place, list[Point]]]:
    for run, tag, series in _listed(source.list_tensors, dashboard):
        points = []
        for d in _read(source.read_tensors, dashboard, run, tag):
            content = series.plugin_content if dashboard == "hparams" else _plain(d.numpy)
            points.append(Point(d.step, d.wall_time, content))
        yield Place(dashboard, run, tag), points


def _blobs(source: Any, dashboard: str, plugin: str) -> Iterator[tuple[Place, list[Point]]]:
    ctx = context.RequestContext()
    for run, tag, _ in _listed(source.list_blob_sequences, plugin):
        points = []
        for d in _read(source.read_blob_sequences, plugin, run, tag):
            items = (source.read_blob(ctx, blob_key=item.blob_key) for item in d.values)
            points.append(Point(d.step, d.wall_time, tuple(items)))
        yield Place(dashboard, run, tag), points


def _listed(ask: Callable[..., Any], plugin: str) -> Iterator[tuple[str, str, Any]]:
    listing = ask(context.RequestContext(), experiment_id="", plugin_name=plugin)
    for run, tags in listing.items():
        for tag, series in tags.items():
            yield run, tag, series


def _read(ask: Callable[..., Any], plugin: str, run: str, tag: str) -> list[Any]:
    """The points of one tag; none when the loader stumbles over one of them."""
    chosen = provider.RunTagFilter(runs=[run], tags=[tag])
    try:
        answer = ask(
            context.RequestContext(),
            experiment_id="",
            plugin_name=plugin,
            downsample=EVERYTHING,
            run_tag_filter=chosen,
        )
    except (ArithmeticError, TypeError, ValueError):
        return []
    return list(answer.get(run, {}).get(tag, []))


def _number(value: Any) -> Any:
    """A float; anything else the Python loader lets through stays as it is."""
    return float(value) if isinstance(value, int | float) else value


def _plain(array: Any) -> Any:
    if array.dtype.kind in "OSU":
        flat = (v.decode(errors="replace") if isinstance(v, bytes) else str(v) for v in array.flat)
        return (array.shape, tuple(flat))
    return (array.shape, tuple(float(v) for v in array.astype(np.float64).flat))


def read_ours(logdir: Path) -> Found:
    """Reads with the store."""
    found = Found()
    with kymograph.open(logdir) as store:
        for name, run in store.runs.items():
            for tag in run.tags("scalars"):
                series = run.series(tag)
                columns = zip(series.steps, series.wall_times, series.values, strict=True)
                points = [Point(int(s), float(w), float(v)) for s, w, v in columns]
                found[Place("scalars", name, tag)] = points
            for dashboard in [*TENSOR_DASHBOARDS, *BLOB_PLUGINS, "video"]:
                for tag in run.tags(dashboard):
                    blobs = run.blobs(tag, dashboard=dashboard)
                    # TensorBoard has films among the images.
                    shown = "images" if dashboard == "video" else dashboard
                    found[Place(shown, name, tag)] = [
                        Point(blob.step, blob.wall_time, _content(dashboard, blob))
                        for blob in (blobs[i] for i in range(len(blobs)))
                    ]
    return found


def _content(dashboard: str, blob: Any) -> Any:
    if dashboard == "hparams":
        return plugin_content(blob.read())
    value = blob.decode()
    if dashboard in ("images", "video"):
        return (str(value.width).encode(), str(value.height).encode(), *value.items)
    if dashboard == "audio":
        return tuple(value.items)
    if dashboard == "graphs":
        return (value.data,)
    return _plain(value.buckets if dashboard == "histograms" else value.array)
