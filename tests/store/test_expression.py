"""Expressions over tags: what is read, what is computed, and what is refused with which words."""

import math

import numpy as np
import pytest

from kymograph.errors import QueryError
from kymograph.store import expression

COLUMNS = {
    "a": np.array([1.0, 2.0, 3.0]),
    "b": np.array([4.0, -5.0, 6.0]),
    "train/loss": np.array([10.0, 20.0, 30.0]),
    "layer.0/w:norm[3]": np.array([0.5, 0.25, 0.125]),
    "min": np.array([7.0, 8.0, 9.0]),
    "Größe": np.array([1.0, 1.0, 1.0]),
    "val-loss (best)": np.array([3.0, 2.0, 1.0]),
}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a", [1.0, 2.0, 3.0]),
        ("train/loss - a", [9.0, 18.0, 27.0]),
        ("train/loss-a", [9.0, 18.0, 27.0]),
        ("train/loss / a", [10.0, 10.0, 10.0]),
        ("a - b - 1", [-4.0, 6.0, -4.0]),
        ("a - (b - 1)", [-2.0, 8.0, -2.0]),
        ("1 + 2 * a", [3.0, 5.0, 7.0]),
        ("(1 + 2) * a", [3.0, 6.0, 9.0]),
        ("12 / 2 / a", [6.0, 3.0, 2.0]),
        ("-a * -b", [4.0, -10.0, 18.0]),
        ("--a", [1.0, 2.0, 3.0]),
        ("abs(b)", [4.0, 5.0, 6.0]),
        ("sqrt(a * a)", [1.0, 2.0, 3.0]),
        ("log(exp(a))", [1.0, 2.0, 3.0]),
        ("log10(a * 100 / a)", [2.0, 2.0, 2.0]),
        ("min(a, b, 2)", [1.0, -5.0, 2.0]),
        ("max(a, b)", [4.0, 2.0, 6.0]),
        ("min * 2", [14.0, 16.0, 18.0]),
        ("`min`-1", [6.0, 7.0, 8.0]),
        ("1.5e1*a + .5", [15.5, 30.5, 45.5]),
        ("  `val-loss (best)`+Größe\n", [4.0, 3.0, 2.0]),
        ("layer.0/w:norm[3]", [0.5, 0.25, 0.125]),
    ],
)
def test_what_is_written_is_computed(text, values):
    assert expression.parse(text).compute(COLUMNS).tolist() == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 / a", [math.inf, -1.0, math.nan]),
        ("log(a)", [-math.inf, math.nan, math.nan]),
        ("max(a, 5)", [5.0, 5.0, math.nan]),
    ],
)
def test_what_has_no_value_is_not_finite(text, values):
    column = {"a": np.array([0.0, -1.0, math.nan])}
    np.testing.assert_array_equal(expression.parse(text).compute(column), values)


def test_tags_are_named_once_in_their_order():
    assert expression.parse("b + a * b - `c d`").tags == ("b", "a", "c d")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "at character 1: expected a tag, a number or `(`, found the end"),
        ("a +", "at character 4: expected a tag, a number or `(`, found the end"),
        ("a b", "at character 3: expected an operator or the end, found `b`"),
        ("(a", "at character 3: expected `)`, found the end"),
        ("a)", "at character 2: expected an operator or the end, found `)`"),
        ("abs(a, b)", "at character 6: expected `)`, found `,`"),
        ("min(a b)", "at character 7: expected `,` or `)`, found `b`"),
        ("min(a)", "at character 1: `min` takes at least two values, not one"),
        ("1 + sin(a)", "at character 5: unknown function `sin`; use one of: abs, log, log10"),
        ("a + 2x", "at character 5: this is not a number; put a tag that begins like this in"),
        ("a ^ 2", "at character 3: `^` has no meaning here; put a tag that contains it in"),
        ("a + `b", "at character 5: unclosed or empty backticks"),
        ("a + ``", "at character 5: unclosed or empty backticks"),
        ("a ** 2", "at character 4: expected a tag, a number or `(`, found `*`"),
        ("1 + 2", "an expression must contain at least one tag"),
        ("(" * 51 + "a" + ")" * 51, "at character 51: nested deeper than 50 levels"),
        ("-" * 100 + "a", "nested deeper than 50 levels"),
        ("a" + " + a" * 200, "at most 250 operands and operators"),
        ("+".join(f"t{at}" for at in range(17)), "may contain at most 16 tags, not: 17"),
        ("a" * 4097, "at most 4096 characters"),
    ],
)
def test_errors_have_a_position(text, sentence):
    with pytest.raises(QueryError) as refused:
        expression.parse(text)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
