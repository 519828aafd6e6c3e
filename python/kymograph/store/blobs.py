"""What stays on disk until someone looks: images, audio, histograms, text, graphs, tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

from kymograph.errors import BlobUnreadableError
from kymograph.store.series import Metadata, Tagged

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "Audio",
    "Blob",
    "BlobSeries",
    "Decoded",
    "Empty",
    "Graph",
    "Histogram",
    "Images",
    "Tensor",
    "Text",
    "decoded",
]


@dataclass(frozen=True)
class Images:
    """The images logged at one step."""

    width: int
    height: int
    items: list[bytes]
    """Encoded pictures: PNG normally, GIF for videos."""


@dataclass(frozen=True)
class Audio:
    """The clips logged at one step."""

    sample_rate: float | None
    content_type: str | None
    items: list[bytes]
    """Encoded clips, WAV normally."""


@dataclass(frozen=True)
class Histogram:
    """A histogram."""

    buckets: npt.NDArray[np.float64]
    """A row for each bucket: left edge, right edge, count."""


@dataclass(frozen=True)
class Text:
    """Strings, Markdown often."""

    array: npt.NDArray[np.object_]
    """The strings in the shape in which they were logged."""


@dataclass(frozen=True)
class Tensor:
    """Numbers in any shape."""

    array: npt.NDArray[Any]


@dataclass(frozen=True)
class Graph:
    """A serialized GraphDef, RunMetadata or Keras model, as the plugin name of its tag says."""

    data: bytes


@dataclass(frozen=True)
class Empty:
    """A value that is nothing but its metadata."""


Decoded: TypeAlias = Images | Audio | Histogram | Text | Tensor | Graph | Metadata | Empty


class BlobSeries(Tagged):
    """The blobs of one tag in one run, as they were when it was asked for."""

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
            raise IndexError(f"there are {length} blobs, none of index {index}")
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

    def addresses(self, start: int = 0, stop: int | None = None) -> list[str]:
        """Short texts by which the store, as long as it is open, finds blobs `start` to `stop`."""
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
        """A short text by which the store, as long as it is open, finds it: `store.read_blob`."""
        return self._series.addresses(self._index, self._index + 1)[0]

    def read(self) -> bytes:
        """The serialized `Summary.Value` (for graphs of a run: the graph), read and checked now.

        Raises BlobUnreadableError when the file changed under it.
        """
        return self._series.read(self._index)

    def decode(self) -> Decoded:
        """The value in the form its dashboard works with, read and checked now.

        Raises BlobUnreadableError when the file changed under it.
        """
        return self._series.decode(self._index)


def decoded(parts: tuple[Any, ...]) -> Decoded:
    """What the core made of a blob, as one of the classes above."""
    kind, *fields = parts
    return _DECODERS[kind](*fields)


def _histogram(flat: npt.NDArray[np.float64]) -> Histogram:
    return Histogram(flat.reshape(-1, 3))


def _text(shape: list[int], strings: list[bytes]) -> Text:
    array = np.empty(len(strings), dtype=object)
    array[:] = [string.decode("utf-8", errors="replace") for string in strings]
    return Text(array.reshape(shape))


def _tensor(dtype: str, shape: list[int], data: bytes) -> Tensor:
    return Tensor(np.frombuffer(data, dtype=dtype).reshape(shape))


def _graph_strings(_shape: list[int], strings: list[bytes]) -> Graph:
    if not strings:
        raise BlobUnreadableError("the graph is empty")
    return Graph(strings[0])


def _metadata(fields: tuple[str, bytes, str, str, int]) -> Metadata:
    return Metadata(*fields)


_DECODERS: dict[str, Callable[..., Decoded]] = {
    "images": Images,
    "audio": Audio,
    "histogram": _histogram,
    "text": _text,
    "tensor": _tensor,
    "graph": Graph,
    "graph_strings": _graph_strings,
    "metadata": _metadata,
    "empty": Empty,
}
