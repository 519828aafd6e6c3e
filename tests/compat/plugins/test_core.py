"""Where the data is, which runs and plugins there are, in TensorBoard's words."""

import os
import sys

import httpx
import pytest

import kymograph
from kymograph.server.serving import serve
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import FAILURES, Client


def test_where_the_data_is(tmp_path):
    with servers.ours(tmp_path) as url:
        client = Client(url)
        assert client.get("environment").json() == {
            "version": kymograph.__version__,
            "data_location": str(tmp_path),
            "window_title": "Kymograph",
            "experiment_name": "",
            "experiment_description": "",
            "creation_time": 0,
        }
        assert client.get("logdir").json() == {"logdir": str(tmp_path)}
        assert client.get("window_properties").json() == {"window_title": "Kymograph"}
        assert client.get("runs").json() == []
        assert client.get("experiments").json() == []
        assert client.get("experiment_runs").json() == []


@pytest.mark.skipif(sys.platform != "linux", reason="names are text elsewhere")
def test_a_path_that_is_not_text_is_still_reported(tmp_path):
    with serve(tmp_path / os.fsdecode(b"caf\xe9")) as serving:
        client = Client(serving.url)
        assert client.get("logdir").json() == {"logdir": f"{tmp_path}/caf\\xe9"}
        assert client.get("environment").json()["data_location"] == f"{tmp_path}/caf\\xe9"


def test_news_are_elsewhere_and_there_are_none(tmp_path):
    with servers.ours(tmp_path) as url:
        assert Client(url).get("notifications").status == 302
        news = httpx.get(f"{url}data/notifications", follow_redirects=True)
        assert news.url == f"{url}notifications_note.json"
        assert news.json() == {"notifications": []}


def test_runs_are_listed_by_their_start_and_those_without_events_last(tmp_path):
    old, young = event_files.START - 100, event_files.START + 100
    event_files.write(tmp_path / "b", event_files.scalar("loss", 1, 0.5, young))
    event_files.write(tmp_path / "a", event_files.scalar("loss", 1, 0.5, young))
    event_files.write(tmp_path / "z", event_files.scalar("loss", 1, 0.5, old))
    (tmp_path / "0").mkdir()
    (tmp_path / "0" / event_files.NAME).touch()
    with servers.ours(tmp_path) as url:
        assert Client(url).get("runs").json() == ["z", "a", "b", "0"]


def test_plugins_with_data_are_enabled(tmp_path):
    text = event_files.string_tensor(b"words", shape=[])
    event_files.write(
        tmp_path / "run", event_files.value("t", text, event_files.metadata("text"), step=1)
    )
    with servers.ours(tmp_path) as url:
        listing = Client(url).get("plugins_listing").json()
    assert [name for name, entry in listing.items() if entry["enabled"]] == ["text"]
    assert listing["pr_curves"] == {
        "enabled": False,
        "tab_name": "PR Curves",
        "disable_reload": False,
        "remove_dom": False,
        "loading_mechanism": {"type": "NONE"},
    }


def test_experiment_before_and_slash_after_a_path_mean_nothing(tmp_path):
    event_files.write(tmp_path / "run", event_files.scalar("loss", 1, 0.5))
    with servers.ours(tmp_path) as url:
        for path in ("data/runs", "data/runs/", "experiment/any/data/runs/"):
            assert httpx.get(url + path).json() == ["run"]


def test_every_failure_is_the_requests_and_says_so_in_a_sentence(tmp_path):
    """As TensorBoard, but for the statuses that are 500 there."""
    answered = {
        "plugin/text/text?run=x&tag=y": [],
        "plugin/mesh/meshes?run=x&tag=y": [],
        "plugin/custom_scalars/scalars": {"regex_valid": False, "tag_to_events": {}},
        "plugin/custom_scalars/scalars?run=x": {"regex_valid": False, "tag_to_events": {}},
        "plugin/custom_scalars/scalars?run=x&tag=y": {"regex_valid": True, "tag_to_events": {}},
        "plugin/custom_scalars/scalars?run=x&tag=(": {"regex_valid": False, "tag_to_events": {}},
    }
    unknown = {
        "nothing",
        "plugin/nothing/tags",
        "plugin/scalars/nothing",
        "plugin_entry.html",
        "plugin_entry.html?name=nothing",
        "plugin/scalars/scalars?run=x&tag=y",
        "plugin/histograms/histograms?run=x&tag=y",
        "plugin/distributions/distributions?run=x&tag=y",
        "plugin/images/images?run=x&tag=y",
        "plugin/audio/audio?run=x&tag=y",
        "plugin/custom_scalars/download_data?run=x&tag=y",
    }
    with servers.ours(tmp_path) as url:
        found = {path: Client(url).get(path) for path in FAILURES}
    for path, answer in found.items():
        if path in answered:
            assert answer.json() == answered[path], path
        elif path == "plugin/mesh/data?run=x&tag=y&content_type=FACE":
            assert (answer.status, answer.body) == (200, b"")
        else:
            expected = 405 if path.endswith("multirun") else 404 if path in unknown else 400
            assert answer.status == expected, path
            assert answer.content_type == "application/json"
            assert b'{"error":"' in answer.body


def test_unchanged_answer_is_not_sent_again(tmp_path):
    path = event_files.write(tmp_path / "run", event_files.scalar("loss", 1, 0.5))
    with kymograph.open(tmp_path) as store, serve(store) as serving:
        route = f"{serving.url}data/plugin/scalars/scalars?run=run&tag=loss"
        first = httpx.get(route)
        known = {"If-None-Match": first.headers["ETag"]}
        assert httpx.get(route, headers=known).status_code == 304
        event_files.append(path, event_files.scalar("loss", 2, 0.25))
        store.refresh()
        assert len(httpx.get(route, headers=known).json()) == 2
