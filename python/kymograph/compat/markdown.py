"""Markdown of a log as HTML that is safe to show: no markup of its own, no links that run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["html"]

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_SAFE = ("http:", "https:", "mailto:")
# Allowed attributes; styles would need a laxer content security policy.
_ATTRIBUTES = ("href", "src", "title", "alt", "start")


def html(text: str) -> str:
    """The HTML of a text."""
    reader = _reader()
    tokens = reader.parse(text.replace("\0", ""))
    _clean(tokens)
    return str(reader.renderer.render(tokens, reader.options, {})).rstrip("\n")


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt  # a tenth of what starting a board takes

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    # Links that run are cut in `_clean`, so that their text is shown.
    reader.validateLink = _is_link  # type: ignore[method-assign]
    return reader


def _is_link(url: str) -> bool:  # noqa: ARG001  (markdown-it's name)
    return True


def _clean(tokens: Iterable[Token]) -> None:
    for token in tokens:
        token.info = ""  # the language of a fenced block would become a class
        token.attrs = {
            name: value
            for name, value in token.attrs.items()
            if name in _ATTRIBUTES and (name not in ("href", "src") or _is_safe(str(value)))
        }
        _clean(token.children or ())


def _is_safe(url: str) -> bool:
    scheme = _SCHEME.match(url)
    return scheme is None or scheme[0].lower() in _SAFE
