"""Every golden log directory reads back as it was logged, value for value."""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph.store import Blob, BlobSeries, Series
from tests.golden import wire
from tests.interop.plugin_messages import hparams, layout, plugin_content
from tests.interop.stdlib_media import gif_frames, png_pixels, wav_clip

LOGDIRS = Path(__file__).parents[1] / "golden" / "logdirs"
Json = dict[str, Any]


def expected(logdir: Path) -> dict[str, Json]:
    """The runs a golden script says it logged."""
    runs: dict[str, Json] = json.loads((logdir / "expected.json").read_text("utf-8"))["runs"]
    return runs


@functools.cache
def opened(logdir: Path) -> kymograph.Store:
    return kymograph.open(logdir)


def check_logdir(logdir: Path) -> None:
    """Compares a whole log directory with its `expected.json`."""
    check_runs(logdir)
    for run, content in expected(logdir).items():
        for tag in content["tags"]:
            check_tag(logdir, run, tag)


def check_runs(logdir: Path) -> None:
    """The runs are the expected ones, and each holds the expected tags in the expected place."""
    store, runs = opened(logdir), expected(logdir)
    # A directory counts as a run as soon as it holds an event file, whatever is in it.
    assert sorted(store.runs) == sorted(runs)
    for name, content in runs.items():
        run = store.runs[name]
        found = {(d, tag) for d in run.dashboards for tag in run.tags(d)}
        wanted = {(entry["dashboard"], tag) for tag, entry in content["tags"].items()}
        beyond = found - wanted
        assert wanted <= found, f"run: {name}"
        elsewhere = {(dashboard, tag) for tag, dashboard in content.get("elsewhere", {}).items()}
        assert beyond == elsewhere, f"run: {name}"
        assert run.hidden_points == content["hidden_points"], f"run: {name}"


def check_tag(logdir: Path, run: str, tag: str) -> None:
    entry = expected(logdir)[run]["tags"][tag]
    found = opened(logdir).runs[run]
    if entry["dashboard"] == "scalars":
        series = found.series(tag)
        assert series.values.dtype == np.float64
        np.testing.assert_array_equal(series.values, [float(v) for v in entry["values"]])
        signs = [math.copysign(1.0, float(v)) for v in entry["values"] if str(v) != "nan"]
        known = series.values[~np.isnan(series.values)]
        np.testing.assert_array_equal(np.copysign(1.0, known), signs)
        for field, value in entry.get("metadata", {}).items():
            stored = getattr(series.metadata, field)
            assert (stored.hex() if isinstance(stored, bytes) else stored) == value
        columns: Series | BlobSeries = series
    else:
        blobs = found.blobs(tag, dashboard=entry["dashboard"])
        assert blobs.dashboard == entry["dashboard"]
        for index, point in enumerate(entry["points"]):
            assert describe(entry["dashboard"], blobs[index], point) == point
            assert blobs[index].step == entry["steps"][index]
        columns = blobs
    assert (columns.run, columns.tag, len(columns)) == (run, tag, len(entry["steps"]))
    assert columns.steps.dtype == np.int64
    assert columns.steps.tolist() == entry["steps"]
    assert np.isfinite(columns.wall_times).all()
    for wall_time, wanted in zip(
        columns.wall_times, entry.get("wall_times", []), strict="wall_times" in entry
    ):
        assert wanted is None or wall_time == wanted


def describe(dashboard: str, blob: Blob, wanted: Json) -> Json:
    """Says of a blob what `wanted` says, in the same words."""
    if dashboard == "hparams":
        return hparams(plugin_content(blob.read()))
    value: Any = blob.decode()
    if dashboard in ("images", "video"):
        items = [describe_image(i, w) for i, w in zip(value.items, wanted["items"], strict=True)]
        return {"width": value.width, "height": value.height, "items": items}
    if dashboard == "audio":
        items = [describe_clip(i, w) for i, w in zip(value.items, wanted["items"], strict=True)]
        said: Json = {"items": items}
        return {"content_type": value.content_type, **said} if "content_type" in wanted else said
    if dashboard == "histograms":
        return describe_histogram(value.buckets, wanted)
    if dashboard == "graphs":
        return describe_graph(value.data, wanted)
    if dashboard == "custom_scalars":
        return {"layout": layout(layout_message(blob.read()))}
    if dashboard == "text":
        flat = [str(item) for item in value.array.reshape(-1)]
        return {"shape": list(value.array.shape), "strings": flat}
    described = describe_tensor(value.array, wanted)
    if "content" in wanted:
        described["content"] = plugin_content(blob.read()).hex()
    return described


def layout_message(summary_value: bytes) -> bytes:
    return wire.last_bytes(wire.last_bytes(summary_value, 8), 8)


def describe_image(data: bytes, wanted: Json) -> Json:
    if "raw_sha256" in wanted:
        return {"raw_sha256": hashlib.sha256(data).hexdigest()}
    if "gif_frames" in wanted:
        return {"gif_frames": gif_frames(data)}
    pixels = png_pixels(data)
    digest = hashlib.sha256(pixels.tobytes()).hexdigest()
    return {"shape": list(pixels.shape), "sha256": digest}


def describe_clip(data: bytes, wanted: Json) -> Json:
    if "raw_sha256" in wanted:
        return {"raw_sha256": hashlib.sha256(data).hexdigest()}
    sample_rate, channels, frames, samples = wav_clip(data)
    digest = hashlib.sha256(samples).hexdigest()
    return {
        "sample_rate": sample_rate,
        "channels": channels,
        "frames": frames,
        "sha256": digest,
    }


def describe_histogram(buckets: Any, wanted: Json) -> Json:
    assert buckets.dtype == np.float64
    assert buckets.shape[1:] == (3,)
    if "buckets" in wanted:
        return {"buckets": buckets.tolist()}
    return {"count": buckets[:, 2].sum(), "min": buckets[0, 0], "max": buckets[-1, 1]}


def describe_graph(data: bytes, wanted: Json) -> Json:
    if "sha256" in wanted:
        return {"sha256": hashlib.sha256(data).hexdigest()}
    return {"contains": [name for name in wanted["contains"] if name.encode() in data]}


def describe_tensor(array: Any, wanted: Json) -> Json:
    """Numbers as JSON holds them: NaN and infinities as words, complex numbers as pairs."""

    def plain(number: Any) -> Any:
        if isinstance(number, complex):
            return [plain(number.real), plain(number.imag)]
        if isinstance(number, float) and not math.isfinite(number):
            return str(number)
        return number

    return {
        "shape": list(array.shape),
        "values": [plain(number) for number in array.reshape(-1).tolist()],
    }


GOLDEN = sorted(path.parent.name for path in LOGDIRS.glob("*/expected.json"))
TAGS = [
    pytest.param(LOGDIRS / name, run, tag, id=f"{name}:{run}:{tag}")
    for name in GOLDEN
    for run, content in expected(LOGDIRS / name).items()
    for tag in content["tags"]
]


@pytest.mark.parametrize("name", GOLDEN)
def test_runs_hold_the_tags_that_were_logged(name: str) -> None:
    check_runs(LOGDIRS / name)


@pytest.mark.parametrize(("logdir", "run", "tag"), TAGS)
def test_tag_reads_back_as_logged(logdir: Path, run: str, tag: str) -> None:
    check_tag(logdir, run, tag)


@pytest.mark.parametrize("name", GOLDEN)
def test_damage_is_counted_where_it_is_and_nowhere_else(name: str) -> None:
    counters = ["bad_records", "bad_headers", "skipped_bytes", "tail_bytes", "bad_wall_times"]
    wanted = expected(LOGDIRS / name)
    reports = opened(LOGDIRS / name).files
    assert len(reports) == sum(1 for _ in (LOGDIRS / name).rglob("*tfevents*"))
    for report in reports:
        file = Path(report.path).name
        if file.endswith(".gz"):
            assert report.error is not None or report.skipped_bytes + report.tail_bytes
            continue
        counts = wanted[report.run].get("files", {}).get(file, {})
        found = {counter: getattr(report, counter) for counter in counters}
        assert found == {counter: counts.get(counter, 0) for counter in counters}
        assert report.error is None


def test_restarts_stay_visible_when_asked() -> None:
    with kymograph.open(LOGDIRS / "torch", purge_orphaned_data=False) as store:
        restarted = store.runs["restart"]
        assert restarted.hidden_points == 0
        assert len(restarted.series("loss")) == 13
        assert len(restarted.series("only_before")) == 10


@pytest.mark.parametrize("name", ["synthetic", "damaged"])
def test_hand_made_files_are_what_their_script_makes(name: str, tmp_path: Path) -> None:
    importlib.import_module(f"tests.golden.make_{name}").make(tmp_path / name)
    made, kept = [
        {str(path.relative_to(root)): content(path) for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / name, LOGDIRS / name)
    ]
    assert made == kept


def content(path: Path) -> bytes:
    """The bytes of a file, unpacked: packed ones depend on the version of Python."""
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data
