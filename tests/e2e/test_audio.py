"""The audio dashboard: clips are drawn, played at one position, looped, compared and saved."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, expect

import kymograph
from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, page_url
from tests.event_files import metadata, string_tensor, value

RATE = 8000
SECONDS = 4
TONE = np.sin(2 * np.pi * 440 * np.arange(SECONDS * RATE) / RATE)


def write_clips(logdir: Path) -> None:
    """Two runs, one four times as loud as the other."""
    for run, gain in (("loud", 0.8), ("quiet", 0.2)):
        with kymograph.SummaryWriter(logdir / run) as writer:
            writer.add_audio("voice/tone", gain * TONE, 10, RATE)
            stereo = np.stack([gain * TONE, 0.1 * TONE], axis=1)[:RATE]
            writer.add_audio("voice/tone", stereo.T, 20, RATE)


def centre_of(plot: Locator, share: float) -> dict[str, float]:
    box = plot.bounding_box()
    assert box is not None
    return {"x": box["x"] + share * box["width"], "y": box["y"] + box["height"] / 2}


def test_clips_are_played_looped_and_compared(serve: Boards, open_page: OpenPage, tmp_path: Path):
    write_clips(tmp_path / "logs")
    page = open_page(f"{page_url(serve(tmp_path / 'logs'))}?tab=audio&at=10")
    card = page.locator("[data-card='voice/tone']")
    loud, quiet = (card.get_by_role("region", name=run, exact=True) for run in ("loud", "quiet"))
    for clip in (loud, quiet):
        expect(clip.locator("[data-state=drawn]")).to_have_count(1)
        expect(clip).to_contain_text("8 kHz, mono")
        expect(clip).to_contain_text("0:00.00 / 0:04.00")
    # The louder one is turned down by as much as it is louder: a factor of four.
    expect(loud.locator("[data-clip]")).to_have_attribute("data-volume", "-12.0")
    expect(quiet.locator("[data-clip]")).to_have_attribute("data-volume", "0.0")
    page.get_by_label("Equal loudness").uncheck()
    expect(loud.locator("[data-clip]")).to_have_attribute("data-volume", "0.0")
    expect(page).to_have_url(re.compile("audio.asLogged=1"))
    page.keyboard.press("u")
    expect(loud.locator("[data-clip]")).to_have_attribute("data-volume", "-12.0")

    # One position for all: by click, by key, and by dragging a part that is then repeated.
    plot = loud.get_by_role("slider", name="Position in loud")
    middle = centre_of(plot, 0.5)
    page.mouse.click(middle["x"], middle["y"])
    for clip in (loud, quiet):
        expect(clip).to_contain_text(re.compile(r"0:0(1\.9|2\.0)\d / 0:04\.00"))
    plot.press("Home")
    expect(quiet).to_contain_text("0:00.00 / ")
    page.keyboard.press(".")
    expect(quiet).to_contain_text("0:01.00 / ")
    start, stop = centre_of(plot, 0.25), centre_of(plot, 0.75)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(stop["x"], stop["y"], steps=4)
    page.mouse.up()
    for name in ("loud", "quiet"):
        one = card.get_by_role("slider", name=f"Position in {name}")
        expect(one).to_have_attribute("data-region", re.compile(r"^(0\.9|1\.0)\d (2\.9|3\.0)\d$"))
    expect(page.get_by_label("Loop")).to_be_checked()

    # Playing one clip stops the other; A/B goes back and forth.
    playing = page.locator("[data-clip][data-playing=true]")
    loud.get_by_role("button", name="Play loud").click()
    expect(playing).to_have_attribute("data-clip", "loud")
    quiet.get_by_role("button", name="Play quiet").click()
    expect(playing).to_have_count(1)
    expect(playing).to_have_attribute("data-clip", "quiet")
    page.keyboard.press("x")
    expect(playing).to_have_attribute("data-clip", "loud")
    page.keyboard.press("x")
    expect(playing).to_have_attribute("data-clip", "quiet")
    # Not on a button, which takes the space bar for itself.
    plot.focus()
    page.keyboard.press("Space")
    expect(playing).to_have_count(0)
    page.keyboard.press("Shift+L")
    expect(page.get_by_label("Loop")).not_to_be_checked()
    expect(plot).not_to_have_attribute("data-region", re.compile(".*"))
    plot.press("Home")
    page.keyboard.press(".")
    page.keyboard.press("[")
    page.keyboard.press(".")
    page.keyboard.press("]")
    expect(plot).to_have_attribute("data-region", "1.00 2.00")

    # Another step and another scale; the link has both.
    scale = page.get_by_role("radiogroup", name="Frequency scale")
    scale.get_by_text("Log", exact=True).click()
    expect(page).to_have_url(re.compile("audio.scale=log"))
    card.get_by_role("slider", name="Step of voice/tone").press("ArrowRight")
    expect(loud).to_contain_text("8 kHz, stereo")
    expect(loud).to_contain_text("/ 0:01.00")
    with page.expect_download() as downloaded:
        quiet.get_by_role("link", name="Download clip of quiet").click()
    saved = tmp_path / "saved.wav"
    downloaded.value.save_as(saved)
    assert saved.read_bytes().startswith(b"RIFF")


def test_what_cannot_be_drawn_says_why_and_disturbs_nothing(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "good") as writer:
        writer.add_audio("sound", TONE[:RATE], 1, RATE)
    broken = value("sound", metadata("audio"), string_tensor(b"RIFFxxxxWAVE", b"words"), step=1)
    event_files.write(tmp_path / "logs" / "bad", broken)
    page = open_page(f"{page_url(serve(tmp_path / 'logs'))}?tab=audio")
    card = page.locator("[data-card='sound']")
    bad = card.get_by_role("region", name="bad", exact=True)
    expect(bad.get_by_role("alert")).to_contain_text("The WAV header is incomplete")
    expect(bad.get_by_role("link", name="Download clip of bad")).to_be_visible()
    # The other clip of the same step is not hidden by it.
    bad.get_by_role("button", name="Next clip of bad").click()
    expect(bad.get_by_role("alert")).to_contain_text("The clip is of no known format")
    good = card.get_by_role("region", name="good", exact=True)
    expect(good.locator("[data-state=drawn]")).to_have_count(1)
    # At full size, and without any clip.
    card.get_by_role("button", name="Open full size").click()
    expect(page.get_by_role("region", name="good", exact=True)).to_contain_text("8 kHz, mono")
    page.keyboard.press("Escape")
    expect(card).to_be_visible()
    # The answers that say what is wrong.
    open_page.complaints = [heard for heard in open_page.complaints if "410" not in heard]


def test_without_a_clip_the_tab_says_how_to_log_one(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        writer.add_scalar("loss", 1.0, 0)
    page = open_page(f"{page_url(serve(tmp_path / 'logs'))}?tab=audio")
    expect(page.get_by_text("writer.add_audio")).to_be_visible()
