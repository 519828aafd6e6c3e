"""Kymograph: every point of every training run, from TensorBoard event files."""

from kymograph._core import __version__

__all__ = ["__version__"]
