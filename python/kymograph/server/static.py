"""The built page, from memory: browsers cache hashed files forever, and revalidate the others."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator
from functools import cached_property
from http import HTTPStatus
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from kymograph.asgi import responses
from kymograph.asgi.board import board
from kymograph.asgi.errors import UnknownRouteError

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parent / "static"
"""Where the build puts it."""

_INDEX = "index.html"
_NOT_BUILT = """\
this installation of Kymograph does not include the page; the API works without it
hint: in a git checkout, run `make build`
"""
# What the system's registry says differs between machines, and scripts of a wrong type do not run.
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_COMPRESSED_ALREADY = {".png", ".webp", ".woff2"}
# Below this folder a file's name changes with its content.
_HASHED = "assets/"
# What the build compressed is in a file of its own beside the original.
_BROTLI = ".br"


class _Asset:
    """A file of the page."""

    def __init__(self, name: str, body: bytes, brotli: bytes | None = None) -> None:
        suffix = Path(name).suffix
        self.name = name
        self.body = body
        self.brotli = brotli
        self.media_type = _MEDIA_TYPES.get(suffix, "application/octet-stream")
        self.is_compressible = suffix not in _COMPRESSED_ALREADY
        is_hashed = name.startswith(_HASHED)
        self.cache_control = "max-age=31536000, immutable" if is_hashed else "no-cache"

    @cached_property
    def tag(self) -> str:
        return hashlib.blake2b(self.body, digest_size=12).hexdigest()

    @cached_property
    def gzip(self) -> bytes:
        return gzip.compress(self.body, mtime=0)

    def coding(self, request: Request) -> str | None:
        """How it is compressed for this client."""
        if not self.is_compressible:
            return None
        if self.brotli is not None and responses.accepts(request, "br"):
            return "br"
        return "gzip" if responses.accepts(request, "gzip") else None

    def encoded(self, coding: str | None) -> bytes:
        """Its bytes; compressing them takes a moment the first time."""
        if coding == "br" and self.brotli is not None:
            return self.brotli
        return self.gzip if coding == "gzip" else self.body


def _assets(folder: Path) -> Iterator[_Asset]:
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix != _BROTLI:
            compressed = path.with_name(path.name + _BROTLI)
            brotli = compressed.read_bytes() if compressed.is_file() else None
            yield _Asset(path.relative_to(folder).as_posix(), path.read_bytes(), brotli)


def page(folder: Path = PAGE) -> Route:
    """Everything that is not part of the API, to be matched last.

    Read at once: a name from a request is looked up and never leads to a file, and a page that
    is open stays whole when the package is upgraded under it.
    """
    assets = {asset.name: asset for asset in _assets(folder)}

    async def endpoint(request: Request) -> Response:
        name = request.path_params["name"] or _INDEX
        if name == _INDEX and _INDEX not in assets:
            return PlainTextResponse(_NOT_BUILT, HTTPStatus.NOT_FOUND)
        if name not in assets:
            raise UnknownRouteError(f"not found: `{name[:200]}`")
        return await _answer(request, assets[name])

    return Route("/{name:path}", endpoint, methods=["GET"])


async def _answer(request: Request, asset: _Asset) -> Response:
    headers = {"Cache-Control": asset.cache_control, "Vary": "Accept-Encoding"}
    coding = asset.coding(request)
    headers["ETag"] = responses.etag(asset.tag, *([coding] if coding else []))
    if responses.unchanged(request, headers["ETag"]):
        return Response(None, HTTPStatus.NOT_MODIFIED, headers)
    if coding is not None:
        headers["Content-Encoding"] = coding
    body = await board(request).workers.run(asset.encoded, coding)
    return Response(body, HTTPStatus.OK, headers, asset.media_type)
