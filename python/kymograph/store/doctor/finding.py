"""One thing that is wrong, odd or worth knowing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Finding", "Severity", "count", "finding"]

Severity: TypeAlias = Literal["error", "warning", "note"]
"""Nothing can be shown; something is missing or misleading; something is good to know."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, odd or worth knowing."""

    code: str
    """A name that is stable across versions, such as `no-event-files`."""
    severity: Severity
    message: str
    """The finding, in one sentence."""
    hint: str
    """What to do."""
    places: tuple[str, ...] = ()
    """All files or runs it concerns."""


def finding(
    code: str, severity: Severity, message: str, hint: str, *, places: Sequence[object] = ()
) -> Finding:
    """A finding about some paths or names."""
    return Finding(code, severity, message, hint, tuple(str(place) for place in places))


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 file is`, `2 files are`: the number with the words that go with it."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
