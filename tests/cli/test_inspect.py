"""`kymograph inspect`."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from rich.cells import cell_len

import kymograph
from kymograph.cli import text
from kymograph.store import FileReport
from tests import event_files
from tests.cli.program import COMMAND, run
from tests.event_files import START, scalar
from tests.golden import wire


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    image = wire.message(4, wire.integer(1, 2), wire.integer(2, 2), wire.message(4, b"png"))
    event_files.write(
        tmp_path / "a",
        *(scalar("train/loss", step, 1.0) for step in range(0, 1001, 10)),
        event_files.value("sample", image, step=7),
    )
    event_files.write(tmp_path / "b", scalar("train/loss", 4, 1.0))
    return tmp_path


def test_few_runs_are_shown_with_their_tags(logdir: Path):
    outcome = run("inspect", logdir)
    assert outcome.exit_code == 0
    rows = [line.split() for line in outcome.out.splitlines()]
    assert ["scalars", "train/loss", "101", "0", "…", "1,000", "16", "min", "40", "s"] in rows
    assert ["images", "sample", "1", "7", "0", "s"] in rows
    assert outcome.out.splitlines()[-1].startswith("2 runs, 3 tags, 103 points, ")


def test_output_that_is_not_a_terminal_is_plain_and_cut_nowhere(tmp_path: Path):
    tag = "layer/" * 60 + "weight"
    event_files.write(tmp_path, scalar(tag, 0, 1.0))
    out = run("inspect", tmp_path).out
    assert tag in out
    assert "\x1b" not in out


def test_many_runs_are_a_line_each_unless_all_is_asked_for(tmp_path: Path):
    for number in range(9):
        event_files.write(tmp_path / f"run{number}", scalar("loss", number, 1.0))
    short = run("inspect", tmp_path).out
    assert "loss" not in short
    assert [line.split()[0] for line in short.splitlines()[1:10]] == [f"run{n}" for n in range(9)]
    assert run("inspect", tmp_path, "--all").out.count("loss") == 9


def test_many_tags_are_cut_unless_all_is_asked_for(tmp_path: Path):
    event_files.write(tmp_path, *(scalar(f"tag{number:03}", 0, 1.0) for number in range(100)))
    out = run("inspect", tmp_path).out
    assert "75 more tags" in out
    assert "tag099" not in out
    assert "tag099" in run("inspect", tmp_path, "--all").out


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["--run", "a"], [("a", ["train/loss", "sample"])]),
        (["--tag", "train/*"], [("a", ["train/loss"]), ("b", ["train/loss"])]),
        (["--tag", "samp", "--regex"], [("a", ["sample"])]),
        (["--run", "b", "--run", "a", "--tag", "sample"], [("a", ["sample"])]),
    ],
)
def test_runs_and_tags_can_be_chosen(logdir: Path, options, found):
    document = json.loads(run("inspect", logdir, "--json", *options).out)
    runs = [(one["name"], [tag["tag"] for tag in one["tags"]]) for one in document["runs"]]
    assert runs == found


def test_a_name_with_brackets_means_itself(tmp_path: Path):
    event_files.write(tmp_path / "lr[0.1]", scalar("loss", 0, 1.0))
    assert "lr[0.1]" in run("inspect", tmp_path, "--run", "lr[0.1]").out


def test_nothing_chosen_and_nothing_there_end_with_1(logdir: Path, tmp_path: Path):
    outcome = run("inspect", logdir, "--run", "nope")
    assert (outcome.exit_code, outcome.out) == (1, "")
    assert "no match among 2 runs" in outcome.err
    (tmp_path / "empty").mkdir()
    outcome = run("inspect", tmp_path / "empty")
    assert (outcome.exit_code, outcome.out) == (1, "")
    assert "no event files" in outcome.err


def test_a_wrong_expression_is_wrong_usage(logdir: Path):
    outcome = run("inspect", logdir, "--regex", "--run", "(")
    assert outcome.exit_code == 2
    assert "invalid regular expression: '('" in outcome.err


def test_json_has_everything(logdir: Path):
    document = json.loads(run("inspect", logdir, "--json").out)
    assert document["version"] == 1
    assert document["roots"] == [{"name": None, "path": str(logdir)}]
    first = document["runs"][0]
    assert (first["name"], first["points"], first["hidden_points"]) == ("a", 102, 0)
    assert (first["start_time"], first["end_time"]) == (START, START + 1000)
    assert first["tags"][0] == {
        "tag": "train/loss",
        "dashboard": "scalars",
        "plugin": "",
        "points": 101,
        "hidden_points": 0,
        "steps": [0, 1000],
        "wall_times": [START, START + 1000],
    }
    (file,) = first["files"]
    assert file["bytes"] == file["bytes_read"] == first["bytes"]
    assert (file["records"], file["damaged"], file["error"]) == (103, False, None)
    totals = document["totals"]
    assert (totals["runs"], totals["tags"], totals["points"], totals["files"]) == (2, 3, 103, 2)
    assert totals["damaged_files"] == 0


def test_damage_and_restarts_are_shown(tmp_path: Path):
    path = event_files.write(tmp_path, *(scalar("loss", step, 1.0) for step in range(5)))
    data = bytearray(path.read_bytes())
    data[len(event_files.header()) + 20] ^= 0xFF
    again = [event_files.restart(2, START + 50), scalar("loss", 2, 1.0, START + 51)]
    path.write_bytes(bytes(data) + b"".join(again) + b"\x01\x02")
    out = run("inspect", tmp_path).out
    assert "1 damaged record" in out
    assert "3 points superseded by restarts" in out
    assert "2 bytes of an unfinished record" in out
    assert "damage: 1 damaged record" in out
    document = json.loads(run("inspect", tmp_path, "--json").out)
    assert document["totals"]["damaged_files"] == 1
    assert document["totals"]["hidden_points"] == 3


def test_names_cannot_move_the_cursor(tmp_path: Path):
    event_files.write(tmp_path, scalar("a\x1b[2J\nb", 0, 1.0))
    out = run("inspect", tmp_path).out
    assert "\x1b" not in out
    assert "a\\x1b[2J\\nb" in out


def test_what_cannot_be_read_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0))
    report = FileReport(".", path, 0, 0, 0, 0, 0, 0, 0, False, "permission denied")
    monkeypatch.setattr(kymograph.Store, "files", property(lambda _: [report]))
    monkeypatch.setattr(kymograph.Store, "unreachable", property(lambda _: [(tmp_path, "why")]))
    out = run("inspect", tmp_path).out
    assert "  1 unreadable file: permission denied\n" in out
    assert "unreadable: 1 file\n" in out
    assert "damage" not in out
    assert f"unreachable: 1 path cannot be read\n  {tmp_path}: why\n" in out
    document = json.loads(run("inspect", tmp_path, "--json").out)
    assert document["unreachable"] == [{"path": str(tmp_path), "reason": "why"}]
    assert document["totals"]["damaged_files"] == 0
    assert document["totals"]["unreadable_files"] == 1


def test_nothing_in_sight_is_not_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kymograph.Store, "unreachable", property(lambda _: [(tmp_path, "why")]))
    outcome = run("inspect", tmp_path)
    assert outcome.exit_code == 1
    assert outcome.err.splitlines()[0] == f"error: cannot read {tmp_path}: why"


def test_no_tag_chosen_is_called_so(logdir: Path):
    outcome = run("inspect", logdir, "--tag", "zzz")
    assert (outcome.exit_code, outcome.out) == (1, "")
    assert outcome.err.startswith("error: no tag matches in 2 runs\nhint: ")


@pytest.mark.parametrize("command", ["inspect", "doctor"])
def test_json_is_utf8_whatever_the_paths_are(tmp_path: Path, command: str):
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    event_files.write(place, scalar("loss", 0, 1.0), scalar("loss", 0, 1.0))
    (place / "empty").mkdir()
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    process = subprocess.run(
        [*COMMAND, command, "--json", place, place / "nope"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        check=False,
    )
    assert process.returncode == 0
    assert "caf�" in process.stdout.decode()
    json.loads(process.stdout)


def test_inspect_and_doctor_count_the_same_damaged_files():
    golden = Path(__file__).parents[1] / "golden/logdirs/damaged"
    assert golden.is_dir()
    totals = json.loads(run("inspect", golden, "--json").out)["totals"]
    findings = json.loads(run("doctor", golden, "--json").out)["findings"]
    places = dict.fromkeys(("damaged-file", "compressed-file", "unreadable-file"), 0)
    places |= {finding["code"]: len(finding["places"]) for finding in findings}
    assert totals["damaged_files"] == places["damaged-file"] > 0
    assert totals["foreign_files"] == places["compressed-file"] > 0
    assert totals["unreadable_files"] == places["unreadable-file"]
    count = totals["damaged_files"]
    assert f", in {count} files\n" in run("inspect", golden).out
    assert f"{count} event files are damaged" in run("doctor", golden).out


def test_no_line_is_wider_than_a_narrow_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for number in range(8):
        folder = tmp_path / f"experiment-{number}/with-a-long-name"
        event_files.write(folder, scalar("train/loss", 0, 1.0), scalar("train/loss", 99_999, 1.0))
    monkeypatch.setattr(text, "width", lambda: 24)
    for arguments in [(), ("--all",), ("--run", "experiment-1*")]:
        lines = run("inspect", tmp_path, *arguments).out.splitlines()
        assert max(map(cell_len, lines)) <= 24, arguments
        assert any("100,000" not in line and "2" in line for line in lines)


@pytest.mark.parametrize(
    "locale",
    [{"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}],
    ids=["latin-1", "ascii"],
)
def test_names_that_the_terminal_cannot_show_are_no_error(tmp_path: Path, locale: dict[str, str]):
    event_files.write(tmp_path / "日本", scalar("verlust/é", 0, 1.0))
    missing = tmp_path / "fehlt-日本"
    commands = [
        (["inspect", str(tmp_path)], 0),
        (["inspect", "--json", str(tmp_path)], 0),
        (["doctor", str(tmp_path)], 0),
        (["tail", "--last", "1", "--idle", "0", str(tmp_path)], 0),
        (["export", "--csv", str(tmp_path)], 0),
        (["doctor", str(missing)], 1),
        (["inspect", str(missing)], 1),
    ]
    processes = [
        subprocess.Popen(
            [*COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **locale},
        )
        for arguments, _ in commands
    ]
    for process, (arguments, exit_code) in zip(processes, commands, strict=True):
        out, err = process.communicate(timeout=120)
        assert b"Traceback" not in err, (arguments, err)
        assert process.returncode == exit_code, (arguments, out, err)
