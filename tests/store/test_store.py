"""Opening logdirs, looking around in them, waiting for changes."""

import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import kymograph
from kymograph.errors import (
    BlobUnreadableError,
    KymographError,
    LogdirError,
    QueryError,
    UnknownRunError,
    UnknownTagError,
)
from kymograph.store import Change
from tests import event_files
from tests.event_files import START, scalar
from tests.golden import wire


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    event_files.write(tmp_path / "a", scalar("loss", 0, 1.5), scalar("loss", 1, 0.5))
    event_files.write(tmp_path / "b/eval", scalar("accuracy", 3, 0.25))
    event_files.write(tmp_path)
    return tmp_path


def test_runs_are_named_by_their_directories(logdir: Path):
    store = kymograph.open(logdir)
    assert list(store) == list(store.runs) == [".", "a", "b/eval"]
    assert len(store) == 3
    assert "a" in store
    assert "b" not in store


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("{0}/a", ["."]),
        ("one:{0}/a,two:{0}/b", ["one/.", "two/eval"]),
        (["{0}/a", "{0}/b"], [".", "eval"]),
        ({"x": "{0}/a"}, ["x/."]),
    ],
)
def test_a_logdir_can_be_given_in_many_ways(logdir: Path, spec, names):
    if isinstance(spec, str):
        spec = spec.format(logdir)
    elif isinstance(spec, list):
        spec = [Path(path.format(logdir)) for path in spec]
    else:
        spec = {name: path.format(logdir) for name, path in spec.items()}
    assert list(kymograph.open(spec)) == names


def test_a_path_that_exists_is_never_taken_apart(tmp_path: Path):
    event_files.write(tmp_path / "a:b,c", scalar("loss", 0, 1.0))
    assert kymograph.open(str(tmp_path / "a:b,c"))["."].tags() == ["loss"]


def test_one_event_file_is_a_run(logdir: Path):
    event_files.write(logdir / "a", scalar("other", 0, 1.0), name="tfevents.2")
    store = kymograph.open(logdir / "a" / event_files.NAME)
    assert {name: run.tags() for name, run in store.runs.items()} == {".": ["loss"]}


def test_one_event_file_is_followed(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0))
    with kymograph.open(path, follow=True) as store:
        store.wait()
        since = store.change
        event_files.append(path, scalar("loss", 1, 2.0))
        store.wait_for_change(since, timeout=10)
        assert store["."].series("loss").values.tolist() == [1.0, 2.0]


def test_no_directory_at_all_is_an_error():
    with pytest.raises(LogdirError, match="no directory"):
        kymograph.open([])


def test_a_directory_that_is_not_there_yet_has_no_runs(tmp_path: Path):
    store = kymograph.open(tmp_path / "later")
    assert len(store) == 0
    assert store.files == []


def test_times_of_a_run_are_those_of_its_events(logdir: Path):
    run = kymograph.open(logdir)["a"]
    assert (run.start_time, run.end_time) == (START, START + 1)


def test_the_record_that_opens_a_file_does_not_stretch_a_run_of_long_ago(tmp_path: Path):
    long_ago = [scalar("loss", step, 1.0, wall_time=5.0 + step) for step in range(3)]
    path = event_files.write(tmp_path, *long_ago, name="tfevents.1")
    event_files.write(tmp_path, name="tfevents.2")
    store = kymograph.open(tmp_path)
    run = store["."]
    assert (run.start_time, run.end_time, run.first_event_time) == (5.0, 7.0, 5.0)
    # Another file may have been put behind it, with its own beginning.
    with path.open("ab") as file:
        file.write(event_files.header(START))
    store.refresh()
    assert (run.start_time, run.end_time) == (5.0, START)


def test_a_run_that_logged_nothing_is_as_old_as_its_file(logdir: Path):
    run = kymograph.open(logdir)["."]
    assert (run.start_time, run.end_time, run.first_event_time) == (START, START, START)


def test_unknown_names_say_what_was_asked_for(logdir: Path):
    store = kymograph.open(logdir)
    with pytest.raises(UnknownRunError, match="'nope'"):
        store["nope"]
    with pytest.raises(UnknownTagError, match="'nope'"):
        store["a"].series("nope")
    with pytest.raises(KeyError):
        store["a"].blobs("loss")
    with pytest.raises(KymographError):
        store["a"].blobs("nope", "images")
    with pytest.raises(QueryError, match="scalars, images"):
        store["a"].tags("pictures")


def test_a_run_says_which_dashboards_have_data(tmp_path: Path):
    text = event_files.value(
        "note", event_files.metadata("text"), event_files.string_tensor(b"hi"), step=1
    )
    event_files.write(tmp_path, text, scalar("loss", 0, 1.0))
    run = kymograph.open(tmp_path)["."]
    assert run.dashboards == ["scalars", "text"]
    assert (run.tags(), run.tags("text"), run.tags("images")) == (["loss"], ["note"], [])


def test_files_are_reported_with_their_damage(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    data = bytearray(path.read_bytes())
    data[-10] ^= 0xFF
    path.write_bytes(bytes(data) + b"\x01\x02\x03")
    (file,) = kymograph.open(tmp_path).files
    assert (file.run, file.path, file.bytes) == (".", path, len(data) + 3)
    assert (file.records, file.bad_records, file.tail_bytes) == (2, 1, 3)
    assert file.is_damaged
    assert file.error is None


def test_damaged_files_are_those_of_which_anything_was_lost():
    store = kymograph.open(Path(wire.__file__).parent / "logdirs/damaged")
    damaged = [f for f in store.files if f.is_damaged or f.bad_wall_times or f.error]
    assert store.damaged_files == damaged
    assert 0 < len(damaged) < len(store.files)


def test_an_intact_file_is_not_damaged(logdir: Path):
    store = kymograph.open(logdir)
    assert [file.is_damaged for file in store.files] == [False] * 3
    progress = store.progress
    assert not progress.loading
    assert progress.files_done == progress.files_known == 3
    assert progress.bytes_done == progress.bytes_known == sum(file.bytes for file in store.files)


def test_what_a_restart_logs_again_is_hidden_and_counted(tmp_path: Path):
    event_files.write(tmp_path, *(scalar("loss", step, 1.0) for step in range(5)))
    again = [event_files.restart(3, START + 9), scalar("loss", 3, 2.0, START + 10)]
    (tmp_path / "tfevents.later").write_bytes(event_files.header(START + 9) + b"".join(again))
    run = kymograph.open(tmp_path)["."]
    assert run.series("loss").values.tolist() == [1, 1, 1, 2]
    assert run.hidden_points == run.series("loss").hidden_points == 2
    everything = kymograph.open(tmp_path, purge_orphaned_data=False)["."]
    assert everything.series("loss").values.tolist() == [1, 1, 1, 1, 1, 2]
    assert everything.hidden_points == 0


def test_growth_is_a_change_of_the_series_and_of_nothing_else(logdir: Path):
    with kymograph.open(logdir, follow=True) as store:
        assert store.wait(timeout=10)
        since = store.change
        event_files.append(logdir / "a" / event_files.NAME, scalar("loss", 2, 0.25))
        number = store.wait_for_change(since, timeout=10)
        assert number > since
        assert store.changes(since) == [Change(number, "a", "scalars", "loss", removed=False)]
        assert store["a"].series("loss").values.tolist() == [1.5, 0.5, 0.25]
        assert store.changes(number) == []


def test_refresh_reads_what_is_new_without_following(logdir: Path):
    store = kymograph.open(logdir)
    event_files.append(logdir / "a" / event_files.NAME, scalar("loss", 2, 0.25))
    assert len(store["a"].series("loss")) == 2
    store.refresh()
    assert len(store["a"].series("loss")) == 3


def test_a_run_that_goes_is_a_change(logdir: Path):
    store = kymograph.open(logdir)
    since = store.change
    (logdir / "a" / event_files.NAME).unlink()
    store.refresh()
    assert "a" not in store
    assert [(c.run, c.tag, c.removed) for c in store.changes(since)] == [("a", None, True)]


def test_waiting_for_changes_ends_after_the_timeout(logdir: Path):
    store = kymograph.open(logdir)
    change = store.change
    assert change > 0
    assert store.wait_for_change(change, timeout=0.01) == change
    assert store.wait_for_change(change - 1) == change, "nothing to wait for"


def test_subscribers_receive_changes_until_the_store_is_closed(logdir: Path):
    store = kymograph.open(logdir, follow=True)
    store.wait()
    received: queue.Queue[Change | None] = queue.Queue()
    changes = store.subscribe(store.change)

    def listen() -> None:
        for change in changes:
            received.put(change)
        received.put(None)

    listener = threading.Thread(target=listen)
    listener.start()
    event_files.append(logdir / "b/eval" / event_files.NAME, scalar("accuracy", 4, 0.5))
    change = received.get(timeout=120)
    assert change is not None
    assert (change.run, change.tag) == ("b/eval", "accuracy")
    store.close()
    assert received.get(timeout=120) is None, "the end"
    listener.join(timeout=120)
    assert not listener.is_alive()


def test_what_was_loaded_stays_readable_after_closing(logdir: Path):
    with kymograph.open(logdir) as store:
        run = store["a"]
    assert run.series("loss").values.tolist() == [1.5, 0.5]


def test_closing_stops_a_load_and_says_so(tmp_path: Path):
    one = b"".join(event_files.scalar("loss", step, 1.0) for step in range(2000))
    (tmp_path / event_files.NAME).write_bytes(one * 400)
    store = kymograph.open(tmp_path, follow=True)
    store.close()
    done = store.wait(0)
    points = sum(len(series) for series in store.select())
    assert done is (points == 2000 * 400)
    assert store.progress.loading is not done


def test_loading_is_true_until_the_first_load_is_done(tmp_path: Path):
    store = kymograph.Store(tmp_path / "not-there-yet", follow=True)
    assert store.wait(30)
    assert not store.progress.loading
    store.close()


FORKED = """
import os, sys
import kymograph
from kymograph.store import lod

def ask():
    series = list(store.select())
    store.select().bands()
    lod.batch([lod.Line(one, smoothing="median:3") for one in series])
    lod.bands_batch([lod.Group(series, smoothing="gaussian:2", bootstrap="iqm")])
    lod.summaries(series)

store = kymograph.open(sys.argv[1], follow=True)
store.wait()
ask()
child = os.fork()
if child == 0:
    store.refresh()
    assert len(store.select()) == 1
    ask()
    store.close()
    sys.exit(7)
_, status = os.waitpid(child, 0)
store.refresh()
store.close()
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_forked_child_reads_and_goes_in_peace(tmp_path: Path):
    (tmp_path / event_files.NAME).write_bytes(event_files.scalar("loss", 0, 1.0))
    command = [sys.executable, "-W", "ignore", "-c", FORKED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (7, "")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_unreachable_paths_are_reported(tmp_path: Path):
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(0)
    try:
        store = kymograph.open(tmp_path)
        assert [path for path, _ in store.unreachable] == [closed]
    finally:
        closed.chmod(0o700)


def test_a_missing_logdir_is_out_of_sight_and_empty(tmp_path: Path):
    store = kymograph.open(tmp_path / "nowhere")
    assert len(store) == 0
    assert [path for path, _ in store.unreachable] == [tmp_path / "nowhere"]


def test_no_logdir_at_all_is_refused():
    with pytest.raises(LogdirError):
        kymograph.open("")
    with pytest.raises(LogdirError):
        kymograph.open(None)  # type: ignore[arg-type]


def test_a_blob_is_not_read_from_the_successor_of_its_file(tmp_path: Path):
    path = tmp_path / event_files.NAME
    text = wire.message(8, wire.integer(1, 7), wire.message(8, b"first"))
    path.write_bytes(event_files.value("note", text, event_files.metadata("text"), step=1))
    store = kymograph.open(tmp_path)
    blob = store["."].blobs("note")[0]
    successor = path.read_bytes().replace(b"first", b"other")
    (tmp_path / "new").write_bytes(wire.record(successor[12:-4]))
    (tmp_path / "new").replace(path)
    with pytest.raises(BlobUnreadableError):
        blob.read()


def test_an_unknown_home_directory_is_an_ordinary_name(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    event_files.write(tmp_path / "~nobody-of-this-name" / "a", scalar("loss", 0, 1.5))
    with kymograph.open("~nobody-of-this-name") as store:
        assert list(store) == ["a"]


def test_a_name_that_is_too_long_is_that_of_nothing():
    with kymograph.open("x" * 300) as store:
        assert len(store) == 0


@pytest.mark.parametrize("logdir", ["a:,b:", "a:", " a: , b:x", ["", "x"], {"a": ""}])
def test_an_empty_path_is_not_the_current_directory(
    logdir: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LogdirError, match=r"has no path|empty path"):
        kymograph.Store(logdir)  # type: ignore[arg-type]
