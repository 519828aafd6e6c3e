"""Media types by first bytes: what can be shown is known, what could run is not."""

import pytest

from kymograph.asgi.media_types import AUDIO, UNKNOWN, sniff


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0....JFIF", "image/jpeg"),
        (b"GIF87a..", "image/gif"),
        (b"GIF89a..", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\x10\0\0\0WAVEfmt ", "audio/wav"),
        (b"RIFF\x10\0\0\0AVI LIST", UNKNOWN),
        (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0", "image/bmp"),
        (b"BMW is a car", UNKNOWN),
        (b"OggS\0\x02", "audio/ogg"),
        (b"fLaC\0\0", "audio/flac"),
        (b"ID3\x04\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"\0\0\0\x20ftypisom\0\0", "video/mp4"),
        (b"\0\0\0\x20ftypM4A \0\0", "audio/mp4"),
        (b"\0\0\0\x20ftypavif\0\0", "image/avif"),
        (b"\x1aE\xdf\xa3....webm", "video/webm"),
        (b"", UNKNOWN),
        (b"GIF", UNKNOWN),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", UNKNOWN),
        (b"<?xml version='1.0'?><svg/>", UNKNOWN),
        (b"<!doctype html><script>", UNKNOWN),
        (b"%PDF-1.7", UNKNOWN),
        (b"plain text", UNKNOWN),
    ],
)
def test_the_type_is_found_in_the_first_bytes(data, media_type):
    assert sniff(data) == media_type
    assert (media_type in AUDIO) == media_type.startswith("audio/")
