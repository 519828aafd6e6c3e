"""The types of encoded images, audio and video, by their first bytes alone."""

from __future__ import annotations

__all__ = ["AUDIO", "UNKNOWN", "sniff"]

UNKNOWN = "application/octet-stream"
"""What is to be saved and not to be shown."""

# Nothing in this list can carry script. SVG can, and is therefore not in it.
_BEGINNINGS = [
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
]
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav"}
# Brands of ISO media files that are not video.
_BRANDS = {b"M4A ": "audio/mp4", b"avif": "image/avif", b"avis": "image/avif"}
# Bits 3 and 4 of the second byte: MPEG version; 1 and 2: layer, of which III is what `mp3` means.
_MP3_FRAMES = {b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2", b"\xff\xe3", b"\xff\xe2"}

AUDIO = frozenset({"audio/ogg", "audio/flac", "audio/mpeg", "audio/wav", "audio/mp4"})
"""What is a sound."""


def sniff(data: bytes) -> str:
    """The media type of what a browser may show; of everything else, `UNKNOWN`."""
    for beginning, media_type in _BEGINNINGS:
        if data.startswith(beginning):
            return media_type
    if data[:4] == b"RIFF":
        return _RIFF.get(data[8:12], UNKNOWN)
    if data[4:8] == b"ftyp":
        return _BRANDS.get(data[8:12], "video/mp4")
    # Two letters are not much; a bitmap also has its own length, then zeros.
    if data[:2] == b"BM" and data[6:10] == bytes(4):
        return "image/bmp"
    return "audio/mpeg" if data[:2] in _MP3_FRAMES else UNKNOWN
