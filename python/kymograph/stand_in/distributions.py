"""Answers `importlib.metadata` for stand-ins whose real packages are not installed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, DistributionFinder
from os import PathLike
from pathlib import Path
from typing import Any

from kymograph.stand_in.finder import PACKAGES
from kymograph.stand_in.versions import TENSORBOARD, TENSORBOARDX

__all__ = ["DistributionsFinder"]

_VERSIONS: Mapping[str, tuple[str, str]] = {
    "tensorboard": ("tensorboard", TENSORBOARD),
    "tensorboardx": ("tensorboardX", TENSORBOARDX),
}


class _StandInDistribution(Distribution):
    def __init__(self, name: str, version: str) -> None:
        self._texts = {
            "METADATA": (
                f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
                "Summary: Kymograph in the place of this package\n"
            ),
            "top_level.txt": f"{name}\n",
        }

    def read_text(self, filename: str | PathLike[str]) -> str | None:
        return self._texts.get(str(filename))

    def locate_file(self, path: str | PathLike[str]) -> Path:
        return PACKAGES / path


class DistributionsFinder:
    """An entry of `sys.meta_path` that finds no modules, only what is said about them."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = [part for part in wanted if part in _VERSIONS]

    def find_spec(self, *_: Any) -> None:
        """Nothing: modules are `StandInFinder`'s."""

    def find_distributions(self, context: DistributionFinder.Context) -> Iterator[Distribution]:
        """The distributions asked for that are not really installed."""
        # A search in a given path is for what is there, and stand-ins are in no path.
        if context.path is not sys.path:
            return
        for part in self._wanted:
            asked_for = context.name is None or _normalized(context.name) == part
            if asked_for and not _is_installed(part):
                yield _StandInDistribution(*_VERSIONS[part])


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _is_installed(name: str) -> bool:
    context = DistributionFinder.Context(name=name)
    finders = [
        finder
        for finder in sys.meta_path
        if hasattr(finder, "find_distributions") and not isinstance(finder, DistributionsFinder)
    ]
    return any(next(iter(finder.find_distributions(context)), None) for finder in finders)
