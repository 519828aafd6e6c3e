"""Writes `logdirs/synthetic`: shapes found in the wild that no installed framework writes."""

from __future__ import annotations

import shutil
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.golden import wire
from tests.golden.expectation import (
    Expectation,
    Json,
    as_float32,
    buckets,
    logdir,
    sha256,
    strings,
    tensor,
)

START = 1_700_000_000.0
FILE = "events.out.tfevents.1700000000.golden.0"
SECOND_FILE = "events.out.tfevents.1700000001.golden.1"
DBL_MAX = sys.float_info.max


def wall(index: float) -> float:
    return START + 0.25 * index


def walls(indices: Sequence[float]) -> list[float]:
    return [wall(index) for index in indices]


# Messages, field by field.


def event(index: float, step: int, *parts: bytes, wall_time: float | None = None) -> bytes:
    time = wall(index) if wall_time is None else wall_time
    head = wire.double(1, time) + (wire.integer(2, step) if step else b"")
    return head + b"".join(parts)


def summary(*values: bytes) -> bytes:
    return wire.message(5, *(wire.message(1, value) for value in values))


def plugin(name: str, content: bytes = b"", *more: bytes) -> bytes:
    data = wire.text(1, name) + (wire.message(2, content) if content else b"")
    return wire.message(9, wire.message(1, data), *more)


def simple(tag: str, value: float) -> bytes:
    return wire.text(1, tag) + wire.single(2, value)


def tensor_value(tag: str, dtype: int, *parts: bytes, shape: Sequence[int] | None = ()) -> bytes:
    """A Value holding a tensor; a shape of None leaves the shape message out."""
    dims = b""
    if shape is not None:
        dims = wire.message(2, *(wire.message(2, wire.integer(1, size)) for size in shape))
    return wire.text(1, tag) + wire.message(8, wire.integer(1, dtype), dims, *parts)


def point(index: int, step: int, tag: str, value: float) -> bytes:
    return event(index, step, summary(simple(tag, value)))


def version(index: float) -> bytes:
    return event(index, 0, wire.text(3, "brain.Event:2"))


def session_start(index: int, step: int) -> bytes:
    return event(index, step, wire.message(7, wire.integer(1, 1)))


class Corpus:
    """The folder being written, with what a reader must find in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.expect = Expectation("hand-made")

    def file(
        self,
        run: str,
        *payloads: bytes,
        name: str = FILE,
        versioned: bool = True,
        opened_at: float = 0,
    ) -> None:
        head = [version(opened_at)] if versioned else []
        self.raw(run, b"".join(map(wire.record, [*head, *payloads])), name=name)

    def raw(self, run: str, data: bytes, *, name: str = FILE) -> None:
        directory = self.folder / run
        directory.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(data)
        self.expect.run(run)

    def damage(self, run: str, name: str = FILE, **counts: int) -> None:
        """Expects these counts in the report on one file, and zero in the report on any other."""
        self.expect.run(run).setdefault("files", {})[name] = counts


# Names and runs.


def write_runs_and_names(corpus: Corpus) -> None:
    expect = corpus.expect
    for run in [".", "nest", "nest/eval", "ラン/γδ", "with space and ,:="]:
        corpus.file(run, point(1, 1, "loss", 0.5))
        expect.scalars(run, "loss", [1], [0.5], wall_times=[wall(1)])
    for tag, name in {"bare": "tfevents.1", "backup": "a.tfevents.bak", "host": FILE}.items():
        corpus.file("names", point(1, 1, tag, 0.5), name=name)
        expect.scalars("names", tag, [1], [0.5], wall_times=[wall(1)])
    corpus.file("profile_only", name=f"{FILE}.profile-empty")
    corpus.raw("empty_file", b"")


def write_events(corpus: Corpus) -> None:
    """Event fields besides summaries: unknown ones, log messages, several values at once."""
    expect = corpus.expect
    corpus.file(
        "events",
        event(1, 1, wire.text(99, "unknown"), summary(simple("a", 1.0), simple("b", 2.0))),
        event(2, 2, wire.message(6, wire.integer(1, 20), wire.text(2, "log message"))),
        event(2, 2, wire.message(7, wire.integer(1, 3), wire.text(2, "/checkpoint"))),
        event(2, 2, wire.message(7, wire.integer(1, 2))),
        event(3, 3, summary(simple("a", 3.0), simple("a", 4.0)), wire.message(10, b"")),
        wire.integer(2, 4) + summary(simple("no_wall_time", 1.0)),
        # Fields may come in any order; the summary before step and wall time here.
        summary(simple("b", 5.0)) + wire.integer(2, 5) + wire.double(1, wall(5)),
        event(6, 6, wire.message(5)),
    )
    expect.scalars("events", "a", [1, 3, 3], [1.0, 3.0, 4.0], wall_times=walls([1, 3, 3]))
    expect.scalars("events", "b", [1, 5], [2.0, 5.0], wall_times=walls([1, 5]))
    expect.scalars("events", "no_wall_time", [4], [1.0], wall_times=[0.0])


# Scalars.


def write_tags(corpus: Corpus) -> None:
    expect = corpus.expect
    # mxboard and CatBoost start without file_version; old TensorBoards purge on a lower step then.
    steps = [0, 1, 2, 1, 2, 3]
    corpus.file(
        "no_file_version",
        *(point(i, step, "loss", i) for i, step in enumerate(steps)),
        versioned=False,
    )
    expect.scalars("no_file_version", "loss", steps, range(6), wall_times=walls(range(6)))

    number = wire.message(8, wire.integer(1, 1), wire.message(5, struct.pack("<f", 2.5)))
    corpus.file(
        "node_name",
        event(1, 1, summary(wire.text(7, "old/simple") + wire.single(2, 1.5))),
        event(2, 2, summary(wire.text(7, "old/tensor") + number + plugin("scalars"))),
        event(3, 3, summary(simple("tag_wins", 3.5) + wire.text(7, "node"))),
    )
    for step, (tag, value) in enumerate(
        {"old/simple": 1.5, "old/tensor": 2.5, "tag_wins": 3.5}.items(), start=1
    ):
        expect.scalars("node_name", tag, [step], [value], wall_times=[wall(step)])


def write_metadata(corpus: Corpus) -> None:
    """Writers of the TF1 family give metadata once per tag and writer; others late or twice."""
    expect = corpus.expect

    def number(tag: str, value: float) -> bytes:
        return tensor_value(tag, 1, wire.message(5, struct.pack("<f", value)))

    shown = wire.text(2, "Loss") + wire.text(3, "first *words*")
    corpus.file(
        "metadata",
        event(0, 0, summary(number("once", 0.0) + plugin("scalars", b"", shown))),
        *(event(i, i, summary(number("once", i))) for i in [1, 2]),
        event(0, 0, summary(number("twice", 0.0) + plugin("scalars", b"", shown))),
        event(1, 1, summary(number("twice", 1.0) + plugin("scalars", b"", wire.text(2, "New")))),
        event(0, 0, summary(simple("late", 0.0))),
        event(1, 1, summary(simple("late", 1.0) + plugin("scalars", b"", shown))),
        event(0, 0, summary(number("late_tensor", 0.0))),
        event(1, 1, summary(number("late_tensor", 1.0) + plugin("scalars"))),
    )
    first = {"plugin_name": "scalars", "display_name": "Loss", "description": "first *words*"}
    expect.scalars("metadata", "once", range(3), range(3), metadata=first)
    expect.scalars("metadata", "twice", range(2), range(2), metadata=first)
    expect.scalars("metadata", "late", range(2), range(2))
    expect.scalars("metadata", "late_tensor", range(2), range(2))


def write_conflict(corpus: Corpus) -> None:
    """One tag, two dashboards: the first value names the tag, what does not fit is a tensor."""
    number = wire.message(5, struct.pack("<f", 2.0))
    words = tensor_value("mixed", 7, wire.message(8, b"words"))
    corpus.file(
        "conflict",
        event(1, 1, summary(simple("mixed", 1.0))),
        event(2, 2, summary(tensor_value("mixed", 1, number) + plugin("scalars"))),
        event(3, 3, summary(words + plugin("text"))),
        event(4, 4, summary(simple("mixed", 4.0))),
    )
    corpus.expect.scalars(
        "conflict", "mixed", [1, 2, 4], [1.0, 2.0, 4.0], wall_times=walls([1, 2, 4])
    )
    corpus.expect.run("conflict")["elsewhere"] = {"mixed": "tensors"}


# Number, name, struct format of tensor_content (None: typed list only), typed list field, values.
DTYPES: list[tuple[int, str, str | None, int, list[float]]] = [
    (1, "float", "f", 5, [0.5, float("nan"), float("inf")]),
    (2, "double", "d", 6, [0.1, 1e300, float("-inf")]),
    (3, "int32", "i", 7, [-(2**31), 7]),
    (4, "uint8", "B", 7, [0, 255]),
    (5, "int16", "h", 7, [-32768, 7]),
    (6, "int8", "b", 7, [-128, 7]),
    (9, "int64", "q", 10, [-(2**53), 7]),
    (10, "bool", "?", 11, [False, True]),
    (11, "qint8", "b", 7, [-128, 7]),
    (12, "quint8", "B", 7, [0, 255]),
    (13, "qint32", "i", 7, [-(2**31), 7]),
    (15, "qint16", "h", 7, [-32768, 7]),
    (16, "quint16", "H", 7, [0, 65535]),
    (17, "uint16", "H", 7, [0, 65535]),
    (22, "uint32", "I", 16, [0, 2**32 - 1]),
    (23, "uint64", "Q", 17, [0, 2**63]),
    (29, "int4", None, 7, [-8, 7]),
    (30, "uint4", None, 7, [0, 15]),
]
# Number, name, bytes of one element, (bit pattern, value) pairs.
BIT_PATTERNS: list[tuple[int, str, int, list[tuple[int, float]]]] = [
    (14, "bfloat16", 2, [(0x3F80, 1.0), (0xC020, -2.5), (0x7FC0, float("nan"))]),
    (19, "half", 2, [(0x3C00, 1.0), (0x0001, 2.0**-24), (0xFC00, float("-inf"))]),
    (24, "float8_e5m2", 1, [(0x3C, 1.0), (0xBE, -1.5), (0x7C, float("inf")), (0x01, 2.0**-16)]),
    (25, "float8_e4m3fn", 1, [(0x38, 1.0), (0xBC, -1.5), (0x7F, float("nan")), (0x7E, 448.0)]),
    (26, "float8_e4m3fnuz", 1, [(0x40, 1.0), (0xC4, -1.5), (0x80, float("nan")), (0x7F, 240.0)]),
    (27, "float8_e4m3b11fnuz", 1, [(0x58, 1.0), (0xDC, -1.5), (0x80, float("nan")), (0x7F, 30.0)]),
    (28, "float8_e5m2fnuz", 1, [(0x40, 1.0), (0xC2, -1.5), (0x80, float("nan"))]),
]


def typed_list(field: int, value: float) -> tuple[bytes, bytes]:
    """One element as a packed list and as a list that is not packed."""
    if field in (5, 6):
        body = struct.pack("<f" if field == 5 else "<d", value)
        loose = wire.key(field, wire.FIXED32 if field == 5 else wire.FIXED64) + body
        return wire.message(field, body), loose
    return wire.message(field, wire.varint(int(value))), wire.integer(field, int(value))


def write_dtypes(corpus: Corpus) -> None:
    """Every numeric element type as a scalar: packed or not, raw bytes, shape [1], no shape."""
    payloads = []

    def add(tag: str, dtype: int, parts: list[bytes], values: list[float], rank: str) -> None:
        shape = {"rank_0": (), "shape_1": (1,), "no_shape": None}[rank]
        for step, part in enumerate(parts):
            value = tensor_value(tag, dtype, part, shape=shape) + plugin("scalars")
            payloads.append(event(step, step, summary(value)))
        steps = range(len(parts))
        corpus.expect.scalars("dtypes", tag, steps, values, wall_times=walls(steps))

    for dtype, name, code, field, values in DTYPES:
        both = [typed_list(field, value) for value in values]
        stored = as_float32(values) if name == "float" else values
        add(f"{name}/packed", dtype, [packed for packed, _ in both], stored, "no_shape")
        add(f"{name}/unpacked", dtype, [loose for _, loose in both], stored, "rank_0")
        if code is not None:
            raw = [wire.message(4, struct.pack("<" + code, value)) for value in values]
            add(f"{name}/content", dtype, raw, stored, "shape_1")
    for dtype, name, size, patterns in BIT_PATTERNS:
        values = [value for _, value in patterns]
        raw = [wire.message(4, bits.to_bytes(size, "little")) for bits, _ in patterns]
        add(f"{name}/content", dtype, raw, values, "rank_0")
        if size == 2:
            listed = [wire.message(13, wire.varint(bits)) for bits, _ in patterns]
        else:
            listed = [wire.message(18, bytes([bits])) for bits, _ in patterns]
        add(f"{name}/packed", dtype, listed, values, "shape_1")
    # torch's add_tensor puts float32 bit patterns where 16-bit ones belong.
    wide = [1.0, -2.5, 2.0**-10]
    for dtype, name in {14: "bfloat16", 19: "half"}.items():
        listed = [
            wire.message(13, wire.varint(struct.unpack("<I", struct.pack("<f", value))[0]))
            for value in wide
        ]
        add(f"{name}/as_float32_bits", dtype, listed, as_float32(wide), "rank_0")
    # An element type of zero is written as absent, and so are zeros in typed lists.
    zero = tensor_value("float/zero_left_out", 1) + plugin("scalars")
    payloads.append(event(0, 0, summary(zero)))
    corpus.expect.scalars("dtypes", "float/zero_left_out", [0], [0.0], wall_times=[wall(0)])
    corpus.file("dtypes", *payloads)


def write_tensors(corpus: Corpus) -> None:
    """Typed lists shorter than their shape repeat their last element."""
    cases: dict[str, tuple[int, bytes, Sequence[int], list[float]]] = {
        "fill": (1, wire.message(5, struct.pack("<f", 7.0)), (2, 3), [7.0] * 6),
        "shortened": (1, wire.message(5, struct.pack("<2f", 1.0, 2.0)), (2, 2), [1, 2, 2, 2]),
        "shortened_int": (9, wire.message(10, wire.varint(5) + wire.varint(-1)), (3,), [5, -1, -1]),
        "unpacked": (9, wire.integer(10, 1) + wire.integer(10, 2), (2,), [1, 2]),
        "split": (1, wire.message(5, struct.pack("<f", 1.0)) + wire.single(5, 2.0), (2,), [1, 2]),
        "no_elements": (1, b"", (0, 3), []),
        "default": (1, b"", (2,), [0.0, 0.0]),
    }
    payloads = []
    for tag, (dtype, part, shape, values) in cases.items():
        value = tensor_value(tag, dtype, part, shape=shape) + plugin("own_plugin")
        payloads.append(event(1, 1, summary(value)))
        array = np.array(values, dtype=np.int64 if dtype == 9 else np.float32).reshape(shape)
        corpus.expect.points("tensors", tag, "tensors", [1], [tensor(array)], wall_times=[wall(1)])
    corpus.file("tensors", *payloads)


# Restarts and writers at the same time.


def write_restarts(corpus: Corpus) -> None:
    expect = corpus.expect
    # START before anything else supersedes nothing.
    points = [point(i, i, "loss", i) for i in range(3)]
    corpus.file("start_first", session_start(0, 0), *points)
    expect.scalars("start_first", "loss", range(3), range(3), wall_times=walls(range(3)))

    # The second START within one file supersedes what it overtakes, in every tag.
    corpus.file(
        "start_second",
        session_start(0, 0),
        *(point(i, i, "loss", i) for i in range(6)),
        *(point(i, i, "only_before", i) for i in range(6)),
        session_start(10, 3),
        *(point(10 + i, i, "loss", 100 + i) for i in [3, 4]),
    )
    expect.run("start_second")["hidden_points"] = 6
    expect.scalars(
        "start_second",
        "loss",
        range(5),
        [0, 1, 2, 103, 104],
        wall_times=walls([0, 1, 2, 13, 14]),
    )
    expect.scalars("start_second", "only_before", range(3), range(3), wall_times=walls(range(3)))

    # No START, but a later file goes back: the tags it writes again are superseded from there.
    corpus.file(
        "restart_silent",
        *(point(i, i, "loss", i) for i in range(6)),
        *(point(i, i, "only_before", i) for i in range(6)),
    )
    again = [point(100 + i, i, "loss", 100 + i) for i in [3, 4]]
    corpus.file("restart_silent", *again, name=SECOND_FILE, opened_at=90)
    expect.run("restart_silent")["hidden_points"] = 3
    expect.scalars(
        "restart_silent",
        "loss",
        range(5),
        [0, 1, 2, 103, 104],
        wall_times=walls([0, 1, 2, 103, 104]),
    )
    expect.scalars("restart_silent", "only_before", range(6), range(6), wall_times=walls(range(6)))

    # A second file that continues where the first ended.
    corpus.file("continued", *(point(i, i, "loss", i) for i in range(3)))
    more = [point(i, i, "loss", i) for i in range(3, 6)]
    corpus.file("continued", *more, name=SECOND_FILE, opened_at=3)
    expect.scalars("continued", "loss", range(6), range(6), wall_times=walls(range(6)))


def write_two_writers(corpus: Corpus) -> None:
    """Two processes log into one directory at the same time; nothing of either may go."""
    run, expect = "two_writers", corpus.expect
    names = [FILE, SECOND_FILE]
    for writer, name in enumerate(names):
        payloads = []
        for turn in range(4):
            index = 2 * turn + writer
            payloads.append(point(index, index, "alternating", index))
            payloads.append(point(index, turn, "same_steps", index))
            payloads.append(point(index, turn, f"own_{writer}", turn))
        corpus.file(run, *payloads, name=name)
        own = walls([2 * turn + writer for turn in range(4)])
        expect.scalars(run, f"own_{writer}", range(4), range(4), wall_times=own)
    expect.scalars(run, "alternating", range(8), range(8), wall_times=walls(range(8)))
    steps = [index // 2 for index in range(8)]
    expect.scalars(run, "same_steps", steps, range(8), wall_times=walls(range(8)))


# Media.


def write_media(corpus: Corpus) -> None:
    expect, payloads = corpus.expect, []
    files = {
        "jpeg": b"\xff\xd8\xff\xe0 not a whole picture",
        "webp": b"RIFF\x10\0\0\0WEBPVP8 not whole",
        "lying_size": b"\x89PNG\r\n\x1a\n not whole",
    }
    for tag, data in files.items():
        image = wire.integer(1, 7) + wire.integer(2, 9) + wire.integer(3, 3) + wire.message(4, data)
        payloads.append(event(1, 1, summary(wire.text(1, tag) + wire.message(4, image))))
        shown = {"width": 9, "height": 7, "items": [{"raw_sha256": sha256(data)}]}
        expect.points("media", tag, "images", [1], [shown], wall_times=[wall(1)])
    # The batch may change from step to step; none is legal too.
    for step, batch in enumerate([2, 0, 1]):
        parts = [b"9", b"7"] + [b"GIF89a %d" % i for i in range(batch)]
        listed = b"".join(wire.message(8, part) for part in parts)
        value = tensor_value("varying_batch", 7, listed, shape=[len(parts)])
        payloads.append(event(step, step, summary(value + plugin("images", b"\x10\x01"))))
    shown_batches = [
        {
            "width": 9,
            "height": 7,
            "items": [{"raw_sha256": sha256(b"GIF89a %d" % i)} for i in range(batch)],
        }
        for batch in [2, 0, 1]
    ]
    expect.points(
        "media", "varying_batch", "video", range(3), shown_batches, wall_times=walls(range(3))
    )
    sound = b"OggS not whole"
    audio = wire.single(1, 44100.0) + wire.integer(2, 1) + wire.integer(3, 5)
    audio += wire.message(4, sound) + wire.text(5, "audio/ogg")
    payloads.append(event(1, 1, summary(wire.text(1, "ogg") + wire.message(6, audio))))
    heard: Json = {"content_type": "audio/ogg", "items": [{"raw_sha256": sha256(sound)}]}
    expect.points("media", "ogg", "audio", [1], [heard], wall_times=[wall(1)])
    for tag, data in {"not_utf8": b"a\xffb", "script": b"<script>alert(1)</script>"}.items():
        value = tensor_value(tag, 7, wire.message(8, data)) + plugin("text", b"{}")
        payloads.append(event(1, 1, summary(value)))
        words = strings(data.decode(errors="replace"))
        expect.points("media", tag, "text", [1], [words], wall_times=[wall(1)])
    corpus.file("media", *payloads)


def write_histograms(corpus: Corpus) -> None:
    def legacy(
        tag: str, low: float, high: float, limits: list[float], counts: list[float]
    ) -> bytes:
        body = wire.double(1, low) + wire.double(2, high) + wire.double(3, sum(counts))
        body += wire.message(6, struct.pack(f"<{len(limits)}d", *limits))
        body += wire.message(7, struct.pack(f"<{len(counts)}d", *counts))
        return wire.text(1, tag) + wire.message(5, body)

    def loose(tag: str) -> bytes:
        body = wire.double(1, 0.5) + wire.double(2, 1.5)
        body += b"".join(wire.double(6, limit) for limit in [1.0, 2.0])
        body += b"".join(wire.double(7, count) for count in [3.0, 4.0])
        return wire.text(1, tag) + wire.message(5, body)

    rows: dict[str, tuple[bytes, list[list[float]]]] = {
        "outer_edges": (
            legacy("outer_edges", -2.0, 3.0, [-1.0, 0.0, DBL_MAX], [1.0, 0.0, 2.0]),
            [[-2.0, -1.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 3.0, 2.0]],
        ),
        "all_empty": (legacy("all_empty", 0.0, 0.0, [1.0, 2.0], [0.0, 0.0]), []),
        "one_value": (legacy("one_value", 1.5, 1.5, [1.0, 2.0, 3.0], [0, 9.0, 0]), [[1.5, 1.5, 9]]),
        "unpacked": (loose("unpacked"), [[0.5, 1.0, 3.0], [1.0, 1.5, 4.0]]),
        "precise": (
            legacy("precise", 0.1, 0.7, [0.3, 0.7], [16777217.0, 1.0]),
            [[0.1, 0.3, 16777217.0], [0.3, 0.7, 1.0]],
        ),
    }
    flat = struct.pack("<6f", 0.0, 1.0, 5.0, 1.0, 2.0, 6.0)
    single = tensor_value("single_precision", 1, wire.message(4, flat), shape=[2, 3])
    rows["single_precision"] = (
        single + plugin("histograms", b"{}"),
        [[0.0, 1.0, 5.0], [1.0, 2.0, 6.0]],
    )
    none = tensor_value("zero_rows", 2, shape=[0, 3]) + plugin("histograms")
    rows["zero_rows"] = (none, [])
    corpus.file("histograms", *(event(1, 1, summary(value)) for value, _ in rows.values()))
    for tag, (_, expected) in rows.items():
        corpus.expect.points(
            "histograms", tag, "histograms", [1], [buckets(expected)], wall_times=[wall(1)]
        )


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    corpus = Corpus(folder)
    for write in [
        write_runs_and_names,
        write_events,
        write_tags,
        write_metadata,
        write_conflict,
        write_dtypes,
        write_tensors,
        write_restarts,
        write_two_writers,
        write_media,
        write_histograms,
    ]:
        write(corpus)
    corpus.expect.write(folder)


if __name__ == "__main__":
    make(logdir("synthetic", sys.argv))
