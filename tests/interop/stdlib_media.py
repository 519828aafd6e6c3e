"""Pixels of PNG, frames of GIF and samples of WAV files, with the standard library only."""

from __future__ import annotations

import io
import struct
import wave
import zlib
from typing import Any

import numpy as np

_CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def png_pixels(data: bytes) -> np.ndarray[Any, Any]:
    """Decodes an 8-bit PNG that is neither interlaced nor has a palette, as H x W x C bytes."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("not a PNG file")
    at, packed, header = 8, b"", b""
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] != zlib.crc32(
            kind + body
        ):
            raise ValueError(f"damaged chunk: {kind!r}")
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    if depth != 8 or interlaced or color not in _CHANNELS:
        raise ValueError(f"unusual PNG: depth {depth}, color type {color}")
    return _unfilter(zlib.decompress(packed), height, width, _CHANNELS[color])


def _unfilter(raw: bytes, height: int, width: int, channels: int) -> np.ndarray[Any, Any]:
    stride = width * channels
    image = np.zeros((height, stride), dtype=np.uint8)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        line = raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)]
        for x, byte in enumerate(line):
            left = int(image[y, x - channels]) if x >= channels else 0
            up = int(image[y - 1, x]) if y else 0
            corner = int(image[y - 1, x - channels]) if y and x >= channels else 0
            guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
            image[y, x] = (byte + guess) & 0xFF
    return image.reshape(height, width, channels)


def _paeth(left: int, up: int, corner: int) -> int:
    target = left + up - corner
    return min((left, up, corner), key=lambda value: abs(target - value))


def gif_frames(data: bytes) -> int:
    """Counts the frames of a GIF file by walking over its blocks."""
    if data[:6] not in (b"GIF87a", b"GIF89a"):
        raise ValueError("not a GIF file")
    at, frames = 13 + _color_table_bytes(data[10]), 0
    while data[at] != 0x3B:
        if data[at] == 0x21:
            at += 2
        elif data[at] == 0x2C:
            frames += 1
            at += 11 + _color_table_bytes(data[at + 9])
        else:
            raise ValueError(f"unknown block: {data[at]:#x}")
        while data[at]:
            at += 1 + data[at]
        at += 1
    return frames


def _color_table_bytes(flags: int) -> int:
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def wav_clip(data: bytes) -> tuple[int, int, int, bytes]:
    """Sample rate, channels, frames and the 16-bit samples of a WAV file."""
    with wave.open(io.BytesIO(data)) as clip:
        if clip.getsampwidth() != 2:
            raise ValueError(f"not 16 bits a sample: {8 * clip.getsampwidth()}")
        samples = clip.readframes(clip.getnframes())
        return clip.getframerate(), clip.getnchannels(), clip.getnframes(), samples
