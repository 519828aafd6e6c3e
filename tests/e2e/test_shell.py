"""The shell of the page as a person uses it: palette, keys, links, themes, strip, states."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, expect

import kymograph
from kymograph.asgi.board import Board
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url

expect.set_options(timeout=30_000)

WIDE: ViewportSize = {"width": 1440, "height": 900}
RUNS = ("lr/adamw-1e-2", "lr/adamw-1e-3", "lr/sgd-1e-1", "aug/cutmix", "aug/mixup")


def write_runs(logdir: Path) -> None:
    for n, run in enumerate(RUNS):
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(0, 1001, 10):
                writer.add_scalar("train/loss", (n + 1) / (step + 1), step)
                writer.add_scalar("val/acc", 1 - (n + 1) / (step + 10), step)
            writer.add_image("samples", np.zeros((3, 8, 8), np.uint8), 0)
            writer.add_histogram("weights", np.arange(8.0), 0)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("shell") / "cifar"
    write_runs(logdir)
    with Serving(Board(Store([logdir], follow=True)), sockets.tcp("127.0.0.1", 0)) as serving:
        yield f"http://127.0.0.1:{serving.listening.port}/"


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(color_scheme="light", viewport=WIDE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    complaints: list[str] = []
    context.on("weberror", lambda error: complaints.append(str(error.error)))
    page = context.new_page()
    show(page, address)
    yield page
    context.close()
    assert complaints == []


def show(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 5 runs")
    expect(track(page)).to_have_attribute("data-rows", re.compile("[0-9]"))


def track(page: Page) -> Locator:
    return page.locator("[data-rows]")


def search(page: Page, text: str) -> Locator:
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command palette").fill(text)
    return page.get_by_role("option")


def rail_box(page: Page, run: str) -> Locator:
    return page.get_by_role("complementary", name="Runs").get_by_role(
        "checkbox", name=run, exact=False
    )


# --- palette and keys ---


def test_palette_finds_a_run_and_shows_it_alone(page: Page):
    options = search(page, "mix")
    expect(options.first).to_contain_text("aug/mixup")
    expect(options.nth(1)).to_contain_text("aug/cutmix")
    keep_picture(page, "palette")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(rail_box(page, "aug/mixup")).to_be_checked()
    expect(rail_box(page, "aug/cutmix")).not_to_be_checked()
    expect(page).to_have_url(re.compile(r"runs=none&runs=%2Baug/mixup"))


def test_what_is_typed_while_the_palette_is_on_its_way_is_in_it(browser: Browser, address: str):
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/later-[^/]*\.js$"), hold)
    show(page, address)
    page.keyboard.press("Control+k")
    page.keyboard.type("lossx")
    page.keyboard.press("Backspace")
    expect(page.get_by_role("dialog")).to_have_count(0)
    while not held:
        page.wait_for_timeout(20)
    for route in held:
        route.continue_()
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_have_value("loss")
    page.keyboard.type("!")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_have_value("loss!")
    context.close()


def test_palette_goes_to_the_card_of_a_tag(page: Page):
    options = search(page, "val/acc")
    expect(options.first).to_contain_text("val/acc")
    page.keyboard.press("Enter")
    expect(page.locator("[data-card='val/acc']")).to_be_focused()


def test_palette_does_what_its_words_say_with_the_keyboard_alone(page: Page):
    options = search(page, "1e-")
    expect(page.get_by_role("option", name=re.compile("Show only runs"))).to_contain_text("3 runs")
    for _ in range(options.count()):
        if page.get_by_role("option", selected=True).get_by_text("Show only runs").count():
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(rail_box(page, "lr/sgd-1e-1")).to_be_checked()
    expect(rail_box(page, "aug/mixup")).not_to_be_checked()


def test_palette_finds_commands_by_other_words(page: Page):
    for words, title in (
        ("reset", "Reset view"),
        ("share", "Copy link to view"),
        ("preferences", "Open settings"),
    ):
        search(page, words)
        expect(page.get_by_role("option", name=title)).to_be_visible()
        page.keyboard.press("Escape")


def test_palette_says_when_nothing_is_found_and_closes(page: Page):
    expect(search(page, "zzzzzz")).to_have_count(0)
    expect(page.get_by_text("No matching run, tag or command")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_key_sheet_lists_the_keys_and_they_do_what_it_says(page: Page):
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    for words in ("Open command palette", "Toggle dark theme", "Pause or resume updates"):
        expect(sheet).to_contain_text(words)
    keep_picture(page, "keys")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    page.keyboard.press("t")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("[")
    expect(page.get_by_role("complementary", name="Runs")).to_have_count(0)
    page.keyboard.press("[")
    expect(page.get_by_role("complementary", name="Runs")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("radio", name="Relative")).to_be_checked()


def test_keys_are_letters_while_a_person_types(page: Page):
    page.keyboard.press("/")
    field = page.get_by_role("textbox", name="Filter tags")
    expect(field).to_be_focused()
    page.keyboard.type("txl[?")
    expect(field).to_have_value("txl[?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


# --- tabs, links, going back ---


def test_tabs_and_the_back_button(page: Page, address: str):
    page.get_by_role("button", name="Histograms", exact=True).click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Histograms of 5 runs")
    expect(page).to_have_url(f"{address}?tab=histograms")
    expect(page.get_by_role("main")).to_contain_text("api/v1/tags?dashboard=histograms")
    page.keyboard.press("g")
    page.keyboard.press("s")
    expect(heading).to_have_text("Scalars of 5 runs")
    page.go_back()
    expect(heading).to_have_text("Histograms of 5 runs")
    page.go_back()
    expect(heading).to_have_text("Scalars of 5 runs")
    # Back undoes a filter, an axis and a scale as well.
    page.get_by_role("textbox", name="Filter tags").fill("loss")
    page.keyboard.press("Enter")
    page.get_by_text("Relative", exact=True).click()
    page.get_by_role("checkbox", name="Log y").check()
    page.go_back()
    expect(page.get_by_role("checkbox", name="Log y")).not_to_be_checked()
    expect(page.get_by_role("radio", name="Relative")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("radio", name="Step", exact=True)).to_be_checked()
    expect(page.get_by_role("textbox", name="Filter tags")).to_have_value("loss")
    page.go_back()
    expect(page.get_by_role("textbox", name="Filter tags")).to_have_value("")
    page.get_by_role("button", name="More dashboards").click()
    page.get_by_role("menuitem", name="Graphs").click()
    expect(heading).to_have_text("No data for Graphs")


def test_link_shows_a_colleague_the_same(page: Page, browser: Browser, address: str):
    page.get_by_text("Relative", exact=True).click()
    page.get_by_role("textbox", name="Filter tags").fill("loss")
    page.get_by_role("button", name="Board: cifar").click()
    page.get_by_role("menuitem", name="Copy link to view").click()
    expect(page.get_by_role("log", name="Messages")).to_contain_text("Link to this view copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{address}?tagFilter=loss&x=relative"
    with browser.new_context(viewport=WIDE) as context:
        theirs = context.new_page()
        show(theirs, link)
        expect(theirs.get_by_role("radio", name="Relative")).to_be_checked()
        expect(theirs.get_by_role("textbox", name="Filter tags")).to_have_value("loss")


def test_links_of_tensorboard_are_understood(page: Page, address: str):
    show(page, f"{address}?smoothing=0.9&tagFilter=acc&darkMode=true&theirs=1#timeseries")
    expect(page.get_by_role("slider", name="Smoothing")).to_have_value("0.9")
    expect(page.get_by_role("textbox", name="Filter tags")).to_have_value("acc")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("x")
    expect(page).to_have_url(re.compile("x=relative&darkMode=true&theirs=1$"))


def test_view_is_saved_opened_and_deleted(page: Page):
    page.get_by_role("textbox", name="Filter tags").fill("acc")
    menu = page.get_by_role("button", name="Board: cifar")
    menu.click()
    page.get_by_role("menuitem", name="Save view").click()
    page.get_by_role("textbox", name="View name").fill("accuracy")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log", name="Messages")).to_contain_text("View “accuracy” saved.")
    page.get_by_role("textbox", name="Filter tags").fill("")
    menu.click()
    page.get_by_role("menuitem", name="accuracy").click()
    expect(page.get_by_role("textbox", name="Filter tags")).to_have_value("acc")
    page.go_back()
    expect(page.get_by_role("textbox", name="Filter tags")).to_have_value("")
    menu.click()
    page.get_by_role("menuitem", name="Delete saved views…").click()
    page.get_by_role("button", name="Delete accuracy").click()
    expect(page.get_by_role("dialog", name="Saved views")).to_contain_text("No saved views.")


# --- the strip ---


def test_strip_has_a_row_for_each_run_and_chooses_what_charts_show(page: Page):
    expect(track(page)).to_have_attribute("data-rows", "5")
    expect(track(page)).to_have_attribute("data-density", "false")
    box = track(page).bounding_box()
    assert box is not None
    middle = box["y"] + 16
    page.mouse.move(box["x"] + box["width"] * 0.25, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.5, middle, steps=4)
    page.mouse.up()
    start = page.get_by_role("slider", name="From", exact=True)
    end = page.get_by_role("slider", name="To", exact=True)
    assert 240 <= float(start.get_attribute("aria-valuenow") or "") <= 260
    assert 490 <= float(end.get_attribute("aria-valuenow") or "") <= 510
    expect(page).to_have_url(re.compile(r"window=2[45]\d\.\.[45]\d\d"))
    keep_picture(page, "strip")
    page.mouse.dblclick(box["x"] + box["width"] * 0.4, middle)
    expect(start).to_have_attribute("aria-valuenow", "0")
    expect(page).not_to_have_url(re.compile("window"))


def test_strip_is_moved_by_keys(page: Page):
    start = page.get_by_role("slider", name="From", exact=True)
    expect(start).to_have_attribute("aria-valuenow", "0")
    start.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(start).to_have_attribute("aria-valuenow", "100")
    page.keyboard.press("ArrowRight")
    expect(start).to_have_attribute("aria-valuenow", "110")
    page.keyboard.press("Escape")
    expect(start).to_have_attribute("aria-valuenow", "0")


def test_axis_is_the_time_or_a_tag_and_has_a_scale(page: Page):
    page.get_by_text("Wall", exact=True).click()
    expect(page).to_have_url(re.compile("x=wall"))
    page.get_by_role("button", name="More x axis options").click()
    page.get_by_text("Log", exact=True).click()
    page.get_by_role("textbox", name="Find a tag").fill("acc")
    page.get_by_role("button", name="val/acc", exact=True).last.click()
    expect(page).to_have_url(re.compile("x=tag:val/acc&xScale=log"))
    expect(page.get_by_role("radio", name="Wall")).not_to_be_checked()


# --- settings, pausing ---


def test_settings_are_kept_and_reset(page: Page):
    page.get_by_role("button", name="Board: cifar").click()
    page.get_by_role("menuitem", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    dialog.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dialog.get_by_role("spinbutton", name="Coloured runs").fill("3")
    keep_picture(page, "settings")
    page.get_by_role("button", name="Done").click()
    expect(dialog).to_have_count(0)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("complementary", name="Runs")).to_contain_text("3 in colour")
    page.get_by_role("button", name="Board: cifar").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_role("button", name="Reset all settings").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_role("log", name="Messages").get_by_role("button", name="Undo").dispatch_event(
        "click"
    )
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_pausing_holds_new_points_back_until_it_is_resumed(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    logdir = tmp_path / "runs"
    write_runs(logdir)
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Scalars of 5 runs")
    status = page.get_by_role("banner").get_by_role("status")
    expect(status).to_have_text("Live")
    page.keyboard.press("l")
    expect(status).to_have_text("Paused")
    with kymograph.SummaryWriter(logdir / "new") as writer:
        writer.add_scalar("train/loss", 1.0, 0)
    page.get_by_role("button", name="Paused").click()
    expect(status).to_have_text("Live")
    expect(heading).to_have_text("Scalars of 6 runs")


def test_width_of_the_rail_is_dragged_and_kept(page: Page):
    rail = page.get_by_role("complementary", name="Runs")
    edge = page.get_by_role("separator", name="Run list width")
    edge.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(edge).to_have_attribute("aria-valuenow", "388")
    box = edge.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 3, 400)
    page.mouse.down()
    page.mouse.move(451, 400, steps=3)
    page.mouse.up()
    expect(edge).to_have_attribute("aria-valuenow", "451")
    page.reload()
    expect(rail).to_be_visible()
    widened = rail.bounding_box()
    assert widened is not None
    assert widened["width"] == 451


def test_many_runs_are_a_hill_in_the_strip(open_page: OpenPage, serve: Boards, tmp_path: Path):
    for n in range(45):
        with kymograph.SummaryWriter(tmp_path / "runs" / f"run-{n:02}") as writer:
            writer.add_scalar("loss", 1.0, 0)
            writer.add_scalar("loss", 0.5, 10 * n + 10)
    page = open_page(page_url(serve(tmp_path / "runs")), viewport=WIDE)
    expect(track(page)).to_have_attribute("data-rows", "45")
    expect(track(page)).to_have_attribute("data-density", "true")


def test_skip_link_leads_past_the_runs(page: Page):
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to charts")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.parametrize("size", [(800, 700), (390, 800)])
def test_narrow_windows_keep_everything_in_reach(page: Page, size: Any):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(page.get_by_role("navigation", name="Dashboards")).to_be_visible()
    expect(track(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    options = search(page, "settings")
    expect(options.first).to_be_visible()
    keep_picture(page, f"narrow-{size[0]}")
