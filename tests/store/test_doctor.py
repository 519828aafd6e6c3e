"""What the doctor finds, and what it does not."""

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import kymograph
from kymograph.store import FileReport, Store, doctor
from kymograph.store.doctor import Diagnosis, Finding, clocks
from tests import event_files
from tests.event_files import START, header, scalar
from tests.golden import wire


def diagnose(logdir: Path) -> Diagnosis:
    with kymograph.open(logdir) as store:
        return doctor.diagnose(store)


def codes(logdir: Path) -> list[str]:
    return [finding.code for finding in diagnose(logdir).findings]


def only(logdir: Path) -> Finding:
    (finding,) = diagnose(logdir).findings
    return finding


def healthy(directory: Path) -> Path:
    return event_files.write(directory, *(scalar("loss", step, 1.0) for step in range(3)))


def test_a_healthy_logdir_has_no_findings(tmp_path: Path):
    healthy(tmp_path / "a")
    healthy(tmp_path / "b")
    diagnosis = diagnose(tmp_path)
    assert diagnosis.findings == []
    assert (diagnosis.runs, diagnosis.tags, diagnosis.points) == (2, 2, 6)
    assert diagnosis.shows_data


# --- where one looked ---


def test_a_missing_directory_points_to_similar_ones(tmp_path: Path):
    (tmp_path / "runs-2024").mkdir()
    found = only(tmp_path / "runs-2042")
    assert (found.code, found.severity) == ("missing-directory", "error")
    assert str(tmp_path / "runs-2024") in found.hint


def test_a_path_that_breaks_off_says_where(tmp_path: Path):
    assert only(tmp_path / "no/such/runs").hint == f"the path exists only up to {tmp_path}"


def test_a_file_that_is_no_event_file_is_not_a_logdir(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("hello")
    assert only(tmp_path / "notes.txt").code == "not-a-directory"


def test_a_single_event_file_is_fine(tmp_path: Path):
    assert codes(healthy(tmp_path)) == []


def test_an_empty_directory_is_said_to_be_empty(tmp_path: Path):
    (tmp_path / "runs").mkdir()
    assert only(tmp_path / "runs").code == "empty-directory"


def test_event_files_one_level_up_are_found(tmp_path: Path):
    healthy(tmp_path)
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints/model.pt").touch()
    found = only(tmp_path / "checkpoints")
    assert found.code == "no-event-files"
    assert found.hint == f"there are event files one level up: {tmp_path}"


def test_event_files_beside_are_found(tmp_path: Path):
    healthy(tmp_path / "elsewhere/deep")
    (tmp_path / "logs").mkdir()
    assert str(tmp_path / "elsewhere/deep") in only(tmp_path / "logs").hint


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("worker.1700.pt.trace.json", "PyTorch profiler traces (1)"),
        ("wandb/run-1/run.txt", "Weights & Biases logs (1)"),
        ("mlruns/0/meta.yaml", "MLflow runs (1)"),
        ("version_0/metrics.csv", "CSV logs (1)"),
    ],
)
def test_logs_of_other_tools_are_recognized(tmp_path: Path, path, what):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).touch()
    nothing, other = diagnose(tmp_path).findings
    assert (nothing.code, other.code) == ("no-event-files", "other-logs")
    assert other.message.endswith(what)


def test_logs_of_other_tools_beside_event_files_do_not_matter(tmp_path: Path):
    healthy(tmp_path)
    (tmp_path / "metrics.csv").touch()
    assert codes(tmp_path) == []


def test_a_directory_that_may_not_be_read_is_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    found = only(tmp_path)
    assert (found.code, found.severity) == ("unreadable-directory", "error")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything"
)
def test_a_subdirectory_that_may_not_be_read_is_said_to_be(tmp_path: Path):
    healthy(tmp_path / "open")
    (tmp_path / "closed").mkdir(mode=0)
    found = only(tmp_path)
    assert (found.code, found.places) == ("unreadable-subdirectory", (str(tmp_path / "closed"),))


# --- event files ---


def test_an_unreadable_file_is_named_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = healthy(tmp_path)
    report = FileReport(".", path, 9, 0, 0, 0, 0, 0, 0, False, "permission denied")
    monkeypatch.setattr(Store, "files", property(lambda _self: [report]))
    found = only(tmp_path)
    assert found.code == "unreadable-file"
    assert "permission denied" in found.message
    assert found.places == (str(path),)


def test_a_compressed_file_is_not_called_damaged(tmp_path: Path):
    path = healthy(tmp_path)
    (tmp_path / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert codes(tmp_path) == ["compressed-file"]


def test_damage_is_counted(tmp_path: Path):
    path = healthy(tmp_path)
    data = bytearray(path.read_bytes())
    data[len(header()) + 20] ^= 0xFF
    path.write_bytes(data)
    found = only(tmp_path)
    assert (found.code, found.severity) == ("damaged-file", "warning")
    assert "1 record lost" in found.message


def test_a_cut_off_file_is_a_note_with_its_place(tmp_path: Path):
    path = healthy(tmp_path)
    whole = path.stat().st_size
    event_files.append(path, scalar("loss", 3, 1.0)[:20])
    found = only(tmp_path)
    assert (found.code, found.severity) == ("unfinished-record", "note")
    assert f"byte {whole} of {whole + 20}" in found.message


@pytest.mark.parametrize(
    ("content", "message"), [(b"", "1 event file is empty"), (header(), "no values yet")]
)
def test_a_file_without_values_is_why_nothing_shows(tmp_path: Path, content, message):
    (tmp_path / "tfevents.1").write_bytes(content)
    diagnosis = diagnose(tmp_path)
    (found,) = diagnosis.findings
    assert (found.code, found.severity) == ("no-values", "error")
    assert message in found.message
    assert not diagnosis.shows_data


def test_files_of_silent_ranks_are_a_note(tmp_path: Path):
    healthy(tmp_path)
    for rank in (1, 2):
        (tmp_path / f"tfevents.rank{rank}").write_bytes(header())
    found = only(tmp_path)
    assert (found.code, found.severity, len(found.places)) == ("silent-writers", "note", 2)


def test_a_profile_marker_is_a_note(tmp_path: Path):
    (tmp_path / "events.out.tfevents.1.host.profile-empty").write_bytes(header())
    assert codes(tmp_path) == ["profile-only"]


def test_events_without_values_are_said_to_be(tmp_path: Path):
    log_message = event_files.event(wire.message(6, wire.text(2, "hello" * 80)))
    event_files.write(tmp_path, log_message, log_message)
    assert codes(tmp_path) == ["no-summaries"]


def test_a_backup_copy_is_read_and_said_to_be(tmp_path: Path):
    event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 1, 1.0), name="tfevents.bak")
    assert codes(tmp_path) == ["backup-copy"]


def test_two_writers_at_once_are_distinguished_from_a_restart(tmp_path: Path):
    for directory, delay in ((tmp_path / "both", 0.5), (tmp_path / "restart", 100.0)):
        for number, offset in enumerate((0.0, delay)):
            points = [scalar("loss", step, 1.0, START + step + offset) for step in range(9)]
            path = directory / f"tfevents.{number}"
            directory.mkdir(exist_ok=True)
            path.write_bytes(header(START + offset) + b"".join(points))
    found = {finding.code: finding.places for finding in diagnose(tmp_path).findings}
    assert found["several-writers"] == ("both",)
    assert found["hidden-points"] == ("restart",)


# --- times, steps, values ---


def one_series(tmp_path: Path, *points: tuple[int, float, float]) -> None:
    event_files.write(tmp_path, *(scalar("loss", step, number, t) for step, number, t in points))


@pytest.mark.parametrize(
    ("points", "code"),
    [
        ([(0, 1.0, START), (1, 1.0, time.time() + 86400)], "future-times"),
        ([(0, 1.0, 5.0), (1, 1.0, 6.0)], "ancient-times"),
        ([(0, 1.0, START), (1, 1.0, START + 9), (2, 1.0, START + 2)], "times-go-back"),
        ([(0, 1.0, START), (1, 1.0, float("nan"))], "times-not-numbers"),
        ([(0, 1.0, START), (0, 2.0, START + 1)], "steps-stand-still"),
        ([(5, 1.0, START), (2, 2.0, START + 1)], "steps-go-back"),
        ([(-1, 1.0, START), (2, 2.0, START + 1)], "negative-steps"),
        ([(0, 1.0, START), (1 << 60, 2.0, START + 1)], "huge-steps"),
        ([(int(START * 1e3), 1.0, START), (int(START * 1e3) + 5, 2.0, START + 1)], "time-steps"),
        ([(int(START * 1e6), 1.0, START), (int(START * 1e6) + 5, 2.0, START + 1)], "time-steps"),
        ([(0, float("nan"), START), (1, float("inf"), START + 1)], "no-finite-values"),
        ([(0, 1.0, START)], "single-points"),
    ],
)
def test_odd_points_are_found(tmp_path: Path, points, code):
    one_series(tmp_path, *points)
    assert codes(tmp_path) == [code]


def test_a_point_that_is_not_finite_among_others_is_no_finding(tmp_path: Path):
    one_series(tmp_path, (0, float("nan"), START), (1, 1.0, START + 1))
    assert codes(tmp_path) == []


@pytest.mark.parametrize("first", [0, int(START), 10**12, 2 * 10**13])
def test_large_counts_are_not_taken_for_times(tmp_path: Path, first: int):
    one_series(tmp_path, (first, 1.0, START), (first + 5, 2.0, START + 1))
    assert codes(tmp_path) == []


def test_the_future_begins_at_now(tmp_path: Path):
    one_series(tmp_path, (0, 1.0, START), (1, 1.0, START + 1))
    store = kymograph.open(tmp_path)
    assert [finding.code for finding in clocks.findings(store, now=START)] == []
    assert [finding.code for finding in clocks.findings(store, now=START - 3600)] == [
        "future-times"
    ]


def test_data_without_scalars_is_said_to_be(tmp_path: Path):
    text = [event_files.metadata("text"), event_files.string_tensor(b"hi")]
    event_files.write(tmp_path, event_files.value("note", *text, step=1))
    found = only(tmp_path)
    assert (found.code, found.severity) == ("no-scalars", "warning")
    assert "only text" in found.message


def test_the_most_severe_finding_comes_first(tmp_path: Path):
    sort: Callable[[str], int] = ["error", "warning", "note"].index
    one_series(tmp_path / "a", (5, 1.0, START), (2, 2.0, START + 1))
    (tmp_path / "a/tfevents.silent").write_bytes(header())
    severities = [finding.severity for finding in diagnose(tmp_path).findings]
    assert severities == sorted(severities, key=sort) == ["warning", "note"]


@pytest.mark.parametrize(
    ("name", "content", "code", "word"),
    [
        ("x.tfevents.1.zip", b"PK\x03\x04" + bytes(100), "compressed-file", "zip"),
        (
            "x.tfevents.1",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n",
            "placeholder-file",
            "Git LFS",
        ),
        (".x.tfevents.1.icloud", b"bplist00" + bytes(150), "placeholder-file", "iCloud"),
    ],
)
def test_other_files_with_the_name_of_an_event_file_are_named(
    tmp_path: Path, name: str, content: bytes, code: str, word: str
):
    event_files.write(tmp_path / "good", scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    path = tmp_path / "run" / name
    path.parent.mkdir()
    path.write_bytes(content)
    with kymograph.open(tmp_path) as store:
        found = doctor.diagnose(store).findings
    assert [(one.code, one.places) for one in found] == [(code, (str(path),))]
    assert word in found[0].message


def test_links_to_nowhere_are_named(tmp_path: Path):
    event_files.write(tmp_path / "good", scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    link = tmp_path / "run"
    link.symlink_to(tmp_path / "unmounted")
    with kymograph.open(tmp_path) as store:
        (found,) = doctor.diagnose(store).findings
    assert (found.code, found.severity, found.places) == ("dangling-link", "warning", (str(link),))
    with kymograph.open(link) as store:
        (found,) = doctor.diagnose(store).findings
    assert (found.code, found.severity) == ("dangling-link", "error")
    assert "unmounted" in found.hint


def test_event_files_behind_links_are_found(tmp_path: Path):
    event_files.write(tmp_path / "data/run", scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/run").symlink_to(tmp_path / "data/run")
    with kymograph.open(tmp_path / "logs") as store:
        assert doctor.diagnose(store).findings == []
