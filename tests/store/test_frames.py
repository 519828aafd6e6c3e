"""Series into pandas, polars and Arrow."""

import sys
from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.errors import MissingDependencyError, QueryError
from kymograph.store import Selection
from tests import event_files
from tests.event_files import START, scalar

LONG = {
    "run": ["a", "a", "a", "b"],
    "tag": ["acc", "loss", "loss", "loss"],
    "step": [1, 0, 1, 1],
    "wall_time": [START + 1, START, START + 1, START + 1],
    "value": [0.5, 3.0, 2.0, 1.0],
}


@pytest.fixture
def selection(tmp_path: Path) -> Selection:
    acc = scalar("acc", 1, 0.5)
    event_files.write(tmp_path / "a", scalar("loss", 0, 3.0), scalar("loss", 1, 2.0), acc)
    event_files.write(tmp_path / "b", scalar("loss", 1, 1.0))
    return kymograph.open(tmp_path).select()


def test_long_has_a_row_for_each_point(selection: Selection):
    assert selection.to_pandas().to_dict("list") == LONG
    assert selection.to_polars().to_dict(as_series=False) == LONG
    assert selection.to_arrow().to_pydict() == LONG


def test_names_are_stored_once(selection: Selection):
    assert str(selection.to_pandas()["run"].dtype) == "category"
    assert str(selection.to_polars()["run"].dtype).startswith("Categorical")
    assert str(selection.to_arrow()["run"].type).startswith("dictionary")


def test_wide_has_a_row_for_each_run_and_step(selection: Selection):
    frame = selection.to_pandas("wide")
    assert list(frame.columns) == ["run", "step", "acc", "loss"]
    assert frame["run"].tolist() == ["a", "a", "b"]
    assert frame["step"].tolist() == [0, 1, 1]
    np.testing.assert_array_equal(frame["acc"], [np.nan, 0.5, np.nan])
    np.testing.assert_array_equal(frame["loss"], [3.0, 2.0, 1.0])
    assert selection.to_polars("wide").columns == list(frame.columns)
    assert selection.to_arrow("wide").column_names == list(frame.columns)


def test_wide_keeps_the_last_value_of_a_repeated_step(tmp_path: Path):
    event_files.write(tmp_path, scalar("loss", 1, 1.0), scalar("loss", 1, 2.0))
    frame = kymograph.open(tmp_path).select().to_pandas("wide")
    assert frame["loss"].tolist() == [2.0]


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_nothing_chosen_is_an_empty_table(tmp_path: Path, layout):
    table = kymograph.open(tmp_path).select().to_arrow(layout)
    assert table.num_rows == 0
    assert table.column_names[0] == "run"


def test_an_unknown_layout_is_an_error(selection: Selection):
    with pytest.raises(QueryError, match="tall"):
        selection.to_pandas("tall")  # type: ignore[arg-type]


def test_a_missing_library_is_named_with_how_to_get_it(
    selection: Selection, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"kymograph\[arrow\]"):
        selection.to_arrow()


@pytest.mark.parametrize("tag", ["run", "step"])
def test_a_tag_named_like_a_column_has_one_of_its_own(tmp_path: Path, tag: str):
    events = [event_files.scalar(tag, step, step + 0.5) for step in range(3)]
    (tmp_path / event_files.NAME).write_bytes(b"".join(events))
    frame = kymograph.open(tmp_path).select().to_pandas("wide")
    assert list(frame.columns) == ["run", "step", f"{tag} (tag)"]
    assert frame["step"].tolist() == [0, 1, 2]
    assert frame[f"{tag} (tag)"].tolist() == [0.5, 1.5, 2.5]
