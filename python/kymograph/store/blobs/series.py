"""The blobs of a tag: where they are, and their bytes when they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from kymograph import _core
from kymograph.errors import BlobUnreadableError
from kymograph.store.blobs.kinds import Decoded, decoded
from kymograph.store.series import Tagged

__all__ = ["Blob", "BlobSeries", "columns"]


class BlobSeries(Tagged):
    """The blobs of one tag in one run, as they were when requested."""

    def __repr__(self) -> str:
        return f"<BlobSeries {self.run!r} {self.tag!r} ({self.dashboard}): {len(self)} blobs>"

    @overload
    def __getitem__(self, index: int) -> Blob: ...
    @overload
    def __getitem__(self, index: slice) -> list[Blob]: ...
    def __getitem__(self, index: int | slice) -> Blob | list[Blob]:
        if isinstance(index, slice):
            return [Blob(self, at) for at in range(*index.indices(len(self)))]
        return Blob(self, self._position(index))

    def __iter__(self) -> Iterator[Blob]:
        return (self[index] for index in range(len(self)))

    def _position(self, index: int) -> int:
        length = len(self)
        if not -length <= index < length:
            raise IndexError(f"index {index} is out of range: there are {length} blobs")
        return index % length

    @property
    def dashboard(self) -> str:
        """The dashboard that shows it."""
        return self._core.dashboard

    def read(self, index: int) -> bytes:
        """The bytes of one blob, read and checked now."""
        return self._core.read_blob(self._position(index))

    def decode(self, index: int) -> Decoded:
        """One blob in the form its dashboard works with, read and checked now."""
        return decoded(self._core.decode_blob(self._position(index)))

    def decode_all(self, start: int = 0, stop: int | None = None) -> list[Decoded | None]:
        """Blobs `start` to `stop`, decoded in parallel; nothing for each that cannot be read.

        All of them are in memory at once.
        """
        found = self._core.decode_blobs(*slice(start, stop).indices(len(self))[:2])
        return [None if isinstance(one, BlobUnreadableError) else decoded(one) for one in found]

    def addresses(self, start: int = 0, stop: int | None = None) -> list[str]:
        """Short strings that identify blobs `start` to `stop` as long as the store is open."""
        return self._core.blob_addresses(*slice(start, stop).indices(len(self))[:2])


class Blob:
    """One logged value; its bytes stay on disk."""

    def __init__(self, series: BlobSeries, index: int) -> None:
        self._series = series
        self._index = index

    def __repr__(self) -> str:
        return f"<Blob {self._series.run!r} {self._series.tag!r} at step {self.step}>"

    @property
    def step(self) -> int:
        """The step."""
        return int(self._series.steps[self._index])

    @property
    def wall_time(self) -> float:
        """When it was logged, in seconds since the epoch."""
        return float(self._series.wall_times[self._index])

    @property
    def address(self) -> str:
        """A short string that identifies it as long as the store is open: `store.read_blob`."""
        return self._series.addresses(self._index, self._index + 1)[0]

    def read(self) -> bytes:
        """The serialized `Summary.Value` (for graphs of a run: the graph), read and checked now.

        Raises BlobUnreadableError when the file has changed.
        """
        return self._series.read(self._index)

    def decode(self) -> Decoded:
        """The value in the form its dashboard works with, read and checked now.

        Raises BlobUnreadableError when the file has changed.
        """
        return self._series.decode(self._index)


def columns(ranges: Sequence[tuple[BlobSeries, int, int]]) -> dict[str, memoryview]:
    """Step, time and the numbers of the address of some blobs, one series after another.

    Each range is a series, its first blob and how many. An address is the numbers in `kind`,
    `file`, `record_offset`, `payload_length`, `value_offset` and `value_length` in hexadecimal,
    joined by `-`.
    """
    return _core.blob_columns(
        [(series._core, start, count) for series, start, count in ranges]  # noqa: SLF001
    )
