"""The page in a real browser on a real board: what a person sees, in every state it can be in."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url

# A loaded machine may take its time.
expect.set_options(timeout=30_000)

BACKGROUND = "getComputedStyle(document.body).backgroundColor"
LIGHT_PAPER = "rgb(242, 242, 238)"
DARK_PAPER = "rgb(17, 17, 16)"
WIDE = {"width": 1440, "height": 900}


def write(logdir: Path, run: str, steps: int = 10) -> None:
    with kymograph.SummaryWriter(logdir / run) as writer:
        for step in range(steps):
            writer.add_scalar("loss", 1 / (step + 1), step)


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    logdir = tmp_path / "cifar-resnet"
    for name in ("adamw-1e-3", "adamw-3e-4", "lion-1e-4", "sgd-1e-1/eval", "sgd-1e-1/train"):
        write(logdir, name, steps=1200)
    with kymograph.SummaryWriter(logdir / "sgd-1e-1/eval") as writer:
        writer.add_image("samples", np.zeros((3, 8, 8), np.uint8), 0)
        writer.add_histogram("weights", np.arange(100.0), 0)
        writer.add_text("notes", "first try", 0)
    return logdir


def live(page: Page) -> None:
    expect(page.get_by_role("banner").get_by_role("status")).to_have_text("Live")


def rail(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Runs")


def notices(page: Page) -> Locator:
    return page.get_by_role("list", name="Notices").get_by_role("listitem")


@pytest.mark.parametrize(("scheme", "paper"), [("light", LIGHT_PAPER), ("dark", DARK_PAPER)])
def test_runs_and_what_there_is_of_them_are_shown_in_both_themes(
    open_page: OpenPage, serve: Boards, logdir: Path, scheme: Any, paper: str
):
    page = open_page(page_url(serve(logdir)), color_scheme=scheme, viewport=WIDE)
    live(page)
    expect(page).to_have_title("cifar-resnet · Kymograph")
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 5 runs")
    for run in ("adamw-1e-3", "adamw-3e-4", "lion-1e-4", "eval", "train"):
        expect(rail(page).get_by_text(run, exact=True)).to_be_visible()
    tabs = page.get_by_role("navigation", name="Dashboards").get_by_role("button")
    expect(tabs).to_have_text(["Scalars", "Images", "Histograms", "Text", re.compile("More")])
    footer = page.get_by_role("contentinfo")
    expect(footer).to_contain_text("5 runs")
    expect(footer).to_contain_text("1 scalar tag")
    expect(footer).to_contain_text(str(logdir))
    expect(notices(page)).to_have_count(0)
    assert page.evaluate(BACKGROUND) == paper
    fonts = "document.fonts.ready.then(fonts => [...fonts].map(font => font.status))"
    assert page.evaluate(fonts) == ["loaded", "loaded"]
    keep_picture(page, f"runs-{scheme}")


def test_window_title_is_the_one_that_was_asked_for(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    title = "</title><script>document.title='run'</script>"
    page = open_page(page_url(serve(logdir, title=title)))
    live(page)
    expect(page).to_have_title(title)
    expect(page.get_by_role("banner")).to_contain_text(title)


def test_directory_is_waited_for_and_its_first_point_shown_without_a_reload(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    logdir = tmp_path / "not yet"
    page = open_page(page_url(serve(logdir)), viewport=WIDE)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"Waiting for {logdir}")
    expect(page.get_by_role("main")).to_contain_text("This directory does not exist yet.")
    expect(page.get_by_role("main")).to_contain_text(f'SummaryWriter("{logdir}/first")')
    keep_picture(page, "waiting")
    page.evaluate("window.neverReloaded = true")
    logdir.mkdir()
    expect(heading).to_have_text("No runs yet")
    expect(page.get_by_role("main")).to_contain_text(f"kymograph doctor '{logdir}'")
    keep_picture(page, "empty")
    write(logdir, "first")
    expect(heading).to_have_text("Scalars of 1 run")
    expect(rail(page).get_by_text("first", exact=True)).to_be_visible()
    assert page.evaluate("window.neverReloaded")


def test_new_points_and_runs_are_shown_as_they_come(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = open_page(page_url(serve(logdir)))
    live(page)
    tags = page.get_by_role("contentinfo")
    with kymograph.SummaryWriter(logdir / "zz-growing") as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.flush()
        expect(rail(page).get_by_text("zz-growing", exact=True)).to_be_visible()
        expect(tags).to_contain_text("1 scalar tag")
        writer.add_scalar("accuracy", 1.0, 1)
        writer.flush()
        expect(tags).to_contain_text("2 scalar tags")
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 6 runs")


def test_a_missing_directory_among_several_is_reported(
    open_page: OpenPage, serve: Boards, logdir: Path, tmp_path: Path
):
    missing = tmp_path / "later"
    page = open_page(page_url(serve(logdir, missing)))
    notice = notices(page)
    expect(notice).to_contain_text("Directory does not exist yet. Runs will appear once it exists:")
    expect(notice).to_contain_text(str(missing))
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 5 runs")
    expect(page).to_have_title("cifar-resnet, later · Kymograph")


# A telephone, and a window of 1440 by 900 at a zoom of 200 %.
@pytest.mark.parametrize("size", [(360, 640, 1), (720, 450, 2)])
def test_on_a_narrow_screen_the_runs_are_in_a_sheet(
    open_page: OpenPage, serve: Boards, logdir: Path, size: tuple[int, int, int]
):
    width, height, ratio = size
    page = open_page(
        page_url(serve(logdir)),
        viewport={"width": width, "height": height},
        device_scale_factor=ratio,
    )
    expect(rail(page)).to_have_count(0)
    page.get_by_role("button", name="5 shown; choose runs").click()
    sheet = page.get_by_role("dialog", name="Runs")
    expect(sheet.get_by_text("lion-1e-4", exact=True)).to_be_visible()
    is_cut = "element => element.scrollWidth > element.clientWidth"
    assert not sheet.evaluate(is_cut)
    keep_picture(page, "narrow-runs")
    page.get_by_role("button", name="Back to charts").click()
    expect(sheet).to_have_count(0)
    keep_picture(page, "narrow")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_damage_is_reported_and_the_rest_shown(
    open_page: OpenPage, serve: Boards, logdir: Path, scheme: Any
):
    (path,) = (logdir / "adamw-1e-3").iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    page = open_page(page_url(serve(logdir)), color_scheme=scheme, viewport=WIDE)
    notice = notices(page)
    expect(notice).to_contain_text("1 record skipped in 1 file.")
    expect(page.get_by_role("contentinfo")).to_contain_text("1 damaged file")
    notice.get_by_role("button", name="Details").click()
    details = page.get_by_role("dialog", name="Damaged files")
    expect(details).to_contain_text("adamw-1e-3")
    expect(details).to_contain_text("1 record with a wrong checksum")
    expect(details).to_contain_text(str(path))
    expect(details).to_contain_text(f"kymograph doctor {logdir}")
    keep_picture(page, f"damaged-details-{scheme}")
    page.keyboard.press("Escape")
    expect(details).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 5 runs")
    keep_picture(page, f"damaged-{scheme}")


@pytest.mark.slow
def test_progress_is_shown_while_logs_are_read(open_page: OpenPage, serve: Boards, logdir: Path):
    """The moment is held still: a real one is over too soon to be looked at."""

    def half_way(route: Route) -> None:
        answer = route.fetch()
        half = {"bytes_done": 412_000_000, "bytes_known": 1_310_000_000, "loading": True}
        progress = {**answer.json()["progress"], "files_done": 9, "files_known": 24, **half}
        route.fulfill(response=answer, json={**answer.json(), "progress": progress})

    serving = serve(logdir)
    serving.board.store.wait()
    page = open_page("about:blank", viewport=WIDE)
    page.route("**/api/v1/status", half_way)
    # The stream says that reading is over; without it the page asks.
    page.route("**/api/v1/live*", lambda route: None)
    page.goto(page_url(serving))
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 5 runs so far")
    footer = page.get_by_role("contentinfo")
    expect(footer).to_contain_text("Reading 9 of 24 files, 412 MB of 1.31 GB")
    bar = page.get_by_role("progressbar", name="Reading")
    assert bar.evaluate("bar => bar.position") == pytest.approx(412 / 1310)
    expect(page.get_by_role("banner").get_by_role("status")).to_have_text("Polling")
    keep_picture(page, "reading")
    open_page.complaints = [
        one for one in open_page.complaints if "left the page's own address" not in one
    ]


def test_server_that_goes_and_comes_back_is_reported_and_resumed(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    serving = serve(logdir)
    page = open_page(page_url(serving), viewport=WIDE)
    live(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 5 runs")
    page.evaluate("window.neverReloaded = true")
    serving.close()
    expect(page.get_by_role("banner").get_by_role("status")).to_have_text("Not connected")
    notice = notices(page)
    expect(notice).to_contain_text("The server is not responding. Showing data as of")
    expect(rail(page).get_by_text("lion-1e-4", exact=True)).to_be_visible()
    keep_picture(page, "lost")
    write(logdir, "zz-meanwhile")
    again = serve(logdir, port=serving.listening.port or 0)
    live(page)
    expect(rail(page).get_by_text("zz-meanwhile", exact=True)).to_be_visible()
    expect(notice).to_have_count(0)
    assert page.evaluate("window.neverReloaded")
    assert again.board.instance != serving.board.instance
    # The browser itself logs that there was no response.
    for one in open_page.complaints:
        assert "/api/v1/" in one or "ERR_CONNECTION_REFUSED" in one or "ERR_INCOMPLETE" in one
    open_page.complaints.clear()


def test_names_with_script_in_them_are_text(open_page: OpenPage, serve: Boards, tmp_path: Path):
    name = "<img src=x onerror=alert(1)><script>alert(2)<"
    write(tmp_path / "runs", name)
    page = open_page(page_url(serve(tmp_path / "runs")))
    expect(rail(page).get_by_text(name).first).to_be_visible()
    assert page.locator("body img, body script").count() == 0


def test_many_runs_are_counted_and_only_those_in_sight_are_in_the_page(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    for n in range(210):
        write(tmp_path / "runs", f"run-{n:03}", steps=1)
    page = open_page(page_url(serve(tmp_path / "runs")), viewport=WIDE)
    expect(page.get_by_role("heading", level=1)).to_have_text("Scalars of 210 runs")
    expect(page.get_by_role("contentinfo")).to_contain_text("210 runs")
    # The newest ones are shown, and first.
    expect(rail(page).get_by_text("run-110", exact=True)).to_be_visible()
    assert rail(page).get_by_role("checkbox").count() < 100


def test_page_in_the_background_sends_no_requests(open_page: OpenPage, serve: Boards, logdir: Path):
    page = open_page(page_url(serve(logdir)))
    live(page)
    hide = """hidden => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
    }"""
    with page.expect_event("requestfailed", lambda request: "/live" in request.url):
        page.evaluate(hide, True)
    with page.expect_request(lambda request: "/live?last=" in request.url):
        page.evaluate(hide, False)
    live(page)


def test_chosen_theme_survives_a_reload(open_page: OpenPage, serve: Boards, logdir: Path):
    page = open_page(page_url(serve(logdir)), color_scheme="light")
    page.get_by_role("button", name="Switch to dark theme").click()
    assert page.evaluate(BACKGROUND) == DARK_PAPER
    page.reload()
    expect(page.get_by_role("button", name="Switch to light theme")).to_be_visible()
    assert page.evaluate(BACKGROUND) == DARK_PAPER


def test_theme_button_is_reached_and_pressed_by_keyboard(
    open_page: OpenPage, serve: Boards, logdir: Path
):
    page = open_page(page_url(serve(logdir)), color_scheme="light")
    button = page.get_by_role("button", name="Switch to dark theme")
    expect(button).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate(BACKGROUND) == DARK_PAPER


@pytest.mark.parametrize("is_empty", [True, False])
def test_narrow_window_needs_no_sideways_scrolling(
    open_page: OpenPage, serve: Boards, logdir: Path, tmp_path: Path, *, is_empty: bool
):
    shown = tmp_path / ("a-directory-with-a-rather-long-name" * 3) if is_empty else logdir
    page = open_page(page_url(serve(shown)), viewport={"width": 360, "height": 640})
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth")
    keep_picture(page, "narrow-empty" if is_empty else "narrow-runs")


def test_complaints_of_a_page_are_heard(open_page: OpenPage, serve: Boards, logdir: Path):
    page = open_page(page_url(serve(logdir)))
    live(page)
    with page.expect_event("requestfailed"):
        page.evaluate("console.error('planted')")
        page.evaluate("setTimeout(() => { throw new Error('planted') })")
        page.evaluate("new Image().src = 'http://localhost:1/elsewhere.png'")
    page.evaluate("fetch('http://localhost:1/').catch(() => null)")
    complaints = "\n".join(open_page.complaints)
    open_page.complaints.clear()
    for part in ("error: planted", "uncaught: ", "elsewhere.png", "Content Security Policy"):
        assert part in complaints
