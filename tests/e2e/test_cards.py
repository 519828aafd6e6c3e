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
    expect(group.locator("[data-card='layers/00'] [data-state=drawn]")).to_have_count(1)
    group.get_by_role("button", name="Show 10 more").click()
    expect(group.locator("[data-card='layers/60']")).to_be_focused()
    expect(group.locator("[data-card='layers/69']")).to_have_count(1)
    expect(group.get_by_role("button", name="Show 10 more")).to_have_count(0)


def test_cards_that_are_far_away_come_when_they_are_scrolled_or_walked_to(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        for number in range(150):
            writer.add_scalar(f"block{number // 50}/{number:03}", number, 0)
    page = open_page(page_url(serve(tmp_path / "logs")))
    first, last = (page.locator(f"[data-card='block{at}']") for at in ("0/000", "2/149"))
    expect(first.locator("[data-state=drawn]")).to_have_count(1)
    expect(last).to_have_count(0)
    scroller = page.locator("[data-scroll]")
    height = scroller.evaluate("(element) => element.scrollHeight")

    scroller.evaluate("(element) => { element.scrollTop = element.scrollHeight }")
    expect(last.locator("[data-state=drawn]")).to_be_in_viewport()
    expect(first).to_have_count(0)
    assert scroller.evaluate("(element) => element.scrollHeight") == height

    # From nowhere, j goes to the first card, and k stays there; then one by one.
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(first).to_be_focused()
    expect(first.locator("[data-state=drawn]")).to_be_in_viewport()
    for _ in range(52):
        page.keyboard.press("j")
    reached = page.locator("[data-card='block1/052']")
    expect(reached).to_be_focused()
    expect(reached.locator("[data-state=drawn]")).to_be_in_viewport()

    # The card with the focus keeps it while others are looked at.
    scroller.evaluate("(element) => { element.scrollTop = element.scrollHeight }")
    expect(last.locator("[data-state=drawn]")).to_be_in_viewport()
    page.keyboard.press("k")
    expect(page.locator("[data-card='block1/051']")).to_be_focused()
    expect(page.locator("[data-card='block1/051'] [data-state=drawn]")).to_be_in_viewport()


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
    pin = "Pin card"
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
    expect(second.get_by_role("button", name="Log y axis")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(first.get_by_role("application")).to_be_focused()
