"""Which values a mesh becomes, and what they say of themselves."""

from __future__ import annotations

import numpy as np
import pytest

from kymograph.writer.summaries import mesh
from tests.golden import wire
from tests.interop.plugin_messages import plugin_content

VERTICES = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0.5]]])


def values(summary: bytes) -> dict[str, bytes]:
    return {wire.last_bytes(value, 1).decode(): value for value in wire.all_bytes(summary, 1)}


def numbers(value: bytes) -> np.ndarray:
    tensor = wire.last_bytes(value, 8)
    assert wire.last_integer(tensor, 1) == 1
    dims = wire.all_bytes(wire.last_bytes(tensor, 2), 2)
    shape = [wire.last_integer(dim, 1) for dim in dims]
    return np.frombuffer(wire.last_bytes(tensor, 5), "<f4").reshape(shape)


def test_each_part_is_a_value_that_names_all_parts():
    colors, faces = [[[255, 0, 0]] * 3], np.array([[[0, 1, 2]]])
    found = values(mesh.mesh("shape", VERTICES, colors, faces, {"b": 1, "a": [2]}))
    assert list(found) == ["shape_VERTEX", "shape_FACE", "shape_COLOR"]
    for kind, (value, logged) in enumerate(
        zip(found.values(), [VERTICES, faces, np.array(colors)], strict=True), start=1
    ):
        assert (numbers(value) == logged).all()
        content = plugin_content(value)
        assert wire.last_bytes(content, 2) == b"shape"
        assert wire.last_integer(content, 3) == kind
        assert wire.last_bytes(content, 5) == b'{"a": [2], "b": 1}'
        assert list(wire.last_bytes(content, 6)) == list(logged.shape)
        assert wire.last_integer(content, 7) == 2 + 4 + 8


def test_a_point_cloud_is_one_value():
    ((tag, value),) = values(mesh.mesh("cloud", VERTICES)).items()
    assert tag == "cloud_VERTEX"
    assert wire.last_bytes(plugin_content(value), 5) == b"{}"
    assert wire.last_integer(plugin_content(value), 7) == 2
    metadata = wire.last_bytes(value, 9)
    assert wire.last_bytes(wire.last_bytes(metadata, 1), 1) == b"mesh"
    assert [field for field, _ in wire.fields(metadata)] == [1]


def test_name_and_description_are_kept():
    (value,) = values(mesh.mesh("a", VERTICES, display_name="A", description="*b*")).values()
    metadata = wire.last_bytes(value, 9)
    assert wire.last_bytes(metadata, 2) == b"A"
    assert wire.last_bytes(metadata, 3) == b"*b*"


def test_numbers_too_large_become_infinite():
    (value,) = values(mesh.mesh("a", np.array([[[1e300, -1e300, 2.0]]]))).values()
    assert numbers(value).tolist() == [[[np.inf, -np.inf, 2.0]]]


@pytest.mark.parametrize("shape", [(3,), (4, 3), (1, 1, 4, 3)])
def test_other_ranks_are_refused(shape: tuple[int, ...]):
    with pytest.raises(ValueError, match="BxNx3"):
        mesh.mesh("a", np.zeros(shape))


def test_complex_numbers_are_refused():
    with pytest.raises(TypeError):
        mesh.mesh("a", VERTICES.astype(complex))


def test_tags_are_strings():
    with pytest.raises(TypeError):
        mesh.mesh(1, VERTICES)  # type: ignore[arg-type]
    (value,) = wire.all_bytes(mesh.mesh("", VERTICES), 1)
    assert wire.last_bytes(value, 1) == b"_VERTEX"
    assert wire.all_bytes(plugin_content(value), 2) == []
