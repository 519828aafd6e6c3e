"""The tensors dashboard: everything that was logged can be reached, whatever logged it."""

import re
from pathlib import Path

import numpy as np
from playwright.sync_api import expect

import kymograph
from tests.e2e.conftest import Boards, OpenPage, page_url

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
    expect(first.get_by_role("cell").first).to_have_text("0.5")
    expect(card.get_by_role("region", name="b", exact=True)).to_contain_text("step 20")
    # Another slice, then an earlier step: in both runs, and in the link.
    first.get_by_role("spinbutton", name="Index on axis 0").or_(
        first.get_by_label("Index on axis 0")
    ).first.fill("1")
    page.keyboard.press("Enter")
    expect(first.get_by_role("cell").first).to_have_text("12.5")
    card.get_by_role("slider", name="Step of probe/cube").press("ArrowLeft")
    expect(first).to_contain_text("step 10")
    expect(card.get_by_role("region", name="b", exact=True)).to_contain_text("step 10")
    expect(first.get_by_role("cell").first).to_have_text("12")
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
