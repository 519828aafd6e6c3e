"""In the place of `tensorboardX`."""

from importlib import import_module

from kymograph.stand_in import versions
from kymograph.stand_in.record_writer import PathRecordWriter as RecordWriter
from kymograph.tensorboardx import FileWriter, GlobalSummaryWriter, SummaryWriter

__version__ = versions.TENSORBOARDX
__all__ = ["FileWriter", "GlobalSummaryWriter", "RecordWriter", "SummaryWriter", "__version__"]

# Under whichever name this file runs: `tensorboardX.summary` is there without an import.
for _name in ("event_file_writer", "global_writer", "record_writer", "summary", "writer"):
    import_module(f"{__name__}.{_name}")
