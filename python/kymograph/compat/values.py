"""One logged value in TensorBoard's terms: pictures, clips, histograms, tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kymograph.compat.tensor_proto import TensorProto
from kymograph.store import Blob, Histogram, Tensor, wire

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "HistogramValue",
    "clips",
    "compressed",
    "compressed_rows",
    "histogram",
    "images",
    "tensor",
]

# Fields of Summary.Value.
_IMAGE, _HISTO, _AUDIO, _TENSOR = 4, 5, 6, 8
_STRING = 7


class HistogramValue(NamedTuple):
    """The fields of TensorBoard's HistogramProto."""

    min: float
    max: float
    num: float
    sum: float
    """NaN where it was logged as a tensor, which does not have it; as for `sum_squares`."""
    sum_squares: float
    bucket_limit: list[float]
    bucket: list[float]


def histogram(blob: Blob) -> HistogramValue:
    """The histogram in a blob, as far as it is known."""
    fields = wire.read(blob.read())
    if _HISTO in fields:
        return _histogram_value(wire.read(wire.bytes_of(fields, _HISTO)))
    decoded = blob.decode()
    rows = decoded.buckets if isinstance(decoded, Histogram) else np.empty((0, 3))
    return _histogram_of_rows(rows)


def images(blob: Blob) -> Iterator[tuple[int, int, bytes]]:
    """Width, height and encoded bytes of each picture in a blob."""
    fields = wire.read(blob.read())
    if _IMAGE in fields:
        image = wire.read(wire.bytes_of(fields, _IMAGE))
        yield wire.integer_of(image, 2), wire.integer_of(image, 1), wire.bytes_of(image, 4)
        return
    strings = _strings(wire.bytes_of(fields, _TENSOR))
    width, height = (int(text) if text.isdigit() else 0 for text in [*strings, b"", b""][:2])
    for item in strings[2:]:
        yield width, height, item


def clips(blob: Blob) -> Iterator[tuple[bytes, str, float, int]]:
    """Encoded bytes, type, rate and length of each clip in a blob."""
    fields = wire.read(blob.read())
    if _AUDIO in fields:
        audio = wire.read(wire.bytes_of(fields, _AUDIO))
        content_type = wire.bytes_of(audio, 5).decode("utf-8", errors="replace")
        rate, length = wire.single_of(audio, 1), wire.integer_of(audio, 3)
        yield wire.bytes_of(audio, 4), content_type, rate, length
        return
    message = wire.bytes_of(fields, _TENSOR)
    # Two columns are clip and label.
    stride = 2 if len(_shape(message)) == 2 else 1
    for item in _strings(message)[::stride]:
        yield item, "", 0.0, 0


def _histogram_value(histo: dict[int, list[wire.Field]]) -> HistogramValue:
    least, greatest, number, total, squares = (wire.double_of(histo, at) for at in range(1, 6))
    limits, counts = wire.doubles_of(histo, 6), wire.doubles_of(histo, 7)
    return HistogramValue(least, greatest, number, total, squares, limits, counts)


def _histogram_of_rows(rows: npt.NDArray[np.float64]) -> HistogramValue:
    nan = float("nan")
    if not len(rows):
        return HistogramValue(0.0, 0.0, 0.0, nan, nan, [], [])
    least, greatest = float(rows[0, 0]), float(rows[-1, 1])
    number = float(rows[:, 2].sum())
    limits, counts = rows[:, 1].tolist(), rows[:, 2].tolist()
    return HistogramValue(least, greatest, number, nan, nan, limits, counts)


def compressed(value: HistogramValue, basis_points: Sequence[int]) -> list[tuple[float, float]]:
    """The value below which each part is, by linear interpolation inside buckets."""
    if not value.num:
        return [(point, 0.0) for point in basis_points]
    counts = np.asarray(value.bucket, dtype=np.float64)
    filled = np.flatnonzero(counts > 0)
    reached = np.cumsum(counts * basis_points[-1] / (counts.sum() or 1.0))
    limits = np.asarray(value.bucket_limit, dtype=np.float64)
    values: list[tuple[float, float]] = []
    for point in basis_points:
        # The first bucket that holds anything and ends beyond the point.
        place = filled[np.searchsorted(reached[filled], point, side="right") :]
        if not len(place):
            values.append((point, value.max))
            continue
        at = int(place[0])
        before = float(reached[at - 1]) if at else 0.0
        left = max(float(limits[at - 1]), value.min) if before else value.min
        right = min(float(limits[at]), value.max)
        # In TensorBoard's order, so that the last digit is the same too.
        along = (point - before) * (right - left) / (float(reached[at]) - before)
        values.append((point, left + along))
    return values


def compressed_rows(
    rows: npt.NDArray[np.float64], basis_points: Sequence[int]
) -> list[tuple[float, float]]:
    """The same of the rows of a histogram: left edge, right edge and count of each bucket."""
    value = _histogram_of_rows(rows)
    if len(rows) and not value.num:
        # TensorBoard's: where nothing was counted, everything is below the last edge.
        return [(point, value.max) for point in basis_points]
    return compressed(value, basis_points)


def tensor(blob: Blob) -> TensorProto | None:
    """The tensor in a blob; nothing when it is of another kind."""
    message = wire.read(blob.read())
    if _TENSOR not in message:
        return None
    serialized = wire.bytes_of(message, _TENSOR)
    if wire.integer_of(wire.read(serialized), 1) == _STRING:
        strings = _strings(serialized)
        array: npt.NDArray[np.object_] = np.empty(len(strings), dtype=object)
        array[:] = strings
        return TensorProto(_shaped(array, _shape(serialized)), serialized)
    decoded = blob.decode()
    if isinstance(decoded, Tensor):
        return TensorProto(decoded.array, serialized)
    if isinstance(decoded, Histogram):
        return TensorProto(decoded.buckets, serialized)
    return TensorProto(np.empty(0), serialized)


def _strings(message: bytes) -> list[bytes]:
    return [value for value in wire.read(message).get(8, []) if isinstance(value, bytes)]


def _shape(message: bytes) -> list[int]:
    dims = wire.read(wire.bytes_of(wire.read(message), 2)).get(2, [])
    return [wire.integer_of(wire.read(dim), 1) for dim in dims if isinstance(dim, bytes)]


def _shaped(array: npt.NDArray[np.object_], shape: list[int]) -> npt.NDArray[np.object_]:
    return array.reshape(shape) if int(np.prod(shape)) == len(array) else array
