"""Every mesh and its parts, in TensorBoard's words."""

import numpy as np

import kymograph
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
VERTICES = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
FACES = np.array([[[0, 1, 2]], [[1, 2, 3]]])
COLORS = np.full((2, 4, 3), 255)


def test_parts_are_listed_and_fetched(tmp_path):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        writer.add_mesh("cube", VERTICES, COLORS, FACES, {"fov": 60}, 1, START)
    with servers.ours(tmp_path) as url:
        client = Client(url)
        assert client.get("plugin/mesh/tags").json() == {"run": {"cube": {"samples": 2}}}
        same = {"wall_time": START, "step": 1, "components": 14, "config": '{"fov": 60}'}
        assert client.get("plugin/mesh/meshes", run="run", tag="cube").json() == [
            {**same, "content_type": 1, "data_shape": [2, 4, 3]},
            {**same, "content_type": 2, "data_shape": [2, 1, 3]},
            {**same, "content_type": 3, "data_shape": [2, 4, 3]},
        ]

        def part(name, sample):
            path = f"plugin/mesh/data?run=run&tag=cube&step=1&sample={sample}&content_type={name}"
            return client.get(path)

        assert part("VERTEX", 1).body == VERTICES[1].tobytes()
        assert part("FACE", 1).body == np.array([1, 2, 3], dtype=np.int32).tobytes()
        assert part("COLOR", 0).body == bytes([255] * 12)
        assert part("VERTEX", 0).content_type == "application/octet-stream"
        assert part("VERTEX", 2).status == 400
        assert client.get("plugin/mesh/data?run=run&tag=cube&step=2&content_type=FACE").body == b""


def test_older_meshes_that_do_not_list_their_parts_may_have_all(tmp_path):
    # Name and content type; neither shape nor components.
    about = event_files.metadata("mesh", b"\x12\x04cube\x18\x01")
    tensor = event_files.double_tensor(0.0, 1.0, 2.0, shape=[1, 1, 3])
    event_files.write(tmp_path / "run", event_files.value("cube_VERTEX", tensor, about, step=1))
    with servers.ours(tmp_path) as url:
        assert Client(url).get("plugin/mesh/tags").json() == {"run": {"cube": {"samples": 0}}}
        [mesh] = Client(url).get("plugin/mesh/meshes", run="run", tag="cube").json()
    assert (mesh["components"], mesh["data_shape"]) == (14, [])
