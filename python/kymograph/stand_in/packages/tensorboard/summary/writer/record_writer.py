"""In the place of `tensorboard.summary.writer.record_writer`."""

from kymograph.stand_in.record_writer import RecordWriter

__all__ = ["RecordWriter"]
