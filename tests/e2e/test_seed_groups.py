"""Runs that differ by their seed alone, drawn as one middle with a band."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import kymograph
from tests.e2e.conftest import OpenPage, served
from tests.e2e.scalar_cards import (
    WIDE,
    chart_settings,
    drawn,
    picture,
    plot,
    point,
    tooltip_rows,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

SEEDS = (0.0, 1.0, 2.0, 6.0, 16.0)
# The mean of the middle half: a quarter of the runs is left out at each end, those between in part.
IQM = (0.75 * 1 + 2 + 0.75 * 6) / 2.5


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("seeds") / "board"
    for seed, level in enumerate(SEEDS):
        with kymograph.SummaryWriter(logdir / f"ppo/seed{seed}") as writer:
            for step in range(40):
                writer.add_scalar("return", level, step)
    with kymograph.SummaryWriter(logdir / "lonely") as writer:
        for step in range(40):
            writer.add_scalar("return", 30.0, step)
    with served(logdir) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    drawn(page, "return", 6)
    panel = chart_settings(page)
    panel.get_by_role("radiogroup", name="Group runs").get_by_text("Seeds").click()
    expect(plot(page, "return")).to_have_attribute("data-bands", "1")
    panel.get_by_role("checkbox", name="Show individual runs").uncheck()
    drawn(page, "return", 2)
    return page


def centre(page: Page, folder: Path) -> float:
    drawing = picture(page, "return", folder)
    return min(drawing.value(line.y[0]) for line in drawing.lines())


def band(page: Page, folder: Path) -> tuple[float, float]:
    drawing = picture(page, "return", folder)
    heights = [drawing.value(y) for area in drawing.areas if area.alpha < 1 for y in area.y]
    return min(heights), max(heights)


def test_the_middle_is_mean_median_or_interquartile_mean(board: Page, tmp_path: Path):
    panel = chart_settings(board)
    centres = panel.get_by_role("radiogroup", name="Centre")
    panel.get_by_label("Band", exact=True).select_option("None")
    for name, expected in (("Mean", 5), ("Median", 2), ("IQM", IQM)):
        centres.get_by_text(name, exact=True).click()
        drawn(board, "return", 2)
        assert centre(board, tmp_path) == pytest.approx(expected, abs=0.15), name
        board.mouse.move(*point(board, "return", 0.5))
        row = tooltip_rows(board).filter(has_text="ppo")
        expect(row).to_contain_text(re.compile(f"{expected:g}"))
        board.mouse.move(2, 2)


def test_each_band_is_as_wide_as_it_says(board: Page, tmp_path: Path):
    panel = chart_settings(board)
    deviation = statistics.stdev(SEEDS)
    error = deviation / math.sqrt(len(SEEDS))
    bands = {
        "1 sd": (5 - deviation, 5 + deviation),
        "Standard error": (5 - error, 5 + error),
        "Quartiles": (1, 6),
        "Range": (0, 16),
    }
    for name, (low, high) in bands.items():
        panel.get_by_label("Band", exact=True).select_option(name)
        drawn(board, "return", 2)
        assert band(board, tmp_path) == pytest.approx((low, high), abs=0.3), name
    panel.get_by_label("Band", exact=True).select_option("95 % CI")
    drawn(board, "return", 2)
    expect(plot(board, "return")).to_have_attribute("data-current", "true")
    low, high = band(board, tmp_path)
    assert 0.3 < low < 3
    assert 7 < high < 13
    panel.get_by_label("Band", exact=True).select_option("None")
    assert band(board, tmp_path) == pytest.approx((5, 5), abs=0.3)


def test_members_are_hairlines_behind_the_band_and_the_view_is_in_the_link(
    board: Page, tmp_path: Path
):
    panel = chart_settings(board)
    panel.get_by_role("checkbox", name="Show individual runs").check()
    drawn(board, "return", 7)
    hairlines = [one for one in picture(board, "return", tmp_path).strokes if one.alpha < 1]
    assert len(hairlines) == len(SEEDS)
    panel.get_by_role("radiogroup", name="Centre").get_by_text("IQM").click()
    panel.get_by_label("Band", exact=True).select_option("Quartiles")
    expect(board).to_have_url(re.compile("iqm.*iqr"))
    board.reload()
    drawn(board, "return", 7)
    expect(chart_settings(board).get_by_label("Band", exact=True)).to_have_value("iqr")
    foot = board.get_by_role("button", name="Shown runs")
    expect(foot).to_contain_text("1 group, 6 runs shown")
