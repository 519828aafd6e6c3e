"""The rail in a real browser: which runs are shown, in which colours, and what is said of them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

WIDE = {"width": 1440, "height": 900}
RUNS = {
    "sweep/adam-seed0": 0.5,
    "sweep/adam-seed1": 0.4,
    "sweep/sgd-seed0": 0.9,
    "sweep/sgd-seed1": 0.8,
    "baseline": 1.2,
}


def write(logdir: Path, run: str, floor: float, steps: int = 50) -> None:
    with kymograph.SummaryWriter(logdir / run) as writer:
        for step in range(steps):
            writer.add_scalar("val/loss", floor + 1 / (step + 1), step)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    logdir = tmp_path / "runs"
    for run, floor in RUNS.items():
        write(logdir, run, floor)
    return logdir


@pytest.fixture
def page(open_page: OpenPage, serve: Boards, logdir: Path) -> Page:
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    expect(chip(page, "baseline")).to_be_checked()
    return page


def grid(page: Page) -> Locator:
    return page.get_by_role("treegrid", name="Runs")


def chip(page: Page, run: str) -> Locator:
    return grid(page).get_by_role("checkbox", name=f"Show {run}", exact=True)


def row(page: Page, run: str) -> Locator:
    box = page.get_by_role("checkbox", name=f"Show {run}", exact=True)
    return grid(page).get_by_role("row").filter(has=box)


def name(page: Page, run: str) -> Locator:
    return row(page, run).get_by_role("rowheader")


def shown(page: Page) -> list[str]:
    boxes = grid(page).get_by_role("checkbox", checked=True).all()
    labels = [str(box.get_attribute("aria-label")).removeprefix("Show ") for box in boxes]
    return [label for label in labels if label in RUNS]


def foot(page: Page) -> Locator:
    return page.get_by_role("button", name="Shown runs")


def colour(page: Page, run: str) -> str:
    return str(chip(page, run).evaluate("chip => getComputedStyle(chip).backgroundColor"))


def test_click_hides_and_double_click_solos_and_brings_back(page: Page):
    name(page, "baseline").click()
    expect(chip(page, "baseline")).not_to_be_checked()
    expect(foot(page)).to_contain_text("4 of 5 shown")
    chip(page, "sweep/adam-seed0").dblclick()
    expect(foot(page)).to_contain_text("1 of 5 shown")
    assert shown(page) == ["sweep/adam-seed0"]
    name(page, "sweep/adam-seed0").dblclick()
    expect(foot(page)).to_contain_text("4 of 5 shown")


def test_group_box_is_on_off_or_mixed(page: Page):
    group = chip(page, "sweep")
    expect(group).to_have_attribute("aria-checked", "true")
    chip(page, "sweep/sgd-seed0").click()
    expect(group).to_have_attribute("aria-checked", "mixed")
    group.click()
    expect(group).to_have_attribute("aria-checked", "true")
    group.click()
    expect(group).to_have_attribute("aria-checked", "false")
    assert shown(page) == ["baseline"]


def test_shift_click_takes_all_in_between(page: Page):
    chip(page, "sweep/adam-seed0").click()
    chip(page, "sweep/sgd-seed0").click(modifiers=["Shift"])
    expect(foot(page)).to_contain_text("2 of 5 shown")
    assert shown(page) == ["sweep/sgd-seed1", "baseline"]


def test_keys_do_what_the_mouse_does(page: Page):
    grid(page).focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(chip(page, "sweep/adam-seed0")).not_to_be_checked()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("o")
    expect(foot(page)).to_contain_text("1 of 5 shown")
    assert shown(page) == ["sweep/adam-seed1"]
    page.keyboard.press("Control+a")
    expect(foot(page)).to_contain_text("5 of 5 shown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(row(page, "sweep/adam-seed1")).to_have_count(0)
    expect(row(page, "sweep")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu", name="Actions for sweep/adam-seed0")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)


def test_all_none_and_invert(page: Page):
    chip(page, "baseline").click()
    foot(page).click()
    page.get_by_role("menuitem", name="Invert").click()
    expect(foot(page)).to_contain_text("1 of 5 shown")
    assert shown(page) == ["baseline"]
    foot(page).click()
    page.get_by_role("menuitem", name="Hide all").click()
    expect(foot(page)).to_contain_text("0 of 5 shown")
    foot(page).click()
    page.get_by_role("menuitem", name="Show all").click()
    expect(foot(page)).to_contain_text("5 of 5 shown")


def test_selection_is_in_the_link(page: Page, open_page: OpenPage):
    chip(page, "baseline").click()
    expect(page).to_have_url(re.compile("baseline"))
    # Pages complain of requests that leave the address they were opened with.
    again = open_page(page.url, viewport=WIDE)
    expect(chip(again, "baseline")).not_to_be_checked()
    expect(foot(again)).to_contain_text("4 of 5 shown")


def test_runs_are_grouped_by_seed_and_by_pattern(page: Page):
    page.get_by_role("button", name="Group runs").click()
    page.get_by_role("radio", name=re.compile("^Seed")).check()
    expect(row(page, "sweep/adam")).to_contain_text("adam")
    expect(row(page, "1 run without a seed")).to_have_attribute("aria-expanded", "false")
    expect(row(page, "baseline")).to_have_count(0)
    page.get_by_role("radio", name=re.compile("^Pattern")).check()
    page.get_by_role("textbox", name="Pattern").fill("(seed\\d)")
    expect(row(page, "seed1")).to_contain_text("2 runs")
    expect(row(page, "1 run not matching")).to_be_visible()
    page.keyboard.press("Escape")
    row(page, "seed1").get_by_role("rowheader").click()
    expect(row(page, "sweep/sgd-seed1")).to_have_count(0)


def test_filter_narrows_the_list_and_what_is_drawn(page: Page):
    page.keyboard.press("r")
    field = page.get_by_role("combobox", name="Filter runs")
    # There is room for an expression, and keys still reach what is beside the field.
    page.keyboard.type("lr < 0.01 and val/acc.max > 0.9")
    assert field.evaluate("field => field.scrollWidth <= field.clientWidth")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=re.compile("^Group"))).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    page.keyboard.press("Control+a")
    page.keyboard.type("sgd")
    expect(row(page, "baseline")).to_have_count(0)
    expect(foot(page)).to_contain_text("2 of 5 shown")
    chip(page, "sweep").click()
    expect(foot(page)).to_contain_text("0 of 5 shown")
    page.keyboard.press("r")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(foot(page)).to_contain_text("3 of 5 shown")


def test_filter_that_matches_nothing_says_so_and_can_be_cleared(page: Page):
    page.keyboard.press("r")
    page.keyboard.type("nobody")
    rail = page.get_by_role("complementary", name="Runs")
    expect(rail.get_by_text("No run matches the filter.")).to_be_visible()
    rail.get_by_text("Clear filter").click()
    expect(row(page, "baseline")).to_be_visible()
    expect(rail.get_by_text("No run matches the filter.")).to_have_count(0)
    expect(page.get_by_role("combobox", name="Filter runs")).to_have_value("")


def test_every_run_has_a_colour_which_it_keeps(page: Page):
    before = {run: colour(page, run) for run in RUNS}
    assert len(set(before.values())) == len(RUNS)
    chip(page, "baseline").dblclick()
    expect(foot(page)).to_contain_text("1 of 5 shown")
    assert colour(page, "baseline") == before["baseline"]
    chip(page, "sweep").click()
    assert {run: colour(page, run) for run in RUNS} == before


def test_colours_stand_for_groups_or_patterns(page: Page):
    menu = page.get_by_role("button", name="Colour by")
    menu.click()
    page.get_by_role("radio", name=re.compile("^Pattern")).check()
    page.get_by_role("textbox", name="Pattern").fill("(adam|sgd)")
    expect(menu).to_contain_text("Colour by pattern")
    assert colour(page, "sweep/adam-seed0") == colour(page, "sweep/adam-seed1")
    assert colour(page, "sweep/adam-seed0") != colour(page, "sweep/sgd-seed0")
    expect(page.get_by_text("4 in colour")).to_be_visible()


def test_at_most_so_many_runs_are_in_colour(page: Page):
    expect(page.get_by_text("5 in colour")).to_be_visible()
    page.get_by_role("button", name="Colour by").click()
    page.get_by_role("spinbutton", name="Coloured runs").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 in colour")).to_be_visible()
    assert len({colour(page, run) for run in RUNS}) == 3


def test_pointer_on_a_chart_reads_all_runs_and_lights_the_nearest(page: Page):
    plot = page.get_by_role("application", name="val/loss over step")
    expect(plot.get_by_role("img", name=re.compile("5 lines")).first).to_be_visible()
    cell = row(page, "baseline").get_by_role("gridcell").nth(1)
    expect(grid(page).get_by_role("columnheader").nth(2)).not_to_contain_text("@")
    plot.hover(position={"x": 200, "y": 60})
    plot.hover(position={"x": 202, "y": 62})
    expect(grid(page).get_by_role("columnheader").nth(2)).to_contain_text(re.compile(r"@\d+$"))
    expect(cell).to_have_text(re.compile(r"1\.2\d+"))
    expect(grid(page).locator("[data-nearest]")).to_have_count(1)
    keep_picture(page, "rail-cursor")
    page.mouse.move(5, 5)
    expect(grid(page).locator("[data-nearest]")).to_have_count(0)


class TestCuration:
    """What people add to a run."""

    def menu(self, page: Page, run: str, item: str) -> None:
        name(page, run).click(button="right")
        page.get_by_role("menuitem", name=item).click()

    def test_name_tags_and_note(self, page: Page, open_page: OpenPage):
        self.menu(page, "baseline", "Rename…")
        page.keyboard.type("The old one")
        page.get_by_role("textbox", name="Tags", exact=True).fill("paper, old")
        page.get_by_role("textbox", name="Note").fill("Before the fix.")
        page.get_by_role("button", name="Save").click()
        expect(name(page, "baseline")).to_contain_text("The old one")
        expect(name(page, "baseline")).to_have_attribute(
            "title", re.compile("#paper.*Before the fix", re.DOTALL)
        )
        again = open_page(page.url, viewport=WIDE)
        expect(name(again, "baseline")).to_contain_text("The old one")
        page.get_by_role("button", name="Undo").click()
        expect(name(page, "baseline")).to_have_text("baseline")
        # Enter saves, leaving the dialog saves as well, only Cancel does not.
        for leave in ("Enter", "Escape"):
            self.menu(page, "baseline", "Rename…")
            page.keyboard.type(f"Left by {leave}")
            page.keyboard.press(leave)
            expect(name(page, "baseline")).to_contain_text(f"Left by {leave}")
            page.get_by_role("button", name="Undo").last.click()
            expect(name(page, "baseline")).to_have_text("baseline")
        self.menu(page, "baseline", "Rename…")
        page.keyboard.type("Dropped")
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(name(page, "baseline")).to_have_text("baseline")

    def test_colour(self, page: Page):
        self.menu(page, "baseline", "Colour and line…")
        page.get_by_role("radio", name="teal").check()
        page.get_by_role("radio", name="Dashed").check()
        page.get_by_role("button", name="Save").click()
        expect(chip(page, "baseline")).to_have_css("background-color", "rgb(27, 118, 103)")
        self.menu(page, "baseline", "Colour and line…")
        page.get_by_role("button", name="Reset").click()
        page.get_by_role("button", name="Save").click()
        expect(chip(page, "baseline")).not_to_have_css("background-color", "rgb(27, 118, 103)")

    def test_pin(self, page: Page):
        self.menu(page, "sweep/sgd-seed1", "Pin to top")
        expect(grid(page).get_by_role("row").nth(1)).to_have_text(re.compile("Pinned.*1"))
        expect(grid(page).get_by_role("row").nth(2)).to_contain_text("sgd-seed1")
        self.menu(page, "sweep/sgd-seed1", "Unpin")
        expect(grid(page).get_by_role("row").filter(has_text="Pinned")).to_have_count(0)

    def test_trash_with_undo_and_restore(self, page: Page):
        self.menu(page, "baseline", "Move to trash")
        expect(row(page, "baseline")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(row(page, "baseline")).to_be_visible()
        self.menu(page, "baseline", "Move to trash")
        expect(foot(page)).to_contain_text("4 of 4 shown")
        foot(page).click()
        page.get_by_role("menuitem", name="Trash").click()
        page.get_by_role("button", name="Restore").click()
        expect(page.get_by_role("dialog")).to_contain_text("The trash is empty")
        page.get_by_role("button", name="Close").last.click()
        expect(row(page, "baseline")).to_be_visible()


def test_best_value_leads_when_sorted(page: Page):
    header = grid(page).get_by_role("columnheader").nth(2)
    expect(row(page, "baseline").get_by_role("gridcell").nth(1)).to_have_text(re.compile(r"1\.2"))
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    assert shown(page)[:2] == ["sweep/adam-seed1", "sweep/adam-seed0"]
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "none")


def test_run_that_stopped_being_finite_says_where(open_page: OpenPage, serve: Boards, logdir: Path):
    with kymograph.SummaryWriter(logdir / "broken") as writer:
        for step in range(0, 30_000, 1000):
            writer.add_scalar("val/loss", 1.0 if step < 18_000 else float("nan"), step)
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    expect(row(page, "broken")).to_contain_text("NaN 18k")


def test_run_that_comes_is_shown_and_runs_while_it_writes(page: Page, logdir: Path):
    with kymograph.SummaryWriter(logdir / "zz") as writer:
        writer.add_scalar("val/loss", 1.0, 0)
        writer.flush()
        expect(chip(page, "zz")).to_be_checked()
        expect(name(page, "zz")).to_have_attribute("title", re.compile("running"))
    expect(foot(page)).to_contain_text("6 of 6 shown")


def test_parts_of_a_run_are_not_runs_of_their_own(open_page: OpenPage, serve: Boards, logdir: Path):
    with kymograph.SummaryWriter(logdir / "fan") as writer:
        writer.add_scalar("val/loss", 1.0, 0)
        for step in range(5):
            writer.add_scalars("split", {"train": step, "val": 2 * step}, step)
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    expect(foot(page)).to_contain_text("6 of 6 shown")
    parts = row(page, "fan").get_by_role("button", name="2 parts of fan")
    parts.click()
    expect(grid(page).get_by_role("row").filter(has_text=re.compile("^ *train"))).to_be_visible()
    expect(foot(page)).to_contain_text("6 of 6 shown")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("many")
    for run in range(300):
        with kymograph.SummaryWriter(logdir / f"sweep/t-{run}") as writer:
            writer.add_hparams({"lr": 10 ** (-5 + run / 75)}, {}, run_name=".")
            writer.add_scalar("acc", run / 300, 0)
    return logdir


def test_of_many_runs_the_newest_are_shown_until_all_are_asked_for(
    open_page: OpenPage, serve: Boards, many: Path
):
    page = open_page(page_url(serve(many)), viewport=WIDE)
    expect(foot(page)).to_contain_text("100 newest of 300 shown")
    assert grid(page).get_by_role("row").count() < 60
    # The list is the legend: it begins with what is drawn, and hidden runs are behind one row.
    expect(grid(page)).to_have_attribute("aria-rowcount", str(1 + 1 + 100 + 1))
    expect(grid(page).get_by_role("row").nth(2)).to_contain_text("t-200")
    expect(chip(page, "sweep/t-200")).to_be_checked()
    grid(page).focus()
    page.keyboard.press("End")
    expect(chip(page, "sweep/t-299")).to_be_checked()
    hidden = grid(page).get_by_role("row").filter(has_text="200 hidden")
    expect(hidden).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowRight")
    expect(hidden).to_have_attribute("aria-expanded", "true")
    expect(chip(page, "sweep/t-0")).not_to_be_checked()
    page.reload()
    grid(page).focus()
    page.keyboard.press("End")
    expect(chip(page, "sweep/t-199")).not_to_be_checked()
    # A run keeps its place as long as the pointer is on the list.
    chip(page, "sweep/t-199").click()
    expect(chip(page, "sweep/t-199")).to_be_checked()
    expect(grid(page).get_by_role("row").last).to_contain_text("t-199")
    page.get_by_role("contentinfo").hover()
    expect(grid(page).get_by_role("row").last).to_contain_text("t-198")
    page.keyboard.press("Home")
    expect(grid(page).get_by_role("row").nth(2)).to_contain_text("t-199")
    page.get_by_role("button", name="Shown runs").click()
    page.get_by_role("menuitem", name="Show all").click()
    grid(page).focus()
    page.keyboard.press("Home")
    expect(chip(page, "sweep/t-0")).to_be_checked()
    expect(foot(page)).to_contain_text("300 of 300 shown")


def test_colours_stand_for_a_hyper_parameter_with_a_brush(
    open_page: OpenPage, serve: Boards, many: Path
):
    page = open_page(page_url(serve(many)), viewport=WIDE)
    page.get_by_role("button", name="show all").click()
    page.get_by_role("button", name="Colour by").click()
    page.get_by_role("radio", name=re.compile("^Value")).check()
    page.get_by_role("combobox", name="Value").select_option("lr")
    page.keyboard.press("Escape")
    legend = page.get_by_role("region", name="Colour by")
    expect(legend).to_contain_text("Colour by lr")
    expect(legend).to_contain_text(", log")
    expect(page.get_by_text("300 in colour")).to_be_visible()
    assert colour(page, "sweep/t-0") != colour(page, "sweep/t-20")
    bars = legend.get_by_role("group", name="Range of lr").bounding_box()
    assert bars is not None
    middle = bars["y"] + bars["height"] / 2
    page.mouse.move(bars["x"] + bars["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(bars["x"] + bars["width"] * 0.75, middle)
    page.mouse.move(bars["x"] + bars["width"] * 2, middle)
    page.mouse.up()
    expect(legend).to_contain_text(re.compile(r"selected .*, 1[45]\d runs"))
    keep_picture(page, "rail-brush")
    legend.get_by_role("slider", name="From, Range of lr").focus()
    page.keyboard.press("Escape")
    expect(page.get_by_text("300 in colour")).to_be_visible()
