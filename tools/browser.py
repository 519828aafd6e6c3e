"""Finds the browser that drives the page in tests, and on Debian can install one.

Run as a program it prints the browser's path; with `--install` it first installs Debian's
`chromium` if there is no browser and it may.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MACOS_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
ADVICE = (
    "no browser was found: install Chromium or Chrome (on Debian `apt-get install chromium`), "
    "or set `KYMOGRAPH_CHROMIUM` to the path of one"
)


class NoBrowserError(Exception):
    """There is no browser to test with; the message says how to get one."""


def find_browser(environ: Mapping[str, str] = os.environ) -> str:
    """The path of a Chromium or Chrome: `KYMOGRAPH_CHROMIUM` first, then what is on the PATH."""
    chosen = environ.get("KYMOGRAPH_CHROMIUM")
    if chosen:
        path = shutil.which(chosen, path=environ.get("PATH"))
        if path is None:
            raise NoBrowserError(f"`KYMOGRAPH_CHROMIUM` is not a program that can be run: {chosen}")
        return path
    for command in COMMANDS:
        if path := shutil.which(command, path=environ.get("PATH")):
            return path
    for app in MACOS_APPS:
        if os.access(app, os.X_OK):
            return app
    raise NoBrowserError(ADVICE)


def install_browser() -> None:
    """Installs Debian's `chromium`; raises `NoBrowserError` where that is not ours to do."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    apt = shutil.which("apt-get")
    if not (is_root and apt and _is_debian()):
        raise NoBrowserError(ADVICE)
    print("no browser was found: installing Debian's `chromium`", file=sys.stderr)
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        done = subprocess.run([apt, "-qq", *arguments], env=environ, stdout=sys.stderr, check=False)
        if done.returncode != 0:
            raise NoBrowserError(f"`apt-get {arguments[0]}` failed, its own message is above")


def _is_debian() -> bool:
    # Ubuntu also has /etc/debian_version, but its `chromium` is a stub for a snap.
    release = Path("/etc/os-release")
    return release.is_file() and "ID=debian" in release.read_text("utf-8").split()


def main(arguments: list[str]) -> int:
    try:
        try:
            browser = find_browser()
        except NoBrowserError:
            if "--install" not in arguments or "KYMOGRAPH_CHROMIUM" in os.environ:
                raise
            install_browser()
            browser = find_browser()
    except NoBrowserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(browser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
