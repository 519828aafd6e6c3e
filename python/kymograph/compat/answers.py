"""Requests to TensorBoard's routes, and their responses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from kymograph.asgi import responses
from kymograph.errors import RequestError
from kymograph.lazy import numpy as np
from kymograph.store import Series

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Content", "Json", "Query", "check_size", "numbers", "points"]

Json: TypeAlias = Any
"""What becomes JSON; numbers that it has no words for are strings already."""


class Content(msgspec.Struct, frozen=True):
    """An answer that is not JSON."""

    body: bytes
    media_type: str
    tag: str | None = None
    """Names bytes that never change, so that clients may keep them."""


class Query:
    """The parameters of a request, in its URL and in a form."""

    def __init__(
        self,
        url: Iterable[tuple[str, str]] = (),
        form: Iterable[tuple[str, str]] = (),
        body: bytes | None = None,
    ) -> None:
        self._pairs = [*form, *url]
        self.body = body
        """What was posted, of routes that take no forms."""

    def find(self, name: str) -> str | None:
        """The first value of a parameter; nothing when it is not given."""
        return next((value for key, value in self._pairs if key == name), None)

    def every(self, name: str) -> list[str]:
        """All values of a parameter."""
        return [value for key, value in self._pairs if key == name]

    def text(self, name: str) -> str:
        """A parameter. Raises RequestError when it is not given."""
        value = self.find(name)
        if value is None:
            raise RequestError(f"missing parameter: `{name}`")
        return value

    def count(self, name: str) -> int:
        """A whole number from 0 on, 0 when it is not given. Raises RequestError for others."""
        value = self.find(name) or "0"
        if not (value.isascii() and value.isdigit()) or len(value) > len("1000000000"):
            raise RequestError(f"`{name}` is not a whole number: {value!r}")
        return int(value)


# About 256 MiB, the most that TensorBoard's data server sends at once.
_MOST_POINTS = 4_000_000
_CHUNK = 65536


def check_size(points: int) -> None:
    """Raises RequestError when an answer would have more points than can be held at once."""
    if points > _MOST_POINTS:
        raise RequestError(
            f"the response would have {points} points, more than {_MOST_POINTS}\n"
            "hint: request fewer series at a time"
        )


def points(series: Series, kind: type[msgspec.Struct] | None = None) -> Json:
    """Wall time, step and value of each point: as a list, or as a struct of these three.

    It is JSON already, made piece by piece: as objects, points take ten times as much memory.
    """
    steps, walls, values = series.views()
    pieces = []
    for start in range(0, len(series), _CHUNK):
        part = slice(start, start + _CHUNK)
        parts = (
            responses.numbers(walls[part]),
            steps[part].tolist(),
            responses.numbers(values[part]),
        )
        rows = zip(*parts, strict=True) if kind is None else map(kind, *parts)
        pieces.append(msgspec.json.encode(list(rows))[1:-1])
    return msgspec.Raw(b"[" + b",".join(pieces) + b"]")


def numbers(array: npt.NDArray[Any]) -> list[Any]:
    """The numbers of an array as nested lists for JSON: NaN and infinities are strings."""
    if array.dtype.kind != "f" or bool(np.isfinite(array).all()):
        return list(array.tolist())
    if array.ndim > 1:
        return [numbers(row) for row in array]
    return [responses.number(value) for value in array.tolist()]
