"""What a program imports before it answers: a board of scalars needs no numpy."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import event_files
from tests.event_files import scalar

HELP = """
import sys
from kymograph.__main__ import main
sys.argv = ["kymograph", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""
MODULES = """
import json, sys
print("\\n" + json.dumps(sorted(sys.modules)))
"""
BOARD = """
import sys
from http.client import HTTPConnection
from json import dumps
from urllib.parse import urlsplit
import kymograph

with kymograph.serve(sys.argv[1]) as board:
    board.board.store.wait()
    connection = HTTPConnection(urlsplit(board.url).netloc, timeout=60)

    def ask(method, path, body=None, status=200):
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, body and dumps(body), headers)
        answer = connection.getresponse()
        if path.endswith("/live"):
            while answer.readline() != b"event: hello\\n":
                pass
            return
        content = answer.read()
        assert answer.status == status, (path, content)

    ask("GET", "/")
    for path in ("status", "runs", "tags", "hparams", "restarts", "curation"):
        ask("GET", f"/api/v1/{path}")
    group = {"name": "all", "runs": ["a", "b"]}
    cards = [
        {"tag": "loss", "runs": ["a", "b"], "smoothing": "ema:0.6"},
        {"tag": "loss", "columns": 2, "smoothing": "gaussian:2"},
        {"tag": "loss", "x": {"tag": "accuracy"}},
        {"tag": "loss", "groups": [group], "bootstrap": "iqm"},
    ]
    ask("POST", "/api/v1/scalars/series", {"cards": cards, "share_x": True})
    ask("POST", "/api/v1/scalars/summary", {"tags": ["loss"]})
    ask("GET", "/data/plugin/scalars/scalars?run=a&tag=loss")
    ask("GET", "/data/runs")
    ask("GET", "/data/plugin/scalars/scalars?run=none&tag=loss", status=404)
    ask("GET", "/none", status=404)
    # Only streams need it. It takes a tenth as long as all other imports.
    assert "anyio._backends._asyncio" not in sys.modules
    ask("POST", "/api/v1/scalars/export", {"cards": [{"tag": "loss"}]})
    for form in ("csv", "json"):
        ask("GET", f"/api/v1/scalars/download?run=a&tag=loss&format={form}")
    ask("GET", "/api/v1/live")
    {more}
"""


def modules_after(program: str, *arguments: object) -> set[str]:
    """Names of all modules that a fresh interpreter holds after a program."""
    command = [sys.executable, "-c", program + MODULES, *map(str, arguments)]
    output = subprocess.check_output(command, text=True, timeout=120)
    return set(json.loads(output.splitlines()[-1]))


def packages(modules: set[str]) -> set[str]:
    """The packages that are not Python's own, nor there without any program."""
    tops = {name.partition(".")[0] for name in modules - modules_after("")}
    return {name for name in tops if name not in sys.stdlib_module_names}


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    for run in ("a", "b"):
        steps = range(20)
        loss = [scalar("loss", step, 1 / (step + 1)) for step in steps]
        event_files.write(tmp_path / run, *loss, *(scalar("accuracy", step, 0.5) for step in steps))
    return tmp_path


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_and_version_import_no_command(arguments: list[str]):
    modules = modules_after(HELP, *arguments)
    assert packages(modules) == {"click", "kymograph"}
    assert {name for name in modules if name.startswith("kymograph.")} == {
        "kymograph.__main__",
        "kymograph._core",
        "kymograph.cli",
        "kymograph.cli.main",
        "kymograph.cli.program",
        "kymograph.errors",
    }


@pytest.mark.parametrize("command", ["serve", "inspect", "tail", "export", "doctor"])
def test_help_of_a_command_imports_nothing_that_it_only_needs_to_run(command: str):
    modules = modules_after(HELP, command, "--help")
    # msgspec makes records sooner than dataclasses, and imports typing_extensions if it is there.
    assert packages(modules) - {"typing_extensions"} == {"click", "kymograph", "msgspec"}
    assert f"kymograph.cli.{command}" in modules
    assert modules & {"asyncio", "ssl", "kymograph.server.serving"} == set()


def test_a_board_of_scalars_runs_without_numpy(logdir: Path):
    modules = modules_after(BOARD.replace("{more}", ""), logdir)
    assert "kymograph.dashboards.scalars.lines" in modules
    assert packages(modules) & {"numpy", "rich", "markdown_it", "pandas", "pyarrow"} == set()


def test_numpy_is_there_when_an_expression_is_computed(logdir: Path):
    card = {"expression": "loss + accuracy"}
    more = f'connection.close(); ask("POST", "/api/v1/scalars/series", {{"cards": [{card}]}})'
    modules = modules_after(BOARD.replace("{more}", more), logdir)
    assert "numpy" in modules
