"""In the place of `tensorboardX.summary`."""

from kymograph.stand_in import originals
from kymograph.tensorboardx.summary import *  # noqa: F403


def __getattr__(name: str) -> object:
    return originals.original(__name__, name)
