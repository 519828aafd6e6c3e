"""Choosing runs and tags by glob, expression and name."""

import re
from pathlib import Path

import pytest

import kymograph
from kymograph.errors import QueryError
from kymograph.store.query import linear_pattern, matcher
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


@pytest.mark.parametrize(
    ("text", "ignore_case", "found"),
    [
        ("loss", False, ["train/loss", "loss"]),
        ("^LOSS$", False, []),
        ("^LOSS$", True, ["loss"]),
        (r"^größe_\d$", False, ["größe_1"]),
        ("", False, ["train/loss", "loss", "größe_1", ""]),
    ],
)
def test_linear_patterns_are_searched_for(text: str, ignore_case: bool, found: list[str]):
    names = ["train/loss", "loss", "größe_1", ""]
    matches = linear_pattern(text, ignore_case=ignore_case).search(names)
    assert [name for name, match in zip(names, matches, strict=True) if match] == found


@pytest.mark.parametrize("text", ["(", "a(?=b)", r"(a)\1", "x" * 1001, r"(\w{99}){99}"])
def test_what_is_no_linear_pattern_is_refused(text: str):
    with pytest.raises(QueryError) as refusal:
        linear_pattern(text)
    assert "\n" not in str(refusal.value)


def test_a_pattern_that_takes_others_for_ever_is_answered():
    name = "a" * 5000 + "!"
    assert linear_pattern("^(a+)+$").search([name]) == [False]


def test_a_tag_has_a_series_in_each_run_that_logged_it(tmp_path: Path):
    for run, tags in {"a": ["loss"], "b": ["acc"], "c/d": ["acc", "loss"]}.items():
        event_files.write(tmp_path / run, *(scalar(tag, 0, 1.0) for tag in tags))
    store = kymograph.open(tmp_path)
    assert [(series.run, series.tag) for series in store.all_series("loss")] == [
        ("a", "loss"),
        ("c/d", "loss"),
    ]
    assert store.all_series("gone") == []


def test_bands_may_have_other_series_for_x(tmp_path: Path):
    for run, shift in {"a": 0.0, "b": 10.0}.items():
        points = [(0, 0.0, 4.0), (1, 10.0, 2.0), (2, 20.0, 0.0)]
        values = [scalar("loss", step, shift + value) for step, _, value in points]
        event_files.write(tmp_path / run, *values, *(scalar("x", at, x) for at, x, _ in points))
    store = kymograph.open(tmp_path)
    selection = store.select(tags="loss")
    bands = selection.bands(x=store.all_series("x"))
    assert bands.x.tolist() == [0.0, 10.0, 20.0]
    assert bands.mean.tolist() == [9.0, 7.0, 5.0]
    with pytest.raises(QueryError, match="one x for each member"):
        selection.bands(x=store.all_series("x")[:1])
