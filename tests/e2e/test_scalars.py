"""Scalar cards in a real browser: pointed at, zoomed, chosen steps, notes, files, all sizes."""

import csv
import json
import math
import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url
from tests.e2e.scalar_cards import WIDE, act, card, drag, drawn, plot

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

START = 1_700_000_000.0
STEPS = 100


def write(logdir: Path, run: str, factor: float, steps: range = range(STEPS)) -> None:
    with kymograph.SummaryWriter(logdir / run) as writer:
        for step in steps:
            wall_time = START + 60 * step
            writer.add_scalar("loss", factor / (1 + step / 10), step, wall_time)
            writer.add_scalar("val/acc", 1 - factor / (2 + step), step, wall_time)


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("scalars") / "board"
    write(logdir, "adam/seed0", 1.0)
    write(logdir, "adam/seed1", 1.5)
    write(logdir, "sgd/seed0", 4.0)
    write(logdir, "sgd/seed1", 5.0)
    with kymograph.SummaryWriter(logdir / "adam/seed0") as writer:
        for step in range(10):
            writer.add_scalars("pair", {"train": step, "val": 2 * step}, step, START + step)
    with kymograph.SummaryWriter(logdir / "sgd/seed1") as writer:
        for step in range(20):
            writer.add_scalar("broken", math.nan if step > 9 else step, step, START + step)
    return logdir


@pytest.fixture
def board(open_page: OpenPage, serve: Boards, logdir: Path) -> Page:
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    drawn(page, "loss", 4)
    return page


def point(page: Page, tag: str, x: float, y: float = 0.5) -> tuple[float, float]:
    """A place in the plot: parts of its width and height without the axes."""
    box = plot(page, tag).bounding_box()
    assert box is not None
    return box["x"] + 46 + x * (box["width"] - 56), box["y"] + y * (box["height"] - 20)


def choose(page: Page, tag: str, menu: str, item: str | re.Pattern[str]) -> None:
    act(page, tag, menu)
    page.get_by_role("menu").get_by_role(role_of(item), name=item).first.click()


def role_of(item: str | re.Pattern[str]) -> Literal["menuitem", "menuitemcheckbox"]:
    text = item if isinstance(item, str) else item.pattern
    checks = ("Symlog", "Link zoom", "Show as table", "Mean", "Step at max")
    return "menuitemcheckbox" if text.startswith(checks) else "menuitem"


def tooltip(page: Page) -> Locator:
    return page.locator(".tooltip:popover-open")


# --- what a card shows ---


def test_card_shows_its_tag_its_best_value_and_how_exact_it_is(board: Page):
    facts = card(board, "loss").locator("[data-facts]")
    expect(facts).to_have_text(re.compile(r"0\.09174\s*exact"))
    expect(facts.locator(".best")).to_have_attribute("title", "Lowest value: adam/seed0")
    expect(card(board, "val/acc").get_by_role("heading")).to_have_text(re.compile(r"val/\s*acc"))
    expect(plot(board, "loss").locator(".host")).to_have_attribute(
        "aria-label",
        "loss: 4 lines (adam/seed0, adam/seed1, sgd/seed0, sgd/seed1); from 0 to 99; "
        "values 0.09174 to 5; lowest 0.09174 by adam/seed0 at 99.",
    )
    keep_picture(board, "scalar-cards")


def test_parts_of_add_scalars_are_lines_of_their_run(board: Page):
    drawn(board, "pair", 2)
    expect(plot(board, "pair").locator(".host")).to_have_attribute(
        "aria-label", re.compile(r"2 lines \(adam/seed0: train, adam/seed0: val\)")
    )


# --- pointing ---


def test_pointing_shows_values_here_and_the_cursor_everywhere(board: Page):
    board.mouse.move(*point(board, "loss", 0.5))
    shown = tooltip(board)
    expect(shown.locator(".head b")).to_have_text(re.compile(r"^(49|50)$"))
    expect(shown.locator(".rows > div:not([hidden])")).to_have_count(4)
    expect(shown.locator(".nearest")).to_have_count(1)
    # A minute for each step; the day depends on where the browser is.
    expect(shown.locator(".aside")).to_have_text(re.compile(r"^(49|50) m · .* 2023 "))
    cursor = plot(board, "val/acc").locator('[data-part="cursor"]')
    expect(cursor).to_be_visible()
    keep_picture(board, "scalar-tooltip")
    board.mouse.move(5, 5)
    expect(shown).to_have_count(0)
    expect(cursor).to_be_hidden()


def test_tooltip_is_sorted_and_cut_as_people_like(board: Page):
    board.keyboard.press("]")
    panel = board.get_by_role("complementary", name="Chart settings")
    panel.get_by_label("Tooltip order").select_option("Highest first")
    panel.get_by_label("Tooltip rows").fill("2")
    panel.get_by_label("Tooltip rows").press("Enter")
    panel.get_by_role("checkbox", name="Step", exact=True).check()
    panel.get_by_role("checkbox", name="Relative", exact=True).check()
    board.mouse.move(*point(board, "loss", 0.5, 0.2))
    listed = tooltip(board).locator(".rows > div:not([hidden])")
    expect(listed.first).to_contain_text("sgd/seed1")
    expect(listed).to_have_count(2)
    expect(tooltip(board).locator(".more")).to_have_text("2 more")
    expect(listed.first.locator("span").nth(3)).to_have_text(re.compile(r"^\d+$"))
    expect(listed.first.locator("span").nth(4)).to_have_text(re.compile(r"^\d+ m$"))


def test_keys_walk_along_a_line_zoom_pan_and_choose_a_step(board: Page):
    for _ in range(10):
        board.keyboard.press("j")
        if card(board, "loss").evaluate("card => card === document.activeElement"):
            break
    spoken = plot(board, "loss").get_by_role("status")
    board.keyboard.press("ArrowRight")
    expect(spoken).to_have_text(re.compile(r"^step \d+: .*adam/seed0 0\.\d+"))
    before = spoken.inner_text()
    board.keyboard.press("ArrowRight")
    expect(spoken).not_to_have_text(before)
    board.keyboard.press("+")
    expect(plot(board, "loss")).to_have_attribute("data-zoom", re.compile(r"^\d+ to \d+$"))
    zoomed = plot(board, "loss").get_attribute("data-zoom")
    board.keyboard.press("Shift+ArrowRight")
    expect(plot(board, "loss")).not_to_have_attribute("data-zoom", str(zoomed))
    board.keyboard.press("0")
    expect(plot(board, "loss")).to_have_attribute("data-zoom", "")
    board.keyboard.press("ArrowRight")
    board.keyboard.press("Space")
    expect(card(board, "loss").get_by_role("table")).to_be_visible()


# --- zoom and scales ---


def test_zoom_is_kept_while_points_come_and_in_the_link(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    write(tmp_path / "board", "run", 1.0)
    page = open_page(page_url(serve(tmp_path / "board")), viewport=WIDE)
    drawn(page, "loss", 1)
    drag(page, point(page, "loss", 0.25, 0.3), point(page, "loss", 0.75, 0.35))
    zoom = re.compile(r"^2\d to 7\d$")
    expect(plot(page, "loss")).to_have_attribute("data-zoom", zoom)
    write(tmp_path / "board", "run", 1.0, range(STEPS, 2 * STEPS))
    drawn(page, "val/acc", 1)
    expect(plot(page, "val/acc").locator(".host")).to_have_attribute(
        "aria-label", re.compile("from 0 to 199")
    )
    expect(plot(page, "loss")).to_have_attribute("data-zoom", zoom)
    expect(page).to_have_url(re.compile("zoom"))
    page.reload()
    expect(plot(page, "loss")).to_have_attribute("data-zoom", zoom)
    page.mouse.dblclick(*point(page, "loss", 0.5))
    expect(plot(page, "loss")).to_have_attribute("data-zoom", "")


def test_linked_cards_zoom_together_and_fit_together(board: Page):
    choose(board, "loss", "More", "Link zoom across cards")
    drag(board, point(board, "loss", 0.2, 0.3), point(board, "loss", 0.6, 0.35))
    zoom = re.compile(r"^\d\d to [56]\d$")
    expect(plot(board, "loss")).to_have_attribute("data-zoom", zoom)
    expect(plot(board, "val/acc")).to_have_attribute("data-zoom", zoom)
    act(board, "val/acc", "Fit to data")
    expect(plot(board, "loss")).to_have_attribute("data-zoom", "")


def test_scale_of_one_card_is_its_own(board: Page):
    act(board, "loss", "Log y axis")
    expect(plot(board, "loss")).to_have_attribute("data-scale", "log")
    expect(plot(board, "val/acc")).to_have_attribute("data-scale", "linear")
    choose(board, "loss", "More", "Symlog y axis")
    expect(plot(board, "loss")).to_have_attribute("data-scale", "symlog")


def test_ranges_are_typed_and_held_for_tags_that_fit(board: Page):
    choose(board, "loss", "More", "Set axis ranges…")
    sheet = board.get_by_role("dialog")
    sheet.get_by_role("textbox", name="Min x").fill("10")
    sheet.get_by_role("textbox", name="Max x").fill("5")
    expect(sheet.get_by_text("Min must be below max.").first).to_be_visible()
    sheet.get_by_role("textbox", name="Max x").fill("20")
    sheet.get_by_role("button", name="Zoom").click()
    expect(plot(board, "loss")).to_have_attribute("data-zoom", "10 to 20")
    choose(board, "val/acc", "More", "Set axis ranges…")
    sheet.get_by_role("textbox", name="Min y").fill("0")
    sheet.get_by_role("textbox", name="Max y").fill("2")
    sheet.get_by_role("textbox", name="Tag pattern").fill("val/*")
    sheet.get_by_role("button", name="Lock y range").click()
    choose(board, "val/acc", "More", "Set axis ranges…")
    expect(sheet.get_by_role("textbox", name="Max y")).to_have_value("2")
    sheet.get_by_role("button", name="Unlock val/*").click()
    choose(board, "val/acc", "More", "Set axis ranges…")
    expect(sheet.get_by_role("textbox", name="Max y")).not_to_have_value("2")


def test_horizontal_axis_is_time_or_a_tag(board: Page):
    board.keyboard.press("]")
    panel = board.get_by_role("complementary", name="Chart settings")
    label = plot(board, "loss").locator(".host")
    axis = panel.get_by_role("radiogroup", name="X axis")
    axis.get_by_text("Relative").click()
    expect(label).to_have_attribute("aria-label", re.compile("from 0 s to 1 h 39 m"))
    axis.get_by_text("Wall").click()
    expect(label).to_have_attribute("aria-label", re.compile("from 1[45] Nov 2023"))
    axis.get_by_text("Tag").click()
    panel.get_by_label("X axis tag").select_option("val/acc")
    expect(label).to_have_attribute("aria-label", re.compile("to 0.9901;"))


# --- chosen steps ---


def test_a_press_chooses_a_step_for_all_cards(board: Page):
    board.mouse.click(*point(board, "loss", 0.5))
    table = card(board, "loss").get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(
        ["Run", "Smoothed", "Value", "Step", "Relative"]
    )
    expect(table.get_by_role("row")).to_have_count(5)
    expect(card(board, "val/acc").get_by_role("slider", name="Selected step")).to_be_visible()
    expect(card(board, "val/acc").get_by_role("table")).to_have_count(0)
    table.get_by_role("button", name="Value").click()
    expect(table.locator("tbody th").first).to_have_text("sgd/seed1")
    table.get_by_role("button", name="Value").click()
    expect(table.locator("tbody th").first).to_have_text("adam/seed0")
    keep_picture(board, "scalar-step")
    card(board, "loss").get_by_role("button", name="Clear selection").first.click()
    expect(board.get_by_role("table", name="Values")).to_have_count(0)


def test_dragging_along_the_axis_chooses_a_range(board: Page):
    box = plot(board, "loss").bounding_box()
    assert box is not None
    low = box["y"] + box["height"] - 8
    drag(board, (point(board, "loss", 0.2)[0], low), (point(board, "loss", 0.6)[0], low))
    table = card(board, "loss").get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text(
        [
            *("Run", "Min", "Max", "Start value", "End value"),
            *("Change", "% change", "Start step", "End step"),
        ]
    )
    expect(card(board, "loss").get_by_role("heading", name="Steps")).to_have_text(
        re.compile(r"Steps (19|20|21) to (59|60)")
    )
    expect(table.locator("tbody tr").first).to_contain_text("%")
    card(board, "loss").get_by_role("button", name="Columns").click()
    board.get_by_role("menuitemcheckbox", name="Mean").click()
    expect(table.get_by_role("columnheader", name="Mean")).to_be_visible()


# --- notes ---


def test_note_is_written_changed_deleted_and_brought_back(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    write(tmp_path / "board", "run", 1.0)
    page = open_page(page_url(serve(tmp_path / "board")), viewport=WIDE)
    drawn(page, "loss", 1)
    choose(page, "loss", "More", "Edit notes…")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Note text").fill("new data from here")
    sheet.get_by_label("Note step").fill("40")
    sheet.get_by_role("button", name="Add note").click()
    expect(sheet.get_by_role("listitem")).to_contain_text("40 new data from here")
    sheet.get_by_role("button", name=re.compile("^Edit note")).click()
    sheet.get_by_label("Note text").fill("newer data")
    sheet.get_by_role("button", name="Save note").click()
    expect(sheet.get_by_role("listitem")).to_contain_text("newer data")
    page.keyboard.press("Escape")
    expect(plot(page, "loss")).to_have_attribute("data-marks", re.compile("note"))
    expect(plot(page, "val/acc")).not_to_have_attribute("data-marks", re.compile("note"))
    choose(page, "loss", "More", "Edit notes…")
    sheet.get_by_role("button", name=re.compile("^Delete note")).click()
    page.keyboard.press("Escape")
    expect(plot(page, "loss")).not_to_have_attribute("data-marks", re.compile("note"))
    page.get_by_role("button", name="Undo").click()
    expect(plot(page, "loss")).to_have_attribute("data-marks", re.compile("note"))


# --- files and tables ---


def test_every_point_and_pictures_can_be_downloaded(board: Page, tmp_path: Path):
    def download(item: str) -> bytes:
        with board.expect_download() as started:
            choose(board, "loss", "Download", re.compile(f"^{item}"))
        path = tmp_path / started.value.suggested_filename
        started.value.save_as(path)
        return path.read_bytes()

    points = list(csv.DictReader(download("CSV every").decode().splitlines()))
    assert len(points) == 4 * STEPS
    assert points[0]["run"] == "adam/seed0"
    assert {point["tag"] for point in points} == {"loss"}
    assert len(json.loads(download("JSON every"))) > 0
    assert b"<svg" in download("SVG as shown")
    assert download("PNG as shown").startswith(b"\x89PNG")
    paper = download("SVG for publication").decode()
    assert "sgd/seed1" in paper
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "loss-paper.svg",
        "loss.csv",
        "loss.json",
        "loss.png",
        "loss.svg",
    ]


def test_chart_can_be_read_as_a_table_and_copied(open_page: OpenPage, serve: Boards, logdir: Path):
    page = open_page(
        page_url(serve(logdir)),
        viewport=WIDE,
        permissions=["clipboard-read", "clipboard-write"],
    )
    drawn(page, "loss", 4)
    choose(page, "loss", "More", "Show as table")
    region = page.get_by_role("region", name="loss as a table")
    expect(region.get_by_role("columnheader")).to_have_text(
        ["step", "adam/seed0", "adam/seed1", "sgd/seed0", "sgd/seed1"]
    )
    expect(region.get_by_role("row").nth(11)).to_have_text(
        re.compile(r"10\s*0\.5\s*0\.75\s*2\s*2\.5")
    )
    choose(page, "loss", "Download", "Copy as table")
    expect(page.get_by_text("Copied the table.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[0] == "step\tadam/seed0\tadam/seed1\tsgd/seed0\tsgd/seed1"
    choose(page, "loss", "Download", "Copy link to card")
    expect(page.get_by_text("Copied the link.")).to_be_visible()
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(page.get_by_role("region", name="loss, full size")).to_be_visible()


# --- full size ---


def test_full_size_walks_through_the_cards_and_comes_back(board: Page):
    act(board, "loss", "Open full size")
    full = board.get_by_role("region", name=re.compile("full size"))
    expect(full.get_by_role("heading", level=2)).to_have_text(re.compile("loss"))
    place = full.locator(".place")
    expect(place).to_have_text(re.compile(r"^\d of \d$"))
    first = place.inner_text()
    full.get_by_role("button", name=re.compile("(Next|Previous) card")).locator(
        "visible=true"
    ).and_(board.locator(":enabled")).first.click()
    expect(place).not_to_have_text(first)
    board.go_back()
    expect(full.get_by_role("heading", level=2)).to_have_text(re.compile("loss"))
    full.get_by_role("application").focus()
    board.keyboard.press("+")
    expect(full.get_by_text(re.compile("^Zoomed to"))).to_be_visible()
    full.get_by_role("button", name="Fit to data").click()
    expect(full.get_by_text(re.compile("^Zoomed to"))).to_have_count(0)
    board.keyboard.press("Escape")
    expect(full).to_have_count(0)
    expect(card(board, "loss")).to_be_visible()


def test_seeds_are_bands_with_their_figures(board: Page):
    act(board, "loss", "Open full size")
    full = board.get_by_role("region", name=re.compile("full size"))
    expect(full.locator(".host")).to_have_attribute("data-lines", "4")
    full.get_by_role("button", name="Chart settings").click()
    panel = board.get_by_role("complementary", name="Chart settings")
    panel.get_by_text("Seeds", exact=True).click()
    expect(full.get_by_role("application")).to_have_attribute("data-bands", "2")
    box = full.get_by_role("application").bounding_box()
    assert box is not None
    low = box["y"] + box["height"] - 8
    drag(board, (box["x"] + 150, low), (box["x"] + 350, low))
    table = full.get_by_role("table")
    expect(table.get_by_role("columnheader").first).to_have_text("Group")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.locator("tbody tr").first).to_contain_text(re.compile(r"adam\s*2"))
    expect(panel.get_by_text("p, Welch")).to_be_visible()
    panel.get_by_label("Band").select_option("95 % CI")
    panel.get_by_text("Median", exact=True).click()
    panel.get_by_role("checkbox", name="Show individual runs").uncheck()
    expect(full.locator(".host")).to_have_attribute("data-lines", "2")
    keep_picture(board, "scalar-bands")


def test_what_is_better_can_be_said(open_page: OpenPage, serve: Boards, tmp_path: Path):
    write(tmp_path / "board", "a", 1.0)
    page = open_page(page_url(serve(tmp_path / "board")) + "?full=loss", viewport=WIDE)
    full = page.get_by_role("region", name="loss, full size")
    expect(full.locator(".fact").first).to_have_text("0.09174")
    full.get_by_role("button", name="Chart settings").click()
    page.get_by_label("Better values").select_option("Higher")
    expect(full.locator(".fact").first).to_have_text("1")
