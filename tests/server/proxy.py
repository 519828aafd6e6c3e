"""A reverse proxy, small but real: bytes come through as they arrive, below a path."""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType

__all__ = ["MOUNT", "Proxy"]

MOUNT = "/a/b/c"


class Proxy:
    """Passes on what is asked below `/a/b/c/`, one request for each connection.

    With `strips` the path is passed on without that prefix, else as it is. With `keeps_host` the
    board gets the name that the client used, else its own, as nginx does by default. With
    `holds` an answer is passed on when it is complete, as old proxies do.
    """

    def __init__(
        self, port: int, *, strips: bool, keeps_host: bool = True, holds: bool = False
    ) -> None:
        self._upstream = port
        self._strips = strips
        self._keeps_host = keeps_host
        self._holds = holds
        self.port = 0
        self._ready = threading.Event()
        # Everything in a thread: in that of a browser test another loop is running already.
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        self._ready.wait()
        self.url = f"http://127.0.0.1:{self.port}{MOUNT}/"

    def __enter__(self) -> Proxy:  # noqa: PYI034  (`Self` needs Python 3.11)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()  # `asyncio.run` then ends what still goes through

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            request, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
            method, path, _ = request.split(" ")
            is_mount = path.partition("?")[0] == MOUNT
            if is_mount and self._strips:  # only the proxy can know of this one
                writer.write(b"HTTP/1.1 301 Moved\r\nLocation: c/\r\nContent-Length: 0\r\n")
                writer.write(b"Connection: close\r\n\r\n")
            elif is_mount or path.startswith(f"{MOUNT}/"):
                await self._pass_on(method, path, lines, reader, writer)
            else:
                writer.write(b"HTTP/1.1 404 Not Here\r\nContent-Length: 0\r\n")
                writer.write(b"Connection: close\r\n\r\n")
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except (OSError, asyncio.IncompleteReadError):
            pass  # one side went
        finally:
            writer.transport.abort()

    async def _pass_on(
        self,
        method: str,
        path: str,
        lines: list[str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        headers = [line.partition(":")[::2] for line in lines]
        given = {name.lower(): value.strip() for name, value in headers}
        kept = [f"{name}:{value}" for name, value in headers if name.lower() not in _OWN]
        host = given["host"] if self._keeps_host else f"127.0.0.1:{self._upstream}"
        target = path.removeprefix(MOUNT) if self._strips else path
        kept += [
            f"Host: {host}",
            f"X-Forwarded-Host: {given['host']}",
            "X-Forwarded-For: 127.0.0.1",
            "X-Forwarded-Proto: http",
            "Connection: close",
        ]
        body = await reader.readexactly(int(given.get("content-length", 0)))
        upstream_reader, upstream = await asyncio.open_connection("127.0.0.1", self._upstream)
        try:
            head = "\r\n".join([f"{method} {target} HTTP/1.1", *kept]) + "\r\n\r\n"
            upstream.write(head.encode("latin-1") + body)
            await upstream.drain()
            sending = asyncio.ensure_future(self._send(upstream_reader, writer))
            gone = asyncio.ensure_future(reader.read())
            # A client that goes must be missed by the board as well.
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
            sending.cancel()
            gone.cancel()
            await asyncio.gather(sending, gone, return_exceptions=True)
        finally:
            upstream.transport.abort()

    async def _send(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Each piece as it comes, to the end."""
        while piece := await (reader.read() if self._holds else reader.read(65536)):
            writer.write(piece)
            await writer.drain()


# What belongs to one connection, or is said by the proxy itself.
_OWN = {
    "host",
    "connection",
    "keep-alive",
    "x-forwarded-host",
    "x-forwarded-for",
    "x-forwarded-proto",
}
