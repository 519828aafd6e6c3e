"""Scalar cards under a person's hands: where to point, what to press, what is then drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Locator, Page, ViewportSize, expect

WIDE: ViewportSize = {"width": 1440, "height": 900}
# Of a plot in its chart, in pixels.
LEFT, RIGHT, TOP, BOTTOM = 46, 10, 8, 20


def card(page: Page, tag: str) -> Locator:
    return page.locator(f'[data-card="{tag}"]').first


def plot(page: Page, tag: str) -> Locator:
    return card(page, tag).get_by_role("application")


def host(page: Page, tag: str) -> Locator:
    """The picture; its attributes say what it shows."""
    return plot(page, tag).locator(".host")


def drawn(page: Page, tag: str, lines: int) -> None:
    expect(host(page, tag)).to_have_attribute("data-lines", str(lines))
    expect(plot(page, tag)).to_have_attribute("data-current", "true")


def shown(page: Page, tag: str, axis: str) -> tuple[float, float]:
    """From where to where an axis goes."""
    first, last = str(host(page, tag).get_attribute(f"data-{axis}")).split()
    return float(first), float(last)


def point(page: Page, tag: str, x: float, y: float = 0.5) -> tuple[float, float]:
    """A place in the plot: parts of its width and height without the axes."""
    card(page, tag).scroll_into_view_if_needed()
    box = plot(page, tag).bounding_box()
    assert box is not None
    width, height = box["width"] - LEFT - RIGHT, box["height"] - TOP - BOTTOM
    return box["x"] + LEFT + x * width, box["y"] + TOP + y * height


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def act(page: Page, tag: str, button: str) -> None:
    card(page, tag).hover(position={"x": 60, "y": 10})
    card(page, tag).get_by_role("button", name=button, exact=True).click()


def choose(page: Page, tag: str, menu: str, item: str) -> None:
    """Presses what begins with `item` in a menu of a card."""
    act(page, tag, menu)
    press_item(page, item)


def press_item(page: Page, item: str) -> None:
    items = page.get_by_role("menu").locator("[role^=menuitem]")
    items.filter(has_text=re.compile(rf"^\s*{re.escape(item)}")).first.click()


def tooltip(page: Page) -> Locator:
    return page.locator(".tooltip:popover-open")


def tooltip_rows(page: Page) -> Locator:
    return tooltip(page).locator(".rows > div:not([hidden])")


def chart_settings(page: Page) -> Locator:
    """The drawer at the right, opened if it is not."""
    panel = page.get_by_role("complementary", name="Chart settings")
    if panel.count() == 0:
        page.keyboard.press("]")
    expect(panel).to_be_visible()
    return panel


def settings(page: Page) -> Locator:
    """The dialog of what this browser remembers."""
    page.get_by_role("button", name="Board: ").click()
    page.get_by_role("menuitem", name="Settings").click()
    return page.get_by_role("dialog", name="Settings")


def downloaded(page: Page, folder: Path, press: Callable[[], None]) -> tuple[str, bytes]:
    """Name and content of the file that a press gives."""
    with page.expect_download() as started:
        press()
    path = folder / started.value.suggested_filename
    started.value.save_as(path)
    return path.name, path.read_bytes()


def picture(page: Page, tag: str, folder: Path) -> Drawing:
    """What is drawn in a card now, by way of its SVG."""
    _, content = downloaded(page, folder, lambda: choose(page, tag, "Download", "SVG"))
    return Drawing(content.decode())


SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Shape:
    """A path of a drawing."""

    colour: str
    alpha: float
    dash: str
    places: tuple[tuple[float, float], ...]
    """In pixels, y downwards."""

    @property
    def x(self) -> tuple[float, ...]:
        return tuple(x for x, _ in self.places)

    @property
    def y(self) -> tuple[float, ...]:
        return tuple(y for _, y in self.places)


class Drawing:
    """A card's SVG, read back into strokes, areas and letters."""

    def __init__(self, svg: str) -> None:
        root = ElementTree.fromstring(svg)  # the page's own
        paths = list(root.iter(f"{SVG}path"))
        self.strokes = [_shape(path, "stroke") for path in paths if path.get("fill") == "none"]
        self.areas = [_shape(path, "fill") for path in paths if path.get("fill") != "none"]
        self.texts = [str(text.text) for text in root.iter(f"{SVG}text")]
        self._ticks = [
            (float(text.get("y", "")), float(str(text.text).replace("\N{MINUS SIGN}", "-")))
            for text in root.iter(f"{SVG}text")
            if text.get("text-anchor") == "end" and _is_number(str(text.text))
        ]

    def value(self, y: float) -> float:
        """The value at a height on a linear axis, according to its labels."""
        (low, first), (high, last) = self._ticks[0], self._ticks[-1]
        # Letters stand on their line, not in its middle.
        return first + (y + 0.36 * 11 - low) / (high - low) * (last - first)

    def lines(self, colour: str | None = None) -> list[Shape]:
        """Strokes across the plot in full colour."""
        wide = [shape for shape in self.strokes if shape.alpha == 1 and _width(shape) > 100]
        return [shape for shape in wide if colour is None or shape.colour == colour]


def _shape(path: ElementTree.Element, kind: str) -> Shape:
    numbers = re.findall(r"([MLA])([-\d. ]+)", str(path.get("d")))
    places = []
    for letter, text in numbers:
        values = [float(number) for number in text.split()]
        if letter != "A":
            places.append((values[0], values[1]))
    alpha = float(path.get(f"{kind}-opacity", "1"))
    return Shape(str(path.get(kind)), alpha, path.get("stroke-dasharray", ""), tuple(places))


def _width(shape: Shape) -> float:
    return max(shape.x) - min(shape.x)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[-\N{MINUS SIGN}]?\d+(\.\d+)?", text) is not None
