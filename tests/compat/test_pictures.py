"""Images and videos of one tag are one series, in the order in which they were logged."""

import kymograph
from kymograph.compat import pictures
from kymograph.compat.event_accumulator import EventAccumulator
from kymograph.store import Images
from kymograph.store.blobs import Decoded
from tests import event_files
from tests.event_files import value
from tests.golden import wire

PNG, GIF = b"\x89PNG\r\n\x1a\n...", b"GIF89a..."


def image(data: bytes) -> bytes:
    return wire.message(4, wire.integer(1, 6), wire.integer(2, 8), wire.message(4, data))


def items(decoded: Decoded | None) -> list[bytes]:
    assert isinstance(decoded, Images)
    return decoded.items


EVENTS = [
    value("mixed", image(GIF), step=1),
    value("mixed", image(PNG), step=2),
    value("mixed", image(GIF), step=3),
    value("film", image(GIF), step=1),
    value("picture", image(PNG), step=1),
]


def test_both_are_read_as_one_series(tmp_path):
    path = event_files.write(tmp_path / "run", *EVENTS)
    with kymograph.open(tmp_path) as store:
        found = pictures.joined(store["run"], "images")
        assert [one.tag for one in found] == ["film", "mixed", "picture"]
        mixed = pictures.find(store["run"], "mixed")
        assert (len(mixed), mixed.steps.tolist()) == (3, [1, 2, 3])
        assert list(map(items, mixed.decode_all())) == [[GIF], [PNG], [GIF]]
        assert [items(mixed.decode(at)) for at in range(3)] == [[GIF], [PNG], [GIF]]
        assert [items(store.decode_blob(one)) for one in mixed.addresses(1)] == [[PNG], [GIF]]
        assert GIF in mixed.read(-1)
        generation = mixed.generation
        event_files.append(path, value("mixed", image(PNG), step=4))
        store.refresh()
        more = pictures.find(store["run"], "mixed")
        assert (more.steps.tolist(), more.generation) == ([1, 2, 3, 4], generation)


def test_the_event_accumulator_lists_films_as_images(tmp_path):
    event_files.write(tmp_path, *EVENTS)
    events = EventAccumulator(str(tmp_path)).Reload()
    assert events.Tags()["images"] == ["film", "mixed", "picture"]
    assert [one.encoded_image_string for one in events.Images("mixed")] == [GIF, PNG, GIF]
