"""Names, numbers, sizes and times as a terminal shows them; aligned columns."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from textwrap import wrap
from unicodedata import category, east_asian_width

import msgspec

from kymograph.store.long_form import spelled

__all__ = [
    "Column",
    "cells",
    "clock",
    "columns",
    "count",
    "date_and_time",
    "duration",
    "padded",
    "printable",
    "shortened",
    "size",
    "span",
    "spelled",
    "utf8",
    "width",
    "wrapped",
]

_GAP = "  "
# Before a name gets shorter than this, less useful columns are left out.
_SHORT_NAME = 24
# A name is not made shorter than this.
_MIN_NAME = 4
# Sentences are not wrapped into narrower lines.
_MIN_WIDTH = 20


class Column(msgspec.Struct, frozen=True):
    """How a column is laid out."""

    title: str
    right: bool = False
    shrinks: bool = False
    """Whether its cells may lose their middle when the terminal is too narrow."""
    leaves: int = 0
    """When it is left out of a narrow terminal: 1 is the first to go, 0 stays."""


def width() -> int | None:
    """Cells in a line of the terminal; nothing when output goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def columns(
    layout: Sequence[Column], rows: Iterable[Sequence[str]], *, limit: int | None, indent: int = 0
) -> list[str]:
    """Lines with aligned columns, the titles first; none is wider than `limit`."""
    table = [[column.title for column in layout], *([*row] for row in rows)]
    widths = [max(cells(row[at]) for row in table) for at in range(len(layout))]
    if limit is not None:
        kept = _kept(layout, widths, limit - indent)
        layout, widths = [layout[at] for at in kept], [widths[at] for at in kept]
        table = [[row[at] for at in kept] for row in table]
        spare = limit - indent - sum(widths) - len(_GAP) * (len(layout) - 1)
        shrinking = [at for at, column in enumerate(layout) if column.shrinks]
        while spare < 0 and any(widths[at] > _MIN_NAME for at in shrinking):
            widest = max(shrinking, key=lambda at: widths[at])
            widths[widest] -= 1
            spare += 1
    lines = [" " * indent + _line(layout, row, widths) for row in table]
    return lines if limit is None else [_cut(line, limit) for line in lines]


def _cut(line: str, limit: int) -> str:
    """A line without what is beyond the edge of the terminal."""
    return line if cells(line) <= limit else _sized(line, limit).rstrip()


def _kept(layout: Sequence[Column], widths: Sequence[int], room: int) -> list[int]:
    """The columns that fit next to names of reasonable length, and those that always stay."""
    kept = [*range(len(layout))]
    min_widths = [
        min(cells_wide, _SHORT_NAME) if column.shrinks else cells_wide
        for column, cells_wide in zip(layout, widths, strict=True)
    ]
    for leaving in sorted(
        (at for at in kept if layout[at].leaves), key=lambda at: layout[at].leaves
    ):
        if sum(min_widths[at] for at in kept) + len(_GAP) * (len(kept) - 1) <= room:
            break
        kept.remove(leaving)
    return kept


def _line(layout: Sequence[Column], row: Sequence[str], widths: Sequence[int]) -> str:
    shown = []
    for column, cell, cells_wide in zip(layout, row, widths, strict=True):
        text = shortened(cell, cells_wide)
        shown.append(padded(text, cells_wide, right=column.right))
    return _GAP.join(shown).rstrip()


def cells(text: str) -> int:
    """How many cells of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if category(char) in ("Mn", "Me", "Cf"):  # joined to the character before
        return 0
    return 2 if east_asian_width(char) in ("W", "F") else 1


def _sized(text: str, cells_wide: int) -> str:
    """The beginning of a text that takes so many cells, with a space for half a character."""
    used, end = 0, 0
    while end < len(text) and used + _cells(text[end]) <= cells_wide:
        used += _cells(text[end])
        end += 1
    return text[:end] + " " * (cells_wide - used)


def padded(text: str, cells_wide: int, *, right: bool = False) -> str:
    """A text with spaces up to a width in cells, of which some characters take two."""
    room = " " * (cells_wide - cells(text))
    return room + text if right else text + room


def shortened(text: str, cells_wide: int | None) -> str:
    """A text without its middle where it is too wide: names differ at their ends."""
    if cells_wide is None or cells(text) <= cells_wide:
        return text
    head = (cells_wide - 1) // 2
    tail = cells_wide - 1 - head
    return _sized(text, head) + "…" + _sized(text[::-1], tail)[::-1]


def printable(name: str) -> str:
    """A name in which nothing can move the cursor, break the line or change colours."""
    if name.isprintable():
        return name
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in name
    )


def utf8(document: str) -> bytes:
    """A document as valid UTF-8; invalid bytes of file names become `�`."""
    return document.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode()


def wrapped(sentence: str, *, first: int, rest: int = 2) -> str:
    """A sentence broken between words where the terminal ends; elsewhere not at all.

    Its first line begins after `first` cells, the others are indented by `rest`.
    """
    limit = width()
    if limit is None:
        return printable(sentence)
    lines = wrap(
        printable(sentence),
        max(limit, _MIN_WIDTH),
        initial_indent=" " * first,
        subsequent_indent=" " * rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)[first:]


def count(number: int, noun: str) -> str:
    """`1 run`, `2 runs`, `1,000 series`."""
    plural = noun if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def size(number_bytes: int) -> str:
    """`12 B`, `3.4 MB`: powers of a thousand, as `ls -h --si` has them."""
    number, unit = float(number_bytes), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if number < 999.5:
            break
        number, unit = number / 1000, larger
    return f"{number:.0f} {unit}" if unit == "B" or number >= 99.95 else f"{number:.1f} {unit}"


def span(first_last: tuple[int, int] | None) -> str:
    """`0 … 9,999`, or one number, or nothing."""
    if first_last is None:
        return "-"
    first, last = first_last
    return f"{first:,}" if first == last else f"{first:,} … {last:,}"


def duration(seconds: float) -> str:
    """`12.3 s`, `4 min 5 s`, `3 h 20 min`, `2 d 3 h`."""
    if seconds < 60:
        return f"{seconds:.3g} s"
    whole = round(seconds)
    for unit, length, smaller, part in (
        ("d", 86400, "h", 3600),
        ("h", 3600, "min", 60),
        ("min", 60, "s", 1),
    ):
        if whole >= length:
            rest = whole % length // part
            return f"{whole // length:,} {unit}" + (f" {rest} {smaller}" if rest else "")
    return f"{whole} s"


def date_and_time(wall_time: float) -> str:
    """`2024-05-01 12:00:00` in local time; the plain number where there is no such date."""
    moment = _moment(wall_time)
    return moment.strftime("%Y-%m-%d %H:%M:%S") if moment else spelled(wall_time)


def clock(wall_time: float) -> str:
    """`12:00:00.123` in local time; the plain number where there is no such date."""
    moment = _moment(wall_time)
    return moment.strftime("%H:%M:%S.%f")[:-3] if moment else spelled(wall_time)


def _moment(wall_time: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(wall_time, tz=timezone.utc).astimezone()
    except (OverflowError, OSError, ValueError):
        return None
