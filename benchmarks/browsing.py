"""A page in a real browser, with what it costs: time, memory, bytes, frames."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize, sync_playwright

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
VIEWPORT: ViewportSize = {"width": 1920, "height": 1200}  # both pages show six charts or more
GIVE_UP_SECS = 60.0
QUIET_SECS = 1.0

# A chart counts as drawn when there is a coloured pixel on its canvas: grid, ticks and text are
# grey on both pages. A copy is looked at, because a worker draws TensorBoard's.
WATCH_CHARTS = """
(() => {
  const wanted = %d
  const drawn = new WeakSet()
  const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const isDrawn = (canvas) => {
    if (drawn.has(canvas)) return true
    const width = canvas.width, height = canvas.height
    if (width < 100 || height < 60) return false
    copy.canvas.width = width
    copy.canvas.height = height
    copy.drawImage(canvas, 0, 0)
    const pixels = copy.getImageData(0, 0, width, height).data
    for (let i = 0; i < pixels.length; i += 4) {
      const r = pixels[i], g = pixels[i + 1], b = pixels[i + 2]
      if (pixels[i + 3] > 60 && Math.max(r, g, b) - Math.min(r, g, b) > 40) {
        drawn.add(canvas)
        return true
      }
    }
    return false
  }
  const look = () => {
    const canvases = document.querySelectorAll('%s')
    let count = 0
    for (const canvas of canvases) count += isDrawn(canvas)
    if (count >= wanted) window.chartsDrawnAt = performance.now()
    else setTimeout(look, 40)
  }
  look()
})()
"""


def find_browser() -> str:
    """Uses tools/browser.py, which is not on the import path here."""
    path = Path(__file__).resolve().parents[1] / "tools/browser.py"
    spec = importlib.util.spec_from_file_location("browser", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"cannot be read: {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.find_browser())


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        try:
            yield found
        finally:
            found.close()


class Visit:
    """One visit to a page with an empty cache."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.page, self._cdp = page, cdp
        self._finished: dict[str, int] = {}
        self._received: dict[str, int] = {}
        self._kinds: dict[str, str] = {}
        self.last_traffic = time.monotonic()
        cdp.on("Network.responseReceived", self._hear_response)
        cdp.on("Network.dataReceived", self._hear_data)
        cdp.on("Network.loadingFinished", self._hear_end)
        cdp.send("Network.enable")
        cdp.send("Performance.enable")

    def _hear_response(self, event: dict[str, Any]) -> None:
        self._kinds[event["requestId"]] = event["type"]
        self.last_traffic = time.monotonic()

    def _hear_data(self, event: dict[str, Any]) -> None:
        identity = event["requestId"]
        size = event["encodedDataLength"] or event["dataLength"]
        self._received[identity] = self._received.get(identity, 0) + size
        self.last_traffic = time.monotonic()

    def _hear_end(self, event: dict[str, Any]) -> None:
        self._finished[event["requestId"]] = int(event["encodedDataLength"])
        self.last_traffic = time.monotonic()

    def transferred_bytes(self, *kinds: str) -> int:
        """Bytes received, for all requests or those of the given kinds, including open streams."""
        sizes = {**self._received, **self._finished}
        return sum(
            size
            for identity, size in sizes.items()
            if not kinds or self._kinds.get(identity) in kinds
        )

    def wait_for(self, script: str, timeout_secs: float = GIVE_UP_SECS) -> Any:
        """The first true answer of a script that is asked in every frame."""
        return self.page.wait_for_function(script, timeout=1e3 * timeout_secs).json_value()

    def wait_until_quiet(self) -> None:
        """Waits until no data has arrived for a while."""
        self.last_traffic = time.monotonic()
        while (left := self.last_traffic + QUIET_SECS - time.monotonic()) > 0:
            self.page.wait_for_timeout(1e3 * left)

    def heap_bytes(self) -> dict[str, int]:
        """After garbage is collected: objects, and the buffers of typed arrays."""
        for _ in range(2):
            self._cdp.send("HeapProfiler.collectGarbage")
        usage = self._cdp.send("Runtime.getHeapUsage")
        return {
            "objects": int(usage["usedSize"]),
            "buffers": int(usage.get("backingStorageSize", 0)),
        }

    def busy_secs(self) -> dict[str, float]:
        """Seconds of the page's main thread so far: in scripts, and in all it did."""
        metrics = self._cdp.send("Performance.getMetrics")["metrics"]
        found = {metric["name"]: float(metric["value"]) for metric in metrics}
        return {"script": found["ScriptDuration"], "task": found["TaskDuration"]}

    def busy_during(self, act: Callable[[], None]) -> dict[str, float]:
        before = self.busy_secs()
        act()
        after = self.busy_secs()
        return {name: after[name] - before[name] for name in after}

    def next_frame(self) -> None:
        self.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(resolve))")

    def hover(self, box: dict[str, float], moves: int) -> None:
        """Moves the pointer over a chart from left to right and back, once in each frame."""
        for i in range(moves):
            along = abs(1 - 2 * i / moves)
            x = box["x"] + box["width"] * (0.2 + 0.6 * along)
            y = box["y"] + box["height"] * (0.3 + 0.3 * (i % 7) / 7)
            self.page.mouse.move(x, y)
            self.next_frame()

    def frame_gaps_ms(self, act: Callable[[], None]) -> list[float]:
        """Milliseconds between the frames of the page's own thread while something is done."""
        self.page.evaluate(
            """() => {
              window.frameTimes = []
              const note = (now) => {
                if (!window.frameTimes) return
                window.frameTimes.push(now)
                requestAnimationFrame(note)
              }
              requestAnimationFrame(note)
            }"""
        )
        act()
        times: list[float] = self.page.evaluate(
            "() => { const times = window.frameTimes; window.frameTimes = null; return times }"
        )
        return [b - a for a, b in pairwise(times)]

    def drawn_gaps_ms(self, act: Callable[[], None]) -> list[float]:
        """Milliseconds between what the browser put on the screen while something is done."""
        opened = self.page.context.browser
        if opened is None:
            raise SystemExit("the browser is gone")
        tracing = opened.new_browser_cdp_session()
        events: list[dict[str, Any]] = []
        ended: list[bool] = []
        tracing.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
        tracing.on("Tracing.tracingComplete", lambda _: ended.append(True))
        only = {"includedCategories": ["viz"], "excludedCategories": ["*"]}
        tracing.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": only})
        act()
        tracing.send("Tracing.end")
        while not ended:
            self.page.wait_for_timeout(50)
        tracing.detach()
        frames = (event for event in events if event["name"] == "DirectRenderer::DrawFrame")
        times = sorted(event["ts"] / 1e3 for event in frames if event["ph"] in "XB")
        if not times:
            raise SystemExit("the trace of the browser has no frames")
        return [b - a for a, b in pairwise(times)]

    def scroll(self, x: float, y: float, distance: int, speed: int) -> None:
        """A smooth gesture, as of a touchpad: pixels, and pixels per second."""
        self._cdp.send(
            "Input.synthesizeScrollGesture",
            {
                "x": x,
                "y": y,
                "yDistance": -distance,
                "speed": speed,
                "gestureSourceType": "mouse",
                "preventFling": True,
            },
        )


@contextmanager
def visit(
    opened: Browser,
    url: str,
    *,
    charts: str,
    wanted: int = 6,
    viewport: ViewportSize = VIEWPORT,
    scripts: tuple[str, ...] = (),
) -> Iterator[Visit]:
    """Goes to a page with an empty cache, and watches for `wanted` canvases that match `charts`."""
    context = opened.new_context(viewport=viewport)
    try:
        page = context.new_page()
        found = Visit(page, context.new_cdp_session(page))
        page.add_init_script(WATCH_CHARTS % (wanted, charts))
        for script in scripts:
            page.add_init_script(script)
        page.goto(url, wait_until="commit")
        yield found
    finally:
        context.close()
