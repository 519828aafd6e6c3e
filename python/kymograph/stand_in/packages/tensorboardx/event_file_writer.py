"""In the place of `tensorboardX.event_file_writer`."""

from kymograph.stand_in import originals
from kymograph.writer.file_writer import EventFileWriter

__all__ = ["EventFileWriter"]


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)
