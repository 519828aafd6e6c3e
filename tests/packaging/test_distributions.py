"""The sdist and the wheel that people get: complete, for all Pythons, without npm."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from kymograph_build import page

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CALL_HOOK = """
import sys
from kymograph_build import backend
getattr(backend, sys.argv[1])(sys.argv[2])
"""
# Where maturin's program lies, which its Python module calls by name.
SCRIPTS = Path(sys.executable).parent


def build(
    hook: str, *, tree: Path, out: Path, path: str, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """Calls a hook of the backend that lies in `tree`, as pip would."""
    return subprocess.run(
        [sys.executable, "-c", CALL_HOOK, hook, str(out)],
        cwd=tree,
        env={
            **os.environ,
            "PATH": f"{path}{os.pathsep}{SCRIPTS}",
            "PYTHONPATH": str(tree / "build_backend"),
            # Compiled dependencies are shared with the other builds of this checkout.
            "CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target")),
            **environ,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    done = build(
        "build_sdist", tree=ROOT, out=out, path=os.environ["PATH"], KYMOGRAPH_WEB="prebuilt"
    )
    assert done.returncode == 0, done.stderr
    (file,) = out.iterdir()
    return file


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(out, filter="data")
    (tree,) = out.iterdir()
    # The archive's files are all of one old date; cargo would take what it compiled elsewhere.
    for source in tree.rglob("*.rs"):
        source.touch()
    return tree


@pytest.fixture(scope="module")
def path_without_npm(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The PATH, with an npm and a node in front that cannot be used."""
    planted = tmp_path_factory.mktemp("planted")
    for command in ("npm", "node"):
        (planted / command).write_text("#!/bin/sh\nexit 99\n")
        (planted / command).chmod(0o755)
    return f"{planted}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module")
def wheel(unpacked: Path, path_without_npm: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that a user's pip builds from the sdist, on a machine without a usable npm."""
    out = tmp_path_factory.mktemp("wheel")
    done = build("build_wheel", tree=unpacked, out=out, path=path_without_npm)
    assert done.returncode == 0, done.stderr
    (file,) = out.iterdir()
    return file


def assert_page_is_complete(names: list[str], index: str, folder: str) -> None:
    chunks = page.referenced_files(index)
    assert [chunk for chunk in chunks if re.search(r"-[\w-]{8}\.(js|css)$", chunk)]
    built = ROOT / page.PAGE
    files = [str(file.relative_to(built)) for file in built.rglob("*") if file.is_file()]
    assert {f"{folder}/{name}" for name in (*chunks, *files, "index.html")} <= set(names)


def test_sdist_holds_the_page_the_backend_and_every_source(sdist: Path, unpacked: Path):
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    index = (unpacked / page.PAGE / "index.html").read_text("utf-8")
    assert_page_is_complete(names, index, str(page.PAGE))
    tracked = subprocess.check_output(
        ["git", "ls-files", "crates", "python", "build_backend"], cwd=ROOT, text=True
    ).splitlines()
    needed = [name for name in tracked if "/tests/" not in name and "/benches/" not in name]
    needed += ["PKG-INFO", "pyproject.toml", "Cargo.toml", "Cargo.lock", "LICENSE", "README.md"]
    assert set(needed) - set(names) == set()


def test_sdist_holds_nothing_that_was_fetched_or_compiled(sdist: Path):
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert [
        name for name in names if re.search(r"node_modules|/target/|\.so$|__pycache__", name)
    ] == []


def test_one_wheel_serves_python_3_10_and_later(wheel: Path):
    assert re.fullmatch(r"kymograph-[\d.]+-cp310-abi3-\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        extensions = [name for name in archive.namelist() if name.endswith((".so", ".pyd"))]
    assert [Path(name).name.split(".")[:2] for name in extensions] in (
        [["_core", "abi3"]],
        [["_core", "pyd"]],
    )


def test_wheel_holds_the_page_types_licences_and_command(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        index = archive.read("kymograph/server/static/index.html").decode()
        (commands,) = (name for name in names if name.endswith("entry_points.txt"))
        command = archive.read(commands).decode().replace(" ", "")
        assert "kymograph=kymograph.__main__:main" in command
    assert_page_is_complete(names, index, "kymograph/server/static")
    assert "kymograph/py.typed" in names
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    assert [name for name in names if name.endswith("LICENSE-OFL.txt")]
    assert not [name for name in names if name.startswith(("tests", "build_backend", "tools"))]


def test_wheel_works_outside_the_checkout(wheel: Path, tmp_path: Path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        (metadata,) = (name for name in archive.namelist() if name.endswith("dist-info/METADATA"))
        (version,) = re.findall(r"^Version: (.*)$", archive.read(metadata).decode(), re.MULTILINE)
    answer = subprocess.check_output(
        [
            sys.executable,
            "-c",
            "import kymograph; print(kymograph.__version__, kymograph.__file__)",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        text=True,
    )
    assert answer.split() == [version, str(tmp_path / "site/kymograph/__init__.py")]


def test_sdist_that_lost_its_page_fails_in_one_sentence(
    unpacked: Path, path_without_npm: str, tmp_path: Path
):
    hidden = (unpacked / page.PAGE).rename(tmp_path / "hidden")
    try:
        done = build("build_wheel", tree=unpacked, out=tmp_path, path=path_without_npm)
    finally:
        hidden.rename(unpacked / page.PAGE)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "error: the built page is missing, the source distribution is incomplete, get another one: "
        "python/kymograph/server/static/index.html"
    ]
