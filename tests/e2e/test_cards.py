"""The cards as a whole: groups with many of them, and tags of any name."""

from pathlib import Path

from playwright.sync_api import expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, page_url


def test_a_group_shows_more_of_its_cards_when_asked(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        for number in range(70):
            writer.add_scalar(f"layers/{number:02}", number, 0)
    page = open_page(page_url(serve(tmp_path / "logs")))
    group = page.get_by_role("region", name="layers/", exact=True)
    expect(group.locator("[data-card]")).to_have_count(60)
    group.get_by_role("button", name="Show 10 more").click()
    expect(group.locator("[data-card]")).to_have_count(70)
    expect(group.locator("[data-card='layers/60']")).to_be_focused()
    expect(group.get_by_role("button", name="Show 10 more")).to_have_count(0)


def test_tags_may_have_names_that_mean_something_elsewhere(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    tags = ["loss", "/loss", "constructor", "__proto__", "<img src=x onerror=alert(1)>"]
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        for step in range(3):
            for tag in tags:
                writer.add_scalar(tag, step, step)
    page = open_page(page_url(serve(tmp_path / "logs")))
    drawn = page.locator("[data-card] [data-state=drawn]")
    expect(drawn).to_have_count(len(tags))
