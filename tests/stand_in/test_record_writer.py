"""Records of the `RecordWriter`s are those of event files."""

from __future__ import annotations

import io
from pathlib import Path

import kymograph
from kymograph.stand_in.record_writer import PathRecordWriter, RecordWriter
from kymograph.writer import wire
from tests.golden.wire import record


def event(step: int) -> bytes:
    summary = wire.message(5, wire.value("loss", wire.single(2, 0.5)))
    return wire.double(1, 1_700_000_000.0 + step) + wire.integer(2, step) + summary


def test_a_record_has_its_length_and_two_checksums():
    file = io.BytesIO()
    writer = RecordWriter(file)
    writer.write(b"")
    writer.write(event(1))
    writer.flush()
    assert file.getvalue() == record(b"") + record(event(1))
    writer.close()
    assert file.closed


def test_records_at_a_path_are_an_event_file(tmp_path: Path):
    writer = PathRecordWriter(tmp_path / "events.out.tfevents.1700000000.host")
    for step in (1, 2):
        writer.write(event(step))
    writer.flush()
    assert kymograph.open(tmp_path)["."].series("loss").steps.tolist() == [1, 2]
    writer.close()
