"""Films: which images are some, what is known of them, and the frames of a GIF."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph.asgi import frames
from kymograph.errors import UnknownTagError
from kymograph.writer.summaries import video
from tests import event_files
from tests.event_files import metadata, string_tensor, value
from tests.golden import wire
from tests.interop.stdlib_media import png_pixels
from tests.server.boards import ROOT, BoardClient, served
from tests.writer.summaries.test_images import fields

SHADES = [0, 80, 160, 240]
PNG = b"\x89PNG\r\n\x1a\n..."
MP4 = b"\0\0\0\x18ftypisom" + bytes(50)
WEBM = b"\x1aE\xdf\xa3" + bytes(50)


def gif(shades: list[int]) -> bytes:
    """Frames of 8 by 6 pixels, each of one shade, and each shown for 50 ms."""
    frames = np.array(shades, np.uint8).reshape(1, -1, 1, 1, 1) * np.ones((1, 1, 3, 6, 8), np.uint8)
    file: bytes = fields(video.video("film", frames, fps=20))[4]
    return file


GIF = gif(SHADES)


def image(data: bytes) -> bytes:
    """As PyTorch writes it."""
    return wire.message(4, wire.integer(1, 6), wire.integer(2, 8), wire.message(4, data))


def tensor(*items: bytes) -> bytes:
    """As TensorFlow writes it."""
    return metadata("images") + string_tensor(b"8", b"6", *items)


EVENTS = [
    value("film", image(GIF), step=1),
    value("film", image(gif(SHADES[:2])), step=2),
    value("tensor", tensor(GIF, GIF), step=1),
    value("mp4", image(MP4), step=1),
    value("webm", image(WEBM), step=1),
    value("mixed", image(PNG), step=1),
    value("mixed", image(GIF), step=2),
    value("mixed", image(PNG), step=3),
    value("still", image(PNG), step=1),
    value("large", image(GIF + bytes(50_000)), step=1),
    value("cut off", image(GIF[:-30]), step=1),
    value("broken", image(b"GIF89a"), step=1),
    value("huge", image(b"GIF89a\xff\xff\xff\xff\0\0\0" + bytes(20)), step=1),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    event_files.write(logdir / "run", *EVENTS)
    with served(logdir) as client:
        yield client


def asked(client: BoardClient, tag: str, what: str = "", **query: Any) -> Any:
    address = client.board.store["run"].blobs(tag, "video")[0].address
    return client.get(f"{ROOT}/video/{client.board.instance}/{address}{what}", params=query)


def shades(client: BoardClient, tag: str, **query: Any) -> list[int]:
    answer = asked(client, tag, "/frames", **query)
    assert answer.status_code == 200, answer.text
    columns, meta = frames.decode(answer.content)
    data, offsets = columns["data"].tobytes(), columns["offset"].tolist()
    found = []
    for start, stop in pairwise(offsets):
        pixels = png_pixels(data[start:stop])
        assert pixels.shape == (meta["height"], meta["width"], 4)
        found.append(int(pixels[0, 0, 0]))
    return found


def test_films_are_listed_as_video_and_pictures_as_images(client):
    run = client.board.store["run"]
    films = ["broken", "cut off", "film", "huge", "large", "mixed", "mp4", "tensor", "webm"]
    assert run.tags("video") == films
    assert run.tags("images") == ["mixed", "still"]
    assert run.blobs("mixed", "images").steps.tolist() == [1, 3]
    assert run.blobs("mixed", "video").steps.tolist() == [2]
    assert run.blobs("film").dashboard == "video"


def test_a_film_that_is_asked_for_as_images_is_named(client):
    with pytest.raises(UnknownTagError, match=r"has videos, and no images(.|\n)*\"video\""):
        client.board.store["run"].blobs("film", "images")


def test_tags_that_turn_into_films_keep_everything(tmp_path):
    path = event_files.write(tmp_path / "run", value("view", image(PNG), step=1))
    with kymograph.open(tmp_path) as store:
        assert store["run"].tags("video") == []
        event_files.append(path, value("view", image(GIF), step=2))
        store.refresh()
        assert store["run"].blobs("view", "images").steps.tolist() == [1]
        assert store["run"].blobs("view", "video").steps.tolist() == [2]


def test_a_gif_is_described(client):
    assert asked(client, "film").json() == {
        "items": 1,
        "container": "gif",
        "bytes": len(GIF),
        "width": 8,
        "height": 6,
        "delays_millis": [50] * 4,
        "note": None,
        "error": None,
    }
    assert asked(client, "tensor", item=1).json()["items"] == 2
    for tag in ("mp4", "webm"):
        found = asked(client, tag).json()
        assert (found["container"], found["delays_millis"], found["error"]) == (tag, None, None)


def test_frames_are_those_that_were_written(client):
    assert shades(client, "film", count=10) == SHADES
    assert shades(client, "film", first=2) == SHADES[2:3]
    assert shades(client, "film", count=2, stride=3) == [SHADES[0], SHADES[3]]
    assert shades(client, "film", first=4) == []
    assert shades(client, "film", count=4, width=4) == SHADES
    assert shades(client, "large", first=3) == SHADES[3:]


def test_frames_that_were_cut_off_are_left_out_and_said(client):
    found = asked(client, "cut off").json()
    assert found["note"] == "The GIF is cut off; it is shown up to there."
    assert shades(client, "cut off", count=10)[:3] == SHADES[:3]


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [("broken", "the GIF cannot be decoded"), ("huge", "65535 by 65535 pixels")],
)
def test_a_broken_gif_gets_a_sentence(client, tag, sentence):
    found = asked(client, tag).json()
    assert sentence in found["error"]
    answer = asked(client, tag, "/frames")
    assert answer.status_code == 410
    assert sentence in answer.json()["error"]


def test_the_browser_decodes_other_films(client):
    answer = asked(client, "mp4", "/frames")
    assert answer.json()["error"] == "only the frames of a GIF are decoded on the server"
    assert "there is no video 1: the value has 1" in asked(client, "film", item=1).text
    path = f"{ROOT}/blobs/{client.board.instance}/"
    address = client.board.store["run"].blobs("mp4", "video")[0].address
    found = client.get(path + address, params={"as": "item"})
    assert (found.content, found.headers["content-type"]) == (MP4, "video/mp4")


def test_frames_are_kept_for_ever(client):
    for what in ("", "/frames"):
        answer = asked(client, "film", what)
        assert "immutable" in answer.headers["cache-control"]
    assert asked(client, "film", "/frames", count=0).status_code == 400
    assert asked(client, "film", "/frames", width=0).status_code == 400


def test_what_is_no_film_is_not_shown(tmp_path):
    event_files.write(
        tmp_path / "run", value("note", metadata("text"), string_tensor(b"a"), step=0)
    )
    with served(tmp_path) as client:
        address = client.board.store["run"].blobs("note")[0].address
        answer = client.get(f"{ROOT}/video/{client.board.instance}/{address}")
        assert answer.json()["error"] == "the value is not a video"
