"""Frames into videos: tiling, speed, formats and what is refused."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import numpy as np
import pytest

from kymograph.writer.summaries import video as videos
from tests.interop.stdlib_media import gif_frames
from tests.writer.summaries.test_images import fields

FRAMES = np.arange(2 * 3 * 3 * 4 * 5, dtype=np.uint8).reshape(2, 3, 3, 4, 5)


@pytest.fixture
def no_encoder(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)


@pytest.mark.parametrize(
    ("count", "rows", "columns"),
    [(1, 1, 1), (2, 1, 2), (3, 1, 4), (4, 2, 2), (8, 2, 4), (16, 4, 4), (17, 4, 8)],
)
def test_batches_fill_a_grid_of_powers_of_two(count: int, rows: int, columns: int):
    summary = videos.video("film", np.zeros((count, 2, 3, 4, 5)))
    tag, height, width, colorspace, file = fields(summary)
    assert (tag, height, width, colorspace) == ("film", 4 * rows, 5 * columns, 3)
    assert gif_frames(file) == 2


def test_gif_is_shown_again_and_again_at_the_speed_asked_for():
    file = fields(videos.video("film", FRAMES, fps=5))[4]
    assert file.startswith(b"GIF89a")
    assert b"NETSCAPE2.0\x03\x01\x00\x00" in file
    controls = file.split(b"\x21\xf9\x04")[1:]
    assert [int.from_bytes(control[1:3], "little") for control in controls] == [20, 20, 20]


@pytest.mark.parametrize("letters", list(map("".join, itertools.permutations("NTCHW")))[::17])
def test_axes_come_in_any_order(letters: str):
    stored = np.ascontiguousarray(FRAMES.transpose(["NTCHW".index(each) for each in letters]))
    expected = fields(videos.video("film", FRAMES))
    assert fields(videos.video("film", stored, dataformats=letters)) == expected


def test_floats_and_bytes_of_the_same_colours_are_the_same_video():
    # Just above, so that cutting off the fraction gives the byte again.
    as_floats = (FRAMES + np.float32(0.01)) / np.float32(255)
    expected = fields(videos.video("film", FRAMES))
    assert fields(videos.video("film", as_floats)) == expected
    assert fields(videos.video("film", as_floats.astype(np.float64))) == expected


def test_one_channel_is_shown_grey():
    grey = FRAMES[:, :, :1]
    assert fields(videos.video("film", grey)) == fields(videos.video("film", grey.repeat(3, 2)))


@pytest.mark.parametrize(
    ("shape", "error"),
    [
        ((3, 4, 5), ValueError),
        ((1, 2, 2, 4, 5), TypeError),
        ((1, 0, 3, 4, 5), ValueError),
        ((0, 2, 3, 4, 5), ValueError),
        ((1, 1, 3, 1, 70_000), ValueError),
    ],
)
def test_what_is_no_video_is_refused(shape: tuple[int, ...], error: type[Exception]):
    with pytest.raises(error):
        videos.video("film", np.zeros(shape, dtype=np.uint8))


@pytest.mark.parametrize("fps", [0, -1, float("nan")])
def test_videos_that_never_move_on_are_refused(fps: float):
    with pytest.raises(ValueError, match="not positive"):
        videos.video("film", FRAMES, fps=fps)


@pytest.mark.usefixtures("no_encoder")
def test_without_an_encoder_every_format_is_gif():
    expected = fields(videos.video("film", FRAMES))
    assert fields(videos.video("film", FRAMES, format="auto")) == expected
    with pytest.warns(RuntimeWarning, match="install `ffmpeg`"):
        summary = videos.video("film", FRAMES, format="mp4")
    assert fields(summary) == expected


def test_encoder_that_fails_is_replaced_by_gif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    summary = videos.video("film", FRAMES, format="webm")
    assert fields(summary) == fields(videos.video("film", FRAMES))


def test_unknown_format_is_refused():
    with pytest.raises(ValueError, match="avi"):
        videos.video("film", FRAMES, format="avi")
