"""The box beside the curves: its order, its figures, the run that others are measured against."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, page_url, served
from tests.e2e.scalar_cards import (
    WIDE,
    chart_settings,
    drawn,
    picture,
    point,
    settings,
    shown,
    tooltip,
    tooltip_rows,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

START = 1_700_000_000.0
LEVELS = {"run-1": 1.0, "run-2": 3.0, "run-10": 2.0}


def write(logdir: Path) -> Path:
    for run, level in LEVELS.items():
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(101):
                writer.add_scalar("loss", level + (step % 2) / 100, step, START + 60 * step)
    return logdir


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(write(tmp_path_factory.mktemp("tooltip") / "board")) as address:
        yield address


def point_at(page: Page, value: float) -> None:
    """In the middle of x, at the height of a value."""
    low, high = shown(page, "loss", "y")
    page.mouse.move(*point(page, "loss", 0.3, 1 - (value - low) / (high - low)))
    page.mouse.move(*point(page, "loss", 0.5, 1 - (value - low) / (high - low)))


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    drawn(page, "loss", 3)
    return page


def test_rows_come_in_five_orders(board: Page):
    orders = {
        "Nearest": ["run-10", "run-2", "run-1"],
        "Nearest y": ["run-10", "run-2", "run-1"],
        "Highest first": ["run-2", "run-10", "run-1"],
        "Lowest first": ["run-1", "run-10", "run-2"],
        "Name": ["run-1", "run-2", "run-10"],
    }
    for order, runs in orders.items():
        sheet = settings(board)
        sheet.get_by_label("Tooltip order").select_option(order)
        board.keyboard.press("Escape")
        expect(sheet).to_have_count(0)
        point_at(board, 2.1)
        expect(tooltip_rows(board).locator(".name")).to_have_text(runs)
        # Whatever the order, the row of the nearest line stands out.
        expect(tooltip_rows(board).locator("..").locator(".nearest .name")).to_have_text("run-10")
        board.mouse.move(2, 2)


def test_every_figure_can_stand_in_it(board: Page):
    panel = chart_settings(board)
    for column in ("Value", "Step", "Relative", "Wall time"):
        panel.get_by_role("checkbox", name=column, exact=True).check()
    point_at(board, 1.05)
    cells = tooltip_rows(board).filter(has_text="run-1").first.locator("span")
    expect(cells).to_have_text(
        [
            "run-1",
            re.compile(r"^1\.00\d"),  # smoothed
            re.compile(r"^1(\.01)?$"),  # as logged
            re.compile("^(49|50|51)$"),
            re.compile("^(49|50|51) m$"),
            re.compile(r"^1[45] Nov 2023 \d\d:\d\d:20$"),
        ]
    )
    board.mouse.move(2, 2)
    axis = board.get_by_role("region", name="X axis of all charts")
    axis.get_by_text("Relative").click()
    drawn(board, "loss", 3)
    point_at(board, 1.05)
    expect(tooltip(board).locator(".head")).to_have_text(re.compile(r"^relative \d\d m ?step \d\d"))


def test_runs_are_measured_against_the_pinned_one(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    page = open_page(page_url(serve(write(tmp_path / "board"))), viewport=WIDE)
    drawn(page, "loss", 3)
    point_at(page, 2.1)
    expect(tooltip_rows(page).first.locator("span")).to_have_count(3)
    rail = page.get_by_role("treegrid", name="Runs")
    rail.get_by_role("rowheader").filter(has_text="run-1").first.click(button="right")
    page.get_by_role("menuitem", name="Pin to top").click()
    expect(rail.get_by_role("row").filter(has_text="Pinned")).to_be_visible()
    point_at(page, 2.1)
    for run, delta in {"run-1": "", "run-2": "+2", "run-10": "+1"}.items():
        row = tooltip_rows(page).filter(has=page.get_by_text(run, exact=True))
        expect(row.locator("span").nth(3)).to_have_text(delta)


def test_a_run_has_one_colour_everywhere(board: Page, tmp_path: Path):
    rail = board.get_by_role("treegrid", name="Runs")
    colours = {
        run: rail.get_by_role("checkbox", name=f"Show {run}", exact=True).evaluate(
            "chip => getComputedStyle(chip).backgroundColor"
        )
        for run in LEVELS
    }
    assert len(set(colours.values())) == len(LEVELS)
    point_at(board, 2.1)
    for run, colour in colours.items():
        row = tooltip_rows(board).filter(has=board.get_by_text(run, exact=True))
        expect(row.locator("i")).to_have_css("background-color", colour)
    board.mouse.move(2, 2)
    drawing = picture(board, "loss", tmp_path)
    for run, colour in colours.items():
        red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
        (line,) = drawing.lines(f"#{red:02x}{green:02x}{blue:02x}")
        assert drawing.value(line.y[-1]) == pytest.approx(LEVELS[run], abs=0.1)
    board.get_by_role("button", name="Run table").click()
    table = board.get_by_role("treegrid", name="Run table")
    for run, colour in colours.items():
        expect(table.get_by_role("checkbox", name=re.compile(rf"{run}$"))).to_have_css(
            "background-color", colour
        )
