"""Demo data for the video dashboard: a walker that gets farther before it falls."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kymograph import SummaryWriter

HEIGHT, WIDTH = 72, 128
FPS = 20
LONGEST, SHORTEST = 60, 14
GROUND = 58
SKY, EARTH, BODY = (214, 224, 228), (112, 104, 92), (40, 42, 46)


def log(writer: SummaryWriter, step: int, wall_time: float, learnt: float) -> None:
    """Logs a rollout of a walker that has learnt this share of its task."""
    frames = rollout(learnt).transpose(0, 3, 1, 2)[None]
    writer.add_video("rollout/side_view", frames, step, FPS, wall_time)


def rollout(learnt: float) -> npt.NDArray[np.uint8]:
    """The frames until it falls: more for one that has learnt more."""
    count = round(SHORTEST + learnt * (LONGEST - SHORTEST))
    return np.stack([frame(at, count, learnt) for at in range(count)])


def frame(at: int, count: int, learnt: float) -> npt.NDArray[np.uint8]:
    """The walker over ground that passes by; in the last frames it leans over."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:GROUND], picture[GROUND:] = SKY, EARTH
    speed = 0.6 + 1.6 * learnt
    # Marks on the ground show how far it has come.
    for mark in range(0, WIDTH + 16, 16):
        picture[GROUND:, (mark - round(at * speed)) % WIDTH] = BODY
    fall = max(0.0, 1 - (count - at) / 8) if learnt < 0.95 else 0.0
    swing = 0.7 * np.sin(at * 0.45 * speed)
    hip = np.array([GROUND - 20 + 14 * fall, WIDTH / 2])
    lean = 1.3 * fall
    for angle in (swing, -swing):
        line(picture, hip, (np.pi / 2 + angle * (1 - fall)) - lean, 20)
    line(picture, hip, -np.pi / 2 + lean, 18, thick=2)
    return picture


def line(
    picture: npt.NDArray[np.uint8],
    start: npt.NDArray[np.float64],
    angle: float,
    length: int,
    *,
    thick: int = 1,
) -> None:
    """Draws a limb from a joint on."""
    for along in range(length):
        y = int(start[0] + along * np.sin(angle))
        x = int(start[1] + along * np.cos(angle))
        picture[max(0, y - thick) : y + thick + 1, max(0, x - thick) : x + thick + 1] = BODY
