"""Hyper-parameters over HTTP: by the run that stands for them, in pages."""

import math
from collections.abc import Iterator

import pytest

import kymograph
from tests.server.boards import ROOT, BoardClient, served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    for number in range(3):
        with kymograph.SummaryWriter(logdir / f"run-{number}") as writer:
            writer.add_scalar("loss", 1.0, 0)
            hparams = {"lr": math.inf if number == 2 else 0.1 * number, "name": "x", "fast": True}
            writer.add_hparams(hparams, {"best": 1.0})
    with kymograph.SummaryWriter(logdir / "without") as writer:
        writer.add_scalar("loss", 1.0, 0)
    with served(logdir) as client:
        yield client


def test_each_run_has_what_its_children_were_logged_with(client: BoardClient):
    answer = client.get(f"{ROOT}/hparams").json()
    assert (answer["total"], answer["next"]) == (3, None)
    assert answer["change"] == client.board.store.change
    assert answer["runs"] == [
        {"name": f"run-{at}", "hparams": {"lr": lr, "name": "x", "fast": True}, "status": "success"}
        for at, lr in enumerate([0.0, 0.1, "Infinity"])
    ]


def test_the_list_comes_in_pages(client: BoardClient):
    found: list[str] = []
    after: str | None = ""
    while after is not None:
        page = client.get(f"{ROOT}/hparams", params={"limit": 2, "after": after}).json()
        found += [run["name"] for run in page["runs"]]
        after = page["next"]
    assert found == ["run-0", "run-1", "run-2"]
    assert client.get(f"{ROOT}/hparams", params={"after": "?"}).status_code == 400


def test_what_the_client_has_is_not_sent_again(client: BoardClient):
    first = client.get(f"{ROOT}/hparams")
    again = client.get(f"{ROOT}/hparams", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
