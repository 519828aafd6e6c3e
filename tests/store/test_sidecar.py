"""Curation beside the logs: merged, atomic, kept somewhere in any case, and never lost."""

import contextlib
import logging
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import kymograph
from kymograph.errors import CurationError, CurationUnwritableError
from kymograph.store import sidecar
from kymograph.store.sidecar import Sidecar

TITLE = ("run", "a", "title")
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    return home


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    logdir = tmp_path / "runs"
    logdir.mkdir()
    return logdir


def values(one: Sidecar) -> dict[tuple[str, ...], object]:
    return {key: item.value for key, item in one.snapshot().items.items()}


def fresh(logdir: Path, editor: str = "reader@here") -> dict[tuple[str, ...], object]:
    """What a process that starts now reads."""
    return values(Sidecar(logdir, editor=editor))


def path_of(logdir: Path, editor: str) -> Path:
    return logdir / ".kymograph" / f"{editor}.jsonl"


@contextlib.contextmanager
def without_rights() -> Iterator[Path]:
    """An empty directory, and a user who may write only to what is theirs: root may always."""
    with tempfile.TemporaryDirectory() as name:
        if not IS_ROOT:
            yield Path(name)
            return
        nobody = 65534
        os.chown(name, nobody, -1)
        os.setresuid(nobody, nobody, 0)
        try:
            yield Path(name)
        finally:
            os.setresuid(0, 0, 0)


# --- edits ---


def test_nothing_is_created_before_the_first_edit(logdir: Path, state_home: Path):
    assert fresh(logdir) == {}
    assert list(logdir.iterdir()) == []
    assert not state_home.exists()


def test_edits_are_read_again_and_deleted(logdir: Path):
    ada = Sidecar(logdir, editor="ada@tower")
    ada.edit({TITLE: "baseline", ("run", "a", "tag", "kept"): True})
    assert fresh(logdir) == {TITLE: "baseline", ("run", "a", "tag", "kept"): True}
    ada.edit({TITLE: None})
    assert fresh(logdir) == {("run", "a", "tag", "kept"): True}
    ada.edit({TITLE: "again"})
    assert fresh(logdir)[TITLE] == "again"


def test_item_says_who_set_it_and_when(logdir: Path):
    before = time.time_ns() // 1000
    item = Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"}).items[TITLE]
    assert item.editor == "ada@tower"
    assert before <= item.time <= time.time_ns() // 1000


def test_last_writer_wins_whatever_the_clocks_say(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    ada, bob = Sidecar(logdir, editor="ada@tower"), Sidecar(logdir, editor="bob@lab")
    soon = time.time_ns() // 10**9 * 10**9 + 3600 * 10**9
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time_ns", lambda: soon)
        ada.edit({TITLE: "from the future"})
    snapshot = bob.edit({TITLE: "after it"})
    assert snapshot.items[TITLE].value == "after it"
    assert snapshot.items[TITLE].time == soon // 1000 + 1
    assert fresh(logdir) == {TITLE: "after it"}


@pytest.mark.parametrize("stamp", [2**53 - 1, 4_000_000_000_000_000])
def test_an_entry_from_the_far_future_does_not_freeze_its_key(logdir: Path, stamp: int):
    path = path_of(logdir, "ada@tower")
    path.parent.mkdir()
    header = b'{"kymograph":"curation","version":1}\n'
    line = b'{"key":["run","a","title"],"value":"future","time":%d}\n' % stamp
    path.write_bytes(header + line)
    assert fresh(logdir) == {TITLE: "future"}
    for editor in ("bob@lab", "ada@tower", "bob@lab"):
        for text in ("one", "two"):
            Sidecar(logdir, editor=editor).edit({TITLE: text})
            assert fresh(logdir) == {TITLE: text}


def test_equal_times_are_decided_the_same_way_everywhere(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(time, "time_ns", lambda: 2_000_000_000_000_000_000)
    for editor in ("ada@tower", "bob@lab"):
        elsewhere = logdir / editor
        elsewhere.mkdir()
        Sidecar(elsewhere, editor=editor).edit({TITLE: editor})
        (logdir / ".kymograph").mkdir(exist_ok=True)
        path_of(elsewhere, editor).rename(path_of(logdir, editor))
    assert fresh(logdir) == {TITLE: "bob@lab"}


def test_deletion_outlives_an_older_value_of_another_editor(logdir: Path):
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "hers"})
    Sidecar(logdir, editor="bob@lab").edit({TITLE: None})
    assert fresh(logdir) == {}


def test_old_deletions_are_forgotten_unless_another_file_has_the_key(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    bob, other = Sidecar(logdir, editor="bob@lab"), ("run", "b", "title")
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "hers"})
    bob.edit({TITLE: None, other: "his"})
    bob.edit({other: None})
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 31 * 24 * 3600 * 10**9)
    bob.edit({("run", "c", "title"): "new"})
    text = path_of(logdir, "bob@lab").read_text("utf-8")
    assert '["run","a","title"],"value":null' in text
    assert '["run","b","title"]' not in text
    assert fresh(logdir) == {("run", "c", "title"): "new"}


def test_what_is_so_already_is_not_written_again(logdir: Path):
    ada = Sidecar(logdir, editor="ada@tower")
    first = ada.edit({TITLE: "x"})
    second = ada.edit({TITLE: "x", ("run", "never", "title"): None})
    assert second.revision == first.revision
    assert "never" not in path_of(logdir, "ada@tower").read_text("utf-8")
    # `True == 1` in Python, but not in JSON
    assert ada.edit({("view", "v"): {"on": True}}).items[("view", "v")].value == {"on": True}
    assert ada.edit({("view", "v"): {"on": 1}}).items[("view", "v")].value["on"] is not True


def test_too_much_is_refused_and_changes_nothing(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sidecar, "MOST_ENTRIES", 3)
    monkeypatch.setattr(sidecar, "MOST_BYTES", 1000)
    ada = Sidecar(logdir, editor="ada@tower")
    ada.edit({TITLE: "x"})
    with pytest.raises(CurationError, match="limited to 3 entries"):
        ada.edit({("run", str(n), "hidden"): True for n in range(3)})
    with pytest.raises(CurationError, match="limited to 1000 bytes"):
        ada.edit({("run", "a", "note"): "long " * 200})
    assert values(ada) == fresh(logdir) == {TITLE: "x"}


# --- revisions ---


def test_revision_changes_with_what_is_there(logdir: Path):
    ada = Sidecar(logdir, editor="ada@tower")
    revisions = [ada.snapshot().revision]
    for value in ("x", "x", "y"):
        revisions.append(ada.edit({TITLE: value}).revision)
        assert ada.revision == revisions[-1]
    before, first, again, second = revisions
    assert first == again
    assert len({before, first, second}) == 3


def test_edits_of_other_servers_are_seen(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    ada, bob = Sidecar(logdir, editor="ada@tower"), Sidecar(logdir, editor="bob@lab")
    revisions = {ada.snapshot().revision}
    for n in range(20):  # several within one tick of the file system's clock
        bob.edit({TITLE: f"title {n % 10}"})
        assert values(ada) == {TITLE: f"title {n % 10}"}
        revisions.add(ada.revision)
    assert len(revisions) == 21


def test_files_are_not_asked_again_within_a_second(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    ada, bob = Sidecar(logdir, editor="ada@tower"), Sidecar(logdir, editor="bob@lab")
    ada.snapshot()
    bob.edit({TITLE: "his"})
    now = 100.9
    assert values(ada) == {}
    now = 101.0
    assert values(ada) == {TITLE: "his"}


def test_unchanged_files_are_not_read_again(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    os.utime(path_of(logdir, "ada@tower"), (1, 1))
    bob = Sidecar(logdir, editor="bob@lab")
    assert values(bob) == {TITLE: "x"}
    first = bob.snapshot()
    monkeypatch.setattr(sidecar, "_read", None)
    assert bob.snapshot() is first


def test_file_that_was_written_again_as_it_was_is_not_taken_for_another(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    bob = Sidecar(logdir, editor="bob@lab")
    first = bob.snapshot()
    path = path_of(logdir, "ada@tower")
    path.write_bytes(path.read_bytes())
    monkeypatch.setattr(sidecar, "_parsed", None)
    assert bob.snapshot() is first


def test_file_that_could_not_be_read_for_a_while_is_as_it_was(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    bob = Sidecar(logdir, editor="bob@lab")
    first = bob.snapshot()
    with monkeypatch.context() as away:
        away.setattr(sidecar, "MOST_BYTES", 10)
        snapshot = bob.snapshot()
        assert snapshot.items == first.items
        assert "larger than 10 bytes" in snapshot.troubles[0]
    assert bob.snapshot().troubles == ()
    assert bob.revision == first.revision


# --- several processes ---

EDIT_MANY = """
import sys
from pathlib import Path
from kymograph.store.sidecar import Sidecar
logdir, editor, own, count = sys.argv[1:]
one = Sidecar(Path(logdir), editor=editor)
print("ready", flush=True)
sys.stdin.readline()
for n in range(int(count)):
    one.edit({
        ("run", f"{own}-{n}", "title"): n,
        ("run", "shared", own): n,
        ("run", "one", "title"): f"{own}-{n}",
    })
    print(n, flush=True)
"""


def editing(logdir: Path, editor: str, own: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", EDIT_MANY, str(logdir), editor, own, str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def start(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.slow
def test_processes_and_editors_at_once_lose_no_edit(logdir: Path):
    count = 20
    editors = {"p": "ada@tower", "q": "ada@tower", "r": "ada@tower", "s": "bob@lab"}
    processes = [editing(logdir, editor, own, count) for own, editor in editors.items()]
    for process in processes:
        start(process)
    for process in processes:
        output, _ = process.communicate()
        assert (process.returncode, output.count("\n")) == (0, count)
    found = fresh(logdir)
    for own in editors:
        assert [found[("run", f"{own}-{n}", "title")] for n in range(count)] == list(range(count))
        assert found[("run", "shared", own)] == count - 1
    assert found[("run", "one", "title")] in {f"{own}-{count - 1}" for own in editors}
    files = sorted(path.name for path in (logdir / ".kymograph").iterdir())
    names = ("ada@tower.jsonl", "ada@tower.lock", "bob@lab.jsonl", "bob@lab.lock")
    assert files == list(names)


@pytest.mark.slow
def test_killed_editor_leaves_every_edit_it_had_made(logdir: Path):
    process = editing(logdir, "ada@tower", "p", 100_000)
    assert process.stdout is not None
    start(process)
    while int(process.stdout.readline()) < 30:
        pass
    process.send_signal(signal.SIGKILL)
    done = [int(line) for line in process.communicate()[0].split() if line]
    last = max(done, default=30)
    snapshot = Sidecar(logdir, editor="ada@tower").edit({TITLE: "after it"})
    assert snapshot.troubles == ()
    assert {("run", f"p-{n}", "title") for n in range(last)} <= set(snapshot.items)
    assert not list((logdir / ".kymograph").glob("*.tmp"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_readers_do_not_wait_for_an_edit_that_waits(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    import fcntl

    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    monkeypatch.setattr(sidecar, "_LOCK_SECS", 60.0)
    ada, bob = Sidecar(logdir, editor="ada@tower"), Sidecar(logdir, editor="bob@lab")
    ada.edit({TITLE: "before"})
    waits = threading.Event()
    lock = sidecar._lock

    def reported(descriptor: int) -> bool:
        waits.set()
        return lock(descriptor)

    with (logdir / ".kymograph" / "ada@tower.lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        monkeypatch.setattr(sidecar, "_lock", reported)
        edit = threading.Thread(target=ada.edit, args=({TITLE: "after"},))
        edit.start()
        assert waits.wait(60)
        assert values(ada) == {TITLE: "before"}
        bob.edit({("run", "b", "title"): "his"})
        assert values(ada) == {TITLE: "before", ("run", "b", "title"): "his"}
        assert edit.is_alive()
    edit.join()
    assert values(ada)[TITLE] == "after"


def test_readers_do_not_wait_for_one_whose_files_are_slow(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    ada = Sidecar(logdir, editor="ada@tower")
    before = ada.edit({TITLE: "x"})
    waits, over = threading.Event(), threading.Event()

    def slow(_path: Path, known: sidecar._File) -> sidecar._File:
        waits.set()
        over.wait(60)
        return known

    monkeypatch.setattr(sidecar, "_read", slow)
    reader = threading.Thread(target=ada.snapshot)
    reader.start()
    assert waits.wait(60)
    assert ada.snapshot() is before
    over.set()
    reader.join()


def test_without_locks_each_process_has_a_file_of_its_own(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sidecar, "_lock", lambda _descriptor: False)
    ada = Sidecar(logdir, editor="ada@tower")
    ada.edit({TITLE: "x"})
    monkeypatch.setattr(sidecar, "_OF_THIS_PROCESS", "~another")
    Sidecar(logdir, editor="ada@tower").edit({("run", "b", "title"): "y"})
    assert fresh(logdir) == {TITLE: "x", ("run", "b", "title"): "y"}
    assert len(list((logdir / ".kymograph").glob("ada@tower~*.jsonl"))) == 2


# --- damage ---


def damaged(logdir: Path) -> Path:
    """Ada's file with its second of three entries broken, beside Bob's, which is whole."""
    ada = Sidecar(logdir, editor="ada@tower")
    for name in "abc":
        ada.edit({("run", name, "title"): name})
    Sidecar(logdir, editor="bob@lab").edit({("run", "d", "title"): "d"})
    path = path_of(logdir, "ada@tower")
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][: len(lines[2]) // 2] + b"\x00\xff"
    path.write_bytes(b"\n".join(lines))
    return path


def test_damaged_line_is_skipped_and_reported(logdir: Path):
    path = damaged(logdir)
    snapshot = Sidecar(logdir, editor="bob@lab").snapshot()
    assert [key[1] for key in sorted(snapshot.items)] == ["a", "c", "d"]
    assert snapshot.troubles == (f"damaged lines of curation were skipped: 1: {path}",)


def test_damaged_file_is_renamed_by_its_editor_only(logdir: Path, caplog: pytest.LogCaptureFixture):
    path = damaged(logdir)
    before = path.read_bytes()
    Sidecar(logdir, editor="bob@lab").edit({TITLE: "by bob"})
    assert path.read_bytes() == before
    with caplog.at_level(logging.WARNING):
        snapshot = Sidecar(logdir, editor="ada@tower").edit({("run", "e", "title"): "e"})
    assert "damaged curation file renamed" in caplog.text
    assert snapshot.troubles == ()
    assert [key[1] for key in sorted(snapshot.items)] == ["a", "c", "d", "e"]
    (aside,) = path.parent.glob("*.damaged-*")
    assert aside.read_bytes() == before


def test_what_was_seen_before_the_damage_survives_it(logdir: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sidecar, "_CHECK_SECS", 0.0)
    ada = Sidecar(logdir, editor="ada@tower")
    ada.edit({TITLE: "x"})
    path_of(logdir, "ada@tower").write_bytes(bytes(100))
    assert values(ada) == {TITLE: "x"}
    ada.edit({("run", "b", "title"): "y"})
    assert fresh(logdir) == {TITLE: "x", ("run", "b", "title"): "y"}


@pytest.mark.parametrize("cut", [0, 1, 20, 60, -1])
def test_cut_file_is_damage_and_nothing_worse(logdir: Path, cut: int):
    ada = Sidecar(logdir, editor="ada@tower")
    ada.edit({TITLE: "x"})
    path = path_of(logdir, "ada@tower")
    path.write_bytes(path.read_bytes()[:cut])
    snapshot = Sidecar(logdir, editor="bob@lab").snapshot()
    assert len(snapshot.troubles) == 1
    assert snapshot.items == {}


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"key":["a"],"value":1,"time":-1}',
        b'{"key":["a"],"value":1,"time":99999999999999999999}',
        b'{"key":[],"value":1,"time":1}',
        b'{"key":["\xff"],"value":1,"time":1}',
        b'{"key":["\\ud800"],"value":1,"time":1}',
        b'{"key":"run","value":1,"time":1}',
        b"null",
    ],
)
def test_hostile_lines_are_left_out(logdir: Path, line: bytes):
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    path = path_of(logdir, "ada@tower")
    path.write_bytes(path.read_bytes() + line + b"\n")
    snapshot = Sidecar(logdir, editor="bob@lab").snapshot()
    assert set(snapshot.items) == {TITLE}
    assert len(snapshot.troubles) == 1
    msgspec.json.encode(snapshot.troubles)


def test_file_of_a_newer_version_is_neither_read_nor_replaced(logdir: Path, state_home: Path):
    path = path_of(logdir, "ada@tower")
    path.parent.mkdir()
    path.write_text('{"kymograph":"curation","version":2}\n?\n', "utf-8")
    ada = Sidecar(logdir, editor="ada@tower")
    assert "newer version" in ada.snapshot().troubles[0]
    snapshot = ada.edit({TITLE: "x"})
    assert path.read_text("utf-8").endswith("?\n")
    assert snapshot.read_only
    assert str(snapshot.folder).startswith(str(state_home))
    assert fresh(logdir) == {TITLE: "x"}


def test_files_that_are_no_files_are_not_waited_for(logdir: Path):
    folder = logdir / ".kymograph"
    folder.mkdir()
    os.mkfifo(folder / "pipe@x.jsonl")
    (folder / "dir@x.jsonl").mkdir()
    (folder / "link@x.jsonl").symlink_to("/etc/passwd")
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    snapshot = Sidecar(logdir, editor="bob@lab").snapshot()
    assert set(snapshot.items) == {TITLE}
    assert len(snapshot.troubles) == 3


def test_too_many_editors_and_too_large_files_are_reported(
    logdir: Path, monkeypatch: pytest.MonkeyPatch
):
    for n in range(4):
        Sidecar(logdir, editor=f"ed{n}@x").edit({("run", str(n), "title"): "x"})
    monkeypatch.setattr(sidecar, "MOST_EDITORS", 2)
    snapshot = Sidecar(logdir, editor="ed3@x").snapshot()
    assert {key[1] for key in snapshot.items} == {"0", "3"}  # its own is always among them
    assert "left out: 2" in snapshot.troubles[0]
    monkeypatch.setattr(sidecar, "MOST_BYTES", 10)
    assert "larger than" in Sidecar(logdir, editor="ed3@x").snapshot().troubles[1]


# --- places ---


def test_read_only_logdir_falls_back_to_the_state_directory(monkeypatch: pytest.MonkeyPatch):
    with without_rights() as home:
        monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
        logdir = home / "runs"
        logdir.mkdir()
        Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
        for folder in (logdir / ".kymograph", logdir):
            folder.chmod(0o555)
        ada = Sidecar(logdir, editor="ada@tower")
        assert ada.snapshot().read_only
        snapshot = ada.edit({("run", "b", "title"): "y"})
        assert snapshot.read_only
        assert str(snapshot.folder).startswith(str(home / "state"))
        assert "Permission denied" in snapshot.troubles[0]
        assert fresh(logdir) == {TITLE: "x", ("run", "b", "title"): "y"}
        (logdir / ".kymograph").chmod(0o755)
        snapshot = ada.edit({("run", "c", "title"): "z"})
        assert not snapshot.read_only
        assert snapshot.troubles == ()
        assert len(fresh(logdir)) == 3


def test_logdir_that_refuses_falls_back_and_says_so(logdir: Path, state_home: Path):
    (logdir / ".kymograph").write_text("not a folder", "utf-8")
    snapshot = Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    assert snapshot.read_only
    assert str(snapshot.folder).startswith(str(state_home))
    assert snapshot.troubles[0].startswith("edits are not saved in the logdir: Not a directory")
    assert fresh(logdir) == {TITLE: "x"}
    (logdir / ".kymograph").unlink()


def test_logdir_that_does_not_exist_yet_is_not_made(tmp_path: Path, state_home: Path):
    logdir = tmp_path / "later"
    ada = Sidecar(logdir, editor="ada@tower")
    snapshot = ada.edit({TITLE: "x"})
    assert not logdir.exists()
    assert not snapshot.read_only
    assert snapshot.troubles == ()
    assert str(snapshot.folder).startswith(str(state_home))
    logdir.mkdir()
    assert ada.edit({("run", "b", "title"): "y"}).folder == str(logdir / ".kymograph")
    assert fresh(logdir) == {TITLE: "x", ("run", "b", "title"): "y"}


def test_edit_that_no_place_takes_is_an_error(tmp_path: Path, state_home: Path):
    state_home.write_text("in the way", "utf-8")
    ada = Sidecar(tmp_path / "later", editor="ada@tower")
    with pytest.raises(CurationUnwritableError, match="the edit cannot be saved: No such file"):
        ada.edit({TITLE: "x"})
    assert values(ada) == {}


def test_link_that_leads_out_of_the_logdir_is_refused(logdir: Path, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    Sidecar(elsewhere, editor="eve@x").edit({TITLE: "planted"})
    (logdir / ".kymograph").symlink_to(elsewhere / ".kymograph")
    ada = Sidecar(logdir, editor="ada@tower")
    snapshot = ada.edit({("run", "b", "title"): "y"})
    assert set(snapshot.items) == {("run", "b", "title")}
    assert snapshot.read_only
    assert "a link out of the logdir" in snapshot.troubles[0]
    assert [path.name for path in (elsewhere / ".kymograph").glob("*.jsonl")] == ["eve@x.jsonl"]


def test_link_within_the_logdir_is_followed(logdir: Path):
    (logdir / "kept").mkdir()
    (logdir / ".kymograph").symlink_to("kept")
    assert not Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"}).read_only
    assert (logdir / "kept/ada@tower.jsonl").is_file()


def test_folder_is_as_open_as_the_logdir(logdir: Path):
    logdir.chmod(0o2775)
    Sidecar(logdir, editor="ada@tower").edit({TITLE: "x"})
    assert stat.S_IMODE((logdir / ".kymograph").stat().st_mode) == 0o2775


@pytest.mark.parametrize("editor", ["tfevents@x", "a/../b@x", ".hidden@x", "é\udcff@x", "x" * 300])
def test_no_editor_is_taken_for_a_run_or_leaves_the_folder(logdir: Path, editor: str):
    with kymograph.SummaryWriter(logdir / "real") as writer:
        writer.add_scalar("loss", 1.0, 0)
    Sidecar(logdir, editor=editor).edit({TITLE: "x"})
    assert fresh(logdir) == {TITLE: "x"}
    assert sorted(path.name for path in logdir.iterdir()) == [".kymograph", "real"]
    assert list(kymograph.open(logdir).runs) == ["real"]


def test_event_files_are_not_touched(logdir: Path):
    with kymograph.SummaryWriter(logdir / "real") as writer:
        writer.add_scalar("loss", 1.0, 0)
    (path,) = (logdir / "real").iterdir()
    before = path.read_bytes(), path.stat().st_mtime_ns
    Sidecar(logdir, editor="ada@tower").edit({("run", "real", "hidden"): True})
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_default_editor_is_this_user_on_this_machine(logdir: Path):
    one = Sidecar(logdir)
    one.edit({TITLE: "x"})
    assert one.editor.count("@") == 1
    assert one.snapshot().items[TITLE].editor == one.editor
