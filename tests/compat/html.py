"""HTML without what no reader sees: spaces between elements, attributes without meaning."""

from __future__ import annotations

import html
from html.parser import HTMLParser

_KEPT = ("href", "src", "title", "alt")
_BLOCKS = {"p", "pre", "blockquote", "ul", "ol", "li", "table", "thead", "tbody", "tr", "td", "th"}
_BLOCKS |= {"h1", "h2", "h3", "h4", "h5", "h6", "hr", "br"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = [f" {name}={value!r}" for name, value in sorted(attrs) if name in _KEPT and value]
        self.parts.append(f"<{tag}{''.join(kept)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.parts.append(html.escape(" ".join(f".{data}.".split())[1:-1]))


def normal(text: str) -> str:
    """A text that is the same for HTML that looks the same."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    joined = "".join(reader.parts)
    for block in _BLOCKS:
        for edge in (f"<{block}>", f"</{block}>"):
            joined = joined.replace(f" {edge}", edge).replace(f"{edge} ", edge)
    return joined.strip()
