"""In the place of `tensorboard.summary`."""

from kymograph.stand_in.outputs import DirectoryOutput, Output
from kymograph.stand_in.scalar_writer import Writer

__all__ = ["DirectoryOutput", "Output", "Writer"]
