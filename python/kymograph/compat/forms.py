"""Forms in the body of a request, in the two encodings that browsers and scripts use."""

from __future__ import annotations

from email.message import Message
from email.parser import BytesParser
from urllib.parse import parse_qsl

from kymograph.errors import RequestError

__all__ = ["fields"]

_MOST_FIELDS = 10_000


def fields(content_type: str, body: bytes) -> list[tuple[str, str]]:
    """The fields of a form. Raises RequestError when it is none; no body is an empty form."""
    kind = content_type.partition(";")[0].strip().lower()
    try:
        if kind == "application/x-www-form-urlencoded":
            text = body.decode("utf-8")
            return parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        if kind == "multipart/form-data":
            return [(_name(part), _text(part)) for part in _parts(content_type, body)]
    except ValueError as error:
        raise RequestError("the body is not a form in UTF-8, or has too many fields") from error
    if body:
        raise RequestError(f"the body must be a form, not: {kind!r}")
    return []


def _parts(content_type: str, body: bytes) -> list[Message]:
    head = b"Content-Type: " + content_type.encode("latin-1", errors="replace") + b"\r\n\r\n"
    found = BytesParser().parsebytes(head + body).get_payload()
    parts = [part for part in found if isinstance(part, Message)] if found else []
    if len(parts) > _MOST_FIELDS:
        raise ValueError("too many fields")
    return parts


def _name(part: Message) -> str:
    name = part.get_param("name", header="content-disposition")
    return name if isinstance(name, str) else ""


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    return content.decode("utf-8") if isinstance(content, bytes) else ""
