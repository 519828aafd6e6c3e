"""Ignite: the logger that its TensorBoard handlers work with."""

from __future__ import annotations

from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError

try:
    from ignite.handlers.tensorboard_logger import TensorboardLogger
except ImportError as error:
    message = "ignite is not installed\nhint: pip install pytorch-ignite"
    raise MissingDependencyError(message) from error

__all__ = ["KymographLogger"]


class KymographLogger(TensorboardLogger):
    """Ignite's `TensorboardLogger` on our writer, whose arguments it takes.

    from kymograph.integrations.ignite import KymographLogger

    with KymographLogger("runs/first") as logger:
        logger.attach_output_handler(
            trainer, Events.ITERATION_COMPLETED, "train", output_transform=lambda x: {"loss": x}
        )
        trainer.run(data)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Not Ignite's own, which looks for tensorboardX; its handlers only know the attribute.
        self.writer = SummaryWriter(*args, **kwargs)
