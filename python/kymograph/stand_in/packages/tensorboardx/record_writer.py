"""In the place of `tensorboardX.record_writer`, for local files."""

from kymograph.stand_in.record_writer import PathRecordWriter as RecordWriter

__all__ = ["RecordWriter"]
