"""What writers log of experiments and sessions: the messages of TensorBoard's hparams plugin."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from kymograph.store import wire

__all__ = [
    "DATASETS",
    "EXPERIMENT",
    "SESSION_END",
    "SESSION_START",
    "STATUSES",
    "TYPES",
    "End",
    "Experiment",
    "Hparam",
    "Metric",
    "Start",
    "Value",
]

EXPERIMENT = "_hparams_/experiment"
SESSION_START = "_hparams_/session_start_info"
SESSION_END = "_hparams_/session_end_info"

Value: TypeAlias = "str | float | bool"
_Fields: TypeAlias = "dict[int, list[wire.Field]]"

# Names of enum values, in the order of their numbers.
STATUSES = ("STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING")
TYPES = ("DATA_TYPE_UNSET", "DATA_TYPE_STRING", "DATA_TYPE_BOOL", "DATA_TYPE_FLOAT64")
DATASETS = ("DATASET_UNKNOWN", "DATASET_TRAINING", "DATASET_VALIDATION")


class Hparam(msgspec.Struct):
    """What is known of a hyper-parameter in all sessions."""

    name: str
    display_name: str = ""
    description: str = ""
    type: str = TYPES[0]
    discrete: list[Value] | None = None
    """All values it may have."""
    interval: tuple[float, float] | None = None
    differs: bool = False

    @classmethod
    def read(cls, fields: _Fields) -> Hparam:
        """From its message."""
        discrete, interval = wire.messages_of(fields, 5), wire.messages_of(fields, 6)
        values = [_value(one) for part in discrete for one in wire.messages_of(part, 1)]
        return cls(
            name=wire.text_of(fields, 1),
            display_name=wire.text_of(fields, 2),
            description=wire.text_of(fields, 3),
            type=_named(TYPES, wire.integer_of(fields, 4)),
            discrete=[one for one in values if one is not None] if discrete else None,
            interval=_interval(interval[-1]) if interval else None,
            differs=bool(wire.integer_of(fields, 7)),
        )


class Metric(msgspec.Struct, frozen=True):
    """A scalar to compare sessions by: a tag, in the run of a session or in a run below it."""

    group: str
    tag: str
    display_name: str = ""
    description: str = ""
    dataset_type: str = DATASETS[0]

    @classmethod
    def read(cls, fields: _Fields) -> Metric:
        """From its message."""
        name = wire.read(wire.bytes_of(fields, 1))
        return cls(
            group=wire.text_of(name, 1),
            tag=wire.text_of(name, 2),
            display_name=wire.text_of(fields, 3),
            description=wire.text_of(fields, 4),
            dataset_type=_named(DATASETS, wire.integer_of(fields, 5)),
        )


class Experiment(msgspec.Struct):
    """Which hyper-parameters and metrics there are."""

    description: str = ""
    user: str = ""
    time_created_secs: float = 0.0
    name: str = ""
    hparams: list[Hparam] = msgspec.field(default_factory=list)
    metrics: list[Metric] = msgspec.field(default_factory=list)

    @classmethod
    def read(cls, content: bytes) -> Experiment | None:
        """From the metadata of its tag; nothing when it is of a later version."""
        fields = _content(content, 2)
        if fields is None:
            return None
        return cls(
            description=wire.text_of(fields, 1),
            user=wire.text_of(fields, 2),
            time_created_secs=wire.double_of(fields, 3),
            name=wire.text_of(fields, 6),
            hparams=[Hparam.read(one) for one in wire.messages_of(fields, 4)],
            metrics=[Metric.read(one) for one in wire.messages_of(fields, 5)],
        )


class Start(msgspec.Struct, frozen=True):
    """The beginning of a session."""

    hparams: dict[str, Value]
    model_uri: str
    monitor_url: str
    group_name: str
    start_time_secs: float

    @classmethod
    def read(cls, content: bytes) -> Start | None:
        """From the metadata of its tag; nothing when it is of a later version."""
        fields = _content(content, 3)
        if fields is None:
            return None
        entries = wire.messages_of(fields, 1)
        values = {wire.text_of(one, 1): _value(wire.read(wire.bytes_of(one, 2))) for one in entries}
        return cls(
            hparams={name: value for name, value in values.items() if value is not None},
            model_uri=wire.text_of(fields, 2),
            monitor_url=wire.text_of(fields, 3),
            group_name=wire.text_of(fields, 4),
            start_time_secs=wire.double_of(fields, 5),
        )


class End(msgspec.Struct, frozen=True):
    """The end of a session."""

    status: str = STATUSES[0]
    end_time_secs: float = 0.0

    @classmethod
    def read(cls, content: bytes) -> End | None:
        """From the metadata of its tag; nothing when it is of a later version."""
        fields = _content(content, 4)
        if fields is None:
            return None
        status = _named(STATUSES, wire.integer_of(fields, 1))
        return cls(status, wire.double_of(fields, 2))


def _content(content: bytes, number: int) -> _Fields | None:
    """One of the messages that the metadata may hold."""
    fields = wire.read(content)
    if wire.integer_of(fields, 1) or number not in fields:
        return None
    return wire.read(wire.bytes_of(fields, number))


def _named(names: tuple[str, ...], number: int) -> str:
    return names[number] if 0 <= number < len(names) else names[0]


def _interval(fields: _Fields) -> tuple[float, float]:
    return wire.double_of(fields, 1), wire.double_of(fields, 2)


def _value(fields: _Fields) -> Value | None:
    """A number, string or boolean; nothing for others."""
    if 2 in fields:
        return wire.double_of(fields, 2)
    if 3 in fields:
        return wire.text_of(fields, 3)
    return bool(wire.integer_of(fields, 4)) if 4 in fields else None
