"""Runs, tags and changed runs as columns."""

from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.errors import QueryError
from kymograph.store import DASHBOARDS
from tests import event_files
from tests.event_files import START, metadata, restart, scalar, string_tensor, value


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    loss = [scalar("loss", step, 1.0) for step in range(3)]
    event_files.write(tmp_path / "a", *loss, restart(1, START + 3), scalar("loss", 1, 2.0))
    note = value(
        "note", metadata("text", name="Note", description="why"), string_tensor(b"x"), step=0
    )
    event_files.write(tmp_path / "b", scalar("accuracy", 9, 0.5), scalar("loss", 9, 0.5), note)
    event_files.write(tmp_path / "empty")
    return tmp_path


def test_a_run_table_has_a_row_for_each_run(logdir: Path):
    store = kymograph.open(logdir)
    table = store.run_table()
    assert table.change == store.change
    assert table.names == list(store) == ["a", "b", "empty"]
    assert len(table) == 3
    assert table.start_times == [START] * 3
    assert table.end_times == [START + 3, START + 9, START]
    assert table.changes == [run.change for run in store.runs.values()]
    assert table.series == [1, 3, 0]
    assert table.points == [2, 3, 0]
    assert table.hidden_points == [2, 0, 0]
    dashboards = [
        [name for bit, name in enumerate(DASHBOARDS) if bits >> bit & 1]
        for bits in table.dashboards
    ]
    assert dashboards == [run.dashboards for run in store.runs.values()]
    assert dashboards == [["scalars"], ["scalars", "text"], []]


def test_a_run_without_events_has_no_times(tmp_path: Path):
    (tmp_path / event_files.NAME).write_bytes(b"")
    table = kymograph.open(tmp_path).run_table()
    assert table.names == ["."]
    assert np.isnan([table.start_times[0], table.end_times[0]]).all()


def test_a_tag_table_counts_the_runs_that_have_a_tag(logdir: Path):
    store = kymograph.open(logdir)
    table = store.tag_table()
    assert table.change == store.change
    assert dict(zip(table.tags, table.run_counts, strict=True)) == {
        "accuracy": 1,
        "loss": 2,
    }
    assert (table.plugins, table.display_names) == (["scalars", "scalars"], ["", ""])
    assert store.tag_table(runs=["a", "gone"]).tags == ["loss"]
    assert len(store.tag_table(runs=[])) == 0


def test_a_tag_table_has_what_the_writer_says(logdir: Path):
    table = kymograph.open(logdir).tag_table("text")
    assert (table.tags, table.plugins) == (["note"], ["text"])
    assert (table.display_names, table.descriptions) == (["Note"], ["why"])


def test_a_dashboard_that_is_none_is_refused(logdir: Path):
    with pytest.raises(QueryError, match="unknown dashboard `scalar`"):
        kymograph.open(logdir).tag_table("scalar")


def test_changed_runs_distinguish_growth_from_new_tags(logdir: Path):
    store = kymograph.open(logdir)
    everything = store.changed_runs(0)
    assert everything.change == store.change
    assert sorted(everything.runs) == [("a", True), ("b", True), ("empty", True)]
    event_files.append(logdir / "a" / event_files.NAME, scalar("loss", 2, 0.5))
    event_files.append(logdir / "b" / event_files.NAME, scalar("lr", 2, 0.5))
    (logdir / "empty" / event_files.NAME).unlink()
    store.refresh()
    news = store.changed_runs(everything.change)
    assert sorted(news.runs) == [("a", False), ("b", True)]
    assert news.removed == ["empty"]
    assert news.change == store.change
    tags_changes = store.run_table().tags_changes
    assert tags_changes[0] <= everything.change < tags_changes[1]
    nothing = store.changed_runs(news.change)
    assert (nothing.change, nothing.runs, nothing.removed) == (news.change, [], [])
