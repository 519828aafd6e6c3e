"""The forms in which a kind of blob is available, besides its raw bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from kymograph.asgi import media_types

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Form", "Item", "Number", "ValueBlob", "listed"]

Number = float | str
"""A number, or `NaN`, `Infinity` or `-Infinity`."""

Framed: TypeAlias = "tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]"
"""Columns and meta."""


class ValueBlob(msgspec.Struct, tag_field="kind"):
    """A decoded value as JSON; each kind has a class of its own."""


class Item(msgspec.Struct):
    """One picture or clip."""

    content_type: str
    bytes: int


def listed(items: list[bytes]) -> list[Item]:
    """Type and size of each item."""
    return [Item(media_types.sniff(item), len(item)) for item in items]


class Form(msgspec.Struct, frozen=True):
    """The forms of one kind; those that it does not have are nothing."""

    as_json: Callable[[Any], Any]
    """Returns the class of the kind, a `ValueBlob`."""
    items: Callable[[Any], list[bytes]] | None = None
    as_frame: Callable[[Any], Framed] | None = None
    as_npy: Callable[[Any], bytes] | None = None
