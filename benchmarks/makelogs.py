"""Writes the log directories the benchmarks read: the same bytes each time, without our own writer.

    python benchmarks/makelogs.py SHAPE DIR    one shape into a directory of your choice
    python benchmarks/makelogs.py --all        every shape into benchmarks/data/, for load.py

Scalar records of one tag differ only in wall time, step and value, so they are built as the rows of
a byte matrix. CRC-32C is linear over GF(2): the checksum of a row is the checksum of the row with
those bytes zeroed, XORed with one table entry per varying byte. Five million records take seconds.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import shutil
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

import google_crc32c
import numpy as np
from numpy.typing import NDArray

DATA = Path(__file__).resolve().parent / "data"
VERSION = 1  # raise when the bytes of any shape change, so that cached directories are rebuilt
EPOCH = 1_700_000_000.0  # wall time of the first record
STEP_SECS = 0.0123  # between two steps of a run
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
HISTOGRAM_BUCKETS = 640  # two doubles a bucket: 10 KB a histogram

Bytes2D = NDArray[np.uint8]
Kind = Literal["scalars", "tf2", "images", "histograms"]


@dataclasses.dataclass(frozen=True)
class Shape:
    """One log directory: `runs` files, each with every tag at every step."""

    about: str
    kind: Kind
    runs: int
    tags: int
    steps: int
    image_bytes: int = 0

    @property
    def points(self) -> int:
        return self.runs * self.tags * self.steps

    @property
    def dashboard(self) -> str:
        return "scalars" if self.kind == "tf2" else self.kind


SHAPES: dict[str, Shape] = {
    "scalars-5m": Shape("5 million scalars in 2 files", "scalars", 2, 5, 500_000),
    "many": Shape("1 million scalars in 20 runs x 50 tags", "scalars", 20, 50, 1000),
    "medium-1m": Shape("1 million scalars in 4 runs x 10 tags", "scalars", 4, 10, 25_000),
    "tf2": Shape("1 million TF2 scalar tensors with metadata", "tf2", 2, 5, 100_000),
    "histograms": Shape("20 thousand histograms of 10 KB", "histograms", 2, 10, 1000),
    "images": Shape("2 GB in 4096 images of 500 KB", "images", 2, 4, 512, 500_000),
    "images-small": Shape("2 GB in 100 thousand images of 20 KB", "images", 2, 4, 12_500, 20_000),
    "linear-1e5": Shape("10^5 scalars in 2 files", "scalars", 2, 5, 10_000),
    "linear-1e6": Shape("10^6 scalars in 2 files", "scalars", 2, 5, 100_000),
    "linear-1e7": Shape("10^7 scalars in 2 files", "scalars", 2, 5, 1_000_000),
    "long": Shape("one series of 10 million scalars", "scalars", 1, 1, 10_000_000),
}

SCALAR_TAGS = ("train/loss", "train/rate", "train/norm", "valid/loss", "valid/top1")


# --- CRC-32C --------------------------------------------------------------------------------------


def _crc_table() -> NDArray[np.uint32]:
    """Checksum of each single byte, with neither initial value nor final inversion."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0x82F63B78), table >> 1)
    return table


CRC_TABLE = _crc_table()


def position_table(zeros_after: int) -> NDArray[np.uint32]:
    """What each value of a byte adds to the checksum when `zeros_after` bytes follow it."""
    table = CRC_TABLE
    for _ in range(zeros_after):
        table = CRC_TABLE[table & 0xFF] ^ (table >> 8)
    return table


def mask(crc: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The TFRecord mask: rotate right by 15 and add a constant, modulo 2^32."""
    masked: NDArray[np.uint32] = (crc >> np.uint32(15)) | (crc << np.uint32(17))
    masked += np.uint32(0xA282EAD8)
    return masked


def masked_crc(data: bytes) -> bytes:
    crc = google_crc32c.value(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def header(payload_length: int) -> bytes:
    length = struct.pack("<Q", payload_length)
    return length + masked_crc(length)


def record(payload: bytes) -> bytes:
    return header(len(payload)) + payload + masked_crc(payload)


# --- protobuf -------------------------------------------------------------------------------------


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number: int, content: bytes) -> bytes:
    """A length-delimited field."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def event(wall_time: float, step: int, summary_value: bytes) -> bytes:
    step_field = b"\x10" + varint(step) if step else b""
    return b"\x09" + struct.pack("<d", wall_time) + step_field + field(5, field(1, summary_value))


def file_version(wall_time: float) -> bytes:
    return record(b"\x09" + struct.pack("<d", wall_time) + field(3, b"brain.Event:2"))


def scalar_value(tag: str, kind: Kind) -> tuple[bytes, int]:
    """A Summary.Value with a zero float in it, and how many bytes follow that float."""
    name = field(1, tag.encode())
    if kind == "scalars":  # as torch.utils.tensorboard writes it
        return name + b"\x15" + bytes(4), 0
    # As tf.summary.scalar writes it: a rank-0 DT_FLOAT in tensor_content, metadata on every value.
    tensor = field(8, b"\x08\x01" + field(2, b"") + field(4, bytes(4)))
    metadata = field(9, field(1, field(1, b"scalars")) + b"\x20\x01")
    return name + tensor + metadata, len(metadata)


# --- scalars --------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Template:
    """The record of one tag, its wall time, value and step of `step_width` bytes still zero."""

    row: Bytes2D
    step_width: int
    value_at: int
    base_crc: np.uint32
    varying: list[tuple[int, NDArray[np.uint32]]]

    @classmethod
    def make(cls, tag: str, kind: Kind, step_width: int) -> Template:
        value, after = scalar_value(tag, kind)
        step = b"\x10" + bytes(step_width) if step_width else b""
        payload = b"\x09" + bytes(8) + step + field(5, field(1, value))
        value_at = len(payload) - after - 4
        slots = [*range(1, 9), *range(10, 10 + step_width), *range(value_at, value_at + 4)]
        whole = header(len(payload)) + payload + bytes(4)
        return cls(
            row=np.frombuffer(whole, np.uint8)[None, :],
            step_width=step_width,
            value_at=12 + value_at,
            base_crc=np.uint32(google_crc32c.value(payload)),
            varying=[(12 + at, position_table(len(payload) - at - 1)) for at in slots],
        )

    def fill(
        self,
        into: Bytes2D,
        wall_times: NDArray[np.float64],
        steps: NDArray[np.int64],
        values: NDArray[np.float32],
    ) -> None:
        """Writes one record per row of `into`."""
        into[:] = self.row
        into[:, 13:21] = wall_times.astype("<f8").view(np.uint8).reshape(-1, 8)
        for i in range(self.step_width):
            more = 0x80 if i + 1 < self.step_width else 0
            into[:, 22 + i] = (steps >> (7 * i)) & 0x7F | more
        into[:, self.value_at : self.value_at + 4] = (
            values.astype("<f4").view(np.uint8).reshape(-1, 4)
        )
        crc = np.full(len(into), self.base_crc, np.uint32)
        for at, table in self.varying:
            crc ^= table[into[:, at]]
        into[:, -4:] = mask(crc).astype("<u4").view(np.uint8).reshape(-1, 4)


def step_ranges(steps: int, chunk: int) -> Iterator[tuple[int, int, int]]:
    """Splits 0..steps where the varint gets longer, and every `chunk`: (first, end, width)."""
    edges = [0, 1] + [1 << (7 * i) for i in range(1, 6)]  # step 0, a default, has no bytes
    for width, (low, high) in enumerate(itertools.pairwise(edges)):
        for first in range(low, min(high, steps), chunk):
            yield first, min(first + chunk, high, steps), width


def curve(rng: np.random.Generator, steps: NDArray[np.int64], tag: int) -> NDArray[np.float32]:
    """A noisy decay with a spike now and then."""
    values = (1 + tag) / np.sqrt(1 + steps / 100) + rng.normal(0, 0.05, len(steps))
    values[rng.random(len(steps)) < 1e-4] *= 20
    return values.astype(np.float32)


def write_scalars(file: BinaryIO, shape: Shape, rng: np.random.Generator) -> None:
    tags = scalar_tags(shape.tags)
    templates: dict[int, list[Template]] = {}
    for first, end, width in step_ranges(shape.steps, chunk=max(1, 100_000 // shape.tags)):
        if width not in templates:
            templates[width] = [Template.make(tag, shape.kind, width) for tag in tags]
        ends = np.cumsum([template.row.shape[1] for template in templates[width]])
        block = np.empty((end - first, ends[-1]), np.uint8)
        steps = np.arange(first, end, dtype=np.int64)
        wall_times = EPOCH + steps * STEP_SECS + rng.random(len(steps)) * 1e-3
        for i, template in enumerate(templates[width]):
            part = block[:, ends[i] - template.row.shape[1] : ends[i]]
            template.fill(part, wall_times + i * 2e-5, steps, curve(rng, steps, i))
        file.write(block.data)


def scalar_tags(count: int) -> list[str]:
    if count <= len(SCALAR_TAGS):
        return list(SCALAR_TAGS[:count])
    return [f"layer{i:02d}/loss" for i in range(count)]


# --- images and histograms ------------------------------------------------------------------------


def image_value(tag: str, rng: np.random.Generator, size: int) -> bytes:
    """A torch-style image: a PNG signature, then bytes that no file system can compress."""
    pixels = PNG_SIGNATURE + rng.bytes(size - len(PNG_SIGNATURE))
    side = b"\x08" + varint(408) + b"\x10" + varint(408) + b"\x18\x03"
    return field(1, tag.encode()) + field(4, side + field(4, pixels))


def histogram_value(tag: str, rng: np.random.Generator) -> bytes:
    """A torch-style HistogramProto."""
    limits = np.sort(rng.normal(0, 1, HISTOGRAM_BUCKETS))
    counts = rng.integers(0, 1000, HISTOGRAM_BUCKETS).astype(np.float64)
    numbers = (limits[0] - 1, limits[-1], counts.sum(), counts @ limits, counts @ limits**2)
    scalars = b"".join(
        bytes([(i + 1) << 3 | 1]) + struct.pack("<d", x) for i, x in enumerate(numbers)
    )
    buckets = field(6, limits.astype("<f8").tobytes()) + field(7, counts.astype("<f8").tobytes())
    return field(1, tag.encode()) + field(5, scalars + buckets)


def write_media(file: BinaryIO, shape: Shape, rng: np.random.Generator) -> None:
    for step in range(shape.steps):
        for i in range(shape.tags):
            if shape.kind == "images":
                value = image_value(f"samples/{i}", rng, shape.image_bytes)
            else:
                value = histogram_value(f"weights/layer{i}", rng)
            file.write(record(event(EPOCH + step * STEP_SECS + i * 2e-5, step, value)))


# --- whole directories ----------------------------------------------------------------------------


def write(name: str, directory: Path) -> None:
    """Writes the log directory of the named shape; `directory` must be empty or not exist."""
    shape = SHAPES[name]
    directory.mkdir(parents=True, exist_ok=True)
    if any(directory.iterdir()):
        raise SystemExit(f"directory is not empty: {directory}")
    for run in range(shape.runs):
        folder = directory / f"run{run:02d}"
        folder.mkdir()
        rng = np.random.default_rng([VERSION, run])
        path = folder / f"events.out.tfevents.{int(EPOCH)}.bench.1.{run}"
        with path.open("wb", buffering=1 << 20) as file:
            file.write(file_version(EPOCH))
            if shape.dashboard == "scalars":
                write_scalars(file, shape, rng)
            else:
                write_media(file, shape, rng)


def ensure(name: str) -> Path:
    """The log directory of the named shape under benchmarks/data/, made now if not there."""
    directory = DATA / name
    stamp = DATA / f"{name}.json"  # written last: without it the directory is not finished
    wanted = json.dumps({"version": VERSION, **dataclasses.asdict(SHAPES[name])}, indent=1)
    if stamp.exists() and stamp.read_text() == wanted and directory.is_dir():
        return directory
    stamp.unlink(missing_ok=True)
    if directory.exists():
        shutil.rmtree(directory)
    started = time.perf_counter()
    write(name, directory)
    stamp.write_text(wanted)
    print(f"made {name} in {time.perf_counter() - started:.1f} s", file=sys.stderr)
    return directory


def size_bytes(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())


def main() -> None:
    shapes = "\n".join(f"  {name:14} {shape.about}" for name, shape in SHAPES.items())
    parser = argparse.ArgumentParser(
        description="Write a log directory for benchmarks.",
        epilog=f"shapes:\n{shapes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shape", nargs="?", choices=SHAPES, metavar="SHAPE")
    parser.add_argument("directory", nargs="?", type=Path, metavar="DIR")
    parser.add_argument("--all", action="store_true", help="every shape, into benchmarks/data/")
    args = parser.parse_args()
    if args.all:
        for name in SHAPES:
            ensure(name)
    elif args.shape and args.directory:
        write(args.shape, args.directory)
    else:
        parser.error("give SHAPE and DIR, or --all")


if __name__ == "__main__":
    main()
