"""The messages of a graph, read back field by field."""

from kymograph.writer.graphs import graph_def
from tests.golden import wire


def attributes(node: bytes) -> dict[str, bytes]:
    entries = wire.all_bytes(node, 5)
    return {wire.last_bytes(each, 1).decode(): wire.last_bytes(each, 2) for each in entries}


def sizes(shape: bytes) -> list[int]:
    """The dimensions of a `TensorShapeProto`, unsigned."""
    return [wire.last_integer(dimension, 1) for dimension in wire.all_bytes(shape, 2)]


def test_a_node_holds_name_operation_and_inputs_in_order():
    node = graph_def.node("net/relu", "aten::relu", ["net/b", "net/a"])
    assert list(wire.fields(node)) == [
        (1, b"net/relu"),
        (2, b"aten::relu"),
        (3, b"net/b"),
        (3, b"net/a"),
    ]


def test_every_kind_of_attribute():
    found = attributes(
        graph_def.node(
            "x",
            "Variable",
            attributes={
                "s": graph_def.string("größe"),
                "type": graph_def.type_(9),
                "shape": graph_def.shape([2, 3]),
                "shapes": graph_def.shapes([[2, 3], []]),
            },
        )
    )
    assert list(wire.fields(found["s"])) == [(2, "größe".encode())]
    assert list(wire.fields(found["type"])) == [(6, 9)]
    assert sizes(wire.last_bytes(found["shape"], 7)) == [2, 3]
    in_list = wire.all_bytes(wire.last_bytes(found["shapes"], 1), 7)
    assert [sizes(each) for each in in_list] == [[2, 3], []]


def test_empty_values_are_there_all_the_same():
    """They are alternatives of a `oneof`: left out, they would read as no value at all."""
    assert list(wire.fields(graph_def.string(""))) == [(2, b"")]
    assert list(wire.fields(graph_def.type_(0))) == [(6, 0)]
    assert list(wire.fields(graph_def.shape([]))) == [(7, b"")]


def test_unknown_dimensions_are_minus_one_and_empty_ones_are_kept():
    assert sizes(wire.last_bytes(graph_def.shape([None, 0, 4]), 7)) == [2**64 - 1, 0, 4]


def test_a_torch_node_without_a_size_has_no_shapes():
    assert attributes(graph_def.torch_node("a", "b")).keys() == {"attr"}
    assert attributes(graph_def.torch_node("a", "b", size=[])).keys() == {"attr", "_output_shapes"}


def test_text_that_is_no_unicode_does_not_cost_the_graph():
    assert graph_def.string("\ud800") == graph_def.string("?")


def test_a_graph_holds_its_nodes_and_the_producer_of_pytorch():
    graph = graph_def.graph([graph_def.node("a", "A"), graph_def.node("b", "B")])
    assert [wire.last_bytes(each, 1) for each in wire.all_bytes(graph, 1)] == [b"a", b"b"]
    assert wire.last_integer(wire.last_bytes(graph, 4), 1) == 22


def test_the_run_was_on_one_cpu():
    steps = wire.last_bytes(graph_def.CPU_RUN, 1)
    (device,) = wire.all_bytes(steps, 1)
    assert list(wire.fields(device)) == [(1, b"/device:CPU:0")]
