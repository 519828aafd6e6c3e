"""This moment: a run at a step, opened from wherever it is noticed, walked through, compared."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, keep_picture, page_url, served
from tests.e2e.scalar_cards import WIDE, choose, drawn, host, plot, point

START = 1_700_000_000.0
SPIKE = 4000
LAST = 5990


def loss(step: int) -> float:
    calm = 1.4 + 0.05 * math.sin(step)
    return calm + (2 * math.exp(-(step - SPIKE) / 300) if step >= SPIKE else 0)


def write(directory: Path, *, diverges: bool = False) -> None:
    """A run that spikes, with something of every kind; or one that ends in NaN."""
    randoms = np.random.default_rng(1)
    with kymograph.SummaryWriter(directory) as writer:
        writer.add_text("run/git", "```\ncommit: a41f9c2d7e\nbranch: main\nstate: clean\n```", 0)
        for step in range(0, LAST + 1, 10):
            time = START + step
            now = math.nan if diverges and step >= SPIKE else loss(step)
            writer.add_scalar("train/loss", now, step, walltime=time)
            wait = 0.4 if SPIKE - 30 <= step < SPIKE + 300 else 0.02 + 1e-3 * math.cos(step)
            writer.add_scalar("data/loader_wait", wait, step, walltime=time)
            if step % 20 == 0:
                writer.add_scalar("system/cpu_percent", 60.0 + step % 3, step // 7, walltime=time)
                writer.add_text("output/stdout", f"```\nstep {step}\n```", step * 3, walltime=time)
            if step % 500:
                continue
            late = step > SPIKE
            writer.add_scalar("val/loss", 1.5 + late * 0.5, step, walltime=time)
            for layer in ("embed", "decoder.5", "head"):
                spread = 4.0 if late and layer == "decoder.5" else 1.0
                values = randoms.normal(0, spread, 500)
                writer.add_histogram(f"grads/{layer}", values, step, walltime=time)
            image = np.zeros((16, 24, 3), np.uint8)
            image[:, : 4 + step // 500, 0] = 200
            writer.add_image("val/picture", image, step, walltime=time, dataformats="HWC")
            words = "the boat the the and" if late else "the boat left before dawn"
            writer.add_text("val/transcript", words, step, walltime=time)
            if step % 1000 == 0:
                writer.add_audio("val/sample", np.zeros(800, np.float32), step, 8000, walltime=time)
        writer.add_hparams({"lr": 1e-3, "clip": 0.5 if diverges else 1.0}, {})


@pytest.fixture(scope="module")
def board_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("logs")
    write(logdir / "spikes")
    write(logdir / "diverges", diverges=True)
    with served(logdir) as url:
        yield url


def view(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^This moment of"))


def at(page: Page, step: int) -> None:
    expect(view(page)).to_have_attribute("data-step", str(step))


def test_a_moment_is_opened_from_a_chart_walked_through_and_left(
    board_url: str, open_page: OpenPage
):
    page = open_page(f"{board_url}?runs=none&runs=%2Bspikes", viewport=WIDE)
    drawn(page, "train/loss", 1)
    low, high = (
        float(one) for one in str(host(page, "train/loss").get_attribute("data-x")).split()
    )
    page.mouse.move(*point(page, "train/loss", (4100 - low) / (high - low)))
    tooltip = page.locator(".tooltip:popover-open")
    expect(tooltip).to_contain_text("4,1")
    pointed = re.search(r"4,(1\d0)", tooltip.inner_text())
    assert pointed is not None
    page.keyboard.press("m")
    at(page, 4000 + int(pointed[1]))
    expect(page).to_have_url(
        re.compile(r"(?=.*at=41\d0)(?=.*moment=spikes)(?=.*moment.tag=train/loss)")
    )
    # To the mark, and ten points on.
    page.keyboard.press("3")
    page.keyboard.press("ArrowLeft")
    at(page, SPIKE)
    page.keyboard.press("1")
    page.keyboard.press("Shift+ArrowRight")
    at(page, 4100)
    # What left its usual range first is on top, compared with the last calm evaluation.
    expect(view(page)).to_have_attribute("data-reference", "3500")
    rows = view(page).get_by_role("region", name="Scalars").locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("loader_wait")
    expect(rows.nth(0)).to_contain_text("3,970")
    expect(rows.nth(1)).to_contain_text("train/loss")
    expect(rows.nth(1)).to_contain_text("4,000")
    expect(rows.nth(2)).to_contain_text("usual")
    expect(view(page).get_by_text("4,000 out of range")).to_be_visible()
    # Everything else is the nearest at or before.
    images = view(page).get_by_role("region", name="Images")
    expect(images).to_contain_text(re.compile("4,000\\s*\u2212100"))
    expect(images.get_by_role("img")).to_have_count(2)
    expect(view(page).get_by_role("region", name="Audio")).to_contain_text("4,000")
    expect(view(page).get_by_role("region", name="Log")).to_contain_text("step 4100")
    expect(view(page).get_by_role("region", name="System")).to_contain_text("cpu_percent")
    expect(view(page).get_by_role("region", name="Run")).to_contain_text("a41f9c2")
    expect(view(page).get_by_role("region", name="Run")).to_contain_text("0.5 \u2192 1")
    keep_picture(page, "moment")
    # By point, by item, by mark.
    page.keyboard.press("ArrowRight")
    at(page, 4110)
    page.keyboard.press("Shift+ArrowLeft")
    at(page, 4010)
    page.keyboard.press("2")
    page.keyboard.press("ArrowRight")
    at(page, 4500)
    expect(view(page).get_by_role("region", name="Text").locator("ins")).to_have_text("the the and")
    histograms = view(page).get_by_role("region", name="Histograms")
    expect(histograms.locator("header")).to_contain_text("grads/decoder.5")
    expect(histograms.get_by_role("listitem").filter(has_text="decoder.5")).to_contain_text(
        "\u00d7"
    )
    page.keyboard.press("3")
    page.keyboard.press("ArrowLeft")
    at(page, SPIKE)
    # Another reference, then the automatic one again.
    page.keyboard.press("b")
    expect(view(page)).to_have_attribute("data-reference", "4000")
    expect(page).to_have_url(re.compile(r"moment\.against=4000"))
    page.keyboard.press("b")
    expect(view(page)).to_have_attribute("data-reference", "3500")
    # Another main tag.
    rows.nth(0).get_by_role("button").click()
    expect(view(page)).to_have_attribute("data-tag", "data/loader_wait")
    # Back to the same place, with the cursor.
    page.keyboard.press("Escape")
    expect(view(page)).to_have_count(0)
    expect(plot(page, "train/loss")).to_be_visible()
    expect(page).to_have_url(re.compile(r"at=4000"))
    expect(page).not_to_have_url(re.compile("moment"))
    # The menu of a card knows where the pointer was.
    page.mouse.move(*point(page, "val/loss", (4500 - low) / (high - low)))
    choose(page, "val/loss", "More", "This moment")
    expect(view(page)).to_have_attribute("data-tag", "val/loss")
    # A title opens the tab at this cursor.
    view(page).get_by_role("button", name="Images", exact=True).click()
    expect(view(page)).to_have_count(0)
    expect(page).to_have_url(re.compile(r"(?=.*tab=images)(?=.*at=)"))


def test_a_moment_opens_from_a_nan_the_palette_and_a_link_and_fits_beside_the_charts(
    board_url: str, open_page: OpenPage
):
    page = open_page(board_url, viewport=WIDE, color_scheme="dark")
    page.get_by_role("button", name="This moment of diverges").click()
    at(page, SPIKE)
    expect(
        view(page).get_by_role("region", name="Scalars").locator("tbody tr").nth(1)
    ).to_contain_text("\u2192 NaN")
    keep_picture(page, "moment-dark")
    address = page.url
    page.keyboard.press("Escape")
    expect(view(page)).to_have_count(0)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Command palette").fill("this moment in panel")
    page.keyboard.press("Enter")
    panel = page.get_by_role("complementary", name="This moment")
    expect(panel.get_by_role("region", name="Scalars")).to_be_visible()
    expect(panel.locator("[data-step]")).to_have_attribute("data-step", str(SPIKE))
    # It follows the cursor of the charts, and stays when another tab is opened.
    panel.get_by_role("button", name="Next point").click()
    expect(panel.locator("[data-step]")).to_have_attribute("data-step", str(SPIKE + 10))
    keep_picture(page, "moment-panel")
    panel.get_by_role("button", name="Open full view").click()
    at(page, SPIKE + 10)
    expect(panel).to_have_count(0)
    view(page).get_by_role("button", name="Show in panel").click()
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)
    expect(page).not_to_have_url(re.compile("moment"))
    # The link has run and step; what it names may be gone.
    page = open_page(address, viewport={"width": 700, "height": 800})
    at(page, SPIKE)
    keep_picture(page, "moment-narrow")


def test_the_moment_of_a_live_run_follows_its_last_step(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    with kymograph.SummaryWriter(tmp_path / "logs" / "live") as writer:
        for step in range(30):
            writer.add_scalar("loss", 1 / (1 + step), step)
        writer.flush()
        page = open_page(f"{page_url(serve(tmp_path / 'logs'))}?moment=live", viewport=WIDE)
        at(page, 29)
        for step in range(30, 40):
            writer.add_scalar("loss", 1 / (1 + step), step)
        writer.flush()
        at(page, 39)
        # A step that was chosen stays.
        page.keyboard.press("ArrowLeft")
        at(page, 38)
        writer.add_scalar("loss", 0.0, 40)
        writer.flush()
        expect(view(page).get_by_role("button", name="Last, and follow")).to_have_attribute(
            "aria-pressed", "false"
        )
        page.keyboard.press("End")
        at(page, 40)
        # Without system metrics or a commit, one line says how to log them.
        expect(view(page)).to_contain_text("To log system metrics and the commit")
        expect(view(page).get_by_role("region", name="Images")).to_have_count(0)
