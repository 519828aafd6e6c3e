"""What a golden script logged, collected while it logs, and written as `expected.json`."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Json = dict[str, Any]


class Expectation:
    """The runs, tags and points one script logged; nothing in here is read back from files."""

    def __init__(self, producer: str) -> None:
        self.producer = producer
        self.runs: dict[str, Json] = {}

    def run(self, name: str, *, hidden_points: int = 0) -> Json:
        return self.runs.setdefault(name, {"hidden_points": hidden_points, "tags": {}})

    def scalars(
        self,
        run: str,
        tag: str,
        steps: Iterable[int],
        values: Iterable[float],
        *,
        wall_times: Sequence[float | None] | None = None,
        metadata: Json | None = None,
    ) -> None:
        """Expects a series; a wall time of None only has to be finite."""
        entry: Json = {
            "dashboard": "scalars",
            "steps": [int(step) for step in steps],
            "values": [exact(value) for value in values],
        }
        if len(entry["steps"]) != len(entry["values"]):
            raise ValueError(f"steps and values differ in length: {run} {tag}")
        if metadata is not None:
            entry["metadata"] = metadata
        self._add(run, tag, entry, wall_times)

    def points(
        self,
        run: str,
        tag: str,
        dashboard: str,
        steps: Iterable[int],
        points: Sequence[Json],
        *,
        wall_times: Sequence[float | None] | None = None,
    ) -> None:
        entry: Json = {"dashboard": dashboard, "steps": [int(s) for s in steps], "points": points}
        if len(entry["steps"]) != len(points):
            raise ValueError(f"steps and points differ in length: {run} {tag}")
        self._add(run, tag, entry, wall_times)

    def write(self, folder: Path) -> None:
        content = {"producer": self.producer, "runs": dict(sorted(self.runs.items()))}
        (folder / "expected.json").write_text(_layout(content) + "\n", encoding="utf-8")

    def _add(
        self, run: str, tag: str, entry: Json, wall_times: Sequence[float | None] | None
    ) -> None:
        if wall_times is not None:
            entry["wall_times"] = [None if w is None else exact(w) for w in wall_times]
        tags = self.run(run)["tags"]
        if tag in tags:
            raise ValueError(f"expected twice: {run} {tag}")
        tags[tag] = entry


def exact(value: float) -> float | str:
    """A float for JSON without loss: the shortest digits that give it back, or nan, inf, -inf."""
    number = float(value)
    return number if math.isfinite(number) else str(number)


def as_float32(values: Iterable[float]) -> list[float]:
    with np.errstate(over="ignore"):
        return [float(np.float32(value)) for value in values]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def pixels(image: np.ndarray[Any, Any]) -> Json:
    """An H x W x C image of bytes, as what its decoded file must equal."""
    if image.dtype != np.uint8 or image.ndim != 3:
        raise ValueError(f"not an H x W x C image of bytes: {image.dtype} {image.shape}")
    return {"shape": list(image.shape), "sha256": sha256(np.ascontiguousarray(image).tobytes())}


def clip(samples: np.ndarray[Any, Any], sample_rate: int) -> Json:
    """A frames x channels clip of 16-bit samples, as what its decoded WAV file must equal."""
    data = np.ascontiguousarray(samples, dtype="<i2")
    return {
        "sample_rate": sample_rate,
        "channels": data.shape[1],
        "frames": data.shape[0],
        "sha256": sha256(data.tobytes()),
    }


def tensor(array: np.ndarray[Any, Any]) -> Json:
    """A tensor's shape and its elements in C order, complex numbers as pairs."""
    flat = array.reshape(-1)
    if flat.dtype.kind == "c":
        values: list[Any] = [[exact(v.real), exact(v.imag)] for v in flat]
    elif flat.dtype.kind in "biu":
        values = [int(v) for v in flat]
    else:
        values = [exact(float(v)) for v in flat]
    return {"shape": list(array.shape), "values": values}


def strings(array: Any) -> Json:
    """A text value of any rank."""
    values = np.array(array, dtype=object)
    return {"shape": list(values.shape), "strings": [str(v) for v in values.reshape(-1)]}


def buckets(rows: Iterable[Sequence[float]]) -> Json:
    return {"buckets": [[exact(edge) for edge in row] for row in rows]}


def trimmed_buckets(
    limits: Sequence[float], counts: Sequence[float], low: float, high: float
) -> Json:
    """The rows a legacy histogram stands for: no outer empty buckets, outer edges the extremes."""
    filled = [i for i, count in enumerate(counts) if count > 0]
    if not filled:
        return buckets([])
    first, last = filled[0], filled[-1]
    inner = list(limits[first:last])
    return buckets(
        list(row)
        for row in zip([low, *inner], [*inner, high], counts[first : last + 1], strict=True)
    )


def logdir(name: str, arguments: Sequence[str]) -> Path:
    """Where a script writes: the folder named on its command line, or the one kept in git."""
    return Path(arguments[1]) if len(arguments) > 1 else Path(__file__).parent / "logdirs" / name


def settle(folder: Path) -> None:
    """Gives new event files below a folder fixed names that sort in the order of their creation."""
    for parent, _, names in sorted(os.walk(folder)):
        done = sum(".golden." in name for name in names)
        fresh = sorted(n for n in names if "tfevents" in n and ".golden." not in n)
        for index, name in enumerate(fresh, start=done):
            suffix = next((s for s in (".profile-empty", ".v2") if name.endswith(s)), "")
            target = f"events.out.tfevents.{1700000000 + index}.golden.{index}{suffix}"
            Path(parent, name).rename(Path(parent, target))


def _layout(value: Any, indent: str = "") -> str:
    """JSON with one line per leaf: a list of plain values, or a small object, is not broken up."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (len(flat) < 80 and "{" not in flat[1:]):
        return flat
    inner = indent + " "
    if isinstance(value, list):
        if not any(isinstance(item, dict) for item in value):
            return flat
        rows = [_layout(item, inner) for item in value]
        return f"[\n{inner}" + f",\n{inner}".join(rows) + f"\n{indent}]"
    rows = [f"{json.dumps(k, ensure_ascii=False)}: {_layout(v, inner)}" for k, v in value.items()]
    return f"{{\n{inner}" + f",\n{inner}".join(rows) + f"\n{indent}}}"
