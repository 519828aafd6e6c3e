"""Our Keras callback logs on every backend what Keras' own logs through TensorFlow."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

pytest.importorskip("keras", reason="keras is not installed: make test-frameworks")
pytest.importorskip("torch", reason="torch is not installed: make test-frameworks")
pytest.importorskip("jax", reason="jax is not installed: make test-frameworks")
pytest.importorskip("tensorflow", reason="tensorflow is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip("PIL", reason="PIL is not installed: make test-frameworks")

from PIL import Image

from tests.integrations.programs import run_program
from tests.integrations.read_back import points, read_back, scalars, tags

if TYPE_CHECKING:
    from tests.interop.tensorboard_loaders import Found

pytestmark = pytest.mark.frameworks

CASES = ["epochs", "batches", "every_batch"]
RUNS = [f"{case}/{run}" for case in CASES for run in ("train", "validation")]
RUNS += [f"{case}_evaluated/validation" for case in CASES]
WEIGHTS = ["conv/kernel", "conv/bias", "head/kernel", "head/bias"]


@pytest.fixture(scope="module")
def by_keras(tmp_path_factory: pytest.TempPathFactory) -> Found:
    logdir = tmp_path_factory.mktemp("keras")
    run_program(
        "keras_fit.py", "keras", str(logdir), *CASES, without="", KERAS_BACKEND="tensorflow"
    )
    return read_back(logdir)


@pytest.fixture(scope="module", params=["torch", "jax"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def logdir(backend: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What our callback leaves behind, in all cases, where TensorFlow cannot be imported."""
    folder = tmp_path_factory.mktemp(backend)
    cases = [*CASES, "profile", "embeddings"]
    run_program("keras_fit.py", "ours", str(folder), *cases, KERAS_BACKEND=backend)
    return folder


@pytest.fixture(scope="module")
def by_us(logdir: Path) -> Found:
    found = read_back(logdir)
    return {place: found[place] for place in found if place.run.startswith(tuple(CASES))}


def test_runs_tags_and_steps_are_those_of_keras(by_keras: Found, by_us: Found):
    def steps(found: Found) -> dict[Any, list[int]]:
        return {place: [point.step for point in found[place]] for place in found}

    assert {place.run for place in by_us} >= set(RUNS)
    assert steps(by_us) == steps(by_keras)


@pytest.mark.parametrize("run", RUNS)
def test_scalars_have_the_values_of_keras(run: str, by_keras: Found, by_us: Found):
    expected, got = scalars(by_keras, run), scalars(by_us, run)
    for tag in expected:
        if tag.endswith("steps_per_second"):
            assert all(0 < value < 1e6 for _, value in got[tag])
        else:
            assert np.array(got[tag]) == pytest.approx(np.array(expected[tag]), rel=1e-3), tag


def test_weights_have_the_buckets_of_keras(by_keras: Found, by_us: Found):
    names = [f"{weight}/histogram" for weight in WEIGHTS]
    assert sorted(tags(by_us, "histograms", "epochs/train")) == sorted(names)
    for name in names:
        theirs, ours = (points(f, "histograms", "epochs/train", name) for f in (by_keras, by_us))
        for (_, (shape, numbers)), (_, (our_shape, our_numbers)) in zip(theirs, ours, strict=True):
            assert our_shape == shape == (30, 3)
            rows, our_rows = np.reshape(numbers, shape), np.reshape(our_numbers, shape)
            assert our_rows[:, :2] == pytest.approx(rows[:, :2], rel=1e-3, abs=1e-5)
            # Rounding may put a weight on the other side of an edge.
            assert our_rows[:, 2].sum() == rows[:, 2].sum()


@pytest.mark.parametrize("weight", WEIGHTS[:3])  # one number alone makes no image
def test_weights_have_the_images_of_keras(weight: str, by_keras: Found, by_us: Found):
    tag = f"{weight}/image"
    theirs, ours = (points(found, "images", "epochs/train", tag) for found in (by_keras, by_us))
    assert len(ours) == 2
    for (_, expected), (_, got) in zip(theirs, ours, strict=True):
        assert got[:2] == expected[:2]  # width and height
        for our_png, png in zip(got[2:], expected[2:], strict=True):
            assert pixels(our_png) == pytest.approx(pixels(png), abs=1)


def pixels(png: bytes) -> Any:
    return np.asarray(Image.open(io.BytesIO(png)), dtype=np.int64)


def test_the_model_is_logged_as_json(by_us: Found):
    written = points(by_us, "graphs", "epochs/train", "keras")
    assert {step for step, _ in written} == {0}
    model = json.loads(written[0][1][0])
    names = [layer["config"]["name"] for layer in model["config"]["layers"]]
    assert names == ["inputs", "conv", "flat", "head"]


def test_embeddings_have_their_vectors_beside_the_config(logdir: Path):
    from google.protobuf import text_format
    from tensorboard.plugins.projector import ProjectorConfig

    run = logdir / "embeddings"
    text = (run / "projector_config.pbtxt").read_text("utf-8")
    (entry,) = text_format.Parse(text, ProjectorConfig()).embeddings
    assert (entry.tensor_name, entry.metadata_path) == ("words", "words.tsv")
    assert np.loadtxt(run / entry.tensor_path, delimiter="\t").shape == (10, 3)
    assert (run / "train/keras_embedding.ckpt-1.weights.h5").stat().st_size > 0


def test_a_profile_is_left_in_the_train_run(backend: str, logdir: Path):
    train = logdir / "profile/train"
    if backend == "torch":
        (file,) = train.glob("*.pt.trace.json")
        names = {event.get("name", "") for event in json.loads(file.read_bytes())["traceEvents"]}
        # Batches 2 and 3 of the first epoch, which Keras counts from 0.
        steps = {name for name in names if name.startswith("ProfilerStep#")}
        assert steps == {"ProfilerStep#1", "ProfilerStep#2"}
    else:
        (file,) = train.glob("plugins/profile/*/*.xplane.pb")
        assert file.stat().st_size > 0


def test_a_backend_without_a_profiler_says_so(monkeypatch: pytest.MonkeyPatch):
    import keras

    from kymograph.integrations import keras as ours

    monkeypatch.setattr(keras.backend, "backend", lambda: "numpy")
    with pytest.warns(UserWarning, match="the numpy backend has no profiler"):
        assert ours._start_trace("nowhere") is None


@pytest.mark.parametrize("given", [-1, (3, 2), (1, 2, 3), "2,1", 1.5])
def test_a_range_of_batches_that_is_none_is_refused(given: Any):
    from kymograph.integrations.keras import TensorBoard

    with pytest.raises(ValueError, match="profile_batch"):
        TensorBoard("logs", profile_batch=given)


def test_metadata_for_a_layer_that_is_not_there_is_refused(tmp_path: Path):
    import keras

    from kymograph.integrations.keras import TensorBoard

    board = TensorBoard(tmp_path, embeddings_freq=1, embeddings_metadata={"nope": "x.tsv"})
    with pytest.raises(ValueError, match="nope"):
        board.set_model(keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]))
