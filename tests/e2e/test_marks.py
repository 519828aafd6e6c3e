"""What is marked in charts: restarts, values that are no numbers, the best point, notes, gaps."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import kymograph
from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, page_url, served
from tests.e2e.scalar_cards import (
    WIDE,
    Drawing,
    card,
    chart_settings,
    choose,
    drawn,
    host,
    picture,
    plot,
    point,
    tooltip_rows,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

STEPS = 100


def points(steps: range, level: float, begin: float) -> bytes:
    events = (event_files.scalar("loss", step, level - step / 200, begin + step) for step in steps)
    return b"".join(events)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("marks") / "board"
    begin = event_files.START
    event_files.write(logdir / "again", points(range(60), 1.0, begin))
    # Begins again at 40, so that twenty points of the first attempt count no more.
    again = event_files.header(begin + 1000) + points(range(40, STEPS), 1.2, begin + 1000)
    (logdir / "again/events.out.tfevents.1700001000.host.2.0").write_bytes(again)
    with kymograph.SummaryWriter(logdir / "odd") as writer:
        for step in range(STEPS):
            writer.add_scalar("nan", math.nan if step >= 70 else 1.0 + step / STEPS, step)
            up_and_down = {30: math.inf, 60: -math.inf}
            writer.add_scalar("inf", up_and_down.get(step, 1.0 + step / STEPS), step)
            writer.add_scalar("val/acc", 1 - abs(step - 75) / 100, step)
    with served(logdir) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    drawn(page, "val/acc", 1)
    return page


def triangles(drawing: Drawing) -> list[tuple[float, float]]:
    """Where small filled triangles have their middle."""
    found = []
    for area in drawing.areas:
        for at in range(0, len(area.places) - 2, 3):
            corners = area.places[at : at + 3]
            wide = max(x for x, _ in corners) - min(x for x, _ in corners)
            if wide == pytest.approx(9, abs=0.1):
                found.append((corners[2][0], sum(y for _, y in corners) / 3))
    return found


def step_at(page: Page, tag: str, x: float) -> float:
    """The step that a pixel of a card's picture stands for."""
    width = plot(page, tag).bounding_box()
    assert width is not None
    return (x - 46) / (width["width"] - 56) * (STEPS - 1)


def test_a_restart_is_marked_where_the_run_began_again(board: Page, tmp_path: Path):
    drawn(board, "loss", 1)
    expect(plot(board, "loss")).to_have_attribute("data-marks", re.compile("restart"))
    grey = [one for one in picture(board, "loss", tmp_path).strokes if len(one.places) == 7]
    (arrow,) = grey
    assert step_at(board, "loss", arrow.places[0][0]) == pytest.approx(40, abs=0.5)
    # What came before it counts no more.
    choose(board, "loss", "More", "Show as table")
    region = card(board, "loss").get_by_role("region", name="loss as a table")
    expect(region.get_by_role("table")).to_have_attribute("aria-rowcount", str(1 + STEPS))
    rows = region.get_by_role("row")
    expect(rows.nth(1 + 39)).to_contain_text("0.805")
    expect(rows.nth(1 + 40)).to_contain_text("1")


def test_pointing_at_a_mark_says_what_it_is(board: Page):
    drawn(board, "loss", 1)
    expect(plot(board, "loss")).to_have_attribute("data-marks", re.compile("restart"))
    board.mouse.move(*point(board, "loss", 40 / 99, 0.97))
    sentence = board.locator(".mark:visible")
    expect(sentence).to_have_text("again restarted at 40, 20 points superseded")
    board.mouse.move(*point(board, "loss", 0.8, 0.5))
    expect(sentence).to_have_count(0)


def test_nan_is_a_hollow_triangle_at_the_last_number(board: Page, tmp_path: Path):
    drawn(board, "nan", 1)
    ((x, _),) = triangles(picture(board, "nan", tmp_path))
    assert step_at(board, "nan", x) == pytest.approx(69, abs=0.5)
    board.mouse.move(*point(board, "nan", 0.9))
    expect(tooltip_rows(board)).to_contain_text("NaN")


def test_infinities_are_triangles_at_the_edges(board: Page, tmp_path: Path):
    drawn(board, "inf", 1)
    found = sorted(triangles(picture(board, "inf", tmp_path)))
    assert [step_at(board, "inf", x) for x, _ in found] == pytest.approx([30, 60], abs=0.5)
    (_, above), (_, below) = found
    box = plot(board, "inf").bounding_box()
    assert box is not None
    # With the title of the file above it.
    assert above < 24 + 20
    assert below > 24 + box["height"] - 40
    board.mouse.move(*point(board, "inf", 30 / 99))
    expect(tooltip_rows(board)).to_contain_text("∞")


def test_the_best_point_has_a_ring_until_it_is_turned_off(board: Page, tmp_path: Path):
    expect(card(board, "val/acc").locator(".best")).to_have_text("1")
    drawing = picture(board, "val/acc", tmp_path)
    rings = [stroke for stroke in drawing.strokes if len(stroke.places) == 1]
    assert step_at(board, "val/acc", rings[0].x[0] - 4) == pytest.approx(75, abs=0.7)
    chart_settings(board).get_by_role("checkbox", name="Mark best point").uncheck()
    drawing = picture(board, "val/acc", tmp_path)
    assert [stroke for stroke in drawing.strokes if len(stroke.places) == 1] == []


def test_a_note_is_read_where_it_was_written(open_page: OpenPage, serve: Boards, tmp_path: Path):
    for run in ("a", "b"):
        event_files.write(tmp_path / "board" / run, points(range(STEPS), 1.0, event_files.START))
    url = page_url(serve(tmp_path / "board"))
    page = open_page(url, viewport=WIDE)
    drawn(page, "loss", 2)
    # The step that was chosen is the one that a note is for.
    page.mouse.click(*point(page, "loss", 30 / 99))
    expect(card(page, "loss").get_by_role("heading", name="Step 30")).to_be_visible()
    choose(page, "loss", "More", "Edit notes…")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Note step")).to_have_value("30")
    sheet.get_by_label("Note text").fill("learning rate halved")
    sheet.get_by_role("button", name="Add note").click()
    page.keyboard.press("Escape")
    colleague = open_page(url, viewport=WIDE)
    drawn(colleague, "loss", 2)
    expect(plot(colleague, "loss")).to_have_attribute("data-marks", re.compile("note"))
    colleague.mouse.move(*point(colleague, "loss", 30 / 99, 0.97))
    expect(colleague.locator(".mark:visible")).to_have_text("learning rate halved")


def test_a_gap_in_a_damaged_file_is_torn_open(open_page: OpenPage, serve: Boards, tmp_path: Path):
    path = event_files.write(tmp_path / "board/torn", points(range(STEPS), 1.0, event_files.START))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    page = open_page(page_url(serve(tmp_path / "board")), viewport=WIDE)
    drawn(page, "loss", 1)
    expect(plot(page, "loss")).to_have_attribute("data-marks", re.compile("gap"))
    expect(host(page, "loss")).to_have_attribute("aria-label", re.compile("from 0 to 99"))
    page.mouse.move(*point(page, "loss", 0.5, 0.97))
    expect(page.locator(".mark:visible")).to_have_text(
        re.compile(r"^damaged record, steps (48|49|50) to (50|51|52)$")
    )
