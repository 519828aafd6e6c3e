"""Images: arrays, boxes drawn on them, and figures into PNG files.

What is logged becomes 8-bit pixels at once, so that the caller may overwrite it; the file is
encoded when the summary is written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kymograph import _core
from kymograph.writer import arrays, pixels, wire

if TYPE_CHECKING:
    import PIL.Image
    from matplotlib.figure import Figure

__all__ = ["figure", "image", "image_boxes"]

_COLUMNS = 8


def image(
    tag: str | None, tensor: Any, rescale: float = 1, dataformats: str = "NCHW"
) -> _core.LateSummary:
    """One image, or those of a batch in up to eight columns.

    `dataformats` names the axes: `HW`, `CHW`, `NCHW`, each in any order. Bytes are taken as they
    are, anything else is multiplied by 255 and clipped.
    """
    tiles, grid = _tiles(tensor, dataformats)
    if rescale == 1:
        return _core.image_summary(wire.string(tag), tiles, grid=grid)
    return _from_pillow(tag, _to_pillow(tiles, grid), rescale)


def image_boxes(
    tag: str | None,
    tensor_image: Any,
    tensor_boxes: Any,
    rescale: float = 1,
    dataformats: str = "CHW",
    labels: str | Sequence[str] | None = None,
) -> _core.LateSummary:
    """An image with red boxes, each a row of left, top, right and bottom in pixels.

    Labels are drawn when there is one for each box.
    """
    drawn = _to_pillow(*_tiles(tensor_image, dataformats))
    boxes = arrays.to_numpy(tensor_boxes)
    labels = [labels] if isinstance(labels, str) else labels
    for index in range(boxes.shape[0]):
        label = labels[index] if labels is not None and len(labels) == len(boxes) else None
        _draw_box(drawn, boxes[index, :], label)
    return _from_pillow(tag, drawn, rescale)


def figure(tag: str | None, figure: Figure | list[Figure], close: bool = True) -> _core.LateSummary:
    """A figure of matplotlib, or a list of figures of one size as a batch; they are closed."""
    if isinstance(figure, list):
        rendered = [_render(each, close=close) for each in figure]
        tiles, grid = _tiles(np.stack(rendered), "NHWC")
    else:
        tiles, grid = _tiles(_render(figure, close=close), "HWC")
    return _core.image_summary(wire.string(tag), tiles, grid=grid, is_drawing=True)


def _tiles(tensor: Any, dataformats: str) -> tuple[npt.NDArray[Any], tuple[int, int]]:
    """A view with the axes tile, row, column, channel, and the rows and columns of the grid."""
    array = arrays.to_numpy(tensor)
    if len(dataformats) == 4:
        tiles = pixels.transposed(array, dataformats, "NHWC")
        if tiles.shape[3] not in (1, 3, 4):
            raise AssertionError(f"a batch of images needs 1, 3 or 4 channels: {tiles.shape[3]}")
    elif len(dataformats) == 3:
        tiles = pixels.transposed(array, dataformats, "HWC")[np.newaxis]
    elif len(dataformats) == 2:
        tiles = pixels.transposed(array, dataformats, "HW")[np.newaxis, :, :, np.newaxis]
    else:
        pixels.transposed(array, dataformats, dataformats.upper())
        raise AttributeError(f"`dataformats` must have 2, 3 or 4 letters: {dataformats}")
    columns = min(len(tiles), _COLUMNS)
    return pixels.samples(tiles), (-(-len(tiles) // columns) if columns else 0, columns)


def _to_pillow(tiles: npt.NDArray[Any], grid: tuple[int, int]) -> PIL.Image.Image:
    from PIL import Image

    return Image.fromarray(_core.pixels(tiles, grid=grid))


def _from_pillow(tag: str | None, drawn: PIL.Image.Image, rescale: float) -> _core.LateSummary:
    """The summary states the size before rescaling, as PyTorch's does."""
    from PIL import Image

    width, height = drawn.size
    if rescale != 1:
        size = int(width * rescale), int(height * rescale)
        drawn = drawn.resize(size, Image.Resampling.LANCZOS)
    picture = np.asarray(drawn)[np.newaxis]
    return _core.image_summary(wire.string(tag), picture, size=(height, width))


def _draw_box(image: PIL.Image.Image, box: npt.NDArray[Any], label: str | None) -> None:
    """Draws what PyTorch draws: the outline, and the label in its lower left corner."""
    from PIL import ImageDraw, ImageFont

    left, top, right, bottom = (box[side] for side in range(4))
    draw = ImageDraw.Draw(image)
    corners = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
    draw.line(corners, width=2, fill="Red")
    if not label:
        return
    font = ImageFont.load_default()
    text_left, text_top, text_right, text_bottom = font.getbbox(label)
    width, height = text_right - text_left, text_bottom - text_top
    margin = np.ceil(0.05 * height)
    plate = [(left, bottom - height - 2 * margin), (left + width, bottom)]
    draw.rectangle(plate, fill="Red")
    draw.text((left + margin, bottom - height - margin), label, fill="black", font=font)


def _render(figure: Figure, *, close: bool) -> npt.NDArray[np.uint8]:
    """The picture of a figure: rows, columns, colours."""
    if not hasattr(figure, "canvas"):
        raise AttributeError(f"expected a matplotlib figure, not: {type(figure).__name__}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    rendered = np.asarray(canvas.buffer_rgba())[:, :, :3]
    # A figure that pyplot does not know has nothing to be closed.
    if close and (pyplot := sys.modules.get("matplotlib.pyplot")):
        pyplot.close(figure)
    return rendered
