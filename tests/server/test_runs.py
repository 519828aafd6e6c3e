"""The list of runs: what is in it, how it is searched and sorted, and pages while runs come."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kymograph
from tests import event_files
from tests.server.boards import ROOT, BoardClient, served

# Names that would be trouble if anyone took them for paths, markup or patterns.
NAMES = ["Alpha", "alpha/beta", "a b&c=d", "ünïcødé 🧪", "x'\"<script>", "sub/..hidden", "%2e%2e"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    for number, name in enumerate(NAMES):
        start = event_files.START + 100 * (number % 3)
        path = logdir / name / event_files.NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(
            event_files.header(start)
            + event_files.scalar("loss", 1, 0.5, start + 1)
            + event_files.scalar("loss", 2, 0.25, start + 2 + number)
        )
    event_files.append(
        logdir / "Alpha" / event_files.NAME,
        event_files.value(
            "note",
            event_files.string_tensor(b"hi"),
            event_files.metadata("text"),
            step=3,
            wall_time=event_files.START + 50,
        ),
    )
    with served(logdir) as client:
        yield client


def ask(client: BoardClient, **query: Any) -> dict[str, Any]:
    answer = client.get(f"{ROOT}/runs", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def names(client: BoardClient, **query: Any) -> list[str]:
    return [run["name"] for run in ask(client, **query)["runs"]]


def every_page(client: BoardClient, **query: Any) -> list[str]:
    found: list[str] = []
    after = ""
    while True:
        page = ask(client, **query, after=after)
        found += [run["name"] for run in page["runs"]]
        if page["next"] is None:
            return found
        after = page["next"]


def test_a_row_has_the_facts_of_the_run(client):
    answer = ask(client, search="Alpha")
    assert (answer["total"], answer["matched"], answer["next"]) == (7, 2, None)
    assert answer["change"] == client.board.store.change
    run = client.board.store["Alpha"]
    assert answer["runs"][0] == {
        "name": "Alpha",
        "start_time": run.start_time,
        "end_time": event_files.START + 50,
        "change": run.change,
        "tags_change": answer["runs"][0]["tags_change"],
        "dashboards": ["scalars", "text"],
        "series": 2,
        "points": 3,
        "hidden_points": 0,
        "restarts": 0,
        "folded": None,
    }
    assert 0 < answer["runs"][0]["tags_change"] <= run.change


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, sorted(NAMES)),
        ({"order": "desc"}, sorted(NAMES, reverse=True)),
        ({"search": "ALPHA"}, ["Alpha", "alpha/beta"]),
        ({"search": "ÜNÏ"}, ["ünïcødé 🧪"]),
        ({"search": ".*"}, []),
        ({"search": "<script>"}, ["x'\"<script>"]),
        ({"regex": "^alpha$"}, ["Alpha"]),
        ({"regex": "b.c|\\.\\."}, ["a b&c=d", "sub/..hidden"]),
        ({"regex": "(?-i)^a", "search": "beta"}, ["alpha/beta"]),
        ({"dashboard": "text"}, ["Alpha"]),
        ({"dashboard": "images"}, []),
    ],
)
def test_runs_are_searched(client, query, found):
    assert names(client, **query) == found


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("sort", ["name", "start_time", "end_time", "change"])
def test_runs_are_sorted_in_pages_as_in_one(client, sort, order):
    rows = ask(client)["runs"]
    expected = sorted(rows, key=lambda row: (row[sort], row["name"]), reverse=order == "desc")
    whole = [row["name"] for row in expected]
    assert names(client, sort=sort, order=order) == whole
    for limit in (1, 2, 3, 6, 7):
        assert every_page(client, sort=sort, order=order, limit=limit) == whole


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"limit": 0}, "`int` >= 1"),
        ({"limit": 5001}, "`int` <= 5000"),
        ({"limit": "9" * 30}, "`int` <= 5000"),
        ({"sort": "colour"}, "invalid enum value 'colour'"),
        ({"dashboard": "no"}, "unknown dashboard `no`"),
        ({"regex": "(a"}, "invalid regular expression"),
        ({"regex": "(a+)+\\1"}, "invalid regular expression"),
        ({"regex": "(" * 1000 + ")" * 1000}, "regular expression"),
        ({"search": "a" * 5000}, "length <= 4096"),
        ({"after": "!"}, "`after` is not a `next` value"),
        ({"after": "e30"}, "`after` is not a `next` value"),
        ({"after": "\xff"}, "`after` is not a `next` value"),
        ({"after": "WyJuYW1lIiwiZGVzYyIsW3RydWUsMCwiYSJdXQ"}, "from a list in a different order"),
        ({"colour": "red"}, "unknown field `colour`"),
    ],
)
def test_invalid_queries_get_an_error_message(client, query, sentence):
    answer = client.get(f"{ROOT}/runs", params=query)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_a_slow_pattern_is_not_slow(client):
    assert names(client, regex="(a*)*(a*)*(a*)*(a*)*(a*)*b$|^Alpha$") == ["Alpha"]


def test_nothing_is_sent_while_nothing_changes(client):
    first = client.get(f"{ROOT}/runs")
    again = client.get(f"{ROOT}/runs", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.request("HEAD", f"{ROOT}/runs").status_code == 200


def test_pages_neither_skip_nor_repeat_while_runs_come_and_go(tmp_path: Path):
    def write(name: str) -> None:
        event_files.write(tmp_path / name, event_files.scalar("loss", 1, 0.5))

    for name in "bdfhj":
        write(name)
    with served(tmp_path) as client:
        first = ask(client, limit=2)
        assert [run["name"] for run in first["runs"]] == ["b", "d"]
        tag = client.get(f"{ROOT}/runs").headers["etag"]
        for name in "acei":
            write(name)
        shutil.rmtree(tmp_path / "d")
        shutil.rmtree(tmp_path / "j")
        client.board.store.refresh()
        assert names(client, after=first["next"]) == ["e", "f", "h", "i"]
        assert client.get(f"{ROOT}/runs", headers={"if-none-match": tag}).status_code == 200


def test_runs_without_events_have_no_times_and_come_last(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / event_files.NAME).write_bytes(b"")
    event_files.write(tmp_path / "c", event_files.scalar("loss", 1, 0.5))
    with served(tmp_path) as client:
        rows = {run["name"]: run for run in ask(client)["runs"]}
        for name in set(rows) - {"c"}:
            assert (rows[name]["start_time"], rows[name]["end_time"]) == (None, None)
        for order in ("asc", "desc"):
            assert every_page(client, sort="end_time", order=order, limit=1)[0] == "c"


def test_an_empty_logdir_has_no_runs(tmp_path: Path):
    with served(tmp_path / "not yet") as client:
        assert ask(client) == {"change": 0, "total": 0, "matched": 0, "next": None, "runs": []}


@pytest.mark.parametrize(
    ("method", "path", "status", "sentence"),
    [
        ("DELETE", "runs", 405, "`DELETE` is not allowed at: `/api/v1/runs`"),
        ("GET", "scalars/series", 405, "`GET` is not allowed at: `/api/v1/scalars/series`"),
        ("GET", "runs/", 404, "not found: `/api/v1/runs/`"),
        ("GET", "nothing/<b>", 404, "not found: `/api/v1/nothing/<b>`"),
    ],
)
def test_missing_routes_and_unsupported_methods_are_distinguished(
    client, method, path, status, sentence
):
    answer = client.request(method, f"{ROOT}/{path}")
    assert (answer.status_code, answer.json()) == (status, {"error": sentence})


def test_a_run_says_how_often_it_was_started_again_and_where_it_belongs(tmp_path: Path):
    scalar = event_files.scalar
    logdir = tmp_path / "logs"
    event_files.write(logdir / "a", *[scalar("loss", step, 0.5) for step in range(10)])
    later = [scalar("loss", step, 0.25, event_files.START + 100 + step) for step in range(6, 12)]
    (logdir / "a" / "events.out.tfevents.2").write_bytes(
        event_files.header(event_files.START + 100) + b"".join(later)
    )
    event_files.write(logdir / "a" / "loss_train", scalar("loss", 0, 1.0))
    with served(logdir) as client:
        first, child = ask(client)["runs"]
    assert (first["restarts"], first["hidden_points"], first["folded"]) == (1, 4, None)
    assert child["restarts"] == 0
    assert child["folded"] == {"into": "a", "kind": "scalars", "label": "train", "tag": "loss"}


def test_a_run_that_comes_to_belong_to_another_one_is_among_the_changed(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "exp") as writer:
        writer.add_hparams({"lr": 0.1}, {"best": 0.5}, run_name="session")
        with served(tmp_path) as client:
            before = ask(client)
            assert {run["name"]: run["folded"] for run in before["runs"]}["exp/session"] is None
            # The other run has something now; nothing more is written into this one.
            writer.add_scalar("loss", 1.0, 0)
            writer.flush()
            client.board.store.refresh()
            after = ask(client, sort="change", order="desc")
    changed = {run["name"]: run for run in after["runs"] if run["change"] > before["change"]}
    assert sorted(changed) == ["exp", "exp/session"]
    assert changed["exp/session"]["folded"]["into"] == "exp"
