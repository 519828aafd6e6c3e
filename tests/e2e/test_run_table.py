"""The run table in a real browser: filter, columns, order, groups, choice of runs, edits, files."""

import csv
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
    "sweep/adam-1": (0.001, "resnet18", 0.91),
    "sweep/adam-2": (0.003, "resnet18", 0.94),
    "sweep/adam-3": (0.03, "resnet34", 0.70),
    "sweep/adam-10": (0.01, "resnet34", 0.85),
    "base/sgd-1": (0.1, "resnet18", 0.95),
    "base/sgd-2": (0.002, "resnet34", 0.60),
}


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    logdir = tmp_path / "cifar"
    for name, (lr, model, best) in RUNS.items():
        with kymograph.SummaryWriter(logdir / name) as writer:
            writer.add_hparams({"lr": lr, "model": model, "epochs": 5}, {}, run_name="hparams")
            for step in range(20):
                # Best at step 15; lower afterwards.
                accuracy = best * (1 - abs(step - 15) / 40)
                writer.add_scalar("val/acc", accuracy, step)
                writer.add_scalar("train/loss", 2 - accuracy, step)
    return logdir


@pytest.fixture
def page(open_page: OpenPage, serve: Boards, logdir: Path) -> Page:
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    page.get_by_role("button", name="Run table").click()
    expect(table(page)).to_be_visible()
    expect(row(page, "adam-1")).to_contain_text("0.9100")
    return page


def table(page: Page) -> Locator:
    return page.get_by_role("treegrid", name="Run table")


def row(page: Page, name: str) -> Locator:
    header = page.get_by_role("rowheader").filter(has_text=re.compile(rf"(?:^|[\s/]){name}(?!\d)"))
    return table(page).get_by_role("row").filter(has=header)


def names(page: Page) -> Locator:
    """The runs in their order."""
    return table(page).locator('[data-key^="run:"] [role=rowheader] .own')


def filter_by(page: Page, text: str) -> None:
    page.keyboard.press("r")
    expect(page.get_by_role("combobox", name="Filter runs")).to_be_focused()
    page.keyboard.type(text)


def chip(page: Page, name: str) -> Locator:
    return row(page, name).get_by_role("checkbox")


def test_an_expression_leaves_matching_runs_and_explains_why_others_fail(page: Page) -> None:
    filter_by(page, "lr < 0.01 and val/acc.max > 0.9")
    expect(names(page)).to_have_text(["adam-1", "adam-2"])
    expect(page.get_by_text("2 of 6 match")).to_be_visible()
    expect(row(page, "sweep")).to_contain_text("2 of 4")
    expect(page.get_by_text("3 with lr of 0.01 or more")).to_be_visible()
    keep_picture(page, "run-table")
    page.get_by_role("button", name="4 runs do not match").click()
    expect(names(page)).to_have_count(6)
    expect(row(page, "sgd-2")).to_contain_text("with val/acc.max of 0.9 or less")


def test_errors_are_reported_and_earlier_matches_stay(page: Page) -> None:
    filter_by(page, "lr < 0.01")
    expect(names(page)).to_have_text(["sgd-2", "adam-1", "adam-2"])
    page.keyboard.type(" and val/acc.max >")
    expect(page.get_by_text("A value is missing after >, at character 28.")).to_be_visible()
    expect(names(page)).to_have_count(3)
    page.get_by_role("button", name="Clear filter").click()
    expect(names(page)).to_have_count(6)
    page.keyboard.type("adam-1")
    expect(names(page)).to_have_text(["adam-1", "adam-10"])
    page.keyboard.type("(")
    expect(page.get_by_text("Unclosed parenthesis, at character 7.")).to_be_visible()
    expect(names(page)).to_have_text(["adam-1", "adam-10"])


def test_names_and_values_are_completed_by_keys(page: Page) -> None:
    filter_by(page, "mod")
    offered = page.get_by_role("listbox", name="Suggestions")
    expect(offered.get_by_role("option", name="model")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="Filter runs")).to_have_value("model ")
    page.keyboard.type("= ")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    second = offered.get_by_role("option", name="resnet34")
    expect(second).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    expect(names(page)).to_have_text(["sgd-2", "adam-3", "adam-10"])


def test_values_of_a_column_are_ticked_into_the_expression(page: Page) -> None:
    page.get_by_role("columnheader", name="model").click(button="right")
    page.get_by_role("menuitem", name="Filter by value").click()
    page.get_by_role("checkbox", name="resnet34", exact=True).click()
    expect(page.get_by_role("combobox", name="Filter runs")).to_have_value("model = resnet18")
    expect(names(page)).to_have_count(3)
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_heading_sorts_best_first_then_the_other_way(page: Page) -> None:
    page.get_by_role("combobox", name="Group by").select_option("nothing")
    best = page.get_by_role("columnheader", name="acc best")
    best.get_by_role("button").click()
    expect(best).to_have_attribute("aria-sort", "descending")
    by_accuracy = ["sgd-1", "adam-2", "adam-1", "adam-10", "adam-3", "sgd-2"]
    expect(names(page)).to_have_text([re.compile(name) for name in by_accuracy])
    best.get_by_role("button").click()
    expect(names(page)).to_have_text([re.compile(name) for name in reversed(by_accuracy)])
    page.get_by_role("combobox", name="Sort by").select_option("name")
    expect(names(page).last).to_have_text("sweep/adam-10")


def test_groups_show_their_mean_and_what_varies_and_fold(page: Page) -> None:
    base = row(page, "base")
    expect(base).to_contain_text("lr and model vary")
    expect(base).to_contain_text("0.7750")
    base.click()
    expect(base).to_have_attribute("aria-expanded", "false")
    expect(names(page)).to_have_count(4)
    page.get_by_role("combobox", name="Group by").select_option("model")
    expect(row(page, "model resnet34")).to_contain_text("lr varies")


def test_runs_are_chosen_by_mouse_and_by_keys(page: Page) -> None:
    chip(page, "adam-1").click()
    expect(chip(page, "adam-1")).to_have_attribute("aria-checked", "false")
    expect(chip(page, "sweep")).to_have_attribute("aria-checked", "mixed")
    row(page, "adam-3").click(modifiers=["Shift"])
    for name in ("adam-1", "adam-2", "adam-3"):
        expect(chip(page, name)).to_have_attribute("aria-checked", "false")
    table(page).focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(chip(page, "sgd-1")).to_have_attribute("aria-checked", "false")
    row(page, "adam-2").get_by_role("rowheader").dblclick()
    expect(chip(page, "adam-2")).to_have_attribute("aria-checked", "true")
    expect(chip(page, "adam-10")).to_have_attribute("aria-checked", "false")
    page.get_by_role("button", name="Back to charts").click()
    expect(table(page)).to_have_count(0)


def test_columns_are_picked_moved_widened_and_remembered(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Columns")).click()
    page.get_by_role("textbox", name="Search columns").fill("loss")
    page.get_by_role("button", name="train/loss max").click()
    page.keyboard.press("Escape")
    heading = page.get_by_role("columnheader", name="loss max")
    heading.scroll_into_view_if_needed()
    expect(heading).to_be_visible()
    expect(row(page, "sgd-1")).to_contain_text("1.4063")
    first = page.get_by_role("columnheader").nth(1)
    expect(first).to_have_text("lr")
    first.get_by_role("button").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("columnheader").nth(1)).to_have_text("model")
    wide = page.get_by_role("columnheader", name="lr")
    before = wide.bounding_box()
    assert before is not None
    page.mouse.move(before["x"] + before["width"], before["y"] + 8)
    page.mouse.down()
    page.mouse.move(before["x"] + before["width"] + 60, before["y"] + 8, steps=4)
    page.mouse.up()
    page.reload()
    expect(page.get_by_role("columnheader").nth(1)).to_have_text("model")
    after = page.get_by_role("columnheader", name="lr").bounding_box()
    assert after is not None
    assert after["width"] == pytest.approx(before["width"] + 60, abs=2)


def test_notes_tags_and_names_are_written_in_place(page: Page) -> None:
    row(page, "adam-2").locator("[data-edit=note]").click()
    page.get_by_role("textbox", name="Note of sweep/adam-2").fill("the one to beat")
    page.keyboard.press("Enter")
    expect(row(page, "adam-2")).to_contain_text("the one to beat")
    row(page, "adam-2").locator("[data-edit=tags]").click()
    page.get_by_role("textbox", name="Tags").fill("paper, best")
    page.keyboard.press("Enter")
    expect(row(page, "adam-2")).to_contain_text("paper")
    row(page, "adam-1").click()
    table(page).focus()
    page.keyboard.press("F2")
    page.get_by_role("textbox", name="Name of sweep/adam-1").fill("First try")
    page.keyboard.press("Enter")
    expect(row(page, "First try")).to_be_visible()
    filter_by(page, "has paper or name = 'First try'")
    expect(names(page)).to_have_text(["First try", "adam-2"])
    page.reload()
    expect(row(page, "adam-2")).to_contain_text("the one to beat")


def test_the_table_is_saved_as_a_file(page: Page, tmp_path: Path) -> None:
    filter_by(page, "model = resnet34")
    expect(names(page)).to_have_count(3)
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    download.value.save_as(tmp_path / "runs.csv")
    with (tmp_path / "runs.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [line["run"] for line in lines] == ["base/sgd-2", "sweep/adam-3", "sweep/adam-10"]
    assert [float(line["lr"]) for line in lines] == [0.002, 0.03, 0.01]
    assert float(lines[0]["val/acc best"]) == pytest.approx(0.6)


def test_charts_under_the_table_follow_the_filter(page: Page) -> None:
    charts = page.get_by_role("group", name="Charts of matching runs")
    expect(charts.get_by_role("figure")).to_have_count(2)
    chart = charts.get_by_role("img", name=re.compile("6 lines"))
    expect(chart.first).to_be_visible()
    filter_by(page, "sgd")
    expect(charts.get_by_role("img", name=re.compile("2 lines")).first).to_be_visible()
