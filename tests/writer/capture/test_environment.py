"""The command, selected variables and packages; secrets stay where they are."""

import importlib.metadata
import platform
import socket
import sys
from pathlib import Path

import pytest

from kymograph.writer.capture import Environment
from kymograph.writer.summary_writer import SummaryWriter
from tests.writer.capture.reading import texts


def recorded(logdir: Path) -> dict[str, list[str]]:
    with SummaryWriter(str(logdir)) as writer:
        Environment().record(writer, final=False)
    tags = ("run/command", "run/packages")
    return {tag: text.splitlines() for tag in tags for _, text in texts(logdir, tag)}


def test_the_start_of_the_program_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "orig_argv", ["python", "train.py", "--name", "first try"])
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    monkeypatch.setenv("WANDB_API_KEY", "key-of-mine")
    monkeypatch.chdir(tmp_path)
    lines = recorded(tmp_path / "run")["run/command"]
    assert {
        "command: python train.py --name 'first try'",
        f"directory: {Path.cwd()}",
        f"host: {socket.gethostname()}",
        f"python: CPython {platform.python_version()}",
        "CUDA_VISIBLE_DEVICES: 0,1",
    } <= set(lines)
    assert "key-of-mine" not in "\n".join(lines)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ("--api-key hush --lr 0.1", "--api-key '***' --lr 0.1"),
        ("--hf_token=hush", "'--hf_token=***'"),
        ("trainer.wandb.api_key=hush", "'trainer.wandb.api_key=***'"),
        ("--password --lr 0.1", "--password --lr 0.1"),
        ("--data https://ada:hush@x.org/d", "'--data' 'https://ada:***@x.org/d'"),
        ("--tokenizer gpt2 --max-tokens 5", "--tokenizer gpt2 --max-tokens 5"),
        ("secret hush", "secret hush"),
    ],
)
def test_secrets_on_the_command_line_are_stars(
    arguments: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sys, "orig_argv", arguments.split())
    command = recorded(tmp_path)["run/command"][0]
    assert command.replace("'", "") == f"command: {shown}".replace("'", "")


def test_packages_are_those_that_importlib_knows(tmp_path: Path):
    found = dict(line.split("==") for line in recorded(tmp_path)["run/packages"])
    assert found["numpy"] == importlib.metadata.version("numpy")
    assert found["pytest"] == importlib.metadata.version("pytest")
    names = {dist.metadata["Name"] for dist in importlib.metadata.distributions()}
    assert len(found) == len({name.lower().replace("_", "-").replace(".", "-") for name in names})


def test_the_first_on_the_path_counts_and_broken_ones_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for folder, version in (("first", "2.0"), ("second", "1.0")):
        info = tmp_path / folder / f"Some_Thing-{version}.dist-info"
        info.mkdir(parents=True)
        text = f"Metadata-Version: 2.1\nName: Some_Thing\nVersion: {version}\n\nName: readme\n"
        (info / "METADATA").write_text(text)
    (tmp_path / "first/broken-1.0.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "second")])
    assert recorded(tmp_path / "run")["run/packages"] == ["some-thing==2.0"]
