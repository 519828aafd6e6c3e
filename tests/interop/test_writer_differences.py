"""The page on what differs from PyTorch's writer says what the tested table says."""

from __future__ import annotations

from tests.interop.writer_differences import DIFFERENCES, PAGE, page


def test_page_is_the_table() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.interop.writer_differences"


def test_rows_fit_into_a_table_and_say_something() -> None:
    for row in DIFFERENCES:
        texts = [row.method, row.input, row.torch, row.ours, row.why]
        assert all(texts), row
        assert not any("|" in text or "\n" in text for text in texts), row
        assert row.torch != row.ours, row
