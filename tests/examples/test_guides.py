"""The code in the guides runs on the demo runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python_blocks(guide: str) -> list[str]:
    text = (ROOT / f"docs/guides/{guide}.md").read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


BLOCKS = python_blocks("read-from-python")


def test_the_code_of_the_python_guide_runs(tmp_path: Path):
    assert len(BLOCKS) >= 5
    demo = [sys.executable, str(ROOT / "examples/demo.py"), "build/demo-runs", "--once"]
    subprocess.check_output(demo, cwd=tmp_path, timeout=120)
    # The block that waits for changes would wait forever.
    program = "\n".join(block for block in BLOCKS if "subscribe" not in block)
    output = subprocess.check_output(
        [sys.executable, "-W", "error", "-c", program], cwd=tmp_path, text=True, timeout=120
    )
    assert "gpt/medium" in output
    assert (tmp_path / "filters.png").read_bytes().startswith(b"\x89PNG")


def test_the_block_that_waits_compiles():
    (block,) = (block for block in BLOCKS if "subscribe" in block)
    compile(block, "guide", "exec")


def test_the_code_of_the_guide_to_the_board_runs(tmp_path: Path):
    (block,) = python_blocks("watch-a-board")
    output = subprocess.check_output(
        [sys.executable, "-W", "error", "-c", block], cwd=tmp_path, text=True, timeout=120
    )
    assert re.fullmatch(r"http://localhost:\d+/\n", output)


@pytest.mark.parametrize("guide", ["capture", "log-from-pytorch", "ranks"])
def test_the_code_of_a_guide_to_the_writer_runs(guide: str, tmp_path: Path):
    blocks = python_blocks(guide)
    assert len(blocks) >= 3
    subprocess.check_output(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks)], cwd=tmp_path, timeout=120
    )
    assert list(tmp_path.rglob("events.out.tfevents.*"))


@pytest.mark.parametrize("module", ["kymograph.store", "kymograph.errors"])
def test_every_name_of_the_package_is_in_the_reference(module: str):
    page = (ROOT / "docs/reference/python-api.md").read_text("utf-8")
    names = set(__import__(module, fromlist=["__all__"]).__all__)
    assert {name for name in names if not re.search(rf"`[^`\n]*\b{name}\b", page)} == set()
