"""A tool that is missing, broken or too old is named in one sentence with how to get it."""

import os
from pathlib import Path

import pytest

from kymograph_build import prerequisites


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Puts commands of our own making, and nothing else, on the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def plant(command: str, script: str) -> None:
        file = tmp_path / command
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    return plant


@pytest.mark.parametrize(
    ("tool", "answer", "accepted"),
    [
        ("node", "v18.20.4", False),
        ("node", "v20.18.9", False),
        ("node", "v20.19.0", True),
        ("node", "v21.7.3", False),
        ("node", "v22.12.0", False),
        ("node", "v22.13.1", True),
        ("node", "v23.11.0", False),
        ("node", "v24.0.0", True),
        ("node", "v31.2.0", True),
        ("npm", "8.19.4", False),
        ("npm", "11.19.1", True),
        ("cargo", "cargo 1.87.0 (99624be96 2025-05-06)", False),
        ("cargo", "cargo 1.88.0 (873a06493 2025-05-10)", True),
        ("cargo", "cargo 1.95.0-nightly (f2d3ce0bd 2026-03-21)", True),
        ("cargo", "cargo 2.0.0", True),
    ],
)
def test_versions_are_accepted_from_the_lowest_that_works(plant, tool, answer, accepted):
    plant(tool, f"echo '{answer}'")
    fault = prerequisites.find_fault(prerequisites.TOOLS[tool])
    assert (fault is None) == accepted
    if fault is not None:
        assert fault.startswith(f"`{tool}` is too old or unsupported: ")
        assert "https://" in fault


def test_missing_tool_is_named_with_how_to_get_it(plant):
    with pytest.raises(prerequisites.MissingPrerequisiteError) as caught:
        prerequisites.require("cargo")
    assert str(caught.value) == (
        "`cargo` was not found: Rust 1.88 or newer is needed, "
        "install it from https://rustup.rs, or run `rustup update` if you have rustup"
    )


@pytest.mark.parametrize("script", ["exit 1", "echo 'no toolchain is installed'"])
def test_tool_that_does_not_run_is_named_with_its_path(plant, tmp_path, script):
    plant("cargo", script)
    fault = prerequisites.find_fault(prerequisites.TOOLS["cargo"])
    assert fault is not None
    assert fault.startswith("`cargo` does not run: ")
    assert fault.endswith(os.fspath(tmp_path / "cargo"))


def test_program_reports_all_faults_at_once(plant, capsys):
    plant("npm", "echo 11.0.0")
    assert prerequisites.main(["node", "npm", "cargo"]) == 1
    complaints = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1] for line in complaints] == [
        " `node` was not found",
        " `cargo` was not found",
    ]
    assert prerequisites.main(["npm"]) == 0
