"""Names that other modules bound to the real writers before ours took their place."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

__all__ = ["BoundName", "bound_names", "missed_names", "replacements", "subclasses"]

# Packages that keep a writer class at import and use nothing of it but its methods.
_KNOWN = {
    *("accelerate", "catalyst", "composer", "deepspeed", "detectron2", "fastai", "ignite"),
    *("lightning", "lightning_fabric", "mmengine", "pytorch_lightning", "ray", "rl_games"),
    *("sb3_contrib", "skrl", "stable_baselines3", "tensorboard", "tensorboardX", "tianshou"),
    *("torch", "torchtnt", "transformers", "ultralytics"),
}
# Modules that bind None when there is no writer at import: name → where it comes from.
_MISSED = {
    "stable_baselines3.common.logger": {
        "SummaryWriter": "torch.utils.tensorboard",
        "hparams": "torch.utils.tensorboard.summary",
    }
}


@dataclass(frozen=True)
class BoundName:
    """`module.name` is a real thing that now has a stand-in, `ours`."""

    module: ModuleType
    name: str
    ours: object

    @property
    def is_known(self) -> bool:
        return self.module.__name__.partition(".")[0] in _KNOWN

    def __str__(self) -> str:
        return f"{self.module.__name__}.{self.name}"


def replacements(real: ModuleType, ours: ModuleType) -> dict[int, object]:
    """By identity of the real thing: the modules, and the classes and functions of one name."""
    found: dict[int, object] = {id(real): ours}
    theirs = _contents(real)
    for name, value in _contents(ours).items():
        if callable(value) and callable(theirs.get(name)) and theirs[name] is not value:
            found[id(theirs[name])] = value
    return found


def bound_names(replaced: Mapping[int, object], besides: Mapping[str, object]) -> list[BoundName]:
    """Where a replaced thing is still bound, outside the modules `besides`."""
    return [
        BoundName(module, name, replaced[id(value)])
        for holder, module in _modules()
        if holder not in besides
        for name, value in list(_contents(module).items())
        if id(value) in replaced
    ]


def missed_names() -> list[tuple[BoundName, str]]:
    """Names that are None because there was no writer, each with the module that now has it."""
    found = []
    for holder, names in _MISSED.items():
        module = sys.modules.get(holder)
        if module is not None and _contents(module).get("SummaryWriter", module) is None:
            found += [(BoundName(module, name, None), origin) for name, origin in names.items()]
    return found


def subclasses(real: ModuleType, besides: Mapping[str, object]) -> list[str]:
    """Classes that inherit from the real module's, which no patch can change."""
    own = [value for value in _contents(real).values() if isinstance(value, type)]
    children: list[type] = []
    for parent in own:
        if parent.__module__ == real.__name__:
            children += parent.__subclasses__()
    return [f"{c.__module__}.{c.__qualname__}" for c in children if c.__module__ not in besides]


def _modules() -> Iterator[tuple[str, ModuleType]]:
    for name, module in list(sys.modules.items()):
        # A module may be in the table under several names.
        if issubclass(type(module), ModuleType) and _contents(module).get("__name__") == name:
            yield name, module


def _contents(module: ModuleType) -> dict[str, object]:
    # Plain `vars` would make a lazy module load.
    contents: dict[str, object] = object.__getattribute__(module, "__dict__")
    return contents
