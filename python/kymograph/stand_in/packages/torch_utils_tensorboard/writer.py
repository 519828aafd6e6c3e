"""In the place of `torch.utils.tensorboard.writer`."""

from kymograph.writer.file_writer import FileWriter
from kymograph.writer.summary_writer import SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]
