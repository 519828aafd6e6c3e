"""In the place of `torch.utils.tensorboard`."""

from importlib import import_module

from kymograph.stand_in.record_writer import RecordWriter
from kymograph.writer.file_writer import FileWriter
from kymograph.writer.summary_writer import SummaryWriter

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]

# Under whichever name this file runs: `torch.utils.tensorboard.summary` is there without an import.
for _name in ("summary", "writer"):
    import_module(f"{__name__}.{_name}")
