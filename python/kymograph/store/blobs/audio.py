"""Clips, and what is drawn of them."""

from __future__ import annotations

import msgspec

from kymograph import _core

__all__ = ["Audio", "Spectrogram", "Waveform"]


class Audio(msgspec.Struct, frozen=True):
    """The clips logged at one step."""

    sample_rate: float | None
    content_type: str | None
    items: list[bytes]
    """Encoded clips, WAV normally."""

    @classmethod
    def from_core(cls, core: _core.Audio) -> Audio:
        """From what the core decoded."""
        return cls(core.sample_rate, core.content_type, core.items)


class Waveform(msgspec.Struct, frozen=True):
    """A clip as columns of pixels, and what is known of it."""

    items: int
    """How many clips were logged together."""
    sample_rate: int
    channels: int
    frames: int
    """Samples of each channel."""
    encoding: str
    """`WAV, 16 bit`."""
    note: str | None
    """What is odd about the clip, in a sentence."""
    columns: int
    peak: float
    """The highest absolute value."""
    loudness: float | None
    """In LUFS; nothing for silence."""
    not_finite: int
    """Samples that are NaN or infinite; they are drawn as silence."""
    min: bytes
    """The lowest sample of each column as little-endian floats, one channel behind the other."""
    max: bytes

    @classmethod
    def from_core(cls, core: _core.Waveform) -> Waveform:
        """From what the core computed."""
        return cls(*(getattr(core, name) for name in cls.__struct_fields__))


class Spectrogram(msgspec.Struct, frozen=True):
    """A clip as a picture of its frequencies."""

    columns: int
    rows: int
    window: int
    """Samples of one spectrum."""
    floor_decibels: float
    levels: bytes
    """Column by column, the lowest frequency first: 0 is the floor, 255 a full-scale sine."""
    edges: bytes
    """The edges of the rows in hertz as little-endian floats: one more than there are rows."""

    @classmethod
    def from_core(cls, core: _core.Spectrogram) -> Spectrogram:
        """From what the core computed."""
        return cls(*(getattr(core, name) for name in cls.__struct_fields__))
