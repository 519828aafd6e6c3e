"""Which of many runs a person meets first, what state they are in, and how the list is narrowed."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, page_url, served
from tests.e2e.scalar_cards import WIDE, drawn, settings

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

RUNS = 12


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("choice") / "board"
    for number in range(RUNS):
        # Later ones are newer; the best losses are those of 3, 2 and 4.
        begin = event_files.START + 1000 * number
        loss = abs(number - 2.9) + 0.5
        points = [event_files.scalar("loss", step, loss, begin + step) for step in range(5)]
        directory = logdir / f"run-{number}"
        directory.mkdir(parents=True)
        (directory / event_files.NAME).write_bytes(event_files.header(begin) + b"".join(points))
    with served(logdir) as address:
        yield address


def rail(page: Page) -> Locator:
    return page.get_by_role("treegrid", name="Runs")


def shown(page: Page) -> set[str]:
    boxes = rail(page).get_by_role("checkbox", checked=True).all()
    labels = {str(box.get_attribute("aria-label")).removeprefix("Show ") for box in boxes}
    return {label for label in labels if label.startswith("run-")}


def foot(page: Page) -> Locator:
    return page.get_by_role("button", name="Shown runs")


def test_the_newest_or_the_best_so_many_are_shown_at_the_start(open_page: OpenPage, address: str):
    page = open_page(address, viewport=WIDE)
    drawn(page, "loss", RUNS)
    sheet = settings(page)
    many = sheet.get_by_role("spinbutton", name="Number of runs")
    many.fill("3")
    many.press("Enter")
    sheet.get_by_role("button", name="Done").click()
    page.reload()
    expect(foot(page)).to_contain_text("3 newest of 12 shown")
    drawn(page, "loss", 3)
    assert shown(page) == {"run-9", "run-10", "run-11"}
    sheet = settings(page)
    sheet.get_by_role("radiogroup", name="Runs shown at start").get_by_text("Best").click()
    sheet.get_by_label("Rank runs by").select_option("loss")
    sheet.get_by_role("button", name="Done").click()
    page.reload()
    expect(foot(page)).to_contain_text("3 best of 12 shown")
    drawn(page, "loss", 3)
    assert shown(page) == {"run-2", "run-3", "run-4"}
    # What a link names goes before.
    colleague = open_page(f"{address}?runs=none&runs=%2Brun-7", viewport=WIDE)
    drawn(colleague, "loss", 1)
    assert shown(colleague) == {"run-7"}


def test_the_list_is_narrowed_by_a_regular_expression(open_page: OpenPage, address: str):
    page = open_page(address, viewport=WIDE)
    drawn(page, "loss", RUNS)
    page.keyboard.press("r")
    page.keyboard.type("run-(3|1.)$")
    drawn(page, "loss", 3)
    assert shown(page) == {"run-3", "run-10", "run-11"}
    expect(page).to_have_url(re.compile("runFilter="))
    page.get_by_role("button", name="Clear filter").click()
    drawn(page, "loss", RUNS)


def test_the_state_of_each_run_is_shown(open_page: OpenPage, serve: Boards, tmp_path: Path):
    now = time.time()
    for run, silent in {"running": 1, "silent": 300, "ended": 100_000}.items():
        begin = now - silent - 1000
        points = [event_files.scalar("loss", step, 1, begin + 10 * step) for step in range(101)]
        directory = tmp_path / "board" / run
        directory.mkdir(parents=True)
        (directory / event_files.NAME).write_bytes(event_files.header(begin) + b"".join(points))
    page = open_page(page_url(serve(tmp_path / "board")), viewport=WIDE)
    drawn(page, "loss", 3)
    for run in ("running", "silent", "ended"):
        name = rail(page).get_by_role("rowheader").filter(has_text=run)
        expect(name).to_have_attribute("title", re.compile(f"^{run}\n{run}"))


@pytest.mark.slow
def test_ten_thousand_runs_are_scrolled_filtered_and_sorted(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    for number in range(10_000):
        loss = event_files.scalar("loss", 0, number, event_files.START + number)
        event_files.write(tmp_path / f"board/run-{number}", loss)
    page = open_page(page_url(serve(tmp_path / "board")) + "?table=1", viewport=WIDE)
    table = page.get_by_role("treegrid", name="Run table")
    # A busy machine reads ten thousand files in its own time.
    expect(page.get_by_role("contentinfo")).to_contain_text("10,000 runs", timeout=240_000)
    expect(table).to_have_attribute("aria-rowcount", re.compile("^100[0-9]{2}$"), timeout=240_000)
    assert table.get_by_role("row").count() < 60
    names = table.locator('[data-key^="run:"] [role=rowheader] .own')
    table.focus()
    page.keyboard.press("End")
    expect(names.last).to_have_text("run-9999")
    page.keyboard.press("r")
    page.keyboard.type("loss >= 9990")
    expect(names).to_have_count(10)
    page.get_by_role("columnheader", name="loss").first.get_by_role("button").click()
    expect(names.first).to_have_text("run-9990")
