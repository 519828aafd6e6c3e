"""Arrays into images: layouts, types, grids and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from kymograph import _core
from kymograph.writer.summaries import images
from tests.golden import wire
from tests.interop.stdlib_media import png_pixels

RAMP = np.arange(5 * 7 * 3, dtype=np.float32).reshape(5, 7, 3) / 100


def fields(summary: _core.LateSummary) -> tuple[str, int, int, int, bytes]:
    """Tag, height, width, colorspace and file of a summary's one image."""
    (value,) = wire.all_bytes(summary.SerializeToString(), 1)
    image = wire.last_bytes(value, 4)
    height, width, colorspace = (wire.last_integer(image, number) for number in (1, 2, 3))
    return wire.last_bytes(value, 1).decode(), height, width, colorspace, wire.last_bytes(image, 4)


def decoded(summary: _core.LateSummary) -> np.ndarray[Any, Any]:
    return png_pixels(fields(summary)[4])


def as_pixels(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The rule, step by step: times 255 in single precision, clipped, cut off."""
    if array.dtype == np.uint8:
        return array
    scaled = np.nan_to_num(array.astype(np.float32), nan=0) * np.float32(255)
    clipped: np.ndarray[Any, Any] = np.clip(scaled, 0, 255).astype(np.uint8)
    return clipped


@pytest.mark.parametrize("letters", [*map("".join, itertools.permutations("HWC")), "chw"])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_axes_come_in_any_order(letters: str, dtype: str):
    hwc = RAMP.astype(dtype)
    stored = np.ascontiguousarray(hwc.transpose(["HWC".index(each) for each in letters.upper()]))
    summary = images.image("photo", stored, dataformats=letters)
    assert fields(summary)[:4] == ("photo", 5, 7, 3)
    np.testing.assert_array_equal(decoded(summary), as_pixels(hwc))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "uint16", "float16", ">f4", ">f8"])
def test_all_types_but_bytes_are_scaled(dtype: str):
    array = np.array([[0, 1, 0.5], [1, 0, 1]]).astype(dtype)
    found = decoded(images.image("photo", array, dataformats="HW"))
    np.testing.assert_array_equal(found, np.stack([as_pixels(array)] * 3, axis=2))


def test_values_beyond_the_range_are_clipped_and_nan_is_black():
    array = np.array([[-1, 0.999, 2, np.nan, np.inf, -np.inf]], dtype=np.float32)
    found = decoded(images.image("photo", array, dataformats="HW"))
    assert found[0, :, 0].tolist() == [0, 254, 255, 0, 255, 0]


@pytest.mark.parametrize("letters", ["HW", "WH"])
def test_without_channels_all_three_are_the_same(letters: str):
    array = RAMP[:, :, 0] if letters == "HW" else RAMP[:, :, 0].T
    summary = images.image("photo", array, dataformats=letters)
    assert fields(summary)[3] == 3
    np.testing.assert_array_equal(decoded(summary), as_pixels(RAMP[:, :, [0, 0, 0]]))


@pytest.mark.parametrize(("channels", "colorspace"), [(1, 3), (2, 2), (3, 3), (4, 4)])
def test_one_channel_becomes_three_and_others_stay(channels: int, colorspace: int):
    array = np.resize(RAMP, (5, 7, channels))
    summary = images.image("photo", array, dataformats="HWC")
    assert fields(summary)[1:4] == (5, 7, colorspace)
    expected = as_pixels(array) if channels > 1 else as_pixels(array[:, :, [0, 0, 0]])
    np.testing.assert_array_equal(decoded(summary), expected)


@pytest.mark.parametrize("view", [np.s_[::-1, ::2], np.s_[1:4, ::-3], np.s_[:, 2:3]])
def test_views_are_read_as_they_look(view: Any):
    for array in (RAMP[view], (RAMP * 100).astype(np.uint8)[view]):
        found = decoded(images.image("photo", array, dataformats="HWC"))
        np.testing.assert_array_equal(found, as_pixels(array))


def test_fields_of_records_are_read_where_they_lie():
    records = np.zeros((4, 4), dtype=[("flag", "u1"), ("value", "f4")])
    records["value"] = np.linspace(0, 1, 16, dtype=np.float32).reshape(4, 4)
    found = decoded(images.image("photo", records["value"], dataformats="HW"))
    np.testing.assert_array_equal(found[:, :, 0], as_pixels(records["value"]))


@pytest.mark.parametrize(("count", "rows", "columns"), [(1, 1, 1), (8, 1, 8), (11, 2, 8)])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_batches_fill_eight_columns(count: int, rows: int, columns: int, channels: int):
    batch = np.arange(count * 2 * 3 * channels).reshape(count, channels, 2, 3).astype(np.uint8)
    summary = images.image("photos", batch)
    shown = max(channels, 3)
    assert fields(summary)[1:4] == (rows * 2, columns * 3, shown)
    expected = np.zeros((rows * 2, columns * 3, shown), dtype=np.uint8)
    for index, picture in enumerate(batch):
        top, left = index // columns * 2, index % columns * 3
        expected[top : top + 2, left : left + 3] = picture.transpose(1, 2, 0)
    np.testing.assert_array_equal(decoded(summary), expected)


def test_what_is_painted_over_after_logging_is_not_seen():
    array = np.full((3, 4, 4), 200, dtype=np.uint8)
    summary = images.image("photo", array, dataformats="CHW")
    array[:] = 0
    assert (decoded(summary) == 200).all()


@pytest.mark.parametrize(
    ("shape", "letters", "error"),
    [
        ((3, 4, 4), "CHWN", AssertionError),
        ((3, 4, 4), "CCW", AssertionError),
        ((3, 4, 4), "CcW", ValueError),
        ((3, 4, 4), "XHW", ValueError),
        ((2, 2, 4, 4), "NCHW", AssertionError),
        ((5, 4, 4), "CHW", TypeError),
        ((4,), "W", AttributeError),
        ((1, 1, 3, 4, 4), "NTCHW", AttributeError),
        ((3, 0, 4), "CHW", ValueError),
        ((0, 3, 4, 4), "NCHW", ValueError),
    ],
)
def test_wrong_shapes_and_letters_raise_what_pytorch_raises(
    shape: tuple[int, ...], letters: str, error: type[Exception]
):
    with pytest.raises(error):
        images.image("photo", np.zeros(shape), dataformats=letters)


def test_what_is_no_array_is_refused():
    for wrong in (None, object()):
        with pytest.raises(NotImplementedError):
            images.image("photo", wrong)
    with pytest.raises(TypeError):
        images.image(7, np.zeros((1, 1)), dataformats="HW")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 3, (None,), [None]])
def test_what_is_no_figure_is_refused(wrong: Any):
    with pytest.raises(AttributeError):
        images.figure("figure", wrong)


def test_boxes_are_rows():
    pytest.importorskip("PIL", reason="draws the boxes")
    with pytest.raises(IndexError):
        images.image_boxes("photo", np.zeros((3, 4, 4)), np.array([1, 2, 3, 4]))


def test_core_refuses_what_it_cannot_read_in_place():
    unaligned = np.zeros(33, dtype=np.uint8)[1:].view(np.float32).reshape(1, 2, 4, 1)
    with pytest.raises(ValueError, match="not aligned"):
        _core.image_summary("photo", unaligned)
    with pytest.raises(TypeError):
        _core.image_summary("photo", np.zeros((1, 2, 4, 1), dtype=np.int64))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="4 axes"):
        _core.image_summary("photo", np.zeros((2, 4, 1)))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_files_keep_their_channels(channels: int):
    array = np.resize(RAMP, (5, 7, channels))
    np.testing.assert_array_equal(png_pixels(_core.encode_png(array)), as_pixels(array))
