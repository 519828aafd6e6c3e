"""Scalars over HTTP: lines and bands of many cards, deltas, tables and downloads."""

import asyncio
import csv
import io
import json
import math
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np
import numpy.typing as npt
import pytest

from kymograph.asgi import frames, work
from kymograph.asgi.work import Workers
from kymograph.dashboards.scalars import downloads, lines, search, tables
from kymograph.store import long_form
from tests import event_files
from tests.server.boards import ROOT, BoardClient, served

NAN, INF = math.nan, math.inf
LONG = 5000
WILD = "x'\"<script>/..ü🧪"


def scalar_events(tag: str, values: npt.ArrayLike) -> list[bytes]:
    return [event_files.scalar(tag, step, value) for step, value in enumerate(np.asarray(values))]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    random = np.random.default_rng(7)
    event_files.write(
        logdir / "short",
        *scalar_events("loss", [3.0, NAN, 1.0, INF, 0.5]),
        *scalar_events("lr", [0.5, 0.25, 0.125, 0.0625, 0.03125]),
    )
    event_files.write(logdir / "long", *scalar_events("loss", random.normal(size=LONG)))
    event_files.write(logdir / "seeds/1", *scalar_events("return", [1.0, 2.0, 3.0]))
    event_files.write(logdir / "seeds/2", *scalar_events("return", [3.0, 4.0]))
    event_files.write(logdir / WILD, *scalar_events(WILD, [1.0]))
    with served(logdir) as client:
        yield client


class Answer(NamedTuple):
    columns: dict[str, npt.NDArray[Any]]
    meta: dict[str, Any]

    def line(self, name: str, at: int = 0) -> list[Any]:
        """The entries of a line in a column."""
        head = self.meta["series"][at]
        start = head["smoothed_start"] if "smoothed" in name else head["start"]
        if name == "x":
            start = head.get("x_start", start)
        entries: list[Any] = self.columns[name][start : start + head["length"]].tolist()
        return entries

    def band(self, name: str, at: int = 0) -> list[Any]:
        head = self.meta["groups"][at]
        stop = head["start"] + head["length"]
        entries: list[Any] = self.columns[f"band_{name}"][head["start"] : stop].tolist()
        return entries


def post(client: BoardClient, query: Any, path: str = "series") -> httpx.Response:
    headers = {"content-type": "application/json"}
    body = query if isinstance(query, bytes) else json.dumps(query).encode()
    return client.post(f"{ROOT}/scalars/{path}", content=body, headers=headers)


def ask(client: BoardClient, *cards: dict[str, Any], **query: Any) -> Answer:
    answer = post(client, {"cards": list(cards)} | query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == frames.MEDIA_TYPE
    return Answer(*frames.decode(answer.content))


# --- lines ---


def test_a_short_line_comes_point_by_point(client):
    answer = ask(client, {"tag": "loss", "runs": ["short"]})
    series = client.board.store["short"].series("loss")
    (head,) = answer.meta["series"]
    assert head == {
        "card": 0,
        "run": "short",
        "tag": "loss",
        "change": series.change,
        "generation": series.generation,
        "points": 5,
        "exact": True,
        "sorted": True,
        "points_in_range": 5,
        "skipped": 0,
        "bounds": [0.0, 4.0],
        "start": 0,
        "length": 5,
    }
    assert answer.meta["change"] == client.board.store.change
    assert answer.line("x") == [0, 1, 2, 3, 4]
    np.testing.assert_array_equal(answer.line("value"), [3.0, NAN, 1.0, INF, 0.5])


def test_a_long_line_comes_reduced_as_the_store_reduces_it(client):
    answer = ask(client, {"tag": "loss", "runs": ["long"], "columns": 100, "smoothing": "ema:0.9"})
    plot = client.board.store["long"].series("loss").lod(100, smoothing="ema:0.9")
    assert answer.meta["series"][0]["exact"] is False
    assert answer.meta["series"][0]["length"] == 100
    assert plot.smoothed is not None
    expected = {
        "column_x_first": plot.x_first,
        "column_x_last": plot.x_last,
        "column_count": plot.count,
        "column_flags": plot.flags,
    }
    for name in ("first", "min", "max", "last"):
        expected[f"column_{name}"] = getattr(plot.raw, name)
        expected[f"column_smoothed_{name}"] = getattr(plot.smoothed, name)
    for name, column in expected.items():
        np.testing.assert_array_equal(answer.line(name), column, err_msg=name)


def test_many_cards_share_the_columns(client):
    answer = ask(
        client,
        {"tag": "loss"},
        {"tag": "lr", "x": "relative_time"},
        {"tag": "loss", "runs": ["short"], "smoothing": "mean:3", "range": [1, 3]},
        {"tag": "loss", "runs": ["short"], "x": {"tag": "lr"}, "range": None},
        columns=50,
        range=[0, 1000],
    )
    heads = answer.meta["series"]
    placed = [(head["card"], head["run"], head["exact"], head["length"]) for head in heads]
    assert placed == [
        (0, "long", False, 50),
        (0, "short", True, 5),
        (1, "short", True, 5),
        (2, "short", True, 3),
        (3, "short", True, 5),
    ]
    assert heads[0]["points_in_range"] == 1001
    assert answer.line("x", 2) == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert answer.line("x", 3) == [1, 2, 3]
    assert answer.line("smoothed", 3)[1] == 1.0
    assert heads[3]["before"][:2] == [0.0, 3.0]
    assert heads[3]["after"][:2] == [4.0, 0.5]
    assert answer.line("x", 4) == [0.5, 0.25, 0.125, 0.0625, 0.03125]
    assert heads[4]["sorted"] is False


def test_neighbours_that_are_not_finite_are_spelt(client):
    answer = ask(client, {"tag": "loss", "runs": ["short"], "range": [2, 2], "smoothing": "mean:1"})
    assert answer.meta["series"][0]["before"] == [1.0, "NaN", "NaN"]
    assert answer.meta["series"][0]["after"] == [3.0, "Infinity", "Infinity"]


def test_any_name_is_a_name(client):
    answer = ask(client, {"tag": WILD, "runs": [WILD, "../short", "short/", "/etc", ""]})
    assert answer.meta["series"][0]["run"] == WILD
    assert answer.meta["series"][0]["tag"] == WILD
    lacking = [(missing["run"], missing["lacks"]) for missing in answer.meta["missing"]]
    assert lacking == [("../short", "run"), ("short/", "run"), ("/etc", "run"), ("", "run")]


def test_what_is_missing_is_named(client):
    answer = ask(
        client,
        {"tag": "loss", "runs": ["gone", "seeds/1", "short"]},
        {"tag": "loss", "x": {"tag": "lr"}},
        {"tag": "gone"},
    )
    assert [head["run"] for head in answer.meta["series"]] == ["short", "short"]
    assert answer.meta["missing"] == [
        {"card": 0, "run": "gone", "lacks": "run"},
        {"card": 0, "run": "seeds/1", "lacks": "tag"},
        {"card": 1, "run": "long", "lacks": "x"},
    ]


def test_no_cards_are_an_answer_too(client):
    answer = ask(client)
    assert answer.meta == {
        "instance": client.board.instance,
        "change": client.board.store.change,
        "series": [],
        "groups": [],
        "unchanged": [],
        "missing": [],
    }
    assert "value" in answer.columns
    assert "band_mean" in answer.columns
    assert all(len(column) == 0 for column in answer.columns.values())


# --- bands ---


def test_groups_become_bands(client):
    seeds = {"name": "seeds", "runs": ["seeds/1", "seeds/2", "gone"]}
    answer = ask(client, {"tag": "return", "groups": [seeds, {"name": "none", "runs": []}]})
    first, second = answer.meta["groups"]
    assert first == {
        "card": 0,
        "group": 0,
        "runs": 2,
        "exact": True,
        "skipped": 0,
        "start": 0,
        "length": 3,
    }
    assert (second["group"], second["runs"], second["length"]) == (1, 0, 0)
    assert answer.band("x") == [0.0, 1.0, 2.0]
    assert answer.band("count") == [2, 2, 1]
    assert answer.band("mean") == [2.0, 3.0, 3.0]
    assert answer.band("min") == [1.0, 2.0, 3.0]
    assert answer.meta["missing"] == [{"card": 0, "run": "gone", "lacks": "run", "group": 0}]


def test_bands_are_those_of_the_store(client):
    group = {"name": "all", "runs": ["short", "long"]}
    card = {"tag": "loss", "groups": [group], "columns": 20, "smoothing": "ema:0.5"}
    answer = ask(client, card, card)
    bands = client.board.store.select(tags="loss").bands(20, smoothing="ema:0.5")
    for at in (0, 1):
        for name in ("x", "count", "mean", "median", "std", "stderr", "iqm", "q25", "q75"):
            np.testing.assert_array_equal(answer.band(name, at), getattr(bands, name))


def test_bands_have_intervals_if_asked_for(client):
    groups = [{"name": "seeds", "runs": ["seeds/1", "seeds/2"]}]
    card = {"tag": "return", "groups": groups}
    answer = ask(client, card, card | {"bootstrap": "mean"})
    plain, booted = answer.meta["groups"]
    assert "boot_start" not in plain
    bands = client.board.store.select(tags="return").bands(bootstrap="mean")
    part = slice(booted["boot_start"], booted["boot_start"] + booted["length"])
    np.testing.assert_array_equal(answer.columns["band_boot_low"][part], bands.boot_low)
    np.testing.assert_array_equal(answer.columns["band_boot_high"][part], bands.boot_high)


def test_bands_may_be_drawn_over_another_tag(client):
    group = {"name": "one", "runs": ["short", "long"]}
    answer = ask(client, {"tag": "loss", "groups": [group], "x": {"tag": "lr"}})
    assert answer.meta["groups"][0]["runs"] == 1
    assert answer.meta["missing"] == [{"card": 0, "run": "long", "lacks": "x", "group": 0}]
    assert answer.band("x") == [0.03125, 0.125, 0.5]
    assert answer.band("mean") == [0.5, 1.0, 3.0]


# --- what is new ---


@pytest.fixture
def growing(tmp_path: Path) -> Iterator[tuple[BoardClient, Path]]:
    for run in ("a", "b"):
        events = scalar_events("loss", range(10)) + scalar_events("lr", range(10))
        event_files.write(tmp_path / run, *events)
    with served(tmp_path) as client:
        yield client, tmp_path


def grow(client: BoardClient, logdir: Path, run: str, tag: str, *steps: int) -> None:
    path = logdir / run / event_files.NAME
    event_files.append(path, *(event_files.scalar(tag, step, step) for step in steps))
    client.board.store.refresh()


def test_what_did_not_change_is_named_and_not_sent(growing):
    client, logdir = growing
    cards: list[dict[str, Any]] = [
        {"tag": "loss"},
        {"tag": "loss", "runs": ["b"], "x": {"tag": "lr"}},
        {"tag": "lr", "groups": [{"name": "g", "runs": ["a"]}, {"name": "h", "runs": ["a", "b"]}]},
    ]
    since = ask(client, *cards).meta["change"]
    answer = ask(client, *cards, since=since)
    assert answer.meta["series"] == answer.meta["groups"] == []
    assert answer.meta["unchanged"] == [
        {"card": 0, "run": "a"},
        {"card": 0, "run": "b"},
        {"card": 1, "run": "b"},
        {"card": 2, "group": 0},
        {"card": 2, "group": 1},
    ]
    assert all(len(column) == 0 for column in answer.columns.values())

    grow(client, logdir, "b", "lr", 10)
    answer = ask(client, *cards, since=since)
    assert [(head["card"], head["run"]) for head in answer.meta["series"]] == [(1, "b")]
    assert [(head["card"], head["group"]) for head in answer.meta["groups"]] == [(2, 1)]
    assert answer.meta["change"] > since


def test_a_band_changes_when_a_member_goes(growing):
    client, logdir = growing
    card = {"tag": "lr", "groups": [{"name": "g", "runs": ["a", "b"]}]}
    since = ask(client, card).meta["change"]
    shutil.rmtree(logdir / "a")
    client.board.store.refresh()
    answer = ask(client, card, since=since)
    assert answer.meta["groups"][0]["runs"] == 1
    assert answer.meta["missing"] == [{"card": 0, "run": "a", "lacks": "run", "group": 0}]


def test_a_run_that_went_is_neither_sent_nor_unchanged(growing):
    client, logdir = growing
    since = ask(client, {"tag": "loss"}).meta["change"]
    shutil.rmtree(logdir / "a")
    client.board.store.refresh()
    answer = ask(client, {"tag": "loss"}, since=since)
    assert answer.meta["series"] == []
    assert answer.meta["unchanged"] == [{"card": 0, "run": "b"}]


def test_smoothed_points_can_be_left_out_by_the_query_or_by_a_card(client):
    short = {"tag": "loss", "runs": ["short"]}
    answer = ask(
        client,
        short,
        short | {"smooth_points": True},
        short | {"range": [1, 3]},
        {"tag": "loss", "runs": ["long"], "columns": 100},
        smoothing="ema:0.6",
        smooth_points=False,
    )
    assert ["smoothed_start" in head for head in answer.meta["series"]] == [False, True, True, True]
    np.testing.assert_equal(answer.line("value"), answer.line("value", 1))
    assert answer.line("smoothed", 2)[1] == answer.line("smoothed", 1)[2]
    assert len(answer.line("column_smoothed_first", 3)) == 100


def test_lines_with_the_same_x_share_them_if_asked_to(client):
    both = {"runs": ["short"]}
    cards = (both | {"tag": "loss"}, both | {"tag": "lr"}, {"tag": "return"})
    heads = ask(client, *cards).meta["series"]
    assert [head["start"] for head in heads] == [0, 5, 10, 13]
    assert not any("x_start" in head for head in heads)
    answer = ask(client, *cards, share_x=True)
    heads = answer.meta["series"]
    starts = [(head["start"], head.get("x_start"), head["length"]) for head in heads]
    assert starts == [(0, None, 5), (5, 0, 5), (10, 5, 3), (13, 8, 2)]
    assert answer.columns["x"].tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 0, 1]
    assert answer.line("x", 1) == [0, 1, 2, 3, 4]
    assert answer.line("value", 1) == [0.5, 0.25, 0.125, 0.0625, 0.03125]


def test_equal_values_that_are_known_are_not_sent_again_where_the_client_smooths(growing):
    client, logdir = growing
    event_files.write(logdir / "flat", *scalar_events("loss", [1.0] * 10))
    client.board.store.refresh()
    card = {"tag": "loss", "runs": ["flat"], "smoothing": "ema:0.6"}
    old = ask(client, card)
    grow(client, logdir, "flat", "loss", 10)
    head = old.meta["series"][0]
    known = [{name: head[name] for name in ("run", "tag", "generation", "points")}]
    whole = ask(client, card, known=known)
    rest = ask(client, card, known=known, smooth_points=False)
    heads = [answer.meta["series"][0] for answer in (whole, rest)]
    assert [(head.get("from_point", 0), head["length"]) for head in heads] == [(0, 11), (10, 1)]


@pytest.mark.parametrize("smoothing", ["none", "ema:0.6", "mean:5", "median:3", "gaussian:1"])
def test_known_points_and_new_ones_make_the_whole_line(growing, smoothing):
    client, logdir = growing
    card = {"tag": "loss", "runs": ["a"], "smoothing": smoothing}
    old = ask(client, card)
    grow(client, logdir, "a", "loss", *range(10, 20))
    head = old.meta["series"][0]
    known = {name: head[name] for name in ("run", "tag", "generation", "points")}
    new = ask(client, card, since=old.meta["change"], known=[known])
    whole = ask(client, card)
    start = new.meta["series"][0].get("from_point", 0)
    assert 0 < start <= 10
    assert new.meta["series"][0]["length"] == 20 - start
    for name in ("x", "value", *([] if smoothing == "none" else ["smoothed"])):
        assert old.line(name)[:start] + new.line(name) == whole.line(name)


@pytest.mark.parametrize(
    ("card", "known"),
    [
        ({}, {"generation": -1}),
        ({}, {"tag": "lr"}),
        ({"range": [0, 100]}, {}),
        ({"columns": 2}, {}),
        ({"x": {"tag": "lr"}}, {}),
    ],
)
def test_where_old_points_may_have_changed_the_line_is_sent_whole(growing, card, known):
    client, _logdir = growing
    generation = client.board.store["a"].series("loss").generation
    one = {"run": "a", "tag": "loss", "generation": generation, "points": 5} | known
    answer = ask(client, {"tag": "loss", "runs": ["a"]} | card, known=[one])
    head = answer.meta["series"][0]
    assert "from_point" not in head
    assert head["length"] == (2 if card.get("columns") else 10)


def test_what_a_client_knows_of_another_instance_counts_for_nothing(growing):
    client, _logdir = growing
    card = {"tag": "loss", "runs": ["a"]}
    whole = ask(client, card)
    head = whole.meta["series"][0]
    known = {name: head[name] for name in ("run", "tag", "generation", "points")}
    ours = {"since": whole.meta["change"], "known": [known]}
    assert ask(client, card, instance=whole.meta["instance"], **ours).meta["series"] == []
    assert ask(client, card, instance="another", **ours).meta == whole.meta
    table = {"tags": ["loss"], "since": whole.meta["change"]}
    for instance, rows in [(whole.meta["instance"], 0), ("another", 2)]:
        columns, meta = frames.decode(
            post(client, table | {"instance": instance}, "summary").content
        )
        assert (len(columns["run"]), meta["instance"]) == (rows, whole.meta["instance"])


def test_points_may_be_known_to_one_card_only(growing):
    client, _logdir = growing
    generation = client.board.store["a"].series("loss").generation
    one = {"run": "a", "tag": "loss", "generation": generation, "points": 7}
    cards = [{"tag": "loss", "runs": ["a"]}] * 2

    def lengths(*known: dict[str, Any]) -> list[int]:
        answer = ask(client, *cards, known=list(known))
        return [head["length"] for head in answer.meta["series"]]

    assert lengths(one) == [3, 3]
    assert lengths(one | {"card": 1}) == [10, 3]
    assert lengths(one, one | {"card": 0, "points": 9}) == [1, 3]


def test_more_known_points_than_there_are_leave_nothing(growing):
    client, _logdir = growing
    generation = client.board.store["a"].series("loss").generation
    known = [{"run": "a", "tag": "loss", "generation": generation, "points": 2**62}]
    answer = ask(client, {"tag": "loss", "runs": ["a"]}, known=known)
    assert answer.meta["series"][0]["length"] == 0
    assert answer.meta["series"][0]["from_point"] == 10


# --- limits ---

CARD = {"tag": "loss"}


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({}, "missing required field `cards`"),
        ({"cards": [CARD], "colour": 1}, "unknown field `colour`"),
        ({"cards": [{}]}, "a card must have either `tag` or `expression`"),
        ({"cards": [CARD | {"columns": 0}]}, "`int` >= 1"),
        ({"cards": [CARD | {"columns": 16385}]}, "`int` <= 16384"),
        ({"cards": [CARD | {"x": "colour"}]}, "invalid enum value 'colour'"),
        ({"cards": [CARD | {"x": {"tag": 1}}]}, "expected `str`"),
        ({"cards": [CARD | {"range": [1]}]}, "length 2"),
        ({"cards": [CARD | {"range": [2, 1]}]}, "a range must be [min, max], not: [2.0, 1.0]"),
        (b'{"cards": [{"tag": "loss", "range": [0, 1e999]}]}', "out of range"),
        (b'{"cards": [{"tag": "loss", "range": [0, NaN]}]}', "malformed"),
        ({"cards": [CARD | {"smoothing": "wax:1"}]}, "unknown smoothing: `wax:1`"),
        ({"cards": [CARD | {"smoothing": "ema:2"}]}, "unknown smoothing"),
        ({"cards": [CARD | {"runs": [], "groups": []}]}, "`runs` or `groups`, not both"),
        ({"cards": [CARD] * 1001}, "length <= 1000"),
        ({"cards": [CARD | {"runs": ["x"] * 5001}]}, "length <= 5000"),
        ({"cards": [CARD | {"runs": ["x"] * 2501}] * 2}, "at most 5000 series"),
        ({"cards": [CARD | {"groups": [{"name": "", "runs": ["x"] * 2501}] * 2}]}, "at most 5000"),
        ({"cards": [CARD | {"groups": [{"name": "", "runs": []}] * 1001}]}, "length <= 1000"),
        ({"cards": [CARD | {"groups": [{"name": "", "runs": []}] * 1000}] * 6}, "at most 5000"),
        ({"cards": [CARD | {"bootstrap": "max"}]}, "invalid enum value 'max'"),
        ({"cards": [], "known": [{}] * 5001}, "missing required field `run`"),
        ({"cards": [], "since": "x"}, "expected `int | null`"),
        (b"[" * 200_000, "expected `object`"),
        (b"", "truncated"),
    ],
)
def test_invalid_queries_get_an_error_message(client, query, sentence):
    answer = post(client, query)
    assert answer.status_code == 400, answer.text
    assert sentence in answer.json()["error"]


def test_numbers_of_any_size_are_no_fault(client):
    for since in (-(2**63), 2**63, 2**200):
        assert post(client, {"cards": [CARD], "since": since}).status_code == 200
    for points in (2**64, 2**200):
        known = [{"run": "short", "tag": "loss", "generation": points, "points": points}]
        assert post(client, {"cards": [CARD], "known": known}).status_code == 200
    for end in (1e308, 5e-324, -1e308):
        query = {"cards": [CARD], "range": sorted([0, end])}
        assert post(client, query).status_code == 200


def test_all_of_too_many_runs_is_refused(client, monkeypatch):
    monkeypatch.setattr(search, "MOST_PAIRS", 20)
    monkeypatch.setattr(tables, "MOST_PAIRS", 20)
    assert post(client, {"cards": [CARD] * 4}).status_code == 200
    answer = post(client, {"cards": [CARD] * 5})
    assert (answer.status_code, "name the runs" in answer.text) == (400, True)
    query = {"tags": list("abcde")}
    assert post(client, query, "summary").status_code == 400


# --- expressions ---


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    random = np.random.default_rng(3)
    for number, length in enumerate((3, 4, LONG)):
        event_files.write(
            logdir / str(number),
            *scalar_events("train/loss", random.normal(size=length)),
            *scalar_events("val/loss", random.normal(size=length)),
        )
    event_files.write(logdir / "half", *scalar_events("train/loss", [1.0]))
    with served(logdir) as client:
        yield client


GAP = "train/loss - val/loss"


def gap(client: BoardClient, run: str) -> npt.NDArray[np.float64]:
    found = client.board.store[run]
    return found.series("train/loss").values - found.series("val/loss").values


def test_an_expression_is_a_line_for_each_run_that_has_its_tags(pairs):
    answer = ask(pairs, {"expression": GAP})
    assert [line["run"] for line in answer.meta["series"]] == ["0", "1", "2"]
    assert {line["tag"] for line in answer.meta["series"]} == {GAP}
    assert answer.line("x") == [0, 1, 2]
    np.testing.assert_allclose(answer.line("value"), gap(pairs, "0"))
    named = ask(pairs, {"expression": GAP, "runs": ["1", "half", "gone"]})
    np.testing.assert_allclose(named.line("value"), gap(pairs, "1"))
    assert named.meta["missing"] == [
        {"card": 0, "run": "half", "lacks": "tag"},
        {"card": 0, "run": "gone", "lacks": "run"},
    ]


def test_an_expression_is_smoothed_reduced_and_zoomed_like_a_tag(pairs):
    card = {"expression": GAP, "runs": ["2"], "columns": 40, "smoothing": "mean:5"}
    answer = ask(pairs, card, card | {"range": [100, 120]}, card | {"x": {"tag": "val/loss"}})
    whole, part, other = answer.meta["series"]
    assert (whole["exact"], whole["points"], whole["length"]) == (False, LONG, 40)
    values = gap(pairs, "2")
    np.testing.assert_allclose(max(answer.line("column_max")), values.max())
    assert (part["exact"], part["points_in_range"]) == (True, 21)
    assert answer.line("x", 1) == list(range(100, 121))
    np.testing.assert_allclose(answer.line("value", 1), values[100:121])
    np.testing.assert_allclose(answer.line("smoothed", 1)[10], values[108:113].mean())
    assert other["points_in_range"] == LONG


def test_groups_of_an_expression_are_bands(pairs):
    group = {"name": "all", "runs": ["0", "1", "half"]}
    answer = ask(pairs, {"expression": GAP, "groups": [group]})
    (band,) = answer.meta["groups"]
    assert band["runs"] == 2
    assert answer.band("count") == [2, 2, 2, 1]
    np.testing.assert_allclose(
        answer.band("mean")[:3], (gap(pairs, "0")[:3] + gap(pairs, "1")[:3]) / 2
    )
    assert answer.meta["missing"] == [{"card": 0, "run": "half", "lacks": "tag", "group": 0}]


def test_a_line_of_an_expression_is_followed_like_a_tag(growing):
    client, logdir = growing
    card = {"expression": "loss * 2", "runs": ["a", "b"]}
    before = ask(client, card)
    grow(client, logdir, "b", "loss", 10)
    known = [
        {name: line[name] for name in ("run", "tag", "generation", "points")}
        for line in before.meta["series"]
    ]
    since = before.meta["change"]
    answer = ask(client, card, since=since, known=known)
    assert answer.meta["unchanged"] == [{"card": 0, "run": "a"}]
    (line,) = answer.meta["series"]
    assert (line["run"], line["from_point"]) == ("b", before.meta["series"][1]["points"])
    new = client.board.store["b"].series("loss").values[line["from_point"] :]
    np.testing.assert_allclose(answer.line("value"), 2 * new)


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ({"expression": "train/loss -"}, "at character 13: expected a tag"),
        ({"expression": "a", "tag": "a"}, "a card must have either `tag` or `expression`"),
        ({}, "a card must have either `tag` or `expression`"),
        ({"expression": ""}, "expected `str` of length >= 1"),
    ],
)
def test_what_cannot_be_computed_gets_a_sentence(pairs, card, sentence):
    for path in ("series", "export"):
        answer = post(pairs, {"cards": [card]}, path)
        assert answer.status_code == 400
        assert sentence in answer.json()["error"]


def test_a_tag_and_an_expression_of_its_name_are_two_lines(client):
    cards = [{"tag": "loss", "runs": ["short"]}, {"expression": "loss", "runs": ["short"]}]
    tag, expression = ask(client, *cards).meta["series"]
    assert tag["generation"] != expression["generation"]


# --- tables ---


def test_a_table_has_a_row_for_each_series(client):
    answer = post(client, {"tags": ["loss", "lr", "gone", "loss"]}, "summary")
    columns, meta = frames.decode(answer.content)
    assert (meta["instance"], meta["change"]) == (client.board.instance, client.board.store.change)
    assert meta["tags"] == ["loss", "lr", "gone"]
    rows = [
        (meta["runs"][run], meta["tags"][tag])
        for run, tag in zip(columns["run"], columns["tag"], strict=True)
    ]
    assert rows == [("long", "loss"), ("short", "loss"), ("short", "lr")]
    row = {name: column[1].item() for name, column in columns.items()}
    assert (row["count"], row["first_step"], row["last_step"]) == (5, 0, 4)
    assert (row["last_value"], row["last_wall_time"]) == (0.5, event_files.START + 4)
    assert (row["min"], row["min_step"], row["max"], row["max_step"]) == (0.5, 4, 3.0, 0)
    assert (row["nan_count"], row["first_nan_step"], row["inf_count"]) == (1, 1, 1)
    assert columns["first_nan_step"][2].item() == -(2**63)
    assert row["generation"] == client.board.store["short"].series("loss").generation


def test_a_table_of_some_runs_and_of_what_changed(growing):
    client, logdir = growing

    def runs(**query: Any) -> list[str]:
        answer = post(client, {"tags": ["loss"]} | query, "summary")
        assert answer.status_code == 200
        columns, meta = frames.decode(answer.content)
        return [meta["runs"][run] for run in columns["run"]]

    assert runs() == ["a", "b"]
    assert runs(runs=["b", "gone"]) == ["b"]
    assert runs(runs=[]) == []
    since = client.board.store.change
    assert runs(since=since) == []
    grow(client, logdir, "b", "loss", 10)
    assert runs(since=since) == ["b"]


# --- downloads ---


def download(client: BoardClient, **query: Any) -> httpx.Response:
    return client.get(f"{ROOT}/scalars/download", params=query)


def test_a_table_of_text_has_every_point(client):
    answer = download(client, run="long", tag="loss")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows[0] == ["Wall time", "Step", "Value"]
    series = client.board.store["long"].series("loss")
    assert [float(row[0]) for row in rows[1:]] == series.wall_times.tolist()
    assert [int(row[1]) for row in rows[1:]] == series.steps.tolist()
    assert [float(row[2]) for row in rows[1:]] == series.values.tolist()


@pytest.mark.parametrize("chunk", [1, 2, 3, 4, 5, 6, 100])
def test_pieces_make_the_same_whole(client, monkeypatch, chunk):
    monkeypatch.setattr(downloads, "_CHUNK", chunk)
    values = ["3.0", "nan", "1.0", "inf", "0.5"]
    lines = [f"{event_files.START + at},{at},{value}" for at, value in enumerate(values)]
    text = "\r\n".join(["Wall time,Step,Value", *lines, ""])
    assert download(client, run="short", tag="loss", format="csv").text == text
    rows = download(client, run="short", tag="loss", format="json").json()
    assert [row[2] for row in rows] == [3.0, "NaN", 1.0, "Infinity", 0.5]
    assert [row[:2] for row in rows] == [[event_files.START + at, at] for at in range(5)]


def test_the_file_has_a_name_that_cannot_break_out_of_its_header(client):
    answer = download(client, run=WILD, tag=WILD)
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment; filename*=UTF-8''x%27%22%3Cscript%3E%2F")
    assert set("\"'<>/ ").isdisjoint(disposition.partition("''")[2])
    head = client.request("HEAD", f"{ROOT}/scalars/download", params={"run": WILD, "tag": WILD})
    assert (head.status_code, head.content) == (200, b"")
    tag = answer.headers["etag"]
    again = client.get(str(answer.url), headers={"if-none-match": tag})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("query", "status", "sentence"),
    [
        ({"run": "gone", "tag": "loss"}, 404, "no such run: 'gone'"),
        ({"run": "short", "tag": "gone"}, 404, "has no scalars with the tag: 'gone'"),
        ({"run": "short", "tag": "loss", "format": "xls"}, 400, "invalid enum value 'xls'"),
        ({"run": "short"}, 400, "missing required field `tag`"),
    ],
)
def test_what_cannot_be_downloaded_gets_a_sentence(client, query, status, sentence):
    answer = download(client, **query)
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


# --- exports ---


def export(client: BoardClient, *cards: dict[str, Any], **query: Any) -> httpx.Response:
    return post(client, {"cards": list(cards)} | query, "export")


@pytest.mark.parametrize("piece", [1, 4, 5, 1000])
def test_an_export_has_every_point_of_all_cards_once(client, monkeypatch, piece):
    monkeypatch.setattr(long_form, "_PIECE", piece)
    some = {"tag": "loss", "runs": ["short", "gone"]}
    cards: list[dict[str, Any]] = [{"tag": "return"}, some, {"tag": "return"}]
    answer = export(client, *cards)
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="scalars.csv"'
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows[0] == ["run", "tag", "step", "wall_time", "value"]
    expected = [
        (series.run, series.tag, *point)
        for series in [
            client.board.store["seeds/1"].series("return"),
            client.board.store["seeds/2"].series("return"),
            client.board.store["short"].series("loss"),
        ]
        for point in zip(series.steps, series.wall_times, series.values, strict=True)
    ]
    np.testing.assert_equal(
        [
            (run, tag, int(step), float(wall), float(value))
            for run, tag, step, wall, value in rows[1:]
        ],
        expected,
    )
    rows = export(client, *cards, format="json").json()
    assert [tuple(row) for row in rows] == [("run", "tag", "step", "wall_time", "value")] * 10
    assert [row["value"] for row in rows[5:]] == [3.0, "NaN", 1.0, "Infinity", 0.5]
    assert [row["run"] for row in rows] == [row[0] for row in expected]


def test_an_export_has_what_expressions_make(pairs):
    rows = list(csv.DictReader(io.StringIO(export(pairs, {"expression": GAP, "runs": ["0"]}).text)))
    assert [(row["run"], row["tag"]) for row in rows] == [("0", GAP)] * 3
    np.testing.assert_allclose([float(row["value"]) for row in rows], gap(pairs, "0"))


def test_an_export_of_nothing_is_well_formed(client):
    assert export(client).text == "run,tag,step,wall_time,value\n"
    assert export(client, {"tag": "gone"}, format="json").json() == []


def test_names_in_an_export_are_quoted(client):
    (row,) = csv.DictReader(io.StringIO(export(client, {"tag": WILD}).text))
    assert (row["run"], row["tag"]) == (WILD, WILD)


# --- threads ---


@contextmanager
def kept_busy(workers: Workers) -> Iterator[None]:
    """While it lasts, nothing else is done by these workers."""
    over = threading.Event()
    started = threading.Barrier(5)

    def wait() -> None:
        started.wait(60)
        over.wait(60)

    async def all_wait() -> None:
        await asyncio.gather(*(workers.run(wait) for _ in range(4)))

    thread = threading.Thread(target=lambda: asyncio.run(all_wait()))
    thread.start()
    started.wait(60)
    try:
        yield
    finally:
        over.set()
        thread.join()


PLAIN = {"Accept-Encoding": "identity"}
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("/scalars/series", {"cards": [{"tag": "loss"}]}),
    ("/scalars/series", {"cards": [{"tag": "return", "groups": [{"name": "", "runs": ["long"]}]}]}),
    ("/scalars/summary", {"tags": ["loss"]}),
]


@pytest.mark.parametrize(("path", "query"), QUESTIONS)
def test_small_questions_do_not_wait_for_large_ones(
    client: BoardClient, path: str, query: dict[str, Any]
):
    with kept_busy(client.board.slow_workers):
        assert client.post(ROOT + path, json=query, headers=PLAIN).status_code == 200
        for other in ("/runs", "/tags", "/status", "/curation"):
            assert client.get(ROOT + other).status_code == 200


@pytest.mark.parametrize(("path", "query"), QUESTIONS)
def test_large_questions_have_threads_of_their_own(
    client: BoardClient, path: str, query: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    for limit in ("_TINY_POINTS", "_FEW_POINTS", "_FEW_PAIRS"):
        monkeypatch.setattr(work, limit, -1)
    with kept_busy(client.board.workers):
        assert client.post(ROOT + path, json=query, headers=PLAIN).status_code == 200


def test_a_question_for_a_few_points_waits_for_no_thread(client: BoardClient):
    query = {"cards": [{"tag": "return", "runs": ["seeds/1", "seeds/2", "none"]}]}
    with kept_busy(client.board.workers), kept_busy(client.board.slow_workers):
        answer = client.post(f"{ROOT}/scalars/series", json=query, headers=PLAIN)
    assert answer.status_code == 200
    columns, meta = frames.decode(answer.content)
    assert [line["run"] for line in meta["series"]] == ["seeds/1", "seeds/2"]
    assert len(columns["value"]) == sum(line["length"] for line in meta["series"]) > 0


def test_intervals_are_never_a_small_question(client: BoardClient):
    group = lines.Group("seeds", ["seeds/1", "seeds/2"])
    cards = [lines.Card("return", groups=[group])]
    drawing = lines.find(client.board, lines.SeriesQuery(cards))
    assert drawing.cost is work.Cost.TINY
    drawing = lines.find(client.board, lines.SeriesQuery(cards, bootstrap="mean"))
    assert drawing.cost is work.Cost.SLOW
