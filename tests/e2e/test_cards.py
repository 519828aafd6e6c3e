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


def test_the_actions_of_a_card_come_with_the_pointer_or_the_focus(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        for tag in ("a", "b"):
            writer.add_scalar(tag, 1, 0)
    page = open_page(page_url(serve(tmp_path / "logs")))
    first, second = page.locator("[data-card=a]"), page.locator("[data-card=b]")
    pin = "Pin this card"
    expect(first.locator("[data-state=drawn]")).to_have_count(1)
    expect(page.get_by_role("button", name=pin)).to_have_count(0)

    first.hover()
    expect(first.get_by_role("button", name=pin)).to_be_visible()
    second.hover()
    expect(first.get_by_role("button", name=pin)).to_have_count(0)
    page.mouse.move(0, 0)
    expect(page.get_by_role("button", name=pin)).to_have_count(0)

    # Tab goes from the chart of a card to the first action of the next one, and back.
    first.get_by_role("application").focus()
    page.keyboard.press("Tab")
    expect(second.get_by_role("button", name=pin)).to_be_focused()
    expect(first.get_by_role("button", name=pin)).to_have_count(0)
    page.keyboard.press("Tab")
    expect(second.get_by_role("button", name="Logarithmic y")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(first.get_by_role("application")).to_be_focused()
