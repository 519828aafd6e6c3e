"""Forms in the body of a request, in the two encodings that browsers and scripts use."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from kymograph.errors import RequestError

__all__ = ["fields"]

_MOST_FIELDS = 10_000
# A quoted value, or one without blanks.
_VALUE = r'(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))'
_BOUNDARY = re.compile(r"(?i);\s*boundary=" + _VALUE)
_NAME = re.compile(rb"(?im)^content-disposition:[^\r\n]*?;[ \t]*name=" + _VALUE.encode())


def fields(content_type: str, body: bytes) -> list[tuple[str, str]]:
    """The fields of a form. Raises RequestError if it is invalid; no body is an empty form."""
    kind = content_type.partition(";")[0].strip().lower()
    try:
        if kind == "application/x-www-form-urlencoded":
            text = body.decode("utf-8")
            return parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        if kind == "multipart/form-data":
            return [_field(part) for part in _parts(content_type, body)]
    except ValueError as error:
        raise RequestError("the body is not a form in UTF-8, or has too many fields") from error
    if body:
        raise RequestError(f"the body must be a form, not: {kind!r}")
    return []


def _parts(content_type: str, body: bytes) -> list[bytes]:
    """Heads and contents. Read in one go: the parser for mail takes minutes over forms in forms."""
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise ValueError("no boundary")
    boundary = b"\r\n--" + (found[1] or found[2]).encode("latin-1")
    _, *parts = (b"\r\n" + body).split(boundary, _MOST_FIELDS + 2)
    if len(parts) > _MOST_FIELDS + 1:
        raise ValueError("too many fields")
    ends = (at for at, part in enumerate(parts) if part.startswith(b"--"))
    return parts[: next(ends, len(parts))]


def _field(part: bytes) -> tuple[str, str]:
    head, _, content = part.partition(b"\r\n\r\n")
    found = _NAME.search(head)
    name = b"" if found is None else re.sub(rb"\\(.)", rb"\1", found[1] or found[2] or b"")
    return name.decode("utf-8"), content.decode("utf-8")
