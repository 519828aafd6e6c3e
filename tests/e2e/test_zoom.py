"""Looking nearer in a real browser: fingers, trackpads, keys, typed ranges, single points."""

from __future__ import annotations

import math
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
    drag,
    drawn,
    host,
    picture,
    plot,
    point,
    shown,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

MANY = 60_000
SPIKE = 41_234
FEW = 100


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("zoom") / "board"
    with kymograph.SummaryWriter(logdir / "run") as writer:
        for step in range(MANY):
            writer.add_scalar("dense", 50 if step == SPIKE else math.sin(step / 3000), step)
        for step in range(FEW):
            for tag in ("train/loss", "val/loss", "val/acc"):
                writer.add_scalar(tag, step / FEW, step)
    with served(logdir) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    drawn(page, "dense", 1)
    drawn(page, "val/acc", 1)
    return page


def zoomed(page: Page, tag: str) -> tuple[float, float]:
    """What a chart shows of x, when it does not show everything."""
    expect(plot(page, tag)).not_to_have_attribute("data-zoom", "")
    drawn(page, tag, 1)
    return shown(page, tag, "x")


# --- hands ---


def test_two_fingers_zoom_where_they_are_and_pinch_back(open_page: OpenPage, address: str):
    page = open_page(address, viewport=WIDE, has_touch=True)
    drawn(page, "val/acc", 1)
    hand = page.context.new_cdp_session(page)

    def fingers(kind: str, *places: float) -> None:
        at = [point(page, "val/acc", place) for place in places]
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(at)]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def move(start: tuple[float, float], end: tuple[float, float]) -> None:
        fingers("touchStart", start[0])
        fingers("touchStart", *start)
        for part in (0.25, 0.5, 0.75, 1):
            both = zip(start, end, strict=True)
            fingers("touchMove", *(one + part * (other - one) for one, other in both))
        fingers("touchEnd")

    move((0.4, 0.6), (0.2, 0.8))
    first, last = zoomed(page, "val/acc")
    # Three times nearer, and the middle stays in the middle.
    assert last - first == pytest.approx((FEW - 1) / 3, rel=0.05)
    assert (first + last) / 2 == pytest.approx((FEW - 1) / 2, abs=1)
    move((0.1, 0.9), (0.45, 0.55))
    expect(plot(page, "val/acc")).to_have_attribute("data-zoom", "")


def test_a_pinch_on_a_trackpad_zooms_at_the_pointer(board: Page):
    board.mouse.move(*point(board, "val/acc", 0.75))
    # Browsers report it as a wheel with Ctrl.
    board.keyboard.down("Control")
    for _ in range(5):
        board.mouse.wheel(0, -20)
    board.keyboard.up("Control")
    first, last = zoomed(board, "val/acc")
    assert last - first < 0.6 * FEW
    assert first + 0.75 * (last - first) == pytest.approx(0.75 * (FEW - 1), abs=1)


def test_keys_alone_lead_to_a_card_near_to_it_and_back(board: Page):
    for _ in range(10):
        board.keyboard.press("j")
        if card(board, "val/acc").evaluate("card => card === document.activeElement"):
            break
    board.keyboard.press("Enter")
    full = board.get_by_role("region", name="val/acc, full size")
    chart = full.get_by_role("application")
    expect(chart).to_be_focused()
    board.keyboard.press("+")
    expect(full.get_by_role("status").filter(has_text="Zoomed to 25 to 74")).to_be_visible()
    board.keyboard.press("Shift+ArrowLeft")
    expect(full.get_by_text("Zoomed to 20 to 69")).to_be_visible()
    board.keyboard.press("+")
    expect(chart).to_have_attribute("data-zoom", re.compile("^3[23] to 57$"))
    board.keyboard.press("-")
    expect(chart).to_have_attribute("data-zoom", "20 to 69")
    board.keyboard.press("0")
    expect(chart).to_have_attribute("data-zoom", "")
    board.keyboard.press("Escape")
    expect(full).to_have_count(0)
    expect(card(board, "val/acc")).to_be_focused()


# --- detail ---


def test_each_zoom_brings_detail_until_every_point_is_there(board: Page, tmp_path: Path):
    facts = card(board, "dense").locator("[data-facts]")
    expect(facts).to_have_text(re.compile(r"^\s*\d\d\d:1$"))
    for ratio in (r"\d\d:1", r"(\d:1|exact)", "exact", "exact"):
        drag(board, point(board, "dense", 0.45, 0.5), point(board, "dense", 0.57, 0.52))
        expect(facts).to_have_text(re.compile(rf"^\s*{ratio}$"))
    drawn(board, "dense", 1)
    first, last = zoomed(board, "dense")
    # Near enough, each point is a dot of its own; the stroke continues on both sides.
    (dots,) = [shape for shape in picture(board, "dense", tmp_path).areas if shape.alpha < 1]
    assert len(dots.places) == pytest.approx(last - first, abs=4)
    choose(board, "dense", "More", "Show as table")
    rows = card(board, "dense").get_by_role("region", name="dense as a table").get_by_role("row")
    expect(rows.nth(1)).to_have_text(re.compile(r"^\d\d,\d{3}"))


def test_a_single_spike_is_seen_from_afar(board: Page, tmp_path: Path):
    choose(board, "dense", "More", "Set axis ranges…")
    board.get_by_role("dialog").get_by_role("textbox", name="Max y").fill("60")
    board.get_by_role("dialog").get_by_role("button", name="Zoom").click()
    expect(host(board, "dense")).to_have_attribute("data-y", re.compile(" 60$"))
    drawing = picture(board, "dense", tmp_path)
    pale = [area for area in drawing.areas if area.alpha < 1]
    assert max(drawing.value(y) for area in pale for y in area.y) == pytest.approx(50, abs=0.5)
    # The smoothed line does not go there: without the band the spike would be lost.
    assert max(drawing.value(y) for y in drawing.lines()[0].y) < 25
    chart_settings(board).get_by_role("checkbox", name="Show min\u2013max envelope").uncheck()
    assert all(area.alpha == 1 for area in picture(board, "dense", tmp_path).areas)


# --- typed ranges ---


def test_a_range_of_y_is_held_for_all_tags_of_a_pattern(board: Page):
    before = host(board, "train/loss").get_attribute("data-y")
    choose(board, "val/acc", "More", "Set axis ranges…")
    sheet = board.get_by_role("dialog")
    sheet.get_by_role("textbox", name="Min y").fill("-1")
    sheet.get_by_role("textbox", name="Max y").fill("3")
    sheet.get_by_role("textbox", name="Tag pattern").fill("val/*")
    sheet.get_by_role("button", name="Lock y range").click()
    for tag in ("val/acc", "val/loss"):
        expect(host(board, tag)).to_have_attribute("data-y", "-1 3")
    expect(host(board, "train/loss")).to_have_attribute("data-y", str(before))
    # It stays while x is zoomed, and for who gets the link.
    drag(board, point(board, "val/acc", 0.2, 0.5), point(board, "val/acc", 0.6, 0.52))
    zoomed(board, "val/acc")
    expect(host(board, "val/acc")).to_have_attribute("data-y", "-1 3")
    expect(board).to_have_url(re.compile("zoom=.*yRange="))
    board.reload()
    expect(host(board, "val/loss")).to_have_attribute("data-y", "-1 3")
    choose(board, "val/loss", "More", "Set axis ranges…")
    sheet.get_by_role("button", name="Unlock val/*").click()
    expect(host(board, "val/loss")).not_to_have_attribute("data-y", "-1 3")


def test_ends_of_axes_are_typed(board: Page):
    act(board, "val/acc", "Open full size")
    full = board.get_by_role("region", name="val/acc, full size")
    chart = full.locator(".host")
    panel = chart_settings(board)
    panel.get_by_role("textbox", name="Max y").fill("5")
    panel.get_by_role("textbox", name="Max y").press("Enter")
    expect(chart).to_have_attribute("data-y", re.compile(" 5$"))
    panel.get_by_role("button", name="auto").click()
    expect(chart).not_to_have_attribute("data-y", re.compile(" 5$"))
    full.get_by_role("button", name="More", exact=True).click()
    board.get_by_role("menuitem", name="Set axis ranges…").click()
    sheet = board.get_by_role("dialog")
    sheet.get_by_role("textbox", name="Min x").fill("7.5")
    sheet.get_by_role("textbox", name="Max x").fill("12")
    sheet.get_by_role("textbox", name="Max x").press("Enter")
    expect(chart).to_have_attribute("data-x", "7.5 12")
