"""How long until every point of a log directory is ready, for us and for TensorBoard's two loaders?

    python benchmarks/load.py                                  every shape, 5 interleaved rounds
    python benchmarks/load.py --quick                          the small shapes, 2 rounds
    python benchmarks/load.py --shapes scalars-5m many --rounds 9

Each load happens in a fresh process on files that are warm in the page cache. Contenders take turns
within a round, so that a busy moment of the machine hits all of them. Raw numbers go to
benchmarks/results/<date>-load.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import json
import os
import re
import selectors
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import makelogs
import measure

QUICK = ("many", "medium-1m", "tf2", "histograms", "linear-1e5", "linear-1e6")
PYTHON_POINTS = 200_000  # the Python loader takes some 0.1 ms a point
LINEAR = ("linear-1e5", "linear-1e6", "linear-1e7")
KEEP_ALL = "scalars=all,images=all,histograms=all"
FINISHED = re.compile(r"Finished load cycle \(([\d.]+)(s|ms|µs)\)")
UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}


@dataclasses.dataclass
class Sample:
    """One load in one fresh process."""

    ready_secs: float  # the load alone, as the process itself measured it
    launch_secs: float  # from starting the process until it said it was ready
    cpu_secs: float  # processor time of the load, all threads
    peak_bytes: int  # most resident memory of the whole process
    growth_bytes: int | None = None  # peak above what was resident after the imports
    points: int | None = None  # points found, where the contender can be asked cheaply


Samples = dict[str, list[Sample] | None]  # by contender; None: stopped at the time limit


class LoadTimeoutError(Exception):
    """A contender was stopped at its time limit."""


# --- the contenders -------------------------------------------------------------------------------


def load_with_server(directory: Path, limit_secs: float, *flags: str) -> Sample:
    """TensorBoard's Rust data server; its log says how long the load cycle took."""
    import tensorboard_data_server  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory() as scratch:
        command = [
            tensorboard_data_server.server_binary(),
            *("--logdir", str(directory), "--reload", "once", "--verbose", "--die-after-stdin"),
            *("--host", "127.0.0.1", "--port", "0", "--port-file", f"{scratch}/port"),
            *flags,
        ]
        started = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            line = wait_for_line(process, process.stderr, FINISHED, limit_secs)
            launch = time.perf_counter() - started
            return Sample(
                ready_secs=float(line[1]) * UNITS[line[2]],
                launch_secs=launch,
                cpu_secs=measure.cpu_seconds(process.pid),
                peak_bytes=measure.status_bytes("VmHWM", process.pid),
            )
        finally:
            process.kill()
            process.communicate()


def load_in_child(directory: Path, limit_secs: float, contender: str) -> Sample:
    """A Python loader, run by this same script in a new interpreter."""
    command = [sys.executable, __file__, "--child", contender, str(directory)]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        wait_for_line(process, process.stdout, re.compile("ready"), limit_secs)
        launch = time.perf_counter() - started
        answer = wait_for_line(process, process.stdout, re.compile(r"\{.*\}"), limit_secs)
        return Sample(launch_secs=launch, **json.loads(answer[0]))
    finally:
        process.kill()
        process.communicate()


def wait_for_line(
    process: subprocess.Popen[bytes], stream: Any, wanted: re.Pattern[str], limit_secs: float
) -> re.Match[str]:
    """The first line of `stream` that matches."""
    deadline = time.monotonic() + limit_secs
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        pending = b""
        while selector.select(max(0.0, deadline - time.monotonic())):
            byte = os.read(stream.fileno(), 1)  # what follows the line stays in the pipe
            pending += byte
            if byte == b"\n":
                if found := wanted.search(pending.decode()):
                    return found
                pending = b""
            elif not byte:
                raise SystemExit(f"stopped before it was ready: {process.args!r}")
    raise LoadTimeoutError


def child_ours(directory: str) -> None:
    from kymograph import open as open_logdir  # with all that it imports

    measure.forget_peak()
    before = measure.status_bytes("VmRSS")
    cpu, clock = time.process_time(), time.perf_counter()
    store = open_logdir(directory)
    ready, cpu = time.perf_counter() - clock, time.process_time() - cpu
    print("ready", flush=True)
    peak = measure.status_bytes("VmHWM")
    points = 0
    for run in store.runs.values():
        for dashboard in run.dashboards:
            for tag in run.tags(dashboard):
                points += len(
                    run.series(tag) if dashboard == "scalars" else run.blobs(tag, dashboard)
                )
    answer = Sample(ready, 0, cpu, peak, peak - before, points)
    print_answer(answer)


def child_python(directory: str) -> None:
    """TensorBoard's Python loader, what `--load_fast=false` runs, with every scalar kept."""
    from tensorboard.backend.event_processing import (  # type: ignore[import-untyped]
        plugin_event_multiplexer,
    )

    measure.forget_peak()
    before = measure.status_bytes("VmRSS")
    cpu, clock = time.process_time(), time.perf_counter()
    multiplexer = plugin_event_multiplexer.EventMultiplexer(
        tensor_size_guidance={"scalars": 0, "images": 10, "histograms": 500}
    )
    multiplexer.AddRunsFromDirectory(directory)
    multiplexer.Reload()
    ready, cpu = time.perf_counter() - clock, time.process_time() - cpu
    print("ready", flush=True)
    peak = measure.status_bytes("VmHWM")
    points = sum(
        len(multiplexer.Tensors(run, tag))
        for run, kinds in multiplexer.Runs().items()
        for tag in kinds["tensors"]
    )
    print_answer(Sample(ready, 0, cpu, peak, peak - before, points))


def print_answer(sample: Sample) -> None:
    fields = dataclasses.asdict(sample)
    del fields["launch_secs"]
    print(json.dumps(fields), flush=True)


Load = Callable[[Path, float], Sample]

CONTENDERS: dict[str, tuple[str, Load]] = {
    "ours": (
        "kymograph.open, all points kept, checksums on",
        lambda directory, limit: load_in_child(directory, limit, "ours"),
    ),
    "server": ("data server as TensorBoard starts it: sampled, no checksums", load_with_server),
    "server-all": (
        f"data server with --samples-per-plugin {KEEP_ALL}",
        lambda directory, limit: load_with_server(
            directory, limit, "--samples-per-plugin", KEEP_ALL
        ),
    ),
    "server-crc": (
        "data server with --checksum: sampled",
        lambda directory, limit: load_with_server(directory, limit, "--checksum"),
    ),
    "python": (
        "TensorBoard's Python loader, all scalars kept; one round",
        lambda directory, limit: load_in_child(directory, limit, "python"),
    ),
}


# --- rounds ---------------------------------------------------------------------------------------


def time_shape(name: str, contenders: list[str], rounds: int, limit_secs: float) -> Samples:
    """Samples per contender; None for one that did not finish within the limit."""
    directory = makelogs.ensure(name)
    measure.warm(directory)
    samples: Samples = {contender: [] for contender in contenders}
    for number in range(rounds):
        for contender in contenders:
            done = samples[contender]
            if done is None or (contender == "python" and number):
                continue
            try:
                done.append(CONTENDERS[contender][1](directory, limit_secs))
            except LoadTimeoutError:
                samples[contender] = None
    ours = samples.get("ours") or []
    expected = makelogs.SHAPES[name].points
    for sample in ours:
        if sample.points != expected:
            raise SystemExit(f"{name}: {sample.points} points are ready, {expected} were written")
    return samples


def reason_to_skip(contender: str, name: str, slow: bool) -> str | None:
    shape = makelogs.SHAPES[name]
    if contender == "server-all" and shape.kind == "images":
        return "would hold 2 GB of images in memory"
    if contender == "python" and shape.kind == "images":
        return "reads every byte in Python"
    if contender == "python" and shape.points > PYTHON_POINTS and not slow:
        return f"more than {PYTHON_POINTS:,} points: minutes; --slow runs it"
    return None


def middle(samples: list[Sample], field: str) -> float:
    numbers: list[float] = [getattr(sample, field) for sample in samples]
    return statistics.median(numbers)


# --- the report -----------------------------------------------------------------------------------


def print_shape(name: str, samples: Samples, limit_secs: float) -> None:
    shape = makelogs.SHAPES[name]
    size = makelogs.size_bytes(makelogs.ensure(name)) / measure.MB
    print(f"\n{name}: {shape.about} ({size:.0f} MB, {shape.points:,} points)")
    print(
        f"  {'':12}{'ready s':>10}{'fastest':>10}{'cpu s':>10}{'launched':>10}"
        f"{'peak MB':>10}{'growth MB':>10}{'x ours':>9}{'x cpu':>9}"
    )
    ours = samples.get("ours")
    for contender, done in samples.items():
        if done is None:
            print(f"  {contender:12}{f'> {limit_secs:.0f}':>10}   stopped")
            continue
        growth = done[0].growth_bytes
        cells = [
            f"{middle(done, 'ready_secs'):.4f}",
            f"{min(sample.ready_secs for sample in done):.4f}",
            f"{middle(done, 'cpu_secs'):.3f}",
            f"{middle(done, 'launch_secs'):.3f}",
            f"{middle(done, 'peak_bytes') / measure.MB:.0f}",
            "" if growth is None else f"{middle(done, 'growth_bytes') / measure.MB:.1f}",
        ]
        line = f"  {contender:12}" + "".join(f"{cell:>10}" for cell in cells)
        if ours and contender != "ours":
            line += f"{ratio(done, ours, 'ready_secs'):>9.1f}{ratio(done, ours, 'cpu_secs'):>9.1f}"
        print(line, flush=True)


def ratio(peer: list[Sample], ours: list[Sample], field: str) -> float:
    return middle(peer, field) / middle(ours, field)


def verdicts(results: dict[str, Samples]) -> dict[str, bool]:
    """The promises of the reader, each with whether this run kept it."""
    found: dict[str, bool] = {}
    for name, times in (("scalars-5m", 8), ("many", 8), ("images", 10), ("images-small", 10)):
        ours, server = pair(results, name, "server")
        if ours and server:
            measured = ratio(server, ours, "ready_secs")
            promise = f"{name}: at least {times}x faster than the server: {measured:.1f}x"
            found[promise] = measured >= times
            if name.startswith("images"):
                growth = max(sample.growth_bytes or 0 for sample in ours) / measure.MB
                found[f"{name}: under 50 MB of growth: {growth:.1f} MB"] = growth < 50
    costs = {name: cost for name in LINEAR if (cost := point_cost_ns(results, name))}
    if len(costs) == len(LINEAR):
        listed = ", ".join(f"{name[7:]} {cost:.0f} ns" for name, cost in costs.items())
        # A fixed start-up cost may make small logs dearer per point, never large ones.
        linear = costs["linear-1e7"] < 1.5 * costs["linear-1e6"]
        found[f"cost per point does not rise with size: {listed}"] = linear
    return found


def pair(
    results: dict[str, Samples], name: str, peer: str
) -> tuple[list[Sample] | None, list[Sample] | None]:
    samples = results.get(name, {})
    return samples.get("ours"), samples.get(peer)


def point_cost_ns(results: dict[str, Samples], name: str) -> float | None:
    ours = results.get(name, {}).get("ours")
    return middle(ours, "ready_secs") / makelogs.SHAPES[name].points * 1e9 if ours else None


def save(results: dict[str, Samples], promises: dict[str, bool], rounds: int) -> Path:
    shapes = {}
    for name, samples in results.items():
        shapes[name] = {
            "about": makelogs.SHAPES[name].about,
            "points": makelogs.SHAPES[name].points,
            "bytes": makelogs.size_bytes(makelogs.ensure(name)),
            "contenders": {
                contender: None if done is None else [dataclasses.asdict(one) for one in done]
                for contender, done in samples.items()
            },
        }
    about = {contender: CONTENDERS[contender][0] for contender in CONTENDERS}
    content = {"rounds": rounds, "contenders": about, "promises": promises, "shapes": shapes}
    return measure.write_results("load", content)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the load of whole log directories.")
    parser.add_argument("--shapes", nargs="+", choices=makelogs.SHAPES, metavar="SHAPE")
    parser.add_argument("--contenders", nargs="+", choices=CONTENDERS, metavar="NAME")
    parser.add_argument("--rounds", type=int, help="loads per contender (default 5, quick 2)")
    parser.add_argument("--quick", action="store_true", help="only shapes of up to 10^6 points")
    parser.add_argument("--slow", action="store_true", help="the Python loader on all scalars too")
    parser.add_argument(
        "--limit", type=float, default=600, metavar="SECS", help="stop a load after this long"
    )
    parser.add_argument("--check", action="store_true", help="fail when a promise is not kept")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        contender, directory = args.child
        {"ours": child_ours, "python": child_python}[contender](directory)
        return

    shapes = args.shapes or (QUICK if args.quick else list(makelogs.SHAPES))
    rounds = args.rounds or (2 if args.quick else 5)
    contenders = args.contenders or list(CONTENDERS)
    if "ours" in contenders and importlib.util.find_spec("kymograph") is None:
        parser.error("kymograph is not installed here\nhint: `make bench` builds it first")
    print("page cache warm; median of interleaved rounds; each load in a fresh process")
    for contender in contenders:
        print(f"  {contender:12}{CONTENDERS[contender][0]}")
    results = {}
    for name in shapes:
        reasons = {other: reason_to_skip(other, name, args.slow) for other in contenders}
        wanted = [contender for contender, reason in reasons.items() if reason is None]
        results[name] = time_shape(name, wanted, rounds, args.limit)
        print_shape(name, results[name], args.limit)
        for contender, reason in reasons.items():
            if reason is not None:
                print(f"  {contender:12}not run: {reason}")
    promises = verdicts(results)
    print()
    for promise, kept in promises.items():
        print(f"  {'yes' if kept else 'NO':4}{promise}")
    print(f"\nraw numbers: {os.path.relpath(save(results, promises, rounds))}")
    if args.check and not all(promises.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
