"""Whatever people do, in whatever order: the page shows what its link shows to a colleague."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, page_url
from tests.e2e.scalar_cards import WIDE

ACTIONS = 200
CHECKED_EVERY = 50
PATIENCE_SECS = 90

FILTERS = ["", "", "adam", "s1$", "loss.min < 1", "lr < 0.01", "loss.max > 2 or adam", "loss.min <"]
GROUPS = ["None", "Folder", "Seed"]

# Clicks as the browser delivers them, without waiting until nothing moves: two hundred of those
# would take minutes.
PRESS = "element => element.click()"
DOUBLE = """element => {
    for (const detail of [1, 2])
        element.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }))
}"""
MENU = """element => element.dispatchEvent(
    new MouseEvent("contextmenu", { bubbles: true, cancelable: true }))"""
SEEN = """async () => {
    const rows = [...document.querySelectorAll("[role=treegrid] [role=row][data-key]")]
    rows.sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
    const chip = row => row.querySelector("[role=checkbox]")
    const pictures = [...document.querySelectorAll("[data-card] .host")].map(host => ({
        lines: host.dataset.lines,
        x: host.dataset.x,
        y: host.dataset.y,
        canvases: [...host.querySelectorAll("canvas")].map(canvas => canvas.toDataURL()),
    }))
    const isCurrent = [...document.querySelectorAll("[data-card] [role=application]")].every(
        plot => plot.dataset.current === "true")
    return {
        rows: rows.map(row => [
            row.dataset.key,
            chip(row)?.ariaChecked,
            chip(row) && getComputedStyle(chip(row)).backgroundColor,
            row.textContent.trim(),
        ]),
        foot: document.querySelector("aside").lastElementChild.textContent,
        pictures,
        isCurrent,
    }
}"""


def write(logdir: Path) -> None:
    for number in range(14):
        kind = "adam" if number % 2 else "sgd"
        folder = logdir / ("sweep" if number % 3 else "base") / f"{kind}-{number}-s{number % 4}"
        with kymograph.SummaryWriter(folder) as writer:
            writer.add_hparams({"lr": 10.0 ** -(1 + number % 4)}, {})
            for step in range(20):
                writer.add_scalar("loss", 0.2 * number + 1 / (step + 1), step)


class Person:
    """Does one thing after another."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page = page
        self.random = random.Random(seed)
        self.done: list[str] = []

    def act(self) -> None:
        actions = {
            self.filter: 4,
            self.hide: 5,
            self.solo: 3,
            self.trash: 2,
            self.group: 2,
            self.sort: 3,
            self.reload: 0.5,
            self.follow_link: 0.5,
        }
        [action] = self.random.choices(list(actions), list(actions.values()))
        self.done.append(action.__name__)
        action()

    def filter(self) -> None:
        field = self.page.get_by_role("combobox", name="Filter runs")
        field.fill(self.random.choice(FILTERS))
        field.evaluate("element => element.blur()")

    def hide(self) -> None:
        self._on_any("[data-key^='run:'] [role=checkbox]", PRESS)

    def solo(self) -> None:
        self._on_any("[data-key^='run:'] [role=checkbox]", DOUBLE)

    def trash(self) -> None:
        if self.page.locator("[role=treegrid] [data-key^='run:']").count() < 5:
            return
        self._on_any("[data-key^='run:'] [role=rowheader]", MENU)
        self.page.get_by_role("menuitem", name="Move to trash").evaluate(PRESS)
        undo = self.page.get_by_role("button", name="Undo").last
        expect(undo).to_be_visible(timeout=1000 * PATIENCE_SECS)
        if self.random.random() < 0.8:
            undo.evaluate(PRESS)

    def group(self) -> None:
        self.page.get_by_role("button", name="Group runs").evaluate(PRESS)
        self.page.get_by_role("radio", name=self.random.choice(GROUPS)).first.evaluate(PRESS)
        self.page.keyboard.press("Escape")

    def sort(self) -> None:
        self._on_any("[role=columnheader] button", PRESS)

    def reload(self) -> None:
        self.page.reload()
        ready(self.page)

    def follow_link(self) -> None:
        self.page.goto(self.page.url)
        ready(self.page)

    def _on_any(self, selector: str, script: str) -> None:
        found = self.page.locator("[role=treegrid]").locator(selector)
        count = found.count()
        if count > 0:
            found.nth(self.random.randrange(count)).evaluate(script)


def ready(page: Page) -> None:
    foot = page.get_by_role("button", name="Shown runs")
    expect(foot).to_contain_text("shown", timeout=1000 * PATIENCE_SECS)


def same(page: Page, fresh: Page) -> tuple[Any, Any]:
    """What both pages show, once it is the same, or at the end of all patience."""
    deadline = time.monotonic() + PATIENCE_SECS
    while True:
        ours, theirs = page.evaluate(SEEN), fresh.evaluate(SEEN)
        if (ours == theirs and ours["isCurrent"]) or time.monotonic() > deadline:
            return ours, theirs
        time.sleep(0.25)


def test_two_hundred_random_actions_end_as_their_link(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    write(tmp_path / "runs")
    address = page_url(serve(tmp_path / "runs"))
    page, fresh = (open_page(address, viewport=WIDE) for _ in range(2))
    ready(page)
    person = Person(page, seed=11)
    for number in range(1, ACTIONS + 1):
        person.act()
        if number % CHECKED_EVERY == 0:
            page.evaluate("() => new Promise(resolve => setTimeout(resolve, 600))")
            fresh.goto(page.url)
            ours, theirs = same(page, fresh)
            assert ours["rows"] == theirs["rows"], person.done
            assert ours == theirs, person.done
