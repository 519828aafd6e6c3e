"""Which commit the program's code is at, and what was changed since."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from kymograph.writer.capture.part import Part, Writer, fenced

__all__ = ["Git"]

log = logging.getLogger(__name__)

_TIMEOUT_SECS = 4.0
_DIFF_BYTES = 256 << 10
# Read only: take no lock, never prompt, and start no program that a configuration names.
_SETTINGS = ("--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false")
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class Git(Part):
    """Text under `run/git`, and under `run/git_diff` if tracked files differ from the commit.

    Of the repository that holds the working directory, or else the program. Untracked files do
    not count: looking for them could mean walking through all of the data.
    """

    def record(self, writer: Writer, *, final: bool) -> None:  # noqa: ARG002
        directory, status = _find_status()
        if status is None:
            log.info("no git repository is captured: %s", directory)
            return
        commit, branch, changes = _parse_status(status)
        state = "dirty" if changes else "clean"
        writer.add_text("run/git", fenced(f"commit: {commit}\nbranch: {branch}\nstate: {state}"), 0)
        if changes and commit != "none":
            writer.add_text("run/git_diff", fenced(_read_diff(directory), "diff"), 0)


def _find_status() -> tuple[Path, str | None]:
    directories = [Path.cwd()]
    if program := getattr(sys.modules.get("__main__"), "__file__", None):
        directories.append(Path(program).resolve().parent)
    for directory in directories:
        # Version 2 includes commit and branch as well, so one process is enough.
        arguments = ("status", "--porcelain=v2", "--branch", "--untracked-files=no")
        code, output, _ = _git(directory, *arguments, limit_bytes=_DIFF_BYTES)
        if code == 0:
            return directory, output
    return directories[0], None


def _parse_status(status: str) -> tuple[str, str, list[str]]:
    """Commit, branch and the changed files; the commit is `none` before the first one."""
    lines = status.splitlines()
    headers = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    commit = headers.get("branch.oid", "(initial)").replace("(initial)", "none")
    branch = headers.get("branch.head", "(detached)").strip("()")
    return commit, branch, [line for line in lines if not line.startswith("# ")]


def _read_diff(directory: Path) -> str:
    arguments = ("diff", "HEAD", "--no-ext-diff", "--no-textconv", "--no-color")
    code, output, is_whole = _git(directory, *arguments, limit_bytes=_DIFF_BYTES)
    if code != 0 and is_whole:
        raise OSError(f"`git diff` failed: {code}")
    return output if is_whole else f"{output}\n[... cut after {_DIFF_BYTES >> 10} KiB]"


def _git(directory: Path, *arguments: str, limit_bytes: int) -> tuple[int, str, bool]:
    """Exit code, output, and whether that is the whole output.

    Raises FileNotFoundError without git, TimeoutError if it takes too long.
    """
    late = threading.Event()
    with subprocess.Popen(
        ["git", *_SETTINGS, *arguments],  # noqa: S607  (the git that the user calls)
        cwd=directory,
        env=os.environ | _ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:

        def give_up() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(_TIMEOUT_SECS, give_up)
        timer.daemon = True
        timer.start()
        output = process.stdout.read(limit_bytes + 1) if process.stdout else b""
        if len(output) > limit_bytes:
            process.kill()
        code = process.wait()
        timer.cancel()
    if late.is_set():
        raise TimeoutError(f"`git {arguments[0]}` took more than {_TIMEOUT_SECS:.0f} s")
    return code, output[:limit_bytes].decode("utf-8", "replace"), len(output) <= limit_bytes
