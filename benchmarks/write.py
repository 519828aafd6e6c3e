"""What does a call of the writer cost the training loop: ours, PyTorch's and tensorboardX's?

    python benchmarks/write.py
    python benchmarks/write.py --rounds 9 --check

Every contender writes the same in a fresh process; contenders take turns within a round. `caller`
is what the training loop waits for, per call; `total` adds `close`, when everything is on disk.
Raw numbers go to benchmarks/results/<date>-write.json.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import measure

CONTENDERS = {
    "kymograph": "kymograph",
    "torch": "torch.utils.tensorboard",
    "tensorboardX": "tensorboardX",
}
SIDE = 512


# --- what is logged -------------------------------------------------------------------------------


def scalar(value: Any) -> Callable[[Any, int], None]:
    return lambda writer, step: writer.add_scalar("train/loss", value, step)


def tensor(*, requires_grad: bool) -> Callable[[Any, int], None]:
    import torch

    return scalar(torch.tensor(0.25, requires_grad=requires_grad))


def histogram(bins: str = "tensorflow") -> Callable[[Any, int], None]:
    values = np.random.default_rng(1).normal(size=1_000_000).astype(np.float32)
    return lambda writer, step: writer.add_histogram("weights", values, step, bins)


def noise() -> Callable[[Any, int], None]:
    picture = np.random.default_rng(1).random((3, SIDE, SIDE), dtype=np.float32)
    return lambda writer, step: writer.add_image("sample", picture, step)


def smooth() -> Callable[[Any, int], None]:
    ramp = np.linspace(0, 255, SIDE).astype(np.uint8)
    picture = np.stack([np.add.outer(ramp // 2, ramp // 2)] * 3)
    return lambda writer, step: writer.add_image("sample", picture, step)


# What is asked: how to log it, and how many times.
QUESTIONS: dict[str, tuple[Callable[[], Callable[[Any, int], None]], int]] = {
    "add_scalar": (lambda: scalar(0.25), 20_000),
    "add_scalar, np.float32": (lambda: scalar(np.float32(0.25)), 20_000),
    "add_scalar, array without axes": (lambda: scalar(np.array(0.25)), 20_000),
    "add_scalar, tensor": (lambda: tensor(requires_grad=False), 20_000),
    "add_scalar, tensor with gradient": (lambda: tensor(requires_grad=True), 20_000),
    "add_histogram, 10^6 float32": (histogram, 20),
    "add_histogram, bins=auto": (lambda: histogram("auto"), 20),
    "add_image, 512x512 float noise": (noise, 20),
    "add_image, 512x512 smooth bytes": (smooth, 40),
}


def child(contender: str, question: str) -> None:
    """Answers one question in this process."""
    summary_writer = importlib.import_module(CONTENDERS[contender]).SummaryWriter
    make, count = QUESTIONS[question]
    log = make()
    with tempfile.TemporaryDirectory() as directory:
        writer = summary_writer(directory)
        log(writer, 0)  # what is imported or computed once is no cost of a call
        writer.flush()
        cpu = time.process_time()
        started = time.perf_counter()
        for step in range(1, count + 1):
            log(writer, step)
        called = time.perf_counter()
        writer.close()
        closed = time.perf_counter()
        answer = {
            "caller_secs": (called - started) / count,
            "total_secs": (closed - started) / count,
            "cpu_secs": (time.process_time() - cpu) / count,
            "bytes": sum(entry.stat().st_size for entry in os.scandir(directory)) / count,
        }
    print(json.dumps(answer))


def ask(contender: str, question: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", contender, question]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def import_secs() -> float:
    """Importing kymograph and its writer, after numpy."""
    program = (
        "import time, numpy; started = time.perf_counter(); import kymograph;"
        "kymograph.SummaryWriter; print(time.perf_counter() - started)"
    )
    return float(subprocess.check_output([sys.executable, "-c", program], text=True))


# --- the report -----------------------------------------------------------------------------------

Answers = dict[str, dict[str, list[dict[str, float]]]]


def middle(samples: list[dict[str, float]], field: str) -> float:
    return statistics.median(sample[field] for sample in samples)


def print_answers(answers: Answers) -> None:
    print(
        "microseconds per call, median; `cpu` is of all threads, `KB` what one call leaves on disk"
    )
    print(f"  {'':34}{'':14}{'caller':>10}{'total':>12}{'cpu':>12}{'KB':>9}")
    for question, contenders in answers.items():
        for contender, samples in contenders.items():
            cells = [f"{middle(samples, 'caller_secs') * 1e6:>10.2f}"]
            cells += [
                f"{middle(samples, f'{field}_secs') * 1e6:>12.2f}" for field in ("total", "cpu")
            ]
            cells.append(f"{middle(samples, 'bytes') / 1e3:>9.2f}")
            title = question if contender == "kymograph" else ""
            print(f"  {title:34}{contender:14}" + "".join(cells))


def verdicts(answers: Answers, imports: list[float]) -> dict[str, bool]:
    def ratio(question: str, field: str) -> float:
        samples = answers[question]
        return middle(samples["torch"], field) / middle(samples["kymograph"], field)

    found = {}
    caller = middle(answers["add_scalar"]["kymograph"], "caller_secs") * 1e6
    found[f"add_scalar: at most 1 us of the caller: {caller:.2f} us"] = caller <= 1
    times = ratio("add_scalar", "total_secs")
    found[f"add_scalar: 50x torch, drain and close included: {times:.0f}x"] = times >= 50
    for question, samples in answers.items():
        if question.startswith("add_scalar, "):
            times = middle(samples["kymograph"], "caller_secs") * 1e6 / caller
            found[f"{question}: at most 3x a Python float: {times:.1f}x"] = times <= 3
        elif question.startswith("add_histogram"):
            times = ratio(question, "cpu_secs")
            found[f"{question}: 10x torch in CPU time: {times:.1f}x"] = times >= 10
        elif question.startswith("add_image"):
            times = ratio(question, "caller_secs")
            found[f"{question}: 8x torch for the caller: {times:.1f}x"] = times >= 8
    took = statistics.median(imports) * 1e3
    found[f"import: at most 50 ms beyond numpy: {took:.1f} ms"] = took <= 50
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the writers' calls.")
    parser.add_argument("--rounds", type=int, default=5, help="fresh processes per answer")
    parser.add_argument("--check", action="store_true", help="fail when a promise is not kept")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        child(*args.child)
        return
    answers: Answers = {
        question: {contender: [] for contender in CONTENDERS} for question in QUESTIONS
    }
    imports = []
    for _ in range(args.rounds):
        imports.append(import_secs())
        for question, contenders in answers.items():
            for contender, samples in contenders.items():
                samples.append(ask(contender, question))
    print_answers(answers)
    promises = verdicts(answers, imports)
    print()
    for promise, kept in promises.items():
        print(f"  {'yes' if kept else 'NO':4}{promise}")
    content = {"promises": promises, "answers": answers, "import_secs": imports}
    print(f"\nraw numbers: {os.path.relpath(measure.write_results('write', content))}")
    if args.check and not all(promises.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
