"""How long does it take to get at the points: a million into pandas, ten million onto a chart?

    python benchmarks/query.py
    python benchmarks/query.py --rounds 9 --check

The first question includes the load and is asked in fresh processes; imports are counted apart. The
second is asked many times of one loaded series, once per way of smoothing and range. Raw numbers go
to benchmarks/results/<date>-query.json.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import makelogs
import measure

COLUMNS = 1000  # pixel columns of a wide chart
FRAME_SHAPES = ("medium-1m", "many")
FRAME_LIMIT_SECS = 0.5
RAW_LIMIT_SECS = 0.005
SMOOTHED_LIMIT_SECS = 0.060
SMOOTHINGS = ("ema:0.6", "ema:0.99", "twema:0.9", "mean:101", "gaussian:50", "median:101")
LIMITED = ("ema:0.6", "ema:0.99")  # TensorBoard's own smoothing, the one with a promise


# --- a million points into pandas -----------------------------------------------------------------


def time_frame(name: str, rounds: int) -> list[dict[str, float]]:
    """Loads the shape and makes one long DataFrame of it, in a new interpreter each time."""
    directory = makelogs.ensure(name)
    measure.warm(directory)
    command = [sys.executable, __file__, "--child", str(directory)]
    samples = []
    for _ in range(rounds):
        started = time.perf_counter()
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        sample: dict[str, float] = json.loads(answer)
        sample["process_secs"] = time.perf_counter() - started
        if sample["rows"] != makelogs.SHAPES[name].points:
            raise SystemExit(f"{name}: {sample['rows']} rows, want {makelogs.SHAPES[name].points}")
        samples.append(sample)
    return samples


def child_frame(directory: str) -> None:
    started = time.perf_counter()
    import pandas  # type: ignore[import-untyped]  # noqa: F401

    from kymograph import open as open_logdir  # with all that it imports

    imported = time.perf_counter()
    store = open_logdir(directory)
    opened = time.perf_counter()
    frame = store.select().to_pandas()
    done = time.perf_counter()
    answer = {
        "import_secs": imported - started,
        "open_secs": opened - imported,
        "frame_secs": done - opened,
        "total_secs": done - imported,
        "rows": len(frame),
        "peak_bytes": measure.status_bytes("VmHWM"),
    }
    print(json.dumps(answer))


# --- ten million points onto a chart --------------------------------------------------------------


def time_lod(repeats: int) -> dict[str, list[float]]:
    """Seconds per query, by what was asked, in the order of asking."""
    import kymograph

    directory = makelogs.ensure("long")
    measure.warm(directory)
    store = kymograph.open(directory)
    (run,) = store.runs.values()
    (tag,) = run.tags("scalars")
    series = run.series(tag)
    last = makelogs.SHAPES["long"].steps - 1
    everything, half, percent = (0.0, 1.0), (0.25, 0.75), (0.5, 0.51)
    questions = {
        "raw, all": (everything, "none"),
        "raw, middle half": (half, "none"),
        "raw, one percent": (percent, "none"),
        **{f"{name}, all": (everything, name) for name in SMOOTHINGS},
        "ema:0.6, one percent": (percent, "ema:0.6"),
    }
    answers: dict[str, list[float]] = {}
    for question, ((low, high), smoothing) in questions.items():
        answers[question] = []
        for i in range(repeats):
            # Never the same range twice: an answer kept from last time is not what is timed.
            x_range = (low * last + i, high * last - i)
            started = time.perf_counter()
            series.lod(columns=COLUMNS, x_range=x_range, smoothing=smoothing)
            answers[question].append(time.perf_counter() - started)
    return answers


# --- the report -----------------------------------------------------------------------------------


def print_frames(frames: dict[str, list[dict[str, float]]]) -> None:
    print("seconds, median: load and DataFrame in a fresh process, page cache warm")
    print(f"  {'':14}{'open':>10}{'frame':>10}{'both':>10}{'imports':>10}{'peak MB':>10}")
    for name, samples in frames.items():
        fields = ("open_secs", "frame_secs", "total_secs", "import_secs")
        cells = [f"{middle(samples, field):.3f}" for field in fields]
        cells.append(f"{middle(samples, 'peak_bytes') / measure.MB:.0f}")
        print(f"  {name:14}" + "".join(f"{cell:>10}" for cell in cells))


def print_lod(answers: dict[str, list[float]]) -> None:
    print(f"\nmilliseconds: {COLUMNS} columns of a series of 10 million points")
    print(f"  {'':24}{'first':>10}{'median':>10}{'slowest':>10}")
    for question, seconds in answers.items():
        numbers = (seconds[0], statistics.median(seconds), max(seconds))
        print(f"  {question:24}" + "".join(f"{number * 1e3:>10.2f}" for number in numbers))


def middle(samples: list[dict[str, float]], field: str) -> float:
    return statistics.median(sample[field] for sample in samples)


def verdicts(
    frames: dict[str, list[dict[str, float]]], answers: dict[str, list[float]]
) -> dict[str, bool]:
    found = {}
    for name, samples in frames.items():
        total = middle(samples, "total_secs")
        promise = f"{name}: load and DataFrame under {FRAME_LIMIT_SECS} s: {total:.3f} s"
        found[promise] = total < FRAME_LIMIT_SECS
    for question, seconds in answers.items():
        kind = question.partition(",")[0]
        if kind != "raw" and kind not in LIMITED:
            continue
        limit = RAW_LIMIT_SECS if kind == "raw" else SMOOTHED_LIMIT_SECS
        took = statistics.median(seconds)
        promise = f"level of detail, {question}: under {limit * 1e3:.0f} ms: {took * 1e3:.2f} ms"
        found[promise] = took < limit
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the questions asked of a loaded log.")
    parser.add_argument("--rounds", type=int, default=5, help="fresh processes per shape")
    parser.add_argument("--repeats", type=int, default=20, help="queries of each kind")
    parser.add_argument("--check", action="store_true", help="fail when a promise is not kept")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child_frame(args.child)
        return
    frames = {name: time_frame(name, args.rounds) for name in FRAME_SHAPES}
    print_frames(frames)
    answers = time_lod(args.repeats)
    print_lod(answers)
    promises = verdicts(frames, answers)
    print()
    for promise, kept in promises.items():
        print(f"  {'yes' if kept else 'NO':4}{promise}")
    content = {"promises": promises, "frames": frames, "lod_secs": answers}
    print(f"\nraw numbers: {os.path.relpath(measure.write_results('query', content))}")
    if args.check and not all(promises.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
