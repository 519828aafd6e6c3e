"""Demo data for the mesh dashboard: a knot that forms out of noise, and a coloured landscape."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kymograph import SummaryWriter

POINTS = 1200
SIDE = 24

Array = npt.NDArray[np.float32]


def log(writer: SummaryWriter, step: int, wall_time: float, learnt: float) -> None:
    """Logs what a model that has learnt this share of its task makes of a shape and of terrain."""
    points, colours = knot(learnt)
    config = {"material": {"cls": "PointsMaterial", "size": 0.06}}
    writer.add_mesh("world/knot", points, colours, None, config, step, wall_time)
    vertices, paint, faces = terrain(learnt)
    writer.add_mesh("world/terrain", vertices, paint, faces, None, step, wall_time)


def knot(learnt: float) -> tuple[Array, npt.NDArray[np.uint8]]:
    """Points of a trefoil knot, as far from it as the model is; coloured along it."""
    randoms = np.random.default_rng(5)  # the same points at every step, so that they move
    along = randoms.uniform(0, 2 * np.pi, POINTS)
    radius = 2 + np.cos(3 * along)
    centre = np.stack([radius * np.cos(2 * along), radius * np.sin(2 * along), np.sin(3 * along)])
    tube = randoms.normal(0, 0.12, (3, POINTS))
    noise = randoms.normal(0, 1.4, (3, POINTS))
    points = learnt * (centre + tube) + (1 - learnt) * noise
    hue = along[:, None] + np.array([0, 2, 4]) * np.pi / 3
    colours = np.clip(140 + 100 * np.cos(hue), 0, 255).astype(np.uint8)
    return points.T[None].astype(np.float32), colours[None]


def terrain(learnt: float) -> tuple[Array, npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """A landscape of which the model has learnt the hills, and still gets the rest wrong."""
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    hills = 0.35 * np.exp(-6 * ((x - 0.3) ** 2 + (y + 0.2) ** 2))
    hills += 0.12 * np.sin(3 * x) * np.cos(4 * y)
    noise = np.random.default_rng(round(1e6 * learnt)).normal(0, 0.06, x.shape)
    height = learnt * hills + (1 - learnt) * noise
    vertices = np.stack([x, y, height], axis=-1).reshape(1, -1, 3).astype(np.float32)
    share = np.clip((height.ravel() + 0.15) / 0.6, 0, 1)[:, None]
    low, high = np.array([58, 110, 82]), np.array([232, 224, 206])
    colours = (low + share * (high - low)).astype(np.uint8)[None]
    corner = (np.arange(SIDE - 1)[:, None] * SIDE + np.arange(SIDE - 1)).ravel()
    upper = np.stack([corner, corner + 1, corner + SIDE + 1], axis=-1)
    lower = np.stack([corner, corner + SIDE + 1, corner + SIDE], axis=-1)
    return vertices, colours, np.concatenate([upper, lower])[None].astype(np.int32)
