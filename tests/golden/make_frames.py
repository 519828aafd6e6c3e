"""Writes `frames/`: column frames byte by byte as the reference lays them out, and what is in them.

    python -m tests.golden.make_frames

Beside each `NAME.kymf` is `NAME.json`: the meta object, and for each column its type and its
numbers. There NaN, infinities and minus zero are strings, and so are 64-bit integers, which a
page would otherwise round.
"""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any, TypeAlias

FRAMES = Path(__file__).parent / "frames"

# dtype → how `struct` writes one number of it.
CODES = {
    "f64": "d",
    "f32": "f",
    "i64": "q",
    "u64": "Q",
    "i32": "i",
    "u32": "I",
    "i16": "h",
    "u16": "H",
    "i8": "b",
    "u8": "B",
}
NAN, INF = math.nan, math.inf

Column: TypeAlias = "tuple[str, str, list[float]]"
"""Name, dtype, numbers."""


def padded(data: bytes, filler: bytes) -> bytes:
    return data + filler * (-len(data) % 8)


def frame(meta: dict[str, Any], columns: list[Column]) -> bytes:
    """Magic │ version, three zeros │ length of the header │ header, spaces │ columns, zeros."""
    listed, body = [], b""
    for name, dtype, numbers in columns:
        listed.append({"name": name, "dtype": dtype, "length": len(numbers), "offset": len(body)})
        body += padded(struct.pack(f"<{len(numbers)}{CODES[dtype]}", *numbers), b"\0")
    header = json.dumps(
        {"columns": listed, "meta": meta}, ensure_ascii=False, separators=(",", ":")
    ).encode()
    # The columns begin at a multiple of 8, counted from the first byte of the frame.
    header += b" " * (-(12 + len(header)) % 8)
    return b"KYMF" + bytes([1, 0, 0, 0]) + struct.pack("<I", len(header)) + header + body


def spelled(dtype: str, number: float) -> Any:
    if dtype in ("i64", "u64"):
        return str(number)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    return "-0" if number == 0 and math.copysign(1, number) < 0 else number


def expected(meta: dict[str, Any], columns: list[Column]) -> str:
    numbers = {
        name: {"dtype": dtype, "numbers": [spelled(dtype, number) for number in numbers]}
        for name, dtype, numbers in columns
    }
    return json.dumps({"meta": meta, "columns": numbers}, indent=1, ensure_ascii=False) + "\n"


# Lengths that need every amount of padding; the min and max number of each type.
TYPES: list[Column] = [
    ("f64", "f64", [0.1, -0.0, NAN, INF, -INF, 5e-324, 1.7976931348623157e308]),
    ("f32", "f32", [0.5, -0.0, NAN, INF, -INF]),
    ("i64", "i64", [-(2**63), -1, 2**53 + 1, 2**63 - 1]),
    ("u64", "u64", [0, 2**53 + 1, 2**64 - 1]),
    ("i32", "i32", [-(2**31), 0, 2**31 - 1]),
    ("u32", "u32", [0, 2**32 - 1, 7]),
    ("i16", "i16", [-(2**15), 2**15 - 1]),
    ("u16", "u16", [0, 2**16 - 1, 258]),
    ("i8", "i8", [-128, 127, -1, 0, 1]),
    ("u8", "u8", [0, 255, 1, 2, 3, 4, 5, 6, 7]),
]

NO_ENTRIES: list[Column] = [("value", "f32", []), ("x", "i32", []), ("count", "u32", [])]

# An answer to `scalars/series`: an exact line and a reduced one, a band, a line and a band that
# did not change, and a run that is not there.
SERIES_META = {
    "instance": "f2ca1bb6c7e907d0",
    "change": 41,
    "series": [
        {
            "card": 0,
            "run": "été/«本»",
            "tag": "loss",
            "change": 40,
            "generation": 3,
            "points": 3,
            "exact": True,
            "sorted": True,
            "points_in_range": 3,
            "skipped": 0,
            "bounds": [0.0, 20.0],
            "start": 0,
            "length": 3,
            "smoothed_start": 0,
        },
        {
            "card": 0,
            "run": "long",
            "tag": "loss",
            "change": 41,
            "generation": 4,
            "points": 1000,
            "exact": False,
            "sorted": True,
            "points_in_range": 998,
            "skipped": 0,
            "bounds": [1.0, 999.0],
            "start": 0,
            "length": 2,
            "smoothed_start": 0,
            "before": [0.0, 4.0, 4.0],
        },
    ],
    "groups": [
        {"card": 1, "group": 0, "runs": 2, "exact": True, "skipped": 0, "start": 0, "length": 2}
    ],
    "unchanged": [{"card": 0, "run": "quiet"}, {"card": 1, "group": 1}],
    "missing": [{"card": 0, "run": "gone", "lacks": "run"}],
}
SERIES: list[Column] = [
    ("x", "i32", [0, 10, 20]),
    ("value", "f32", [1.5, NAN, 0.25]),
    ("smoothed", "f64", [1.5, NAN, 0.9047619047619048]),
    ("column_x_first", "i32", [1, 500]),
    ("column_x_last", "i32", [499, 998]),
    ("column_first", "f32", [4.0, 2.0]),
    ("column_min", "f32", [2.0, 1.0]),
    ("column_max", "f32", [4.0, 2.5]),
    ("column_last", "f32", [2.25, 1.0]),
    ("column_count", "u32", [499, 499]),
    ("column_flags", "u8", [0, 5]),
    ("column_smoothed_first", "f64", [4.0, 2.1]),
    ("column_smoothed_min", "f64", [2.2, 1.1]),
    ("column_smoothed_max", "f64", [4.0, 2.3]),
    ("column_smoothed_last", "f64", [2.2, 1.1]),
    ("band_x", "f64", [0.0, 10.0]),
    ("band_count", "u32", [2, 1]),
    ("band_mean", "f64", [1.25, 0.1]),
]

# An answer to `blobs/list`: a series that is sent whole, one that continues after two blobs that
# the client has, one of which nothing is new but its description, one that did not change, and one
# whose tag is not there. Its addresses are those of the reference.
BLOB_LIST_META = {
    "instance": "f2ca1bb6c7e907d0",
    "change": 41,
    "complete": True,
    "series": [
        {
            "series": 0,
            "run": "été/«本»",
            "tag": "attention",
            "dashboard": "tensors",
            "change": 40,
            "generation": 3,
            "total": 2,
            "first": 0,
            "start": 0,
            "count": 2,
            "plugin": "my_plugin",
            "display_name": "Attention",
            "description": "of *all* heads",
            "content": "Af8=",
        },
        {
            "series": 1,
            "run": "long",
            "tag": "photo",
            "dashboard": "images",
            "change": 41,
            "generation": 4,
            "total": 3,
            "first": 2,
            "start": 2,
            "count": 1,
            "plugin": "images",
            "display_name": "",
            "description": "",
            "content": "",
        },
        {
            "series": 2,
            "run": "quiet",
            "tag": "photo",
            "dashboard": "images",
            "change": 41,
            "generation": 5,
            "total": 7,
            "first": 7,
            "start": 3,
            "count": 0,
            "plugin": "images",
            "display_name": "Photo",
            "description": "",
            "content": "",
        },
    ],
    "unchanged": [4],
    "missing": [{"series": 3, "lacks": "tag"}],
}
BLOB_LIST: list[Column] = [
    ("step", "i32", [0, 10, 2000]),
    ("wall_time", "f64", [1700000000.0, 1700000010.25, 1700002000.5]),
    ("kind", "u8", [20, 20, 2]),
    ("file", "u32", [0, 0, 1]),
    ("record_offset", "f64", [29.0, 11337.0, 5000000000.0]),
    ("payload_length", "u32", [11280, 11280, 4294967295]),
    ("value_offset", "u32", [26, 26, 26]),
    ("value_length", "u32", [11248, 11248, 11248]),
]

GOLDEN: dict[str, tuple[dict[str, Any], list[Column]]] = {
    "types": ({}, TYPES),
    "no_columns": ({"change": 0}, []),
    "no_entries": ({"change": 7, "tags": ["a/b", "\"quoted\" \\ 'so'"]}, NO_ENTRIES),
    "series": (SERIES_META, SERIES),
    "blob_list": (BLOB_LIST_META, BLOB_LIST),
    # Characters of two, three and four bytes: the header's length counts bytes.
    "names": ({"runs": ["ü", "中文", "🧪 run"]}, [("größe 🧪", "u16", [1, 2, 3])]),
}


def main() -> None:
    FRAMES.mkdir(exist_ok=True)
    for name, (meta, columns) in GOLDEN.items():
        (FRAMES / f"{name}.kymf").write_bytes(frame(meta, columns))
        (FRAMES / f"{name}.json").write_text(expected(meta, columns), "utf-8")


if __name__ == "__main__":
    main()
