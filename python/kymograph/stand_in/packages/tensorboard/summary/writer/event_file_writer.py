"""In the place of `tensorboard.summary.writer.event_file_writer`, also inside an installed one."""

from kymograph.writer.file_writer import EventFileWriter

__all__ = ["EventFileWriter"]
