"""Servers that are killed, logdirs that go and come, many runs and fast ones: nothing is lost."""

from __future__ import annotations

import contextlib
import csv
import functools
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kymograph import SummaryWriter
from kymograph.asgi import frames
from kymograph.server.serving import serve
from tests.event_files import append, scalar, write
from tests.server.listener import PATIENCE_SECS, Event, Listener, wait_until

# A minute by hand: `KYMOGRAPH_STRESS_SECS=60 pytest tests/server/test_stress.py -k fast`.
FAST_SECS = float(os.environ.get("KYMOGRAPH_STRESS_SECS", "4"))
FAST_POINTS_PER_SEC = 50_000

Points = list[tuple[int, float]]

# Ends when its standard input is closed, and so with the test in any case.
PROGRAM = """
import sys
from kymograph.server.serving import serve
with serve(sys.argv[1], host="127.0.0.1", port=int(sys.argv[2])) as serving:
    print(serving.url, flush=True)
    sys.stdin.read()
"""


class Server:
    """A server in a process of its own, which can be killed and started again at its address."""

    def __init__(self, logdir: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._logdir = logdir
        self.url = f"http://127.0.0.1:{self._port}/"
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", PROGRAM, str(self._logdir), str(self._port)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        assert self._process.stdout is not None
        assert self._process.stdout.readline().strip() == self.url

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Server:  # noqa: PYI034  (`Self` needs Python 3.11)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=PATIENCE_SECS)


class Mirror:
    """A client that keeps a copy of one tag of all runs, by asking only for what is new.

    It continues after an event only when it has what the event was about; whatever breaks off is
    resumed from there.
    """

    def __init__(self, url: str, tag: str = "loss") -> None:
        self._url = url
        self._tag = tag
        self._stop = threading.Event()
        self._listener: Listener | None = None
        self._last_id: str | None = None
        self._instance: str | None = None
        self._generations: dict[str, int] = {}
        self.points: dict[str, Points] = {}
        self.events: list[Event] = []
        self._client = httpx.Client(timeout=PATIENCE_SECS)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def __enter__(self) -> Mirror:  # noqa: PYI034
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._listener is not None:
            self._listener.cut()
        self._thread.join()

    def count(self, name: str) -> int:
        return sum(event.name == name for event in self.events)

    def has_heard(self, name: str, count: int) -> bool:
        # A thread that failed is recognised by its end.
        return self.count(name) >= count or not self._thread.is_alive()

    def _run(self) -> None:
        with self._client:
            while not self._stop.is_set():
                with contextlib.suppress(OSError, httpx.TransportError):
                    self._listen()
                self._stop.wait(0.05)

    def _listen(self) -> None:
        with Listener(self._url, last_id=self._last_id) as self._listener:
            for event in self._listener:
                self.events.append(event)
                if event.name == "reset":
                    self._last_id = None
                elif event.name == "hello" and self._last_id is None:
                    self._forget(list(self.points))
                    self._fetch(None)
                elif event.name == "change":
                    self._forget(event.data["removed"])
                    self._fetch(None if event.data["all"] else event.data["runs"])
                self._last_id = event.id or self._last_id
                if self._stop.is_set():
                    return

    def _forget(self, runs: list[str]) -> None:
        for run in runs:
            self.points.pop(run, None)
            self._generations.pop(run, None)

    def _fetch(self, runs: list[str] | None) -> None:
        """Asks for some runs, or for all there are."""
        known = [
            {
                "run": run,
                "tag": self._tag,
                "generation": self._generations[run],
                "points": len(have),
            }
            for run, have in self.points.items()
            if runs is None or run in runs
        ]
        card = {"tag": self._tag, "runs": runs, "columns": 16384}
        query = {"cards": [card], "instance": self._instance, "known": known}
        response = self._client.post(f"{self._url}api/v1/scalars/series", json=query)
        assert response.status_code == 200, response.text
        meta, columns = decoded(response.content)
        self._instance = meta["instance"]
        for line in meta["series"]:
            assert line["exact"]
            span = slice(line["start"], line["start"] + line["length"])
            new = zip(columns["x"][span].tolist(), columns["value"][span].tolist(), strict=True)
            have = self.points.setdefault(line["run"], [])
            del have[line.get("from_point", 0) :]
            have.extend((int(step), value) for step, value in new)
            assert len(have) == line["points"]
            self._generations[line["run"]] = line["generation"]
        if runs is None:
            there = {line["run"] for line in meta["series"]}
            self._forget([run for run in self.points if run not in there])


def decoded(frame: bytes) -> tuple[Any, Any]:
    columns, meta = frames.decode(frame)
    return meta, columns


class Writing:
    """A thread that logs points to a few runs until it is stopped."""

    def __init__(self, logdir: Path, runs: list[str]) -> None:
        self.points: dict[str, Points] = {run: [] for run in runs}
        self._writers = {run: SummaryWriter(str(logdir / run)) for run in runs}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        step = 0
        while not self._stop.wait(0.002):
            for run, writer in self._writers.items():
                writer.add_scalar("loss", float(step), step)
                self.points[run].append((step, float(step)))
            step += 1
            if step % 20 == 0:
                for writer in self._writers.values():
                    writer.flush()

    def stop(self) -> dict[str, Points]:
        self._stop.set()
        self._thread.join()
        for writer in self._writers.values():
            writer.close()
        return self.points


@pytest.mark.slow
def test_clients_resume_without_loss_or_duplicates_when_the_server_is_killed(tmp_path: Path):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path))
        mirrors = [stack.enter_context(Mirror(server.url)) for _ in range(4)]
        writing = Writing(tmp_path, ["a", "b/c", "d e"])
        for _ in range(3):
            wait_for_more(mirrors, "change", 3)
            server.kill()
            server.start()
            wait_for_more(mirrors, "reset", 1)
        written = writing.stop()
        wait_until(lambda: all(mirror.points == written for mirror in mirrors))
        for mirror in mirrors:
            assert mirror.count("reset") == 3
            assert_numbers_grow(mirror.events)
    assert all(len(points) > 100 for points in written.values())


def wait_for_more(mirrors: list[Mirror], name: str, count: int) -> None:
    """Waits until each has heard of so many more such events."""
    for mirror, enough in [(mirror, mirror.count(name) + count) for mirror in mirrors]:
        wait_until(functools.partial(mirror.has_heard, name, enough))


def assert_numbers_grow(events: list[Event]) -> None:
    """Within an instance, a response is never older than one before it."""
    instance, last = "", -1
    for event in events:
        if event.name == "hello":
            last = event.data["change"] if event.data["instance"] == instance else -1
            instance = event.data["instance"]
        elif event.name == "change":
            assert event.id == f"{instance}.{event.data['change']}"
            assert event.data["change"] > last
            last = event.data["change"]


@pytest.mark.slow
def test_connections_that_break_are_resumed_where_they_were(tmp_path: Path):
    with serve(tmp_path) as serving, Mirror(serving.url) as mirror:
        writing = Writing(tmp_path, ["a", "b"])
        for _ in range(5):
            wait_for_more([mirror], "change", 2)
            listener = mirror._listener
            assert listener is not None
            listener.cut()
        written = writing.stop()
        wait_until(lambda: mirror.points == written)
        assert mirror.count("reset") == 0
        assert mirror.count("hello") == 6
        assert_numbers_grow(mirror.events)


def test_a_logdir_that_is_deleted_and_made_again_is_served_as_it_is_then(tmp_path: Path):
    logdir = tmp_path / "logs"
    for run in ("stays", "goes"):
        write(logdir / run, *(scalar("loss", step, 1.0) for step in range(9)))
    with serve(logdir) as serving, Mirror(serving.url) as mirror:
        wait_until(lambda: set(mirror.points) == {"stays", "goes"})
        shutil.rmtree(logdir)
        wait_until(lambda: mirror.points == {})
        status = httpx.get(f"{serving.url}api/v1/status").json()
        assert (status["runs"], status["logdir"][0]["exists"]) == (0, False)
        path = write(logdir / "stays", *(scalar("loss", step, 2.0) for step in range(20)))
        write(logdir / "new", scalar("loss", 0, 3.0))
        twenty = [(step, 2.0) for step in range(20)]
        wait_until(lambda: mirror.points == {"stays": twenty, "new": [(0, 3.0)]})
        append(path, scalar("loss", 20, 2.0))
        wait_until(lambda: mirror.points["stays"] == [*twenty, (20, 2.0)])


def test_a_logdir_that_another_takes_the_place_of_is_served_as_it_is_then(tmp_path: Path):
    logdir, other = tmp_path / "logs", tmp_path / "other"
    write(logdir / "run", *(scalar("loss", step, 1.0) for step in range(9)))
    write(other / "run", *(scalar("loss", step, 2.0) for step in range(9)))
    with serve(logdir) as serving, Mirror(serving.url) as mirror:
        wait_until(lambda: mirror.points == {"run": [(step, 1.0) for step in range(9)]})
        logdir.rename(tmp_path / "old")
        other.rename(logdir)
        wait_until(lambda: mirror.points == {"run": [(step, 2.0) for step in range(9)]})


@pytest.mark.slow
def test_ten_thousand_runs_may_appear_at_once(tmp_path: Path):
    logdir, ready = tmp_path / "logs", tmp_path / "ready"
    write(logdir / "old", scalar("loss", 0, 1.0))
    points = [scalar("loss", 7, float(value)) for value in range(100)]
    for number in range(10_000):
        write(ready / f"{number:05}", points[number % 100])
    expected = {f"ready/{number:05}": float(number % 100) for number in range(10_000)}
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(serve(logdir)).url
        listener = stack.enter_context(Listener(url))
        client = stack.enter_context(httpx.Client(base_url=f"{url}api/v1", timeout=PATIENCE_SECS))
        listener.until("progress", lambda data: not data["loading"])
        ready.rename(logdir / "ready")
        announced: set[str] = set()
        change = 0
        while is_awaited(client.get("/status").json(), change):
            event = listener.until("change")
            change = event.data["change"]
            announced.update(expected if event.data["all"] else event.data["runs"])
        assert announced >= expected.keys()
        assert dict(last_values(client, list(expected))) == expected


def is_awaited(status: Any, change: int) -> bool:
    """Whether runs are missing, or there is a change that was not announced."""
    return bool(status["runs"] < 10_001 or status["change"] > change)


def last_values(client: httpx.Client, runs: list[str]) -> Iterator[tuple[str, float]]:
    """The last values of many runs, some thousands at a time."""
    for at in range(0, len(runs), 2500):
        cards = [{"tag": "loss", "runs": runs[at : at + 2500]}]
        response = client.post("/scalars/series", json={"cards": cards})
        assert response.status_code == 200, response.text
        meta, columns = decoded(response.content)
        for line in meta["series"]:
            yield line["run"], columns["value"][line["start"] + line["length"] - 1]


@pytest.mark.slow
def test_a_run_that_grows_fast_loses_nothing(tmp_path: Path):
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(tmp_path))
        listener = stack.enter_context(Listener(server.url))
        client = stack.enter_context(httpx.Client(base_url=f"{server.url}api/v1", timeout=300))
        listener.until("hello")
        query = {"cards": [{"tag": "loss"}]}
        count = 0
        with SummaryWriter(str(tmp_path / "run")) as writer:
            began = time.monotonic()
            while (elapsed := time.monotonic() - began) < FAST_SECS:
                for _ in range(int(elapsed * FAST_POINTS_PER_SEC) - count):
                    writer.add_scalar("loss", float(count % 1000), count)
                    count += 1
                assert client.post("/scalars/series", json=query).status_code == 200
        while points(client) < count:
            listener.until("change")
        params = {"run": "run", "tag": "loss", "format": "csv"}
        with client.stream("GET", "/scalars/download", params=params) as response:
            lines = csv.DictReader(response.iter_lines())
            served = [(int(line["Step"]), float(line["Value"])) for line in lines]
        assert served == [(step, float(step % 1000)) for step in range(count)]


def points(client: httpx.Client) -> int:
    return sum(run["points"] for run in client.get("/runs").json()["runs"])
