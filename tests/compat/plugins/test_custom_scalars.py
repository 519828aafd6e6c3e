"""Layouts of all runs in one, and scalars by regular expression, in TensorBoard's words."""

import pytest

import kymograph
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START


def multiline(*tags):
    return ["Multiline", list(tags)]


def chart(title, *tags):
    return {"title": title, "multiline": {"tag": list(tags)}}


def test_layouts_of_all_runs_are_joined_by_title(tmp_path):
    layouts = {
        "a": {"first": {"one": multiline("x")}},
        "b": {"shared": {"two": multiline("y.*"), "same": multiline("z")}},
        "c": {"shared": {"three": ["Margin", ["v", "l", "u"]], "same": multiline("z")}},
    }
    for run, layout in layouts.items():
        with kymograph.SummaryWriter(tmp_path / run) as writer:
            writer.add_custom_scalars(layout)
    with servers.ours(tmp_path) as url:
        answer = Client(url).get("plugin/custom_scalars/layout").json()
    bands = {"series": [{"value": "v", "lower": "l", "upper": "u"}]}
    shared = [chart("two", "y.*"), chart("same", "z"), {"title": "three", "margin": bands}]
    assert answer == {
        "version": 0,
        "category": [
            {"title": "first", "chart": [chart("one", "x")], "closed": False},
            {"title": "shared", "chart": shared, "closed": False},
        ],
    }


def test_no_layout_is_an_empty_object(tmp_path):
    with servers.ours(tmp_path) as url:
        assert Client(url).get("plugin/custom_scalars/layout").json() == {}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("loss", {"loss", "loss/b"}),
        ("b|loss$", {"loss"}),
        ("loss/.*", {"loss/b"}),
        ("(acc)|(loss)", {"acc", "loss", "loss/b"}),
        ("absent", set()),
    ],
)
def test_expression_matches_from_the_start_of_a_tag(tmp_path, pattern, expected):
    tags = ["loss", "loss/b", "acc", "a/loss"]
    event_files.write(tmp_path / "run", *(event_files.scalar(tag, 1, 0.5) for tag in tags))
    with servers.ours(tmp_path) as url:
        answer = Client(url).get("plugin/custom_scalars/scalars", run="run", tag=pattern).json()
    points = [[START + 1, 1, 0.5]]
    found = dict.fromkeys(expected, points)
    assert answer == {"regex_valid": True, "tag_to_events": found}


@pytest.mark.parametrize("pattern", ["(", "a)(b", "*", r"(a)\1", "a{100000}{100000}"])
def test_invalid_expressions_are_reported(tmp_path, pattern):
    event_files.write(tmp_path / "run", event_files.scalar("loss", 1, 0.5))
    with servers.ours(tmp_path) as url:
        answer = Client(url).get("plugin/custom_scalars/scalars", run="run", tag=pattern).json()
    assert answer == {"regex_valid": False, "tag_to_events": {}}


def test_no_expression_takes_for_ever(tmp_path):
    event_files.write(tmp_path / "run", event_files.scalar("a" * 60, 1, 0.5))
    with servers.ours(tmp_path) as url:
        # A backtracking engine would still be at it when the sun goes out.
        answer = Client(url).get("plugin/custom_scalars/scalars", run="run", tag="(a+)+$b").json()
    assert answer == {"regex_valid": True, "tag_to_events": {}}


def test_data_is_downloaded_like_scalars(tmp_path):
    event_files.write(tmp_path / "run", event_files.scalar("loss", 1, 0.5))
    with servers.ours(tmp_path) as url:
        client, path = Client(url), "plugin/custom_scalars/download_data"
        answer = client.get(path, run="run", tag="loss", format="json").json()
        csv = client.get(path, run="run", tag="loss", format="csv").body
    assert answer == [[START + 1, 1, 0.5]]
    assert csv == f"Wall time,Step,Value\r\n{START + 1},1,0.5\r\n".encode()
