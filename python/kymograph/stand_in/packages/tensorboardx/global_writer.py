"""In the place of `tensorboardX.global_writer`."""

from kymograph.tensorboardx import GlobalSummaryWriter

__all__ = ["GlobalSummaryWriter"]
