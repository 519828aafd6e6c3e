"""How soon does the page show charts, what does it cost, and does it keep up with the hand?

    python benchmarks/page.py
    python benchmarks/page.py --rounds 9 --check
    python benchmarks/page.py --parts first hover

Both pages are opened by the same browser on the same files, in turns, with an empty cache:
TensorBoard's, served with its Rust data server, and ours. Raw numbers go to
benchmarks/results/<date>-page.json.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import json
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, ViewportSize

import browsing
import makelogs
import measure
import pagelogs
import serve

PARTS = ("first", "hover", "redraw", "crowd", "huge", "live", "zoom")
CHARTS = {"ours": "[data-card] canvas[data-part=lines]", "tensorboard": "line-chart canvas"}
CHART = CHARTS["ours"]
TALL: ViewportSize = {"width": 1920, "height": 2400}  # 24 charts and more
FIRST_VIEW = ("Document", "Script", "Stylesheet", "Font", "Image")
MOVES = 90
FPS_WINDOW_MS = 500

FIRST_RATIO = 4.0
HEAP_RATIO = 1 / 2
TRANSFER_RATIO = 1 / 3
BUNDLE_LIMIT_BYTES = 250_000
HOVER_LIMIT_MS = 8.0
REDRAW_LIMIT_MS = 60.0
CROWD_LIMIT_MS = 25.0
USABLE_LIMIT_SECS = 2.0
FPS_LIMIT = 50.0
LIVE_LIMIT_SECS = 1.0
ZOOM_LIMIT_MS = 100.0

# What was asked for before the charts were drawn and is not data: the rest of the page is loaded
# in a quiet moment, for dialogs that may be opened.
BUNDLE_BYTES = """
() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter((entry) => entry.startTime < window.chartsDrawnAt)
  .filter(({ initiatorType, name }) =>
    !['fetch', 'xmlhttprequest'].includes(initiatorType) && !name.includes('/api/'))
  .reduce((sum, entry) => sum + entry.transferSize, 0)
"""

# The time of every frame in which a canvas shows something else than in the frame before.
WATCH_CHANGES = """
(selector) => {
  const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const canvas = [...document.querySelectorAll(selector)].find((each) => each.width > 100)
  let before = null
  window.changes = []
  const look = (now) => {
    copy.canvas.width = canvas.width
    copy.canvas.height = canvas.height
    copy.drawImage(canvas, 0, 0)
    const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)
    let sum = 0
    for (let i = 0; i < pixels.length; i++) sum = (Math.imul(sum, 31) + pixels[i]) | 0
    if (sum !== before && before !== null) window.changes.push(now)
    before = sum
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
"""


@contextmanager
def board(name: str, shape: str) -> Iterator[str]:
    """The address of a board that has read all of a log directory."""
    directory = pagelogs.ensure(shape)
    measure.warm(directory)
    with serve.served(name, directory) as server:
        wait_until_read(server, pagelogs.SHAPES[shape])
        yield address(server)


def wait_until_read(server: serve.Server, shape: pagelogs.Shape) -> None:
    serve.wait_until_served(server, shape.run_names(), shape.tag_names()[-1], shape.steps - 1)


def address(server: serve.Server) -> str:
    return f"http://127.0.0.1:{server.port}/"


def taste(**settings: object) -> str:
    """A script that gives our page other settings than the usual ones."""
    kept = json.dumps(json.dumps(settings))
    return f"localStorage.setItem('kymograph.settings', {kept})"


# --- the first view, and TensorBoard's ---------------------------------------------------------


def time_first(opened: Browser, rounds: int) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = {name: [] for name in CHARTS}
    with board("ours", "page-usual") as ours, board("tensorboard", "page-usual") as theirs:
        addresses = {"ours": ours, "tensorboard": theirs}
        for _ in range(rounds):
            for name, charts in CHARTS.items():
                with browsing.visit(opened, addresses[name], charts=charts) as visit:
                    drawn_ms = visit.wait_for("() => window.chartsDrawnAt")
                    until_drawn = visit.transferred_bytes()
                    bundle = visit.page.evaluate(BUNDLE_BYTES)
                    visit.wait_until_quiet()
                    heap = visit.heap_bytes()
                    found[name].append(
                        {
                            "drawn_ms": drawn_ms,
                            "heap_bytes": heap["objects"] + heap["buffers"],
                            "objects_bytes": heap["objects"],
                            "transferred_bytes": visit.transferred_bytes(),
                            "transferred_until_drawn_bytes": until_drawn,
                            "bundle_bytes": bundle,
                            "all_parts_bytes": visit.transferred_bytes(*FIRST_VIEW),
                        }
                    )
    return found


# --- hovering and new data, 24 charts of 20 runs --------------------------------------------------


@contextmanager
def many_charts(opened: Browser, url: str) -> Iterator[browsing.Visit]:
    scripts = (taste(cardColumns=4),)
    with browsing.visit(
        opened, url, charts=CHART, wanted=24, viewport=TALL, scripts=scripts
    ) as visit:
        visit.wait_for("() => window.chartsDrawnAt")
        visit.wait_until_quiet()
        yield visit


def chart_box(visit: browsing.Visit) -> dict[str, float]:
    box = visit.page.locator(CHART).first.bounding_box()
    if box is None:
        raise SystemExit("the page shows no chart")
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def hover_ms(visit: browsing.Visit, rounds: int) -> list[dict[str, float]]:
    """Milliseconds of the main thread in each frame, of scripts and of everything."""
    box = chart_box(visit)
    visit.hover(box, 10)
    found = []
    for _ in range(rounds):
        busy = visit.busy_during(lambda: visit.hover(box, MOVES))
        found.append({name: 1e3 * secs / MOVES for name, secs in busy.items()})
    return found


def time_hover(opened: Browser, rounds: int) -> list[dict[str, float]]:
    with board("ours", "page-usual") as url, many_charts(opened, url) as visit:
        return hover_ms(visit, rounds)


def time_redraw(opened: Browser, rounds: int) -> list[dict[str, float]]:
    """Milliseconds of the main thread for one more step of all runs in all charts."""
    shape = pagelogs.SHAPES["page-usual"]
    found = []
    with pagelogs.growing("page-usual") as logs, serve.served("ours", logs.directory) as server:
        wait_until_read(server, shape)
        with many_charts(opened, address(server)) as visit:
            page = visit.page
            logs.step(shape.tag_names())  # the first also opens files
            page.wait_for_timeout(4000)
            for _ in range(rounds):
                idle = visit.busy_during(lambda: page.wait_for_timeout(2000))

                def grow() -> None:
                    logs.step(shape.tag_names())
                    page.wait_for_timeout(2000)

                before = visit.transferred_bytes()
                busy = visit.busy_during(grow)
                if visit.transferred_bytes() == before:
                    raise SystemExit("new points were not asked for within 2 s")
                found.append({name: 1e3 * (busy[name] - idle[name]) for name in busy})
    return found


# --- many runs, many tags -------------------------------------------------------------------------


def time_crowd(opened: Browser, rounds: int) -> dict[str, Any]:
    """One chart with 500 runs under the pointer."""
    every = taste(startRuns={"which": "newest", "count": 1000, "tag": None})
    with (
        board("ours", "page-crowd") as url,
        browsing.visit(opened, url, charts=CHART, wanted=1, scripts=(every,)) as visit,
    ):
        drawn_ms = visit.wait_for("() => window.chartsDrawnAt")
        visit.wait_until_quiet()
        frames = hover_ms(visit, rounds)
        box = chart_box(visit)
        gaps = visit.frame_gaps_ms(lambda: visit.hover(box, MOVES))
    return {"drawn_ms": drawn_ms, "hover": frames, "gaps_ms": gaps}


def time_huge(opened: Browser, rounds: int) -> dict[str, Any]:
    """A thousand runs with a thousand tags: when the first charts are there, and how it scrolls."""
    usable, drawn, own = [], [], []
    with board("ours", "page-huge") as url:
        for _ in range(rounds):
            with browsing.visit(opened, url, charts=CHART) as visit:
                usable.append(visit.wait_for("() => window.chartsDrawnAt") / 1e3)
                visit.wait_until_quiet()
                visit.scroll(1200, 700, 600, 1200)
                visit.wait_until_quiet()
                drawn.append(visit.drawn_gaps_ms(lambda: visit.scroll(1200, 700, 6000, 2000)))
                own.append(visit.frame_gaps_ms(lambda: visit.scroll(1200, 700, 6000, 2000)))
    return {"usable_secs": usable, "drawn_gaps_ms": drawn, "own_gaps_ms": own}


def worst_fps(gaps_ms: list[float]) -> float:
    """Frames per second in the worst half second."""
    ends = list(itertools.accumulate(gaps_ms))
    worst = 1e3 * len(ends) / ends[-1]
    for first, start in enumerate([0.0, *ends]):
        last = bisect.bisect_left(ends, start + FPS_WINDOW_MS)
        if last < len(ends):
            worst = min(worst, 1e3 * (last + 1 - first) / (ends[last] - start))
    return worst


# --- from the writer to the screen, and into ten million points -----------------------------------


def time_live(opened: Browser, repeats: int) -> list[float]:
    """Seconds from the call of `flush` to a chart that shows something new."""
    shape = pagelogs.SHAPES["page-live"]
    found = []
    with pagelogs.growing("page-live") as logs, serve.served("ours", logs.directory) as server:
        wait_until_read(server, shape)
        with browsing.visit(opened, address(server), charts=CHART, wanted=1) as visit:
            visit.wait_for("() => window.chartsDrawnAt")
            visit.wait_until_quiet()
            visit.page.evaluate(WATCH_CHANGES, CHART)
            for _ in range(repeats):
                visit.page.wait_for_timeout(700)
                visit.page.evaluate("() => { window.changes.length = 0 }")
                started = time.time()
                logs.step(shape.tag_names())
                at = visit.wait_for(
                    "() => window.changes.length && performance.timeOrigin + window.changes[0]"
                )
                found.append(at / 1e3 - started)
    return found


def time_zoom(opened: Browser, zooms: int) -> list[dict[str, float]]:
    """Into ten million points, by dragging over a third of the chart again and again."""
    directory = makelogs.ensure("long")
    measure.warm(directory)
    with serve.served("ours", directory) as server:
        serve.wait_until_served(server, ["run00"], "train/loss", 9_999_999)
        with browsing.visit(opened, address(server), charts=CHART, wanted=1) as visit:
            visit.wait_for("() => window.chartsDrawnAt")
            visit.wait_until_quiet()
            visit.page.evaluate(WATCH_CHANGES, CHART)
            return [zoom_once(visit, 0.35 + 0.02 * (number % 3)) for number in range(zooms)]


def zoom_once(visit: browsing.Visit, left: float) -> dict[str, float]:
    box = chart_box(visit)
    mouse = visit.page.mouse
    y = box["y"] + box["height"] * 0.5
    mouse.move(box["x"] + box["width"] * left, y)
    mouse.down()
    mouse.move(box["x"] + box["width"] * (left + 0.3), y, steps=4)
    visit.page.evaluate("() => { window.changes.length = 0; performance.clearResourceTimings() }")
    released: float = visit.page.evaluate("() => performance.now()")
    mouse.up()
    visit.wait_until_quiet()
    changes, requests = visit.page.evaluate(
        """() => [window.changes, performance.getEntriesByType('resource')
          .filter((entry) => entry.name.includes('/scalars/series'))
          .map((entry) => [entry.startTime, entry.responseEnd])]"""
    )
    if not requests:
        raise SystemExit("zooming asked for nothing")
    asked, answered = requests[0]
    drawn = next((at for at in changes if at >= answered), answered)
    return {"asked_to_drawn_ms": drawn - asked, "released_to_drawn_ms": drawn - released}


# --- the report -----------------------------------------------------------------------------------


def middle(rows: list[dict[str, float]], field: str) -> float:
    return statistics.median(row[field] for row in rows)


def quantile(numbers: list[float], part: float) -> float:
    return sorted(numbers)[min(len(numbers) - 1, int(len(numbers) * part))]


def report_first(first: dict[str, list[dict[str, float]]]) -> dict[str, bool]:
    print("20 runs x 50 tags x 1000 steps, empty cache, medians")
    print(f"  {'':14}{'six charts':>12}{'JS heap':>12}{'transferred':>14}{'bundle':>10}")
    for name, rows in first.items():
        print(
            f"  {name:14}{middle(rows, 'drawn_ms'):>9.0f} ms"
            f"{middle(rows, 'heap_bytes') / measure.MB:>9.1f} MB"
            f"{middle(rows, 'transferred_bytes') / 1e3:>11.0f} kB"
            f"{middle(rows, 'bundle_bytes') / 1e3:>7.0f} kB"
        )
    ratios = {
        field: middle(first["ours"], field) / middle(first["tensorboard"], field)
        for field in ("drawn_ms", "heap_bytes", "transferred_bytes")
    }
    bundle = middle(first["ours"], "bundle_bytes")
    return {
        f"six charts {FIRST_RATIO:.0f}x sooner: {1 / ratios['drawn_ms']:.1f}x": (
            1 / ratios["drawn_ms"] >= FIRST_RATIO
        ),
        f"JS heap under half: {ratios['heap_bytes']:.2f}": ratios["heap_bytes"] < HEAP_RATIO,
        f"transfer under a third: {ratios['transferred_bytes']:.2f}": (
            ratios["transferred_bytes"] < TRANSFER_RATIO
        ),
        f"bundle of the first view under 250 kB: {bundle / 1e3:.0f} kB": (
            bundle < BUNDLE_LIMIT_BYTES
        ),
    }


def report(found: dict[str, Any]) -> dict[str, bool]:
    promises: dict[str, bool] = {}

    def promise(what: str, value: float, limit: float, unit: str) -> None:
        promises[f"{what} under {limit:g} {unit}: {value:.3g} {unit}"] = value < limit

    if first := found.get("first"):
        promises |= report_first(first)
    if hover := found.get("hover"):
        script = middle(hover, "script")
        promise("crosshair over 24 charts x 20 runs, script", script, HOVER_LIMIT_MS, "ms a frame")
    if redraw := found.get("redraw"):
        promise("new data in 24 charts, script", middle(redraw, "script"), REDRAW_LIMIT_MS, "ms")
    if crowd := found.get("crowd"):
        task = middle(crowd["hover"], "task")
        promise("500 runs in a chart, hover", task, CROWD_LIMIT_MS, "ms a frame")
    if huge := found.get("huge"):
        usable = statistics.median(huge["usable_secs"])
        promise("1000 runs x 1000 tags, charts", usable, USABLE_LIMIT_SECS, "s")
        drawn, own = (
            statistics.median(worst_fps(gaps) for gaps in huge[name])
            for name in ("drawn_gaps_ms", "own_gaps_ms")
        )
        fps = f"{drawn:.0f} frames/s on the screen, {own:.0f} of scripts"
        promises[f"scrolling there, worst half second: {fps}"] = drawn >= FPS_LIMIT
    if live := found.get("live"):
        promise("flush to screen, p95", quantile(live, 0.95), LIVE_LIMIT_SECS, "s")
    if zoom := found.get("zoom"):
        slowest = max(row["asked_to_drawn_ms"] for row in zoom)
        promise("every zoom into 10 million points", slowest, ZOOM_LIMIT_MS, "ms")
    return promises


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the page beside TensorBoard's.")
    parser.add_argument("--rounds", type=int, default=5, help="visits and repetitions")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--check", action="store_true", help="fail when a promise is not kept")
    args = parser.parse_args()
    parts: dict[str, Callable[[Browser], Any]] = {
        "first": lambda opened: time_first(opened, args.rounds),
        "hover": lambda opened: time_hover(opened, args.rounds),
        "redraw": lambda opened: time_redraw(opened, 3 * args.rounds),
        "crowd": lambda opened: time_crowd(opened, args.rounds),
        "huge": lambda opened: time_huge(opened, args.rounds),
        "live": lambda opened: time_live(opened, 4 * args.rounds),
        "zoom": lambda opened: time_zoom(opened, 13),
    }
    found = {}
    for name in args.parts:
        with browsing.browser() as opened:
            found[name] = parts[name](opened)
    promises = report(found)
    print()
    for promise, kept in promises.items():
        print(f"  {'yes' if kept else 'NO':4}{promise}")
    path = measure.write_results("page", {"promises": promises, **found})
    print(f"\nraw numbers: {os.path.relpath(path)}")
    if args.check and not all(promises.values()):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
