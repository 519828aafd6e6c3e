"""TensorBoard's own loaders agree with ours, but for the differences we intend."""

from __future__ import annotations

import functools
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.interop.differences import DIFFERENCES, Difference, Shows, row_of

pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip(
    "tensorboard_data_server",
    reason="tensorboard-data-server is not installed: make test-frameworks",
)

from tests.interop import tensorboard_loaders as loaders

if TYPE_CHECKING:
    from tests.interop.tensorboard_loaders import Found, Place, Point

pytestmark = pytest.mark.frameworks

LOGDIRS = Path(__file__).parents[1] / "golden" / "logdirs"
NAMES = sorted(path.parent.name for path in LOGDIRS.glob("*/expected.json"))
LOADERS: dict[str, Callable[[Path], Found]] = {
    "python": loaders.read_python,
    "rust": loaders.read_rust,
}


@functools.cache
def ours(name: str) -> Found:
    return loaders.read_ours(LOGDIRS / name)


def theirs(name: str, loader: str, scratch: Path) -> Found:
    """What a TensorBoard loader finds; damaged runs one by one, for they break each other."""
    read = LOADERS[loader]
    if name != "damaged":
        return read(LOGDIRS / name)
    found: Found = {}
    for run in sorted(path.name for path in (LOGDIRS / name).iterdir() if path.is_dir()):
        if expected_of(row_of(name, "scalars", run, "loss"), loader) is Shows.NOT_ASKED:
            continue
        alone = scratch / run
        shutil.copytree(LOGDIRS / name / run, alone / run)
        found.update(read(alone))
    return found


def expected_of(row: Difference | None, loader: str) -> Shows:
    if row is None:
        return Shows.SAME
    return row.python if loader == "python" else row.rust


def comparison(ours: list[Point], theirs: list[Point]) -> Shows:
    mine, other = [[_key(point) for point in points] for points in (ours, theirs)]
    if mine == other:
        return Shows.SAME
    if not other:
        return Shows.NOTHING
    mine_counted, other_counted = Counter(mine), Counter(other)
    if mine_counted == other_counted:
        return Shows.REORDERED
    if other_counted < mine_counted:
        return Shows.FEWER
    if mine_counted < other_counted:
        return Shows.MORE
    if [_key(point, np.float32) for point in ours] == other:
        return Shows.ROUNDED
    return Shows.OTHER


def _key(point: Point, kind: type[np.floating[Any]] = np.float64) -> str:
    """A text that is equal for equal points, NaN included."""

    def plain(content: Any) -> Any:
        if isinstance(content, float):
            return float(kind(content))
        if isinstance(content, tuple):
            return tuple(plain(item) for item in content)
        return content

    return repr((point.step, point.wall_time, plain(point.content)))


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("name", NAMES)
def test_loader_agrees_or_the_table_says_why(name: str, loader: str, tmp_path: Path) -> None:
    mine, other = ours(name), theirs(name, loader, tmp_path)
    wrong = []
    for place in sorted(mine, key=_name):
        row = row_of(name, place.dashboard, place.run, place.tag)
        wanted = expected_of(row, loader)
        if wanted is Shows.NOT_ASKED:
            continue
        shown = comparison(mine[place], other.get(place, []))
        if shown is not wanted:
            wrong.append(f"{name}:{_name(place)}: {shown.value}, not {wanted.value}")
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("name", NAMES)
def test_loader_finds_no_tag_that_we_miss(name: str, loader: str, tmp_path: Path) -> None:
    beyond = [
        f"{name}:{_name(place)}"
        for place, points in theirs(name, loader, tmp_path).items()
        if points and place not in ours(name)
    ]
    assert sorted(beyond) == sorted(BEYOND.get((name, loader), []))


# Tags that only TensorBoard has, with what we have instead.
BEYOND = {
    # A value with a node_name and no tag: a nameless tag there, the node's name here.
    ("synthetic", "python"): ["synthetic:scalars:node_name:"],
    ("synthetic", "rust"): ["synthetic:scalars:node_name:"],
}


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.case)
def test_each_row_speaks_of_golden_files(row: Difference) -> None:
    places = [(n, place) for n in NAMES for place in ours(n)]
    for pattern in row.where:
        alone = Difference(**{**row.__dict__, "where": (pattern,)})
        assert any(_matches(alone, name, place) for name, place in places), pattern


def _matches(row: Difference, name: str, place: Place) -> bool:
    return row_of(name, place.dashboard, place.run, place.tag, rows=[row]) is row


def _name(place: Place) -> str:
    return f"{place.dashboard}:{place.run}:{place.tag}"
