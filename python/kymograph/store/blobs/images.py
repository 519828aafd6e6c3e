"""Pictures and videos."""

from __future__ import annotations

import msgspec

from kymograph import _core

__all__ = ["Images", "PictureLook", "Thumbnail"]


class Images(msgspec.Struct, frozen=True):
    """The images logged at one step."""

    width: int
    height: int
    items: list[bytes]
    """Encoded pictures: PNG normally, GIF for videos."""

    @classmethod
    def from_core(cls, core: _core.Images) -> Images:
        """From what the core decoded."""
        return cls(core.width, core.height, core.items)


class Thumbnail(msgspec.Struct, frozen=True):
    """A small copy of a picture."""

    media_type: str
    data: bytes


class PictureLook(msgspec.Struct, frozen=True):
    """What one picture is, or an error."""

    items: int
    """How many pictures its blob has."""
    bytes: int
    """The length of its file."""
    media_type: str | None
    """By its content; nothing if there is an error, and then all numbers are 0."""
    width: int
    height: int
    channels: int
    bit_depth: int
    error: str | None
    thumbnail: Thumbnail | None

    @classmethod
    def from_core(cls, core: _core.PictureLook) -> PictureLook:
        """From what the core found."""
        thumbnail = None
        if core.thumbnail is not None and core.thumbnail_type is not None:
            thumbnail = Thumbnail(core.thumbnail_type, core.thumbnail)
        return cls(
            items=core.items,
            bytes=core.bytes,
            media_type=core.media_type,
            width=core.width,
            height=core.height,
            channels=core.channels,
            bit_depth=core.bit_depth,
            error=core.error,
            thumbnail=thumbnail,
        )
