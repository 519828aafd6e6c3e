"""An unmodified client of TensorBoard's routes gets from us what a real TensorBoard answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")
pytest.importorskip(
    "tensorboard_data_server",
    reason="tensorboard-data-server is not installed: make test-frameworks",
)

from tests.compat import corpus, servers
from tests.compat.route_differences import DIFFERENCES, SAME, differing, rows_of, said
from tests.compat.tensorboard_client import Client, Found, Place, everything, sessions

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
    stated = {row.case for row in DIFFERENCES if said(row, loader) != SAME}
    assert stated == seen


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


LR, LOSS = {"hparam": "lr"}, {"metric": {"group": "", "tag": "loss"}}
EVAL = {"metric": {"group": "eval", "tag": "loss"}}
REQUESTS: dict[str, dict[str, Any]] = {
    "all": {},
    "nothing": {"sliceSize": 0},
    "slice": {"startIndex": 1, "sliceSize": 2},
    "statuses": {"allowedStatuses": ["STATUS_SUCCESS", 3]},
    "no_metrics": {"includeMetrics": False},
    "snake_case": {"col_params": [{**LR, "order": 1, "missing_values_first": True}]},
    "ascending": {"colParams": [{**LR, "order": "ORDER_ASC"}]},
    "descending": {"colParams": [{**LR, "order": "ORDER_DESC", "missingValuesFirst": True}]},
    "descending, missing last": {"colParams": [{**LR, "order": "ORDER_DESC"}]},
    "by two": {"colParams": [{"hparam": "nesterov", "order": 1}, {**LOSS, "order": 2}]},
    "interval": {"colParams": [{**LR, "filterInterval": {"minValue": 0.1, "maxValue": 0.2}}]},
    "known": {"colParams": [{**LR, "excludeMissingValues": True}]},
    "regex": {"colParams": [{"hparam": "optimizer", "filterRegexp": "d.m$"}]},
    "discrete": {"colParams": [{"hparam": "mixed", "filterDiscrete": [5.0]}]},
    "metric": {"colParams": [{**EVAL, "filterInterval": {"minValue": 1, "maxValue": 3}}]},
    "included": {"colParams": [{**LR, "includeInResult": True}]},
    "excluded": {"colParams": [{**LR, "includeInResult": False}, {"hparam": "same"}]},
    "median": {"aggregationType": "AGGREGATION_MEDIAN", "aggregationMetric": LOSS["metric"]},
    "least": {"aggregationType": "AGGREGATION_MIN", "aggregationMetric": EVAL["metric"]},
    "greatest": {"aggregationType": 4, "aggregationMetric": EVAL["metric"]},
    "unknown": {"nothing": 1},
    "unknown order": {"colParams": [{**LR, "order": "UPWARDS"}]},
    "regex for numbers": {"colParams": [{**LR, "filterRegexp": "a"}]},
    "neither": {"colParams": [{"order": 1}]},
}


@pytest.mark.parametrize("loader", sorted(servers.LOADERS))
@pytest.mark.parametrize("name", ["torch", "tensorboardx", "tensorflow", "written"])
def test_sessions_are_equal(tmp_path: Path, name: str, loader: str) -> None:
    """One experiment at a time: of several TensorBoard takes any."""
    logdir = corpus.GOLDEN / name
    requests = {"all": REQUESTS["all"]}
    if name == "written":
        logdir, requests = tmp_path, REQUESTS
        corpus.write_sessions(logdir)
    with servers.tensorboard(logdir, loader) as url:
        theirs = sessions(Client(url), requests)
    with servers.ours(logdir) as url:
        ours = sessions(Client(url), requests)
    for found in (theirs, ours):
        for one in found[Place("hparams/experiment")]["hparamInfos"]:
            one.get("domainDiscrete", []).sort(key=str)  # a set to TensorBoard
    assert ours == theirs


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
