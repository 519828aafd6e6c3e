"""Messages without protobuf: fields, defaults, oneofs, equality, text, bytes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from kymograph.stand_in.messages import Event, GraphDef, Message, RunMetadata, Summary
from kymograph.stand_in.packages.tensorboardx import summary as summary_x
from kymograph.stand_in.packages.torch_utils_tensorboard import summary as summary_torch
from kymograph.writer import wire
from kymograph.writer.graphs import graph_def
from kymograph.writer.summaries import scalars


class Foreign:
    """As much of a message of protobuf's as equality looks at."""

    def __init__(self, name: str, data: bytes) -> None:
        self.DESCRIPTOR = type("Descriptor", (), {"name": name})
        self._data = data

    def SerializeToString(self) -> bytes:  # noqa: N802
        return self._data


def test_a_scalar_has_its_fields():
    message = summary_torch.scalar("loss", 0.5)
    (value,) = message.value
    assert (value.tag, value.simple_value, value.node_name) == ("loss", 0.5, "")
    assert value.WhichOneof("value") == "simple_value"
    assert value.HasField("simple_value")
    assert not value.HasField("image")
    assert not value.HasField("metadata")
    assert value.metadata.plugin_data.plugin_name == ""
    assert message.SerializeToString() == bytes(scalars.scalar("loss", 0.5))
    assert message.ByteSize() == 13


def test_a_zero_is_there_in_a_oneof_and_absent_elsewhere():
    value = summary_torch.scalar("loss", 0.0).value[0]
    assert value.HasField("simple_value")
    assert Event(wire.integer(2, 0)) == Event()
    assert Event(wire.double(1, -0.0)) != Event()


def test_repeated_fields_are_sequences():
    tensor = summary_torch.mesh("m", np.arange(6.0).reshape(1, 2, 3)).value[0].tensor
    assert tensor.float_val == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert tensor.float_val[1:3] == (1.0, 2.0)
    assert tensor.int_val == []
    assert tensor.float_val != [0.0]
    assert [dim.size for dim in tensor.tensor_shape.dim] == [1, 2, 3]
    assert repr(tensor.float_val[:2]) == "(0.0, 1.0)"
    assert repr(tensor.tensor_shape.dim[0]) == "size: 1\n"


@pytest.mark.parametrize("pack", [True, False])
def test_numbers_may_be_packed(pack: bool):
    numbers = [-1, 0, 1 << 40]
    fields = (
        wire.packed_integers(10, numbers)
        if pack
        else b"".join(wire.integer(10, number) for number in numbers)
    )
    tensor = Summary(wire.message(1, wire.message(8, fields))).value[0].tensor
    assert tensor.int64_val == numbers


def test_integers_have_the_sign_and_width_of_their_type():
    tensor = wire.integer(3, -7) + wire.packed_integers(7, [-1]) + wire.packed_integers(16, [255])
    found = Summary(wire.message(1, wire.message(8, tensor))).value[0].tensor
    assert (found.version_number, found.int_val, found.uint32_val) == (-7, [-1], [255])


def test_pictures_are_encoded_when_they_are_read():
    message = summary_torch.image("photo", np.zeros((3, 4, 5)), dataformats="CHW")
    image = message.value[0].image
    assert (image.height, image.width, image.colorspace) == (4, 5, 3)
    assert image.encoded_image_string.startswith(b"\x89PNG")
    bytes_ = np.zeros((3, 4, 5), np.uint8)
    assert message == summary_torch.image("photo", bytes_, dataformats="CHW")
    assert message != summary_torch.image("photo", bytes_ + 1, dataformats="CHW")


def test_hparams_are_three_messages():
    experiment, start, end = summary_x.hparams({"lr": 0.1}, {"accuracy": 0.1})
    assert [message.value[0].tag for message in (experiment, start, end)] == [
        "_hparams_/experiment",
        "_hparams_/session_start_info",
        "_hparams_/session_end_info",
    ]
    assert all(m.value[0].metadata.plugin_data.plugin_name == "hparams" for m in (start, end))


def test_a_graph_has_nodes_with_attributes():
    nodes = [
        graph_def.torch_node("a", "IO Node", size=[1, 3]),
        graph_def.torch_node("b", "aten::relu", ["a"], "{}"),
    ]
    graph = GraphDef(graph_def.graph(nodes))
    assert [(node.name, node.op, node.input) for node in graph.node] == [
        ("a", "IO Node", []),
        ("b", "aten::relu", ["a"]),
    ]
    assert sorted(graph.node[0].attr) == ["_output_shapes", "attr"]
    shape = graph.node[0].attr["_output_shapes"].list.shape[0]
    assert [dim.size for dim in shape.dim] == [1, 3]
    assert graph.node[1].attr["attr"].WhichOneof("value") == "s"
    assert (graph.node[1].device, graph.versions.producer) == ("", 22)
    device = RunMetadata(graph_def.CPU_RUN).step_stats.dev_stats[0].device
    assert device == "/device:CPU:0"


def test_messages_are_equal_by_their_fields():
    one, same = summary_torch.scalar("a", 1.0), summary_x.scalar("a", 1.0)
    assert one == same
    assert one != summary_torch.scalar("a", 2.0)
    assert one == Foreign("Summary", one.SerializeToString())
    assert Foreign("Summary", one.SerializeToString()) == one
    assert one != Foreign("Event", one.SerializeToString())
    assert one != one.SerializeToString()
    assert Event() != Summary()
    # A field of the future makes no difference, and the order of fields neither.
    data = wire.message(1, wire.single(2, 1.0), wire.text(1, "a"), wire.integer(99, 1))
    assert Summary(data) == one


def test_the_last_member_of_a_oneof_counts():
    data = wire.message(1, wire.message(5), wire.single(2, 1.0))
    value = Summary(data).value[0]
    assert (value.WhichOneof("value"), value.HasField("histo")) == ("simple_value", False)


def test_the_text_is_that_of_protobuf():
    message = summary_torch.text("say", 'a "b"\n\tc\\ é')
    assert str(message) == (
        "value {\n"
        '  tag: "say/text_summary"\n'
        "  tensor {\n"
        "    dtype: DT_STRING\n"
        "    tensor_shape {\n"
        "      dim {\n"
        "        size: 1\n"
        "      }\n"
        "    }\n"
        '    string_val: "a \\"b\\"\\n\\tc\\\\ \\303\\251"\n'
        "  }\n"
        "  metadata {\n"
        "    plugin_data {\n"
        '      plugin_name: "text"\n'
        "    }\n"
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (1.0, "1.0"),
        (-0.0, "-0.0"),
        (1 / 3, "0.33333334"),
        (1e-7, "1e-07"),
        (3.4028234663852886e38, "3.4028235e+38"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
    ],
)
def test_numbers_have_as_few_digits_as_possible(number: float, text: str):
    lines = str(summary_torch.scalar("a", number)).splitlines()
    assert lines[2] == f"  simple_value: {text}"


def test_messages_are_copied_and_pickled():
    message = summary_torch.image("photo", np.ones((3, 2, 2)), dataformats="CHW")
    assert copy.deepcopy(message) == message
    assert pickle.loads(pickle.dumps(message)) == message


def test_messages_cannot_be_changed():
    message = summary_torch.scalar("a", 1.0)
    with pytest.raises(AttributeError, match="read-only"):
        message.value = []
    with pytest.raises(AttributeError, match="no attribute 'values'"):
        _ = message.values
    with pytest.raises(TypeError):
        hash(message)


@pytest.mark.parametrize("name", ["value", "nothing"])
def test_a_field_without_presence_is_not_asked_for(name: str):
    with pytest.raises(ValueError, match=name):
        Summary().HasField(name)


def test_a_oneof_that_is_none_is_not_asked_for():
    with pytest.raises(ValueError, match="nothing"):
        Summary().WhichOneof("nothing")


def test_fields_are_listed_by_number():
    data = wire.message(1, wire.single(2, 1.0), wire.text(1, "a"))
    fields = Summary(data).value[0].ListFields()
    assert [(field.number, field.name, value) for field, value in fields] == [
        (1, "tag", "a"),
        (2, "simple_value", 1.0),
    ]
    assert "simple_value" in dir(Summary(data).value[0])


@pytest.mark.parametrize(
    "data",
    [
        b"\x0a",
        b"\x0a\x05ab",
        b"\x0b",
        b"\x80" * 11,
        b"\x08\x01",
        wire.message(1, b"\x0a\x02\xff\xfe"),
        wire.message(1, wire.text(2, "abc")),
        wire.message(1, wire.message(8, wire.data(5, b"abc"))),
        wire.message(1, wire.message(8, wire.data(1, b"abc"))),
    ],
    ids=repr,
)
def test_damaged_messages_are_refused(data: bytes):
    with pytest.raises(ValueError):  # noqa: PT011  (protobuf has another for each)
        Summary.FromString(data)


@pytest.mark.parametrize("module", [summary_torch, summary_x], ids=["torch", "tensorboardX"])
@pytest.mark.parametrize("values", [[1, 2], (1.0,)])
def test_histograms_of_lists_are_refused_as_by_the_originals(module: Any, values: Any):
    with pytest.raises(NotImplementedError):
        module.histogram("h", values, "tensorflow")
    with pytest.raises(NotImplementedError):
        module.histogram("h", values=values, bins="tensorflow")


@pytest.mark.parametrize(("dtype", "factor"), [(np.uint8, 1), (np.float32, 255), (int, 255)])
def test_the_factor_of_pixels(dtype: Any, factor: int):
    assert summary_torch._calc_scale_factor(np.zeros(3, dtype)) == factor


def test_every_summary_function_gives_a_message():
    made = [
        summary_torch.scalar("a", 1.0, new_style=True),
        summary_torch.histogram_raw("a", 0, 1, 1, 1, 1, [1.0], [1.0]),
        summary_torch.audio("a", np.zeros(3)),
        summary_torch.custom_scalars({"c": {"d": ["Multiline", ["e"]]}}),
        summary_torch.pr_curve("a", np.array([0, 1]), np.array([0.2, 0.8])),
        summary_torch.tensor_proto("a", np.float32(1)),
        summary_torch.video("a", np.zeros((1, 2, 3, 4, 4), np.uint8)),
        summary_x.audio("a", np.zeros(3)),
        summary_x.mesh("a", np.zeros((1, 2, 3)), None, None),
    ]
    for message in made:
        assert isinstance(message, Message)
        assert message == Summary.FromString(message.SerializeToString())
