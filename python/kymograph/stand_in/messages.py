"""Read-only views of serialised messages with the interface of protobuf's own classes.

    >>> from kymograph.writer.summaries.scalars import scalar
    >>> summary = Summary(scalar("loss", 0.5))
    >>> summary.value[0].tag, summary.value[0].simple_value
    ('loss', 0.5)

A message is parsed one level at a time, when a field of that level is first read. `_SCHEMA` is the
whole knowledge of the messages; everything below it is the wire format and the interface.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, ParamSpec

__all__ = [
    "Event",
    "GraphDef",
    "Message",
    "RunMetadata",
    "Summary",
    "as_messages",
    "only_arrays",
]

# Message, then its fields: number, name, type. `*` is a repeated field, `<>` a map from strings,
# `|` the oneof that a field belongs to.
_SCHEMA = """
Event
  1 wall_time double
  2 step int64
  3 file_version string | what
  4 graph_def bytes | what
  5 summary Summary | what
  7 session_log SessionLog | what
  8 tagged_run_metadata TaggedRunMetadata | what
  9 meta_graph_def bytes | what
  10 source_metadata SourceMetadata
SessionLog
  1 status int32
  2 checkpoint_path string
  3 msg string
SourceMetadata
  1 writer string
TaggedRunMetadata
  1 tag string
  2 run_metadata bytes
Summary
  1 value Value*
Value
  1 tag string
  2 simple_value float | value
  3 obsolete_old_style_histogram bytes | value
  4 image Image | value
  5 histo HistogramProto | value
  6 audio Audio | value
  7 node_name string
  8 tensor TensorProto | value
  9 metadata SummaryMetadata
Image
  1 height int32
  2 width int32
  3 colorspace int32
  4 encoded_image_string bytes
Audio
  1 sample_rate float
  2 num_channels int64
  3 length_frames int64
  4 encoded_audio_string bytes
  5 content_type string
HistogramProto
  1 min double
  2 max double
  3 num double
  4 sum double
  5 sum_squares double
  6 bucket_limit double*
  7 bucket double*
SummaryMetadata
  1 plugin_data PluginData
  2 display_name string
  3 summary_description string
  4 data_class DataClass
PluginData
  1 plugin_name string
  2 content bytes
TensorProto
  1 dtype DataType
  2 tensor_shape TensorShapeProto
  3 version_number int32
  4 tensor_content bytes
  5 float_val float*
  6 double_val double*
  7 int_val int32*
  8 string_val bytes*
  9 scomplex_val float*
  10 int64_val int64*
  11 bool_val bool*
  12 dcomplex_val double*
  13 half_val int32*
  16 uint32_val uint32*
  17 uint64_val uint64*
TensorShapeProto
  2 dim Dim*
  3 unknown_rank bool
Dim
  1 size int64
  2 name string
GraphDef
  1 node NodeDef*
  3 version int32
  4 versions VersionDef
VersionDef
  1 producer int32
  2 min_consumer int32
  3 bad_consumers int32*
NodeDef
  1 name string
  2 op string
  3 input string*
  4 device string
  5 attr <AttrValue>
AttrValue
  1 list ListValue | value
  2 s bytes | value
  3 i int64 | value
  4 f float | value
  5 b bool | value
  6 type DataType | value
  7 shape TensorShapeProto | value
  8 tensor TensorProto | value
ListValue
  2 s bytes*
  3 i int64*
  4 f float*
  5 b bool*
  6 type DataType*
  7 shape TensorShapeProto*
  8 tensor TensorProto*
RunMetadata
  1 step_stats StepStats
StepStats
  1 dev_stats DeviceStepStats*
DeviceStepStats
  1 device string
"""
_ENUMS = {
    "DataClass": "DATA_CLASS_UNKNOWN DATA_CLASS_SCALAR DATA_CLASS_TENSOR DATA_CLASS_BLOB_SEQUENCE",
    "DataType": (
        "DT_INVALID DT_FLOAT DT_DOUBLE DT_INT32 DT_UINT8 DT_INT16 DT_INT8 DT_STRING DT_COMPLEX64 "
        "DT_INT64 DT_BOOL DT_QINT8 DT_QUINT8 DT_QINT32 DT_BFLOAT16 DT_QINT16 DT_QUINT16 DT_UINT16 "
        "DT_COMPLEX128 DT_HALF DT_RESOURCE DT_VARIANT DT_UINT32 DT_UINT64"
    ),
}
_LABELS = {name: labels.split() for name, labels in _ENUMS.items()}
_DEFAULTS: dict[str, Any] = {
    "double": 0.0,
    "float": 0.0,
    "bool": False,
    "string": "",
    "bytes": b"",
    **dict.fromkeys(["int32", "int64", "uint32", "uint64", *_ENUMS], 0),
}
_FIXED = {"double": ("<d", 8), "float": ("<f", 4)}

_P = ParamSpec("_P")


class Field(NamedTuple):
    """One line of the schema; the part of a protobuf `FieldDescriptor` that callers read."""

    name: str
    number: int
    type: str
    is_repeated: bool
    is_map: bool
    oneof: str | None

    @property
    def is_message(self) -> bool:
        return self.type not in _DEFAULTS

    @property
    def has_presence(self) -> bool:
        """Whether an absent field differs from one that holds its default."""
        return not (self.is_repeated or self.is_map) and (self.is_message or self.oneof is not None)


class Descriptor(NamedTuple):
    """What `message.DESCRIPTOR` says of a message."""

    name: str
    fields: tuple[Field, ...]

    @property
    def fields_by_name(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields}


class Repeated(tuple[Any, ...]):
    """The values of a repeated field, equal to any sequence of the same values."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not hasattr(other, "__len__") or not hasattr(other, "__iter__"):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return repr(list(self))


class Message:
    """A serialised message: fields by name, unset ones with their defaults."""

    DESCRIPTOR: Descriptor
    _by_name: dict[str, Field]
    __slots__ = ("_parsed", "_source")
    _source: Any
    _parsed: dict[str, Any] | None

    def __init__(self, source: Any = b"") -> None:
        """`source` is the serialised message, or an object that serialises itself when asked."""
        object.__setattr__(self, "_source", source)
        object.__setattr__(self, "_parsed", None)

    @classmethod
    def FromString(cls, data: bytes) -> Message:  # noqa: N802  (here and below: protobuf's names)
        """The message that `data` is the serialisation of. Raises `ValueError` if it is damaged."""
        message = cls(bytes(data))
        for value in message._fields().values():
            _check(value)
        return message

    def SerializeToString(self, **_: object) -> bytes:  # noqa: N802
        """The serialised message."""
        if not isinstance(self._source, bytes):
            object.__setattr__(self, "_source", self._source.SerializeToString())
        return bytes(self._source)

    def ByteSize(self) -> int:  # noqa: N802
        """The length of the serialised message."""
        return len(self.SerializeToString())

    def HasField(self, name: str) -> bool:  # noqa: N802
        """Whether a message or a member of a oneof is set. Raises `ValueError` for other fields."""
        field = self._by_name.get(name)
        if field is None or not field.has_presence:
            kind = self.DESCRIPTOR.name
            raise ValueError(f"Protocol message {kind} has no field with presence: {name!r}")
        return name in self._fields()

    def WhichOneof(self, group: str) -> str | None:  # noqa: N802
        """The member of a oneof that is set. Raises `ValueError` if there is no such oneof."""
        members = [field.name for field in self.DESCRIPTOR.fields if field.oneof == group]
        if not members:
            kind = self.DESCRIPTOR.name
            raise ValueError(f"Protocol message {kind} has no oneof: {group!r}")
        return next((name for name in members if name in self._fields()), None)

    def ListFields(self) -> list[tuple[Field, Any]]:  # noqa: N802
        """The fields that are set, by number, with their values."""
        return [
            (field, self._fields()[field.name])
            for field in self.DESCRIPTOR.fields
            if field.name in self._fields()
        ]

    def __getattr__(self, name: str) -> Any:
        field = self._by_name.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in (fields := self._fields()):
            return fields[name]
        return _default(field)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is read-only: {name!r} cannot be set")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._by_name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            descriptor = getattr(other, "DESCRIPTOR", None)
            if getattr(descriptor, "name", None) != self.DESCRIPTOR.name:
                return NotImplemented
            other = type(self)(other.SerializeToString())  # type: ignore[attr-defined]
        return self.DESCRIPTOR is other.DESCRIPTOR and self._fields() == other._fields()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Message], tuple[bytes]]:
        return type(self), (self.SerializeToString(),)

    def __repr__(self) -> str:
        return "".join(f"{line}\n" for line in _lines(self))

    def _fields(self) -> dict[str, Any]:
        if self._parsed is None:
            object.__setattr__(self, "_parsed", _parse(self.DESCRIPTOR, self.SerializeToString()))
        parsed: dict[str, Any] = self._parsed  # type: ignore[assignment]
        return parsed


def as_messages(function: Callable[_P, Any]) -> Callable[_P, Any]:
    """`function`, which returns serialised summaries, with messages as its result."""

    @functools.wraps(function)
    def made(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        result = function(*args, **kwargs)
        return tuple(map(Summary, result)) if isinstance(result, tuple) else Summary(result)

    return made


def only_arrays(function: Callable[_P, Any]) -> Callable[_P, Any]:
    """`function` with the originals' refusal of lists, which our writers take."""

    @functools.wraps(function)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> Any:
        values = args[1] if len(args) > 1 else kwargs.get("values")
        if isinstance(values, (list, tuple)):
            raise NotImplementedError(
                f"Got {type(values)}, but numpy array or torch tensor are expected."
            )
        return function(*args, **kwargs)

    return checked


# --- the wire format ---


def _parse(descriptor: Descriptor, data: bytes) -> dict[str, Any]:
    by_number = {field.number: field for field in descriptor.fields}
    found: dict[str, Any] = {}
    for number, content in _records(data):
        field = by_number.get(number)
        if field is None:
            continue
        if field.is_map:
            entry = dict(_records(content))
            key = entry.get(1, b"").decode()
            found.setdefault(field.name, {})[key] = _TYPES[field.type](entry.get(2, b""))
        elif field.is_repeated:
            found.setdefault(field.name, []).extend(_values(field.type, content))
        else:
            for other in descriptor.fields:
                if field.oneof is not None and other.oneof == field.oneof:
                    found.pop(other.name, None)
            found[field.name] = _value(field.type, content)
    for field in descriptor.fields:
        if field.name not in found:
            continue
        if field.is_repeated:
            found[field.name] = Repeated(found[field.name])
        elif not field.is_map and not field.has_presence and _is_default(field, found[field.name]):
            # In protobuf a default that was written is the same as an absent field.
            del found[field.name]
    return found


def _records(data: bytes) -> Iterator[tuple[int, Any]]:
    """Field numbers with their content: an `int` of a varint, otherwise bytes."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == 0:
            content: Any
            content, at = _varint(data, at)
            yield key >> 3, content
            continue
        if kind == 2:
            size, at = _varint(data, at)
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
        else:
            raise ValueError(f"Error parsing message: wire type {kind}")
        if at + size > len(data):
            raise ValueError("Error parsing message: it ends inside a field")
        yield key >> 3, data[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise ValueError("Error parsing message: it ends inside a number")
        byte = data[at]
        at += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number & 0xFFFF_FFFF_FFFF_FFFF, at
    raise ValueError("Error parsing message: a number has more than 64 bits")


def _value(kind: str, content: Any) -> Any:
    """One value, of a varint or of bytes."""
    if isinstance(content, int):
        if kind in _FIXED or kind in ("string", "bytes") or kind not in _DEFAULTS:
            raise ValueError(f"Error parsing message: a number is not a valid {kind}")
        return _integer(kind, content)
    if kind in _FIXED:
        layout, size = _FIXED[kind]
        if len(content) != size:
            raise ValueError(f"Error parsing message: {len(content)} bytes are not a valid {kind}")
        return struct.unpack(layout, content)[0]
    if kind == "string":
        return content.decode()
    if kind == "bytes":
        return content
    if kind in _DEFAULTS:
        raise ValueError(f"Error parsing message: bytes are not a valid {kind}")
    return _TYPES[kind](content)


def _values(kind: str, content: Any) -> Iterator[Any]:
    """The values of one record of a repeated field, which may be packed."""
    is_packed = isinstance(content, bytes) and kind in _DEFAULTS and kind not in ("string", "bytes")
    if not is_packed:
        yield _value(kind, content)
    elif kind in _FIXED:
        layout, size = _FIXED[kind]
        if len(content) % size:
            raise ValueError(f"Error parsing message: {len(content)} bytes of {kind}")
        yield from (number for (number,) in struct.iter_unpack(layout, content))
    else:
        at = 0
        while at < len(content):
            number, at = _varint(content, at)
            yield _integer(kind, number)


def _integer(kind: str, number: int) -> int:
    if kind == "bool":
        return number != 0
    bits = 32 if kind.endswith("32") or kind in _ENUMS else 64
    number &= (1 << bits) - 1
    is_negative = not kind.startswith("u") and number >> (bits - 1)
    return number - (1 << bits) if is_negative else number


def _default(field: Field) -> Any:
    if field.is_map:
        return {}
    if field.is_repeated:
        return Repeated()
    return _TYPES[field.type]() if field.is_message else _DEFAULTS[field.type]


def _is_default(field: Field, value: Any) -> bool:
    return value == _DEFAULTS[field.type] and repr(value) != "-0.0"


def _check(value: Any) -> None:
    """Parses what a message holds, to find damage now."""
    for each in value.values() if isinstance(value, dict) else (value,):
        for item in each if isinstance(each, Repeated) else (each,):
            if isinstance(item, Message):
                type(item).FromString(item.SerializeToString())


# --- the text format ---


def _lines(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        if field.is_map:
            for key in sorted(value):
                yield f"{field.name} {{"
                yield f'  key: "{_escaped(key)}"'
                yield "  value {"
                yield from (f"    {line}" for line in _lines(value[key]))
                yield "  }"
                yield "}"
            continue
        for item in value if field.is_repeated else (value,):
            if field.is_message:
                yield f"{field.name} {{"
                yield from (f"  {line}" for line in _lines(item))
                yield "}"
            else:
                yield f"{field.name}: {_text(field.type, item)}"


def _text(kind: str, value: Any) -> str:
    if kind in ("string", "bytes"):
        return f'"{_escaped(value)}"'
    if kind == "bool":
        return str(value).lower()
    if kind == "float":
        return repr(_shortest(value))
    labels = _LABELS.get(kind, [])
    return labels[value] if 0 <= value < len(labels) else repr(value)


def _shortest(number: float) -> float:
    """The double with the fewest digits that is this single-precision number."""
    for digits in range(6, 9):
        rounded = float(f"{number:.{digits}g}")
        try:
            if struct.unpack("<f", struct.pack("<f", rounded))[0] == number:
                return rounded
        except OverflowError:  # rounded up beyond the largest single
            continue
    return float(f"{number:.9g}")


_ESCAPES = {
    **{code: f"\\{code:03o}" for code in [*range(32), 127]},
    ord("\t"): "\\t",
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord('"'): '\\"',
    ord("'"): "\\'",
    ord("\\"): "\\\\",
}
_BYTE_ESCAPES = _ESCAPES | {code: f"\\{code:03o}" for code in range(128, 256)}


def _escaped(content: str | bytes) -> str:
    if isinstance(content, bytes):
        return content.decode("latin-1").translate(_BYTE_ESCAPES)
    return content.translate(_ESCAPES)


# --- the classes ---


def _classes() -> dict[str, type[Message]]:
    fields: dict[str, list[Field]] = {}
    for line in _SCHEMA.strip().splitlines():
        if not line.startswith(" "):
            fields[line] = current = []
            continue
        declared, _, oneof = line.partition(" | ")
        number, name, kind = declared.split()
        kept = kind.strip("<>*")
        field = Field(name, int(number), kept, kind[-1] == "*", kind[0] == "<", oneof or None)
        current.append(field)
    return {name: _class(Descriptor(name, tuple(members))) for name, members in fields.items()}


def _class(descriptor: Descriptor) -> type[Message]:
    body = {
        "__slots__": (),
        "__doc__": f"A serialised `{descriptor.name}`.",
        "__module__": __name__,
        "DESCRIPTOR": descriptor,
        "_by_name": descriptor.fields_by_name,
    }
    return type(descriptor.name, (Message,), body)


_TYPES = _classes()
Event = _TYPES["Event"]
GraphDef = _TYPES["GraphDef"]
RunMetadata = _TYPES["RunMetadata"]
Summary = _TYPES["Summary"]
