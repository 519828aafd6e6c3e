"""The page on differences says what the tested table says."""

from __future__ import annotations

from tests.interop.differences import DIFFERENCES, PAGE, Shows, page


def test_page_is_the_table() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.interop.differences"


def test_each_row_has_a_loader_that_differs() -> None:
    for row in DIFFERENCES:
        assert {row.python, row.rust} != {Shows.SAME}, row.case
