"""Every picture, by keys that only this server understands, in TensorBoard's words."""

import httpx

import kymograph
from kymograph.server.serving import serve
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
PNG, GIF, WEBP = b"\x89PNG\r\n\x1a\n...", b"GIF89a...", b"RIFF\0\0\0\0WEBP..."


def images(*pictures, step):
    strings = event_files.string_tensor(b"3", b"2", *pictures)
    return event_files.value("pictures", strings, event_files.metadata("images"), step=step)


def test_pictures_are_listed_and_fetched(tmp_path):
    event_files.write(tmp_path / "run", images(PNG, step=1), images(GIF, WEBP, step=2))
    with servers.ours(tmp_path) as url:
        client = Client(url)
        entry = {"displayName": "", "description": "", "samples": 2}
        assert client.get("plugin/images/tags").json() == {"run": {"pictures": entry}}
        listed = [
            client.get("plugin/images/images", run="run", tag="pictures", sample=sample).json()
            for sample in range(3)
        ]
        assert [[(item["step"], item["wall_time"]) for item in items] for items in listed] == [
            [(1, START + 1), (2, START + 2)],
            [(2, START + 2)],
            [],
        ]
        found = [
            client.get(f"plugin/images/individualImage?{item['query']}")
            for items in listed
            for item in items
        ]
    assert [(answer.content_type, answer.body) for answer in found] == [
        ("image/png", PNG),
        ("image/gif", GIF),
        ("image/webp", WEBP),
    ]


def test_what_is_no_picture_is_not_shown_as_one(tmp_path):
    event_files.write(tmp_path / "run", images(b"<svg onload=alert(1)>", step=1))
    with servers.ours(tmp_path) as url:
        client = Client(url)
        [item] = client.get("plugin/images/images", run="run", tag="pictures").json()
        answer = client.get(f"plugin/images/individualImage?{item['query']}")
    assert answer.content_type == "application/octet-stream"


def test_picture_may_be_kept_for_ever_and_its_key_dies_with_the_server(tmp_path):
    event_files.write(tmp_path / "run", images(PNG, step=1))
    with servers.ours(tmp_path) as url:
        [item] = Client(url).get("plugin/images/images", run="run", tag="pictures").json()
        path = f"data/plugin/images/individualImage?{item['query']}"
        answer = httpx.get(url + path)
        assert "immutable" in answer.headers["Cache-Control"]
        known = {"If-None-Match": answer.headers["ETag"]}
        assert httpx.get(url + path, headers=known).status_code == 304
        many = item["query"].replace(".0.", f".{'9' * 5000}.")
        too_far = item["query"].replace(".0.", ".1.")
        wrongs = [item["query"] + "x", item["query"][:-9], "blob_key=..%2F..%2Fetc%2Fpasswd"]
        for wrong in (*wrongs, many, too_far):
            bad = httpx.get(f"{url}data/plugin/images/individualImage?{wrong}")
            assert bad.status_code in (400, 410), wrong
    with servers.ours(tmp_path) as url:
        assert httpx.get(url + path).status_code == 400


def test_pictures_that_come_later_are_counted(tmp_path):
    path = event_files.write(tmp_path / "run", images(PNG, step=1))
    with kymograph.open(tmp_path) as store, serve(store) as serving:
        client = Client(serving.url)

        def samples():
            return client.get("plugin/images/tags").json()["run"]["pictures"]["samples"]

        assert samples() == 1
        event_files.append(path, images(PNG, PNG, PNG, step=2), images(PNG, step=3))
        store.refresh()
        assert samples() == 3
        found = client.get("plugin/images/images", run="run", tag="pictures", sample=0).json()
        assert [item["step"] for item in found] == [1, 2, 3]


def test_pictures_of_a_run_that_is_replaced_are_counted_again(tmp_path):
    event_files.write(tmp_path / "run", images(PNG, PNG, step=1))
    with kymograph.open(tmp_path) as store, serve(store) as serving:
        client = Client(serving.url)
        assert client.get("plugin/images/tags").json()["run"]["pictures"]["samples"] == 2
        other = event_files.header() + images(PNG, step=1)
        (tmp_path / "new").write_bytes(other)
        (tmp_path / "new").replace(tmp_path / "run" / event_files.NAME)
        store.refresh()
        assert client.get("plugin/images/tags").json()["run"]["pictures"]["samples"] == 1
