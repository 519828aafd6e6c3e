"""`kymograph serve`, and `kymograph --logdir` for short."""

import json
import os
import queue
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import kymograph
from tests import event_files
from tests.cli.program import COMMAND, run
from tests.event_files import START, restart, scalar

DESCRIPTION = "api/v1/openapi.json"
PATIENCE_SECS = 60


class Board:
    """A command that serves, in a process of its own."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.said: list[str] = []
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        assert process.stdout is not None
        timer = threading.Timer(PATIENCE_SECS, process.kill)
        timer.start()
        word, _, line = process.stdout.readline().partition(" ")
        timer.cancel()
        assert word == "KYMOGRAPH_READY", self.wait_for("")
        self.ready: dict[str, Any] = json.loads(line)

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.put(line.rstrip("\n"))

    def wait_for(self, pattern: str) -> str:
        """The first line of standard error with the pattern in it."""
        while not (found := [line for line in self.said if re.search(pattern, line)]):
            self.said.append(self._lines.get(timeout=PATIENCE_SECS))
        return found[0]

    def end(self, number: signal.Signals) -> tuple[int, list[str]]:
        """Its exit code after a signal, and all that it said on standard error."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_SECS)
        while not self._lines.empty():
            self.said.append(self._lines.get())
        return code, self.said


@contextmanager
def board(
    *arguments: object, command: list[str] = COMMAND, environment: Mapping[str, str] | None = None
) -> Iterator[Board]:
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    try:
        yield Board(process)
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            assert pipe is not None
            pipe.close()


def status(url: str) -> int:
    return httpx.get(url, timeout=PATIENCE_SECS).status_code


def banner(url: str) -> str:
    return f"Kymograph {kymograph.__version__} at {url} (Press CTRL+C to quit)"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--logdir", "LOGDIR", "--port", "0"],
        ["--logdir=LOGDIR", "--port=0"],
        ["--port=0", "--logdir_spec=name:LOGDIR"],
        ["LOGDIR", "--port", "0"],
        ["serve", "--logdir", "LOGDIR", "--logdir", "other", "--port", "0"],
        ["serve", "LOGDIR", "other", "--port", "0"],
    ],
    ids=" ".join,
)
def test_a_board_is_served_until_ctrl_c(tmp_path: Path, arguments):
    event_files.write(tmp_path / "run", scalar("loss", 0, 1.0))
    arguments = [argument.replace("LOGDIR", str(tmp_path)) for argument in arguments]
    with board(*arguments) as served:
        url = served.ready["url"]
        assert re.fullmatch(r"http://localhost:\d+/", url)
        assert status(url + DESCRIPTION) == 200
        served.wait_for(r"^1 run in .*: \d+ B in 1 file")
        code, said = served.end(signal.SIGINT)
    assert code == 0
    assert banner(url) in said
    assert not any("Traceback" in line for line in said)


INTERRUPTED_WHILE_FINALIZING = """
import os, signal
from kymograph.cli import screen
from kymograph.cli.main import main

class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

show_loading = screen.show_loading

def show_and_finalize(*arguments):
    show_loading(*arguments)
    Finalized()

screen.show_loading = show_and_finalize
main()
"""


def test_a_signal_whose_exception_python_drops_ends_the_board(tmp_path: Path):
    event_files.write(tmp_path / "run", scalar("loss", 0, 1.0))
    command = [sys.executable, "-c", INTERRUPTED_WHILE_FINALIZING]
    with board(tmp_path, "--port=0", command=command) as served:
        assert served.process.wait(PATIENCE_SECS) == 0


def test_sigterm_is_a_good_end(tmp_path: Path):
    with board(tmp_path, "--port=0", command=[sys.executable, "-m", "kymograph"]) as served:
        assert served.end(signal.SIGTERM)[0] == 0


def test_without_a_port_it_is_one_of_a_hundred_from_6006_on(tmp_path: Path):
    with board(tmp_path) as served:
        assert 6006 <= served.ready["port"] < 6106


def test_everything_is_below_a_prefix(tmp_path: Path):
    with board(tmp_path, "--port=0", "--path_prefix=/a/b/") as served:
        url = served.ready["url"]
        assert url.endswith("/a/b/")
        assert served.ready["path_prefix"] == "/a/b"
        assert [status(url), status(url + DESCRIPTION)] == [200, 200]
        assert status(url.removesuffix("a/b/") + DESCRIPTION) == 404


def test_its_flags_arrive(tmp_path: Path):
    event_files.write(tmp_path / "a", scalar("loss", 0, 1.0))
    arguments = ["--port=0", f"--logdir_spec=mine:{tmp_path},{tmp_path / 'later'}"]
    with (
        board(*arguments, "--window_title=Ours", "--reload_interval=0") as still,
        board(*arguments) as follows,
    ):
        still.wait_for("^1 run in ")
        first = httpx.get(still.ready["url"] + "api/v1/status", timeout=60).json()
        assert (first["title"], first["runs"]) == ("Ours", 1)
        assert [(root["name"], root["exists"]) for root in first["logdir"]] == [
            ("mine", True),
            (None, False),
        ]
        event_files.write(tmp_path / "b", scalar("loss", 0, 1.0))
        url = follows.ready["url"] + "api/v1/status"
        while httpx.get(url, timeout=60).json()["runs"] < 2:
            assert follows.process.poll() is None
        assert httpx.get(still.ready["url"] + "api/v1/status", timeout=60).json()["runs"] == 1


@pytest.mark.parametrize(("purges", "hidden"), [("true", 1), ("false", 0)])
def test_points_that_were_logged_again_are_hidden_unless_asked_for(tmp_path: Path, purges, hidden):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    restarted = [restart(1, START + 9), scalar("loss", 1, 2.0)]
    event_files.append(path, *restarted)
    with board(tmp_path, "--port=0", f"--purge_orphaned_data={purges}") as served:
        served.wait_for("^1 run in ")
        (found,) = httpx.get(served.ready["url"] + "api/v1/runs", timeout=60).json()["runs"]
        assert (found["points"], found["hidden_points"]) == (3 - hidden, hidden)


def test_a_second_ctrl_c_does_not_wait(tmp_path: Path):
    program = (
        "from kymograph.server import serving; serving._GRACE_SECS = 1000;"
        "from kymograph.cli.main import main; main()"
    )
    info = tmp_path / "info.json"
    with (
        board(
            tmp_path, "--port=0", f"--info-file={info}", command=[sys.executable, "-c", program]
        ) as served,
        socket.create_connection(("127.0.0.1", served.ready["port"]), PATIENCE_SECS) as client,
    ):
        # A request that is being answered, and waits for the rest of its body.
        client.sendall(
            b"PATCH /api/v1/curation HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")
        served.process.send_signal(signal.SIGINT)
        while info.exists():  # it goes before the server does
            assert served.process.poll() is None
        assert served.end(signal.SIGINT)[0] == 130


def test_ctrl_c_does_not_wait_for_long_work(tmp_path: Path):
    began = tmp_path / "began"
    program = (
        "import pathlib, time; from kymograph.dashboards.scalars import lines;"
        f"lines.find = lambda *_: (pathlib.Path({str(began)!r}).touch(), time.sleep(1000));"
        "from kymograph.cli.main import main; main()"
    )
    logdir = tmp_path / "runs"
    with (
        board(logdir, "--port=0", "--quiet", command=[sys.executable, "-c", program]) as served,
        socket.create_connection(("127.0.0.1", served.ready["port"]), PATIENCE_SECS) as client,
    ):
        client.sendall(
            b"POST /api/v1/scalars/series HTTP/1.1\r\nHost: localhost\r\n"
            b'Content-Type: application/json\r\nContent-Length: 23\r\n\r\n{"cards":[{"tag":"a"}]}'
        )
        while not began.exists():
            assert served.process.poll() is None
        assert served.end(signal.SIGINT) == (0, [])


# --- announcing where it is ---


def test_an_info_file_has_the_addresses_and_is_removed(tmp_path: Path):
    info = tmp_path / "info.json"
    with board(tmp_path, "--port=0", "--bind_all", "--info-file", info) as served:
        ready = json.loads(info.read_text())
        assert stat.S_IMODE(info.stat().st_mode) == 0o600
        login_url = ready.pop("login_url")
        assert ready == served.ready
        assert {"url", "host", "port", "uds", "path_prefix", "instance"} < ready.keys()
        assert (ready["pid"], ready["version"]) == (served.process.pid, kymograph.__version__)
        assert ready["host"] in ("::", "0.0.0.0")
        # The token is for the owner: in the file and on the screen.
        served.wait_for(re.escape(banner(login_url)))
        served.wait_for(r"^Also at http://localhost:\d+/\?token=\S+ on this machine")
        at = f"http://127.0.0.1:{ready['port']}/"
        token = login_url.partition("?token=")[2]
        assert status(at + DESCRIPTION) == 401
        bearer = {"Authorization": f"Bearer {token}"}
        assert httpx.get(at + DESCRIPTION, headers=bearer, timeout=60).status_code == 200
        served.end(signal.SIGTERM)
    assert list(tmp_path.iterdir()) == []


def test_an_info_file_of_another_stays(tmp_path: Path):
    info = tmp_path / "info.json"
    with board("./runs", "--port=0", "--info-file", info) as served:
        info.write_text("another's")
        assert served.end(signal.SIGINT)[0] == 0
    assert info.read_text() == "another's"


def test_an_info_file_that_cannot_be_written_is_one_sentence(tmp_path: Path):
    place = tmp_path / "missing/info.json"
    outcome = run("serve", tmp_path, "--port=0", "--info-file", place)
    assert outcome.exit_code == 1
    last = outcome.err.splitlines()[-1]
    assert last == f"error: cannot write the info file: {place}: No such file or directory"


def test_a_unix_socket(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("s") / "board.sock"
    with board("./runs", "--uds", path) as served:
        assert (served.ready["uds"], served.ready["port"]) == (str(path), None)
        transport = httpx.HTTPTransport(uds=str(path))
        with httpx.Client(transport=transport, base_url=served.ready["url"]) as client:
            assert client.get(DESCRIPTION, timeout=PATIENCE_SECS).status_code == 200
        assert served.end(signal.SIGINT)[0] == 0
    assert not path.exists()


def test_the_browser_is_opened_without_the_token(tmp_path: Path):
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    environment = {"BROWSER": f"{browser} %s"}
    with board(tmp_path, "--port=0", "--open", "--auth=token", environment=environment) as served:
        served.wait_for(r"/\?token=.* \(Press CTRL")
        served.wait_for("no event files yet")
        assert opened.read_text() == served.ready["url"]


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a browser")
def test_no_browser_is_opened_where_there_is_no_screen(tmp_path: Path):
    nothing = {"BROWSER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with board(tmp_path, "--port=0", "--open", environment=nothing) as served:
        served.wait_for("^note: no browser available: http://localhost:")
        assert status(served.ready["url"] + DESCRIPTION) == 200


# --- what it says of the logdir ---


def test_a_logdir_that_is_not_there_is_waited_for(tmp_path: Path):
    place = tmp_path / "later"
    with board("--logdir", place, "--port=0") as served:
        served.wait_for(f"^no such directory; waiting for it to appear: {place}$")
        event_files.write(place / "run", scalar("loss", 0, 1.0))
        served.wait_for("^found 1 run$")


def test_an_empty_logdir_says_so_and_who_knows_more(tmp_path: Path):
    with board(tmp_path, "--port=0") as served:
        served.wait_for(f"^no event files yet: {tmp_path}$")
        served.wait_for("^hint: `kymograph doctor ")


def test_damage_is_reported(tmp_path: Path):
    path = event_files.write(tmp_path, *(scalar("loss", step, 1.0) for step in range(9)))
    damaged = bytearray(path.read_bytes())
    damaged[-30] ^= 1
    path.write_bytes(damaged)
    with board(tmp_path, "--port=0") as served:
        served.wait_for("^warning: 1 file damaged or unreadable$")
        served.wait_for("^hint: `kymograph inspect ")


def test_flags_without_an_effect_are_reported_unless_quiet(tmp_path: Path):
    flags = ["--samples_per_plugin", "scalars=10", "--load_fast=false", "--verbosity", "1"]
    with board("--logdir", tmp_path, *flags, "--reload_interval=5", "--port=0") as served:
        served.wait_for("Press CTRL")
        _, said = served.end(signal.SIGINT)
    assert said[:3] == [
        "note: `--samples_per_plugin` has no effect: every point is kept",
        "note: `--load_fast` has no effect: there is one loader, and it is fast",
        "note: `--reload-interval` has no effect unless 0: points are read as they arrive",
    ]
    with board("--logdir", tmp_path, *flags, "--quiet", "--port=0") as served:
        assert status(served.ready["url"] + DESCRIPTION) == 200
        assert served.end(signal.SIGINT) == (0, [])


def test_it_continues_when_its_output_is_not_read(tmp_path: Path):
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [*COMMAND, str(tmp_path), "--port=0"], stdout=subprocess.PIPE, stderr=writing
    )
    os.close(writing)
    assert process.stdout is not None
    with process.stdout as out:
        try:
            ready = json.loads(out.readline().partition(b" ")[2])
            assert status(ready["url"] + DESCRIPTION) == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE_SECS) == 0
        finally:
            process.kill()
            process.wait()


@pytest.mark.parametrize("address", ["--port=0", "--uds=board.sock"])
def test_a_terminal_gets_a_hint_over_ssh_and_no_line_for_programs(tmp_path: Path, address):
    pty = pytest.importorskip("pty", reason="needs pseudo-terminals")
    event_files.write(tmp_path, scalar("loss", 0, 1.0))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, str(tmp_path), address],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"},
    )
    os.close(theirs)
    shown = b""
    try:
        timer = threading.Timer(PATIENCE_SECS, process.kill)
        timer.start()
        while b"1 run in " not in shown:
            shown += os.read(ours, 1000)
        timer.cancel()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECS) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).decode()
    assert plain.startswith(f"Kymograph {kymograph.__version__} at http://localhost")
    assert "READY" not in plain
    if address == "--port=0":
        assert re.search(r"hint: `ssh -L (\d+):localhost:\1 \S+@\S+` forwards it to ", plain)
    else:
        assert f"hint: `ssh -L 6006:{tmp_path}/board.sock " in plain


# --- what it refuses ---


def test_a_port_that_is_taken_is_one_sentence_and_a_hint(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        outcome = run("--logdir", tmp_path, "--port", port)
    assert (outcome.exit_code, outcome.out) == (1, "")
    message, hint = outcome.err.splitlines()
    assert message == f"error: port {port} is already in use"
    assert hint.startswith("hint: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["serve"], "no LOGDIR given"),
        (["--logdir", ""], "no LOGDIR given"),
        (["--port", "0"], "no LOGDIR given"),
        (["--logdir", "a", "--logdir_spec", "b:c"], "`--logdir-spec` cannot be combined"),
        (["--logdir", "a", "--host", "x", "--bind_all"], "`--host` cannot be combined"),
        (["--logdir", "a", "--uds", "x", "--port", "1"], "`--uds` cannot be combined"),
        (["--logdir", "a", "--tag", "x"], "require `--inspect`"),
        (["--inspect"], "no LOGDIR given"),
        (["--inspect", "--logdir", "a", "--event_file", "b"], "`--event-file` cannot be combined"),
        (["--logdir", "a", "--port", "65536"], "not a port number from 0 to 65535: 65536"),
        (["--logdir", "a", "--port", "x"], "not a port number from 0 to 65535: x"),
        (["--logdir", "a", "--reload_interval", "-1"], "--reload-interval"),
        (["--logdir", "a", "--no_such_flag"], "--no_such_flag"),
        (["--logdir", "a", "--port=0", "--path_prefix", "/a?b"], "a path prefix must look like"),
        (["--logdir", "a", "--purge_orphaned_data", "x"], "must be `true` or `false`, not: x\n"),
    ],
)
def test_wrong_usage_ends_with_2(arguments, message):
    outcome = run(*arguments)
    assert (outcome.exit_code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--logdir", "gs://bucket/runs"], "only local directories are supported"),
        (["--logdir_spec", "a:s3://bucket/runs"], "only local directories are supported"),
        (["--logdir", "a", "--host", "192.0.2.1"], "not an address of this machine: 192.0.2.1"),
        (["--logdir", "a", "--port=0", "--auth-token-file", "/nope"], "cannot read the secret"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments, message):
    outcome = run(*arguments)
    assert (outcome.exit_code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"error: {message}")


# --- TensorBoard's other uses ---


def test_inspect_is_our_inspect(tmp_path: Path):
    path = event_files.write(tmp_path / "run", scalar("loss", 0, 1.0), scalar("acc", 0, 1.0))
    assert run("--inspect", "--logdir", tmp_path) == run("inspect", tmp_path)
    chosen = run("--inspect", "--event_file", path, "--tag=loss")
    assert chosen == run("inspect", path, "--tag", "loss")
    assert chosen.exit_code == 0


@pytest.mark.parametrize("arguments", [["--version_tb"], ["--logdir", "x", "--version"]])
def test_the_version_is_said(arguments):
    outcome = run(*arguments)
    assert (outcome.exit_code, outcome.err) == (0, "")
    assert outcome.out.strip().endswith(f" {kymograph.__version__}")


def test_the_long_help_is_the_help_of_serve():
    outcome = run("--helpfull")
    assert outcome.exit_code == 0
    assert "--path-prefix" in outcome.out
