"""Line charts in a real browser: what is drawn, what hands do, what is not drawn again."""

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import kymograph
from kymograph.asgi.board import Board
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests.e2e.conftest import OpenPage, page_url

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

WIDE = {"width": 1440, "height": 900}
RUNS = 3
LAST_STEP = 1990
MOVES = 12

# Pixels of a layer that are neither paper nor grey: the lines themselves.
COLOURED = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  let count = 0
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b, a] = data.subarray(i, i + 4)
    if (a > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 40) count++
  }
  return count
}"""


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    logdir = tmp_path_factory.mktemp("charts")
    state = tmp_path_factory.mktemp("state")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(state))
        write(logdir)
        board = Board(Store([logdir], follow=True), "Kymograph")
        with Serving(board, sockets.tcp("127.0.0.1", 0), prefix="/charts") as serving:
            yield serving


def write(logdir: Path) -> None:
    for run in range(RUNS):
        with kymograph.SummaryWriter(logdir / f"run-{run}") as writer:
            for step in range(0, LAST_STEP + 1, 10):
                writer.add_scalar("train/loss", (run + 1) * math.exp(-step / 500) + 0.1, step)
                writer.add_scalar("val/loss", (run + 1) * math.exp(-step / 900) + 0.2, step)
    with kymograph.SummaryWriter(logdir / "run-0") as writer:
        for step in range(0, LAST_STEP + 1, 10):
            writer.add_scalar("broken", math.nan if step > 1000 else 1.0, step)


@pytest.fixture
def page(browser: Browser, serving: Serving) -> Iterator[Page]:
    """A board of three charts; at the end it may not have complained."""
    open_page = OpenPage(browser)
    yield open_page(page_url(serving, "/charts"), viewport=WIDE)
    open_page.close()
    assert open_page.complaints == []


def chart(page: Page, tag: str) -> Locator:
    found = page.locator(f"[data-paints][aria-label^='{tag}:']")
    expect(found).to_have_attribute("data-state", "drawn")
    return found


def layer(host: Locator, part: str) -> Locator:
    return host.locator(f"canvas[data-part={part}]")


def shown(host: Locator, axis: str) -> tuple[float, float]:
    first, last = (host.get_attribute(f"data-{axis}") or "").split()
    return float(first), float(last)


def at(host: Locator, x: float, y: float) -> tuple[float, float]:
    """A place on the plot, by parts of its width and height."""
    box = host.bounding_box()
    assert box is not None
    left, top, width, height = box["x"] + 46, box["y"] + 8, box["width"] - 56, box["height"] - 28
    return left + x * width, top + y * height


def settled(host: Locator) -> int:
    """How often the lines were painted, when no more painting is due."""
    return int(
        host.evaluate(
            """host => new Promise(done => {
              let quiet = 0, last = host.dataset.paints
              const look = () => {
                quiet = host.dataset.paints === last ? quiet + 1 : 0
                last = host.dataset.paints
                if (quiet > 5) done(last); else requestAnimationFrame(look)
              }
              look()
            })"""
        )
    )


def test_every_run_is_drawn_in_its_colour(page: Page):
    loss = chart(page, "train/loss")
    expect(loss).to_have_attribute("data-lines", str(RUNS))
    assert shown(loss, "x") == (0, LAST_STEP)
    assert layer(loss, "lines").evaluate(COLOURED) > 300
    # The pixels are as many as the screen has, no more.
    box = loss.bounding_box()
    assert box is not None
    assert layer(loss, "lines").evaluate("canvas => canvas.width") == round(box["width"])


def test_pointing_paints_the_cursor_and_not_the_lines_again(page: Page):
    loss, other = chart(page, "train/loss"), chart(page, "val/loss")
    cursor = other.locator("[data-part=cursor]")
    expect(cursor).to_be_hidden()
    before = settled(loss), settled(other)
    for move in range(MOVES):
        page.mouse.move(*at(loss, 0.2 + 0.6 * move / MOVES, 0.5))
        settled(loss)
    expect(cursor).to_be_visible()
    assert int(loss.get_attribute("data-over-paints") or 0) >= MOVES
    # News from the server may come in between and be painted; moves are not.
    assert settled(loss) - before[0] < MOVES / 2
    assert settled(other) - before[1] < MOVES / 2
    # Other charts have no layer for a cursor of their own.
    assert layer(other, "over").evaluate("canvas => canvas.width") == 0
    page.mouse.move(2, 2)
    expect(cursor).to_be_hidden()


def test_the_line_that_is_pointed_at_is_drawn_thick(page: Page):
    loss = chart(page, "train/loss")
    page.mouse.move(*at(loss, 0.3, 0.3))
    page.mouse.move(*at(loss, 0.32, 0.3))
    expect(loss).not_to_have_attribute("data-over-paints", "0")
    assert layer(loss, "lit").evaluate(COLOURED) > 200


def test_dragging_zooms_and_a_double_click_shows_everything(page: Page):
    loss = chart(page, "train/loss")
    page.mouse.move(*at(loss, 0.25, 0.2))
    page.mouse.down()
    page.mouse.move(*at(loss, 0.4, 0.5))
    page.mouse.move(*at(loss, 0.5, 0.6))
    page.mouse.up()
    expect(loss).not_to_have_attribute("data-x", f"0 {LAST_STEP}")
    first, last = shown(loss, "x")
    assert first == pytest.approx(0.25 * LAST_STEP, abs=0.02 * LAST_STEP)
    assert last == pytest.approx(0.5 * LAST_STEP, abs=0.02 * LAST_STEP)
    page.mouse.dblclick(*at(loss, 0.5, 0.5))
    expect(loss).to_have_attribute("data-x", f"0 {LAST_STEP}")


def test_a_flat_drag_zooms_x_alone_and_shift_pans(page: Page):
    loss = chart(page, "train/loss")
    page.mouse.move(*at(loss, 0.5, 0.5))
    page.mouse.down()
    page.mouse.move(*at(loss, 0.8, 0.51))
    page.mouse.up()
    expect(loss).not_to_have_attribute("data-x", f"0 {LAST_STEP}")
    first, last = shown(loss, "x")
    page.keyboard.down("Shift")
    page.mouse.move(*at(loss, 0.5, 0.5))
    page.mouse.down()
    page.mouse.move(*at(loss, 0.7, 0.5))
    page.mouse.up()
    page.keyboard.up("Shift")
    width = last - first
    expect(loss).not_to_have_attribute("data-x", f"{first:g} {last:g}")
    moved = shown(loss, "x")
    assert moved[0] == pytest.approx(first - 0.2 * width, abs=0.03 * width)
    assert moved[1] - moved[0] == pytest.approx(width, rel=0.01)


def test_escape_cancels_a_drag(page: Page):
    loss = chart(page, "train/loss")
    page.mouse.move(*at(loss, 0.3, 0.3))
    page.mouse.down()
    page.mouse.move(*at(loss, 0.6, 0.6))
    page.keyboard.press("Escape")
    page.mouse.up()
    settled(loss)
    assert shown(loss, "x") == (0, LAST_STEP)


def test_the_wheel_scrolls_and_zooms_with_alt_at_the_pointer(page: Page):
    loss = chart(page, "train/loss")
    page.mouse.move(*at(loss, 0.5, 0.5))
    page.mouse.wheel(0, -100)
    settled(loss)
    assert shown(loss, "x") == (0, LAST_STEP)
    page.keyboard.down("Alt")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Alt")
    expect(loss).not_to_have_attribute("data-x", f"0 {LAST_STEP}")
    first, last = shown(loss, "x")
    assert 0 < first < last < LAST_STEP
    assert (first + last) / 2 == pytest.approx(LAST_STEP / 2, rel=0.05)


def test_a_line_that_stops_being_finite_is_marked_where_it_stops(page: Page):
    broken = chart(page, "broken")
    inked = broken.locator("canvas[data-part=lines]").evaluate(
        """canvas => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
          const found = new Set()
          for (let i = 0; i < data.length; i += 4) {
            const [r, g, b, a] = data.subarray(i, i + 4)
            const isColoured = a > 128 && Math.max(r, g, b) - Math.min(r, g, b) > 40
            if (isColoured) found.add(Math.floor(i / 4 / canvas.width))
          }
          return found.size
        }"""
    )
    # A level line is two rows high; the triangle at its end is more.
    assert inked >= 7
