"""How soon is a logdir served, how fast are requests answered, how soon do new points arrive?

    python benchmarks/serve.py
    python benchmarks/serve.py --rounds 9 --check
    python benchmarks/serve.py --parts start query

Both servers are started on the same files and asked by the same client, in turns: TensorBoard with
its Rust data server, and ours. The client runs on the same machine and is as thin as it can be. Raw
numbers go to benchmarks/results/<date>-serve.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import queue
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import makelogs
import measure

SHAPE = "many"  # 20 runs x 50 tags x 1000 steps
PARTS = ("start", "query", "clients", "live")
START_RATIO = 6.0
MEMORY_RATIO = 0.5
BATCH_LIMIT_SECS = 0.150
SMALL_LIMIT_SECS = 0.003
CLIENTS = 200
CLIENTS_SECS = 30.0
CLIENTS_LIMIT_SECS = 0.250
LIVE_LIMIT_SECS = 0.300
GIVE_UP_SECS = 120.0


# --- the servers ----------------------------------------------------------------------------------


class Server:
    """A server process on a free port."""

    def __init__(self, command: list[str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.started = time.perf_counter()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (closed in `stop`)
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port)], stdout=self._log, stderr=self._log
        )

    def get(self, path: str) -> bytes:
        return self.ask("GET", path)

    def ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=GIVE_UP_SECS)
        try:
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise LookupError(f"{answer.status} for {path}: {content[:200]!r}")
        return content

    def resident_bytes(self) -> int:
        """Of the process and all that it started."""
        return sum(int(member.memory_info().rss) for member in self._family())

    def cpu_secs(self) -> float:
        """Of the process and all that it started and that still runs."""
        return sum(sum(member.cpu_times()[:2]) for member in self._family())

    def _family(self) -> list[Any]:
        import psutil

        process = psutil.Process(self._process.pid)
        return [process, *process.children(recursive=True)]

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def check_alive(self) -> None:
        if self._process.poll() is not None:
            self._log.seek(0)
            raise SystemExit(f"the server ended: {self._log.read().decode(errors='replace')}")


def start_ours(directory: Path) -> Server:
    return Server([sys.executable, "-m", "kymograph", "--logdir", str(directory)])


def start_tensorboard(directory: Path) -> Server:
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(directory)]
    return Server([*command, "--load_fast=true"])


SERVERS: dict[str, Callable[[Path], Server]] = {
    "ours": start_ours,
    "tensorboard": start_tensorboard,
}


@contextmanager
def served(name: str, directory: Path) -> Iterator[Server]:
    server = SERVERS[name](directory)
    try:
        yield server
    finally:
        server.stop()


# --- from the start to every run's last point -----------------------------------------------------


def scalars_path(run: str, tag: str) -> str:
    """TensorBoard's route, which both servers answer."""
    return f"/data/plugin/scalars/scalars?run={quote(run, safe='')}&tag={quote(tag, safe='')}"


def names(directory: Path) -> tuple[list[str], list[str]]:
    import kymograph

    store = kymograph.open(directory)
    runs = list(store)
    return runs, store[runs[0]].tags()


def wait_until_served(server: Server, runs: list[str], tag: str, last_step: int) -> float:
    """Seconds from the start of the process until each run's last point came back."""
    deadline = server.started + GIVE_UP_SECS
    left = list(runs)
    while left:
        try:
            points = json.loads(server.get(scalars_path(left[-1], tag)))
            if points and points[-1][1] == last_step:
                left.pop()
                continue
        except (OSError, LookupError):
            pass  # not listening yet, or not found yet
        server.check_alive()
        if time.perf_counter() > deadline:
            raise SystemExit(f"not served within {GIVE_UP_SECS:.0f} s: {left[-1]}")
        time.sleep(0.01)
    return time.perf_counter() - server.started


def time_start(rounds: int) -> dict[str, dict[str, list[float]]]:
    directory = makelogs.ensure(SHAPE)
    measure.warm(directory)
    runs, tags = names(directory)
    last_step = makelogs.SHAPES[SHAPE].steps - 1
    found: dict[str, dict[str, list[float]]] = {
        name: {"secs": [], "cpu_secs": [], "bytes": []} for name in SERVERS
    }
    for _ in range(rounds):
        for name in SERVERS:
            with served(name, directory) as server:
                found[name]["secs"].append(wait_until_served(server, runs, tags[-1], last_step))
                found[name]["cpu_secs"].append(server.cpu_secs())
                found[name]["bytes"].append(server.resident_bytes())
    return found


# --- questions ------------------------------------------------------------------------------------


def series_query(tags: list[str], runs: list[str]) -> bytes:
    cards = [{"tag": tag, "runs": runs} for tag in tags]
    return json.dumps({"cards": cards, "columns": 1000}).encode()


def time_query(repeats: int) -> dict[str, list[float]]:
    """Seconds per request, end to end, over one connection that is kept."""
    directory = makelogs.ensure(SHAPE)
    runs, tags = names(directory)
    with served("ours", directory) as server:
        wait_until_served(server, runs, tags[-1], makelogs.SHAPES[SHAPE].steps - 1)
        batch = ("POST", "/api/v1/scalars/series", series_query(tags, runs))
        small = ("POST", "/api/v1/scalars/series", series_query(tags[:1], runs[:1]))
        answers = {
            "1000 series at 1000 columns": ask_often(server, *batch, repeats),
            "one series": ask_often(server, *small, repeats * 20),
            "status": ask_often(server, "GET", "/api/v1/status", None, repeats * 20),
            "runs": ask_often(server, "GET", "/api/v1/runs", None, repeats * 20),
        }
    with served("tensorboard", directory) as server:
        wait_until_served(server, runs, tags[-1], makelogs.SHAPES[SHAPE].steps - 1)
        path = scalars_path(runs[0], tags[0])
        answers["one series, tensorboard"] = ask_often(server, "GET", path, None, repeats * 20)
        every = [scalars_path(run, tag) for tag in tags for run in runs]
        started = time.perf_counter()
        for path in every:
            server.get(path)
        answers["1000 series, tensorboard"] = [time.perf_counter() - started]
    return answers


def ask_often(
    server: Server, method: str, path: str, body: bytes | None, repeats: int
) -> list[float]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=GIVE_UP_SECS)
    seconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        content = answer.read()
        seconds.append(time.perf_counter() - started)
        if answer.status != 200:
            raise SystemExit(f"{answer.status} for {path}: {content[:200]!r}")
    connection.close()
    return seconds


# --- many clients at once -------------------------------------------------------------------------


async def poll(port: int, request: bytes, until: float, seconds: list[float]) -> None:
    """Asks again as soon as the answer is there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    while time.perf_counter() < until:
        started = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"refused: {head[:100]!r}")
        (length,) = [
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ]
        await reader.readexactly(length)
        seconds.append(time.perf_counter() - started)
    writer.close()


async def poll_all(port: int, request: bytes, seconds: list[float]) -> None:
    until = time.perf_counter() + CLIENTS_SECS
    clients: list[Awaitable[None]] = [poll(port, request, until, seconds) for _ in range(CLIENTS)]
    await asyncio.gather(*clients)


def time_clients() -> dict[str, Any]:
    directory = makelogs.ensure(SHAPE)
    runs, tags = names(directory)
    found: dict[str, Any] = {}
    with served("ours", directory) as server:
        wait_until_served(server, runs, tags[-1], makelogs.SHAPES[SHAPE].steps - 1)
        body = series_query(tags[:1], runs[:1])
        request = (
            f"POST /api/v1/scalars/series HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        resident = [server.resident_bytes()]
        watch = threading.Event()

        def sample() -> None:
            while not watch.wait(1.0):
                resident.append(server.resident_bytes())

        sampler = threading.Thread(target=sample)
        sampler.start()
        seconds: list[float] = []
        try:
            asyncio.run(poll_all(server.port, request, seconds))
        finally:
            watch.set()
            sampler.join()
        found["requests"] = len(seconds)
        found["secs"] = sorted(seconds)[:: max(1, len(seconds) // 1000)]
        found["p50"], found["p99"] = quantile(seconds, 0.5), quantile(seconds, 0.99)
        found["resident_bytes"] = resident
    return found


# --- from the writer to the listener --------------------------------------------------------------


def time_live(repeats: int) -> list[float]:
    """Seconds from the call of `flush` to the event at a listener."""
    from kymograph import SummaryWriter

    with tempfile.TemporaryDirectory() as scratch, served("ours", Path(scratch)) as server:
        wait_for_answer(server)
        heard: queue.Queue[float] = queue.Queue()
        threading.Thread(target=listen, args=(server.port, heard), daemon=True).start()
        heard.get(timeout=GIVE_UP_SECS)  # from now on it receives every change
        seconds = []
        with SummaryWriter(f"{scratch}/run", flush_secs=3600) as writer:
            writer.add_scalar("loss", 0.0, 0)
            writer.flush()
            heard.get(timeout=GIVE_UP_SECS)
            time.sleep(2)  # the first appearance of a run may come in several changes
            for step in range(1, repeats + 1):
                while not heard.empty():
                    heard.get()
                started = time.perf_counter()
                writer.add_scalar("loss", 1 / step, step)
                writer.flush()
                seconds.append(heard.get(timeout=GIVE_UP_SECS) - started)
                time.sleep(0.2)
    return seconds


def listen(port: int, heard: queue.Queue[float]) -> None:
    """Reports when it began to listen and when each change arrived, until the server ends."""
    stream = HTTPConnection("127.0.0.1", port, timeout=GIVE_UP_SECS)
    stream.request("GET", "/api/v1/live")
    answer = stream.getresponse()
    while line := answer.readline():
        if line.strip() in {b"event: hello", b"event: change"}:
            heard.put(time.perf_counter())


def wait_for_answer(server: Server) -> None:
    while True:
        try:
            server.get("/api/v1/status")
        except (OSError, LookupError):
            server.check_alive()
            time.sleep(0.01)
        else:
            return


# --- the report -----------------------------------------------------------------------------------


def quantile(seconds: list[float], part: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * part))]


def report(found: dict[str, Any]) -> dict[str, bool]:
    promises: dict[str, bool] = {}
    if start := found.get("start"):
        ours, theirs = (statistics.median(start[name]["secs"]) for name in SERVERS)
        our_bytes, their_bytes = (statistics.median(start[name]["bytes"]) for name in SERVERS)
        print("start to every run's last point, 1 million scalars")
        print(f"  {'':14}{'seconds':>10}{'cpu s':>10}{'MB':>10}")
        for name in SERVERS:
            secs, cpu, size = (statistics.median(values) for values in start[name].values())
            print(f"  {name:14}{secs:>10.3f}{cpu:>10.3f}{size / measure.MB:>10.0f}")
        promises[f"served {START_RATIO:.0f}x sooner: {theirs / ours:.1f}x"] = (
            theirs / ours >= START_RATIO
        )
        promises[f"in under half the memory: {our_bytes / their_bytes:.2f}"] = (
            our_bytes / their_bytes < MEMORY_RATIO
        )
    if query := found.get("query"):
        print("\nmilliseconds per request, end to end")
        print(f"  {'':30}{'p50':>10}{'p99':>10}")
        for question, seconds in query.items():
            p50, p99 = quantile(seconds, 0.5) * 1e3, quantile(seconds, 0.99) * 1e3
            print(f"  {question:30}{p50:>10.2f}{p99:>10.2f}")
        batch = quantile(query["1000 series at 1000 columns"], 0.5)
        small = quantile(query["one series"], 0.5)
        promises[f"1000 series at 1000 columns under 150 ms: {batch * 1e3:.0f} ms"] = (
            batch < BATCH_LIMIT_SECS
        )
        promises[f"a small request under 3 ms: {small * 1e3:.2f} ms"] = small < SMALL_LIMIT_SECS
    if clients := found.get("clients"):
        first, last = clients["resident_bytes"][0], clients["resident_bytes"][-1]
        per_second = clients["requests"] / CLIENTS_SECS
        print(
            f"\n{CLIENTS} clients for {CLIENTS_SECS:.0f} s: {per_second:.0f} requests/s,", end=" "
        )
        print(f"p50 {clients['p50'] * 1e3:.0f} ms, p99 {clients['p99'] * 1e3:.0f} ms,", end=" ")
        print(f"memory {first / measure.MB:.0f} to {last / measure.MB:.0f} MB")
        promises[f"{CLIENTS} clients, p99 under 250 ms: {clients['p99'] * 1e3:.0f} ms"] = (
            clients["p99"] < CLIENTS_LIMIT_SECS
        )
    if live := found.get("live"):
        p50, p95 = quantile(live, 0.5), quantile(live, 0.95)
        print(f"\nflush to event: p50 {p50 * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms")
        promises[f"flush to event, p95 under 300 ms: {p95 * 1e3:.0f} ms"] = p95 < LIVE_LIMIT_SECS
    return promises


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the server beside TensorBoard's.")
    parser.add_argument("--rounds", type=int, default=5, help="starts of each server")
    parser.add_argument("--repeats", type=int, default=30, help="requests of each kind")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--check", action="store_true", help="fail when a promise is not kept")
    args = parser.parse_args()
    parts: dict[str, Callable[[], Any]] = {
        "start": lambda: time_start(args.rounds),
        "query": lambda: time_query(args.repeats),
        "clients": time_clients,
        "live": lambda: time_live(args.repeats * 3),
    }
    found = {name: parts[name]() for name in args.parts}
    promises = report(found)
    print()
    for promise, kept in promises.items():
        print(f"  {'yes' if kept else 'NO':4}{promise}")
    path = measure.write_results("serve", {"promises": promises, **found})
    print(f"\nraw numbers: {os.path.relpath(path)}")
    if args.check and not all(promises.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
