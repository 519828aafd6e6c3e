"""Axes and what becomes of lines on them: scales, outliers, tags as x, smoothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import kymograph
from tests.e2e.conftest import OpenPage, served
from tests.e2e.scalar_cards import (
    WIDE,
    act,
    card,
    chart_settings,
    choose,
    drawn,
    host,
    picture,
    plot,
    point,
    settings,
    shown,
    tooltip_rows,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

STEPS = 201


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("axes") / "board"
    with kymograph.SummaryWriter(logdir / "run") as writer:
        for step in range(STEPS):
            # From 1 to 10,000; 1000 times as far once; there and back; to both sides of nothing.
            writer.add_scalar("decades", 10 ** (step / 50), step)
            writer.add_scalar("spiky", 1000 if step == 100 else 1 + step / STEPS, step)
            writer.add_scalar("there and back", min(step, 150) - max(0, step - 150), step)
            writer.add_scalar("both", (step - 100) ** 3, step)
            writer.add_scalar("teeth", step % 2, step)
    with served(logdir) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    drawn(page, "decades", 1)
    return page


# --- scales ---


def test_logarithmic_y_makes_growth_a_straight_line(board: Page, tmp_path: Path):
    chart_settings(board).get_by_role("combobox", name="Smoothing method").select_option("None")
    drawn(board, "decades", 1)
    bent = picture(board, "decades", tmp_path).lines()[0]
    act(board, "decades", "Log y axis")
    expect(plot(board, "decades")).to_have_attribute("data-scale", "log")
    drawing = picture(board, "decades", tmp_path)
    straight = drawing.lines()[0]
    middle = straight.places[len(straight.places) // 2][1]
    assert middle == pytest.approx((straight.y[0] + straight.y[-1]) / 2, abs=3)
    assert bent.places[len(bent.places) // 2][1] > middle + 30
    assert {"10", "100", "1k"} <= set(drawing.texts)


def test_symmetric_scale_shows_both_sides_of_nothing(board: Page):
    choose(board, "both", "More", "Symlog y axis")
    expect(plot(board, "both")).to_have_attribute("data-scale", "symlog")
    low, high = shown(board, "both", "y")
    assert low < -1e6
    assert high > 1e6
    # The toolbar and its key are for all cards.
    board.keyboard.press("y")
    expect(board.get_by_role("checkbox", name="Log y")).to_be_checked()
    expect(plot(board, "decades")).to_have_attribute("data-scale", "log")
    expect(plot(board, "both")).to_have_attribute("data-scale", "symlog")


def test_x_is_logarithmic_or_symmetric_too(board: Page):
    board.mouse.move(*point(board, "decades", 0.5))
    expect(board.locator(".tooltip:popover-open .head b")).to_have_text("100")
    panel = chart_settings(board)
    panel.get_by_role("radiogroup", name="X scale").get_by_text("Log", exact=True).click()
    expect(host(board, "decades")).to_have_attribute("data-x", "1 200")
    head = board.locator(".tooltip:popover-open .head b")
    board.mouse.move(*point(board, "decades", 0.51))
    # Half way from 1 to 200, in decades.
    expect(head).to_have_text(re.compile("^1[45]$"))
    panel.get_by_role("radiogroup", name="X scale").get_by_text("Symlog", exact=True).click()
    expect(host(board, "decades")).to_have_attribute("data-x", "0 200")
    board.mouse.move(*point(board, "decades", 0.5))
    expect(head).to_have_text(re.compile(r"^\d$|^1\d$"))


def test_outliers_are_left_out_until_they_are_wanted(board: Page):
    chart_settings(board).get_by_role("combobox", name="Smoothing method").select_option("None")
    expect(host(board, "spiky")).to_have_attribute("data-y", re.compile(r"^\S+ [23](\.\d+)?$"))
    board.keyboard.press("o")
    ignored = chart_settings(board).get_by_role("checkbox", name="Ignore outliers")
    expect(ignored).not_to_be_checked()
    expect(host(board, "spiky")).to_have_attribute("data-y", re.compile(r"^\S+ 1[01]\d\d$"))
    ignored.check()
    expect(host(board, "spiky")).to_have_attribute("data-y", re.compile(r"^\S+ [23](\.\d+)?$"))


# --- a tag as x ---


def test_x_that_goes_backwards_can_begin_a_new_line(board: Page, tmp_path: Path):
    panel = chart_settings(board)
    panel.get_by_role("radiogroup", name="X axis").get_by_text("Tag").click()
    panel.get_by_label("X axis tag").select_option("there and back")
    expect(host(board, "decades")).to_have_attribute("data-x", "0 150")
    drawn(board, "decades", 1)
    path = strokes(board, tmp_path)
    assert path == 1
    # TensorBoard's name for it is a partition of x.
    sheet = settings(board)
    sheet.get_by_role("checkbox", name="Break where x decreases").check()
    sheet.get_by_role("button", name="Done").click()
    assert strokes(board, tmp_path) > 10


def strokes(page: Page, folder: Path) -> int:
    """How often the pen is set down for the line of a card."""
    picture(page, "decades", folder)
    svg = (folder / "decades.svg").read_text()
    paths = re.findall(r'd="([^"]+)" fill="none"[^>]+stroke-width="1\.\d+"', svg)
    return max(str(path).count("M") for path in paths)


# --- smoothing ---


@pytest.mark.parametrize(
    ("method", "amount", "middle"),
    [
        ("Exponential", "weight", r"0\.[2-7]\d*"),
        ("Time-weighted exponential", "weight", r"0\.[2-7]\d*"),
        ("Moving average", "points", r"0\.(47|48|52)\d*"),
        ("Moving median", "points", "[01]"),
        ("Gaussian", "standard deviation", r"0\.(49|5)\d*"),
    ],
)
def test_every_method_smooths_in_its_way(
    board: Page, tmp_path: Path, method: str, amount: str, middle: str
):
    board.get_by_role("button", name="Smoothing method").click()
    board.get_by_role("menuitemcheckbox", name=method, exact=True).click()
    toolbar = board.get_by_role("toolbar", name="Scalars")
    expect(
        toolbar.get_by_role("spinbutton", name=re.compile(f"^Smoothing, {amount}"))
    ).to_be_visible()
    drawn(board, "teeth", 1)
    board.mouse.move(*point(board, "teeth", 0.5))
    cells = tooltip_rows(board).locator("span")
    expect(cells.nth(1)).to_have_text(re.compile(f"^{middle}$"))
    expect(cells.nth(2)).to_have_text(re.compile("^[01]$"))


def test_smoothing_is_dragged_typed_and_nudged_and_what_was_logged_stays(
    board: Page, tmp_path: Path
):
    slider = board.get_by_role("slider", name="Smoothing", exact=True)
    toolbar = board.get_by_role("toolbar", name="Scalars")
    field = toolbar.get_by_role("spinbutton", name="Smoothing, weight")
    expect(slider).to_have_value("0.6")
    box = slider.bounding_box()
    assert box is not None
    board.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    expect(field).to_have_value(re.compile(r"0\.9\d"))
    field.fill("0.999")
    field.press("Enter")
    expect(slider).to_have_attribute("aria-valuetext", "Exponential, 0.999")
    expect(board).to_have_url(re.compile("smoothing=(ema:)?0.999"))
    drawn(board, "teeth", 1)
    # Raw values stay, faint, behind the line.
    faint = [one for one in picture(board, "teeth", tmp_path).strokes if one.alpha < 1]
    assert len(faint) == 1
    assert len(faint[0].places) >= STEPS
    chart_settings(board).get_by_role("checkbox", name="Show raw line").uncheck()
    assert [one for one in picture(board, "teeth", tmp_path).strokes if one.alpha < 1] == []
    board.keyboard.press("s")
    expect(slider).to_be_focused()
    board.keyboard.press("Home")
    expect(field).to_have_value("0.00")
    card(board, "teeth").get_by_role("application").focus()
    board.keyboard.press(".")
    expect(field).to_have_value("0.05")
    board.keyboard.press(",")
    expect(field).to_have_value("0.00")
