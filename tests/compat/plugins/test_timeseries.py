"""Scalars, histograms and images in one batch, in TensorBoard's words."""

import json

import kymograph
from kymograph.compat.plugins import timeseries
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
PNG = b"\x89PNG\r\n\x1a\n..."
PATH = "plugin/timeseries/timeSeries"


def write(folder):
    described = event_files.metadata("scalars", description="*one*")
    other = event_files.metadata("scalars", description="two")
    number, buckets = (
        event_files.double_tensor(1.0),
        event_files.double_tensor(0, 1, 2, shape=[1, 3]),
    )
    images = event_files.string_tensor(b"3", b"2", PNG, PNG)
    event_files.write(
        folder / "a",
        event_files.value("loss", number, described, step=1),
        event_files.scalar("acc", 1, float("nan")),
        event_files.value("weights", buckets, event_files.metadata("histograms"), step=2),
        event_files.value("pictures", images, event_files.metadata("images"), step=3),
    )
    event_files.write(folder / "b", event_files.value("loss", number, other, step=1))
    event_files.write(folder / "c", event_files.value("loss", number, other, step=1))


def test_tags_of_three_kinds(tmp_path):
    write(tmp_path)
    with servers.ours(tmp_path) as url:
        answer = Client(url).get("plugin/timeseries/tags").json()
    loss = (
        "<h1>Multiple descriptions</h1>\n"
        "<h2>For run: a</h2>\n<p><em>one</em></p>\n"
        "<h2>For runs: b, c</h2>\n<p>two</p>"
    )
    assert answer == {
        "scalars": {
            "runTagInfo": {"a": ["acc", "loss"], "b": ["loss"], "c": ["loss"]},
            "tagDescriptions": {"loss": loss},
        },
        "histograms": {"runTagInfo": {"a": ["weights"]}, "tagDescriptions": {}},
        "images": {
            "tagDescriptions": {},
            "tagRunSampledInfo": {"pictures": {"a": {"maxSamplesPerStep": 2}}},
        },
    }


def test_batch_is_answered_in_its_order(tmp_path):
    write(tmp_path)
    requests: list[dict[str, object]] = [
        {"plugin": "scalars", "tag": "loss"},
        {"plugin": "scalars", "tag": "acc", "run": "a"},
        {"plugin": "histograms", "tag": "weights", "run": "a"},
        {"plugin": "images", "tag": "pictures", "run": "a", "sample": 1},
        {"plugin": "images", "tag": "pictures", "run": "a", "sample": 2},
        {"plugin": "images", "tag": "pictures", "run": "a", "sample": -1},
        {"plugin": "scalars", "tag": "absent"},
    ]
    point = {"wallTime": START + 1, "step": 1}
    bins = [{"min": 0.0, "max": 1.0, "count": 2.0}]
    with servers.ours(tmp_path) as url:
        client = Client(url)
        answer = client.post(PATH, requests=json.dumps(requests)).json()
        assert client.get(PATH, requests=json.dumps(requests)).json() == answer
        assert client.post_parts(PATH, ("requests", json.dumps(requests))).json() == answer
        key = answer[3]["runToSeries"]["a"][0].pop("imageId")
        image = client.get("plugin/timeseries/imageData", imageId=key)
    assert (image.content_type, image.body) == ("image/png", PNG)
    assert [one["runToSeries"] for one in answer] == [
        {run: [{**point, "value": 1.0}] for run in ("a", "b", "c")},
        {"a": [{**point, "value": "NaN"}]},
        {"a": [{"wallTime": START + 2, "step": 2, "bins": bins}]},
        {"a": [{"wallTime": START + 3, "step": 3}]},
        {},
        {},
        {},
    ]
    assert [{**one, "runToSeries": {}} for one in answer] == [
        {**request, "runToSeries": {}} for request in requests
    ]


def test_batch_that_would_not_fit_into_memory_is_refused(tmp_path):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        for step in range(100_000):
            writer.add_scalar("loss", 0.5, step, START)
    request = {"plugin": "scalars", "tag": "loss"}
    with servers.ours(tmp_path) as url:
        client = Client(url)
        [answer] = client.post(PATH, requests=json.dumps([request])).json()
        assert len(answer["runToSeries"]["run"]) == 100_000
        assert client.post(PATH, requests=json.dumps([request] * 50)).status == 400
        assert client.post(PATH, requests=json.dumps([{}] * 1001)).status == 400


def test_batch_that_would_take_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(timeseries, "_MOST_PAIRS", 5)
    for name in "ab":
        event_files.write(tmp_path / name, event_files.scalar("loss", 1, 0.5))
    of_all, of_one = ({"plugin": "scalars", "tag": "loss"} | more for more in ({}, {"run": "a"}))
    with servers.ours(tmp_path) as url:
        client = Client(url)
        assert client.post(PATH, requests=json.dumps([of_all] * 2 + [of_one] * 9)).status == 200
        assert client.post(PATH, requests=json.dumps([of_all] * 3)).status == 400


def test_each_request_has_its_own_error(tmp_path):
    requests = [
        {},
        {"tag": "x", "plugin": "text"},
        {"tag": "x", "plugin": "histograms"},
        {"tag": "x", "plugin": "images", "run": "y"},
        {"tag": 5, "plugin": "scalars"},
    ]
    with servers.ours(tmp_path) as url:
        answer = Client(url).post(PATH, requests=json.dumps(requests)).json()
        for wrong in ("[", "{}", "[5]", "[" * 100_000):
            assert Client(url).post(PATH, requests=wrong).status == 400
    errors = [one["error"] for one in answer]
    expected = ["Missing tag", "Invalid plugin", "Missing run", "Missing sample", "Missing tag"]
    assert errors == expected
