"""Puts the stand-ins into `sys.modules` and `sys.meta_path`, and takes them out again."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType, TracebackType
from typing import final

from kymograph.stand_in.bound_names import (
    BoundName,
    bound_names,
    missed_names,
    replacements,
    subclasses,
)
from kymograph.stand_in.finder import StandInFinder, is_stand_in

__all__ = ["Installation", "install"]

logger = logging.getLogger(__name__)
_NOTHING = object()


def install(
    *,
    torch: bool = True,
    tensorboardx: bool = True,
    tensorboard: bool = True,
    metadata: bool = True,
    patch: bool = True,
) -> Installation:
    """Make other packages' imports of TensorBoard writers resolve to Kymograph's.

    Call it before importing the framework that logs:

        import kymograph

        kymograph.install()
        import lightning  # its TensorBoardLogger now writes through Kymograph

    Args:
        torch: stand in for `torch.utils.tensorboard`.
        tensorboardx: stand in for `tensorboardX`.
        tensorboard: stand in for `tensorboard.summary.Writer` and TensorBoard's event file writer.
            All other parts of an installed TensorBoard stay as they are.
        metadata: let `importlib.metadata` find `tensorboard` and `tensorboardX` where they are not
            installed.
        patch: in frameworks that were imported before, replace the real classes they use. What
            is used elsewhere is named in a warning.

    Returns:
        What takes everything back: by its `undo()`, or at the end of a `with` block.
    """
    chosen = {"torch": torch, "tensorboardx": tensorboardx, "tensorboard": tensorboard}
    wanted = [part for part, is_wanted in chosen.items() if is_wanted]
    return Installation(wanted, metadata=metadata, patch=patch)


@final
class Installation:
    """What `install()` did, to be undone."""

    def __init__(self, wanted: Sequence[str], *, metadata: bool, patch: bool) -> None:
        self._finder = StandInFinder(wanted)
        self._finders: list[object] = [self._finder]
        sys.meta_path.insert(0, self._finder)
        if metadata:
            from kymograph.stand_in.distributions import DistributionsFinder

            distributions = DistributionsFinder(wanted)
            self._finders.append(distributions)
            # Last, so that everything really installed comes first.
            sys.meta_path.append(distributions)
        # The real modules that were loaded, and what attributes held, latest change last.
        self._real: dict[str, ModuleType] = {}
        self._attributes: list[tuple[ModuleType, str, object]] = []
        try:
            self._take_loaded_places()
            self._replace_bound_names(patch=patch)
        except BaseException:
            self.undo()
            raise

    def undo(self) -> None:
        """Take the stand-ins out and put back what was there; a second call does nothing."""
        if not self._finders:
            return
        sys.meta_path[:] = [entry for entry in sys.meta_path if entry not in self._finders]
        self._finders = []
        ours = {name: sys.modules.get(name) for name in self._finder.files}
        for name, module in ours.items():
            if is_stand_in(module):
                self._remove(name)
        for module, name, value in reversed(self._attributes):
            if value is _NOTHING:
                vars(module).pop(name, None)
            else:
                setattr(module, name, value)
        sys.modules.update(self._real)
        for name, module in ours.items():
            # Loaded meanwhile, the rest of the real TensorBoard holds our writers.
            if module is not None and name not in self._real and name.startswith("tensorboard."):
                _give_back(name, module)

    def __enter__(self) -> Installation:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.undo()

    def _take_loaded_places(self) -> None:
        for name in self._finder.files:
            real = sys.modules.get(name)
            path = getattr(sys.modules.get(name.rpartition(".")[0]), "__path__", None)
            is_ours = real is None or is_stand_in(real)
            if is_ours or self._finder.find_spec(name, path) is None:
                continue
            self._take_place(name)

    def _take_place(self, name: str) -> None:
        family = _family(name)
        self._real |= family
        parent, _, child = name.rpartition(".")
        if parent:
            self._remember(sys.modules[parent], child)
        root = self._finder.files[name].parent
        for member in family:
            inside = member[len(name) :].replace(".", "/")
            if member == name or (root / f"{inside[1:]}.py").is_file():
                del sys.modules[member]
        ours = import_module(name)
        for member, module in family.items():
            holder, _, attribute = member.rpartition(".")
            if holder == name and member in sys.modules and not hasattr(ours, attribute):
                setattr(ours, attribute, module)

    def _replace_bound_names(self, *, patch: bool) -> None:
        replaced: dict[int, object] = {}
        inherited: list[str] = []
        for name, real in self._real.items():
            ours = sys.modules.get(name)
            if is_stand_in(ours) and ours is not None:
                replaced |= replacements(real, ours)
                inherited += subclasses(real, self._real)
        stale = bound_names(replaced, self._real) if replaced else []
        left = [] if patch else stale
        for bound in stale if patch else []:
            if bound.is_known:
                self._set(bound, bound.ours)
            elif not is_stand_in(bound.module):
                left.append(bound)
        for bound, origin in missed_names() if patch else []:
            if origin in self._finder.files or origin.rpartition(".")[0] in self._finder.files:
                self._set(bound, getattr(import_module(origin), bound.name))
        for who in sorted({*map(str, left), *inherited}):
            logger.warning("still uses the original writer, import it after `install()`: %s", who)

    def _set(self, bound: BoundName, value: object) -> None:
        self._remember(bound.module, bound.name)
        setattr(bound.module, bound.name, value)

    def _remember(self, module: ModuleType, name: str) -> None:
        self._attributes.append((module, name, vars(module).get(name, _NOTHING)))

    def _remove(self, name: str) -> None:
        for member in _family(name):
            module = sys.modules.pop(member)
            holder, _, attribute = member.rpartition(".")
            parent = sys.modules.get(holder)
            if parent is not None and vars(parent).get(attribute) is module:
                delattr(parent, attribute)


def _give_back(name: str, ours: ModuleType) -> None:
    if name.rpartition(".")[0] in sys.modules:
        for bound in bound_names(replacements(ours, import_module(name)), {}):
            if bound.is_known:
                setattr(bound.module, bound.name, bound.ours)


def _family(name: str) -> dict[str, ModuleType]:
    """The loaded modules called `name`, and those inside it."""
    return {
        member: module
        for member, module in sys.modules.items()
        if member == name or member.startswith(f"{name}.")
    }
