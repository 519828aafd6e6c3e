"""Videos: frames into GIF, MP4 or WebM files, which are kept as images are.

The frames become 8-bit pixels at once; the file is encoded when the summary is written.
"""

from __future__ import annotations

import shutil
import warnings
from typing import Any

from kymograph import _core
from kymograph.writer import arrays, pixels, wire

__all__ = ["video"]


def video(
    tag: str | None,
    tensor: Any,
    fps: float = 4,
    *,
    dataformats: str = "NTCHW",
    format: str = "gif",  # noqa: A002  (as in Pillow)
) -> _core.LateSummary:
    """A batch of videos side by side, of 1, 3 or 4 channels.

    The default is GIF, which is all that TensorBoard shows. `mp4` and `webm` need the program
    `ffmpeg`, or the package `imageio-ffmpeg`; `auto` is `mp4` where they are, else `gif`.
    """
    array = arrays.to_numpy(tensor)
    if array.ndim != 5:
        raise ValueError(f"a video must have 5 axes ({dataformats}), not shape: {array.shape}")
    videos = pixels.samples(pixels.transposed(array, dataformats, "NTHWC"))
    return _core.video_summary(
        wire.string(tag),
        videos,
        fps=float(fps),
        grid=_grid(len(videos)),
        encoder=_encoder(format),
        container="webm" if format == "webm" else "mp4",
    )


def _grid(count: int) -> tuple[int, int]:
    """Rows and columns: both are powers of two, with no more rows than columns."""
    places = 1 << max(count - 1, 0).bit_length()
    rows = 1 << (max(count, 1).bit_length() - 1) // 2
    return rows, places // rows


def _encoder(format: str) -> str | None:  # noqa: A002
    """The program that encodes such files; `None` for GIF, and if there is no such program."""
    if format == "gif":
        return None
    if format not in ("mp4", "webm", "auto"):
        raise ValueError(f"unknown video format: `{format}`")
    found = shutil.which("ffmpeg") or _encoder_of_imageio()
    if found is None and format != "auto":
        warnings.warn(
            f"no `ffmpeg` was found, so videos are written as GIF instead of {format}\n"
            "hint: install `ffmpeg` or `imageio-ffmpeg`",
            RuntimeWarning,
            stacklevel=2,
        )
    return found


def _encoder_of_imageio() -> str | None:
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):  # the package, or the program it should bring, is missing
        return None
