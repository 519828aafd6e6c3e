"""Messages inside logged values, and bytes that are none."""

import struct

import pytest

from kymograph.errors import BlobUnreadableError
from kymograph.store import wire

LONG = b"\xff" * 10


def test_fields_come_by_number_and_in_order():
    message = b"\x08\x96\x01\x12\x02hi\x08\x05" + b"\x19" + struct.pack("<d", 2.5)
    message += b"\x25" + struct.pack("<f", 0.5)
    fields = wire.read(message)
    assert fields[1] == [150, 5]
    assert (wire.integer_of(fields, 1), wire.text_of(fields, 2)) == (5, "hi")
    assert (wire.double_of(fields, 3), wire.single_of(fields, 4)) == (2.5, 0.5)
    assert wire.integer_of(wire.read(b"\x08" + LONG[:9] + b"\x01"), 1) == -1
    assert wire.integers_of(wire.read(b"\x0a\x03\x01\x96\x01\x08\x07"), 1) == [1, 150, 7]


@pytest.mark.parametrize(
    "message",
    [
        b"\x08",
        b"\x08" + LONG + b"\x01",  # a varint of eleven bytes
        LONG * 100_000,
        b"\x12\x05hi",
        b"\x12" + LONG[:9] + b"\x01",  # a length of 2^64 - 1
        b"\x0b",  # a group
        b"\x0d\x00",
    ],
)
def test_what_is_no_message_is_refused(message: bytes):
    with pytest.raises(BlobUnreadableError, match="not a protobuf message"):
        wire.read(message)


def test_a_packed_list_with_an_endless_number_is_refused():
    with pytest.raises(BlobUnreadableError):
        wire.integers_of({1: [LONG * 100_000]}, 1)
