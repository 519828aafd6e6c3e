"""TensorBoard's own EventAccumulator beside ours, on files by real frameworks."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kymograph.compat import event_accumulator as ours

pytestmark = pytest.mark.frameworks

LOGDIRS = Path(__file__).parents[1] / "golden/logdirs"
PRODUCERS = ("torch", "tensorboardx", "tensorflow", "keras", "jax", "catboost")
# TensorBoard forgets to hide, or hides too much, where a run was started again.
RESTARTED = {"torch/restart", "torch/two_restarts", "tensorboardx/restart"}


def runs() -> Iterator[Path]:
    for producer in PRODUCERS:
        files = sorted((LOGDIRS / producer).rglob("*tfevents*"))
        yield from dict.fromkeys(file.parent for file in files)


@pytest.fixture(params=list(runs()), ids=lambda run: str(run.relative_to(LOGDIRS)))
def both(request: pytest.FixtureRequest) -> tuple[Any, ours.EventAccumulator]:
    theirs = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    if str(request.param.relative_to(LOGDIRS)) in RESTARTED:
        pytest.skip("the policy for restarts differs")
    path = str(request.param)
    everything = theirs.STORE_EVERYTHING_SIZE_GUIDANCE
    return theirs.EventAccumulator(path, everything).Reload(), ours.EventAccumulator(path).Reload()


def same(theirs: Any, mine: Any) -> bool:
    """Equal, NaN to NaN too."""
    if isinstance(theirs, float) and isinstance(mine, float):
        return theirs == mine or (math.isnan(theirs) and math.isnan(mine))
    return bool(theirs == mine)


def test_every_tag_of_tensorboard_is_there(both):
    theirs, mine = both
    for kind, tags in theirs.Tags().items():
        found = mine.Tags()[kind]
        assert tags <= found if isinstance(tags, bool) else set(tags) <= set(found), kind


def test_every_value_is_the_same(both):
    theirs, mine = both
    fields = {
        "Scalars": ("scalars", ["value"]),
        "Images": ("images", ["encoded_image_string", "width", "height"]),
        "Audio": ("audio", ["encoded_audio_string", "content_type", "sample_rate"]),
        "Histograms": ("histograms", []),
        "CompressedHistograms": ("distributions", []),
    }
    for method, (kind, names) in fields.items():
        for tag in theirs.Tags()[kind]:
            expected, found = getattr(theirs, method)(tag), getattr(mine, method)(tag)
            assert len(expected) == len(found), (method, tag)
            for a, b in zip(expected, found, strict=True):
                for name in ("wall_time", "step", *names):
                    assert same(getattr(a, name), getattr(b, name)), (method, tag, name)


def test_histograms_are_the_same(both):
    theirs, mine = both
    for tag in theirs.Tags()["histograms"]:
        for a, b in zip(theirs.Histograms(tag), mine.Histograms(tag), strict=True):
            for name in b.histogram_value._fields:
                expected, found = (getattr(x.histogram_value, name) for x in (a, b))
                np.testing.assert_array_equal(expected, found)
        pairs = zip(theirs.CompressedHistograms(tag), mine.CompressedHistograms(tag), strict=True)
        for a, b in pairs:
            np.testing.assert_allclose(
                a.compressed_histogram_values, b.compressed_histogram_values, rtol=1e-12
            )


def test_tensors_are_the_same(both):
    from tensorboard.util import tensor_util

    theirs, mine = both
    for tag in theirs.Tags()["tensors"]:
        for a, b in zip(theirs.Tensors(tag), mine.Tensors(tag), strict=True):
            try:
                expected = tensor_util.make_ndarray(a.tensor_proto)
            except (OverflowError, TypeError, ValueError):
                continue  # TensorBoard cannot unpack torch's halves and bytes, nor any bfloat16
            found = tensor_util.make_ndarray(b.tensor_proto)
            # A scalar does not remember that it came as [1] or [1, 1].
            assert expected.shape == found.shape or (expected.size == 1 and found.ndim == 0), tag
            if found.dtype == object:
                assert expected.tolist() == found.tolist()
            else:
                np.testing.assert_array_equal(
                    np.asarray(expected, dtype=found.dtype).reshape(found.shape), found
                )


def test_graphs_and_metadata_are_the_same(both):
    theirs, mine = both
    if theirs.Tags()["graph"]:
        assert theirs.Graph() == type(theirs.Graph()).FromString(mine.Graph())
    for tag, expected in theirs.summary_metadata.items():
        found = mine.SummaryMetadata(tag)
        assert found.plugin_data.plugin_name == expected.plugin_data.plugin_name
        assert found.plugin_data.content == expected.plugin_data.content
        assert found.display_name == expected.display_name
        assert found.summary_description == expected.summary_description
    assert theirs.FirstEventTimestamp() >= mine.FirstEventTimestamp()
