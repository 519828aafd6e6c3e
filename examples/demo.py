"""Demo runs: a few dozen believable ones in the given directory, and one that trains on.

python examples/demo.py build/demo-runs          until Ctrl-C
python examples/demo.py build/demo-runs --once   without the run that trains on
"""

from __future__ import annotations

import argparse
import math
import shutil
import struct
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

import kymograph
from kymograph.cli.main import main as kymograph_command

# All times are told from here, so that the files are the same every time.
FIRST_DAY = 1_760_000_000.0
SECS_PER_STEP = 1.7
Curves = dict[str, npt.NDArray[np.float64]]

# --- a small writer: events into records ---


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        table.append(crc)
    return table


CRC_TABLE = _crc_table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def message(number: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return varint(number << 3 | 2) + varint(len(body)) + body


def double(number: int, value: float) -> bytes:
    return varint(number << 3 | 1) + struct.pack("<d", value)


def doubles(number: int, values: Iterable[float]) -> bytes:
    numbers = list(values)
    return message(number, struct.pack(f"<{len(numbers)}d", *numbers))


def event(*parts: bytes, step: int, wall_time: float) -> bytes:
    payload = double(1, wall_time) + b"\x10" + varint(step) + b"".join(parts)
    length = struct.pack("<Q", len(payload))
    crcs = (struct.pack("<I", masked_crc(part)) for part in (length, payload))
    return length + next(crcs) + payload + next(crcs)


class Writer:
    """One event file."""

    def __init__(self, run: Path, began: float, *, number: int = 0) -> None:
        run.mkdir(parents=True, exist_ok=True)
        name = f"events.out.tfevents.{began:010.0f}.demo.{number}"
        self._file = (run / name).open("wb")
        self._file.write(event(message(3, b"brain.Event:2"), step=0, wall_time=began))

    def close(self) -> None:
        self._file.close()

    def flush(self) -> None:
        self._file.flush()

    def values(self, step: int, wall_time: float, *values: bytes) -> None:
        summary = message(5, *(message(1, value) for value in values))
        self._file.write(event(summary, step=step, wall_time=wall_time))

    def restart(self, step: int, wall_time: float) -> None:
        """What follows supersedes what was logged from this step on."""
        self._file.write(event(message(7, b"\x08\x01"), step=step, wall_time=wall_time))


def scalar(tag: str, value: float) -> bytes:
    return message(1, tag.encode()) + b"\x15" + struct.pack("<f", value)


def histogram(tag: str, sample: npt.NDArray[np.float64]) -> bytes:
    counts, edges = np.histogram(sample, bins=30)
    numbers = (sample.min(), sample.max(), sample.size, sample.sum(), np.square(sample).sum())
    fields = [double(at, float(number)) for at, number in enumerate(numbers, start=1)]
    body = message(5, *fields, doubles(6, edges[1:].tolist()), doubles(7, counts.tolist()))
    return message(1, tag.encode()) + body


def image(tag: str, pixels: npt.NDArray[np.uint8]) -> bytes:
    height, width = pixels.shape
    size = [b"\x08", varint(height), b"\x10", varint(width), b"\x18\x01"]
    return message(1, tag.encode()) + message(4, *size, message(4, png(pixels)))


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    height, width = pixels.shape
    rows = b"".join(b"\x00" + row.tobytes() for row in pixels)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def text(tag: str, markdown: str) -> bytes:
    metadata = message(9, message(1, message(1, b"text")))
    tensor = message(8, b"\x08\x07", message(2), message(8, markdown.encode()))
    return message(1, tag.encode()) + metadata + tensor


# --- what the runs look like ---


@dataclass(frozen=True)
class Plan:
    """A run to be."""

    name: str
    learning_rate: float
    seed: int
    steps: int = 600
    schedule: str = "cosine"
    diverges_at: int | None = None
    restarts_at: Sequence[int] = field(default=())
    has_media: bool = False


def plans() -> Iterator[Plan]:
    for rate in (3e-4, 1e-3, 3e-3):
        for schedule in ("constant", "cosine", "step"):
            for seed in range(2):
                name = f"vision/resnet-{schedule}-lr{rate:g}/seed{seed}"
                yield Plan(name, rate, seed, schedule=schedule, has_media=seed == 0)
    for rate in (1e-4, 3e-4, 1e-3, 3e-3):
        yield Plan(f"language/gpt-small-lr{rate:g}", rate, 7, steps=1500)
    yield Plan("language/gpt-small-lr0.01", 1e-2, 7, steps=1500, diverges_at=420)
    yield Plan("language/gpt-medium", 3e-4, 11, steps=2000, restarts_at=(700, 1400))
    for seed in range(6):
        yield Plan(f"control/ppo-hopper/seed{seed}", 3e-4, seed, steps=800, schedule="constant")


def learning_rates(plan: Plan) -> npt.NDArray[np.float64]:
    at = np.arange(plan.steps) / plan.steps
    warm = np.minimum(1.0, at / 0.03 + 1e-3)
    shape = {
        "constant": np.ones_like(at),
        "cosine": 0.5 * (1 + np.cos(np.pi * at)),
        "step": 0.1 ** np.floor(at * 3),
    }[plan.schedule]
    return plan.learning_rate * warm * shape


def curves(plan: Plan, randoms: np.random.Generator) -> Curves:
    """Loss that falls as a power law, faster at a good rate, noisier at a high one."""
    rates = learning_rates(plan)
    at = np.arange(plan.steps)
    quality = math.exp(-((math.log10(plan.learning_rate) + 3.0) ** 2))
    floor = 0.35 + 0.25 * (1 - quality) + 0.01 * (plan.seed % 5)
    loss = floor + 2.2 * (1 + at / 25) ** -(0.35 + 0.45 * quality)
    noise = randoms.normal(0, 1, plan.steps) * (0.015 + 0.8 * np.sqrt(rates) * 0.5)
    train = loss * np.exp(noise)
    gradients = 1.5 * loss * np.exp(randoms.normal(0, 0.35, plan.steps))
    if plan.diverges_at is not None:
        growth = np.exp(np.clip((at - plan.diverges_at + 60) / 22, 0, 60))
        train, gradients = train * growth, gradients * growth
        train[plan.diverges_at :] = gradients[plan.diverges_at :] = np.nan
    return {
        "train/loss": train,
        "train/grad_norm": gradients,
        "train/lr": rates,
        "val/loss": np.where(np.isnan(train), np.nan, loss * 1.06 + 0.00004 * at),
        "val/accuracy": np.where(np.isnan(train), 0.1, 1 - np.clip(loss, 0, 2.5) / 2.75),
    }


def write_run(logdir: Path, plan: Plan, number: int) -> None:
    randoms = np.random.default_rng(1000 * number + plan.seed)
    began = FIRST_DAY + 5400.0 * number
    writer = Writer(logdir / plan.name, began)
    about = f"# {plan.name}\n\n| learning rate | schedule |\n|---|---|\n"
    writer.values(0, began, text("config", f"{about}| {plan.learning_rate:g} | {plan.schedule} |"))
    lost = 0.0
    done = 0
    for part, end in enumerate([*plan.restarts_at, plan.steps]):
        series = curves(plan, randoms)
        if part:
            # The job died 40 steps after its last checkpoint, and an hour passed.
            writer.close()
            done, lost = done - 40, lost + 3600.0
            clock = began + done * SECS_PER_STEP + lost
            writer = Writer(logdir / plan.name, clock, number=part)
            writer.restart(done, clock)
        for step in range(done, end):
            wall_time = began + (step + 1) * SECS_PER_STEP + lost
            writer.values(step, wall_time, *values_at(series, step))
            if plan.has_media and step % 100 == 0:
                writer.values(step, wall_time, *media_at(step, plan, randoms))
        done = end
    writer.close()


def values_at(series: Curves, step: int) -> list[bytes]:
    names = [name for name in series if not name.startswith("val/") or step % 20 == 19]
    return [scalar(name, float(series[name][step])) for name in names]


def media_at(step: int, plan: Plan, randoms: np.random.Generator) -> list[bytes]:
    spread = 0.05 + 0.3 * plan.learning_rate**0.3 * math.log1p(step / 50)
    weights = randoms.normal(0.0, spread, 500)
    y, x = np.mgrid[-1:1:24j, -1:1:24j]
    rings = np.cos(6 * np.hypot(x, y) * (1 + step / 300)) * 100 + 128
    blur = randoms.normal(0, 60 / (1 + step / 60), rings.shape)
    pixels = np.clip(rings + blur, 0, 255).astype(np.uint8)
    return [histogram("weights/conv1", weights), image("samples/reconstruction", pixels)]


# --- showing them ---


def show(logdir: Path) -> None:
    print(f"$ kymograph inspect {logdir}")
    kymograph_command(["inspect", str(logdir)], standalone_mode=False)
    print("\n$ python")
    names: dict[str, object] = {"kymograph": kymograph}
    for line in (
        f"store = kymograph.open({str(logdir)!r})",
        'store["language/gpt-medium"].series("train/loss")',
        'store["language/gpt-medium"].hidden_points',
        'best = min(store.select(tags="val/loss"), key=lambda s: s.values[-1])',
        "best.run, float(best.values[-1])",
        'store["vision/resnet-cosine-lr0.001/seed0"].blobs("samples/reconstruction")[-1].decode().width',
    ):
        print(f">>> {line}")
        ask(line, names)


def ask(line: str, names: dict[str, object]) -> None:
    """Does what an interactive Python does with a line."""
    try:
        answer = eval(line, names)
    except SyntaxError:
        exec(line, names)
        return
    if answer is not None:
        print(repr(answer))


def train_on(logdir: Path) -> None:
    """One more run, which trains until Ctrl-C, and what a follower sees of it."""
    plan = Plan("live/resnet", 1e-3, 5, steps=100_000)
    series = curves(plan, np.random.default_rng(5))
    writer = Writer(logdir / plan.name, time.time())
    print(f"\n{plan.name} trains on in {logdir}; Ctrl-C ends")
    with kymograph.open(logdir / plan.name, follow=True) as store:
        for step in range(plan.steps):
            writer.values(step, time.time(), *values_at(series, step))
            writer.flush()
            time.sleep(0.1)
            if step % 50 == 49:
                summary(store)
    writer.close()


def summary(store: kymograph.Store) -> None:
    store.refresh()
    loss = store["."].series("train/loss")
    points = sum(len(one) for one in store.select())
    print(f"step {loss.steps[-1]}: train/loss {loss.values[-1]:.4f}, {points:,} points so far")
    sys.stdout.flush()


def main() -> None:
    """Writes the runs, shows them, and trains on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logdir", type=Path, help="directory to (re)place the demo runs in")
    parser.add_argument("--once", action="store_true", help="end when they are shown")
    arguments = parser.parse_args()
    began = time.monotonic()
    for name in {plan.name.split("/")[0] for plan in plans()} | {"live"}:
        shutil.rmtree(arguments.logdir / name, ignore_errors=True)
    every = list(plans())
    for number, plan in enumerate(every):
        write_run(arguments.logdir, plan, number)
    print(f"{len(every)} demo runs written in {time.monotonic() - began:.1f} s\n")
    show(arguments.logdir)
    if not arguments.once:
        train_on(arguments.logdir)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
