"""The board says what it serves, how far it has loaded, and what could not be read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kymograph import _core
from kymograph.server.serving import Serving, serve
from kymograph.store import DASHBOARDS
from tests.event_files import NAME, append, header, scalar, write
from tests.server.listener import PATIENCE_SECS, Listener


def get(serving: Serving, path: str, **params: Any) -> Any:
    response = httpx.get(f"{serving.url}api/v1{path}", params=params)
    assert response.status_code == 200, response.text
    return response.json()


def refused(serving: Serving, path: str, **params: Any) -> str:
    response = httpx.get(f"{serving.url}api/v1{path}", params=params)
    assert response.status_code == 400, response.text
    sentence = response.json()["error"]
    assert isinstance(sentence, str)
    return sentence


def flipped(record: bytes, at: int) -> bytes:
    """A record with one wrong bit."""
    return record[:at] + bytes([record[at] ^ 1]) + record[at + 1 :]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    write(tmp_path / "a", scalar("loss", 0, 1.0))
    write(tmp_path / "b", scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    with serve(tmp_path) as serving:
        assert serving.board.store.wait(PATIENCE_SECS)
        yield serving


def test_status_says_what_is_served_and_how_far_it_is_loaded(serving: Serving, tmp_path: Path):
    status = get(serving, "/status")
    size = sum(path.stat().st_size for path in tmp_path.glob("*/*tfevents*"))
    assert status == {
        "version": _core.__version__,
        "instance": serving.board.instance,
        "title": serving.board.title,
        "logdir": [{"name": None, "path": str(tmp_path), "exists": True}],
        "change": serving.board.store.change,
        "runs": 2,
        "listeners": 0,
        "progress": {
            "bytes_done": size,
            "bytes_known": size,
            "files_done": 2,
            "files_known": 2,
            "loading": False,
        },
        "damage": {
            "files": 0,
            "bad_records": 0,
            "bad_headers": 0,
            "skipped_bytes": 0,
            "unreadable": 0,
        },
        "unreachable": [],
        "read_only": False,
        "dashboards": list(DASHBOARDS),
        "curation_at": str(tmp_path / ".kymograph"),
    }


def test_each_start_is_another_instance(tmp_path: Path):
    with serve(tmp_path) as one, serve(tmp_path) as other:
        assert get(one, "/status")["instance"] != get(other, "/status")["instance"]


def test_health_is_ok(serving: Serving):
    assert get(serving, "/health") == {"status": "ok"}


def test_a_logdir_that_is_not_there_is_waited_for(tmp_path: Path):
    logdir = tmp_path / "not" / "yet"
    with serve(logdir) as serving, Listener(serving.url) as listener:
        listener.until("progress", lambda data: not data["loading"])
        status = get(serving, "/status")
        assert status["logdir"] == [{"name": None, "path": str(logdir), "exists": False}]
        assert [place["path"] for place in status["unreachable"]] == [str(logdir)]
        assert (status["runs"], status["listeners"]) == (0, 1)
        write(logdir / "run", scalar("loss", 0, 1.0))
        assert listener.until("change").data["runs"] == ["run"]
        status = get(serving, "/status")
        assert (status["logdir"][0]["exists"], status["runs"]) == (True, 1)


def test_several_logdirs_have_their_names(tmp_path: Path):
    write(tmp_path / "x", scalar("loss", 0, 1.0))
    with serve({"one": tmp_path / "x", "two": tmp_path / "y"}) as serving:
        assert get(serving, "/status")["logdir"] == [
            {"name": "one", "path": str(tmp_path / "x"), "exists": True},
            {"name": "two", "path": str(tmp_path / "y"), "exists": False},
        ]


def test_a_single_file_is_there_as_well(tmp_path: Path):
    path = write(tmp_path, scalar("loss", 0, 1.0))
    with serve(path) as serving:
        assert get(serving, "/status")["logdir"] == [
            {"name": None, "path": str(path), "exists": True}
        ]


@pytest.mark.skipif(os.name == "nt", reason="other names are too long there")
def test_a_logdir_that_cannot_be_read_is_reported_as_missing(tmp_path: Path):
    path = tmp_path / ("x" * 300)
    with serve(path) as serving:
        assert get(serving, "/status")["logdir"][0]["exists"] is False


def damaged_logdir(root: Path) -> dict[str, bytes]:
    """Runs with one bad record each, and one without; returns the bad ones."""
    whole = [scalar("loss", step, 1.0) for step in range(4)]
    payload, head = flipped(whole[1], len(whole[1]) - 1), flipped(whole[1], 9)
    write(root / "head", whole[0], head, *whole[2:])
    write(root / "payload", whole[0], payload, *whole[2:])
    write(root / "sound", *whole)
    return {"head": head, "payload": payload}


def test_damage_is_counted_and_reported_for_each_file(tmp_path: Path):
    bad = damaged_logdir(tmp_path)
    with serve(tmp_path) as serving:
        assert serving.board.store.wait(PATIENCE_SECS)
        assert get(serving, "/status")["damage"] == {
            "files": 2,
            "bad_records": 1,
            "bad_headers": 1,
            "skipped_bytes": len(bad["head"]) + len(bad["payload"]),
            "unreadable": 0,
        }
        report = get(serving, "/damage")
    size = (tmp_path / "sound" / NAME).stat().st_size
    sound = {
        "bytes": size,
        "bytes_read": size,
        "records": 4,
        "bad_records": 0,
        "bad_headers": 0,
        "bad_wall_times": 0,
        "broken_tail": False,
        "error": None,
    }
    assert (report["total"], report["next"], report["change"] > 0) == (2, None, True)
    # The header of the file and the first scalar are before it.
    offset = len(header() + scalar("loss", 0, 1.0))
    gaps = {
        run: [{"offset": offset, "bytes": len(lost), "step_before": 0, "step_after": 2}]
        for run, lost in bad.items()
    }
    assert report["files"] == [
        sound
        | {"run": "head", "path": str(tmp_path / "head" / NAME), "bad_headers": 1}
        | {"skipped_bytes": len(bad["head"]), "gaps": gaps["head"]},
        sound
        | {"run": "payload", "path": str(tmp_path / "payload" / NAME), "bad_records": 1}
        | {"skipped_bytes": len(bad["payload"]), "gaps": gaps["payload"]},
    ]


def test_damage_that_comes_later_is_reported_too(serving: Serving, tmp_path: Path):
    assert get(serving, "/damage")["files"] == []
    bad = scalar("loss", 2, 1.0)
    append(tmp_path / "b" / NAME, flipped(bad, len(bad) - 1), scalar("loss", 3, 1.0))
    append(tmp_path / "a" / NAME, scalar("loss", 1, 1.0, wall_time=float("nan")))
    serving.board.store.refresh()
    files = get(serving, "/damage")["files"]
    counts = {file["run"]: (file["bad_records"], file["bad_wall_times"]) for file in files}
    assert counts == {"a": (0, 1), "b": (1, 0)}


def test_the_report_comes_in_pages(tmp_path: Path):
    bad = scalar("loss", 1, 1.0)
    for run in range(5):
        write(tmp_path / f"{run}", flipped(bad, len(bad) - 1), scalar("loss", 2, 1.0))
    with serve(tmp_path) as serving:
        assert serving.board.store.wait(PATIENCE_SECS)
        after, pages = None, []
        while True:
            report = get(serving, "/damage", limit=2, **({"after": after} if after else {}))
            assert report["total"] == 5
            pages.append([file["run"] for file in report["files"]])
            after = report["next"]
            if after is None:
                break
        assert pages == [["0", "1"], ["2", "3"], ["4"]]


@pytest.mark.parametrize("limit", ["0", "-1", "5001", "many", ""])
def test_limits_that_are_none_are_refused(serving: Serving, limit: str):
    assert "limit" in refused(serving, "/damage", limit=limit)


def test_a_cursor_that_is_none_is_refused(serving: Serving):
    assert "after" in refused(serving, "/damage", after="x")


def test_unknown_parameters_are_refused(serving: Serving):
    assert "page" in refused(serving, "/damage", page=1)
    assert "full" in refused(serving, "/status", full=1)


@pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
def test_a_path_that_is_not_text_is_still_reported(tmp_path: Path):
    bad = scalar("loss", 1, 1.0)
    logdir = tmp_path / os.fsdecode(b"caf\xe9")
    write(logdir / "run", flipped(bad, len(bad) - 1), scalar("loss", 2, 1.0))
    with serve(logdir) as serving:
        assert serving.board.store.wait(PATIENCE_SECS)
        assert get(serving, "/status")["logdir"][0]["path"] == f"{tmp_path}/caf\\xe9"
        (file,) = get(serving, "/damage")["files"]
        assert file["path"] == f"{tmp_path}/caf\\xe9/run/{NAME}"


def test_a_logdir_that_cannot_be_looked_at_is_no_fault_of_the_server(tmp_path: Path):
    # Root may read everything, except a name that is too long.
    with serve(tmp_path / ("x" * 300)) as serving:
        assert not get(serving, "/status")["logdir"][0]["exists"]
        assert get(serving, "/curation")["runs"] == []
