"""Who may access a board, decided once at the start from its options."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
import secrets
import socket
import stat
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from kymograph.errors import AccessError

__all__ = ["Access", "decide", "login_url"]

Bind = Literal["loopback", "unix", "other"]

_SECRET = re.compile(r"[!-~]{16,}")
_HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_ANCESTOR = re.compile(r"'self'|'none'|\*|(https?://)?(\*\.)?[A-Za-z0-9._-]+(:([0-9]+|\*))?")
# A name server that does not answer must not hold up the start.
_NAME_SECS = 1.0


@dataclass(frozen=True)
class Access:
    """Who may access a board; by default, anyone on this machine."""

    bind: Bind = "loopback"
    auth: Literal["none", "token"] = "none"
    token: str | None = field(default=None, repr=False)
    """Opens the board; always there when `auth` is `"token"`."""
    key: str | None = field(default=None, repr=False)
    """Sent by a launcher with every request; the launcher authenticates users."""
    own_names: tuple[str, ...] = ()
    """What this machine is called, besides `localhost` and its addresses."""
    allowed_hosts: tuple[str, ...] = ()
    """Names of proxies in front of the board; with a leading dot, all below that name."""
    frame_ancestors: tuple[str, ...] = ("'self'",)
    """Pages that may show the board in a frame, as the content security policy writes them."""
    warnings: tuple[str, ...] = ()
    """Warnings for the person who starts the board."""

    @property
    def cookie(self) -> str:
        """The cookie's name. Cookies ignore ports: without the hash, boards on one host would
        log each other's users out."""
        return "kymograph-" + hashlib.sha256(f"cookie {self.token}".encode()).hexdigest()[:12]


def login_url(url: str, access: Access) -> str:
    """The URL that opens the board, given the URL of its page."""
    return url if access.token is None else f"{url}?token={quote(access.token, safe='')}"


def decide(
    *,
    host: str | None = None,
    uds: bool = False,
    auth: Literal["auto", "token", "none"] = "auto",
    token_file: Path | None = None,
    key_file: Path | None = None,
    allowed_hosts: Iterable[str] = (),
    frame_ancestors: Iterable[str] = ("'self'",),
) -> Access:
    """The access for a board bound to `host` (nothing: loopback) or to a unix socket.

    Raises AccessError when a file holds no good secret or the wishes contradict each other.
    """
    if auth == "none" and token_file is not None:
        raise AccessError("a token file cannot be combined with `--auth none`")
    if key_file is not None and (auth == "token" or token_file is not None):
        raise AccessError(
            "`--key-file` cannot be combined with a token: the launcher handles logins"
        )
    bind = "unix" if uds else _bind(host)
    warnings: list[str] = []
    key = _secret(key_file, warnings) if key_file else None
    wanted = auth == "token" or token_file is not None or (auth == "auto" and bind == "other")
    token = None
    if wanted and key is None:
        token = _secret(token_file, warnings) if token_file else secrets.token_urlsafe(32)
    if bind == "other" and token is None and key is None:
        warnings.append(
            "anyone who can reach this machine can see and edit this board: `--auth none`"
        )
    # With a token or a key, no name needs to be known: what is asked without one is refused.
    with_domain = bind == "other" and token is None and key is None
    return Access(
        bind=bind,
        auth="none" if token is None else "token",
        token=token,
        key=key,
        own_names=_own_names(host, with_domain=with_domain),
        allowed_hosts=tuple(_allowed(name) for name in allowed_hosts),
        frame_ancestors=tuple(_ancestor(source) for source in frame_ancestors) or ("'none'",),
        warnings=tuple(warnings),
    )


def _bind(host: str | None) -> Bind:
    if host is None or host.lower() == "localhost":
        return "loopback"
    try:
        return "loopback" if ipaddress.ip_address(host).is_loopback else "other"
    except ValueError:
        return "other"  # a name may resolve to any address


def _secret(path: Path, warnings: list[str]) -> str:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            secret = file.readline(4097).decode("ascii", "replace").strip()
    except OSError as error:
        raise AccessError(f"cannot read the secret file: {error.strerror}: `{path}`") from error
    if os.name == "posix" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        hint = f"hint: `chmod 600 {path}`"
        raise AccessError(f"other users can write to this secret file: `{path}`\n{hint}")
    if os.name == "posix" and mode & stat.S_IROTH:
        warnings.append(f"other users can read this secret file: `{path}`")
    if not _SECRET.fullmatch(secret) or len(secret) > 4096:
        raise AccessError(
            f"the secret (the first line) must have at least 16 characters and no spaces: `{path}`"
        )
    return secret


def _allowed(name: str) -> str:
    lowered = name.lower().removesuffix(".")
    if not _HOST.fullmatch(lowered):
        raise AccessError(f"not a host name without scheme and port: `{name}`")
    return lowered


def _ancestor(source: str) -> str:
    if not _ANCESTOR.fullmatch(source):
        raise AccessError(f"not an origin that can be allowed to frame the board: `{source}`")
    return source


def _own_names(host: str | None, *, with_domain: bool) -> tuple[str, ...]:
    name = socket.gethostname()
    names = [host or "", name, _with_domain(name) if with_domain else ""]
    return tuple(dict.fromkeys(name.lower() for name in names if name))


def _with_domain(name: str) -> str:
    found: list[str] = []
    looking = threading.Thread(target=lambda: found.append(socket.getfqdn(name)), daemon=True)
    looking.start()
    looking.join(_NAME_SECS)
    return found[0] if found else ""
