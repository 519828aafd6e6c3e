"""In the place of `tensorboard.summary._writer`, also inside an installed TensorBoard."""

from kymograph.stand_in.scalar_writer import Writer

__all__ = ["Writer"]
