"""The outermost part of the app: what the access does not allow is refused before anything runs."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import deque
from enum import Enum
from http import HTTPStatus
from urllib.parse import unquote_plus

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from kymograph.asgi import errors
from kymograph.asgi.security import headers, hosts, login, session
from kymograph.asgi.security.access import Access

__all__ = ["Guard"]

_SAFE = {"GET", "HEAD", "OPTIONS"}
_PAGE = {"", "/", "/index.html"}
_HEALTH = "/api/v1/health"
# A token cannot be guessed; this keeps attempts from keeping the board busy.
_WRONG_TOKENS_PER_MINUTE = 30
_WRONG_TOKEN_SECS = 0.5


class Credential(Enum):
    """What a request needs to be allowed."""

    GOOD = "good"
    WRONG = "wrong"
    MISSING = "missing"


class Asked(msgspec.Struct, frozen=True):
    """The relevant parts of a request."""

    method: str
    path: str
    """Below the prefix."""
    headers: Headers
    host: hosts.Authority
    tokens: tuple[str, ...]
    """Taken from the query."""

    @property
    def is_safe(self) -> bool:
        return self.method in _SAFE

    @property
    def is_page(self) -> bool:
        return self.path in _PAGE and self.method in {"GET", "HEAD"}

    @property
    def is_data(self) -> bool:
        return "/api/" in self.path or "/data/" in self.path


class Guard:
    """Passes on allowed requests, and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, access: Access, *, prefix: str = "") -> None:
        self._app = app
        self._access = access
        self._prefix = prefix.rstrip("/")
        self._wrong_tokens: deque[float] = deque(maxlen=_WRONG_TOKENS_PER_MINUTE)
        self._page_policy = headers.page_policy(access.frame_ancestors)
        self._still_policy = headers.still_policy(access.frame_ancestors)
        self._login_policy = login.policy(access.frame_ancestors)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        tokens = _take_tokens(scope)
        given = Headers(scope=scope)
        host = hosts.parse(given["host"]) if len(given.getlist("host")) == 1 else None
        if host is None:
            answer = errors.answer(400, "a request must have exactly one valid `Host` header")
            await answer(scope, receive, headers.put_on(send, self._still_policy))
            return
        path = scope["path"].removeprefix(scope.get("root_path", "")).removeprefix(self._prefix)
        asked = Asked(scope["method"], path, given, host, tokens)
        answer_or_none = _foreign(asked, self._access) or await self._unproven(asked, scope)
        if answer_or_none is not None:
            is_html = answer_or_none.media_type == "text/html"
            policy = self._login_policy if is_html else self._still_policy
            await answer_or_none(scope, receive, headers.put_on(send, policy))
            return
        policy = self._still_policy if asked.is_data else self._page_policy
        await self._app(scope, receive, headers.put_on(send, policy))

    async def _unproven(self, asked: Asked, scope: Scope) -> Response | None:
        """The response to clients without access, and to logins; `None` for all others."""
        access = self._access
        if asked.path == _HEALTH:
            return None
        if access.key is not None:
            if not _has_key(asked, access.key):
                return _unauthorized(
                    "this board can only be opened through its launcher", "Kymograph-Key"
                )
        elif access.token is not None:
            credential = _credential(asked, access, access.token)
            if credential is not Credential.GOOD:
                return await self._refused(asked, credential, scope["query_string"])
        elif not hosts.is_allowed(asked.host.host, access):
            name = asked.host.host
            return errors.answer(
                HTTPStatus.FORBIDDEN,
                f"unknown host name: `{name}`\n"
                f"hint: to serve the board under this name, start it with `--allow-host {name}`",
            )
        if asked.tokens and asked.is_page:
            is_new = access.token is not None and _is_any(asked.tokens, access.token)
            return login.welcome(scope, access, is_new=is_new)
        return None

    async def _refused(self, asked: Asked, credential: Credential, query: bytes) -> Response:
        status, sentence = HTTPStatus.UNAUTHORIZED, "this board requires a token"
        extra = {"Cache-Control": "no-store", "WWW-Authenticate": "Bearer"}
        if credential is Credential.WRONG:
            status, sentence = HTTPStatus.FORBIDDEN, "wrong token"
            if self._are_too_many():
                status, sentence = HTTPStatus.TOO_MANY_REQUESTS, "too many wrong tokens"
                extra["Retry-After"] = "60"
            await asyncio.sleep(_WRONG_TOKEN_SECS)
        if asked.is_page and "text/html" in asked.headers.get("accept", ""):
            return login.ask(status, sentence, query, extra)
        return errors.answer(status, sentence, extra)

    def _are_too_many(self) -> bool:
        now = time.monotonic()
        full = len(self._wrong_tokens) == self._wrong_tokens.maxlen
        too_many = full and now - self._wrong_tokens[0] < 60
        self._wrong_tokens.append(now)
        return too_many


def _take_tokens(scope: Scope) -> tuple[str, ...]:
    """Takes tokens out of the query, also for the server: its logs are no place for them."""
    kept, tokens = [], []
    for part in scope["query_string"].split(b"&"):
        name, _, value = part.decode("latin-1").partition("=")
        if unquote_plus(name) == "token":
            tokens.append(unquote_plus(value))
        else:
            kept.append(part)
    if tokens:
        scope["query_string"] = b"&".join(kept)
    return tuple(tokens)


def _foreign(asked: Asked, access: Access) -> Response | None:
    """The response to requests that another site caused; `None` for all others."""
    sites = asked.headers.getlist("sec-fetch-site")
    if sites:
        is_ours = all(site in {"same-origin", "none"} for site in sites)
        is_fine = is_ours or _is_visit(asked, access)
    else:
        origins = asked.headers.getlist("origin")
        is_fine = asked.is_safe or all(_is_own(origin, asked, access) for origin in origins)
    if is_fine:
        return None
    return errors.answer(HTTPStatus.FORBIDDEN, "requests from other sites are not allowed")


def _is_visit(asked: Asked, access: Access) -> bool:
    """Whether a link to the page was followed, or a frame that may show it is loaded."""
    if not asked.is_safe or asked.is_data or asked.headers.get("sec-fetch-mode") != "navigate":
        return False
    target = asked.headers.get("sec-fetch-dest")
    may_frame = not {"'self'", "'none'"}.issuperset(access.frame_ancestors)
    return target == "document" or (target == "iframe" and may_frame)


def _is_own(origin: str, asked: Asked, access: Access) -> bool:
    found = hosts.of_origin(origin)
    if found is None:
        return False
    scheme, authority = found
    # Proxies put the requested host there; pages of other sites cannot set it.
    forwarded = asked.headers.get("x-forwarded-host", "").partition(",")[0].strip()
    meant = [asked.host, *filter(None, [hosts.parse(forwarded)])]
    return hosts.is_listed(authority.host, access) or any(
        authority.at(scheme) == host.at(scheme) for host in meant
    )


def _has_key(asked: Asked, key: str) -> bool:
    return _is_any(tuple(asked.headers.getlist("x-kymograph-key")), key)


def _credential(asked: Asked, access: Access, token: str) -> Credential:
    given = [value for value in asked.tokens if value and asked.is_page]
    for value in asked.headers.getlist("authorization"):
        scheme, _, credentials = value.partition(" ")
        if scheme.lower() == "bearer":
            given.append(credentials.strip())
    if _is_any(tuple(given), token):
        return Credential.GOOD
    if any(session.is_valid(token, value) for value in _cookies(asked.headers, access.cookie)):
        return Credential.GOOD
    return Credential.WRONG if given else Credential.MISSING


def _is_any(given: tuple[str, ...], secret: str) -> bool:
    return any(hmac.compare_digest(value.encode(), secret.encode()) for value in given)


def _cookies(given: Headers, name: str) -> list[str]:
    """All values of a cookie: a browser may hold several, for several paths."""
    pairs = (pair.partition("=") for line in given.getlist("cookie") for pair in line.split(";"))
    return [value.strip() for found, _, value in pairs if found.strip() == name]


def _unauthorized(sentence: str, scheme: str) -> Response:
    extra = {"Cache-Control": "no-store", "WWW-Authenticate": scheme}
    return errors.answer(HTTPStatus.UNAUTHORIZED, sentence, extra)
