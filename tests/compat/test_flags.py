"""TensorBoard's command lines put into our words."""

import re
from pathlib import Path

import click
import pytest

from kymograph.cli.serve import serve
from kymograph.compat.flags import FLAGS, translated

ROOT = Path(__file__).parents[2]
OPTIONS = {
    name: not parameter.is_flag
    for parameter in serve.params
    if isinstance(parameter, click.Option)
    for name in parameter.opts
}


def ours(*arguments: str) -> list[str]:
    """The translation, which must come without a notice."""
    words, notices = translated(arguments, OPTIONS)
    assert notices == []
    return words


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        (["--logdir", "runs"], ["--logdir", "runs"]),
        (["--logdir=runs"], ["--logdir=runs"]),
        (["--logdir_spec=a:b,c:d"], ["--logdir-spec=a:b,c:d"]),
        (["--path_prefix", "/x"], ["--path-prefix", "/x"]),
        (["--path-prefix=/x"], ["--path-prefix=/x"]),
        (["--version_tb"], ["--version"]),
        (["--version"], ["--version"]),
        # Cut names; those that TensorBoard understands come before our own.
        (["--path", "/x"], ["--path-prefix", "/x"]),
        (["--in"], ["--inspect"]),
        (["--info", "x"], ["--info-file", "x"]),
        (["--bind"], ["--bind-all"]),
        # Switches with a value.
        (["--bind_all=true"], ["--bind-all"]),
        (["--bind_all=False"], []),
        (["--bind_all=perhaps"], ["--bind-all=perhaps"]),
        (["--reuse_port=TRUE"], ["--reuse-port=TRUE"]),
        # A value is a value, whatever it looks like.
        (["--window_title", "--reuse_port", "x"], ["--window-title", "--reuse_port", "x"]),
        (["--window_title=--load_fast"], ["--window-title=--load_fast"]),
        (["--", "--load_fast"], ["--", "--load_fast"]),
        (["runs_a", "-h"], ["runs_a", "-h"]),
        # Its libraries' flags.
        (["--verbosity", "1", "--v=2", "runs"], ["runs"]),
        (["--logtostderr", "--nologtostderr", "--alsologtostderr=true", "runs"], ["runs"]),
        (["--helpfull"], ["--help"]),
        # Neither's, or not clear: for the command to complain of.
        (["--no_such_flag=1"], ["--no_such_flag=1"]),
        (["--logd", "x"], ["--logd", "x"]),
        (["--re"], ["--re"]),
    ],
    ids=" ".join,
)
def test_theirs_become_ours(theirs, expected):
    assert ours(*theirs) == expected


@pytest.mark.parametrize("spelling", ["_", "-"])
@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag.name)
def test_every_flag_has_a_meaning_or_a_notice(flag, spelling):
    given = f"--{flag.name.replace('_', spelling)}"
    value = ["value"] if flag.takes_value else []
    words, notices = translated([given, *value, "runs"], OPTIONS)
    if flag.option:
        assert flag.notice == ""
        assert (words, notices) == ([flag.option, *value, "runs"], [])
        assert OPTIONS[flag.option] == flag.takes_value
    else:
        assert (words, notices) == (["runs"], [f"`--{flag.name}` has no effect: {flag.notice}"])
    if flag.takes_value:
        assert translated([f"{given}=value", "runs"], OPTIONS)[0][-1] == "runs"


def test_a_flag_at_the_end_without_its_value_is_no_crash():
    assert translated(["--load_fast"], OPTIONS)[0] == []
    assert translated(["--verbosity"], OPTIONS)[0] == []
    assert translated(["--logdir"], OPTIONS)[0] == ["--logdir"]


def test_the_guide_lists_every_flag():
    guide = (ROOT / "docs/guides/coming-from-tensorboard.md").read_text("utf-8")
    rows = re.findall(r"^\| (`--.*?) \| (.*?) \|$", guide, re.MULTILINE)
    listed = {name: meaning for names, meaning in rows for name in re.findall(r"`--(\w+)", names)}
    assert set(listed) == {flag.name for flag in FLAGS}
    for flag in FLAGS:
        assert ("no effect" in listed[flag.name]) == (not flag.option), flag.name
