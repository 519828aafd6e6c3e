"""Text: the tag's suffix, the bytes, and what is refused."""

from __future__ import annotations

import pytest

from kymograph.writer.summaries import text
from tests.golden import wire


@pytest.mark.parametrize("content", ["# Title\n\n*text*", "", "Grüße 🎉"])
def test_a_text_is_one_string_under_the_suffixed_tag(content):
    value = wire.last_bytes(text.text("notes", content), 1)
    assert wire.last_bytes(value, 1) == b"notes/text_summary"
    assert wire.last_bytes(value, 9) == wire.message(1, wire.text(1, "text"))
    shape = wire.message(2, wire.message(2, wire.integer(1, 1)))
    assert wire.last_bytes(value, 8) == wire.integer(1, 7) + shape + wire.text(8, content)


@pytest.mark.parametrize(
    ("tag", "content", "error"),
    [
        ("t", b"bytes", AttributeError),
        ("t", 3, AttributeError),
        ("t", ["a"], AttributeError),
        ("t", None, AttributeError),
        ("t", "\ud800", UnicodeEncodeError),
        (None, "a", TypeError),
        (5, "a", TypeError),
    ],
)
def test_what_is_no_text_is_refused(tag, content, error):
    with pytest.raises(error):
        text.text(tag, content)
