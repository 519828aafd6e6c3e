"""Makes the pictures in docs/images from what commands print and the board shows."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright
from rich.console import Console
from rich.text import Text

import kymograph
from tools.browser import find_browser

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
DEMO = Path("build") / "demo-runs"
COLUMNS = 124
VIEWPORT: ViewportSize = {"width": 1120, "height": 592}

PICTURES = {
    "inspect": ["inspect", str(DEMO), "--run", "language/*", "--run", "vision/augment/*"],
}


def main() -> None:
    os.chdir(ROOT)  # so that the board, too, shows no path of this machine
    demo = [sys.executable, "examples/demo.py", str(DEMO), "--once"]
    subprocess.run(demo, check=True, stdout=subprocess.DEVNULL)
    for name, arguments in PICTURES.items():
        picture(name, arguments)
    board_picture("board")


def picture(name: str, arguments: list[str]) -> None:
    """One command and its output, as it stands in a terminal."""
    shown = " ".join(f"'{word}'" if "*" in word else word for word in ["kymograph", *arguments])
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text(f"$ {shown}"))
    console.print(Text.from_ansi(in_terminal(arguments)))
    console.save_svg(str(IMAGES / f"{name}.svg"), title=f"kymograph {arguments[0]}", unique_id=name)


def in_terminal(arguments: list[str]) -> str:
    """What a command prints into a terminal of the usual size."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    command = [sys.executable, "-m", "kymograph", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=follower, stderr=subprocess.DEVNULL) as process:
        os.close(follower)
        output = bytearray()
        while chunk := read(leader):
            output += chunk
        if process.wait() != 0:
            raise SystemExit(f"the command failed: {' '.join(command)}")
    return output.decode().replace("\r\n", "\n").rstrip()


def board_picture(name: str) -> None:
    """The page on the demo runs, as a browser draws it."""
    arguments = ["--disable-gpu", "--no-first-run", "--disable-background-networking"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium's sandbox refuses to run as root
    with kymograph.serve(DEMO) as board, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=arguments)
        page = browser.new_page(viewport=VIEWPORT, color_scheme="light")
        page.goto(board.url)
        page.get_by_role("row").nth(1).wait_for()
        page.get_by_role("status").get_by_text("Live").wait_for()
        page.evaluate("document.fonts.ready")
        page.screenshot(path=IMAGES / f"{name}.png")
        browser.close()


def read(leader: int) -> bytes:
    """The next bytes; none at the end, which Linux tells by an error."""
    try:
        return os.read(leader, 65536)
    except OSError:
        return b""


if __name__ == "__main__":
    main()
