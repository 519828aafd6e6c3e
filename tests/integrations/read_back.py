"""What a log directory holds, by our reader and TensorBoard's, which must agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.interop import tensorboard_loaders as loaders
from tests.interop.tensorboard_loaders import Found, Place

Points = list[tuple[int, float]]


def read_back(logdir: Path) -> Found:
    """Everything in the directory, read twice."""
    ours = loaders.read_ours(logdir)
    theirs = loaders.read_python(logdir)
    assert ours
    assert _rounded(ours) == _rounded(theirs)
    return ours


def _rounded(found: Found) -> Found:
    """TensorBoard's Python loader turns the histograms of PyTorch's style into 32-bit floats."""
    return {
        place: [
            replace(p, content=(p.content[0], np.float32(p.content[1]).tolist())) for p in points
        ]
        if place.dashboard == "histograms"
        else points
        for place, points in found.items()
    }


def scalars(found: Found, run: str) -> dict[str, Points]:
    """The steps and values of each scalar tag of a run."""
    return {tag: points(found, "scalars", run, tag) for tag in tags(found, "scalars", run)}


def tags(found: Found, dashboard: str, run: str) -> list[str]:
    places = [place for place in found if (place.dashboard, place.run) == (dashboard, run)]
    return [place.tag for place in places]


def points(found: Found, dashboard: str, run: str, tag: str) -> list[tuple[int, Any]]:
    return [(point.step, point.content) for point in found[Place(dashboard, run, tag)]]
