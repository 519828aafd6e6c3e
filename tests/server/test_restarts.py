"""Restarts over HTTP: where a run was restarted, according to all its tags or one of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import event_files
from tests.server.boards import ROOT, BoardClient, served

START = event_files.START


def write(directory: Path, begin: float, **tags: range) -> None:
    """A file that begins then, with a point each second for each step of each tag."""
    events = [
        event_files.scalar(tag, step, 1.0, begin + at)
        for tag, steps in tags.items()
        for at, step in enumerate(steps)
    ]
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"events.out.tfevents.{begin}"
    path.write_bytes(event_files.header(begin) + b"".join(events))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    write(logdir / "twice", START, loss=range(10), epoch=range(2))
    write(logdir / "twice", START + 100, loss=range(6, 20), epoch=range(1, 3))
    write(logdir / "twice", START + 200, loss=range(20, 22))
    write(logdir / "other", START, loss=range(5))
    write(logdir / "other", START + 50, loss=range(3, 5))
    write(logdir / "once", START, loss=range(10))
    with served(logdir) as client:
        yield client


def restarts(client: BoardClient, **query: Any) -> list[tuple[Any, ...]]:
    answer = client.get(f"{ROOT}/restarts", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.json()["change"] == client.board.store.change
    names = ("run", "tag", "step", "wall_time", "hidden_points")
    return [tuple(row[name] for name in names) for row in answer.json()["restarts"]]


OTHER = ("other", None, 3, START + 50, 2)


def test_all_restarts_are_listed_with_their_hidden_points(client: BoardClient):
    # The least step of all tags is that of the epochs.
    twice = [("twice", None, 1, START + 100, 5), ("twice", None, 20, START + 200, 0)]
    assert restarts(client) == [OTHER, *twice]
    assert restarts(client, run="twice") == twice
    assert restarts(client, run=["once", "other", "gone"]) == [OTHER]


def test_each_tag_has_steps_of_its_own(client: BoardClient):
    assert restarts(client, run="twice", tag=["epoch", "loss", "gone"]) == [
        ("twice", "epoch", 1, START + 100, 1),
        ("twice", "loss", 6, START + 100, 4),
        ("twice", "loss", 20, START + 200, 0),
    ]


def test_the_list_of_runs_counts_them(client: BoardClient):
    runs = client.get(f"{ROOT}/runs").json()["runs"]
    assert {run["name"]: run["restarts"] for run in runs} == {"once": 0, "other": 1, "twice": 2}
