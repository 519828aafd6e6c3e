"""Small event files for tests: which events, in which file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.golden import wire

START = 1_700_000_000.0
NAME = "events.out.tfevents.1700000000.host.1.0"


def event(*fields: bytes, step: int = 0, wall_time: float = START) -> bytes:
    """A framed event."""
    payload = [wire.double(1, wall_time), wire.integer(2, step), *fields]
    return wire.record(b"".join(payload))


def header(wall_time: float = START) -> bytes:
    return event(wire.text(3, "brain.Event:2"), wall_time=wall_time)


def restart(step: int, wall_time: float) -> bytes:
    return event(wire.message(7, wire.integer(1, 1)), step=step, wall_time=wall_time)


def value(tag: str, *fields: bytes, step: int, wall_time: float | None = None) -> bytes:
    """An event with one value, a second for each step after the start by default."""
    summary = wire.message(5, wire.message(1, wire.text(1, tag), *fields))
    return event(summary, step=step, wall_time=START + step if wall_time is None else wall_time)


def scalar(tag: str, step: int, number: float, wall_time: float | None = None) -> bytes:
    return value(tag, wire.single(2, number), step=step, wall_time=wall_time)


def metadata(plugin: str, content: bytes = b"", name: str = "", description: str = "") -> bytes:
    plugin_data = wire.message(1, wire.text(1, plugin), wire.message(2, content))
    return wire.message(9, plugin_data, wire.text(2, name), wire.text(3, description))


def double_tensor(*numbers: float, shape: Sequence[int] = ()) -> bytes:
    dims = b"".join(wire.message(2, wire.integer(1, size)) for size in shape)
    packed = b"".join(wire.double(6, number)[1:] for number in numbers)
    return wire.message(8, wire.integer(1, 2), wire.message(2, dims), wire.message(6, packed))


def string_tensor(*strings: bytes, shape: Sequence[int] | None = None) -> bytes:
    sizes = [len(strings)] if shape is None else shape
    dims = b"".join(wire.message(2, wire.integer(1, size)) for size in sizes)
    items = [wire.message(8, string) for string in strings]
    return wire.message(8, wire.integer(1, 7), wire.message(2, dims), *items)


def write(directory: Path, *events: bytes, name: str = NAME) -> Path:
    """An event file with a header and these events; returns its path."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_bytes(header() + b"".join(events))
    return path


def append(path: Path, *events: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(events))
