"""In the place of `tensorboardX.writer`."""

from kymograph.tensorboardx import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]
