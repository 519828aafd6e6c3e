"""Makes the pictures in docs/images from what the commands really print."""

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

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
DEMO = Path("build") / "demo-runs"
COLUMNS = 124

PICTURES = {
    "inspect": ["inspect", str(DEMO), "--run", "language/*", "--run", "vision/*seed0"],
}


def main() -> None:
    demo = [sys.executable, "examples/demo.py", str(DEMO), "--once"]
    subprocess.run(demo, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for name, arguments in PICTURES.items():
        picture(name, arguments)


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


def read(leader: int) -> bytes:
    """The next bytes; none at the end, which Linux tells by an error."""
    try:
        return os.read(leader, 65536)
    except OSError:
        return b""


if __name__ == "__main__":
    main()
