"""The plugin messages golden files carry, read field by field into plain Python."""

from __future__ import annotations

import struct
from typing import Any

from tests.golden import wire


def plugin_content(summary_value: bytes) -> bytes:
    """metadata.plugin_data.content of a serialized Summary.Value."""
    metadata = wire.last_bytes(summary_value, 9)
    return wire.last_bytes(wire.last_bytes(metadata, 1), 2)


def hparams(content: bytes) -> dict[str, Any]:
    """What one HParamsPluginData says: an experiment, the start or the end of a session."""
    experiment, start, end = (wire.last_bytes(content, number) for number in (2, 3, 4))
    if end:
        return {"status": wire.last_integer(end, 1)}
    if start:
        entries = wire.all_bytes(start, 1)
        said: dict[str, Any] = {
            "hparams": {
                wire.last_bytes(entry, 1).decode(): _value(wire.last_bytes(entry, 2))
                for entry in entries
            }
        }
        group = wire.last_bytes(start, 4).decode()
        return {**said, "group_name": group} if group else said
    return {
        "hparam_names": [wire.last_bytes(i, 1).decode() for i in wire.all_bytes(experiment, 4)],
        "metric_tags": [
            wire.last_bytes(wire.last_bytes(metric, 1), 2).decode()
            for metric in wire.all_bytes(experiment, 5)
        ],
    }


def _value(message: bytes) -> float | str | bool | None:
    for number, value in wire.fields(message):
        if number == 2 and isinstance(value, bytes):
            return float(struct.unpack("<d", value)[0])
        if number == 3 and isinstance(value, bytes):
            return value.decode()
        if number == 4:
            return bool(value)
    return None


def layout(message: bytes) -> dict[str, dict[str, list[Any]]]:
    """A custom_scalars Layout as category, chart, [kind, tags]."""
    return {
        wire.last_bytes(category, 1).decode(): {
            wire.last_bytes(chart, 1).decode(): _chart(chart)
            for chart in wire.all_bytes(category, 2)
        }
        for category in wire.all_bytes(message, 2)
    }


def _chart(message: bytes) -> list[Any]:
    lines, margins = wire.last_bytes(message, 2), wire.last_bytes(message, 3)
    if lines:
        return ["Multiline", [tag.decode() for tag in wire.all_bytes(lines, 1)]]
    series = wire.last_bytes(margins, 1)
    return ["Margin", [wire.last_bytes(series, number).decode() for number in (1, 2, 3)]]
