"""Sockets to listen on: of one host or all, at the first free port, or in the file system."""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kymograph.errors import ListenError

__all__ = ["DEFAULT_PORT", "EVERYWHERE", "LOCALHOST", "Listening", "tcp", "unix"]

LOCALHOST = "localhost"
EVERYWHERE = ""
"""The host that means all interfaces."""
_WILDCARDS = {EVERYWHERE, "0.0.0.0", "::"}  # noqa: S104  (what users may ask for)
DEFAULT_PORT = 6006
# Tried from the default on, or as often when the system chooses one.
_ATTEMPTS = 100
_BACKLOG = 2048
# Of several addresses of a host, those that this machine does not have are left out.
_NOT_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT}
_TAKEN = {errno.EADDRINUSE, errno.EACCES}


@dataclass(frozen=True)
class _Address:
    family: socket.AddressFamily
    name: str
    scope: tuple[object, ...] = ()
    """What an IPv6 address has behind the port: flow and interface."""


@dataclass(frozen=True)
class Listening:
    """Sockets that listen, and how clients name them. Close it when it is not served."""

    sockets: Sequence[socket.socket]
    host: str
    port: int | None = None
    uds: Path | None = None
    _file: tuple[int, int] | None = field(default=None, repr=False)
    """Device and inode of the socket in the file system."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        return all(_is_loopback(one) for one in self.sockets)

    @property
    def origin(self) -> str:
        """The URL of the whole server, without a path."""
        if self.port is None:
            return f"http://{LOCALHOST}"
        name = socket.gethostname() if self.is_everywhere else self.host
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}"

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on all interfaces."""
        return self.host in _WILDCARDS

    def close(self) -> None:
        """Ends listening, and takes the socket out of the file system if it is still ours."""
        for one in self.sockets:
            one.close()
        if self.uds is not None and _identity(self.uds) == self._file:
            self.uds.unlink(missing_ok=True)


def tcp(host: str = LOCALHOST, port: int | None = None, *, reuse_port: bool = False) -> Listening:
    """Listens on all addresses of a host, the same port on each.

    Port 0 is any free one; without one it is the default or, if that is taken, the next free.
    Raises ListenError.
    """
    if port is not None and not 0 <= port <= 65535:
        raise ListenError(f"a port is a number from 0 to 65535, not: {port}")
    if reuse_port and not hasattr(socket, "SO_REUSEPORT"):
        raise ListenError("this system cannot share ports between processes")
    host = host.removeprefix("[").removesuffix("]")
    addresses = _addresses(host)
    ports: Iterable[int]
    if port is None:
        ports = range(DEFAULT_PORT, DEFAULT_PORT + _ATTEMPTS)
    else:
        # The system knows which port is free on the first address, not whether it is on others.
        ports = [port] if port else [0] * _ATTEMPTS
    for attempt in ports:
        try:
            sockets = _listen(addresses, attempt, reuse_port=reuse_port)
        except OSError as error:
            if error.errno not in _TAKEN or port:
                raise _explained(error, host, attempt) from error
        else:
            return Listening(sockets, host, sockets[0].getsockname()[1])
    last = DEFAULT_PORT + _ATTEMPTS - 1
    which = "there is" if port == 0 else f"from {DEFAULT_PORT} to {last}"
    raise ListenError(f"every port {which} is already in use")


def _addresses(host: str) -> list[_Address]:
    if host in (EVERYWHERE, "::") and socket.has_dualstack_ipv6():
        return [_Address(socket.AF_INET6, "::")]
    if host == EVERYWHERE:
        return [_Address(socket.AF_INET, "0.0.0.0")]  # noqa: S104  (asked for)
    if host == LOCALHOST:
        # Clients try both, and few systems name both.
        return [_Address(socket.AF_INET, "127.0.0.1"), _Address(socket.AF_INET6, "::1")]
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ListenError(f"no such host: {host}") from error
    places = ((family, place) for family, _, _, _, place in found)
    return list(dict.fromkeys(_Address(f, str(place[0]), place[2:]) for f, place in places))


def _listen(addresses: Sequence[_Address], port: int, *, reuse_port: bool) -> list[socket.socket]:
    listening: list[socket.socket] = []
    missing: OSError | None = None
    for address in addresses:
        try:
            listening.append(_listener(address, port, reuse_port=reuse_port))
        except OSError as error:
            if error.errno not in _NOT_HERE:
                for one in listening:
                    one.close()
                raise
            missing = error
        else:
            port = listening[0].getsockname()[1]
    if not listening and missing is not None:
        raise missing
    return listening


def _listener(address: _Address, port: int, *, reuse_port: bool) -> socket.socket:
    # Where the protocol is not named, asyncio does not turn off the waiting for full packets, and
    # every answer takes 40 ms.
    listener = socket.socket(address.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would take the port from another process
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if reuse_port:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if address.family == socket.AF_INET6:
            only = 0 if address.name == "::" else 1
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, only)
        listener.bind((address.name, port, *address.scope))
        # Two may bind a port that none listens on yet: it is ours from here on.
        listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _explained(error: OSError, host: str, port: int) -> ListenError:
    if error.errno == errno.EADDRINUSE:
        hint = "hint: choose another port, or 0 for any free one"
        return ListenError(f"port {port} is already in use\n{hint}")
    if error.errno == errno.EACCES:
        return ListenError(f"permission denied for port: {port}")
    if error.errno in _NOT_HERE:
        return ListenError(f"not an address of this machine: {host}")
    return ListenError(f"cannot listen on port {port} of `{host}`: {error.strerror or error}")


def _is_loopback(one: socket.socket) -> bool:
    if one.family not in (socket.AF_INET, socket.AF_INET6):
        return True
    address = str(one.getsockname()[0])
    return address == "::1" or address.startswith("127.")


# --- in the file system ---


def unix(path: str | os.PathLike[str]) -> Listening:
    """Listens on a socket in the file system, which only its owner may use.

    One that is left over, and on which no process listens, is replaced. Raises ListenError.
    """
    place = Path(path)
    if not hasattr(socket, "AF_UNIX"):
        raise ListenError("this system does not support Unix sockets")
    _make_way(place)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(place))
        place.chmod(0o600)  # no client can connect before it listens
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        reason = error.strerror or error
        raise ListenError(f"cannot listen on Unix socket: {place}: {reason}") from error
    return Listening([listener], LOCALHOST, uds=place.absolute(), _file=_identity(place))


def _make_way(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # if it cannot be used, binding reports why
    if not stat.S_ISSOCK(mode):
        raise ListenError(f"the path exists and is not a socket: {path}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            reason = error.strerror or error
            raise ListenError(
                f"cannot check whether another process is listening on: {path}: {reason}"
            ) from error
    raise ListenError(f"another process is listening on: {path}")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
