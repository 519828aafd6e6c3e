"""OpenVINO's XML as a graph."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from kymograph.writer.summaries import graphs
from tests.golden import wire
from tests.writer.graphs.test_graph_def import attributes, sizes

MODEL = """<?xml version="1.0"?>
<net name="model" version="11">
  <layers>
    <layer id="0" name="image" type="Parameter" version="opset1">
      <data shape="?,3" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim></port></output>
    </layer>
    <layer id="1" name="weight" type="Const" version="opset1">
      <data element_type="f32" shape="3, 4"/>
      <output><port id="0" precision="FP32"><dim>3</dim><dim>4</dim></port></output>
    </layer>
    <layer id="2" name="product" type="MatMul" version="opset1">
      <input><port id="0"/><port id="1"/></input>
      <output><port id="2" precision="FP32"><dim>-1</dim><dim>4</dim></port></output>
    </layer>
    <layer id="3" name="product" type="Result" version="opset1">
      <input><port id="0"/></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
  </edges>
</net>
"""


@pytest.fixture
def nodes(tmp_path: Path) -> list[bytes]:
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    return wire.all_bytes(graphs.openvino_graph(path), 1)


def test_a_layer_is_a_node_with_its_inputs_by_port(nodes: list[bytes]):
    found = [
        (wire.last_bytes(each, 1), wire.last_bytes(each, 2), wire.all_bytes(each, 3))
        for each in nodes
    ]
    assert found == [
        (b"image", b"Parameter", []),
        (b"weight", b"Const", []),
        (b"product", b"MatMul", [b"image", b"weight"]),
        # No two nodes may have one name.
        (b"product_3", b"Result", [b"product"]),
    ]


def test_parameters_and_shapes_are_kept(nodes: list[bytes]):
    image = attributes(nodes[0])
    assert wire.last_bytes(image["parameters"], 2) == b"shape = ?,3, element_type = f32"
    (shape,) = wire.all_bytes(wire.last_bytes(image["_output_shapes"], 1), 7)
    assert sizes(shape) == [2**64 - 1, 3]


def test_entities_are_refused(tmp_path: Path):
    laughs = "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
    path = tmp_path / "model.xml"
    path.write_text(f'<!DOCTYPE net [<!ENTITY a0 "ha">{laughs}]><net name="&a9;"/>')
    with pytest.raises(ValueError, match="document type: 'net'"):
        graphs.openvino_graph(path)


def test_a_file_that_is_no_xml_says_so(tmp_path: Path):
    path = tmp_path / "model.xml"
    path.write_text("no xml")
    with pytest.raises(ElementTree.ParseError):
        graphs.openvino_graph(path)


def test_a_file_that_is_not_there_says_so(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        graphs.openvino_graph(tmp_path / "model.xml")
