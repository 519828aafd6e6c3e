"""The page on TensorBoard's routes says what the tested table says, and of every route."""

from kymograph.compat import routes
from tests.compat.route_differences import DIFFERENCES, PAGE, ROUTES, SAME, page


def test_page_is_the_table():
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.compat.route_differences"


def test_each_route_is_on_the_page():
    assert sorted(path for path, _, _ in ROUTES) == sorted([*routes.paths(), "notifications"])


def test_each_row_has_a_loader_that_differs():
    for row in DIFFERENCES:
        assert {row.python, row.rust} != {SAME}, row.case
