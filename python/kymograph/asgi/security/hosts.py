"""Names and ports in `Host` and `Origin`, and which of them are valid for this board."""

from __future__ import annotations

import ipaddress
import re

import msgspec

from kymograph.asgi.security.access import Access

__all__ = ["Authority", "is_allowed", "of_origin", "parse"]

_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
_DEFAULT_PORT = {"http": 80, "https": 443}


class Authority(msgspec.Struct, frozen=True):
    """A host and maybe a port."""

    host: str
    port: int | None

    def at(self, scheme: str) -> tuple[str, int | None]:
        """Host and port, with what the port is when it is left out."""
        return self.host, self.port or _DEFAULT_PORT.get(scheme)


def parse(text: str) -> Authority | None:
    """`name`, `name:port`, `address:port` or `[address]:port`; `None` for anything else."""
    match = _AUTHORITY.fullmatch(text)
    if match is None:
        return None
    host = match[1].strip("[]").lower().removesuffix(".")
    if match[1].startswith("["):
        try:
            host = ipaddress.IPv6Address(host).compressed
        except ValueError:
            return None
    return Authority(host, int(match[2]) if match[2] else None) if host else None


def of_origin(origin: str) -> tuple[str, Authority] | None:
    """Scheme and authority of an `Origin`; `None` for `null` and other invalid origins."""
    scheme, _, rest = origin.partition("://")
    found = parse(rest)
    return (scheme, found) if found is not None and scheme in _DEFAULT_PORT else None


def is_allowed(host: str, access: Access) -> bool:
    """Whether a page under this name may be this board.

    Another's page can give its own name the address of this machine, and so become one origin
    with the board; but it cannot be found under an address, nor under a name it does not own.
    """
    if host == "localhost" or host.endswith(".localhost") or _is_address(host):
        return True
    return host in access.own_names or is_listed(host, access)


def is_listed(host: str, access: Access) -> bool:
    """Whether this name was given with `--allow-host`."""
    return any(
        host == name or (name.startswith(".") and host.endswith(name))
        for name in access.allowed_hosts
    )


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
