"""Meshes: their names, and vertices, faces, colours and config put together, whatever is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph import tensorboardx
from kymograph.asgi import frames
from kymograph.dashboards import mesh
from kymograph.dashboards.mesh.config import read_config
from tests import event_files
from tests.event_files import START, metadata, string_tensor, value
from tests.golden import wire
from tests.server.boards import ROOT, BoardClient, served

GOLDEN = Path(__file__).parents[1] / "golden/logdirs"
SQUARE = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]]], np.float32)
FACES = np.array([[[0, 1, 2], [0, 2, 3]]])
COLOURS = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [9, 9, 9]]], np.uint8)


def part(
    name: str, kind: int, components: int = 0, config: str = "", *, named: bool = True
) -> bytes:
    content = wire.integer(3, kind) + wire.text(5, config) + wire.integer(7, components)
    return metadata("mesh", (wire.text(2, name) if named else b"") + content)


def tensor(numbers: Any, dtype: int = 1, kind: str = "<f4") -> bytes:
    found = np.asarray(numbers, kind)
    dims = b"".join(wire.message(2, wire.integer(1, size)) for size in found.shape)
    content = [wire.message(4, found.tobytes())] if found.size else []
    return wire.message(8, wire.integer(1, dtype), wire.message(2, dims), *content)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Any]:
    """Serves what a function has written into a logdir."""
    stack: list[Any] = []

    def serve(logdir: Path = tmp_path) -> BoardClient:
        context = served(logdir)
        stack.append(context)
        return context.__enter__()

    yield serve
    for context in stack:
        context.__exit__(None, None, None)


def names(client: BoardClient) -> list[dict[str, Any]]:
    answer = client.get(f"{ROOT}/mesh")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["meshes"]
    return found


def ask(client: BoardClient, run: str, name: str, place: int = -1, **query: Any) -> Any:
    (listed,) = [row for row in names(client) if row["name"] == name]
    tags = client.board.store[run].tags("mesh")
    (tag,) = [tag for tag in listed["tags"] if tag in tags]
    blob = client.board.store[run].blobs(tag, "mesh")[place]
    path = f"{ROOT}/mesh/{client.board.instance}/{blob.address}"
    return client.get(path, params={"run": run, "name": name, "step": blob.step, **query})


def drawn(answer: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    return frames.decode(answer.content)


# --- names ---


def test_the_parts_of_a_mesh_are_one_name_whoever_wrote_them(tmp_path, board):
    with kymograph.SummaryWriter(tmp_path / "torch") as writer:
        writer.add_mesh("world/square", SQUARE, COLOURS, FACES, global_step=1)
    with tensorboardx.SummaryWriter(tmp_path / "x") as writer:
        writer.add_mesh("world/square", SQUARE, COLOURS, FACES, global_step=1)
    event_files.write(
        tmp_path / "other",
        # TensorFlow leaves the scope out of the name in the metadata.
        value("scope/square_VERTEX", part("square", 1), tensor(SQUARE), step=1),
        # A tag that does not end as usual has the name in its metadata, one without has its own.
        value("square_VERTEX_1", part("odd", 1), tensor(SQUARE), step=1),
        value("nameless", part("", 1, named=False), tensor(SQUARE), step=1),
        value("broken", metadata("mesh", b"\xff"), tensor(SQUARE), step=1),
        # Faces without vertices are listed, too.
        value("lonely_FACE", part("lonely", 2), tensor(FACES), step=1),
    )
    client = board()
    assert {row["name"]: (row["runs"], row["tags"]) for row in names(client)} == {
        "broken": (1, ["broken"]),
        "lonely": (1, ["lonely_FACE"]),
        "nameless": (1, ["nameless"]),
        "odd": (1, ["square_VERTEX_1"]),
        "scope/square": (1, ["scope/square_VERTEX"]),
        "world/square": (2, ["world/square_VERTEX", "world/square_1"]),
    }
    for run in ("torch", "x"):
        columns, meta = drawn(ask(client, run, "world/square"))
        np.testing.assert_array_equal(columns["positions"], SQUARE.ravel())
        np.testing.assert_array_equal(columns["colours"], COLOURS.ravel())
        np.testing.assert_array_equal(columns["faces"], FACES.ravel())
        assert (meta["vertices"], meta["triangles"], meta["problems"]) == (4, 2, [])
        assert meta["bounds"] == [[0, 0, 0], [1, 1, 0.5]]
    _, meta = drawn(ask(client, "other", "lonely"))
    assert meta["problems"] == ["No vertices were logged at this step."]
    assert drawn(ask(client, "other", "broken"))[1]["vertices"] == 4


def test_names_come_in_pages(tmp_path, board):
    events = [value(f"m{n}_VERTEX", part(f"m{n}", 1), tensor(SQUARE), step=1) for n in range(5)]
    event_files.write(tmp_path / "run", *events)
    client = board()
    after, found = "", []
    while after is not None:
        answer = client.get(f"{ROOT}/mesh", params={"limit": 2, "after": after}).json()
        found += [row["name"] for row in answer["meshes"]]
        after = answer["next"]
    assert found == [f"m{n}" for n in range(5)]
    assert answer["total"] == 5
    assert client.get(f"{ROOT}/mesh", params={"after": "x"}).status_code == 400


@pytest.mark.parametrize("writer", ["torch", "tensorflow", "tensorboardx"])
def test_files_of_other_writers_are_put_together(writer, board):
    client = board(GOLDEN / writer)
    run = next(row.name for row in client.board.store.runs.values() if row.tags("mesh"))
    columns, meta = drawn(ask(client, run, "shape"))
    assert meta["problems"] == []
    assert len(columns["positions"]) == 3 * meta["vertices"] > 0
    assert len(columns["faces"]) == 3 * meta["triangles"] > 0


# --- which parts belong together ---


def test_parts_are_joined_by_step_order_and_time(tmp_path, board):
    def moved(by: float) -> bytes:
        return tensor(SQUARE + by)

    def face(*corners: int) -> bytes:
        return tensor([[corners]])

    event_files.write(
        tmp_path / "run",
        value("m_VERTEX", part("m", 1, 6), moved(0), step=1, wall_time=START),
        value("m_FACE", part("m", 2, 6), face(0, 1, 2), step=1, wall_time=START + 0.1),
        # Twice at a step, as by two writers: the first belongs to the first.
        value("m_VERTEX", moved(10), step=2, wall_time=START + 20),
        value("m_VERTEX", moved(20), step=2, wall_time=START + 21),
        value("m_FACE", face(1, 2, 3), step=2, wall_time=START + 22),
        value("m_FACE", face(0, 2, 3), step=2, wall_time=START + 23),
        # One lacks its faces: the others belong to the nearest in time.
        value("m_VERTEX", moved(30), step=3, wall_time=START + 30),
        value("m_VERTEX", moved(40), step=3, wall_time=START + 40),
        value("m_FACE", face(3, 2, 1), step=3, wall_time=START + 40.1),
        value("m_VERTEX", moved(50), step=4, wall_time=START + 50),
    )
    client = board()
    found = [drawn(ask(client, "run", "m", place)) for place in range(6)]
    assert [columns["positions"][0] for columns, _ in found] == [0, 10, 20, 30, 40, 50]
    corners = [columns["faces"].tolist() for columns, _ in found]
    assert corners == [[0, 1, 2], [1, 2, 3], [0, 2, 3], [3, 2, 1], [3, 2, 1], []]
    # The faces of the last one may still be written.
    assert found[5][1]["problems"] == ["The faces of this step are missing."]
    assert [meta["is_whole"] for _, meta in found] == [True] * 5 + [False]
    last, first = ask(client, "run", "m", 5), ask(client, "run", "m", 0)
    assert "immutable" in first.headers["cache-control"]
    assert "immutable" not in last.headers["cache-control"]
    same = ask_again(client, last)
    assert same.status_code == 304


def ask_again(client: BoardClient, answer: Any) -> Any:
    (blob,) = client.board.store["run"].blobs("m_VERTEX", "mesh")[-1:]
    path = f"{ROOT}/mesh/{client.board.instance}/{blob.address}"
    query = {"run": "run", "name": "m", "step": blob.step}
    return client.get(path, params=query, headers={"if-none-match": answer.headers["etag"]})


def test_each_value_has_its_own_config_and_parts(tmp_path, board):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        writer.add_mesh("m", SQUARE, COLOURS, FACES, {"camera": {"fov": 20}}, 1)
        writer.add_mesh("m", SQUARE, config_dict={"camera": {"fov": 40}}, global_step=2)
    client = board()
    first, second = (drawn(ask(client, "run", "m", place))[1] for place in (0, 1))
    assert (first["camera"]["fov"], second["camera"]["fov"]) == (20, 40)
    # It was logged without colours and faces, so none are missing.
    assert second["problems"] == []


def test_items_of_a_batch_are_asked_for_one_by_one(tmp_path, board):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        writer.add_mesh("m", np.concatenate([SQUARE, SQUARE + 1]), global_step=1)
    client = board()
    columns, meta = drawn(ask(client, "run", "m", item=1))
    assert (meta["items"], meta["item"]) == (2, 1)
    np.testing.assert_array_equal(columns["positions"], (SQUARE + 1).ravel())
    answer = ask(client, "run", "m", item=2)
    assert answer.status_code == 400
    assert answer.json()["error"] == "there is no item 2: this mesh has 2 items"


def test_large_clouds_are_sent_in_part_and_say_so(tmp_path, board):
    cloud = np.random.default_rng(1).normal(size=(1, 5000, 3))
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        writer.add_mesh("m", cloud, np.full((1, 5000, 3), 7), global_step=1)
    columns, meta = drawn(ask(board(), "run", "m", points=1000))
    assert meta["vertices"] == 5000
    assert len(columns["positions"]) == len(columns["colours"]) == 3000
    np.testing.assert_array_equal(columns["positions"][3:6], cloud[0, 5].astype("f4"))


# --- what is wrong ---


@pytest.mark.parametrize(
    ("faces", "colours", "config", "problem"),
    [
        (tensor([[[0, 1, 9]]]), None, "", "1 triangle is not drawn: there is no vertex"),
        (tensor([[[0, 1, -1], [0, 1, 2]]]), None, "", "1 triangle is not drawn"),
        (tensor([[0.5, 1, 2]]), None, "", "1 triangle is not drawn"),
        (string_tensor(b"a"), None, "", "The faces are not drawn: the faces are not numbers."),
        (tensor([[[0, 1]]]), None, "", "The faces are not drawn: the faces have the shape"),
        (b"", None, "", "The faces are not drawn: the value is not a tensor."),
        (None, tensor([[[1, 2, 3]] * 3]), "", "there are 3 for 4 vertices"),
        (None, tensor([[[1, 2, 300]] * 4]), "", "Colours above 255 are drawn as 255."),
        (None, None, "{", "The logged config is ignored: it is not valid JSON."),
        (None, None, "[" * 100_000, "The logged config is ignored: it is not valid JSON."),
        (None, None, "[1]", "The logged config is ignored: it is not an object."),
    ],
)
def test_a_problem_is_one_sentence_and_the_rest_is_drawn(  # noqa: PLR0917  (a row of the table)
    tmp_path, board, faces, colours, config, problem
):
    events = [value("m_VERTEX", part("m", 1, config=config), tensor(SQUARE), step=1)]
    for tag, kind, body in (("m_FACE", 2, faces), ("m_COLOR", 3, colours)):
        if body is not None:
            events.append(value(tag, part("m", kind), body, step=1))
    event_files.write(tmp_path / "run", *events)
    columns, meta = drawn(ask(board(), "run", "m"))
    (found,) = meta["problems"]
    assert problem in found
    np.testing.assert_array_equal(columns["positions"], SQUARE.ravel())


def test_vertices_that_are_not_finite_are_counted(tmp_path, board):
    square = SQUARE.copy()
    square[0, 1, 2] = np.nan
    event_files.write(
        tmp_path / "run",
        value("m_VERTEX", part("m", 1), tensor(square), step=1),
        value("m_FACE", part("m", 2), tensor(FACES), step=1),
    )
    columns, meta = drawn(ask(board(), "run", "m"))
    assert meta["problems"] == [
        "1 vertex is not drawn: coordinates that are not finite.",
        "1 triangle is not drawn: a corner has coordinates that are not finite.",
    ]
    np.testing.assert_array_equal(columns["positions"], SQUARE[0, [0, 2, 3]].ravel())
    np.testing.assert_array_equal(columns["faces"], [0, 1, 2])


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        (tensor([1.0, 2.0]), 400, "the vertices have the shape [2]; expected"),
        (string_tensor(b"a"), 400, "the vertices are not numbers"),
        (b"", 410, "the value is not a tensor"),
        (tensor(np.zeros((0, 4, 3))), 400, "there is no item 0: this mesh has 0 items"),
    ],
)
def test_vertices_that_are_none_have_one_sentence(tmp_path, board, body, status, sentence):
    event_files.write(tmp_path / "run", value("m_VERTEX", part("m", 1), body, step=1))
    answer = ask(board(), "run", "m")
    assert (answer.status_code, sentence in answer.json()["error"]) == (status, True), answer.text


def test_a_mesh_that_is_not_there_has_one_sentence(tmp_path, board, monkeypatch):
    event_files.write(tmp_path / "run", value("m_VERTEX", part("m", 1), tensor(SQUARE), step=1))
    client = board()
    assert ask(client, "run", "m").status_code == 200
    assert ask(client, "run", "m", step=7).status_code == 404
    address = client.board.store["run"].blobs("m_VERTEX", "mesh")[0].address
    path = f"{ROOT}/mesh/{client.board.instance}/{address}"
    assert client.get(path, params={"run": "run", "name": "other", "step": 1}).status_code == 404
    assert client.get(path, params={"run": "gone", "name": "m", "step": 1}).status_code == 404
    assert client.get(f"{ROOT}/mesh/{'0' * 16}/1-0?run=run&name=m&step=1").status_code == 410
    monkeypatch.setattr(mesh, "_MOST_BYTES", 10)
    answer = ask(client, "run", "m")
    assert (answer.status_code, "too large" in answer.text) == (410, True)


# --- the config ---


def test_camera_material_and_lights_are_read_as_three_js_has_them():
    given = {
        "camera": {"cls": "OrthographicCamera", "position": [1, 2, 3], "lookAt": [0, 0, 0.5]},
        "lights": [
            {"cls": "AmbientLight", "color": "#fff", "intensity": 0.75},
            {"cls": "DirectionalLight", "color": 0xFF8000, "position": [0, -1, 2]},
            "no light",
        ],
        "material": {"cls": "PointsMaterial", "size": 0.05, "wireframe": True, "color": "Red"},
    }
    config, problems = read_config(json.dumps(given))
    assert problems == []
    assert config.camera is not None
    assert config.camera.is_orthographic
    assert (config.camera.position, config.camera.target) == ((1, 2, 3), (0, 0, 0.5))
    assert config.lights is not None
    assert [(one.is_ambient, one.colour, one.intensity) for one in config.lights] == [
        (True, "#ffffff", 0.75),
        (False, "#ff8000", 1.0),
    ]
    assert config.material is not None
    assert (config.material.size, config.material.colour) == (0.05, "red")
    assert config.material.is_wireframe


@pytest.mark.parametrize("text", ["", "null", "{}", '{"camera": 3, "lights": {}, "material": []}'])
def test_a_config_without_settings_has_none(text):
    config, problems = read_config(text)
    assert (config.camera, config.material, config.lights, problems) == (None, None, None, [])


def test_settings_that_cannot_be_are_left_out():
    text = """{"camera": {"fov": 1e999, "position": [1, 2], "up": [0, "1", 0]},
        "material": {"size": -1, "color": "url(x)"}, "lights": [{"intensity": 1e9}]}"""
    config, problems = read_config(text.replace("1e999", "500"))
    assert problems == []
    assert config.camera is not None
    assert (config.camera.fov, config.camera.position, config.camera.up) == (None, None, None)
    assert config.material is not None
    assert (config.material.size, config.material.colour) == (None, None)
    assert config.lights is not None
    assert config.lights[0].intensity == 10
    assert read_config(" " * (1 << 20) + "{}")[1] == [
        "The logged config is ignored: it is larger than 1 MiB."
    ]
