"""What a writer put into the event files of a directory, below it not looked at."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import NamedTuple

from tests.golden import wire


class Logged(NamedTuple):
    tag: str
    step: int
    wall_time: float
    value: bytes


def payloads(directory: Path) -> list[bytes]:
    """All events, file after file."""
    files = sorted(directory.glob("*tfevents*"))
    return [event for file in files for event in wire.records(file.read_bytes())]


def logged(directory: Path) -> list[Logged]:
    """All values of all summaries."""
    return [
        Logged(
            wire.last_bytes(value, 1).decode(),
            wire.last_integer(event, 2),
            struct.unpack("<d", wire.last_bytes(event, 1))[0],
            value,
        )
        for event in payloads(directory)
        for summary in wire.all_bytes(event, 5)
        for value in wire.all_bytes(summary, 1)
    ]


def scalars(directory: Path) -> list[tuple[str, int, float]]:
    """Tag, step and number of all plain scalars."""
    return [
        (tag, step, struct.unpack("<f", wire.last_bytes(value, 2))[0])
        for tag, step, _, value in logged(directory)
        if wire.last_bytes(value, 2)
    ]


def runs(logdir: Path) -> list[str]:
    """Directories that hold event files, relative to the log directory."""
    return sorted({str(file.parent.relative_to(logdir)) for file in logdir.rglob("*tfevents*")})
