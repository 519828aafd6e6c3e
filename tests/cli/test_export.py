"""`kymograph export`."""

import csv
import errno
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor
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


def test_wide_csv_distinguishes_nan_from_missing_values(logdir: Path):
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
    monkeypatch.setattr("kymograph.store.long_form._PIECE", 2)
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
    assert "no scalars match" in outcome.err
    assert not (tmp_path / "x.csv").exists()


def test_a_file_that_cannot_be_written_is_one_sentence(logdir: Path, tmp_path: Path):
    outcome = run("export", logdir, "--out", tmp_path / "nope/x.csv")
    assert outcome.exit_code == 1
    assert "cannot write" in outcome.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_a_file_is_replaced_where_its_link_leads_and_no_other_is_touched(
    logdir: Path, tmp_path: Path
):
    target, link, own = tmp_path / "real.csv", tmp_path / "link.CSV", tmp_path / "link.CSV.part"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    own.write_text("mine")
    assert run("export", logdir, "--out", link).exit_code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("run,tag,")
    assert target.stat().st_mode & 0o777 == 0o640
    assert own.read_text() == "mine"
    assert not list(tmp_path.glob(".kymograph-*"))


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_pipe_is_written_and_stays_one(logdir: Path, tmp_path: Path, form: str):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with ThreadPoolExecutor() as pool:
        read = pool.submit(fifo.read_bytes)
        assert run("export", logdir, f"--{form}", "--out", fifo).exit_code == 0
        assert read.result(30)[:4] in (b"run,", b"PAR1")
    assert fifo.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_names_the_file(logdir: Path):
    outcome = run("export", logdir, "--csv", "--out", "/dev/full")
    assert outcome.exit_code == 1
    assert outcome.err == "error: cannot write: No space left on device: /dev/full\n"


def test_a_failed_export_leaves_the_old_file(
    logdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    out = tmp_path / "x.parquet"
    out.write_text("old")
    monkeypatch.setattr("kymograph.cli.export._write_parquet", fail)
    outcome = run("export", logdir, "--out", out)
    assert outcome.err == f"error: cannot write: No space left on device: {out}\n"
    assert out.read_text() == "old"
    assert not list(tmp_path.glob(".kymograph-*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--csv", "--json"], "use only one of these options: --csv, --json"),
        (["--csv", "--out", "x.JSON"], "--csv contradicts the suffix of --out: x.JSON"),
    ],
)
def test_formats_that_contradict_are_wrong_usage(logdir: Path, options, message):
    outcome = run("export", logdir, *options)
    assert outcome.exit_code == 2
    assert message in outcome.err


def test_losses_are_reported_in_one_line(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    (path,) = (logdir / "one").iterdir()
    data = bytearray(path.read_bytes())
    data[len(event_files.header()) + 20] ^= 0xFF
    path.write_bytes(data)
    places = property(lambda _: [(logdir, "permission denied")])
    monkeypatch.setattr(kymograph.Store, "unreachable", places)
    outcome = run("export", logdir, "--csv")
    assert outcome.exit_code == 0
    assert outcome.err == ("warning: points may be missing: 1 damaged file, 1 unreachable path\n")


def test_a_directory_without_event_files_is_called_so(tmp_path: Path):
    empty = tmp_path / "my runs"
    empty.mkdir()
    outcome = run("export", empty, "--csv")
    assert outcome.exit_code == 1
    assert outcome.err.splitlines() == [
        f"error: no event files: {empty}",
        f"hint: `kymograph doctor '{empty}'` explains why",
    ]


def test_a_tag_called_step_has_a_column_of_its_own(tmp_path: Path):
    event_files.write(tmp_path, scalar("step", 3, 0.5))
    header, row = csv.reader(io.StringIO(run("export", tmp_path, "--csv", "--layout", "wide").out))
    assert (header, row) == (["run", "step", "step (tag)"], [".", "3", "0.5"])
    (entry,) = json.loads(run("export", tmp_path, "--json", "--layout", "wide").out)
    assert entry == {"run": ".", "step": 3, "step (tag)": 0.5}


def test_text_cells_cannot_be_formulas(tmp_path: Path):
    event_files.write(
        tmp_path / "=cmd|calc", scalar("@tag", 0, -1.5), scalar("-loss", 1, 2.0), scalar("ok", 1, 3)
    )
    long = list(csv.DictReader(io.StringIO(run("export", tmp_path, "--csv").out)))
    assert {row["run"] for row in long} == {"'=cmd|calc"}
    values = {row["tag"]: row["value"] for row in long}
    assert values == {"'@tag": "-1.5", "'-loss": "2.0", "ok": "3.0"}
    wide = run("export", tmp_path, "--csv", "--layout", "wide").out
    assert wide.startswith("run,step,'-loss,'@tag,ok\n'=cmd|calc,0,")
    as_json = json.loads(run("export", tmp_path, "--json").out)
    assert {row["run"] for row in as_json} == {"=cmd|calc"}
