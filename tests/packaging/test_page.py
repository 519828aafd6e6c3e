"""When the page is built, when it must be there already, and when npm is never called."""

import os
from pathlib import Path

import pytest

from kymograph_build import page

INDEX = '<script type="module" src="./assets/index-1.js"></script>'
# A stand-in for npm that keeps a diary and builds a page of two files.
NPM = f"""#!/bin/sh
if [ "$1" = --version ]; then echo 11.0.0; exit; fi
echo "$@" >> ../diary
if [ "$1 $2" = "run build" ]; then
    /bin/mkdir -p ../{page.PAGE}/assets
    echo '{INDEX}' > ../{page.PAGE}/index.html
    echo 'x' > ../{page.PAGE}/assets/index-1.js
fi
"""


class Tree:
    """A small checkout with a fake npm."""

    def __init__(self, root: Path, commands: Path) -> None:
        self.root = root
        self.npm = commands / "npm"
        (root / "web/src").mkdir(parents=True)
        self.source = root / "web/src/main.ts"
        self.source.write_text("export {}")
        self.index = root / page.PAGE / "index.html"
        self.write_npm(NPM)
        node = commands / "node"
        node.write_text("#!/bin/sh\necho v24.0.0\n")
        node.chmod(0o755)

    def write_npm(self, script: str) -> None:
        self.npm.write_text(script)
        self.npm.chmod(0o755)

    def ensure(self, *, editable: bool = False) -> list[str]:
        """What npm was asked to do."""
        diary = self.root / "diary"
        diary.unlink(missing_ok=True)
        page.ensure_page(self.root, editable=editable)
        return diary.read_text().splitlines() if diary.exists() else []


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    commands = tmp_path / "commands"
    commands.mkdir()
    monkeypatch.setenv("PATH", str(commands))
    monkeypatch.delenv("KYMOGRAPH_WEB", raising=False)
    return Tree(tmp_path / "checkout", commands)


BUILD = ["ci", "run build"]


def test_checkout_always_builds_for_a_wheel(tree):
    assert tree.ensure() == BUILD
    assert tree.ensure() == BUILD


def test_editable_builds_when_missing_incomplete_or_older_than_a_source(tree):
    assert tree.ensure(editable=True) == BUILD
    assert tree.ensure(editable=True) == []

    (tree.index.parent / "assets/index-1.js").unlink()
    assert tree.ensure(editable=True) == BUILD

    later = tree.index.stat().st_mtime + 10
    os.utime(tree.source, (later, later))
    assert tree.ensure(editable=True) == BUILD


def test_editable_does_not_build_because_of_installed_packages(tree):
    tree.ensure(editable=True)
    installed = tree.root / "web/node_modules/vite.js"
    installed.parent.mkdir()
    installed.write_text("")
    later = tree.index.stat().st_mtime + 10
    os.utime(installed, (later, later))
    assert tree.ensure(editable=True) == []


@pytest.mark.parametrize("editable", [False, True])
def test_sdist_never_calls_npm(tree, editable):
    tree.ensure()
    (tree.root / "PKG-INFO").write_text("Name: kymograph\n")
    later = tree.index.stat().st_mtime + 10
    os.utime(tree.source, (later, later))
    assert tree.ensure(editable=editable) == []


@pytest.mark.parametrize("lost", ["index.html", "assets/index-1.js"])
def test_sdist_without_a_part_of_the_page_fails_naming_it(tree, lost):
    tree.ensure()
    (tree.root / "PKG-INFO").write_text("Name: kymograph\n")
    (tree.index.parent / lost).unlink()
    with pytest.raises(page.PageError, match=rf"source distribution is incomplete.*{lost}$"):
        tree.ensure()


def test_prebuilt_page_is_reused_and_must_exist(tree, monkeypatch):
    monkeypatch.setenv("KYMOGRAPH_WEB", "prebuilt")
    with pytest.raises(page.PageError, match="KYMOGRAPH_WEB=prebuilt"):
        tree.ensure()
    monkeypatch.delenv("KYMOGRAPH_WEB")
    tree.ensure()
    monkeypatch.setenv("KYMOGRAPH_WEB", "prebuilt")
    assert tree.ensure() == []


def test_unknown_setting_is_refused(tree, monkeypatch):
    monkeypatch.setenv("KYMOGRAPH_WEB", "skip")
    with pytest.raises(page.PageError, match=r"can only be `prebuilt` or unset: skip$"):
        tree.ensure()


def test_failing_npm_is_named_with_its_command(tree):
    tree.write_npm('#!/bin/sh\n[ "$1" = --version ] && echo 11.0.0 || exit 7\n')
    with pytest.raises(page.PageError, match=r"`npm ci` failed .* exit code 7$"):
        tree.ensure()


def test_build_that_writes_nothing_is_noticed(tree):
    tree.write_npm("#!/bin/sh\necho 11.0.0\n")
    with pytest.raises(page.PageError, match="did not write it"):
        tree.ensure()
