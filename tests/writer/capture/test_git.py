"""Commit, branch and changes of a real repository."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kymograph.writer.capture import Git, git
from kymograph.writer.summary_writer import SummaryWriter
from tests.writer.capture.reading import tags, texts


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, in which the program seems to run."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    program = str(tmp_path / "elsewhere/x.py")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", program, raising=False)
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    call("init", "--quiet", "--initial-branch=trunk")
    (folder / "train.py").write_text("lr = 0.1\n")
    return folder


def call(*arguments: str) -> str:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    return subprocess.check_output(["git", *person, *arguments], text=True).strip()


def commit() -> str:
    call("add", "--all")
    call("commit", "--quiet", "--message", "start")
    return call("rev-parse", "HEAD")


def recorded(logdir: Path) -> dict[str, str]:
    with SummaryWriter(str(logdir)) as writer:
        Git().record(writer, final=False)
    return {tag: text for tag in ("run/git", "run/git_diff") for _, text in texts(logdir, tag)}


def test_a_clean_repository_is_its_commit_and_branch(repository: Path, tmp_path: Path):
    revision = commit()
    (repository / "untracked.txt").touch()
    assert recorded(tmp_path / "run") == {
        "run/git": f"commit: {revision}\nbranch: trunk\nstate: clean"
    }


def test_changes_are_shown_staged_or_not(repository: Path, tmp_path: Path):
    (repository / "model.py").write_text("layers = 2\n")
    commit()
    (repository / "train.py").write_text("lr = 0.2\n")
    (repository / "model.py").write_text("layers = 3\n")
    call("add", "model.py")
    found = recorded(tmp_path / "run")
    assert "state: dirty" in found["run/git"]
    for line in ("-lr = 0.1", "+lr = 0.2", "-layers = 2", "+layers = 3"):
        assert line in found["run/git_diff"].splitlines()


def test_a_large_diff_is_cut(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(git, "_DIFF_BYTES", 2048)
    commit()
    (repository / "train.py").write_text("lr = 0.2\n" * 1_000_000)
    diff = recorded(tmp_path / "run")["run/git_diff"]
    assert diff.endswith("[... cut after 2 KiB]")
    assert 2048 <= len(diff) < 2100


def test_a_detached_head_and_an_empty_repository(repository: Path, tmp_path: Path):
    call("add", "train.py")
    assert recorded(tmp_path / "empty") == {"run/git": "commit: none\nbranch: trunk\nstate: dirty"}
    commit()
    call("checkout", "--quiet", "--detach")
    assert "branch: detached" in recorded(tmp_path / "detached")["run/git"]


def test_the_repository_of_the_program_serves_if_it_runs_elsewhere(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    revision = commit()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(repository / "train.py"))
    assert revision in recorded(tmp_path / "run")["run/git"]


def test_programs_named_by_a_configuration_are_not_started(repository: Path, tmp_path: Path):
    commit()
    trap = repository / ".git/trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    (repository / ".git/info/attributes").write_text("*.py diff=trap\n")
    for name in ("core.fsmonitor", "core.pager", "diff.external", "diff.trap.textconv"):
        call("config", name, str(trap))
    (repository / "train.py").write_text("lr = 0.2\n")
    assert "+lr = 0.2" in recorded(tmp_path / "run")["run/git_diff"]
    assert not (tmp_path / "sprung").exists()


def test_the_index_is_not_touched(repository: Path, tmp_path: Path):
    commit()
    index = (repository / ".git/index").read_bytes()
    os.utime(repository / "train.py", (0, 0))  # git would like to note that nothing changed
    assert "state: clean" in recorded(tmp_path / "run")["run/git"]
    assert (repository / ".git/index").read_bytes() == index


def test_no_repository_is_no_text(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules["__main__"], "__file__", None)
    with SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
        Git().record(writer, final=False)
    assert tags(tmp_path / "run") == {"loss"}


def test_a_git_that_hangs_is_given_up(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    slow = tmp_path / "bin/git"
    slow.parent.mkdir()
    slow.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 3600\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    monkeypatch.setattr(git, "_TIMEOUT_SECS", 2)
    with (
        SummaryWriter(str(tmp_path / "run")) as writer,
        pytest.raises(TimeoutError, match="status"),
    ):
        Git().record(writer, final=False)
    # Given up means ended, and not left to run for an hour.
    started = tmp_path / "pid"
    if started.exists():  # on a busy machine it may have been ended before
        with pytest.raises(ProcessLookupError):
            os.kill(int(started.read_text()), 0)
