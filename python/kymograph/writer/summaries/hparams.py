"""Hyperparameters of a run, and the metrics to judge it by, into three summaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kymograph.writer import arrays, wire

__all__ = ["Hparam", "Summaries", "hparams", "plain", "summaries"]

Plain: TypeAlias = bool | int | float | str
Summaries: TypeAlias = tuple[wire.Summary, wire.Summary, wire.Summary]
"""What the experiment compares, what this session began with, and that it ended well."""

_STRING, _BOOL, _FLOAT64 = 1, 2, 3
_STATUS_SUCCESS = 1


class Hparam(NamedTuple):
    """One hyperparameter; without a value, only its name is logged."""

    name: str
    value: Plain | None
    domain: Sequence[Plain] | None = None


def hparams(
    hparam_dict: Mapping[str, Any] | None = None,
    metric_dict: Mapping[str, Any] | None = None,
    hparam_domain_discrete: Mapping[str, list[Any]] | None = None,
) -> Summaries:
    """The summaries `experiment`, `session_start_info` and `session_end_info`.

    Values may be numbers, bools and strings of Python and numpy, and tensors, of which the first
    element counts; those that are None are left out. `hparam_domain_discrete` lists all values a
    hyperparameter can take.
    """
    chosen = _dictionary("hparam_dict", hparam_dict)
    metrics = _dictionary("metric_dict", metric_dict)
    domains = _dictionary("hparam_domain_discrete", hparam_domain_discrete or {})
    for name, domain in domains.items():
        if name not in chosen or not _is_domain(domain, chosen[name]):
            raise TypeError(
                f"`hparam_domain_discrete[{name}]` should be a list of same type as "
                f"`hparam_dict[{name}]`"
            )
    return summaries(
        [
            Hparam(name, plain(value), _plain_domain(domains.get(name)))
            for name, value in chosen.items()
            if value is not None
        ],
        metrics,
    )


def _dictionary(name: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise TypeError(f"`{name}` should be a dictionary, nothing logged: {type(given)}")
    return given


def plain(value: Any) -> Plain:
    """A bool, number or string as Python has it; `ValueError` if the value is neither."""
    if isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    elif hasattr(type(value), "__array__"):
        array = arrays.to_numpy(value)
        if array.ndim > 1:
            raise TypeError(f"a hyperparameter should be one number, but got shape: {array.shape}")
        if array.size > 1 and isinstance(value, np.ndarray):  # of tensors the first one counts
            raise ValueError(f"a hyperparameter should be one number, but got: {array.size}")
        value = array.reshape(-1)[:1].tolist()[0]
    if not isinstance(value, (bool, int, float, str)):
        raise ValueError(
            f"value should be one of int, float, str, bool, or torch.Tensor: {type(value)}"
        )
    return value


def _plain_domain(domain: list[Any] | None) -> list[Plain] | None:
    return None if domain is None else [plain(item) for item in domain]


def _is_domain(domain: Any, value: Any) -> bool:
    """Whether it is a list of things of the value's type, where numpy's numbers are Python's."""
    kind = type(value.item() if isinstance(value, np.generic) else value)
    return isinstance(domain, list) and all(
        isinstance(item.item() if isinstance(item, np.generic) else item, kind) for item in domain
    )


def summaries(chosen: Iterable[Hparam], metrics: Iterable[str]) -> Summaries:
    """The three summaries, of hyperparameters and names of metrics."""
    infos = b""
    session = b""
    for hparam in chosen:
        infos += wire.message(4, _info(hparam))
        if hparam.value is not None:
            session += wire.message(
                1, _name(1, hparam.name), wire.message(2, _value(hparam.value, hparam.value))
            )
    for metric in metrics:
        infos += wire.message(5, wire.message(1, _name(2, metric)))
    return (
        _summary("experiment", wire.data(2, infos)),
        _summary("session_start_info", wire.data(3, session)),
        _summary("session_end_info", wire.message(4, wire.integer(1, _STATUS_SUCCESS))),
    )


def _summary(name: str, content: bytes) -> wire.Summary:
    return wire.summary(wire.value(f"_hparams_/{name}", wire.plugin("hparams", content)))


def _info(hparam: Hparam) -> bytes:
    name, value, domain = hparam
    if value is None:
        return _name(1, name)
    kind = _BOOL if isinstance(value, bool) else _STRING if isinstance(value, str) else _FLOAT64
    info = _name(1, name) + wire.integer(4, kind)
    if domain is not None:
        info += wire.message(5, *(wire.message(1, _value(item, value)) for item in domain))
    return info


def _value(item: Plain, like: Plain) -> bytes:
    """A `google.protobuf.Value` of the kind that `like` is."""
    if isinstance(like, bool):
        return wire.integer(4, bool(item))
    if isinstance(like, str):
        return wire.text(3, str(item))
    return wire.double(2, float(item))


def _name(field: int, name: str) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"names of hyperparameters and metrics should be strings: {name!r}")
    return wire.text(field, name)
