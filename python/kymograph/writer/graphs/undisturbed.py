"""Runs a module for a picture of it and leaves no trace in the training job."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

__all__ = ["undisturbed"]


@contextmanager
def undisturbed(model: Any) -> Iterator[None]:
    """The module in eval mode; afterwards all is as before: modes, attributes, buffers, seeds."""
    import torch

    before = [_Attributes(module) for module in model.modules()]
    buffers = [
        (buffer, _changes(buffer), buffer.detach().clone())
        for buffer in model.buffers()
        if not torch.nn.parameter.is_lazy(buffer) and not buffer.is_inference()
    ]
    devices = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else ()
    python, numpy = random.getstate(), np.random.get_state()
    try:
        with torch.random.fork_rng(devices), warnings.catch_warnings():
            # What tracing has to say about itself, first of all that it is deprecated.
            warnings.simplefilter("ignore")
            # The flags themselves: `train()` may be overridden to do more, which nothing undoes.
            for each in before:
                each.module.training = False
            yield
    finally:
        for each in before:
            each.restore()
        for buffer, version, content in buffers:
            if _changes(buffer) != version:
                with torch.no_grad():
                    buffer.copy_(content)
        random.setstate(python)
        np.random.set_state(numpy)


def _changes(tensor: Any) -> int:
    """How often it was written to; torch has no public word for it."""
    return int(tensor._version)  # noqa: SLF001


class _Attributes:
    """What one module of a model is made of, one level deep.

    All or nothing: a module that makes its weights at the first call and notes that it did would
    be broken by half of it.
    """

    def __init__(self, module: Any) -> None:
        self.module = module
        self.kind = type(module)
        self.training = module.training  # not among the attributes of compiled modules
        self.own = dict(vars(module))
        self.children = {
            name: dict(self.own[name])
            for name in ("_parameters", "_buffers", "_modules")
            if name in self.own
        }

    def restore(self) -> None:
        self.module.training = self.training
        if type(self.module) is not self.kind:
            return  # torch's lazy modules: the call has made them what they stay
        _make_equal(vars(self.module), self.own)
        for name, content in self.children.items():
            _make_equal(self.own[name], content)


def _make_equal(changed: dict[str, Any], original: dict[str, Any]) -> None:
    for name in changed.keys() - original.keys():
        del changed[name]
    changed.update(original)
