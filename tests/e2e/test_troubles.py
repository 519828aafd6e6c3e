"""When something goes wrong: parts that fail or do not come, a token that is gone, no logs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import kymograph
from kymograph.asgi.security import Access
from tests.e2e.conftest import Boards, OpenPage, page_url
from tests.e2e.scalar_cards import WIDE, drawn

# A loaded machine may take its time.
expect.set_options(timeout=30_000)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    for run in ("a", "b"):
        with kymograph.SummaryWriter(tmp_path / "board" / run) as writer:
            for step in range(20):
                writer.add_scalar("loss", 1 / (step + 1), step)
    return tmp_path / "board"


def notices(page: Page) -> list[str]:
    return page.get_by_role("list", name="Notices").get_by_role("listitem").all_inner_texts()


def test_a_part_that_fails_says_so_and_the_rest_continues(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = open_page("about:blank", viewport=WIDE)
    # Cards cannot be made without it; the run list can.
    page.add_init_script(
        """const kept = window.IntersectionObserver
        window.IntersectionObserver = class { constructor() { throw new Error('planted') } }
        window.mend = () => { window.IntersectionObserver = kept }"""
    )
    page.goto(page_url(serve(logdir)))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This part of the page failed: planted.")
    chip = page.get_by_role("checkbox", name="Show a", exact=True)
    chip.click()
    expect(chip).not_to_be_checked()
    page.evaluate("window.mend()")
    alert.get_by_role("button", name="Try again").click()
    expect(alert).to_have_count(0)
    drawn(page, "loss", 1)
    for complaint in open_page.complaints:
        assert "planted" in complaint or "left the page's own address" in complaint
    open_page.complaints.clear()


def test_a_part_that_the_server_has_no_more_can_be_asked_for_again(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    """As after an update of the server under an open page."""
    page = open_page("about:blank", viewport=WIDE)
    page.route("**/assets/later-*.js", lambda route: route.abort())
    page.goto(page_url(serve(logdir)))
    drawn(page, "loss", 2)
    page.get_by_role("button", name="Run table").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Part of the page could not be loaded.")
    page.unroute("**/assets/later-*.js")
    alert.get_by_role("button", name="Reload the page").click()
    expect(page.get_by_role("treegrid", name="Run table")).to_be_visible()
    open_page.close()
    # All requests, since the page was opened elsewhere, and what was not answered.
    open_page.complaints.clear()


def test_a_token_that_is_gone_is_reported(open_page: OpenPage, serve: Boards, logdir: Path):
    serving = serve(logdir, access=Access(token="secret-enough-for-a-test"))
    page = open_page(page_url(serving) + "?token=secret-enough-for-a-test", viewport=WIDE)
    drawn(page, "loss", 2)
    page.context.clear_cookies()
    # The stream is open as it was; the next question is not answered.
    page.get_by_role("button", name=re.compile("^Live")).click()
    page.get_by_role("button", name=re.compile("^Paused")).click()
    status = page.get_by_role("banner").get_by_role("status")
    expect(status).to_have_text("Not signed in")
    assert "You are not signed in. Reload the page to enter the token" in notices(page)[0]
    # What was drawn stays.
    drawn(page, "loss", 2)
    page.reload()
    expect(page.get_by_role("textbox")).to_be_visible()
    for complaint in open_page.complaints:
        assert "401" in complaint or "left the page's own address" in complaint
    open_page.complaints.clear()


def test_an_empty_board_shows_what_was_found_instead(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    logdir = tmp_path / "board"
    logdir.mkdir()
    (logdir / "train").mkdir()
    (logdir / "train/metrics.csv").write_text("step,loss\n")
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    expect(page.get_by_role("heading", level=1)).to_have_text("No runs yet")
    found = page.get_by_role("main").get_by_role("listitem")
    expect(found.nth(0)).to_contain_text("there is no event file among 2 entries")
    expect(found.nth(1)).to_contain_text(
        "logs of other tools, which a board cannot show: CSV logs (1)"
    )
    expect(found.nth(1)).to_contain_text("read them with pandas")
    expect(page.get_by_role("main")).to_contain_text(f"kymograph doctor {logdir}")
    page.get_by_role("button", name="PyTorch").click()
    expect(page.get_by_role("main")).to_contain_text("from torch.utils.tensorboard import")
