"""The page as assistive technology finds it: axe-core has nothing to say in either theme."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import kymograph
from kymograph.asgi.board import Board
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store

expect.set_options(timeout=30_000)

NOTE = """# A note

| class | recall |
|---|--:|
| `cat` | 0.861 |

- [x] done, see https://example.org/

```python
def loss(x): return "a", 1  # comment
```

$E = mc^2$
"""
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
RUN = """async () => {
    const found = await axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    const text = node => `${node.target} ${node.failureSummary}`
    return found.violations.map(
        ({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.slice(0, 5).map(text)].join('\\n  '))
}"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("accessibility") / "runs"
    for run in ("sweep/adamw", "sweep/sgd", "baseline"):
        with kymograph.SummaryWriter(logdir / run) as writer:
            for step in range(200):
                writer.add_scalar("train/loss", 1 / (step + 1), step)
                writer.add_scalar("val/acc", 1 - 1 / (step + 1), step)
            writer.add_text("notes", "first", 0)
            writer.add_text("notes", NOTE, 1)
    (path,) = (logdir / "baseline").iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    store = Store([logdir], follow=True)
    with Serving(Board(store), sockets.tcp("127.0.0.1", 0)) as serving:
        yield f"http://127.0.0.1:{serving.listening.port}/"


@pytest.fixture(scope="module")
def empty_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = Store([tmp_path_factory.mktemp("empty")], follow=True)
    with Serving(Board(store), sockets.tcp("127.0.0.1", 0)) as serving:
        yield f"http://127.0.0.1:{serving.listening.port}/"


@pytest.fixture(scope="module", params=["light", "dark"])
def page(request: Any, browser: Browser) -> Iterator[Page]:
    # The content security policy of the page lets no script in but its own.
    context = browser.new_context(
        color_scheme=request.param, viewport={"width": 1440, "height": 900}, bypass_csp=True
    )
    yield context.new_page()
    context.close()


def violations(page: Page) -> str:
    if page.evaluate("typeof axe") == "undefined":
        page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(RUN)
    return "\n".join(found)


def open_board(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_role("banner").get_by_role("status")).to_have_text("Live")
    expect(page.locator("[data-rows='3']")).to_be_visible()


def test_first_view_with_a_damage_notice(page: Page, board: str):
    open_board(page, board)
    expect(page.get_by_text("1 record skipped in 1 file.")).to_be_visible()
    assert violations(page) == ""


def test_sheets_over_the_page(page: Page, board: str):
    open_board(page, board)
    page.keyboard.press("Control+k")
    page.keyboard.type("loss")
    expect(page.get_by_role("option").first).to_be_visible()
    assert violations(page) == ""
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    assert violations(page) == ""
    page.keyboard.press("Escape")
    page.get_by_role("button", name="1 damaged file").click()
    expect(page.get_by_role("dialog", name="Damaged files")).to_contain_text("baseline")
    assert violations(page) == ""


def test_settings_and_menus(page: Page, board: str):
    open_board(page, board)
    page.get_by_role("button", name="Board: runs").click()
    expect(page.get_by_role("menuitem", name="Settings")).to_be_visible()
    assert violations(page) == ""
    page.get_by_role("menuitem", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    assert violations(page) == ""
    page.keyboard.press("Escape")
    page.keyboard.press("]")
    expect(page.get_by_role("button", name="Settings panel")).to_have_attribute(
        "aria-pressed", "true"
    )
    assert violations(page) == ""


def test_run_table(page: Page, board: str):
    open_board(page, board)
    page.get_by_role("button", name="Run table").click()
    expect(page.get_by_role("treegrid")).to_be_visible()
    assert violations(page) == ""


def test_one_card_full_size(page: Page, board: str):
    open_board(page, f"{board}?full=train/loss")
    expect(page.get_by_role("region", name="train/loss, full size")).to_be_visible()
    assert violations(page) == ""


def test_texts_as_they_are_compared_and_found(page: Page, board: str):
    page.goto(f"{board}?tab=text")
    expect(page.get_by_role("heading", level=1)).to_have_text("Text of 3 runs")
    expect(page.locator("math").first).to_be_visible()
    assert violations(page) == ""
    page.goto(f"{board}?tab=text&text.compare=steps")
    expect(page.locator("ins").first).to_be_visible()
    assert violations(page) == ""
    page.goto(f"{board}?tab=text&text.show=source&text.search=note")
    expect(page.locator("mark").first).to_be_visible()
    assert violations(page) == ""


def test_dashboard_without_data(page: Page, board: str):
    page.goto(f"{board}?tab=graphs")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Graphs")
    assert violations(page) == ""


def test_empty_board(page: Page, empty_board: str):
    page.goto(empty_board)
    expect(page.get_by_role("heading", level=1)).to_have_text("No runs yet")
    expect(page.get_by_text("Scanned")).to_be_visible()
    assert violations(page) == ""


def test_narrow_screen(page: Page, board: str):
    page.set_viewport_size({"width": 390, "height": 800})
    try:
        open_board(page, board)
        assert violations(page) == ""
        page.get_by_role("button", name="choose runs").click()
        expect(page.get_by_role("dialog", name="Runs")).to_be_visible()
        assert violations(page) == ""
    finally:
        page.set_viewport_size({"width": 1440, "height": 900})
