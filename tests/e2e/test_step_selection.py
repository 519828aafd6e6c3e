"""Steps that are chosen on charts, in a real browser: where the fobs are and what is listed."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

WIDE = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("steps") / "board"
    for run in ("adam", "sgd"):
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(0, 100_000, 500):
                writer.add_scalar("loss", 1 / (1 + step), step)
                for tag in ("acc", "lr", "norm"):
                    writer.add_scalar(tag, step / 100_000, step)
    return logdir


def card(page: Page, tag: str) -> Locator:
    return page.locator(f'[data-card="{tag}"]').first


def opened(open_page: OpenPage, url: str) -> Page:
    page = open_page(url, viewport=WIDE)
    for tag in ("loss", "acc"):
        expect(card(page, tag).locator(".host")).to_have_attribute("data-lines", "2")
    return page


def test_fob_is_where_the_axis_was_pressed_on_a_symlog_axis(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = opened(open_page, page_url(serve(logdir)) + "?xScale=symlog")
    box = card(page, "loss").get_by_role("application").bounding_box()
    assert box is not None
    low = box["y"] + box["height"] - 8
    start, end = box["x"] + 0.5 * box["width"], box["x"] + 0.8 * box["width"]
    page.mouse.move(start, low)
    page.mouse.down()
    page.mouse.move((start + end) / 2, low)
    page.mouse.move(end, low)
    page.mouse.up()
    fobs = card(page, "loss").get_by_role("slider")
    expect(fobs).to_have_count(2)
    for fob, pressed in zip(fobs.all(), (start, end), strict=True):
        place = fob.bounding_box()
        assert place is not None
        assert abs(place["x"] + place["width"] / 2 - pressed) < 4


def test_fobs_are_beside_the_picture_for_a_screen_reader(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = opened(open_page, page_url(serve(logdir)) + "?at=50000")
    chart = card(page, "loss").get_by_role("application")
    fob = chart.get_by_role("slider", name="Selected step")
    expect(fob).to_have_attribute("aria-valuetext", "50,000")
    expect(chart.get_by_role("img", name=re.compile("^loss"))).to_be_visible()
    expect(chart.get_by_role("img").get_by_role("slider")).to_have_count(0)
    fob.press("ArrowRight")
    expect(fob).not_to_have_attribute("aria-valuetext", "50,000")


def test_only_the_card_that_was_pressed_lists_values_until_others_are_asked_to(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = opened(open_page, page_url(serve(logdir)))
    box = card(page, "acc").get_by_role("application").bounding_box()
    assert box is not None
    before = card(page, "loss").bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    expect(card(page, "acc").get_by_role("table")).to_be_visible()
    expect(card(page, "loss").get_by_role("slider", name="Selected step")).to_be_visible()
    expect(card(page, "loss").get_by_role("table")).to_have_count(0)
    after = card(page, "loss").bounding_box()
    assert before is not None
    assert after is not None
    assert (before["x"], before["y"]) == (after["x"], after["y"])
    card(page, "loss").hover(position={"x": 60, "y": 10})
    card(page, "loss").get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitemcheckbox", name="Show selected values").click()
    expect(card(page, "loss").get_by_role("table")).to_be_visible()
    card(page, "acc").get_by_role("button", name="Clear selection").click()
    expect(page.get_by_role("region", name="Values")).to_have_count(0)
    # One Escape takes back a click.
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    expect(card(page, "acc").get_by_role("table")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card(page, "acc").get_by_role("table")).to_have_count(0)


def test_values_of_a_clicked_card_move_no_other_card(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = opened(open_page, page_url(serve(logdir)))
    expect(card(page, "norm").locator(".host")).to_have_attribute("data-lines", "2")
    upper, before = card(page, "acc").bounding_box(), card(page, "norm").bounding_box()
    assert upper is not None
    assert before is not None
    assert (before["x"], before["y"] > upper["y"]) == (upper["x"], True)
    chart = card(page, "acc").get_by_role("application")
    chart.click(position={"x": 200, "y": 60})
    expect(card(page, "acc").get_by_role("table")).to_be_visible()
    expect(card(page, "acc").get_by_role("row", name="sgd")).to_be_visible()
    keep_picture(page, "selected-values")
    assert card(page, "acc").bounding_box() == upper
    assert card(page, "norm").bounding_box() == before
    page.keyboard.press("Escape")
    expect(card(page, "acc").get_by_role("table")).to_have_count(0)
    assert card(page, "norm").bounding_box() == before
