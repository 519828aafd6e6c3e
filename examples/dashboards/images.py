"""Demo data for the images dashboard: a map whose segmentation sharpens with training."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from kymograph import SummaryWriter

SIDE = 128
# Field, forest, road, water, building.
COLOURS = np.array(
    [[221, 207, 154], [94, 140, 90], [140, 136, 128], [78, 134, 178], [181, 101, 74]], np.uint8
)
Labels = npt.NDArray[np.int64]
Picture = npt.NDArray[np.uint8]


def log(writer: SummaryWriter, step: int, wall_time: float, learnt: float) -> None:
    """Logs how a model that has learnt this share of its task sees one map."""
    randoms = np.random.default_rng(round(1e6 * learnt))
    guess, doubt = prediction(learnt, randoms)
    for name, picture, layout in (
        ("input", photograph(), "HWC"),
        ("prediction", COLOURS[guess], "HWC"),
        ("error", mistakes(guess), "HWC"),
        ("entropy", doubt, "HW"),
    ):
        writer.add_image(f"map/{name}", picture, step, wall_time, dataformats=layout)


@cache
def truth() -> Labels:
    """What is on each pixel."""
    y, x = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    waves = np.sin(9 * x + 2 * y) + np.sin(7 * y - 3 * x) + np.sin(14 * x * y)
    labels: Labels = np.where(waves > 0.9, 1, 0)
    labels[np.abs(y - 0.8 - 0.06 * np.sin(7 * x)) < 0.045] = 3
    labels[np.abs(x - 0.62 + 0.25 * y) < 0.02] = 2
    labels[np.abs(y - 0.4) < 0.018] = 2
    places = np.random.default_rng(5).integers(4, SIDE - 12, (34, 2))
    for top, left in places:
        house = labels[top : top + 6, left : left + 7]
        if not np.isin(house, (2, 3)).any():
            house[:] = 4
    return labels


@cache
def photograph() -> Picture:
    """The map as a satellite sees it."""
    randoms = np.random.default_rng(6)
    light = COLOURS[truth()].astype(float) * 0.8 + randoms.normal(0, 14, (SIDE, SIDE, 1))
    picture: Picture = np.clip(light, 0, 255).astype(np.uint8)
    return picture


def prediction(learnt: float, randoms: np.random.Generator) -> tuple[Labels, Picture]:
    """The most likely class of each pixel, and how unsure the model is about it."""
    evidence = np.eye(len(COLOURS))[truth()]
    blurred = smooth(evidence, round(6 * (1 - learnt)))
    noise = smooth(randoms.normal(0, 1, evidence.shape), 3) * 2.2 * (1.02 - learnt)
    scores = np.exp(3 * (0.4 + learnt) * (blurred + noise))
    shares = scores / scores.sum(axis=2, keepdims=True)
    entropy = -(shares * np.log(shares)).sum(axis=2) / np.log(len(COLOURS))
    return shares.argmax(axis=2), np.clip(255 * entropy, 0, 255).astype(np.uint8)


def smooth(values: npt.NDArray[np.float64], radius: int) -> npt.NDArray[np.float64]:
    """The mean of the neighbours, twice in both directions."""
    for axis in (0, 1, 0, 1):
        moved = [np.roll(values, by, axis) for by in range(-radius, radius + 1)]
        values = np.mean(moved, axis=0)
    return values


def mistakes(guess: Labels) -> Picture:
    """Red where the prediction is wrong."""
    picture: Picture = np.full((SIDE, SIDE, 3), 240, np.uint8)
    picture[guess != truth()] = (168, 35, 47)
    return picture
