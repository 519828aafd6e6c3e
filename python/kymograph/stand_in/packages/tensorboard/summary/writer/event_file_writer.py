"""In the place of `tensorboard.summary.writer.event_file_writer`, also inside an installed one."""

from kymograph.stand_in.event_file_writer import EventFileWriter

__all__ = ["EventFileWriter"]
