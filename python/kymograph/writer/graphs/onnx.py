"""ONNX files into nodes, by the scheme of PyTorch's writer with every name given once."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from kymograph.writer.graphs import graph_def

__all__ = ["nodes"]

# ONNX's element types as TensorFlow's, which is what readers of a `GraphDef` expect.
_TYPES = {
    1: 1,  # float
    2: 4,  # uint8
    3: 6,  # int8
    4: 17,  # uint16
    5: 5,  # int16
    6: 3,  # int32
    7: 9,  # int64
    8: 7,  # string
    9: 10,  # bool
    10: 19,  # float16
    11: 2,  # double
    12: 22,  # uint32
    13: 23,  # uint64
    14: 8,  # complex64
    15: 18,  # complex128
    16: 14,  # bfloat16
}


def nodes(path: str | PathLike[str]) -> list[bytes]:
    """Inputs, outputs, then the operations, each called after its first output."""
    import onnx

    # Weights are not drawn, so those in files beside the model need not be there.
    graph = onnx.load(fspath(path), load_external_data=False).graph
    makers = {
        output: _name(operation) + (f":{number}" if number else "")
        for operation in graph.node
        for number, output in enumerate(operation.output)
    }
    return [
        *[_variable(value, value.name, []) for value in graph.input],
        # Under its plain name an output would be there twice: it is its operation's name, too.
        *[
            _variable(value, f"output/{value.name}", [makers.get(value.name, value.name)])
            for value in graph.output
        ],
        *[
            graph_def.node(
                _name(operation),
                operation.op_type,
                # An optional input that is left out has no name.
                [makers.get(each, each) for each in operation.input if each],
                {"parameters": graph_def.string(_parameters(operation))},
            )
            for operation in graph.node
        ],
    ]


def _name(operation: Any) -> str:
    return str(next(filter(None, operation.output), operation.name))


def _variable(value: Any, name: str, inputs: list[str]) -> bytes:
    tensor = value.type.tensor_type
    return graph_def.node(
        name,
        "Variable",
        inputs,
        {
            "dtype": graph_def.type_(_TYPES.get(tensor.elem_type, 0)),
            "shape": graph_def.shape([each.dim_value for each in tensor.shape.dim]),
        },
    )


def _parameters(operation: Any) -> str:
    """For example `alpha = 0.5 = 1`: name, value, and the number of the value's type."""
    return ", ".join(
        " = ".join([str(content) for _, content in attribute.ListFields()])
        for attribute in operation.attribute
    )
