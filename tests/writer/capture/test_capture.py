"""Parts are begun, recorded and ended as promised, whatever goes wrong."""

import math
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from kymograph.writer import capture
from kymograph.writer.capture import Part, SystemMetrics, Writer
from kymograph.writer.summary_writer import SummaryWriter
from tests.writer.capture.reading import scalars, tags, texts


class Counting(Part):
    """Logs how often it was recorded, and notes what was called on which thread."""

    def __init__(self, *, interval_secs: float = math.inf, fails: str = "") -> None:
        self.interval_secs = interval_secs
        self.calls: list[str] = []
        self.threads: set[int] = set()
        self._fails = fails

    def _note(self, call: str) -> None:
        self.calls.append(call)
        if self._fails == call:
            raise OSError("on purpose")

    def begin(self) -> None:
        self._note("begin")

    def record(self, writer: Writer, *, final: bool) -> None:
        self.threads.add(threading.get_ident())
        writer.add_scalar("count", len(self.calls), len(self.calls))
        self._note("final" if final else "record")

    def end(self) -> None:
        self._note("end")


def captured(directory: Path, *parts: Part, secs: float = 0) -> None:
    with SummaryWriter(str(directory)) as writer:
        running = capture.start(writer, parts)
        time.sleep(secs)
        running.stop()
        running.stop()


def test_a_program_that_ends_at_once_has_each_part_recorded(tmp_path: Path):
    once, often = Counting(), Counting(interval_secs=60)
    captured(tmp_path, once, often)
    assert once.calls == ["begin", "record", "end"]
    assert often.calls == ["begin", "record", "final", "end"]
    assert threading.get_ident() not in once.threads | often.threads


def test_intervals_are_kept(tmp_path: Path):
    slow, quick = Counting(interval_secs=60), Counting(interval_secs=0.05)
    captured(tmp_path, slow, quick, secs=1)
    assert slow.calls.count("record") == 1
    assert 4 <= quick.calls.count("record") <= 21
    assert scalars(tmp_path, "count")[0] == (1, 1.0)


@pytest.mark.parametrize(
    ("fails", "calls"),
    [
        ("begin", ["begin", "end"]),
        ("record", ["begin", "record", "end"]),
        ("final", ["begin", "record", "final", "end"]),
        ("end", ["begin", "record", "final", "end"]),
    ],
)
def test_a_part_that_fails_is_one_log_line_and_the_others_continue(
    fails: str, calls: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    bad, good = Counting(interval_secs=0.02, fails=fails), Counting(interval_secs=0.02)
    captured(tmp_path, bad, good, secs=0 if fails in ("final", "end") else 0.2)
    assert [call for at, call in enumerate(bad.calls) if call not in bad.calls[:at]] == calls
    assert bad.calls.count("end") == 1
    assert good.calls[-2:] == ["final", "end"]
    assert caplog.messages == ["no longer captured: Counting: OSError: on purpose"]


def test_a_part_that_hangs_does_not_hold_up_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    go_on = threading.Event()

    class Hanging(Counting):
        def record(self, writer: Writer, *, final: bool) -> None:
            go_on.wait(20)
            super().record(writer, final=final)

    monkeypatch.setattr(capture, "_STOP_SECS", 0.1)
    hanging, next_one = Hanging(), Counting()
    with SummaryWriter(str(tmp_path)) as writer:
        running = capture.start(writer, [hanging, next_one])
        (thread,) = [found for found in threading.enumerate() if "capture" in found.name]
        running.stop()
        assert "still busy" in caplog.text
        assert hanging.calls == next_one.calls == ["begin", "end"]
        go_on.set()
        thread.join(20)
    assert "record" not in next_one.calls


def test_no_thread_is_one_log_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    part = Counting()
    with SummaryWriter(str(tmp_path)) as writer, monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        capture.start(writer, part).stop()
    assert part.calls == ["begin", "end"]
    assert caplog.messages == ["nothing is captured: can't start new thread"]


def test_everything_is_captured_if_asked(tmp_path: Path):
    with SummaryWriter(str(tmp_path)) as writer:
        running = capture.start(writer, True)
        print("to be captured")
        running.stop()
    found = tags(tmp_path)
    assert {"system/memory_percent", "run/command/text_summary"} <= found
    assert {"run/packages/text_summary", "output/stdout/text_summary"} <= found
    assert "to be captured" in texts(tmp_path, "output/stdout")[0][1]


@pytest.mark.parametrize("options", [False, (), []])
def test_nothing_is_captured_unless_asked(options: capture.Options, tmp_path: Path):
    before = threading.active_count()
    with SummaryWriter(str(tmp_path)) as writer:
        threads = threading.active_count()
        running = capture.start(writer, options)
        assert threading.active_count() == threads
        running.stop()
    assert threading.active_count() == before


@pytest.mark.parametrize("options", ["environment", ["environment"], {"environment"}])
def test_names_choose_parts(options: capture.Options, tmp_path: Path):
    with SummaryWriter(str(tmp_path)) as writer:
        capture.start(writer, options).stop()
    assert tags(tmp_path) == {"run/command/text_summary", "run/packages/text_summary"}


def test_a_part_may_have_settings_of_its_own(tmp_path: Path):
    metrics = SystemMetrics(interval_secs=1)
    captured(tmp_path, metrics, secs=2.2)
    steps = [step for step, _ in scalars(tmp_path, "system/disk_percent")]
    assert len(steps) >= 2
    assert 1 <= steps[1] - steps[0] <= 2


def test_an_unknown_name_is_reported_with_the_known_ones(tmp_path: Path):
    with (
        SummaryWriter(str(tmp_path)) as writer,
        pytest.raises(ValueError, match="'gpu'; use some of: `system`, `output`"),
    ):
        capture.start(writer, ["system", "gpu"])


class Note(Part):
    def record(self, writer: Writer, *, final: bool) -> None:
        writer.add_text("note", "captured", 0)


def test_what_is_captured_goes_into_the_file_of_its_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(capture, "_HEAD_START_SECS", 0)
    interval_secs = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for at in range(20):
            SummaryWriter(str(tmp_path / str(at)), capture=Note()).close()
    finally:
        sys.setswitchinterval(interval_secs)
    assert [len(list(run.iterdir())) for run in tmp_path.iterdir()] == [1] * 20


def test_a_silent_rank_captures_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RANK", "1")
    part = Counting()
    with SummaryWriter(str(tmp_path), rank_zero_only=True, capture=part) as writer:
        writer.add_scalar("loss", 1.0, 0)
    assert part.calls == []
    assert list(tmp_path.iterdir()) == []


FORK = """
import os, sys
from kymograph.writer import capture
from kymograph.writer.summary_writer import SummaryWriter

writer = SummaryWriter(sys.argv[1])
running = capture.start(writer, "output")
print("parent")
sys.stdout.flush()
child = os.fork()
if child == 0:
    print("child")
    sys.stdout.flush()
    running.stop()
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("parent again")
running.stop()
writer.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_captures_nothing(tmp_path: Path):
    command = [sys.executable, "-W", "ignore", "-c", FORK, str(tmp_path)]
    printed = subprocess.check_output(command, text=True, timeout=60)
    assert printed == "parent\nchild\nparent again\n"
    lines = [line for _, text in texts(tmp_path, "output/stdout") for line in text.splitlines()]
    assert lines == ["parent", "parent again"]


EXIT = """
import sys
from kymograph.writer.summary_writer import SummaryWriter

writer = SummaryWriter(sys.argv[1], capture=["output", "environment"])
print("last words")
raise ValueError("no luck")
"""


def test_a_program_that_dies_without_close_leaves_its_traceback(tmp_path: Path):
    command = [sys.executable, "-c", EXIT, str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert texts(tmp_path, "output/stdout") == [(0, "last words")]
    ((_, traceback),) = texts(tmp_path, "output/stderr")
    assert traceback.splitlines() == ended.stderr.splitlines()
    assert traceback.endswith("ValueError: no luck")
    assert "run/packages/text_summary" in tags(tmp_path)


def log_in_a_child(directory: str) -> None:
    writer = SummaryWriter(directory, capture="environment")
    writer.add_scalar("loss", 1.0, 0)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_that_makes_its_own_writer_captures_to_its_end(method: str, tmp_path: Path):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"needs {method}")
    context: Any = multiprocessing.get_context(method)
    child = context.Process(target=log_in_a_child, args=(str(tmp_path),))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert tags(tmp_path) == {"loss", "run/command/text_summary", "run/packages/text_summary"}
