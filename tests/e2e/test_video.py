"""The video dashboard: films of all runs on one clock, frame by frame."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, page_url
from tests.event_files import value
from tests.golden import wire

SHORT, LONG = 12, 30
FPS = 10


def film(frames: int) -> npt.NDArray[np.uint8]:
    """Each frame is brighter than the one before."""
    shades = np.linspace(0, 240, frames).astype(np.uint8).reshape(1, -1, 1, 1, 1)
    found: npt.NDArray[np.uint8] = shades * np.ones((1, 1, 3, 24, 32), np.uint8)
    return found


def write_films(logdir: Path) -> None:
    for run, frames in (("long", LONG), ("short", SHORT)):
        with kymograph.SummaryWriter(logdir / run) as writer:
            writer.add_video("rollout/view", film(5), 10, fps=FPS)
            writer.add_video("rollout/view", film(frames), 20, fps=FPS)


def shown(region: Locator) -> Locator:
    return region.locator("[data-clip]")


def brightness(page: Page, run: str) -> int:
    """The first pixel on the canvas of a run."""
    script = """(run) => {
        const ink = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
        ink.drawImage(document.querySelector(`[data-clip="${run}"] canvas`), 0, 0)
        return ink.getImageData(0, 0, 1, 1).data[0]
    }"""
    return int(page.evaluate(script, run))


def test_films_of_all_runs_are_played_and_stepped_together(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    write_films(tmp_path / "logs")
    page = open_page(page_url(serve(tmp_path / "logs")))
    page.get_by_role("button", name="Video").click()
    card = page.locator("[data-card='rollout/view']")
    long, short = (card.get_by_role("region", name=run, exact=True) for run in ("long", "short"))
    for region, frames in ((long, LONG), (short, SHORT)):
        expect(shown(region)).to_have_attribute("data-state", "drawn")
        expect(shown(region)).to_have_attribute("data-frame", "0")
        expect(region).to_contain_text(f"1 / {frames}")
        expect(region).to_contain_text("32 \u00d7 24, 10 fps")
    assert brightness(page, "long") == 0

    # One frame, ten frames, the last one: with buttons and keys, in the film pointed at.
    transport = page.get_by_role("group", name="Playback")
    long.locator("canvas").hover()
    transport.get_by_role("button", name="Forward one frame").click()
    for region in (long, short):
        expect(shown(region)).to_have_attribute("data-frame", "1")
    expect(transport).to_contain_text(f"frame 2 of {LONG}, 0.10 s")
    page.locator("main").first.focus()
    page.keyboard.press(".")
    expect(shown(long)).to_have_attribute("data-frame", "2")
    page.keyboard.press(",")
    page.keyboard.press(">")
    expect(shown(long)).to_have_attribute("data-frame", "11")
    expect(shown(short)).to_have_attribute("data-frame", "11")
    page.keyboard.press("<")
    expect(shown(long)).to_have_attribute("data-frame", "1")
    page.keyboard.press("End")
    expect(shown(long)).to_have_attribute("data-frame", str(LONG - 1))
    # The shorter one stays on its last frame, and says so.
    expect(shown(short)).to_have_attribute("data-ended", "true")
    expect(short).to_contain_text(f"{SHORT} / {SHORT}, ended")
    assert brightness(page, "long") == brightness(page, "short") == 240
    transport.get_by_role("button", name="First frame").click()
    expect(shown(long)).to_have_attribute("data-frame", "0")

    # Scrubbing.
    line = transport.get_by_role("slider", name="Time of all videos")
    box = line.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.5 * box["width"] + 1, box["y"] + box["height"] / 2)
    expect(shown(long)).to_have_attribute("data-frame", str(LONG // 2))
    line.press("ArrowLeft")
    expect(shown(long)).to_have_attribute("data-frame", str(LONG // 2 - 1))

    # Speed, loop and play; without a loop it ends by itself.
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(transport).to_have_attribute("data-speed", "4")
    page.keyboard.press("-")
    expect(transport).to_have_attribute("data-speed", "2")
    loop = transport.get_by_role("button", name="Loop")
    page.keyboard.press("Shift+L")
    expect(loop).to_have_attribute("aria-pressed", "false")
    transport.get_by_role("button", name="Play").click()
    expect(shown(long)).to_have_attribute("data-frame", str(LONG - 1))
    expect(transport).to_have_attribute("data-playing", "false")
    loop.click()
    line.focus()
    page.keyboard.press("Space")
    expect(transport).to_have_attribute("data-playing", "true")
    page.keyboard.press("Space")
    expect(transport).to_have_attribute("data-playing", "false")

    # Another step, the size, the file.
    card.get_by_role("slider", name="Step of rollout/view").press("ArrowLeft")
    expect(shown(long)).to_have_attribute("data-frames", "5")
    page.get_by_label("Actual size").check()
    expect(page).to_have_url(re.compile("video.actualSize=1"))
    with page.expect_download() as downloaded:
        short.get_by_role("link", name="Download video of short").click()
    saved = tmp_path / "saved.gif"
    downloaded.value.save_as(saved)
    assert saved.read_bytes().startswith(b"GIF89a")


def test_films_that_cannot_be_played_say_so(serve: Boards, open_page: OpenPage, tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "logs" / "good") as writer:
        writer.add_video("view", film(3), 1, fps=FPS)
    films = {"broken": b"GIF89a\x01", "mp4": b"\0\0\0\x18ftypisom" + bytes(64)}
    for run, data in films.items():
        image = wire.message(4, wire.integer(1, 6), wire.integer(2, 8), wire.message(4, data))
        event_files.write(tmp_path / "logs" / run, value("view", image, step=1))
    page = open_page(f"{page_url(serve(tmp_path / 'logs'))}?tab=video")
    card = page.locator("[data-card='view']")

    def region(run: str) -> Locator:
        return card.get_by_role("region", name=run, exact=True)

    expect(region("broken").get_by_role("alert")).to_contain_text("The GIF cannot be decoded")
    expect(region("mp4").get_by_role("alert")).to_contain_text("This browser cannot play the video")
    for run in films:
        link = region(run).get_by_role("link", name=f"Download video of {run}")
        expect(link).to_be_visible()
    expect(shown(region("good"))).to_have_attribute("data-state", "drawn")
    card.hover()
    card.get_by_role("button", name="Open full size").click()
    expect(page.get_by_role("region", name="good", exact=True)).to_contain_text("1 / 3")


def test_without_a_film_the_tab_says_how_to_log_one(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        writer.add_scalar("loss", 1.0, 0)
    page = open_page(f"{page_url(serve(tmp_path / 'logs'))}?tab=video")
    expect(page.get_by_text("writer.add_video")).to_be_visible()
