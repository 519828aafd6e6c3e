"""The page that asks for the token, and the answer that turns a token into a cookie."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape
from http import HTTPStatus
from urllib.parse import parse_qsl, quote

from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from kymograph.asgi.security import session
from kymograph.asgi.security.access import Access

__all__ = ["ask", "policy", "welcome"]

# The colours of web/src/styles/tokens.css; the files of the page are not for strangers.
_STYLE = """
:root { color-scheme: light dark; --page: #f2f2ee; --surface: #fcfcfa; --ink: #1b1d1f;
  --ink-2: #484c50; --ink-4: #888a87; --bad: #a8232f }
@media (prefers-color-scheme: dark) { :root { --page: #111110; --surface: #171716;
  --ink: #ebeae6; --ink-2: #bbbab5; --ink-4: #6c6b66; --bad: #f28b86 } }
* { box-sizing: border-box; margin: 0 }
body { display: grid; place-items: center; min-height: 100vh; padding: 16px;
  font: 450 13px/18px Inter, system-ui, sans-serif; color: var(--ink); background: var(--page) }
main { width: 100%; max-width: 380px }
h1 { display: flex; gap: 8px; align-items: center; font-size: 16px; line-height: 22px;
  font-weight: 600 }
svg { width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.5;
  stroke-linecap: round; stroke-linejoin: round }
.pen { fill: currentColor; stroke: none }
p { margin-top: 12px; color: var(--ink-2) }
.bad { color: var(--bad) }
label { display: block; margin: 16px 0 4px; font-size: 12px; line-height: 16px }
.row { display: flex; gap: 8px }
input, button { height: 30px; padding: 0 10px; border-radius: 3px; font: inherit }
input { flex: 1; min-width: 0; border: 1px solid var(--ink-4); color: inherit;
  background: var(--surface) }
button { border: 0; font-weight: 600; color: var(--page); background: var(--ink);
  cursor: pointer }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
code { font: 12px/16px "JetBrains Mono", ui-monospace, monospace }
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kymograph</title>
<style>{style}</style>
</head>
<body>
<main>
<h1><svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="8.5"/>
<path d="M1.8 11.2h3.4l1.7-5 2.6 8.5 2.2-6 1.3 2.5h2.4"/>
<circle class="pen" cx="16" cy="11.2" r="1.6"/></svg>Kymograph</h1>
<p{kind}>{sentence}</p>
<form method="get">
<label for="token">Token</label>
<div class="row"><input id="token" name="token" type="password" autocomplete="current-password"
 spellcheck="false" required autofocus><button>Open</button></div>
{kept}</form>
<p>The token is at the end of the URL printed when the board was started, after
<code>?token=</code>. If you did not start the board, ask the person who did.</p>
</main>
</body>
</html>
"""
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_QUERY = "%/?:@!$&'()*+,;=-._~"


def policy(frame_ancestors: Iterable[str]) -> str:
    """The content security policy of the login page: its own style, its own form."""
    return (
        f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'self'; "
        f"frame-ancestors {' '.join(frame_ancestors)}"
    )


def ask(status: int, sentence: str, query: bytes, headers: dict[str, str]) -> Response:
    """The login page; what the query holds besides the token is kept."""
    kept = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">\n'
        for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    )
    page = _PAGE.format(
        style=_STYLE,
        kind="" if status == HTTPStatus.UNAUTHORIZED else ' class="bad"',
        sentence=escape(sentence[0].upper() + sentence[1:] + "."),
        kept=kept,
    )
    return HTMLResponse(page, status, headers)


def welcome(scope: Scope, access: Access, *, is_new: bool) -> Response:
    """Sends the browser to the same page without the token; if it is new, with a cookie."""
    # Relative, so that it also holds behind a proxy which serves the board under another path.
    location = "./" + quote(scope["path"].rpartition("/")[2])
    if scope["query_string"]:
        location += "?" + quote(scope["query_string"], safe=_QUERY)
    headers = {"Location": location, "Cache-Control": "no-store"}
    if is_new and access.token is not None:
        headers["Set-Cookie"] = _cookie(scope, access.cookie, session.issue(access.token))
    return Response(None, HTTPStatus.SEE_OTHER, headers)


def _cookie(scope: Scope, name: str, value: str) -> str:
    # Without `Path` it holds for the folder of the page as the browser sees it, which only the
    # browser knows when proxies rewrite paths.
    cookie = f"{name}={value}; Max-Age={session.LIFETIME_SECS}; HttpOnly; SameSite=Lax"
    # A header may be forged, but only to make the forger's own cookie stricter.
    schemes = [
        value.partition(b",")[0].strip()
        for name, value in scope["headers"]
        if name == b"x-forwarded-proto"
    ]
    is_secure = b"https" in schemes or scope["scheme"] == "https"
    return cookie + "; Secure" if is_secure else cookie
