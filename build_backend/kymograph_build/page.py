"""The page inside the Python package: when it is built, when it must be there already.

                     git checkout                      unpacked sdist
    wheel, sdist     npm ci, npm run build             must be there, npm is never called
    editable         the same, if missing or stale     must be there, npm is never called

`KYMOGRAPH_WEB=prebuilt` treats a git checkout like an sdist, so that a page built once serves many
wheels.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from kymograph_build import prerequisites

PAGE = Path("python/kymograph/server/static")
WEB = Path("web")

# Parts of `web/` that the page is not made of.
_NOT_SOURCES = {"node_modules", "canary", "bench"}


class PageError(Exception):
    """The page is missing or could not be built; the message says what to do."""


def ensure_page(root: Path, *, editable: bool) -> None:
    """Leaves a complete page in the package under `root`, or raises `PageError`."""
    if _is_sdist(root):
        _require_page(root, "the source distribution is incomplete, get another one")
    elif _is_prebuilt():
        _require_page(
            root, "`KYMOGRAPH_WEB=prebuilt` is set, so run `npm run build` in `web` first"
        )
    elif not (editable and is_fresh(root)):
        build_page(root)
        _require_page(root, "`npm run build` did not write it")


def build_page(root: Path) -> None:
    """Installs exactly what the lockfile names and builds the page from it."""
    prerequisites.require("node", "npm")
    npm = str(shutil.which("npm"))
    for arguments in (["ci"], ["run", "build"]):
        done = subprocess.run([npm, *arguments], cwd=root / WEB, check=False)
        if done.returncode != 0:
            command = " ".join(["npm", *arguments])
            raise PageError(
                f"`{command}` failed with the message above: exit code {done.returncode}"
            )


def is_fresh(root: Path) -> bool:
    """Whether the page is complete and no source of it is newer."""
    if missing_files(root):
        return False
    built = (root / PAGE / "index.html").stat().st_mtime
    return all(source.stat().st_mtime <= built for source in _sources(root / WEB))


def missing_files(root: Path) -> list[str]:
    """Files of the page that are not there: its index, or whatever that refers to."""
    index = root / PAGE / "index.html"
    if not index.is_file():
        return ["index.html"]
    named = referenced_files(index.read_text("utf-8"))
    return [name for name in named if not (root / PAGE / name).is_file()]


def referenced_files(index_html: str) -> list[str]:
    """The relative URLs of scripts, styles and icons in the page's index; not those of the API."""
    return re.findall(r'(?:src|href)="\./(?!api/)([^"]+)"', index_html)


def _require_page(root: Path, advice: str) -> None:
    missing = missing_files(root)
    if missing:
        raise PageError(f"the built page is missing, {advice}: {PAGE / missing[0]}")


def _is_sdist(root: Path) -> bool:
    return (root / "PKG-INFO").is_file()


def _is_prebuilt() -> bool:
    wanted = os.environ.get("KYMOGRAPH_WEB", "")
    if wanted not in ("", "prebuilt"):
        raise PageError(f"`KYMOGRAPH_WEB` can only be `prebuilt` or unset: {wanted}")
    return wanted == "prebuilt"


def _sources(web: Path) -> Iterator[Path]:
    for path in web.iterdir():
        if path.is_file():
            yield path
        elif path.name not in _NOT_SOURCES:
            yield from (inner for inner in path.rglob("*") if inner.is_file())
