"""Texts over HTTP: many at once, and what is found in them, whatever they hold."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kymograph
from kymograph.dashboards import text
from tests import event_files
from tests.event_files import double_tensor, metadata, string_tensor, value
from tests.server.boards import ROOT, BoardClient, served

GOLDEN = Path(__file__).parents[1] / "golden" / "logdirs"
LONG = "x" * 5000


def note(tag: str, step: int, *strings: bytes, shape: list[int] | None = None) -> bytes:
    return value(tag, metadata("text"), string_tensor(*strings, shape=shape), step=step)


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logdir = tmp_path_factory.mktemp("logdir")
    event_files.write(
        logdir / "a",
        *(
            note("log", step, f"Step {step}: the Dog\nand a dog (x.y)".encode())
            for step in range(8)
        ),
        note("table", 1, b"one dog", b"two", b"three", b"four dogs", shape=[2, 2]),
        note("single", 1, b"# Title", shape=[]),
        note("bad utf", 1, b"dog \xff\xfe end", shape=[]),
        value("number", metadata("text"), double_tensor(1.5), step=1),
        note("none", 1, shape=[0]),
    )
    event_files.write(
        logdir / "b",
        *(note("log", step, f"no animals, {step}".encode()) for step in range(3)),
        note("log", 3, LONG.encode() + b" dog " + LONG.encode()),
    )
    return logdir


@pytest.fixture(scope="module")
def client(logdir: Path) -> Iterator[BoardClient]:
    with served(logdir) as client:
        yield client


def address(client: BoardClient, run: str, tag: str, index: int = 0) -> str:
    return client.board.store[run].blobs(tag, "text")[index].address


def read(client: BoardClient, *addresses: str) -> list[dict[str, Any]]:
    body = {"instance": client.board.instance, "addresses": list(addresses)}
    answer = client.post(f"{ROOT}/text/read", json=body)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["texts"]
    return found


def search(client: BoardClient, query: str, **more: Any) -> dict[str, Any]:
    answer = client.post(f"{ROOT}/text/search", json={"query": query, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def counts(found: dict[str, Any]) -> list[tuple[str, str, int, int]]:
    return [(one["tag"], one["run"], one["hits"], one["matching"]) for one in found["series"]]


# --- many at once ---


def test_texts_of_many_addresses_come_with_their_shapes(client):
    tags = ("single", "table", "bad utf", "none")
    single, table, bad, none = read(client, *(address(client, "a", tag) for tag in tags))
    assert single == {"shape": [], "strings": ["# Title"], "left_out": 0, "error": None}
    assert (table["shape"], table["strings"][3]) == ([2, 2], "four dogs")
    assert bad["strings"] == ["dog \ufffd\ufffd end"]
    assert (none["shape"], none["strings"]) == ([0], [])


def test_what_is_no_text_gets_a_sentence_and_the_rest_is_read(client):
    gone = "8-ffff-0-0-0-0"
    good = address(client, "a", "single")
    answers = read(client, address(client, "a", "number"), "x-y", gone, good)
    assert [one["error"] for one in answers] == [
        "the value is not text",
        'not the address of a blob: "x-y"',
        "its file no longer exists",
        None,
    ]
    assert answers[3]["strings"] == ["# Title"]


def test_one_answer_reads_so_much_and_at_least_one_text(client, monkeypatch):
    addresses = [address(client, "a", "log", index) for index in range(4)]
    monkeypatch.setattr(text, "_MOST_BYTES", 2 * int(addresses[0].split("-")[3], 16))
    assert len(read(client, *addresses)) == 2
    monkeypatch.setattr(text, "_MOST_BYTES", 1)
    assert len(read(client, *addresses)) == 1
    assert read(client) == []


def test_a_long_text_is_cut_between_characters_and_says_so(client, monkeypatch):
    monkeypatch.setattr(text, "_MOST_TEXT_BYTES", 9)
    (table,) = read(client, address(client, "a", "table"))
    assert table["strings"] == ["one dog", "tw", "", ""]
    assert table["left_out"] == 1 + len("three") + len("four dogs")
    monkeypatch.setattr(text, "_MOST_TEXT_BYTES", 6)
    (bad,) = read(client, address(client, "a", "bad utf"))
    assert bad["strings"] == ["dog "]


def test_addresses_of_another_start_are_gone(client):
    body = {"instance": "0" * 16, "addresses": [address(client, "a", "single")]}
    assert client.post(f"{ROOT}/text/read", json=body).status_code == 410


@pytest.mark.parametrize("writer", ["torch", "tensorboardx", "tensorflow"])
def test_texts_of_other_writers_are_read_and_found(writer):
    with served(GOLDEN / writer) as client:
        blobs = [
            series for run in client.board.store.runs.values() for series in run.all_blobs("text")
        ]
        assert blobs
        addresses = [one for series in blobs for one in series.addresses()]
        texts = read(client, *addresses)
        assert [one["error"] for one in texts] == [None] * len(addresses)
        word = next(string for one in texts for string in one["strings"] if string)[:20]
        assert search(client, word, case=True)["hits"] > 0


# --- what is found in them ---


def test_hits_are_counted_by_run_and_tag(client):
    found = search(client, "dog")
    assert counts(found) == [
        ("bad utf", "a", 1, 1),
        ("log", "a", 16, 8),
        ("log", "b", 1, 1),
        ("table", "a", 2, 1),
    ]
    assert (found["hits"], found["matching"]) == (20, 11)
    assert found["searched"] == found["total"] == 17
    assert (found["stopped"], found["next"], found["unsearched"]) == (None, None, 0)


def test_a_found_text_has_its_step_and_its_matches_in_their_lines(client):
    found = search(client, "dog", tags=["log"], runs=["a"])
    (series,) = found["series"]
    assert [one["step"] for one in series["texts"]] == [0, 1, 2]
    first = series["texts"][0]
    assert first["hits"] == 2
    assert first["address"] == address(client, "a", "log")
    assert first["snippets"] == [
        {"element": 0, "line": 1, "before": "Step 0: the ", "match": "Dog", "after": ""},
        {"element": 0, "line": 2, "before": "and a ", "match": "dog", "after": " (x.y)"},
    ]
    (cell,) = search(client, "four", tags=["table"])["series"][0]["texts"]
    assert cell["snippets"][0]["element"] == 3


@pytest.mark.parametrize(
    ("query", "more", "hits"),
    [
        ("Dog", {"case": True}, 8),
        ("dog", {"case": True}, 12),
        ("x.y", {}, 8),
        ("x.y", {"kind": "regex"}, 8),
        ("x\\Wy", {"kind": "regex"}, 8),
        ("x\\Wy", {}, 0),
        (r"^step \d", {"kind": "regex"}, 8),
        ("", {"tags": []}, None),
        ("dog", {"tags": []}, 0),
        ("dog", {"runs": ["b", "unknown"]}, 1),
        ("\ufffd", {}, 2),
    ],
)
def test_text_expressions_case_runs_and_tags(client, query, more, hits):
    if hits is None:
        assert client.post(f"{ROOT}/text/search", json={"query": query}).status_code == 400
        return
    assert search(client, query, **more)["hits"] == hits


def test_the_rest_of_a_series_is_requested_with_its_cursor(client):
    query = {"tags": ["log"], "runs": ["a"], "texts": 5}
    (first,) = search(client, "dog", **query)["series"]
    (second,) = search(client, "dog", **query, after=first["next"])["series"]
    assert [one["step"] for one in first["texts"] + second["texts"]] == list(range(8))
    assert (first["matching"], second["matching"], second["next"]) == (8, 3, None)


def test_more_series_are_requested_with_the_cursor(client):
    names = []
    after = ""
    while True:
        page = search(client, "dog", limit=1, after=after)
        names += [name[:2] for name in counts(page)]
        after = page["next"]
        if after is None:
            break
    assert names == [("bad utf", "a"), ("log", "a"), ("log", "b"), ("table", "a")]


def test_a_search_that_is_stopped_says_so_and_continues(client, monkeypatch):
    monkeypatch.setattr(text, "_SEARCH_SECS", 0.0)
    steps: list[tuple[str, str, int]] = []
    reasons, after, searched = set(), "", 0
    while True:
        page = search(client, "dog", texts=100, after=after)
        searched += page["searched"]
        assert (page["searched"], page["unsearched"]) == (1, 0)
        for series in page["series"]:
            steps += [(series["tag"], series["run"], one["step"]) for one in series["texts"]]
        reasons.add(page["stopped"])
        after = page["next"]
        if after is None:
            break
    assert searched == 17
    assert len(steps) == len(set(steps)) == 11
    assert "time" in reasons


def test_a_search_reads_so_many_bytes_and_says_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "_SEARCH_BYTES", 1)
    event_files.write(tmp_path / "run", *(note("log", step, b"a dog") for step in range(3000)))
    with served(tmp_path) as client:
        first = search(client, "dog", texts=1000)
        assert first["stopped"] == "bytes"
        assert 0 < first["searched"] < first["total"] == 3000
        second = search(client, "dog", texts=1000, after=first["next"])
        assert second["total"] == 3000 - first["searched"]
        assert second["series"][0]["texts"][0]["step"] == first["searched"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"query": "(", "kind": "regex"}, "invalid regular expression, unclosed group"),
        ({"query": "(a{99}){99}{99}", "kind": "regex"}, "too complex"),
        ({"query": "x" * 1001}, "1000"),
        ({"query": "x", "after": "nonsense"}, "`after` is not a `next` value"),
        ({"query": "x", "kind": "glob"}, "kind"),
        ({"query": "x", "wheres": 1}, "wheres"),
    ],
)
def test_an_invalid_search_gets_a_sentence(client, body, sentence):
    answer = client.post(f"{ROOT}/text/search", json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_a_damaged_text_is_counted_and_the_rest_is_found(tmp_path):
    path = event_files.write(
        tmp_path / "run", *(note("log", step, b"a dog " * 4000) for step in range(3))
    )
    with served(tmp_path) as client:
        addresses = client.board.store["run"].blobs("log").addresses()
        offset = int(addresses[1].split("-")[2], 16) + 500
        with path.open("r+b") as file:
            file.seek(offset)
            file.write(b"\0\0\0")
        found = search(client, "dog")
        assert (found["searched"], found["unsearched"], found["matching"]) == (3, 1, 2)
        texts = read(client, *addresses)
        assert [one["strings"] is None for one in texts] == [False, True, False]
        assert "damaged or was overwritten" in texts[1]["error"]


def test_texts_of_a_live_run_are_found_when_they_are_there(tmp_path):
    path = event_files.write(tmp_path / "run", note("log", 0, b"first"))
    with kymograph.open(tmp_path) as store:
        assert len(store["run"].blobs("log")) == 1
    event_files.append(path, note("log", 1, b"second"))
    with served(tmp_path) as client:
        (series,) = search(client, "second")["series"]
        assert [one["step"] for one in series["texts"]] == [1]


@pytest.mark.parametrize("query", ["(a+)+$", "(.*b){20}$", "[ab]*a[ab]{200}"])
def test_hostile_expressions_and_megabyte_lines_take_bounded_time(tmp_path, query):
    event_files.write(tmp_path / "run", note("log", 0, b"ab" * 1_000_000))
    with served(tmp_path) as client:
        answer = client.post(f"{ROOT}/text/search", json={"query": query, "kind": "regex"})
        assert answer.status_code in (200, 400)
