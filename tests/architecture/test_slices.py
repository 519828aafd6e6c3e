"""A dashboard is one name in every tree; the core has the list of names."""

import re
from pathlib import Path

import pytest

from kymograph import _core

ROOT = Path(__file__).parents[2]

# What the core finds data for: the one list, which the server publishes as well (`GET /status`).
FILLED = frozenset(_core.DASHBOARDS)
# Views of the data of others, or of files beside event files.
VIEWS = frozenset({"distributions", "profile", "projector"})
DASHBOARDS = FILLED | VIEWS

# Where a slice may have a part, and how its name is written there.
TREES = {
    "crates/kymograph-core/src/dashboards": "{}.rs",
    "python/kymograph/dashboards": "{}.py",
    "python/kymograph/writer/summaries": "{}.py",
    "web/src/dashboards": "{}",
    "tests/dashboards": "test_{}.py",
    "tests/writer/summaries": "test_{}.py",
    "docs/dashboards": "{}.md",
    "examples/dashboards": "{}.py",
}
# The lists themselves, and what tools leave behind.
NO_SLICES = {
    "mod.rs",
    "__init__.py",
    "__pycache__",
    "conftest.py",
    "dashboard.ts",
    "index.ts",
    "index.test.ts",
    "README.md",
}


def strangers(root: Path, tree: str) -> list[str]:
    """Files of a tree that are named after no dashboard."""
    folder = root / tree
    found = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    # A part that has grown is a folder of the same name.
    slices = DASHBOARDS | {TREES[tree].format(name) for name in DASHBOARDS}
    return sorted(found - NO_SLICES - slices)


@pytest.mark.parametrize("tree", TREES)
def test_every_part_of_a_slice_carries_the_name_of_a_dashboard(tree: str):
    assert strangers(ROOT, tree) == []


@pytest.mark.parametrize("tree", TREES)
def test_a_part_under_another_name_is_found(tree: str, tmp_path: Path):
    folder = tmp_path / tree
    folder.mkdir(parents=True)
    for name in ("scalars", "scalar", "line_plots"):
        (folder / TREES[tree].format(name)).touch()
    expected = [TREES[tree].format(name) for name in ("line_plots", "scalar")]
    assert strangers(tmp_path, tree) == expected


def core_names() -> list[str]:
    """The list of the core, in the order in which dashboards are shown."""
    source = (ROOT / "crates/kymograph-core/src/dashboards/mod.rs").read_text("utf-8")
    names = dict(re.findall(r'Dashboard::(\w+) => "(\w+)"', source))
    order = re.findall(r"Dashboard::(\w+),", source.partition("ALL:")[2].partition("];")[0])
    return [names[variant] for variant in order]


def test_the_tabs_of_the_page_are_the_dashboards_of_the_core():
    """Otherwise data of a dashboard would be logged, and shown nowhere."""
    source = (ROOT / "web/src/dashboards/index.ts").read_text("utf-8")
    listed = source.partition("DASHBOARDS:")[2].partition("]\n")[0]
    tabs = re.findall(r"^  (?:later\('(\w+)'|(\w+),)", listed, re.MULTILINE)
    assert [later or own for later, own in tabs] == core_names()


def test_links_know_every_dashboard_of_the_core():
    """A card of a dashboard that links do not know would be taken for a scalar."""
    source = (ROOT / "web/src/state/card_ids.ts").read_text("utf-8")
    listed = source.partition("const DASHBOARD_NAMES = [")[2].partition("]")[0]
    assert set(core_names()) <= set(re.findall(r"'(\w+)'", listed))


def test_at_least_one_slice_reaches_the_core():
    """The check above is empty if the trees move; this one then fails."""
    assert any((ROOT / "crates/kymograph-core/src/dashboards").glob("*.rs"))
