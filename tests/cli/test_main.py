"""What all commands share: help, version, errors and exit codes."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import kymograph
from kymograph.cli.main import main
from tests import event_files
from tests.cli.program import COMMAND, run
from tests.event_files import scalar


def test_without_arguments_it_explains_itself():
    outcome = run()
    assert outcome.exit_code == 0
    for name in ("serve", "inspect", "tail", "export", "doctor"):
        assert f"\n  {name} " in outcome.out


def test_it_says_its_version():
    assert run("--version").out.strip().endswith(f" {kymograph.__version__}")


def test_starting_imports_nothing_heavy():
    program = "import sys, json, kymograph.cli.main; print(json.dumps(list(sys.modules)))"
    modules = set(json.loads(subprocess.check_output([sys.executable, "-c", program])))
    assert "click" in modules
    heavy = {"pandas", "polars", "pyarrow", "rich.console", "rich.progress", "starlette", "uvicorn"}
    assert modules & heavy == set()


@pytest.mark.parametrize("arguments", [["inspect"], ["nope"], ["inspect", "--nope", "."]])
def test_wrong_usage_ends_with_2(arguments):
    assert run(*arguments).exit_code == 2


def test_an_unknown_command_is_reported(tmp_path: Path):
    outcome = run("insepct", tmp_path)
    assert outcome.exit_code == 2
    assert "no such command, and no such directory: insepct\nhint: " in outcome.err


@pytest.mark.parametrize("command", [["inspect"], ["export", "--csv"]])
def test_a_missing_directory_is_one_sentence_and_a_hint(tmp_path: Path, command):
    outcome = run(*command, tmp_path / "nope")
    assert outcome.exit_code == 1
    message, hint = outcome.err.splitlines()
    assert message == f"error: no such directory: {tmp_path / 'nope'}"
    assert hint.startswith("hint: `kymograph doctor ")
    assert outcome.out == ""


def test_a_pipe_that_closes_early_is_no_error(tmp_path: Path):
    event_files.write(tmp_path, *(scalar("loss", step, 1.0) for step in range(30_000)))
    process = subprocess.Popen(
        [*COMMAND, "export", str(tmp_path), "--csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"run,tag,step,wall_time,value\n"
    process.stdout.close()
    assert process.wait(timeout=30) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_ctrl_c_before_everything_is_loaded_is_silent():
    program = """
import runpy, sys

class Interrupt:
    def find_spec(self, name, path, target=None):
        if name == "kymograph.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
runpy.run_module("kymograph", run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes streams")
@pytest.mark.parametrize(
    ("closing", "messages"), [("<&- >&-", ["no such directory"]), (">&- 2>&-", [])]
)
def test_closed_streams_change_nothing_else(tmp_path: Path, closing: str, messages: list[str]):
    command = shlex.join([*COMMAND, "inspect", str(tmp_path / "nope")])
    done = subprocess.run(
        f"{command} {closing}", shell=True, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert re.findall("no such directory|Traceback", done.stderr) == messages
    command = shlex.join([*COMMAND, "--version"])
    assert subprocess.run(f"{command} {closing}", shell=True, check=False).returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "command",
    [["export", "--csv"], ["inspect"], ["doctor"], ["tail", "--idle=0", "-n1"], ["--version"]],
    ids=lambda command: command[0],
)
def test_a_full_disk_is_one_sentence(tmp_path: Path, command):
    event_files.write(tmp_path, scalar("loss", 0, 1.0), scalar("loss", 1, 1.0))
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            [*COMMAND, *command, str(tmp_path)], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert process.stderr == b"error: cannot write the output: No space left on device\n"
    assert process.returncode == 1


@pytest.mark.parametrize(
    ("variables", "is_coloured"),
    [
        ({}, True),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colours_can_be_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables, is_coloured
):
    event_files.write(tmp_path, scalar("loss", 0, 1.0))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for place in (tmp_path, tmp_path / "nope"):
        result = CliRunner().invoke(main, ["inspect", str(place)], color=True)
        assert ("\x1b[" in result.output) == is_coloured
