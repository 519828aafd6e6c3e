"""Finds our modules under the names of other packages."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["PACKAGES", "StandInFinder", "is_stand_in"]

PACKAGES = Path(__file__).parent / "packages"

# What `install()` is asked for → the modules it provides. A package brings its submodules along.
_FILES = {
    "torch": {"torch.utils.tensorboard": "torch_utils_tensorboard/__init__.py"},
    "tensorboardx": {"tensorboardX": "tensorboardx/__init__.py"},
    # Only where it is not installed: of a real TensorBoard nothing but the two writers is ours.
    "tensorboard": {
        "tensorboard": "tensorboard/__init__.py",
        "tensorboard.summary.writer.event_file_writer": (
            "tensorboard/summary/writer/event_file_writer.py"
        ),
        "tensorboard.summary._writer": "tensorboard/summary/_writer.py",
    },
}


def is_stand_in(module: ModuleType | None) -> bool:
    """Whether a module of `sys.modules` is one of ours under another package's name."""
    spec = getattr(module, "__spec__", None)
    return spec is not None and str(spec.origin).startswith(str(PACKAGES))


class StandInFinder:
    """An entry of `sys.meta_path`; the modules are real files with real specs."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self.files = {
            name: PACKAGES / file for part in wanted for name, file in _FILES[part].items()
        }

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Ours in place of `name`, or None where the other finders shall answer."""
        del target
        file = self.files.get(name)
        if file is None:
            return None
        if file.name != "__init__.py":
            return spec_from_file_location(name, file)
        real = self._real(name, path)
        if name == "tensorboard" and real is not None:
            return None
        # What we do not provide is still found in the real package, if there is one.
        places = [str(file.parent), *(real.submodule_search_locations or () if real else ())]
        return spec_from_file_location(name, file, submodule_search_locations=places)

    def _real(self, name: str, path: Sequence[str] | None) -> ModuleSpec | None:
        for finder in sys.meta_path:
            if isinstance(finder, StandInFinder):
                continue
            find_spec = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find_spec(name, path, None) if find_spec else None
            # A log directory called `tensorboard` looks like a package without a file.
            if spec is not None and spec.origin is not None:
                return spec
        return None
