"""`kymograph tail`."""

import json
import random
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import kymograph
from kymograph.cli import text
from kymograph.cli.tail import Point, _Lines, new_points
from tests import event_files
from tests.cli.program import COMMAND, run
from tests.event_files import START, scalar


@contextmanager
def tail(*arguments: object) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [*COMMAND, "tail", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def read_line(process: "subprocess.Popen[str]") -> str:
    """The next line; fails when none comes."""
    assert process.stdout is not None
    timer = threading.Timer(30, process.kill)
    timer.start()
    line = process.stdout.readline()
    timer.cancel()
    assert line, "nothing came within 30 seconds"
    return line


def test_new_points_come_as_lines_and_ctrl_c_ends_it_quietly(tmp_path: Path):
    path = event_files.write(tmp_path / "run", scalar("loss", 0, 4.0), scalar("loss", 1, 3.0))
    with tail(tmp_path, "-n", 1) as process:
        assert read_line(process).split("\t")[1:] == ["run", "loss", "1", "3.0\n"]
        event_files.append(path, scalar("loss", 2, float("nan")))
        assert read_line(process).split("\t")[1:] == ["run", "loss", "2", "NaN\n"]
        event_files.write(tmp_path / "new", scalar("acc", 0, 0.5))
        assert read_line(process).split("\t")[1:] == ["new", "acc", "0", "0.5\n"]
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == 0


@pytest.mark.slow
def test_every_point_comes_once_from_a_writer_in_pieces(tmp_path: Path):
    path = event_files.write(tmp_path)
    events = b"".join(scalar(f"tag{i % 3}", i, float(i)) for i in range(600))
    randoms = random.Random(1)
    with tail(tmp_path, "--json", "-n", "1000") as process:
        at = 0
        while at < len(events):
            length = randoms.randint(1, 2000)
            event_files.append(path, events[at : at + length])
            at += length
            time.sleep(0.005)
        points = [json.loads(read_line(process)) for _ in range(600)]
    assert sorted((p["step"], p["tag"], p["value"]) for p in points) == [
        (i, f"tag{i % 3}", float(i)) for i in range(600)
    ]


def test_only_what_is_chosen_is_shown(tmp_path: Path):
    event_files.write(tmp_path / "a", scalar("loss", 0, 1.0), scalar("acc", 0, 1.0))
    event_files.write(tmp_path / "b", scalar("loss", 0, 1.0))
    out = run("tail", tmp_path, "-n", 5, "--idle", 0, "--run", "a", "--tag", "l*").out
    assert [line.split("\t")[1:3] for line in out.splitlines()] == [["a", "loss"]]


def test_the_last_points_come_in_the_order_of_time(tmp_path: Path):
    events = [scalar(tag, step, 1.0) for tag in ("a", "b") for step in range(9)]
    event_files.write(tmp_path, *events)
    out = run("tail", tmp_path, "-n", 2, "--idle", 0).out
    assert [line.split("\t")[2:4] for line in out.splitlines()] == [
        ["a", "7"],
        ["b", "7"],
        ["a", "8"],
        ["b", "8"],
    ]


def test_json_lines_are_strict_json(tmp_path: Path):
    event_files.write(tmp_path, scalar("é", 3, float("-inf")), scalar("é", 4, 0.5))
    lines = run("tail", tmp_path, "-n", 2, "--idle", 0, "--json").out.splitlines()
    assert [json.loads(line, parse_constant=pytest.fail) for line in lines] == [
        {"run": ".", "tag": "é", "step": 3, "wall_time": START + 3, "value": "-Infinity"},
        {"run": ".", "tag": "é", "step": 4, "wall_time": START + 4, "value": 0.5},
    ]


def test_it_ends_when_nothing_comes(tmp_path: Path):
    outcome = run("tail", tmp_path / "not-there-yet", "--idle", 0.1)
    assert (outcome.exit_code, outcome.out) == (1, "")
    place = tmp_path / "not-there-yet"
    message, hint = outcome.err.splitlines()
    assert message == f"error: no such directory, and none appeared within 0.1 s: {place}"
    assert hint.startswith("hint: `kymograph doctor ")
    place.mkdir()
    assert run("tail", place, "--idle", 0.1).exit_code == 0


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1"])
def test_idle_must_be_a_finite_time(tmp_path: Path, seconds: str):
    outcome = run("tail", tmp_path, f"--idle={seconds}")
    assert outcome.exit_code == 2
    assert "--idle" in outcome.err


def test_names_line_up_on_a_terminal_for_wide_characters(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lines = _Lines()
    for run_name in ("ラン", "ab"):
        lines.write(Point(START, run_name, "loss", 1, 0.5))
    first, second = capsys.readouterr().out.splitlines()
    assert text.cells(first) == text.cells(second)


def test_points_that_moved_are_not_new(tmp_path: Path):
    event_files.write(tmp_path, *(scalar("loss", 2 * i, float("nan")) for i in range(3)))
    other = tmp_path / "tfevents.2"
    other.write_bytes(event_files.header() + scalar("loss", 1, 1.0))
    store = kymograph.open(tmp_path)
    before = store["."].series("loss")
    event_files.append(other, scalar("loss", 3, 1.0))
    store.refresh()
    now = store["."].series("loss")
    assert now.steps.tolist() == [0, 1, 2, 3, 4]
    assert now.generation > before.generation
    assert [point.step for point in new_points(before, now)] == [3]


def test_all_points_of_a_new_series_are_new(tmp_path: Path):
    event_files.write(tmp_path, scalar("loss", 4, 1.0), scalar("loss", 5, 1.0))
    now = kymograph.open(tmp_path)["."].series("loss")
    assert [point.step for point in new_points(None, now)] == [4, 5]
