"""In the place of `tensorboard` where it is not installed: the writers, no server."""

from importlib import import_module

from kymograph.stand_in import versions

__version__ = versions.TENSORBOARD
__all__ = ["__version__"]

# Under whichever name this file runs: `tensorboard.summary` is there without an import.
import_module(f"{__name__}.summary")
