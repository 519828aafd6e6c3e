"""Writes `logdirs/damaged`: files that were cut, flipped, packed or filled with nonsense."""

from __future__ import annotations

import gzip
import shutil
import struct
import sys
from pathlib import Path

from tests.golden import wire
from tests.golden.expectation import logdir
from tests.golden.make_synthetic import (
    FILE,
    SECOND_FILE,
    Corpus,
    event,
    point,
    simple,
    summary,
    version,
    wall,
    walls,
)


def write_damage(corpus: Corpus) -> None:
    expect = corpus.expect
    whole = [wire.record(version(0))] + [wire.record(point(i, i, "loss", i)) for i in range(6)]

    flipped = bytearray(whole[3])
    flipped[-5] ^= 0x40  # in the value, just before the checksum
    corpus.raw("bad_payload", b"".join([*whole[:3], bytes(flipped), *whole[4:]]))
    corpus.damage("bad_payload", bad_records=1, skipped_bytes=len(flipped))
    kept = [0, 1, 3, 4, 5]
    expect.scalars("bad_payload", "loss", kept, kept, wall_times=walls(kept))

    header = bytearray(whole[3])
    header[9] ^= 0x01
    corpus.raw("bad_header", b"".join([*whole[:3], bytes(header), *whole[4:]]))
    corpus.damage("bad_header", bad_headers=1, skipped_bytes=len(header))
    expect.scalars("bad_header", "loss", kept, kept, wall_times=walls(kept))

    corpus.raw("cut_tail", b"".join(whole)[:-5])
    corpus.damage("cut_tail", tail_bytes=len(whole[-1]) - 5)
    expect.scalars("cut_tail", "loss", range(5), range(5), wall_times=walls(range(5)))

    # A valid header that promises 4 GiB: a tail still to be written, as far as one can see.
    length = struct.pack("<Q", 2**32)
    promise = length + struct.pack("<I", wire.masked_crc(length)) + b"only this"
    corpus.raw("long_promise", b"".join(whole) + promise)
    corpus.damage("long_promise", tail_bytes=len(promise))
    expect.scalars("long_promise", "loss", range(6), range(6), wall_times=walls(range(6)))

    # Framed correctly, but the payload is not a message.
    nonsense = wire.record(b"\xff" * 30)
    corpus.raw("not_an_event", b"".join([*whole[:3], nonsense, *whole[3:]]))
    corpus.damage("not_an_event", bad_records=1, skipped_bytes=len(nonsense))
    expect.scalars("not_an_event", "loss", range(6), range(6), wall_times=walls(range(6)))

    packed = gzip.compress(b"".join(whole), mtime=0)
    corpus.raw("gzipped", packed, name=f"{FILE}.gz")
    corpus.damage("gzipped", f"{FILE}.gz")
    corpus.file("gzipped", point(1, 1, "beside", 0.5), name=SECOND_FILE)
    expect.scalars("gzipped", "beside", [1], [0.5], wall_times=[wall(1)])


def write_wall_times(corpus: Corpus) -> None:
    times = [wall(0), float("nan"), wall(2), float("inf"), wall(4), float("-inf"), wall(6)]
    corpus.file(
        "wall_times",
        *(
            event(0, step, summary(simple("loss", step)), wall_time=time)
            for step, time in enumerate(times)
        ),
    )
    corpus.damage("wall_times", bad_wall_times=3)
    steps = range(len(times))
    known = [None if step % 2 else wall(step) for step in steps]
    corpus.expect.scalars("wall_times", "loss", steps, steps, wall_times=known)


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    corpus = Corpus(folder)
    write_damage(corpus)
    write_wall_times(corpus)
    corpus.expect.write(folder)


if __name__ == "__main__":
    make(logdir("damaged", sys.argv))
