"""Modules that take long to import, each imported when something of it is first used.

    from kymograph.lazy import numpy as np

Commands and boards that need no arrays start without them; `tests/server/test_startup.py` holds
which these are. What a module does with `np` at its top level is done when it is imported, so
tables of functions and types are made inside functions.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["numpy"]


class _LazyModule(ModuleType):
    """A placeholder for a module until one of its attributes is used."""

    def __getattr__(self, name: str) -> object:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)  # found without this detour from now on
        return value


if TYPE_CHECKING:
    import numpy
else:
    numpy = _LazyModule("numpy")
