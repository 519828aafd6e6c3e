"""The mesh dashboard: one camera for the meshes of all runs, with and without a graphics card."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

import kymograph
from kymograph import tensorboardx
from tests import event_files
from tests.e2e.conftest import Boards, OpenPage, page_url
from tests.golden import wire
from tools.browser import find_browser

expect.set_options(timeout=30_000)

SIDE = 12
# Counts contexts, and keeps the last, so that a test can take it away.
WATCH_CONTEXTS = """
const getContext = HTMLCanvasElement.prototype.getContext;
window.contexts = [];
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  const context = getContext.call(this, kind, ...rest);
  if (kind === 'webgl2' && !window.contexts.includes(context)) window.contexts.push(context);
  return context;
};
"""
NO_WEBGL = """
const getContext = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
};
"""
COLOURS_DRAWN = """canvas => {
  const { width, height } = canvas;
  const copy = Object.assign(document.createElement('canvas'), { width, height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const found = new Set();
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] > 0) found.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
  return found.size;
}"""
PICTURE = "canvas => canvas.toDataURL()"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """As that of other tests, but with WebGL drawn by the processor."""
    arguments = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run"]
    arguments.append("--disable-background-networking")
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        yield browser
        browser.close()


def terrain(height: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    z = height * np.exp(-3 * (x**2 + y**2))
    vertices = np.stack([x, y, z], axis=-1).reshape(1, -1, 3)
    colours = np.clip(np.stack([200 + 0 * x, 128 + 100 * x, 128 + 100 * y], axis=-1), 0, 255)
    corner = (np.arange(SIDE - 1)[:, None] * SIDE + np.arange(SIDE - 1)).ravel()
    faces = np.stack([corner, corner + 1, corner + SIDE + 1, corner + SIDE], axis=-1)
    return vertices, colours.reshape(1, -1, 3).astype(np.uint8), faces[None]


def write(logdir: Path) -> None:
    cloud = np.random.default_rng(3).normal(size=(2, 400, 3))
    for run, kind in (("a", kymograph.SummaryWriter), ("b", tensorboardx.SummaryWriter)):
        with kind(logdir / run) as writer:
            for step in (10, 20):
                vertices, colours, faces = terrain(step / 20)
                writer.add_mesh("world/terrain", vertices, colours, faces, global_step=step)
            writer.add_mesh("world/cloud", cloud, global_step=20)


def picture(page: Page, card: str, run: str) -> Locator:
    region = page.locator(f"[data-card='{card}']").get_by_role("group", name=run, exact=True)
    return region.locator("canvas")


def camera(canvas: Locator) -> list[float]:
    return [float(part) for part in (canvas.get_attribute("data-camera") or "").split()]


def drag(page: Page, canvas: Locator, dx: int, dy: int) -> None:
    box = canvas.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=3)
    page.mouse.up()


def test_one_camera_looks_at_the_meshes_of_all_runs(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    write(tmp_path / "logs")
    page = open_page(page_url(serve(tmp_path / "logs")))
    page.add_init_script(WATCH_CONTEXTS)
    page.reload()
    page.get_by_role("button", name="Mesh").or_(page.get_by_role("link", name="Mesh")).first.click()
    first, second = (picture(page, "world/terrain", run) for run in ("a", "b"))
    cloud = picture(page, "world/cloud", "a")
    for canvas in (first, second, cloud):
        expect(canvas).to_have_attribute("data-state", "drawn")
        expect(canvas).to_have_attribute("data-renderer", "webgl")
        assert canvas.evaluate(COLOURS_DRAWN) > 8
    expect(first).to_have_attribute("aria-label", "world/terrain of a: 144 vertices")
    expect(cloud).to_have_attribute("data-show", "points")
    assert page.evaluate("window.contexts.length") == 1

    # Orbit, pan and zoom move all of them, and the link has the camera.
    before = camera(first)
    drag(page, first, 40, 0)
    expect(first).not_to_have_attribute("data-camera", " ".join(f"{part:g}" for part in before))
    turned = camera(first)
    assert turned[0] < before[0]
    assert camera(second) == camera(cloud) == turned
    page.keyboard.down("Shift")
    drag(page, second, 30, 10)
    page.keyboard.up("Shift")
    expect(first).not_to_have_attribute("data-camera", re.compile(r" 0 0 0$"))
    first.hover()
    page.keyboard.down("Alt")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Alt")
    expect(first).to_have_attribute("data-camera", re.compile(r"^\S+ \S+ 1\.5\d? "))
    expect(page).to_have_url(re.compile(r"mesh\.camera="))
    page.keyboard.press("f")
    expect(first).to_have_attribute("data-camera", re.compile(r"^\S+ \S+ 1 0 0 0$"))
    for key, expected in (("1", "0 0"), ("3", "1.57 0"), ("5", "-1.57 1.57"), ("6", "-1.57 -1.57")):
        page.keyboard.press(key)
        expect(second).to_have_attribute("data-camera", f"{expected} 1 0 0 0")
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    expect(second).to_have_attribute("data-camera", "-1.67 -1.57 1.2 0 0 0")

    # Ways to draw; a cloud stays one.
    page.keyboard.press("2")
    drag(page, first, 30, 30)
    surface = first.evaluate(PICTURE)
    pictures = {surface}
    for show in ("Wire", "Points"):
        page.get_by_role("radiogroup", name="Show").get_by_text(show, exact=True).click()
        expect(first).to_have_attribute("data-show", show.lower())
        expect(cloud).to_have_attribute("data-show", "points")
        page.wait_for_function(
            "([canvas, before]) => !before.includes(canvas.toDataURL())",
            arg=[first.element_handle(), list(pictures)],
        )
        pictures.add(first.evaluate(PICTURE))
    page.get_by_role("radiogroup", name="Show").get_by_text("Surface", exact=True).click()
    page.get_by_role("radiogroup", name="Colour").get_by_text("z", exact=True).click()
    card = page.locator("[data-card='world/terrain']")
    legend = card.get_by_role("img", name=re.compile("^z from"))
    expect(legend).to_have_attribute("aria-label", re.compile(r"^z from 0\.0\d+ to 0\.9\d+$"))

    # Steps: both runs, and one range of colours for both.
    card.get_by_role("slider", name="Step of world/terrain").press("ArrowLeft")
    expect(card.get_by_role("group", name="b", exact=True)).to_contain_text("step 10")
    expect(legend).to_have_attribute("aria-label", re.compile(r"^z from 0\.0\d+ to 0\.4\d+$"))
    expect(
        page.locator("[data-card='world/cloud']").get_by_role("group", name="a", exact=True)
    ).to_contain_text("first at 20")
    card.get_by_role("slider", name="Step of world/terrain").press("ArrowRight")
    expect(cloud).to_have_attribute("data-state", "drawn")
    item = page.locator("[data-card='world/cloud']").get_by_label("Item of world/cloud")
    was = cloud.evaluate(PICTURE)
    item.fill("1")
    item.press("Enter")
    page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before", arg=[cloud.element_handle(), was]
    )

    # A camera of its own for each, kept by the link.
    page.get_by_role("radiogroup", name="Camera").get_by_text("Own", exact=True).click()
    shared = camera(second)
    drag(page, first, -40, 10)
    expect(first).not_to_have_attribute("data-camera", second.get_attribute("data-camera") or "")
    assert camera(second) == shared
    page.get_by_role("radiogroup", name="Up").get_by_text("y", exact=True).click()
    expect(page).to_have_url(re.compile(r"(?=.*mesh\.up=y)(?=.*mesh\.from=)(?=.*mesh\.own=1)"))
    own = first.get_attribute("data-camera") or ""
    page.reload()
    expect(first).to_have_attribute("data-state", "drawn")
    np.testing.assert_allclose(camera(first), [float(part) for part in own.split()], atol=0.02)

    # A context that the browser takes away comes back, and the pictures with it.
    page.evaluate(
        """() => { window.loss = window.contexts[0].getExtension('WEBGL_lose_context');
                   window.loss.loseContext() }"""
    )
    page.wait_for_function("window.contexts[0].isContextLost()")
    page.keyboard.press("f")
    assert first.evaluate(COLOURS_DRAWN) > 8
    was = first.evaluate(PICTURE)
    page.evaluate("window.loss.restoreContext()")
    page.wait_for_function("!window.contexts[0].isContextLost()")
    drag(page, first, 60, 20)
    page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before", arg=[first.element_handle(), was]
    )
    assert first.evaluate(COLOURS_DRAWN) > 8

    # At full size, with a file for other programs.
    card.hover()
    card.get_by_role("button", name="Open full size").click()
    expect(page.get_by_role("group", name="b", exact=True).locator("canvas")).to_have_attribute(
        "data-state", "drawn"
    )
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as downloaded:
        page.get_by_role("menuitem", name=re.compile("^a")).click()
    assert downloaded.value.suggested_filename == "world_terrain_a.ply"
    assert downloaded.value.path().read_bytes().startswith(b"ply\n")


def test_without_webgl_a_simpler_picture_is_drawn(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    write(tmp_path / "logs")
    page = open_page(page_url(serve(tmp_path / "logs")) + "?tab=mesh")
    page.add_init_script(NO_WEBGL)
    page.reload()
    surface, cloud = (
        picture(page, "world/terrain", "a"),
        picture(page, "world/cloud", "a"),
    )
    for canvas in (surface, cloud):
        expect(canvas).to_have_attribute("data-renderer", "flat")
        expect(canvas).to_have_attribute("data-state", "drawn")
    assert surface.evaluate(COLOURS_DRAWN) > 8
    note = page.get_by_text("WebGL is not available: simplified picture")
    expect(note).to_have_count(4)
    was = surface.evaluate(PICTURE)
    drag(page, surface, 50, 0)
    page.wait_for_function(
        "([canvas, before]) => canvas.toDataURL() !== before", arg=[surface.element_handle(), was]
    )
    page.get_by_role("radiogroup", name="Show").get_by_text("Wire", exact=True).click()
    expect(surface).to_have_attribute("data-show", "wire")


def test_what_is_wrong_is_said_and_the_rest_is_drawn(
    serve: Boards, open_page: OpenPage, tmp_path: Path
):
    logs = tmp_path / "logs"
    vertices, _, _ = terrain(1)
    vertices[0, 0, 2] = np.nan
    for number in range(6):
        with kymograph.SummaryWriter(logs / f"run{number}") as writer:
            config = {"camera": {"fov": 50, "position": [0, 0, 8]}} if number else {}
            faces = [[[0, 1, 2], [1, 2, 999], [1, 2, 13]]]
            writer.add_mesh("odd", vertices, np.ones((1, 3, 3)), faces, config, 1)
    # Vertices that are strings.
    event_files.write(
        logs / "broken",
        event_files.value(
            "bad_VERTEX",
            event_files.metadata("mesh", wire.text(2, "bad") + wire.integer(3, 1)),
            event_files.string_tensor(b"x"),
            step=1,
        ),
    )
    page = open_page(page_url(serve(logs)) + "?tab=mesh")
    canvas = picture(page, "odd", "run0")
    expect(canvas).to_have_attribute("data-state", "drawn")
    card = page.locator("[data-card=odd]")
    problems = card.get_by_role("group", name="run0").get_by_role("list", name="Problems")
    expect(problems.get_by_role("listitem")).to_have_text(
        [
            re.compile("^The colours are not drawn: there are 3 for 144 vertices"),
            re.compile("^1 vertex is not drawn"),
            re.compile("^1 triangle is not drawn: there is no vertex"),
            re.compile("^1 triangle is not drawn: a corner"),
        ]
    )
    expect(card).to_contain_text("2 more runs at full size")
    # The camera that was logged is used where there is one.
    expect(picture(page, "odd", "run1")).to_have_attribute(
        "data-camera", re.compile(r"^-1\.57 1\.5[67] ")
    )
    bad = page.locator("[data-card=bad]")
    expect(bad).to_contain_text("vertices are not numbers")
    expect(bad.get_by_role("link", name="Download as logged")).to_be_visible()
    expected = [one for one in open_page.complaints if "/api/v1/mesh/" in one or "400" in one]
    open_page.complaints[:] = [one for one in open_page.complaints if one not in expected]
    card.hover()
    card.get_by_role("button", name="Open full size").click()
    expect(page.locator("canvas[data-state=drawn]")).to_have_count(6)
    page.get_by_text("Logged config").click()
    expect(page.get_by_text('"fov": 50')).to_be_visible()
