"""Times the line charts against uPlot's in a real browser, and prints a table.

How long does the script take to draw, to redraw and to move the cursor, in A: 1 chart of 50 lines,
B: 1 chart of 500 lines, C: 24 charts of 20 lines; all lines with 1000 points? Run it from anywhere:
`python web/bench/run.py [--ratio 2] [--cases ABC]`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

WEB = Path(__file__).parents[1]
sys.path.insert(0, str(WEB.parent))

from tools.browser import find_browser  # noqa: E402

UPDATES = 5
MOVES = 40


@contextmanager
def vite() -> Iterator[str]:
    """Serves `web/` for as long as the block runs; gives its address."""
    command = ["node", "node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, cwd=WEB, stdout=subprocess.PIPE, text=True) as server:
        try:
            for line in server.stdout or ():
                plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
                if found := re.search(r"http://127\.0\.0\.1:\d+/", plain):
                    yield found[0]
                    break
            else:
                raise SystemExit("error: vite did not start")
        finally:
            server.terminate()


class Spent:
    """Milliseconds of script, and of all work of the page's process, from one look to the next.

    Rasterising is not script. Tasks are no good measure of it: what a canvas that was drawn outside
    of a frame does after its task is in none.
    """

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        # Time that the thread worked, not time that other programs took from it.
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._last = self._look()

    def _look(self) -> tuple[float, float]:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        values = {metric["name"]: 1000 * metric["value"] for metric in metrics}
        return values["ScriptDuration"], values["ProcessTime"]

    def since(self) -> tuple[float, float]:
        now, last = self._look(), self._last
        self._last = now
        return now[0] - last[0], now[1] - last[1]


def draw(page: Page, spent: Spent) -> tuple[float, float, float]:
    """Script, process and time on the clock of the next round."""
    before = int(page.locator("body").get_attribute("data-round") or 0)
    spent.since()
    page.keyboard.press("d")
    page.locator(f"body[data-round='{before + 1}']").wait_for(timeout=60_000)
    return *spent.since(), float(page.locator("body").get_attribute("data-took") or "nan")


def move(page: Page, spent: Spent) -> tuple[float, float]:
    """Script and process of a frame in which the cursor moves, over the first chart."""
    box = page.locator("main > div").first.bounding_box()
    if box is None:
        raise SystemExit("error: there is no chart to move over")
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => done()))")
    spent.since()
    for i in range(MOVES):
        page.mouse.move(
            box["x"] + 60 + (box["width"] - 90) * i / MOVES, box["y"] + 50 + 40 * (i % 3)
        )
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => done()))")
    script, process = spent.since()
    return script / MOVES, process / MOVES


def measure(browser: Browser, url: str, *, ratio: float) -> list[float]:
    context = browser.new_context(
        viewport={"width": 1440, "height": 1400}, device_scale_factor=ratio
    )
    page = context.new_page()
    page.goto(url)
    page.locator("body[data-round='0']").wait_for(timeout=60_000)
    spent = Spent(context.new_cdp_session(page))
    first = draw(page, spent)
    updates = [draw(page, spent) for _ in range(UPDATES)]
    hover = move(page, spent)
    context.close()
    update = [median(column) for column in zip(*updates, strict=True)]
    return [first[0], first[1], update[0], update[1], hover[0], hover[1]]


def compare(browser: Browser, address: str) -> bool:
    """Whether a line is where uPlot draws it, from a few points to many in each pixel column."""
    is_same = True
    for points in (60, 500, 2000, 20_000):
        page = browser.new_page(viewport={"width": 700, "height": 700})
        page.goto(f"{address}bench/oracle.html?points={points}")
        page.locator("body[data-apart]").wait_for(timeout=60_000)
        apart = json.loads(page.locator("body").get_attribute("data-apart") or "{}")
        is_same = is_same and apart["missing"] == 0 and apart["mean"] < 1 and apart["most"] < 5
        print(
            f"{points:>6} points: {apart['mean']:.2f} px from uPlot's, 95 % within {apart['most']}"
        )
        page.close()
    return is_same


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ratio", type=float, default=1, help="device pixels per CSS pixel")
    parser.add_argument("--cases", default="ABC")
    parser.add_argument("--by", default="ours,uplot")
    parser.add_argument("--more", default="", help="more of the query, such as &raw")
    options = parser.parse_args()
    arguments = ["--disable-gpu"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    heads = ["first", "process", "update", "process", "hover", "process"]
    print(f"{'ms of script, of process':24}" + "".join(f"{head:>9}" for head in heads))
    with vite() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        for case in options.cases:
            for by in options.by.split(","):
                url = f"{address}bench/speed.html?case={case}&by={by}{options.more}"
                row = measure(browser, url, ratio=options.ratio)
                print(f"{case} {by:22}" + "".join(f"{value:9.1f}" for value in row), flush=True)
        is_same = compare(browser, address)
        browser.close()
    if not is_same:
        raise SystemExit("error: our lines are not where uPlot draws them")


if __name__ == "__main__":
    main()
