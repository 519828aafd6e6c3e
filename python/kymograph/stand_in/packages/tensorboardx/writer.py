"""In the place of `tensorboardX.writer`."""

from kymograph.tensorboardx import SummaryWriter
from kymograph.writer.file_writer import FileWriter

__all__ = ["FileWriter", "SummaryWriter"]
