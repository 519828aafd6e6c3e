"""Images: what each is, small copies, archives, and input that would break a careless server."""

from __future__ import annotations

import base64
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph import _core
from kymograph.asgi import frames
from kymograph.dashboards import images
from tests import event_files
from tests.event_files import metadata, string_tensor, value
from tests.golden import wire
from tests.server.boards import ROOT, BoardClient, served

GOLDEN = Path(__file__).parents[1] / "golden/logdirs"


def encoded(width: int, height: int, channels: int = 3) -> bytes:
    """A chequered PNG: few colours, so that copies are PNG as well."""
    y, x = np.mgrid[0:height, 0:width]
    squares = ((x // 5 + y // 5) % 2).astype(np.uint8)
    levels = np.array([40, 200, 90, 255], np.uint8)[:channels]
    return _core.encode_png(np.stack([255 - squares * level for level in levels], axis=2))


def bmp(width: int, height: int) -> bytes:
    rows = bytes(height * (3 * width + (-3 * width) % 4))
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 0, 0, 0, 0)
    return struct.pack("<2sIHHI", b"BM", 54 + len(rows), 0, 0, 54) + head + rows


def size_of(file: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert file.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", file[16:24])
    return width, height


def chunk(name: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
    )


def png(width: int, height: int, rows: bytes, *extra: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [chunk(b"IHDR", header), *extra, chunk(b"IDAT", zlib.compress(rows, 9))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"")


SVG = b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'><script>alert(1)</script></svg>"
HTML = b"<!doctype html><script>alert(1)</script>"
WHOLE = encoded(60, 40)
BOMB = png(8000, 8000, bytes(8001 * 8000))
"""64 million pixels in a few kilobytes."""
TEXT_BOMB = png(4, 4, bytes(20), chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(50 << 20), 9)))
# 16 by 12 pixels, as a browser encodes them, and a GIF of one pixel.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AAB"
    "AAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFla"
    "AAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAA"
    "AChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1"
    "AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBh"
    "cmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAc"
    "AEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9"
    "PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2Nj"
    "Y2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAMABADASIAAhEBAxEB/8QAFQABAQAA"
    "AAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwX/xAAaEQAC"
    "AwEBAAAAAAAAAAAAAAASEwADIlGB/9oADAMBAAIRAxEAPwCAATK1COuy0q1xlnnk/9k="
)
WEBP = base64.b64decode(
    "UklGRhYCAABXRUJQVlA4WAoAAAAgAAAADwAACwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AAB"
    "AAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFla"
    "AAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAA"
    "AChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1"
    "AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBh"
    "cmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAc"
    "AEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDhMJwAAAC8PwAIAD3Cz5s9k/ox5/oMHChlJYhDO3/IM"
    "2heGiP6PgyRJ4GdNBAA="
)
GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
ITEMS: dict[str, list[bytes]] = {
    "png": [WHOLE],
    "jpeg": [JPEG],
    "webp": [WEBP],
    "gif": [GIF],
    "bmp": [bmp(60, 40)],
    "grey": [encoded(60, 40, 1)],
    "clear": [encoded(60, 40, 4)],
    "batch": [WHOLE, encoded(30, 30), WHOLE[: len(WHOLE) // 2]],
    "cut": [WHOLE[: len(WHOLE) // 2]],
    "huge": [png(100_000, 100_000, bytes(100))],
    "bomb": [BOMB],
    "text bomb": [TEXT_BOMB],
    "svg": [SVG],
    "html": [HTML],
    "empty": [b""],
    "none": [],
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    # The sizes that the writer states are wrong on purpose.
    events = [
        value(tag, metadata("images"), string_tensor(b"7", b"-1", *items), step=step)
        for step, (tag, items) in enumerate(ITEMS.items())
    ]
    old = wire.message(4, wire.integer(1, 1), wire.integer(2, 99_999), wire.message(4, WHOLE))
    event_files.write(logdir / "run", *events, value("old", old, step=1))
    with served(logdir) as client:
        yield client


def address_of(client: BoardClient, tag: str) -> str:
    return client.board.store["run"].blobs(tag)[0].address


def named(client: BoardClient, *tags: str) -> list[dict[str, Any]]:
    return [{"address": address_of(client, tag)} for tag in tags]


def ask(client: BoardClient, path: str, **body: Any) -> Any:
    return client.post(f"{ROOT}/images/{path}", json={"instance": client.board.instance, **body})


def described(client: BoardClient, *tags: str) -> list[dict[str, Any]]:
    answer = ask(client, "describe", pictures=named(client, *tags))
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["pictures"]
    return found


def copies(client: BoardClient, size: int, *tags: str) -> list[tuple[dict[str, Any], bytes]]:
    answer = ask(client, "thumbnails", size=size, pictures=named(client, *tags))
    assert answer.status_code == 200, answer.text
    columns, meta = frames.decode(answer.content)
    data = columns["data"].tobytes()
    return [(one, data[one["start"] : one["start"] + one["length"]]) for one in meta["pictures"]]


@pytest.mark.parametrize(
    ("tag", "media_type", "size", "channels"),
    [
        ("png", "image/png", (60, 40), 3),
        ("jpeg", "image/jpeg", (16, 12), 3),
        ("webp", "image/webp", (16, 12), 3),
        ("gif", "image/gif", (1, 1), 4),
        ("bmp", "image/bmp", (60, 40), 3),
        ("grey", "image/png", (60, 40), 1),
        ("clear", "image/png", (60, 40), 4),
        ("old", "image/png", (60, 40), 3),
    ],
)
def test_an_image_is_what_its_bytes_say(
    client: BoardClient, tag: str, media_type: str, size: tuple[int, int], channels: int
):
    [found] = described(client, tag)
    width, height = size
    assert found == {
        "items": 1,
        "bytes": found["bytes"],
        "media_type": media_type,
        "width": width,
        "height": height,
        "channels": channels,
        "bit_depth": 8,
        "error": None,
    }
    [(sent, copy)] = copies(client, 30, tag)
    assert (sent["width"], sent["height"], sent["error"]) == (width, height, None)
    if width > 30:
        assert (size_of(copy), sent["thumbnail_type"]) == ((30, 20), "image/png")
    else:
        assert (copy, sent["thumbnail_type"]) == (ITEMS[tag][0], media_type)


def test_an_image_that_is_small_enough_is_sent_byte_for_byte(client: BoardClient):
    [(sent, copy)] = copies(client, 64, "png")
    assert (copy, sent["thumbnail_type"]) == (WHOLE, "image/png")


@pytest.mark.parametrize(
    ("tag", "error"),
    [
        ("cut", "PNG cut short: "),
        ("huge", "Too large: 100000 \u00d7 100000 pixels"),
        ("text bomb", None),
        ("bomb", None),
        ("svg", "Not an image: SVG is not shown, because it can run scripts"),
        ("html", "Not an image: HTML"),
        ("empty", "Empty"),
        ("none", "Not an image"),
    ],
)
def test_hostile_images_are_a_sentence_or_a_small_copy_and_disturb_no_other(
    client: BoardClient, tag: str, error: str | None
):
    (before, good), (sent, copy), (after, same) = copies(client, 32, "png", tag, "bmp")
    assert before["error"] is after["error"] is None
    assert good
    assert same
    if error is None:
        assert sent["error"] is None or sent["error"].startswith("PNG damaged: ")
        assert len(copy) < 20_000
        return
    assert (sent["error"] or "").startswith(error)
    assert copy == b""
    answer = client.get(
        f"{ROOT}/images/{client.board.instance}/{address_of(client, tag)}/thumbnail"
    )
    assert answer.status_code in (404, 410)
    assert answer.json()["error"].startswith(error)


@pytest.mark.parametrize("tag", ["svg", "html"])
def test_active_content_is_never_served_as_such(client: BoardClient, tag: str):
    path = f"{ROOT}/blobs/{client.board.instance}/{address_of(client, tag)}"
    answer = client.get(path, params={"as": "item"})
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_items_of_a_batch_are_independent(client: BoardClient):
    address = address_of(client, "batch")
    wanted = [{"address": address, "item": item} for item in (2, 1, 0, 3)]
    found = ask(client, "describe", pictures=wanted).json()["pictures"]
    assert [(one["items"], one["width"]) for one in found] == [(3, 60), (3, 30), (3, 60), (3, 0)]
    assert found[3]["error"] == "No item 3: 3 were logged"
    # Only who decodes all of it notices that the end is missing.
    answer = ask(client, "thumbnails", size=16, pictures=wanted)
    _, meta = frames.decode(answer.content)
    assert [one["error"] is None for one in meta["pictures"]] == [False, True, True, False]


def test_one_copy_is_cached_for_ever(client: BoardClient):
    path = f"{ROOT}/images/{client.board.instance}/{address_of(client, 'batch')}/thumbnail"
    answer = client.get(path, params={"size": 16, "item": 1})
    assert size_of(answer.content) == (16, 16)
    assert "immutable" in answer.headers["cache-control"]
    tag = answer.headers["etag"]
    again = client.get(path, params={"size": 16, "item": 1}, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, params={"size": 16, "item": 9}).status_code == 404
    assert client.get(path, params={"size": 0}).status_code == 400
    assert client.get(path, params={"size": 4096}).status_code == 400


def test_addresses_that_lead_nowhere_are_a_sentence_each(client: BoardClient):
    wanted = [{"address": "2-9-0-1-0-1"}, {"address": "<script>"}, *named(client, "png")]
    found = ask(client, "describe", pictures=wanted).json()["pictures"]
    assert [one["error"] for one in found] == [
        "its file no longer exists",
        "There is no blob at this address",
        None,
    ]
    other = client.post(
        f"{ROOT}/images/describe", json={"instance": "0", "pictures": named(client, "png")}
    )
    assert other.status_code == 410


def test_an_answer_reads_a_bounded_number_of_bytes(
    client: BoardClient, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(images, "_MOST_BYTES", 1)
    assert len(described(client, "png", "jpeg", "png")) == 1
    batch = [{"address": address_of(client, "batch"), "item": item} for item in range(3)]
    assert len(ask(client, "describe", pictures=batch).json()["pictures"]) == 3


def test_an_archive_has_the_images_as_logged_and_lists_what_is_missing(client: BoardClient):
    batch, cut = address_of(client, "batch"), address_of(client, "cut")
    pictures = [
        {"address": batch, "item": 0, "name": "val/a"},
        {"address": batch, "item": 1, "name": "val/a"},
        {"address": batch, "item": 9, "name": "val/no such item"},
        {"address": cut, "name": "../../etc/pass\\wd"},
        {"address": address_of(client, "svg"), "name": "drawing"},
        {"address": "2-9-0-1-0-1", "name": "gone"},
    ]
    answer = ask(client, "archive", pictures=pictures)
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        assert file.testzip() is None
        assert file.namelist() == [
            "val/a.png",
            "val/a 2.png",
            "etc/pass_wd.png",
            "drawing.bin",
            "missing.txt",
        ]
        assert file.read("val/a.png") == WHOLE
        missing = file.read("missing.txt").decode()
    assert "val/no such item: no item 9" in missing
    assert "gone: its file no longer exists" in missing
    assert ask(client, "archive", pictures=pictures).content == answer.content


@pytest.mark.parametrize("writer", ["torch", "tensorboardx", "tensorflow"])
def test_images_of_other_writers_are_shown(writer: str):
    with kymograph.open(GOLDEN / writer) as store:
        shown = 0
        for name in store.run_table().names:
            for tag in store.tag_table("images", [name]).tags:
                blobs = store[name].blobs(tag, "images")
                for blob in blobs:
                    [first] = store.look_at_pictures([(blob.address, 0)], size=64)
                    every = [(blob.address, item) for item in range(first.items)]
                    for look in store.look_at_pictures(every, size=64):
                        assert look.error is None, (name, tag, look.error)
                        assert look.thumbnail is not None
                        shown += 1
    assert shown > 0


def test_the_core_keeps_copies_and_the_server_stays_small(tmp_path: Path):
    noise = np.random.default_rng(1)
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        for step in range(40):
            picture = noise.integers(0, 255, (64, 64, 3), dtype=np.uint8)
            writer.add_image("noise", picture, step, dataformats="HWC")
    with kymograph.open(tmp_path) as store:
        blobs = store["run"].blobs("noise", "images")
        wanted = [(address, 0) for address in blobs.addresses()]
        first = store.look_at_pictures(wanted, size=32)
        (path,) = (tmp_path / "run").iterdir()
        path.write_bytes(b"")
        # From memory: the file is empty now.
        assert store.look_at_pictures(wanted, size=32) == first
        assert all(look.error for look in store.look_at_pictures(wanted, size=33))
