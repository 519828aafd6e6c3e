"""Headers that restrict what the browser does with an answer."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Send

__all__ = ["page_policy", "put_on", "still_policy"]

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    # The login URL has the token in it.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()"
    ),
}


def page_policy(frame_ancestors: Iterable[str]) -> str:
    """For the page and its files: nothing inline, no `eval`, nothing from elsewhere."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src 'self' blob:; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        f"frame-ancestors {' '.join(frame_ancestors)}"
    )


def still_policy(frame_ancestors: Iterable[str]) -> str:
    """For data, which is never a page: opened as one, whatever it holds, it runs nothing."""
    return f"sandbox; default-src 'none'; frame-ancestors {' '.join(frame_ancestors)}"


def put_on(send: Send, policy: str) -> Send:
    """The same `send`, with all headers on the answer.

    A policy that the answer brings along holds as well: browsers keep to all they are given.
    """

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_ALWAYS)
            headers.append("Content-Security-Policy", policy)
        await send(message)

    return send_with_headers
