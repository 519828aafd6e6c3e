"""The images dashboard: any step, in cards or a grid, enlarged, adjusted and compared."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Locator, Page, expect

import kymograph
from kymograph import _core
from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url

DRAWN = "[data-state=drawn]"
SIDE = 32


def shade(value: int) -> npt.NDArray[np.uint8]:
    """A grey square with a brighter corner at the top left."""
    picture = np.full((SIDE, SIDE, 3), value, np.uint8)
    picture[:8, :8] = value + 50
    return picture


def logged(value: int) -> bytes:
    return _core.encode_png(shade(value))


def batch(tag: str, step: int, *items: bytes) -> bytes:
    """What TensorFlow logs: several images in one step."""
    content = event_files.string_tensor(b"32", b"32", *items)
    return event_files.value(tag, event_files.metadata("images"), content, step=step)


def open_tab(page: Page) -> None:
    page.get_by_role("button", name="Images", exact=True).click()


def colour_at(canvas: Locator, x: float, y: float) -> list[int]:
    """What is drawn at parts of width and height of an image."""
    script = """(box, [x, y]) => {
        const canvas = box.querySelector('canvas')
        const context = canvas.getContext('2d')
        return [...context.getImageData(canvas.width * x, canvas.height * y, 1, 1).data].slice(0, 3)
    }"""
    found: list[int] = canvas.evaluate(script, [x, y])
    return found


def test_cards_show_each_run_at_the_step_of_the_slider(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    logs = tmp_path / "logs"
    for run, steps in (("a", (10, 20, 30)), ("b", (20,))):
        with kymograph.SummaryWriter(logs / run) as writer:
            writer.add_scalar("loss", 1.0, 0)
            for step in steps:
                writer.add_image("val/photo", shade(5 * step), step, dataformats="HWC")
    page = open_page(page_url(serve(logs)))
    open_tab(page)
    card = page.locator("[data-card='val/photo']")
    first, second = (card.get_by_role("region", name=run, exact=True) for run in "ab")
    expect(first.locator(DRAWN)).to_have_attribute("aria-label", "val/photo of a at step 30")
    expect(second).to_contain_text("step 20")
    # The nearest at or before the cursor, with its distance; before the first there is none.
    slider = card.get_by_role("slider", name="Step of val/photo")
    slider.press("ArrowLeft")
    expect(first).to_contain_text("step 20")
    expect(first.locator("[aria-busy=false]")).to_have_count(1)
    assert colour_at(first.locator(DRAWN), 0.5, 0.5) == [100, 100, 100]
    slider.press("ArrowLeft")
    expect(second).to_contain_text("first at 20")
    expect(page).to_have_url(re.compile(r"(?=.*at=10)(?=.*tab=images)"))
    slider.press("End")
    # Pixel values of all runs, as they are in the files.
    box = first.locator(DRAWN).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2 - 40, box["y"] + 10)
    expect(first.locator("[data-value]")).to_have_text("200 200 200")
    expect(second.locator("[data-value]")).to_have_text("150 150 150")
    # Adjustments are drawn, and are part of the link.
    page.get_by_role("button", name="Adjust").click()
    page.get_by_role("slider", name="Gamma").press("ArrowRight")
    expect(page).to_have_url(re.compile("images.gamma="))
    expect(first.locator(DRAWN)).to_have_css("filter", re.compile("images-colour"))
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(page).not_to_have_url(re.compile("images.gamma="))
    page.keyboard.press("Escape")
    # 1:1 is the same for all of them.
    page.get_by_role("radio", name="1:1").check(force=True)
    expect(page).to_have_url(re.compile("images.zoom=1@"))
    page.get_by_role("radio", name="Fit").check(force=True)
    with page.expect_download() as downloaded:
        page.get_by_role("button", name="Download shown images as zip").click()
    downloaded.value.save_as(tmp_path / "images.zip")
    with zipfile.ZipFile(tmp_path / "images.zip") as file:
        assert sorted(file.namelist()) == ["val/photo/a step 30.png", "val/photo/b step 20.png"]
        assert file.read("val/photo/a step 30.png").startswith(b"\x89PNG")
    # One of them alone.
    first.hover()
    with page.expect_download() as downloaded:
        first.get_by_role("link", name="Download val/photo of a").click()
    assert downloaded.value.suggested_filename.startswith("val_photo_a_step_30")


def test_the_grid_has_tags_or_items_by_runs_with_a_large_view(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    logs = tmp_path / "logs"
    for number, run in enumerate("abc"):
        events = [
            batch("val/one", step, logged(20 * number + step), logged(100 + step))
            for step in (1, 2, 3)
        ]
        if run != "c":
            events.append(batch("val/two", 2, logged(7 * number)))
        event_files.write(logs / run, *events)
    page = open_page(page_url(serve(logs)))
    open_tab(page)
    page.get_by_role("radio", name="Grid").check(force=True)
    grid = page.get_by_role("region", name="Images by run")
    expect(grid.locator(DRAWN)).to_have_count(5)
    expect(grid.get_by_role("button", name="val/two, c")).to_have_text("not logged")
    expect(grid.get_by_role("button", name="val/two, a")).to_have_text("2")
    # Keys go from cell to cell; the focused one is large, and the link has it.
    page.keyboard.press("j")
    large = page.get_by_role("complementary", name="Large view")
    expect(large).to_contain_text("32 \u00d7 32, RGB, PNG")
    page.keyboard.press("Shift+J")
    expect(page).to_have_url(re.compile(r"images.focus=val/one,b"))
    expect(grid.get_by_role("button", name="val/one, b")).to_be_focused()
    # Its zoom is a frame in all cells of the same size, and its pixels are read in every run.
    page.keyboard.press("z")
    for _ in range(5):
        page.keyboard.press("+")
    expect(page).to_have_url(re.compile("images.zoom=32@"))
    expect(grid.locator(".frame")).to_have_count(5)
    stage = large.locator(DRAWN).first
    stage.hover()
    expect(large.locator("[data-value]")).to_contain_text(re.compile(r"1[56], 1[56] RGB 23 23 23"))
    table = large.get_by_role("table")
    expect(table.get_by_role("row", name=re.compile("^c"))).to_contain_text("43 43 43")
    expect(table.get_by_role("row", name=re.compile("^c"))).to_contain_text("20")
    expect(grid.locator("[data-value]")).to_have_count(5)
    page.keyboard.press("0")
    expect(grid.locator(".frame")).to_have_count(0)
    # Steps around the cursor, and their playback up to the last.
    film = large.get_by_role("region", name="Steps")
    film.get_by_role("button", name="Step 1", exact=True).click()
    expect(film.get_by_role("button", name="Step 1", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    film.get_by_role("button", name="Play steps").click()
    expect(film.get_by_role("button", name="Step 3", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(film.get_by_role("button", name="Play steps")).to_be_visible()
    # The second of each batch, then a row for each.
    page.get_by_role("button", name="Next item").click()
    expect(grid.get_by_role("button", name="val/two, a")).to_contain_text("No item 1")
    page.get_by_role("radio", name="Items").check(force=True)
    expect(grid.get_by_role("button", name="val/one, a")).to_have_count(2)
    expect(page.get_by_role("status").filter(has_text="cells drawn")).to_have_text(
        "9 of 9 cells drawn"
    )
    # All of it is in the link.
    page.reload()
    expect(grid.get_by_role("button", name="val/one, a")).to_have_count(2)
    expect(large.locator(DRAWN).first).to_be_visible()
    keep_picture(page, "images-grid")
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)


def test_two_images_are_compared_in_five_ways_with_their_mean_error(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    logs = tmp_path / "logs"
    for run, value in (("a", 100), ("b", 130)):
        with kymograph.SummaryWriter(logs / run) as writer:
            for step in (1, 2):
                picture = shade(value)
                picture[: 8 * step, 16:] += 10
                writer.add_image("photo", picture, step, dataformats="HWC")
    page = open_page(page_url(serve(logs)) + "?tab=images&full=images:photo")
    expect(page.locator(DRAWN).nth(1)).to_be_visible()
    page.keyboard.press("c")
    error = page.locator("[data-error]")
    expect(error).to_contain_text("Mean error 30 of 255")
    stage = page.locator("[data-mode]")
    expect(stage.locator(DRAWN)).to_have_count(2)
    for name, count in (("Swipe", 2), ("Blink", 1), ("Difference", 1), ("Signed", 1)):
        page.get_by_role("radio", name=name).check(force=True)
        expect(stage.locator(DRAWN)).to_have_count(count)
    expect(page.locator(".legend")).to_contain_text("B brighter")
    red, _, blue = colour_at(stage.locator(DRAWN), 0.5, 0.5)
    assert red > blue
    stage.hover()
    expect(page.locator("[data-values]")).to_contain_text(
        re.compile(r"1[56], 1[56] A 100 100 100 B 130 130 130")
    )
    # Two steps of one run.
    page.get_by_label("Run of B").select_option("a")
    expect(error).to_contain_text("Mean error 0 of 255")
    page.get_by_role("checkbox", name="Hold step of A").check(force=True)
    page.get_by_role("slider", name="Step of photo").press("Home")
    # 8 of 32 rows, 16 of 32 columns: an eighth of the pixels differ by 10.
    expect(error).to_contain_text("Mean error 1.25 of 255")
    expect(error).to_contain_text("128 of 1,024 pixels differ")
    expect(page).to_have_url(re.compile("images.compare=signed,a,2,a,"))
    page.reload()
    expect(error).to_contain_text("Mean error 1.25 of 255")
    page.keyboard.press("c")
    expect(page.get_by_role("region", name="a", exact=True).locator(DRAWN)).to_be_visible()


def chunk(name: bytes, content: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + content))
    return struct.pack(">I", len(content)) + name + content + check


def promised(width: int, height: int) -> bytes:
    """A PNG that claims to be of this size."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + header + data + chunk(b"IEND", b"")


def test_images_that_cannot_be_read_say_why_and_disturb_no_other(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    noise = _core.encode_png(np.random.default_rng(1).integers(0, 255, (99, 99, 3), np.uint8))
    script = b"<script>document.title = 'broken into'</script>"
    hostile: dict[str, tuple[bytes, str | re.Pattern[str]]] = {
        "cut": (noise[:12_400], re.compile(r"PNG cut short\s*12\.4 of \d+ kB")),
        "huge": (promised(100_000, 100_000), "Too large"),
        "short of rows": (promised(200, 200), "PNG"),
        "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'>" + script + b"</svg>", "SVG"),
        "html": (b"<!doctype html><img src=x onerror=alert(1)>" + script, "HTML"),
        "empty": (b"", "Empty"),
        "zeros": (bytes(5000), "Not an image"),
    }
    events = [batch(f"bad/{tag}", 1, content) for tag, (content, _) in hostile.items()]
    event_files.write(tmp_path / "logs/run", *events, batch("good", 1, logged(70)))
    page = open_page(page_url(serve(tmp_path / "logs")))
    open_tab(page)
    expect(page.locator("[data-card=good]").locator(DRAWN)).to_be_visible()
    for tag, (_, reason) in hostile.items():
        card = page.locator(f"[data-card='bad/{tag}']")
        card.scroll_into_view_if_needed()
        expect(card.locator("[data-state=unreadable]")).to_contain_text(reason)
    keep_picture(page, "images-hostile")
    page.get_by_role("radio", name="Grid").check(force=True)
    expect(page.locator("[data-cell] [data-state=unreadable]").first).to_be_visible()
    page.get_by_role("region", name="Images by run").evaluate("grid => grid.scrollTo(0, 1e6)")
    expect(page.locator("[data-cell]").locator(DRAWN)).to_have_count(1)
    assert "broken into" not in page.title()
