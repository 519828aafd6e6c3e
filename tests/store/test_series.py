"""The columns of a series."""

from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.store import Series
from tests import event_files
from tests.event_files import START, scalar

NAN, INF = float("nan"), float("inf")


def series(tmp_path: Path, *events: bytes, tag: str = "loss") -> Series:
    event_files.write(tmp_path, *events)
    return kymograph.open(tmp_path)["."].series(tag)


def test_points_are_as_logged(tmp_path: Path):
    values = [1.0, NAN, INF, -INF, 0.1]
    loss = series(tmp_path, *(scalar("loss", i // 2, value) for i, value in enumerate(values)))
    assert loss.steps.tolist() == [0, 0, 1, 1, 2]
    np.testing.assert_array_equal(loss.values, np.array(values, dtype=np.float32))
    assert loss.wall_times.tolist() == [START, START, START + 1, START + 1, START + 2]
    assert [str(c.dtype) for c in (loss.steps, loss.values)] == ["int64", "float64"]
    assert len(loss) == 5


def test_columns_cannot_be_written_to(tmp_path: Path):
    loss = series(tmp_path, scalar("loss", 0, 1.0))
    for column in (loss.steps, loss.wall_times, loss.values):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 2


def test_doubles_keep_their_precision(tmp_path: Path):
    number = 0.1234567890123456789
    tensor = event_files.double_tensor(number)
    event = event_files.value("loss", tensor, event_files.metadata("scalars"), step=-7)
    loss = series(tmp_path, event)
    assert loss.values.tolist() == [number]
    assert loss.step_range == (-7, -7)


def test_metadata_is_what_the_writer_says(tmp_path: Path):
    said = event_files.metadata("scalars", b"\x01\x02", "Loss", "how *bad* it is")
    event = event_files.value("loss", said, event_files.double_tensor(1.0), step=0)
    loss = series(tmp_path, event, scalar("plain", 0, 1.0))
    metadata = loss.metadata
    assert (metadata.plugin_name, metadata.content) == ("scalars", b"\x01\x02")
    assert (metadata.display_name, metadata.description) == ("Loss", "how *bad* it is")
    assert loss.display_name == "Loss"
    assert kymograph.open(tmp_path)["."].series("plain").display_name == "plain"


def test_ranges_span_all_points(tmp_path: Path):
    loss = series(tmp_path, scalar("loss", 5, 1.0), scalar("loss", 2, 1.0), scalar("loss", 9, 1.0))
    assert loss.step_range == (2, 9)
    assert loss.wall_time_range == (START + 2, START + 9)


def test_a_series_does_not_change_under_its_reader(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0))
    store = kymograph.open(tmp_path)
    before = store["."].series("loss")
    event_files.append(path, scalar("loss", 1, 2.0))
    store.refresh()
    now = store["."].series("loss")
    assert (len(before), len(now)) == (1, 2)
    assert now.generation == before.generation
    assert now.change > before.change
    assert before.values.tolist() == [1.0]


def test_generation_grows_when_points_go(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    store = kymograph.open(tmp_path)
    before = store["."].series("loss")
    path.unlink()
    event_files.write(tmp_path, scalar("loss", 0, 3.0))
    store.refresh()
    now = store["."].series("loss")
    assert now.values.tolist() == [3.0]
    assert now.generation > before.generation


def test_a_series_becomes_a_table(tmp_path: Path):
    loss = series(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 2, 3.0))
    expected = {"step": [0, 2], "wall_time": [START, START + 2], "value": [1.0, 3.0]}
    assert loss.to_pandas().to_dict("list") == expected
    assert loss.to_polars().to_dict(as_series=False) == expected
    assert loss.to_arrow().to_pydict() == expected
