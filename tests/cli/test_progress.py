"""The progress bar of long loads."""

import pytest

from kymograph.cli import progress
from kymograph.store import Progress

HALF = Progress(
    bytes_done=250_000_000, bytes_known=500_000_000, files_done=3, files_known=9, loading=True
)
NOTHING = Progress(bytes_done=0, bytes_known=0, files_done=0, files_known=0, loading=True)


def test_it_says_what_is_read_and_how_long_it_takes():
    bar = "━" * 20 + "╌" * 20
    expected = f"reading 3 of 9 files  {bar}  250 MB of 500 MB, 100 MB/s, 2 s left"
    assert progress.line(HALF, 2.5, 120) == expected


def test_before_anything_is_found_it_has_no_bar():
    assert progress.line(NOTHING, 0.5, 80) == "reading 0 of 0 files"


@pytest.mark.parametrize("room", range(1, 120))
def test_it_never_takes_more_than_a_line(room: int):
    for now in (HALF, NOTHING):
        assert len(progress.line(now, 2.5, room)) <= room
    if room > 70:
        assert "━" in progress.line(HALF, 2.5, room)
