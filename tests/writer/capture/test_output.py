"""What is printed reaches its stream first, and then the events."""

import io
import logging
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from kymograph.writer.capture import Output, output
from kymograph.writer.capture.output import Tee, last_state
from kymograph.writer.summary_writer import SummaryWriter
from tests.writer.capture.reading import texts


class Streams:
    """`sys.stdout` and `sys.stderr` captured into a run; `record` writes what has come so far."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.directory = directory
        self.out, self.err = io.StringIO(), io.StringIO()
        self._monkeypatch = monkeypatch
        self.writer = SummaryWriter(str(directory))
        self.part = Output()

    def begin(self, **changed: io.StringIO | None) -> None:
        # Not in the fixture: pytest sets streams of its own before the test itself.
        for name, stream in {"stdout": self.out, "stderr": self.err, **changed}.items():
            self._monkeypatch.setattr(sys, name, stream)
        self.part.begin()

    def record(self) -> None:
        self.part.record(self.writer, final=False)

    def finish(self, tag: str = "output/stdout") -> list[tuple[int, str]]:
        self.part.record(self.writer, final=True)
        self.part.end()
        self.writer.close()
        return texts(self.directory, tag)


@pytest.fixture
def streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Streams:
    return Streams(tmp_path, monkeypatch)


def test_lines_are_batched_and_counted(streams: Streams):
    streams.begin()
    print("one\ntwo")
    print("three, un", end="")
    streams.record()
    print("finished")
    print("bad", file=sys.stderr)
    streams.record()
    streams.record()
    print("four", end="")
    assert streams.finish() == [(0, "one\ntwo"), (2, "three, unfinished"), (3, "four")]
    assert texts(streams.directory, "output/stderr") == [(0, "bad")]
    assert streams.out.getvalue() == "one\ntwo\nthree, unfinished\nfour"


def test_nothing_printed_is_nothing_written(streams: Streams):
    streams.begin()
    assert streams.finish() == []


def test_a_progress_bar_is_its_last_state(streams: Streams):
    streams.begin()
    for percent in range(0, 101, 10):
        sys.stderr.write(f"\r\x1b[32m{percent}%\x1b[0m|{'#' * (percent // 10)}")
        streams.record()
    sys.stderr.write("\ndone\r\n")
    assert streams.finish("output/stderr") == [(0, "100%|##########\ndone")]


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("plain", "plain"),
        ("windows\r", "windows"),
        ("10%\r20%\r", "20%"),
        ("\r\r", ""),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;https://x.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b[2K\x1b[1Gline", "line"),
    ],
)
def test_a_line_is_what_a_terminal_shows_in_the_end(line: str, state: str):
    assert last_state(line) == state


def test_handlers_that_hold_the_stream_already_are_heard(streams: Streams):
    handler = logging.StreamHandler(streams.err)
    streams.begin()
    handler.handle(logging.makeLogRecord({"msg": "from before"}))
    assert streams.finish("output/stderr") == [(0, "from before")]


def test_writelines_and_redirection_do_what_they_did(streams: Streams):
    streams.begin()
    sys.stdout.writelines(["a\n", "b\n"])
    with redirect_stdout(io.StringIO()) as elsewhere:
        print("not ours")
    print("c")
    assert streams.finish() == [(0, "a\nb\nc")]
    assert elsewhere.getvalue() == "not ours\n"


def test_the_stream_stays_the_object_it_is(streams: Streams):
    streams.begin()
    assert sys.stdout is streams.out
    assert sys.stdout.write("four") == 4
    streams.finish()
    assert "write" not in vars(streams.out)
    print("after")
    assert streams.out.getvalue() == "fourafter\n"


def test_one_object_as_both_streams_is_captured_once(
    streams: Streams,
):
    streams.begin(stderr=streams.out)
    print("once", file=sys.stderr)
    assert streams.finish("output/stderr") == []
    assert texts(streams.directory, "output/stdout") == [(0, "once")]


def test_a_program_without_streams_is_captured_all_the_same(
    streams: Streams,
):
    streams.begin(stdout=None)
    print("seen", file=sys.stderr)
    assert streams.finish("output/stderr") == [(0, "seen")]


def test_too_much_at_once_is_cut_and_said(streams: Streams, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(output, "_PENDING_CHARS", 10)
    streams.begin()
    print("12345\n67890 and more")
    print("and more")
    streams.record()
    print("12345")
    assert streams.finish() == [
        (0, "12345\n6789\n[... 20 characters left out]"),
        (3, "12345"),
    ]
    assert "67890 and more\nand more" in streams.out.getvalue()


def test_undecodable_text_is_written(streams: Streams):
    streams.begin()
    print("caf\udce9 ```")
    assert streams.finish() == [(0, "caf? ```")]


def test_what_the_stream_refuses_is_refused_and_not_captured(streams: Streams):
    streams.begin()
    not_text: Any = b"bytes"
    with pytest.raises(TypeError):
        sys.stdout.write(not_text)
    streams.out.close()
    with pytest.raises(ValueError, match="closed"):
        sys.stdout.write("late")
    assert streams.finish() == []


# --- several at once ---


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_tees_are_undone_in_any_order(order: tuple[int, int]):
    stream = io.StringIO()
    tees = [Tee(stream), Tee(stream)]
    stream.write("a")
    tees[order[0]].undo()
    stream.write("b")
    tees[order[1]].undo()
    stream.write("c")
    assert stream.getvalue() == "abc"
    taken = [tee.take() for tee in tees]
    assert taken[order[0]] == "a"
    assert taken[order[1]] == "ab"


def test_a_foreign_write_on_top_of_ours_stays():
    stream = io.StringIO()
    tee = Tee(stream)
    ours, seen = stream.write, []

    def theirs(text: str) -> int:
        seen.append(text)
        return ours(text)

    vars(stream)["write"] = theirs
    tee.undo()
    stream.write("x")
    assert (seen, stream.getvalue(), tee.take()) == (["x"], "x", "")


def test_a_stream_without_room_for_ours_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
):
    from kymograph.writer import capture

    class Narrow:
        __slots__ = ()

        def write(self, text: str) -> int:
            return len(text)

    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", Narrow())
    with SummaryWriter(str(tmp_path)) as writer:
        capture.start(writer, "output").stop()
    assert "no longer captured: Output" in caplog.text
    assert "write" not in vars(out)


PROGRAM = """
import os, sys
from kymograph.writer.capture.output import Tee

out = Tee(sys.stdout)
print("parent")
sys.stdout.flush()
child = os.fork()
if child == 0:
    print("child")
    sys.stdout.flush()
    os._exit(out.take() != "parent\\n")
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
out.undo()
print("kept", repr(out.take()), sys.stdout.isatty(), sys.stdout.fileno(), sys.stdout.encoding)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_only_passes_on():
    printed = subprocess.check_output([sys.executable, "-c", PROGRAM], text=True)
    assert printed == "parent\nchild\nkept 'parent\\n' False 1 utf-8\n"
