"""Makes the pictures in docs/images from what commands print and the board shows.

python -m tools.pictures              all of them
python -m tools.pictures narrow empty only these
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright
from rich.console import Console
from rich.text import Text

import kymograph
from kymograph.store import Store
from tools import picture_logs
from tools.browser import find_browser

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
BUILD = ROOT / "build"
DEMO = Path("demo-runs")
COLUMNS = 124
USUAL: ViewportSize = {"width": 1440, "height": 900}
NARROW: ViewportSize = {"width": 420, "height": 900}
DRAWN = '[data-state="drawn"]'


# --- the page ---


class Camera:
    """Opens boards and keeps pictures of them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    @contextmanager
    def page(
        self,
        logdir: Path | Store,
        theme: Literal["light", "dark"] = "light",
        viewport: ViewportSize = USUAL,
        settings: Mapping[str, object] | None = None,
        **view: str | list[str],
    ) -> Iterator[Page]:
        """A board with the given facts in its address, in a browser with the given settings."""
        with kymograph.serve(logdir) as board:
            context = self._browser.new_context(
                viewport=viewport, color_scheme=theme, reduced_motion="reduce"
            )
            kept = json.dumps(json.dumps(settings or {}))
            context.add_init_script(f"localStorage.setItem('kymograph.settings', {kept})")
            page = context.new_page()
            page.goto(f"{board.url}?{urlencode(view, doseq=True)}" if view else board.url)
            yield page
            context.close()

    def keep(self, page: Page, name: str) -> None:
        page.evaluate("document.fonts.ready")
        page.evaluate("document.activeElement?.blur()")  # the ring of the focus
        page.screenshot(path=IMAGES / f"{name}.png")


def wait_for_charts(page: Page, count: int = 6, settle_ms: float = 2000) -> None:
    expect(page.locator(DRAWN).nth(count - 1)).to_be_attached(timeout=60_000)
    page.wait_for_timeout(settle_ms)  # for the lines that come after the first ones


def point_at(page: Page, x: float, y: float) -> None:
    """Puts the pointer on the first chart, at parts of its width and height."""
    box = page.locator(DRAWN).first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
    page.wait_for_timeout(300)


# --- what is on each picture ---


def scalars_light(camera: Camera) -> None:
    first_view(camera, "light")


def scalars_dark(camera: Camera) -> None:
    first_view(camera, "dark")


def first_view(camera: Camera, theme: Literal["light", "dark"]) -> None:
    with camera.page(DEMO, theme) as page:
        wait_for_charts(page)
        point_at(page, 0.6, 0.7)
        camera.keep(page, f"scalars-{theme}")


def zoomed(camera: Camera) -> None:
    """A part of two hundred thousand steps: the mean, and what each pixel column spans."""
    dense_view(camera, "zoomed", "0.99", 4_000, 44_000)


def points(camera: Camera) -> None:
    """The same chart, so near that every point is there."""
    dense_view(camera, "points", "0.9", 22_000, 22_060)


def dense_view(camera: Camera, name: str, smoothing: str, first: int, last: int) -> None:
    logdir = Path("precision")
    picture_logs.dense(logdir)
    zoom = f"{first}..{last},*;train/loss"
    with camera.page(logdir, full="train/loss", zoom=zoom, smoothing=smoothing) as page:
        wait_for_charts(page, 1)
        point_at(page, 0.55, 0.5)
        camera.keep(page, name)


def groups(camera: Camera) -> None:
    with camera.page(
        DEMO,
        runFilter="cifar/seeds",
        group="regex:seeds/(.*)/",
        bands="mean,std,members",
        at="24000..36000",
        full="val/acc",
        smoothing="0.35",
    ) as page:
        wait_for_charts(page, 1)
        point_at(page, 0.55, 0.4)
        camera.keep(page, "groups")


def run_table(camera: Camera) -> None:
    with camera.page(DEMO, table="1", runFilter="lr < 0.01 and val/acc.max > 0.75") as page:
        page.get_by_role("row").nth(4).wait_for()
        page.wait_for_timeout(2000)
        camera.keep(page, "run-table")


def tensors(camera: Camera) -> None:
    with camera.page(DEMO, tab="tensors", full="tensors:eval/confusion") as page:
        page.get_by_role("cell").nth(150).wait_for()
        camera.keep(page, "tensors")


def images(camera: Camera) -> None:
    """The grid with one of its cells at a large size."""
    view = {
        "images.layout": "grid",
        "images.focus": "map/prediction,cifar/augment/baseline",
        "images.zoom": "6@0.6000,0.4000",
    }
    with camera.page(DEMO, tab="images", runFilter="cifar/augment|adamw") as page:
        page.goto(f"{page.url}&{urlencode(view)}")
        expect(page.locator("[data-cell] " + DRAWN).nth(14)).to_be_attached(timeout=60_000)
        expect(
            page.get_by_role("complementary", name="Large view").locator(DRAWN).nth(3)
        ).to_be_attached()
        camera.keep(page, "images")


def empty(camera: Camera) -> None:
    # Far from other logs, which the page would point at.
    with TemporaryDirectory() as scratch:
        os.chdir(scratch)
        picture_logs.empty(Path("runs"))
        with camera.page(Path("runs")) as page:
            page.get_by_text("Nothing recorded yet").wait_for()
            page.get_by_text("What was scanned").wait_for()
            camera.keep(page, "empty")
        os.chdir(BUILD)


def loading(camera: Camera) -> None:
    """More than a hundred weeks of runs come to the first one while the page is open."""
    logdir = Path("many-weeks")
    picture_logs.weeks(logdir, DEMO, range(1))
    with Store([logdir], follow=True, threads=1) as store, camera.page(store) as page:
        wait_for_charts(page, 2, settle_ms=0)
        picture_logs.weeks(logdir, DEMO, range(1, 160))
        page.get_by_role("contentinfo").get_by_text("Reading").wait_for()
        camera.keep(page, "loading")


def damaged(camera: Camera) -> None:
    logdir = Path("damaged")
    picture_logs.damaged(DEMO, logdir)
    with camera.page(logdir, runFilter="adamw|cutmix|baseline") as page:
        wait_for_charts(page)
        camera.keep(page, "damaged")


def many_runs(camera: Camera) -> None:
    logdir = Path("sweep-12")
    picture_logs.sweep(logdir)
    every = {"startRuns": {"which": "newest", "count": 1000, "tag": None}}
    colour = ["column:hparam:lr", "0.93..1;metric:val/acc:best"]
    with camera.page(logdir, settings=every, colour=colour, scale="log;train/lr") as page:
        wait_for_charts(page, 3)
        page.wait_for_timeout(3000)
        camera.keep(page, "many-runs")


def narrow(camera: Camera) -> None:
    with camera.page(DEMO, viewport=NARROW) as page:
        wait_for_charts(page, 2)
        camera.keep(page, "narrow")


# --- what commands print ---


def inspect(_: Camera) -> None:
    terminal_picture(
        "inspect", ["inspect", str(DEMO), "--run", "gpt/*", "--run", "cifar/augment/*"]
    )


def terminal_picture(name: str, arguments: list[str]) -> None:
    """One command and its output, as in a terminal."""
    shown = " ".join(f"'{word}'" if "*" in word else word for word in ["kymograph", *arguments])
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text(f"$ {shown}"))
    console.print(Text.from_ansi(in_terminal(arguments)))
    console.save_svg(str(IMAGES / f"{name}.svg"), title=f"kymograph {arguments[0]}", unique_id=name)


def in_terminal(arguments: list[str]) -> str:
    """What a command prints into a terminal of the usual size."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    command = [sys.executable, "-m", "kymograph", *arguments]
    with subprocess.Popen(command, stdout=follower, stderr=subprocess.DEVNULL) as process:
        os.close(follower)
        output = bytearray()
        while chunk := read(leader):
            output += chunk
        if process.wait() != 0:
            raise SystemExit(f"the command failed: {' '.join(command)}")
    return output.decode().replace("\r\n", "\n").rstrip()


def read(leader: int) -> bytes:
    """The next bytes; none at the end, which Linux reports as an error."""
    try:
        return os.read(leader, 65536)
    except OSError:
        return b""


PICTURES: tuple[Callable[[Camera], None], ...] = (
    inspect,
    scalars_light,
    scalars_dark,
    zoomed,
    points,
    groups,
    run_table,
    tensors,
    images,
    empty,
    loading,
    damaged,
    many_runs,
    narrow,
)


def main() -> None:
    BUILD.mkdir(exist_ok=True)
    os.chdir(BUILD)  # so that neither command nor board shows a path of this machine
    wanted = {name.replace("-", "_") for name in sys.argv[1:]}
    demo = [sys.executable, str(ROOT / "examples/demo.py"), str(DEMO), "--once"]
    subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
    arguments = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        for picture in PICTURES:
            if not wanted or picture.__name__ in wanted:
                picture(Camera(browser))
        browser.close()


if __name__ == "__main__":
    main()
