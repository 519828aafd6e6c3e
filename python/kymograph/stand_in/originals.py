"""Functions that a stand-in does not have, from the file whose place it took."""

from __future__ import annotations

import functools
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["SUMMARY_PARTS", "original"]

# They give TensorBoard's messages, so they need its package all the same.
SUMMARY_PARTS = {"compute_curve", "draw_boxes", "make_histogram", "make_image", "make_video"}


def original(module: str, name: str) -> object:
    """What the real `module` calls `name`; `AttributeError` where the package is not installed."""
    if name in SUMMARY_PARTS and (real := _real(module)) is not None:
        return getattr(real, name)
    raise AttributeError(f"module `{module}` has no attribute `{name}`")


@functools.cache
def _real(module: str) -> ModuleType | None:
    package, _, child = module.rpartition(".")
    # Our folder comes first, then that of the installed package.
    for folder in sys.modules[package].__path__[1:]:
        spec = spec_from_file_location(f"{package}._real_{child}", Path(folder, f"{child}.py"))
        if spec is not None and spec.loader is not None:
            real = module_from_spec(spec)
            spec.loader.exec_module(real)
            return real
    return None
