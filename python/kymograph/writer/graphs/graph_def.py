"""`GraphDef`, `NodeDef`, `AttrValue` and `RunMetadata` as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kymograph.writer import wire

__all__ = ["CPU_RUN", "graph", "node", "shape", "shapes", "string", "torch_node", "type_"]

CPU_RUN = wire.message(1, wire.message(1, wire.text(1, "/device:CPU:0")))
"""`RunMetadata` of a run on one CPU with no timings, as PyTorch writes beside every graph."""

# PyTorch's number, taken over so that no reader sees a difference.
_PRODUCER = 22


def graph(nodes: Iterable[bytes]) -> bytes:
    """A whole `GraphDef` of messages made by `node`."""
    return b"".join([wire.message(1, each) for each in nodes]) + wire.message(
        4, wire.integer(1, _PRODUCER)
    )


def node(
    name: str,
    op: str,
    inputs: Iterable[str] = (),
    attributes: Mapping[str, bytes] | None = None,
) -> bytes:
    """A `NodeDef`; the attributes are `AttrValue`s made by the functions below."""
    return b"".join(
        [
            wire.text(1, name),
            wire.text(2, op),
            *[wire.text(3, each) for each in inputs],
            *[
                wire.message(5, wire.text(1, key), wire.data(2, value))
                for key, value in (attributes or {}).items()
            ],
        ]
    )


def torch_node(
    name: str,
    op: str,
    inputs: Iterable[str] = (),
    attributes: str = "",
    size: Iterable[object] | None = None,
) -> bytes:
    """A `NodeDef` with the two attributes that PyTorch gives its nodes; no `size`, no shape."""
    values = {"attr": string(attributes)}
    if size is not None:
        values["_output_shapes"] = shapes([size])
    return node(name, op, inputs, values)


def string(content: str) -> bytes:
    """An `AttrValue` that holds text."""
    # Half a surrogate pair in a user's string constant must not cost the graph.
    return wire.data(2, content.encode(errors="replace"))


def type_(number: int) -> bytes:
    """An `AttrValue` that holds a `DataType`."""
    return wire.integer(6, number)


def shape(size: Iterable[object]) -> bytes:
    """An `AttrValue` that holds one shape."""
    return wire.data(7, _shape(size))


def shapes(sizes: Iterable[Iterable[object]]) -> bytes:
    """An `AttrValue` that holds a list of shapes."""
    return wire.message(1, *[wire.data(7, _shape(size)) for size in sizes])


def _shape(size: Iterable[object]) -> bytes:
    """A `TensorShapeProto`; a dimension that is not a number is unknown, which is -1."""
    numbers = [each if isinstance(each, int) else -1 for each in size]
    return b"".join([wire.message(2, wire.integer(1, each) if each else b"") for each in numbers])
