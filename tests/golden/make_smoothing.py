"""Writes `smoothing.json`: values, a weight, and what exponential smoothing makes of them.

    python -m tests.golden.make_smoothing

The core smooths them as the file says, and so does the page. NaN and infinities are strings.
"""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import Any

from tests.store import lod_twin

SMOOTHING = Path(__file__).parent / "smoothing.json"
NAN, INF = math.nan, math.inf


def single(value: float) -> float:
    """As an event file holds it."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


WAVE = [single(math.sin(n / 3) + n / 20) for n in range(100)]
CASES: list[tuple[float, list[float]]] = [
    (0.6, []),
    (0.6, [2.5]),
    (0.6, [0.1] * 9),
    (0.6, [0.5, 0.5, 0.5, 1.0, 0.5]),
    *((weight, WAVE) for weight in (0.0, 0.3, 0.6, 0.99, 0.999, 1.0)),
    (0.9, [NAN, 1.0, 2.0, INF, -INF, 3.0, NAN, -4.0]),
    (0.9, [NAN, 0.5, 0.5, 0.5]),
    (0.9, [NAN, NAN]),
    (0.6, [INF, INF, INF]),
]


def spelled(value: float) -> float | str:
    if math.isnan(value):
        return "NaN"
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def cases() -> list[dict[str, Any]]:
    return [
        {
            "weight": weight,
            "values": [spelled(single(value)) for value in values],
            "smoothed": [
                spelled(value) for value in lod_twin.ema(list(map(single, values)), weight)
            ],
        }
        for weight, values in CASES
    ]


def text() -> str:
    return "[\n" + ",\n".join(json.dumps(case) for case in cases()) + "\n]\n"


if __name__ == "__main__":
    SMOOTHING.write_text(text(), "utf-8")
