"""Layouts of the custom scalars dashboard, and what is refused."""

from __future__ import annotations

import pytest

from kymograph.writer.summaries import custom_scalars
from tests.golden import wire


def test_a_layout_is_written_with_its_categories_charts_and_tags():
    layout = {
        "losses": {
            "both": ["Multiline", ["train", "valid"]],
            "range": ["Margin", ["loss/mean", "loss/low", "loss/high"]],
        },
        "none": {},
    }
    value = wire.last_bytes(custom_scalars.custom_scalars(layout), 1)
    assert wire.last_bytes(value, 1) == b"custom_scalars__config__"
    assert wire.last_bytes(value, 9) == wire.message(1, wire.text(1, "custom_scalars"))
    tensor = wire.last_bytes(value, 8)
    assert wire.last_integer(tensor, 1) == 7
    assert wire.all_bytes(tensor, 2) == [b""]
    losses, none = wire.all_bytes(wire.last_bytes(tensor, 8), 2)
    assert none == wire.text(1, "none")
    both = wire.text(1, "both") + wire.message(2, wire.text(1, "train"), wire.text(1, "valid"))
    bounds = wire.text(1, "loss/mean") + wire.text(2, "loss/low") + wire.text(3, "loss/high")
    margin = wire.text(1, "range") + wire.message(3, wire.message(1, bounds))
    assert losses == wire.text(1, "losses") + wire.message(2, both) + wire.message(2, margin)


@pytest.mark.parametrize(
    ("layout", "error"),
    [
        ({"a": {"b": ["Margin", ["x", "y"]]}}, AssertionError),
        ([], AttributeError),
        ({"a": []}, AttributeError),
        ({"a": {"b": []}}, IndexError),
        ({1: {}}, TypeError),
        ({"a": {1: ["Multiline", []]}}, TypeError),
        ({"a": {"b": ["Multiline", [1]]}}, TypeError),
        ({"a": {"b": ["Margin", [1, 2, 3]]}}, TypeError),
    ],
)
def test_what_is_no_layout_is_refused(layout, error):
    with pytest.raises(error):
        custom_scalars.custom_scalars(layout)
