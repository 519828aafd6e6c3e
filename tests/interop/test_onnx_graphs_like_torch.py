"""Graphs of ONNX files are those of PyTorch's writer, with every name given once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kymograph.writer.summaries import graphs

pytest.importorskip("onnx", reason="onnx is not installed: make test-frameworks")
pytest.importorskip("torch", reason="torch is not installed: make test-frameworks")
pytest.importorskip("tensorboard", reason="tensorboard is not installed: make test-frameworks")

import onnx
from onnx import helper
from tensorboard.compat.proto import types_pb2
from tensorboard.compat.proto.graph_pb2 import GraphDef
from torch.utils.tensorboard import _onnx_graph

pytestmark = pytest.mark.frameworks


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A model with a symbolic dimension, two outputs of one operation, and an integer input."""
    kinds = onnx.TensorProto
    graph = helper.make_graph(
        [
            helper.make_node("LeakyRelu", ["x"], ["warm"], alpha=0.5),
            helper.make_node("Split", ["warm"], ["left", "right"], axis=1, num_outputs=2),
            helper.make_node("Gather", ["right", "index"], ["y"], axis=0),
            helper.make_node("Clip", ["left", "", "high"], ["z"]),
        ],
        "model",
        [
            helper.make_tensor_value_info("x", kinds.FLOAT, ["batch", 4]),
            helper.make_tensor_value_info("index", kinds.INT64, [2]),
        ],
        [
            helper.make_tensor_value_info("y", kinds.FLOAT, [2, 2]),
            helper.make_tensor_value_info("z", kinds.FLOAT, ["batch", 2]),
        ],
        [helper.make_tensor("high", kinds.FLOAT, [], [1.0])],
    )
    target = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph), str(target))
    return target


def by_name(nodes: Any) -> dict[str, Any]:
    found = {node.name: node for node in nodes}
    assert len(found) == len(nodes), "a name is there twice"
    return found


def test_inputs_and_operations_are_those_of_torch(path: Path, capfd: pytest.CaptureFixture[str]):
    found = GraphDef.FromString(graphs.onnx_graph(path))
    assert capfd.readouterr() == ("", "")
    expected = _onnx_graph.load_onnx_graph(str(path))
    assert found.versions == expected.versions
    ours = by_name(found.node)
    # Theirs has `y` and `z` twice: as outputs, which come first, and as operations.
    theirs = {node.name: node for node in expected.node}
    assert ours.keys() == {*theirs, "output/y", "output/z"}
    for name in ("x", "warm", "left"):
        assert ours[name] == theirs[name]
    for name in ("y", "z"):
        assert (ours[name].op, ours[name].attr) == (theirs[name].op, theirs[name].attr)
    assert ours["warm"].attr["parameters"].s == b"alpha = 0.5 = 1"


def test_an_input_names_the_operation_that_makes_it(path: Path):
    found = by_name(GraphDef.FromString(graphs.onnx_graph(str(path))).node)
    assert list(found["y"].input) == ["left:1", "index"]
    assert list(found["z"].input) == ["left", "high"]
    assert list(found["output/y"].input) == ["y"]


def test_types_and_shapes(path: Path):
    found = by_name(GraphDef.FromString(graphs.onnx_graph(path)).node)
    assert found["index"].attr["dtype"].type == types_pb2.DT_INT64
    assert found["x"].attr["dtype"].type == types_pb2.DT_FLOAT
    assert [each.size for each in found["x"].attr["shape"].shape.dim] == [0, 4]
    assert [each.size for each in found["output/y"].attr["shape"].shape.dim] == [2, 2]


def test_every_type_of_onnx_is_tensorflows_of_the_same_name(tmp_path: Path):
    other = {"FLOAT16": "DT_HALF"}
    names = [
        "FLOAT", "UINT8", "INT8", "UINT16", "INT16", "INT32", "INT64", "STRING", "BOOL", "FLOAT16",
        "DOUBLE", "UINT32", "UINT64", "COMPLEX64", "COMPLEX128", "BFLOAT16",
    ]  # fmt: skip
    values = [helper.make_tensor_value_info(n, getattr(onnx.TensorProto, n), []) for n in names]
    target = tmp_path / "model.onnx"
    onnx.save(helper.make_model(helper.make_graph([], "types", values, [])), str(target))
    found = by_name(GraphDef.FromString(graphs.onnx_graph(target)).node)
    assert {name: types_pb2.DataType.Name(found[name].attr["dtype"].type) for name in names} == {
        name: other.get(name, f"DT_{name}") for name in names
    }
