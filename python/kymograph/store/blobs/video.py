"""What is known of a video, and the frames of a GIF."""

from __future__ import annotations

from typing import Literal

import msgspec

from kymograph import _core

__all__ = ["Video", "VideoFrames"]


class Video(msgspec.Struct, frozen=True):
    """What is known of a video."""

    items: int
    """How many were logged together."""
    container: Literal["gif", "mp4", "webm"] | None
    """Nothing for what is no video."""
    bytes: int
    width: int | None
    """Of a GIF that can be decoded, as are the fields below; in pixels."""
    height: int | None
    delays_millis: list[int] | None
    """How long each frame is shown, as browsers do."""
    note: str | None
    """What is odd about it, in a sentence."""
    error: str | None
    """Why the frames of a GIF cannot be shown."""

    @classmethod
    def from_core(cls, core: _core.Video) -> Video:
        """From what the core found."""
        return cls(*(getattr(core, name) for name in cls.__struct_fields__))


class VideoFrames(msgspec.Struct, frozen=True):
    """Some frames of a GIF."""

    width: int
    height: int
    files: list[bytes]
    """PNG files."""

    @classmethod
    def from_core(cls, core: _core.VideoFrames) -> VideoFrames:
        """From what the core decoded."""
        return cls(core.width, core.height, core.files)
