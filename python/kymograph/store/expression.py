"""Expressions over tags, such as `train/loss - val/loss`: read once, then computed on columns.

    sum      = product (("+" | "-") product)*
    product  = factor (("*" | "/") factor)*
    factor   = "-" factor | number | tag | function "(" sum ("," sum)* ")" | "(" sum ")"

A tag is written as it is if it begins with a letter or `_` and continues with letters, digits and
any of `_./:@#%$[]`, else in backticks. Hence `a/b` is a tag, and `a / b` a quotient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import msgspec

from kymograph.errors import QueryError
from kymograph.lazy import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Expression", "parse"]

Floats: TypeAlias = "npt.NDArray[np.float64]"

# So much is computed at once by anyone who asks.
_MOST_CHARACTERS = 4096
_MOST_STEPS = 250
_MOST_TAGS = 16
_DEEPEST = 50

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<word>[^\W\d][\w./:@#%$\[\]]*)"
    r"|`(?P<quoted>[^`]+)`"
    r"|(?P<sign>[-+*/(),]))"
)


class _Ufunc(NamedTuple):
    """A function of numpy by its name: to read an expression needs no numpy, to compute it does."""

    name: str


_FUNCTIONS = {
    "abs": _Ufunc("abs"),
    "log": _Ufunc("log"),
    "log10": _Ufunc("log10"),
    "exp": _Ufunc("exp"),
    "sqrt": _Ufunc("sqrt"),
    "min": _Ufunc("minimum"),
    "max": _Ufunc("maximum"),
}
_OF_SEVERAL = {"min", "max"}
_OPERATORS = {
    "+": _Ufunc("add"),
    "-": _Ufunc("subtract"),
    "*": _Ufunc("multiply"),
    "/": _Ufunc("divide"),
}
_NEGATIVE = _Ufunc("negative")


class _Token(NamedTuple):
    kind: str
    text: str
    place: int
    """Of its first character, counted from 1 as people do."""


class _Step(NamedTuple):
    """Puts a number or a column on the stack, or an operation's result in its operands' place."""

    what: float | str | _Ufunc
    operands: int = 0


class Expression(msgspec.Struct, frozen=True):
    """What is to be computed of tags, point by point."""

    text: str
    tags: tuple[str, ...]
    """Each once, in the order in which they are named."""
    steps: tuple[_Step, ...]

    def compute(self, columns: Mapping[str, Floats]) -> Floats:
        """The values, from those of each tag, all of one length."""
        stack: list[Any] = []
        # Whatever cannot be computed is NaN or infinite, as everywhere in a chart.
        with np.errstate(all="ignore"):
            for what, operands in self.steps:
                if isinstance(what, float):
                    stack.append(np.float64(what))
                elif isinstance(what, str):
                    stack.append(columns[what])
                else:
                    values = stack[len(stack) - operands :]
                    del stack[len(stack) - operands :]
                    ufunc = getattr(np, what.name)
                    stack.append(ufunc(values[0]) if operands == 1 else reduce(ufunc, values))
        return np.asarray(stack[0], np.float64)


@lru_cache(maxsize=256)
def parse(text: str) -> Expression:
    """Reads an expression. Raises QueryError that says what is wrong, and where."""
    if len(text) > _MOST_CHARACTERS:
        raise QueryError(f"an expression may have at most {_MOST_CHARACTERS} characters")
    steps = _Parser(_tokens(text)).parsed()
    tags = tuple(dict.fromkeys(step.what for step in steps if isinstance(step.what, str)))
    if not tags:
        raise QueryError("an expression must contain at least one tag")
    if len(tags) > _MOST_TAGS:
        raise QueryError(f"an expression may contain at most {_MOST_TAGS} tags, not: {len(tags)}")
    return Expression(text, tags, tuple(steps))


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            place = len(text[:at]) + len(text[at:]) - len(text[at:].lstrip())
            raise _wrong(place + 1, _unknown(text[place:]))
        kind = match.lastgroup or ""
        found.append(_Token(kind, match[kind], match.start(kind) + (kind != "quoted")))
        at = match.end()
    return [*found, _Token("end", "", end + 1)]


def _unknown(rest: str) -> str:
    if rest[0] == "`":
        return "unclosed or empty backticks"
    if rest[0].isdigit() or rest[0] == ".":
        return "this is not a number; put a tag that begins like this in backticks"
    return f"`{rest[0]}` has no meaning here; put a tag that contains it in backticks"


def _wrong(place: int, what: str) -> QueryError:
    return QueryError(f"invalid expression at character {place}: {what}")


class _Parser:
    """Goes through the tokens once, and writes down what to compute in the order of computing."""

    def __init__(self, tokens: Sequence[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._steps: list[_Step] = []

    def parsed(self) -> list[_Step]:
        self._sum()
        if self._next.kind != "end":
            raise self._unexpected("an operator or the end")
        return self._steps

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _is_sign(self, signs: str) -> bool:
        return self._next.kind == "sign" and self._next.text in signs

    def _take(self) -> _Token:
        token = self._next
        self._at += 1
        return token

    def _unexpected(self, expected: str) -> QueryError:
        found = f"`{self._next.text}`" if self._next.text else "the end"
        return _wrong(self._next.place, f"expected {expected}, found {found}")

    def _add(self, what: float | str | _Ufunc, operands: int = 0) -> None:
        self._steps.append(_Step(what, operands))
        if len(self._steps) > _MOST_STEPS:
            raise QueryError(f"an expression may have at most {_MOST_STEPS} operands and operators")

    def _sum(self) -> None:
        self._chain("+-", lambda: self._chain("*/", self._factor))

    def _chain(self, signs: str, operand: Callable[[], None]) -> None:
        operand()
        while self._is_sign(signs):
            operator = _OPERATORS[self._take().text]
            operand()
            self._add(operator, 2)

    def _factor(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _wrong(self._next.place, f"nested deeper than {_DEEPEST} levels")
        if self._is_sign("-"):
            self._take()
            self._factor()
            self._add(_NEGATIVE, 1)
        elif self._is_sign("("):
            self._take()
            self._sum()
            self._close("`)`")
        elif self._next.kind == "number":
            self._add(float(self._take().text))
        elif self._next.kind in ("word", "quoted"):
            self._named(self._take())
        else:
            raise self._unexpected("a tag, a number or `(`")
        self._depth -= 1

    def _close(self, expected: str) -> None:
        if not self._is_sign(")"):
            raise self._unexpected(expected)
        self._take()

    def _named(self, name: _Token) -> None:
        if name.kind == "quoted" or not self._is_sign("("):
            self._add(name.text)
            return
        function = _FUNCTIONS.get(name.text)
        if function is None:
            there = ", ".join(_FUNCTIONS)
            raise _wrong(name.place, f"unknown function `{name.text}`; use one of: {there}")
        self._take()
        self._sum()
        operands = 1
        while name.text in _OF_SEVERAL and self._is_sign(","):
            self._take()
            self._sum()
            operands += 1
        self._close("`,` or `)`" if name.text in _OF_SEVERAL else "`)`")
        if name.text in _OF_SEVERAL and operands == 1:
            raise _wrong(name.place, f"`{name.text}` takes at least two values, not one")
        self._add(function, operands)
