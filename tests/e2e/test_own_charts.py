"""Charts that people put together: cards dragged onto each other, expressions, pinned cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, served
from tests.e2e.scalar_cards import WIDE, act, card, choose, drawn, host, point, tooltip_rows

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

STEPS = 50


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("charts") / "board"
    for number, run in enumerate(("one", "two")):
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(STEPS):
                writer.add_scalar("train/loss", 1 + number, step)
                writer.add_scalar("val/loss", 4 + 4 * number, step)
                writer.add_scalar("lr", step / STEPS, step)
    with served(logdir) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    drawn(page, "val/loss", 2)
    return page


def own(page: Page) -> Locator:
    return page.get_by_role("region", name="Custom charts", exact=True)


def title(page: Page, tag: str) -> Locator:
    return card(page, tag).get_by_role("heading", level=3)


def drag_card(page: Page, tag: str, onto: Locator) -> None:
    """Takes a card by its title, as slowly as hands do: the browser begins a drag on the way."""
    card(page, tag).scroll_into_view_if_needed()
    title(page, tag).hover(position={"x": 20, "y": 8})
    page.mouse.down()
    onto.hover(position={"x": 100, "y": 100})
    onto.hover(position={"x": 110, "y": 100})
    page.mouse.up()


def new_chart(page: Page, expression: str) -> None:
    page.keyboard.press("c")
    field = page.get_by_role("dialog").get_by_role("textbox", name="Expression")
    field.fill(expression)
    field.press("Enter")


def test_a_card_dragged_onto_another_makes_a_chart_of_both(board: Page):
    expect(own(board)).to_have_count(0)
    drag_card(board, "train/loss", card(board, "val/loss"))
    chart = own(board).locator("[data-card]")
    expect(chart.get_by_role("heading", level=3)).to_have_text(
        re.compile(r"val/\s*loss\s*,\s*train/\s*loss")
    )
    drawn(board, "chart:1", 4)
    expect(host(board, "chart:1")).to_have_attribute("aria-label", re.compile("values 1 to 8"))
    # A third tag joins the chart that there is.
    drag_card(board, "lr", chart)
    drawn(board, "chart:1", 6)
    expect(own(board).locator("[data-card]")).to_have_count(1)
    # The cards that were dragged stay where they are, and the chart is in the link.
    drawn(board, "train/loss", 2)
    expect(board).to_have_url(re.compile("chart=.*lr"))
    board.reload()
    drawn(board, "chart:1", 6)
    board.mouse.move(*point(board, "chart:1", 0.5))
    expect(tooltip_rows(board).filter(has_text="train/loss")).to_have_count(2)
    board.mouse.move(2, 2)
    choose(board, "chart:1", "More", "Delete chart")
    expect(own(board)).to_have_count(0)


def test_an_expression_is_drawn_for_each_run(board: Page):
    new_chart(board, "val/loss - 2 * train/loss")
    drawn(board, "chart:1", 2)
    expect(host(board, "chart:1")).to_have_attribute("aria-label", re.compile("values 2 to 4"))
    expect(title(board, "chart:1")).to_have_text("val/loss - 2 * train/loss")
    board.mouse.move(*point(board, "chart:1", 0.5))
    expect(tooltip_rows(board).filter(has_text="one")).to_contain_text("2")
    expect(tooltip_rows(board).filter(has_text="two")).to_contain_text("4")


def test_a_wrong_expression_says_what_is_wrong(board: Page, open_page: OpenPage):
    board.keyboard.press("c")
    dialog = board.get_by_role("dialog", name="New chart")
    field = dialog.get_by_role("textbox", name="Expression")
    expect(field).to_be_focused()
    board.keyboard.type("trian/loss - (val/loss")
    expect(dialog.get_by_text("Unclosed parenthesis.").first).to_be_visible()
    board.keyboard.type(")")
    expect(dialog.get_by_text("Unknown tag “trian/loss”.").first).to_be_visible()
    board.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="train/loss").click()
    expect(field).to_have_value("train/loss - (val/loss)")
    board.keyboard.press("Enter")
    drawn(board, "chart:1", 2)
    # A link may still bring a wrong one: its card says what is wrong, the others are drawn.
    board.goto(board.url.replace("val%2Floss)", "val%2Floss").replace("val/loss)", "val/loss"))
    alert = card(board, "chart:1").get_by_role("alert")
    expect(alert).to_contain_text("Invalid expression at character")
    drawn(board, "val/loss", 2)
    # The browser logs that the server refused it.
    open_page.complaints = [one for one in open_page.complaints if "400" not in one]


def test_tags_are_chosen_from_a_list_with_the_keyboard(board: Page):
    board.keyboard.press("c")
    dialog = board.get_by_role("dialog", name="New chart")
    dialog.get_by_role("textbox", name="Search tags").fill("loss")
    expect(dialog.get_by_role("checkbox")).to_have_count(2)
    for tag in ("train/loss", "val/loss"):
        dialog.get_by_role("checkbox", name=tag).focus()
        board.keyboard.press("Space")
    dialog.get_by_role("button", name="Create chart").focus()
    board.keyboard.press("Enter")
    drawn(board, "chart:1", 4)


def test_pinned_cards_stand_on_top_for_everyone(open_page: OpenPage, serve: Boards, address: str):
    page = open_page(address, viewport=WIDE)
    drawn(page, "val/loss", 2)
    pinned = page.get_by_role("region", name="Pinned", exact=True)
    act(page, "val/loss", "Pin card")
    expect(pinned.locator("[data-card]")).to_have_attribute("data-card", "val/loss")
    # j goes to the first card, which p unpins; then to the next one, which p pins.
    page.mouse.move(2, 2)
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(pinned).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(pinned.locator("[data-card]")).to_have_count(1)
    kept = str(pinned.locator("[data-card]").get_attribute("data-card"))
    colleague = open_page(address, viewport=WIDE)
    theirs = colleague.get_by_role("region", name="Pinned", exact=True)
    expect(theirs.locator("[data-card]")).to_have_attribute("data-card", kept)
    page.bring_to_front()
    page.keyboard.press("Control+k")
    page.keyboard.type("Unpin all")
    page.keyboard.press("Enter")
    expect(pinned).to_have_count(0)
