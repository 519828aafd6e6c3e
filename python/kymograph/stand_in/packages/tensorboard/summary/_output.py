"""In the place of `tensorboard.summary._output`."""

from kymograph.stand_in.outputs import DirectoryOutput, Output

__all__ = ["DirectoryOutput", "Output"]
