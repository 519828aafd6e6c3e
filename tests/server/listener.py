"""A client of the live stream that waits for each event, and may go without a word."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

# Only ever reached by a test that fails.
PATIENCE_SECS = 60.0


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECS
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@dataclass(frozen=True)
class Event:
    name: str
    id: str | None
    data: Any


def parsed(lines: list[str]) -> Event | None:
    """The event in a block of lines; nothing for a comment or a hint."""
    fields = dict(line.split(": ", 1) for line in lines if not line.startswith(":"))
    if "event" not in fields:
        return None
    return Event(fields["event"], fields.get("id"), json.loads(fields["data"]))


class Listener:
    """Connected until it closes, vanishes or receives the end of the stream."""

    def __init__(self, url: str, *, last_id: str | None = None) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(address.netloc, timeout=PATIENCE_SECS)
        headers = {} if last_id is None else {"Last-Event-ID": last_id}
        self._connection.request("GET", f"{address.path}api/v1/live", headers=headers)
        assert self._connection.sock is not None
        self._socket: socket.socket = self._connection.sock
        self.response = self._connection.getresponse()
        self.last_id = last_id
        self.retry_millis: int | None = None

    def __enter__(self) -> Listener:  # noqa: PYI034  (`Self` needs Python 3.11)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        """Events as they come, until the stream ends or breaks off."""
        with contextlib.suppress(http.client.HTTPException, ConnectionError):
            for block in self._blocks():
                if block[0].startswith("retry: "):
                    self.retry_millis = int(block[0].removeprefix("retry: "))
                if (event := parsed(block)) is not None:
                    self.last_id = event.id or self.last_id
                    yield event

    def _blocks(self) -> Iterator[list[str]]:
        block: list[str] = []
        while line := self.response.readline():
            text = line.decode().rstrip("\n")
            if text:
                block.append(text)
            elif block:
                yield block
                block = []

    def until(self, name: str, is_it: Callable[[Any], bool] = lambda _: True) -> Event:
        """The next event of this name of which this holds; others are passed over."""
        for event in self:
            if event.name == name and is_it(event.data):
                return event
        raise EOFError(f"the stream ended before: {name}")

    def close(self) -> None:
        self.response.close()
        self._connection.close()

    def cut(self) -> None:
        """Breaks the connection under a thread that reads."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def vanish(self) -> None:
        """Goes as a machine that crashed: the connection is reset, not closed."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()
