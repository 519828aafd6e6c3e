"""Bytes to and from a server, without a client that would put them right."""

import json
import socket
from dataclasses import dataclass
from typing import Any

__all__ = ["PATIENCE_SECS", "Answer", "Wire", "get"]

PATIENCE_SECS = 60


@dataclass(frozen=True)
class Answer:
    """A whole answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Wire:
    """A connection, to an address or to a unix socket."""

    def __init__(self, address: tuple[str, int] | str, receive_bytes: int | None = None) -> None:
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        if receive_bytes is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self._socket.settimeout(PATIENCE_SECS)
        self._socket.connect(address)

    def __enter__(self) -> "Wire":  # noqa: PYI034  (`Self` needs Python 3.11)
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send_until_blocked(self, data: bytes, *, most: int, timeout: float) -> int:
        """Sends the same again and again until the server takes no more; returns how much."""
        self._socket.settimeout(timeout)
        sent = 0
        try:
            while sent < most:
                sent += self._socket.send(data)
        except TimeoutError:
            pass
        finally:
            self._socket.settimeout(PATIENCE_SECS)
        return sent

    def read(self, size: int = 65536) -> bytes:
        """Some bytes; none once the server has closed the connection."""
        try:
            return self._socket.recv(size)
        except ConnectionError:
            return b""

    def read_to_end(self) -> bytes:
        """Everything until the server closes the connection."""
        return b"".join(iter(self.read, b""))

    def answer(self) -> Answer:
        """The next answer, which must say how long it is or end with the connection."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.read()
            assert more, f"closed after: {data!r}"
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers["content-length"]) if "content-length" in headers else None
        while (length is None or len(body) < length) and (more := self.read()):
            body += more
        return Answer(int(status.split()[1]), headers, body)


def get(path: str | bytes, *headers: str, host: str | None = "localhost") -> bytes:
    """A request with exactly this path and these headers."""
    raw = path.encode("latin-1") if isinstance(path, str) else path
    lines = [f"Host: {host}"] * (host is not None) + list(headers)
    return b"GET " + raw + b" HTTP/1.1\r\n" + "".join(f"{x}\r\n" for x in lines).encode() + b"\r\n"
