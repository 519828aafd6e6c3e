"""tensorboardX's writer, argument for argument: `from kymograph.tensorboardx import SummaryWriter`.

The events are those of `kymograph.SummaryWriter`, except for what the two libraries do differently:
docs/reference/tensorboardx.md.
"""

from kymograph.tensorboardx.global_writer import GlobalSummaryWriter
from kymograph.tensorboardx.writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "GlobalSummaryWriter", "SummaryWriter"]
