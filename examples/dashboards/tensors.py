"""Demo data for the tensors dashboard: a confusion matrix that turns diagonal with training."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kymograph import SummaryWriter

CLASSES = 10
IMAGES_PER_CLASS = 1000
# Classes that even people take for one another: cats and dogs, cars and trucks.
ALIKE = ((3, 5), (1, 9), (4, 7))


def log(writer: SummaryWriter, step: int, wall_time: float, learnt: float) -> None:
    """Logs what a model that has learnt this share of its task gets right and wrong."""
    writer.add_tensor("eval/confusion", confusion(learnt), step, wall_time)


def confusion(learnt: float) -> npt.NDArray[np.int32]:
    """How many images of each class (row) were taken for each class (column)."""
    weights = np.full((CLASSES, CLASSES), (1 - learnt) / CLASSES + 0.002)
    weights[np.diag_indices(CLASSES)] += learnt
    for one, other in ALIKE:
        weights[one, other] += 0.09 * learnt
        weights[other, one] += 0.06 * learnt
    randoms = np.random.default_rng(round(1e6 * learnt))
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.stack([randoms.multinomial(IMAGES_PER_CLASS, row) for row in shares]).astype(np.int32)
