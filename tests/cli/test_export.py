"""`kymograph export`."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kymograph
from tests import event_files
from tests.cli.program import run
from tests.event_files import START, scalar

NAN, INF = float("nan"), float("inf")
NUMBERS = [0.1, 1e-300, 16777217.0, NAN, INF, -INF, -0.0]


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    doubles = [
        event_files.value(
            'a "b", c', event_files.metadata("scalars"), event_files.double_tensor(x), step=i
        )
        for i, x in enumerate(NUMBERS)
    ]
    event_files.write(tmp_path / "one", *doubles, scalar("loss", 1, 0.5), scalar("loss", 1, 0.25))
    event_files.write(tmp_path / "two", scalar("loss", 9, 2.0))
    return tmp_path


def test_csv_gives_every_number_back(logdir: Path):
    outcome = run("export", logdir, "--csv", "--run", "one")
    assert outcome.exit_code == 0
    header, *rows = csv.reader(io.StringIO(outcome.out))
    assert header == ["run", "tag", "step", "wall_time", "value"]
    assert [row[:2] for row in rows] == [["one", 'a "b", c']] * 7 + [["one", "loss"]] * 2
    assert [row[4] for row in rows[3:6]] == ["NaN", "Infinity", "-Infinity"]
    numbers = np.array([float(row[4]) for row in rows])
    assert numbers.tobytes() == np.array([*NUMBERS, 0.5, 0.25]).tobytes()
    assert [float(row[3]) for row in rows[:2]] == [START, START + 1]


def test_json_gives_every_number_back(logdir: Path):
    rows = json.loads(run("export", logdir, "--json").out, parse_constant=pytest.fail)
    assert rows[-1] == {"run": "two", "tag": "loss", "step": 9, "wall_time": START + 9, "value": 2}
    values = np.array([float(row["value"]) for row in rows])
    assert values.tobytes() == np.array([*NUMBERS, 0.5, 0.25, 2.0]).tobytes()


def test_wide_csv_tells_nan_from_nothing(logdir: Path):
    header, *rows = csv.reader(io.StringIO(run("export", logdir, "--csv", "--layout=wide").out))
    assert header == ["run", "step", 'a "b", c', "loss"]
    assert rows[1] == ["one", "1", "1e-300", "0.25"]
    assert rows[3] == ["one", "3", "NaN", ""]
    assert rows[-1] == ["two", "9", "", "2.0"]


def test_wide_json_leaves_out_what_was_not_logged(logdir: Path):
    rows = json.loads(run("export", logdir, "--json", "--layout=wide").out)
    assert rows[3] == {"run": "one", "step": 3, 'a "b", c': "NaN"}
    assert rows[-1] == {"run": "two", "step": 9, "loss": 2.0}


@pytest.mark.parametrize("layout", ["long", "wide"])
def test_parquet_is_the_same_table_as_in_python(logdir: Path, tmp_path: Path, layout):
    out = tmp_path / "points.parquet"
    assert run("export", logdir, "--out", out, "--layout", layout).exit_code == 0
    expected = kymograph.open(logdir).select().to_pandas(layout)
    pd.testing.assert_frame_equal(pd.read_parquet(out), expected)


def test_parquet_in_several_pieces_is_whole(
    logdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("kymograph.cli.export._PARQUET_PIECE", 1)
    monkeypatch.setattr("kymograph.cli.export._PIECE", 2)
    run("export", logdir, "--out", tmp_path / "points.parquet")
    frame = pd.read_parquet(tmp_path / "points.parquet")
    assert frame["value"].tolist()[-3:] == [0.5, 0.25, 2.0]
    assert frame["run"].astype(str).tolist() == ["one"] * 9 + ["two"]
    assert len(run("export", logdir, "--csv").out.splitlines()) == 11
    assert len(json.loads(run("export", logdir, "--json").out)) == 10


def test_the_format_follows_from_the_ending(logdir: Path, tmp_path: Path):
    assert run("export", logdir, "--out", tmp_path / "x.csv").out == ""
    assert (tmp_path / "x.csv").read_text().startswith("run,tag,")
    run("export", logdir, "--out", tmp_path / "x.json")
    assert len(json.loads((tmp_path / "x.json").read_text())) == 10


def test_runs_and_tags_can_be_chosen_by_expression(logdir: Path):
    out = run("export", logdir, "--csv", "--regex", "--run", "^t", "--tag", "o.s").out
    assert out.splitlines()[1:] == [f"two,loss,9,{START + 9},2.0"]


@pytest.mark.parametrize("options", [[], ["--parquet"], ["--out", "x.txt"], ["--layout", "tall"]])
def test_wrong_usage_ends_with_2(logdir: Path, options):
    assert run("export", logdir, *options).exit_code == 2


def test_nothing_chosen_writes_nothing(logdir: Path, tmp_path: Path):
    outcome = run("export", logdir, "--tag", "nope", "--out", tmp_path / "x.csv")
    assert outcome.exit_code == 1
    assert "no scalars were chosen" in outcome.err
    assert not (tmp_path / "x.csv").exists()


def test_a_file_that_cannot_be_written_is_one_sentence(logdir: Path, tmp_path: Path):
    outcome = run("export", logdir, "--out", tmp_path / "nope/x.csv")
    assert outcome.exit_code == 1
    assert "cannot write" in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]
