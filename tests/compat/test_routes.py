"""An unmodified client of TensorBoard's routes gets from us what a real TensorBoard answers."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip(
    "tensorboard_data_server",
    reason="tensorboard-data-server is not installed: make test-frameworks",
)

from tests.compat import corpus, servers
from tests.compat.route_differences import DIFFERENCES, SAME, differing, rows_of, said
from tests.compat.tensorboard_client import Client, Found, everything

pytestmark = pytest.mark.frameworks


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus.make(tmp_path_factory.mktemp("logdir"))


@pytest.fixture(scope="module")
def ours(logdir: Path) -> Found:
    with servers.ours(logdir) as url:
        return everything(Client(url))


@pytest.fixture(scope="module", params=sorted(servers.LOADERS))
def theirs(request: pytest.FixtureRequest, logdir: Path) -> tuple[str, Found]:
    loader = request.param
    with servers.tensorboard(logdir, loader) as url:
        return loader, everything(Client(url))


def test_answers_are_equal_or_the_table_says_why(ours: Found, theirs: tuple[str, Found]) -> None:
    loader, answers = theirs
    wrong = [
        f"{place}\n    TensorBoard: {their!r:.200}\n    Kymograph:   {mine!r:.200}"
        for place, their, mine in differing(ours, answers, loader)
        if not rows_of(place, loader)
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_each_row_of_the_table_is_still_true(ours: Found, theirs: tuple[str, Found]) -> None:
    loader, answers = theirs
    found = [rows_of(place, loader) for place, _, _ in differing(ours, answers, loader)]
    seen = {row.case for rows in found for row in rows}
    told = {row.case for row in DIFFERENCES if said(row, loader) != SAME}
    assert told == seen


def test_each_route_has_answers_that_are_equal(ours: Found, theirs: tuple[str, Found]) -> None:
    _, answers = theirs
    equal = {place.route for place in ours if ours[place] == answers.get(place)}
    assert {place.route for place in ours} - equal <= {
        "environment/version",
        "environment/window_title",
        "window_properties",
        "plugins_listing/loading_mechanism",
        "runs/order",
        "images/images/1/content_type",
        "timeseries/images/1/content_type",
        "mesh/data/content_type",
    }


def test_tensorboard_samples_where_we_answer_every_point(logdir: Path) -> None:
    def points(url: str) -> list[list[float]]:
        answer = Client(url).get("plugin/scalars/scalars", run="written/train", tag="acc")
        found: list[list[float]] = answer.json()
        return found

    with servers.tensorboard(logdir, "rust", samples="") as url:
        theirs = points(url)
    with servers.ours(logdir) as url:
        ours = points(url)
    assert len(theirs) == 1000
    assert len(ours) == 2500
    assert all(point in ours for point in theirs)
