"""What a stand-in does not have, from the file whose place it took."""

from __future__ import annotations

import functools
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["original"]


def original(module: str, name: str) -> object:
    """What the real `module` calls `name`; `AttributeError` where there is no such thing."""
    try:
        # Names such as `__path__` are asked for by the import system, and say what ours is.
        if not name.startswith("__") and (real := _real(module)) is not None:
            return getattr(real, name)
    except ImportError as error:  # it needs a package that is not installed
        raise AttributeError(f"module `{module}` cannot have `{name}`: {error}") from error
    raise AttributeError(f"module `{module}` has no attribute `{name}`")


@functools.cache
def _real(module: str) -> ModuleType | None:
    package, _, child = module.rpartition(".")
    # Our folder comes first, then that of the installed package.
    for folder in sys.modules[package].__path__[1:]:
        path = Path(folder, f"{child}.py")
        spec = spec_from_file_location(f"{package}._real_{child}", path)
        if path.is_file() and spec is not None and spec.loader is not None:
            real = module_from_spec(spec)
            spec.loader.exec_module(real)
            return real
    return None
