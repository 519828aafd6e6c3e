"""Choosing runs and tags by glob, expression and name."""

import re
from pathlib import Path

import pytest

import kymograph
from kymograph.store.query import matcher
from tests import event_files
from tests.event_files import scalar


@pytest.mark.parametrize(
    ("pattern", "chosen"),
    [
        (None, ["a/b", "a/c", "b", "x[1]"]),
        ("a/*", ["a/b", "a/c"]),
        ("*b", ["a/b", "b"]),
        ("b", ["b"]),
        ("x[[]1]", ["x[1]"]),
        ("?", ["b"]),
        (re.compile("b"), ["a/b", "b"]),
        (re.compile("^b"), ["b"]),
        (["b", "gone"], ["b"]),
        ([], []),
    ],
)
def test_patterns_choose_names(pattern, chosen):
    names = ["a/b", "a/c", "b", "x[1]"]
    assert [name for name in names if matcher(pattern)(name)] == chosen


def test_a_selection_has_the_series_of_both_choices(tmp_path: Path):
    for run in ("exp-1", "exp-2", "other"):
        for_run = [scalar(tag, 0, 1.0) for tag in ("train/loss", "val/loss", "val/acc")]
        event_files.write(tmp_path / run, *for_run)
    selection = kymograph.open(tmp_path).select(runs="exp-*", tags=re.compile("^val"))
    assert [(series.run, series.tag) for series in selection] == [
        ("exp-1", "val/acc"),
        ("exp-1", "val/loss"),
        ("exp-2", "val/acc"),
        ("exp-2", "val/loss"),
    ]
    assert len(selection) == 4


def test_a_name_with_wildcards_in_it_is_found_by_itself():
    assert matcher("run[1]")("run[1]")
    assert matcher("run[1]")("run1")
    assert not matcher("run[1]")("run2")
