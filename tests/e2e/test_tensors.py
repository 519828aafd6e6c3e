"""The tensors dashboard: everything that was logged can be reached, whatever logged it."""

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, page_url

expect.set_options(timeout=30_000)

# What is needed together comes together; dialogs and further dashboards in a few more files.
MOST_REQUESTS = 20


def test_a_tensor_is_described_and_shown_at_the_chosen_step(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    for run, scale in (("a", 1), ("b", 10)):
        with kymograph.SummaryWriter(tmp_path / "logs" / run) as writer:
            writer.add_scalar("loss", 1.0, 0)
            writer.add_tensor("probe/cube", np.arange(24.0).reshape(2, 3, 4) * scale, 10)
            writer.add_tensor("probe/cube", np.arange(24.0).reshape(2, 3, 4) * scale + 0.5, 20)
    page = open_page(page_url(serve(tmp_path / "logs")))
    page.get_by_role("button", name="Tensors").click()
    card = page.locator("[data-card='probe/cube']")
    first = card.get_by_role("region", name="a", exact=True)
    expect(first).to_contain_text("float64 2\u00d73\u00d74")
    expect(first.locator("tbody td").first).to_have_text("0.5")
    expect(card.get_by_role("region", name="b", exact=True)).to_contain_text("step 20")
    # Another slice, then an earlier step: in both runs, and in the link.
    first.get_by_role("spinbutton", name="Index on axis 0").or_(
        first.get_by_label("Index on axis 0")
    ).first.fill("1")
    page.keyboard.press("Enter")
    # The same slice in all runs.
    expect(first.locator("tbody td").first).to_have_text("12.5")
    second = card.get_by_role("region", name="b", exact=True)
    expect(second.locator("tbody td").first).to_have_text("120.5")
    card.get_by_role("slider", name="Step of probe/cube").press("ArrowLeft")
    expect(first).to_contain_text("step 10")
    expect(card.get_by_role("region", name="b", exact=True)).to_contain_text("step 10")
    expect(first.locator("tbody td").first).to_have_text("12")
    expect(page).to_have_url(re.compile(r"(?=.*at=10)(?=.*tab=tensors)"))
    with page.expect_download() as downloaded:
        first.get_by_role("link", name=".npy").click()
    saved = tmp_path / "saved.npy"
    downloaded.value.save_as(saved)
    np.testing.assert_array_equal(np.load(saved), np.arange(24.0).reshape(2, 3, 4))
    # With steps of their own, cards leave the step of the board alone.
    link = page.get_by_role("button", name="Link steps of all cards")
    link.click()
    expect(first).to_contain_text("step 20")
    expect(page).to_have_url(re.compile("ownStep=on"))
    link.click()
    expect(first).to_contain_text("step 10")


def test_every_value_of_a_tensor_can_be_reached(serve: Boards, open_page: OpenPage, tmp_path: Path):
    odd = np.zeros((2, 2))
    odd[0] = np.nan, np.inf
    for run, size in (("a", 120), ("b", 60)):
        with kymograph.SummaryWriter(tmp_path / "logs" / run) as writer:
            writer.add_tensor("table", np.arange(size * 45).reshape(size, 45), 1)
            writer.add_tensor("list", np.arange(1234) / 2, 1)
            writer.add_tensor("odd", odd, 1)
    page = open_page(page_url(serve(tmp_path / "logs")) + "?tab=tensors&full=tensors:table")
    first = page.get_by_role("region", name="a", exact=True)
    second = page.get_by_role("region", name="b", exact=True)
    expect(first.get_by_role("group", name="Shown rows")).to_contain_text("to 49 of 120")
    for _ in range(2):
        first.get_by_role("button", name="Next rows").click()
        first.get_by_role("button", name="Next columns").click()
    # The last of them, in a run with fewer rows the last page.
    expect(first.locator("tbody td").last).to_have_text(str(120 * 45 - 1))
    expect(first.get_by_role("button", name="Next rows")).to_be_disabled()
    expect(first.locator("tbody th").first).to_have_text("100")
    expect(second.locator("tbody th").first).to_have_text("50")
    expect(second.locator("tbody td").last).to_have_text(str(60 * 45 - 1))
    expect(page).to_have_url(re.compile(r"tensors\.slice=,100,40;table"))
    page.reload()
    expect(first.locator("tbody td").last).to_have_text(str(120 * 45 - 1))
    field = first.get_by_label("First of the shown rows")
    field.fill("7")
    field.press("Enter")
    expect(first.locator("tbody td").first).to_have_text(str(7 * 45 + 40))
    # A list is laid out in rows of ten.
    page.goto(page_url_of(page) + "?tab=tensors&full=tensors:list")
    expect(first.locator("tbody tr")).to_have_count(50)
    first.get_by_role("button", name="Next elements").click()
    first.get_by_role("button", name="Next elements").click()
    expect(first.locator("tbody td").last).to_have_text("616.5")
    expect(first.locator("tbody tr").last.locator("td")).to_have_count(4)
    page.goto(page_url_of(page) + "?tab=tensors&full=tensors:odd")
    expect(first).to_contain_text("1 NaN, 1 +\u221e")
    expect(first.locator("tbody td").nth(1)).to_have_text("Infinity")


def page_url_of(page: Page) -> str:
    return page.url.partition("?")[0]


def test_the_first_view_needs_few_requests(serve: Boards, open_page: OpenPage, tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "logs" / "run") as writer:
        for step in range(3):
            writer.add_scalar("loss", 1 / (1 + step), step)
    page = open_page(page_url(serve(tmp_path / "logs")))
    expect(page.locator("[data-card=loss] [data-state=drawn]")).to_have_count(1)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.reload()
    expect(page.locator("[data-card=loss] [data-state=drawn]")).to_have_count(1)
    assert len(requests) <= MOST_REQUESTS, requests
