"""In the place of `tensorboardX.summary`."""

from kymograph.tensorboardx.summary import *  # noqa: F403
