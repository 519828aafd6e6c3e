"""Tastes and identities: palettes, colours and dashes of runs, sizes and numbers of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, page_url, served
from tests.e2e.scalar_cards import (
    WIDE,
    act,
    card,
    chart_settings,
    drawn,
    host,
    picture,
    settings,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

RUNS = {"bad": 3.0, "good": 1.0, "middling": 2.0}
TAGS = tuple(f"t{number:02}" for number in range(20))


def write(logdir: Path) -> Path:
    for run, level in RUNS.items():
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(20):
                writer.add_scalar("loss", level, step)
                for tag in TAGS:
                    writer.add_scalar(f"many/{tag}", level, step)
    return logdir


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(write(tmp_path_factory.mktemp("looks") / "board")) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE, color_scheme="light")
    drawn(page, "loss", 3)
    return page


def chip(page: Page, run: str) -> Locator:
    return page.get_by_role("checkbox", name=f"Show {run}", exact=True)


def colours(page: Page) -> dict[str, str]:
    """Of the boxes in the run list, as `#rrggbb`."""
    found = {}
    for run in RUNS:
        colour = chip(page, run).evaluate("chip => getComputedStyle(chip).backgroundColor")
        found[run] = "#{:02x}{:02x}{:02x}".format(*map(int, re.findall(r"\d+", colour)[:3]))
    return found


def lines(page: Page, folder: Path) -> dict[str, str]:
    """Of the lines of a chart, distinguished by their heights."""
    drawing = picture(page, "loss", folder)
    found = {}
    for run, level in RUNS.items():
        at_level = [one for one in drawing.lines() if abs(drawing.value(one.y[-1]) - level) < 0.2]
        found[run] = at_level[0].colour
    return found


# --- colours ---


OKABE_ITO = "#0072b2 #d55e00 #009e73 #cc79a7 #56b4e9 #e69f00 #b8a900 #1b1d1f"
TENSORBOARD = "#425066 #12b5cb #e52592 #f9ab00 #9334e6 #7cb342 #e8710a"


@pytest.mark.parametrize(
    ("palette", "among"),
    [
        ("Okabe\u2013Ito", OKABE_ITO.split()),
        ("TensorBoard", TENSORBOARD.split()),
        ("Distinct", None),
    ],
)
def test_palettes_colour_lists_and_lines_alike(
    board: Page, tmp_path: Path, palette: str, among: list[str] | None
):
    before = colours(board)
    sheet = settings(board)
    sheet.get_by_label("Palette").select_option(palette)
    sheet.get_by_role("button", name="Done").click()
    expect(chip(board, "bad")).not_to_have_css("background-color", _rgb(before["bad"]))
    after = colours(board)
    assert len(set(after.values())) == 3
    assert among is None or set(after.values()) <= set(among)
    assert lines(board, tmp_path) == after
    board.reload()
    drawn(board, "loss", 3)
    assert colours(board) == after


def _rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


def test_colours_stand_for_a_metric(board: Page, tmp_path: Path):
    menu = board.get_by_role("button", name="Colour by")
    menu.click()
    board.get_by_role("radio", name=re.compile("^Value")).check()
    board.get_by_role("combobox", name="Value").select_option("metric:loss:best")
    board.keyboard.press("Escape")
    legend = board.get_by_role("region", name="Colour by")
    expect(legend).to_contain_text("loss")
    expect(board.get_by_text("3 in colour")).to_be_visible()
    shades = colours(board)
    # From pale for the least to dark for the greatest.
    light = {run: sum(int(shades[run][at : at + 2], 16) for at in (1, 3, 5)) for run in RUNS}
    assert light["good"] > light["middling"] > light["bad"]
    assert lines(board, tmp_path) == shades


def test_a_run_is_given_a_colour_and_a_dash_for_everyone(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    url = page_url(serve(write(tmp_path / "board")))
    page = open_page(url, viewport=WIDE, color_scheme="light")
    drawn(page, "loss", 3)
    row = page.get_by_role("treegrid", name="Runs").get_by_role("rowheader", name="good")
    row.click(button="right")
    page.get_by_role("menuitem", name="Colour and line…").click()
    page.get_by_role("radio", name="orchid").check()
    page.get_by_role("radiogroup", name="Line").get_by_text("Dotted").click()
    page.get_by_role("button", name="Save").click()
    expect(chip(page, "good")).to_have_css("background-color", _rgb("#b458ba"))
    colleague = open_page(url, viewport=WIDE, color_scheme="light")
    drawn(colleague, "loss", 3)
    (line,) = picture(colleague, "loss", tmp_path).lines("#b458ba")
    assert line.dash != ""
    others = [one for one in picture(colleague, "loss", tmp_path).lines() if one.dash == ""]
    assert len(others) == 2


# --- cards ---


def width(page: Page, tag: str) -> float:
    box = card(page, tag).bounding_box()
    assert box is not None
    return box["width"]


def test_cards_stand_in_one_to_four_columns_of_any_height(board: Page):
    columns = board.get_by_role("toolbar").get_by_role("radiogroup", name="Card columns")
    # A card that is alone in its group has the whole row; it is as wide as all columns of others.
    page_width = width(board, "loss")
    for count in (1, 2):
        columns.get_by_text(str(count), exact=True).click()
        first = card(board, "many/t00")
        expect(first.locator("..")).to_have_css(
            "grid-template-columns", re.compile(rf"^(\S+ ?){{{count}}}$")
        )
        assert width(board, "many/t00") == pytest.approx(page_width / count, rel=0.1)
        assert width(board, "loss") == pytest.approx(page_width, rel=0.01)
    # What does not fit is not said to be there.
    columns.get_by_text("3", exact=True).click()
    board.set_viewport_size({"width": 1100, "height": 800})
    expect(columns.get_by_role("radio", name="2")).to_be_checked()
    expect(columns.get_by_role("radio", name="3")).to_be_disabled()
    board.set_viewport_size(WIDE)
    expect(columns.get_by_role("radio", name="3")).to_be_checked()
    columns.get_by_text("2", exact=True).click()
    slider = chart_settings(board).get_by_role("slider", name="Chart height")
    before = host(board, "loss").bounding_box()
    slider.focus()
    board.keyboard.press("End")
    expect(slider).to_have_value("480")
    after = host(board, "loss").bounding_box()
    assert before is not None
    assert after is not None
    assert after["height"] - before["height"] == 300
    # It is kept in this browser.
    board.reload()
    drawn(board, "loss", 3)
    expect(host(board, "loss")).to_have_css("height", "504px")


def test_a_group_shows_as_many_cards_as_a_person_likes(board: Page):
    group = board.get_by_role("region", name="many/", exact=True)
    more = group.get_by_role("button", name=re.compile("^Show .* more$"))
    expect(group.locator("[data-card]").first).to_be_visible()
    expect(more).to_have_count(0)
    sheet = settings(board)
    field = sheet.get_by_role("spinbutton", name="Cards per group")
    field.fill("8")
    field.press("Enter")
    sheet.get_by_role("button", name="Done").click()
    expect(group.locator("[data-card]")).to_have_count(8)
    expect(more).to_have_text("Show 8 more")
    more.click()
    expect(card(board, "many/t08")).to_be_focused()
    expect(more).to_have_text("Show 4 more")
    more.click()
    expect(card(board, "many/t16")).to_be_focused()
    expect(more).to_have_count(0)


def test_only_cards_near_the_screen_are_made(board: Page):
    last = card(board, f"many/{TAGS[-1]}")
    expect(last.get_by_role("application")).to_have_count(0)
    # The palette leads to a card that is far away.
    board.keyboard.press("Control+k")
    board.keyboard.type(f"many/{TAGS[-1]}")
    expect(board.get_by_role("option").first).to_contain_text(f"many/{TAGS[-1]}")
    board.keyboard.press("Enter")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    drawn(board, f"many/{TAGS[-1]}", 3)
    expect(card(board, "loss").get_by_role("application")).to_have_count(0)


def test_a_group_is_closed_and_stays_so_in_the_link(board: Page):
    group = board.get_by_role("region", name="many/", exact=True)
    group.get_by_role("button", name="many/", exact=True).click()
    expect(group.locator("[data-card]")).to_have_count(0)
    expect(board).to_have_url(re.compile("many"))
    board.reload()
    drawn(board, "loss", 3)
    expect(group.locator("[data-card]")).to_have_count(0)
    board.keyboard.press("Control+k")
    board.keyboard.type("Expand all groups")
    board.keyboard.press("Enter")
    drawn(board, "many/t00", 3)


def test_full_size_takes_the_whole_page_and_its_keys_walk_on(board: Page):
    small = width(board, "many/t00")
    act(board, "loss", "Open full size")
    full = board.get_by_role("region", name="loss, full size")
    box = full.locator(".host").bounding_box()
    assert box is not None
    assert box["width"] > 2.5 * small
    assert box["height"] > 400
    board.keyboard.press("j")
    expect(board.get_by_role("region", name="many/t00, full size")).to_be_visible()
    board.keyboard.press("k")
    expect(full).to_be_visible()
    # Names stand at the ends of the lines: there is room.
    expect(full.locator(".host")).to_have_attribute("data-lines", "3")
    board.keyboard.press("Escape")
    expect(card(board, "loss")).to_be_focused()
