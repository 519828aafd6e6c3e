"""What the doctor finds, over HTTP: also where there is nothing to show yet."""

from pathlib import Path
from typing import Any

import pytest

from kymograph.server import doctor
from tests import event_files
from tests.server.boards import ROOT, served


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_FRESH_SECS", 1e-9)


def findings(logdir: Path) -> dict[str, dict[str, Any]]:
    with served(logdir) as client:
        return {found["code"]: found for found in client.get(f"{ROOT}/doctor").json()["findings"]}


def test_a_directory_without_logs_is_reported_with_advice(tmp_path: Path):
    (found,) = findings(tmp_path / "missing").values()
    assert found["severity"] == "error"
    assert found["sentence"] == "the directory does not exist"
    assert found["path"] == str(tmp_path / "missing")
    assert found["hint"]


def test_problems_of_logs_are_reported(tmp_path: Path):
    path = event_files.write(tmp_path / "a", *[event_files.scalar("loss", 0, 1.0)] * 2)
    event_files.append(path, b"\xff" * 100)
    found = findings(tmp_path)
    assert found["steps-stand-still"]["path"] == "a loss"
    assert found["damaged-file"]["path"] == str(path)
    assert found["damaged-file"]["severity"] == "warning"


def test_the_answer_follows_the_directory(tmp_path: Path):
    with served(tmp_path / "later") as client:
        (first,) = client.get(f"{ROOT}/doctor").json()["findings"]
        (tmp_path / "later").mkdir()
        (second,) = client.get(f"{ROOT}/doctor").json()["findings"]
    assert (first["code"], second["code"]) == ("missing-directory", "empty-directory")
