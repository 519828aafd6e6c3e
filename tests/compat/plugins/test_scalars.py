"""Every scalar, as JSON and as CSV, in TensorBoard's words."""

import math

import kymograph
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
PATH = "plugin/scalars/scalars"


def write(folder, *values, tag="loss"):
    events = [event_files.scalar(tag, step, value) for step, value in enumerate(values)]
    event_files.write(folder, *events)


def test_every_point_is_answered_and_none_is_sampled(tmp_path):
    write(tmp_path / "run", *range(1500))
    with servers.ours(tmp_path) as url:
        points = Client(url).get(PATH, run="run", tag="loss").json()
    assert points == [[START + step, step, float(step)] for step in range(1500)]


def test_long_series_is_whole(tmp_path):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        for step in range(140_000):
            writer.add_scalar("loss", step % 7, step, START)
    with servers.ours(tmp_path) as url:
        points = Client(url).get(PATH, run="run", tag="loss").json()
    assert points == [[START, step, float(step % 7)] for step in range(140_000)]


def test_what_json_has_no_number_for_is_a_string(tmp_path):
    write(tmp_path / "run", 0.5, math.nan, math.inf, -math.inf)
    with servers.ours(tmp_path) as url:
        points = Client(url).get(PATH, run="run", tag="loss").json()
    assert [value for _, _, value in points] == [0.5, "NaN", "Infinity", "-Infinity"]


def test_csv_is_tensorboards(tmp_path):
    write(tmp_path / "run", 0.5, math.nan)
    with servers.ours(tmp_path) as url:
        answer = Client(url).get(PATH, run="run", tag="loss", format="csv")
    assert answer.content_type == "text/csv; charset=utf-8"
    rows = ["Wall time,Step,Value", f"{START},0,0.5", f"{START + 1},1,nan", ""]
    assert answer.body == "\r\n".join(rows).encode()


def test_doubles_and_long_steps_are_exact(tmp_path):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        writer.add_scalar("loss", 0.1, 2**60 + 1, START, new_style=True, double_precision=True)
    with servers.ours(tmp_path) as url:
        assert Client(url).get(PATH, run="run", tag="loss").json() == [[START, 2**60 + 1, 0.1]]


def test_several_runs_at_once_by_either_form(tmp_path):
    write(tmp_path / "ä&b", 1)
    write(tmp_path / "c", 2)
    write(tmp_path / "d", 3, tag="other")
    expected = {"ä&b": [[START, 0, 1.0]], "c": [[START, 0, 2.0]]}
    path = "plugin/scalars/scalars_multirun"
    with servers.ours(tmp_path) as url:
        client = Client(url)
        names = ["ä&b", "c", "d", "absent"]
        assert client.post(path, tag="loss", runs=names).json() == expected
        fields = [("tag", "loss"), *(("runs", name) for name in names)]
        assert client.post_parts(path, *fields).json() == expected
        assert client.post(path, tag="loss").json() == {}
        assert client.post(path, tag=["loss", "other"], runs=names).status == 400
        assert client.get(path, tag="loss", runs="c").status == 405


def test_tags_have_the_name_and_description_of_the_file(tmp_path):
    about = event_files.metadata("scalars", name="Loss!", description="*how* <b>much</b>")
    event_files.write(
        tmp_path / "run",
        event_files.value("named", about, event_files.double_tensor(1.0), step=1),
        event_files.scalar("plain", 1, 0.5),
    )
    with servers.ours(tmp_path) as url:
        assert Client(url).get("plugin/scalars/tags").json() == {
            "run": {
                "named": {
                    "displayName": "Loss!",
                    "description": "<p><em>how</em> &lt;b&gt;much&lt;/b&gt;</p>",
                },
                "plain": {"displayName": "", "description": ""},
            }
        }
