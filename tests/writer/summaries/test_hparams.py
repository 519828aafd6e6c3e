"""What of a dictionary of hyperparameters is written, and of which type."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from kymograph.writer.summaries import hparams
from tests.golden import wire
from tests.interop import plugin_messages

STRING, BOOL, FLOAT64 = 1, 2, 3


def content(summary: bytes, tag: str) -> bytes:
    (value,) = wire.all_bytes(summary, 1)
    assert wire.last_bytes(value, 1) == tag.encode()
    assert [field for field, _ in wire.fields(value)] == [1, 9]
    return plugin_messages.plugin_content(value)


def session(hparam_dict: dict[str, Any]) -> dict[str, Any]:
    _, start, _ = hparams.hparams(hparam_dict, {})
    said: dict[str, Any] = plugin_messages.hparams(content(start, "_hparams_/session_start_info"))
    return said["hparams"] if said.get("hparams") else {}


def infos(*arguments: Any) -> list[bytes]:
    experiment, _, _ = hparams.hparams(*arguments)
    return wire.all_bytes(wire.last_bytes(content(experiment, "_hparams_/experiment"), 2), 4)


def test_three_summaries():
    experiment, start, end = hparams.hparams({"lr": 0.1, "opt": "adam"}, {"loss": 1, "acc": 2})
    assert plugin_messages.hparams(content(experiment, "_hparams_/experiment")) == {
        "hparam_names": ["lr", "opt"],
        "metric_tags": ["loss", "acc"],
    }
    assert plugin_messages.hparams(content(start, "_hparams_/session_start_info")) == {
        "hparams": {"lr": 0.1, "opt": "adam"}
    }
    assert content(end, "_hparams_/session_end_info") == b"\x22\x02\x08\x01"


class Tensor:
    """Something that only numpy can read."""

    def __init__(self, numbers: Any):
        self.numbers = np.array(numbers)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.numbers


@pytest.mark.parametrize(
    ("value", "written", "kind"),
    [
        (0, 0.0, FLOAT64),
        (3, 3.0, FLOAT64),
        (0.1, 0.1, FLOAT64),
        (True, True, BOOL),
        (False, False, BOOL),
        ("", "", STRING),
        ("a b", "a b", STRING),
        (np.float64(0.1), 0.1, FLOAT64),
        (np.float32(0.5), 0.5, FLOAT64),
        (np.int64(-7), -7.0, FLOAT64),
        (np.bool_(True), True, BOOL),
        (np.str_("s"), "s", STRING),
        (np.array([0.5], object), 0.5, FLOAT64),
        (Tensor(4), 4.0, FLOAT64),
        (Tensor([5, 6]), 5.0, FLOAT64),
    ],
)
def test_values_keep_their_type(value: Any, written: Any, kind: int):
    (found,) = session({"x": value}).values()
    assert (type(found), found) == (type(written), written)
    (info,) = infos({"x": value}, {})
    assert wire.last_bytes(info, 1) == b"x"
    assert wire.last_integer(info, 4) == kind


def test_none_is_left_out():
    assert session({"a": None, "b": 1}) == {"b": 1.0}
    assert len(infos({"a": None, "b": 1}, {})) == 1
    assert infos({}, {}) == []


def test_domains_are_of_the_type_of_the_value():
    domains = {"b": [True, False], "n": [1, np.int64(2)], "s": ["x"], "f": []}
    found = infos({"b": True, "n": 1, "s": "x", "f": 0.5, "free": 1}, {}, domains)
    lists = [wire.all_bytes(info, 5) for info in found]
    assert [len(each) for each in lists] == [1, 1, 1, 1, 0]
    items = [[list(wire.fields(v)) for v in wire.all_bytes(each, 1)] for (each,) in lists[:4]]
    number = struct.Struct("<d").pack
    assert items == [
        [[(4, 1)], [(4, 0)]],
        [[(2, number(1.0))], [(2, number(2.0))]],
        [[(3, b"x")]],
        [],
    ]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((None, {}), TypeError),
        (([], {}), TypeError),
        (({}, None), TypeError),
        (({}, {}, ["a"]), TypeError),
        (({"a": 1}, {}, {"b": [1]}), TypeError),
        (({"a": 1}, {}, {"a": (1, 2)}), TypeError),
        (({"a": 1}, {}, {"a": [0.5]}), TypeError),
        (({"a": "x"}, {}, {"a": [1]}), TypeError),
        (({"a": [1]}, {}), ValueError),
        (({"a": {}}, {}), ValueError),
        (({"a": 1j}, {}), ValueError),
        (({"a": np.zeros((2, 2))}, {}), TypeError),
        (({"a": np.zeros(0)}, {}), IndexError),
        (({"a": np.zeros(2)}, {}), ValueError),
        (({1: 1}, {}), TypeError),
        (({}, {1: 1}), TypeError),
    ],
)
def test_wrong_arguments_raise_as_pytorchs(arguments: Any, error: type[Exception]):
    with pytest.raises(error):
        hparams.hparams(*arguments)
