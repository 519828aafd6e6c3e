"""The built page in a real browser: what a person sees, in both themes, under a strict policy."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT_PAPER = "rgb(242, 242, 238)"
DARK_PAPER = "rgb(17, 17, 16)"


def keep_picture(page: Page, name: str) -> None:
    """Writes a screenshot where `KYMOGRAPH_SCREENSHOTS` says, for people to look at."""
    if folder := os.environ.get("KYMOGRAPH_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.parametrize(("scheme", "paper"), [("light", LIGHT_PAPER), ("dark", DARK_PAPER)])
def test_page_follows_the_system_theme_and_says_what_is_there(
    open_page: OpenPage, scheme: str, paper: str
):
    page = open_page(color_scheme=scheme, viewport={"width": 1440, "height": 900})
    expect(page).to_have_title("Kymograph")
    expect(page.get_by_role("banner")).to_contain_text("Kymograph")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("The board arrives with the server")).to_be_visible()
    expect(page.get_by_text("kymograph inspect runs/")).to_be_visible()
    assert page.evaluate(BACKGROUND) == paper
    fonts = "document.fonts.ready.then(fonts => [...fonts].map(font => font.status))"
    assert page.evaluate(fonts) == ["loaded", "loaded"]
    keep_picture(page, f"page-{scheme}")


def test_chosen_theme_survives_a_reload(open_page: OpenPage):
    page = open_page(color_scheme="light")
    page.get_by_role("button", name="Switch to the dark theme").click()
    assert page.evaluate(BACKGROUND) == DARK_PAPER
    page.reload()
    expect(page.get_by_role("button", name="Switch to the light theme")).to_be_visible()
    assert page.evaluate(BACKGROUND) == DARK_PAPER


def test_theme_button_is_reached_and_pressed_by_keyboard(open_page: OpenPage):
    page = open_page(color_scheme="light")
    expect(page.get_by_role("button")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate(BACKGROUND) == DARK_PAPER


def test_narrow_window_needs_no_sideways_scrolling(open_page: OpenPage):
    page = open_page(color_scheme="light", viewport={"width": 360, "height": 640})
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep_picture(page, "page-narrow")


def test_complaints_of_a_page_are_heard(open_page: OpenPage):
    page = open_page()
    with page.expect_event("requestfailed"):
        page.evaluate("console.error('planted')")
        page.evaluate("setTimeout(() => { throw new Error('planted') })")
        page.evaluate("new Image().src = 'http://localhost:1/elsewhere.png'")
    page.evaluate("fetch('/').catch(() => null)")
    heard = "\n".join(open_page.complaints)
    open_page.complaints.clear()
    for part in ("error: planted", "uncaught: ", "elsewhere.png", "Content Security Policy"):
        assert part in heard
