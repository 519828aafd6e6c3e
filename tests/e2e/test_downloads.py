"""Files that the page gives: every point and pictures, of one card and of the whole view."""

from __future__ import annotations

import csv
import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

import kymograph
from tests.e2e.conftest import OpenPage, served
from tests.e2e.scalar_cards import (
    SVG,
    WIDE,
    act,
    chart_settings,
    choose,
    downloaded,
    drawn,
    press_item,
)

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

RUNS = ("adam", "sgd", "lion")
TAGS = tuple(f"loss/{name}" for name in "abcdefghi")
STEPS = 30


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("downloads") / "board"
    for number, run in enumerate(RUNS):
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(STEPS):
                for scale, tag in enumerate(TAGS):
                    # Some need more room for their axis than others.
                    writer.add_scalar(tag, (1 + number) * 10**scale / (step + 1), step, step + 1e9)
    with served(logdir) as address:
        yield address


@pytest.fixture
def board(open_page: OpenPage, address: str) -> Page:
    page = open_page(address, viewport=WIDE)
    for tag in TAGS[:6]:
        drawn(page, tag, 3)
    return page


def of_view(page: Page, folder: Path, item: str) -> tuple[str, bytes]:
    def press() -> None:
        page.get_by_role("button", name="Download all cards").click()
        press_item(page, item)

    return downloaded(page, folder, press)


def of_card(page: Page, folder: Path, item: str) -> tuple[str, bytes]:
    return downloaded(page, folder, lambda: choose(page, TAGS[0], "Download", item))


def size_of_png(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


# --- of one card ---


def test_points_of_a_card_are_those_of_the_shown_runs(board: Page, tmp_path: Path):
    board.get_by_role("checkbox", name="Show lion", exact=True).click()
    drawn(board, TAGS[0], 2)
    name, data = of_card(board, tmp_path, "CSV")
    assert name == "loss_a.csv"
    rows = list(csv.DictReader(data.decode().splitlines()))
    assert {row["run"] for row in rows} == {"adam", "sgd"}
    assert [row["step"] for row in rows if row["run"] == "sgd"] == [str(n) for n in range(STEPS)]
    last = next(row for row in rows if row["run"] == "sgd" and row["step"] == "3")
    assert (float(last["value"]), float(last["wall_time"])) == (0.5, 1e9 + 3)
    name, data = of_card(board, tmp_path, "JSON")
    assert name == "loss_a.json"
    assert json.loads(data)[0] == {
        "run": "adam", "tag": "loss/a", "step": 0, "wall_time": 1e9, "value": 1.0,
    }  # fmt: skip


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chart_for_a_paper_is_light_with_a_legend_in_any_theme(
    open_page: OpenPage, address: str, tmp_path: Path, theme: str
):
    page = open_page(address, viewport=WIDE, color_scheme=theme)
    drawn(page, TAGS[0], 3)
    name, data = of_card(page, tmp_path, "SVG for publication")
    assert name == "loss_a-paper.svg"
    sheet = ElementTree.fromstring(data.decode())
    texts = [text.text for text in sheet.iter(f"{SVG}text")]
    assert texts[-3:] == ["adam", "lion", "sgd"]
    assert "loss/a" in texts
    paper = next(sheet.iter(f"{SVG}rect"))
    assert paper.get("fill") == "#ffffff"
    # Blue as it is on light paper, and not as on dark.
    strokes = {path.get("stroke") for path in sheet.iter(f"{SVG}path")}
    assert "#2382fb" in strokes
    assert "#6da9fe" not in strokes
    _, shown = of_card(page, tmp_path, "SVG as shown")
    assert (b"#171716" in shown) == (theme == "dark")


def test_a_picture_of_a_card_is_twice_as_sharp_as_the_screen(board: Page, tmp_path: Path):
    box = board.locator(f'[data-card="{TAGS[0]}"] .host').bounding_box()
    assert box is not None
    _, data = of_card(board, tmp_path, "PNG")
    # With its title above.
    assert size_of_png(data) == pytest.approx((2 * box["width"], 2 * (box["height"] + 24)), abs=2)


# --- of the view ---


def test_points_of_all_cards_come_in_one_file(board: Page, tmp_path: Path):
    board.get_by_role("textbox", name="Filter tags").fill("loss/[ab]$")
    expect(board.locator("[data-card]")).to_have_count(2)
    name, data = of_view(board, tmp_path, "CSV of all cards")
    assert name == "scalars.csv"
    rows = list(csv.DictReader(data.decode().splitlines()))
    assert len(rows) == 2 * len(RUNS) * STEPS
    assert {row["tag"] for row in rows} == {"loss/a", "loss/b"}
    name, data = of_view(board, tmp_path, "JSON of all cards")
    assert name == "scalars.json"
    assert {row["run"] for row in json.loads(data)} == set(RUNS)


def test_pictures_of_the_screen_hold_all_cards_in_their_places(board: Page, tmp_path: Path):
    name, data = of_view(board, tmp_path, "SVG of visible cards")
    assert name == "scalars.svg"
    sheet = ElementTree.fromstring(data.decode())
    titles = [title.text for title in sheet.iter(f"{SVG}title")]
    assert titles[:3] == list(TAGS[:3])
    places = [(one.get("x"), one.get("y")) for one in sheet.findall(f"{SVG}svg")]
    assert len(set(places)) == len(places) == len(titles)
    # One legend for all, below them.
    texts = [text.text for text in sheet.findall(f"{SVG}g/{SVG}text")]
    assert texts == ["adam", "lion", "sgd"]
    # What each card cuts off is its own: names that occur twice would cut all by the first.
    names = [clip.get("id") for clip in sheet.iter(f"{SVG}clipPath")]
    assert len(set(names)) == len(names) >= len(titles)
    used = re.findall(r"url\(#([^)]+)\)", data.decode())
    assert set(used) == set(names)
    name, data = of_view(board, tmp_path, "PNG of visible cards")
    assert name == "scalars.png"
    size = (2 * float(sheet.get("width", "")), 2 * float(sheet.get("height", "")))
    assert size_of_png(data) == size


def test_all_cards_are_printed_with_a_legend(open_page: OpenPage, address: str):
    page = open_page(address, viewport={"width": 1100, "height": 400}, color_scheme="dark")
    page.add_init_script("window.print = () => { document.body.dataset.printed = '' }")
    page.reload()
    drawn(page, TAGS[0], 3)
    hosts = page.locator("[data-card] [data-state=drawn]")
    assert hosts.count() < len(TAGS)
    page.keyboard.press("Control+p")
    expect(page.locator("body")).to_have_attribute("data-printed", "")
    # Also those that were never on the screen, in the colours of paper.
    expect(hosts).to_have_count(len(TAGS))
    head = page.locator(".paper-head")
    expect(head.get_by_role("listitem")).to_have_text(["adam", "lion", "sgd"])
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    sheets = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheets)) >= 2
    # The page is as before.
    expect(head).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("treegrid", name="Runs")).to_be_visible()
    # The menu of the browser does not wait: there is what is drawn, and how to get the rest.
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    expect(head).to_contain_text("Only cards that were on the screen are included.")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    expect(head).to_have_count(0)


def test_a_picture_comes_while_points_come_and_the_page_works(board: Page, tmp_path: Path):
    # A page that is never idle: each frame has something to do.
    board.evaluate(
        """() => {
            const work = () => {
                const end = performance.now() + 12
                while (performance.now() < end) { /* busy */ }
                requestAnimationFrame(work)
            }
            requestAnimationFrame(work)
        }"""
    )
    _, data = of_view(board, tmp_path, "PNG of visible cards")
    assert size_of_png(data)[0] > 1500


def test_a_link_to_what_is_seen_is_copied(open_page: OpenPage, address: str):
    page = open_page(address, viewport=WIDE, permissions=["clipboard-read", "clipboard-write"])
    drawn(page, TAGS[0], 3)
    page.get_by_role("checkbox", name="Show lion", exact=True).click()
    act(page, TAGS[1], "Log y axis")
    chart_settings(page).get_by_role("radiogroup", name="X scale").get_by_text("Log").first.click()
    choose(page, TAGS[1], "Download", "Copy link to card")
    expect(page.get_by_text("Copied the link.")).to_be_visible()
    colleague = open_page(page.evaluate("navigator.clipboard.readText()"), viewport=WIDE)
    full = colleague.get_by_role("region", name=f"{TAGS[1]}, full size")
    expect(full.get_by_role("application")).to_have_attribute("data-scale", "log")
    expect(full.locator(".host")).to_have_attribute("data-lines", "2")
    expect(full.locator(".host")).to_have_attribute("data-x", re.compile("^1 29"))
