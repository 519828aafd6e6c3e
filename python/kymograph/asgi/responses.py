"""Answers: JSON, bytes and blobs, with what lets clients keep and resume them."""

from __future__ import annotations

import gzip
import ipaddress
import math
import os
import re
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi.board import board

__all__ = [
    "accepts",
    "blob",
    "encoded",
    "etag",
    "json",
    "number",
    "numbers",
    "path",
    "plain",
    "unchanged",
]

# Less does not fill a packet.
_LEAST_COMPRESSED = 1024
# Beyond this, to compress takes longer than to send, unless the way is long.
_MOST_COMPRESSED_NEAR = 256 * 1024
# Beyond this, it takes longer than others should wait.
_MOST_COMPRESSED_SOON = 4 << 20
# The largest integer up to which doubles hold all of them.
_MOST_EXACT = 2**53
_REVALIDATE = "private, no-cache"
_FOR_EVER = "private, max-age=31536000, immutable"


def etag(*parts: object) -> str:
    """A tag for an answer that depends on nothing but these."""
    return '"' + "-".join(str(part) for part in parts) + '"'


def number(value: float) -> float | str:
    """A number for JSON, which has no NaN and no infinities."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def plain(value: Any) -> Any:
    """A number of any type for JSON, also a pair of them and one that clients would round."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, float):
        return number(value)
    if isinstance(value, int) and abs(value) > _MOST_EXACT:
        return str(value)
    return value


def numbers(values: memoryview[float]) -> Sequence[float | str]:
    """Numbers for JSON, likewise."""
    found = values.tolist()
    # A sum is finite only if all of it is, and quickly made.
    return found if math.isfinite(sum(found)) else [number(value) for value in found]


def path(path: Path) -> str:
    """A path for JSON, also one that is not in the file system's encoding."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


async def json(request: Request, value: object, *, tag: str | None = None) -> Response:
    """An object as JSON; with a tag, nothing when the client has it already."""
    return await encoded(request, msgspec.json.encode(value), "application/json", tag=tag)


async def encoded(
    request: Request,
    body: bytes,
    media_type: str,
    *,
    tag: str | None = None,
    for_ever: bool = False,
) -> Response:
    """An answer that a worker has turned into bytes already."""
    kept = _FOR_EVER if for_ever else _REVALIDATE
    headers = {"Cache-Control": kept, "Vary": "Accept-Encoding, Cookie"}
    if tag is not None:
        headers["ETag"] = tag
        if (same := unchanged(request, tag, for_ever=for_ever)) is not None:
            return same
    if _is_compressed(request, len(body)):
        here = board(request)
        workers = here.workers if len(body) <= _MOST_COMPRESSED_SOON else here.slow_workers
        body = await workers.run(gzip.compress, body, 1, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, HTTPStatus.OK, headers, media_type)


def unchanged(request: Request, tag: str, *, for_ever: bool = False) -> Response | None:
    """An answer without a body if the client has what has this tag."""
    known = request.headers.get("if-none-match")
    if known is None:
        return None
    tags = (part.strip().removeprefix("W/") for part in known.split(","))
    if known.strip() != "*" and tag not in tags:
        return None
    headers = {"Cache-Control": _FOR_EVER if for_ever else _REVALIDATE, "ETag": tag}
    return Response(None, HTTPStatus.NOT_MODIFIED, headers | {"Vary": "Accept-Encoding, Cookie"})


def _is_compressed(request: Request, length: int) -> bool:
    if length < _LEAST_COMPRESSED or not accepts(request, "gzip"):
        return False
    return length <= _MOST_COMPRESSED_NEAR or not _is_near(request)


def accepts(request: Request, coding: str) -> bool:
    """Whether the client can read an answer that is compressed in this way, such as `gzip`."""
    for part in request.headers.get("accept-encoding", "").split(","):
        name, _, quality = part.partition(";")
        if name.strip().lower() in {coding, "*"}:
            return quality.replace(" ", "") not in {"q=0", "q=0.0"}
    return False


def _is_near(request: Request) -> bool:
    """Whether the client is on this machine, as far as is known."""
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    if request.client is None:  # a unix socket
        return True
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def blob(
    request: Request, body: bytes, media_type: str, *, tag: str, filename: str | None = None
) -> Response:
    """Bytes that never change under their address, whole or in part.

    With a file name, which must be plain, they are to be saved and not to be shown.
    """
    if (same := unchanged(request, tag, for_ever=True)) is not None:
        return same
    headers = {"Cache-Control": _FOR_EVER, "ETag": tag, "Accept-Ranges": "bytes"}
    if filename is not None:
        headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    wanted = request.headers.get("range")
    if wanted is None or request.headers.get("if-range", tag) != tag:
        return Response(body, HTTPStatus.OK, headers, media_type)
    span = _span(wanted, len(body))
    if span is None:  # several ranges, or another unit: the whole is always right
        return Response(body, HTTPStatus.OK, headers, media_type)
    start, stop = span
    if start >= stop:
        headers["Content-Range"] = f"bytes */{len(body)}"
        return Response(None, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers)
    headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(body)}"
    return Response(body[start:stop], HTTPStatus.PARTIAL_CONTENT, headers, media_type)


def _span(wanted: str, length: int) -> tuple[int, int] | None:
    """Start and end of `bytes=a-b`, `bytes=a-` or `bytes=-n`; `None` for anything else."""
    unit, _, text = wanted.partition("=")
    first, dash, last = text.strip().partition("-")
    numbers = (first, last)
    if unit.strip().lower() != "bytes" or not dash or not any(numbers):
        return None
    # Python refuses to read numbers of very many digits.
    if not all(re.fullmatch(r"[0-9]{0,18}", part) for part in numbers):
        return None
    if not first:
        return max(0, length - int(last)), length
    stop = length if not last else min(int(last) + 1, length)
    return int(first), stop
