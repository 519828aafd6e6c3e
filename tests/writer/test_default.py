"""`log` writes numbers and strings through a writer that it makes itself."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph.store import Text
from kymograph.writer import default, lifetime
from kymograph.writer.default import default_writer, finish, init, log


@pytest.fixture(autouse=True)
def _own_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    finish()
    monkeypatch.chdir(tmp_path)
    yield
    finish()


def scalars(directory: Path | str, tag: str) -> list[tuple[int, float]]:
    (run,) = kymograph.open(directory).select(tags=tag)
    return list(zip(run.steps.tolist(), run.values.tolist(), strict=True))


def test_the_first_log_makes_a_writer_with_default_settings():
    log({"loss": 0.5})
    finish()
    (directory,) = Path("runs").iterdir()
    assert scalars(directory, "loss") == [(0, 0.5)]


def test_signal_handler_may_log_while_its_thread_opens_a_file():
    with lifetime.opening():
        log({"loss": 0.5})
    finish()
    (directory,) = Path("runs").iterdir()
    assert scalars(directory, "loss") == [(0, 0.5)]


def test_the_writer_is_made_once():
    assert default_writer() is default_writer()


@pytest.mark.parametrize(
    "value",
    [2, 2.0, True + 1, np.float32(2), np.int64(2), np.array(2.0), np.array([2.0]), np.float16(2)],
    ids=lambda value: type(value).__name__,
)
def test_one_number_of_any_kind_is_a_scalar(value: Any):
    init("run")
    log({"x": value}, 7)
    finish()
    assert scalars("run", "x") == [(7, 2.0)]


def test_mappings_are_joined_and_strings_are_text():
    init("run")
    log({"accuracy": {"train": 0.75, "test": {"a": 0.5, 1: np.True_}}, "note": "hello"}, 3)
    finish()
    assert scalars("run", "accuracy/train") == [(3, 0.75)]
    assert scalars("run", "accuracy/test/a") == [(3, 0.5)]
    assert scalars("run", "accuracy/test/1") == [(3, 1.0)]
    store = kymograph.open("run")
    (name,) = store
    (blob,) = store[name].blobs("note/text_summary")
    text = blob.decode()
    assert isinstance(text, Text)
    assert (blob.step, text.array.tolist()) == (3, ["hello"])


def test_steps_are_counted_from_the_last_one_given():
    init("run")
    for step in (None, None, 10, None, 5, None):
        log({"x": 1.0}, step)
    init("again")
    log({"x": 1.0})
    finish()
    store = kymograph.open("run", purge_orphaned_data=False)
    (series,) = store.select(tags="x")
    assert series.steps.tolist() == [0, 1, 10, 11, 5, 6]
    assert scalars("again", "x") == [(0, 1.0)]


def test_what_is_no_number_is_named_and_nothing_is_written():
    init("run")
    with pytest.raises(TypeError) as caught:
        log({"loss": 0.5, "bad": {"none": None, "image": np.zeros((2, 3))}, "list": [1]})
    message = str(caught.value)
    for part in (
        "`bad/none` is NoneType",
        "`bad/image` is ndarray of shape (2, 3)",
        "`list` is list",
    ):
        assert part in message
    assert "`loss`" not in message
    log({"loss": 0.25})
    finish()
    assert scalars("run", "loss") == [(0, 0.25)]


def test_finish_without_a_writer_does_nothing():
    finish()
    assert default._writer is None
