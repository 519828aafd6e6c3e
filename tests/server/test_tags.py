"""The tags of a dashboard: over which runs, how they are searched, and in pages."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests import event_files
from tests.server.boards import ROOT, BoardClient, served

TAGS = ["Loss/val", "acc", "loss/train", "x'\"<b>", "ä/ö", "🧪"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    event_files.write(
        logdir / "one",
        *(event_files.scalar(tag, 1, 0.5) for tag in TAGS[:4]),
        event_files.value(
            "note", event_files.string_tensor(b"hi"), event_files.metadata("text"), step=3
        ),
    )
    described = event_files.metadata("scalars", name="Accuracy", description="of *all*")
    event_files.write(
        logdir / "two/deep",
        *(event_files.scalar(tag, 1, 0.5) for tag in TAGS[2:]),
        event_files.value("acc", event_files.double_tensor(0.5), described, step=1),
    )
    with served(logdir) as client:
        yield client


def ask(client: BoardClient, **query: Any) -> dict[str, Any]:
    answer = client.get(f"{ROOT}/tags", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def tags(client: BoardClient, **query: Any) -> list[str]:
    return [row["tag"] for row in ask(client, **query)["tags"]]


def test_a_row_has_what_the_writers_declared(client):
    answer = ask(client, search="acc")
    assert (answer["total"], answer["matched"], answer["next"]) == (6, 1, None)
    assert answer["change"] == client.board.store.change
    assert answer["tags"] == [
        {
            "tag": "acc",
            "runs": 2,
            "display_name": "Accuracy",
            "description": "of *all*",
            "plugin": "scalars",
        }
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, sorted(TAGS)),
        ({"run": ["one"]}, sorted(TAGS[:4])),
        ({"run": ["one", "two/deep", "gone", "../one"]}, sorted(TAGS)),
        ({"run": ["gone"]}, []),
        ({"run": [""]}, []),
        ({"search": "LOSS"}, ["Loss/val", "loss/train"]),
        ({"search": "Ä"}, ["ä/ö"]),
        ({"regex": "^(loss|acc)", "run": ["two/deep"]}, ["acc", "loss/train"]),
        ({"regex": "<b>$"}, ["x'\"<b>"]),
        ({"dashboard": "text"}, ["note"]),
        ({"dashboard": "images"}, []),
    ],
)
def test_tags_are_searched(client, query, found):
    assert tags(client, **query) == found


@pytest.mark.parametrize("limit", [1, 2, 4, 6])
def test_pages_have_every_tag_once(client, limit):
    found: list[str] = []
    after = ""
    while after is not None:
        page = ask(client, limit=limit, after=after)
        assert (page["total"], page["matched"]) == (6, 6)
        assert len(page["tags"]) <= limit
        found += [row["tag"] for row in page["tags"]]
        after = page["next"]
    assert found == sorted(TAGS)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"limit": 5001}, "`int` <= 5000"),
        ({"dashboard": "no"}, "unknown dashboard `no`"),
        ({"run": ["a"] * 1001}, "length <= 1000"),
        ({"regex": "[z-a]"}, "invalid regular expression"),
        ({"after": "W10"}, "`after` is not a `next` value"),
        ({"dashboard": ["scalars", "text"]}, "`dashboard` may be given only once, not 2 times"),
    ],
)
def test_invalid_queries_get_an_error_message(client, query, sentence):
    answer = client.get(f"{ROOT}/tags", params=query)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_nothing_is_sent_while_nothing_changes(client):
    first = client.get(f"{ROOT}/tags")
    again = client.get(f"{ROOT}/tags", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_paging_continues_although_tags_were_added(tmp_path):
    path = event_files.write(tmp_path, *(event_files.scalar(tag, 1, 0.5) for tag in "bdf"))
    with served(tmp_path) as client:
        first = ask(client, limit=2)
        event_files.append(path, *(event_files.scalar(tag, 1, 0.5) for tag in "ace"))
        client.board.store.refresh()
        assert tags(client, after=first["next"]) == ["e", "f"]
