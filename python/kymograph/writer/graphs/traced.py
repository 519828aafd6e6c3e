"""TorchScript graphs into nodes, named and shaped as PyTorch's own writer does it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from kymograph.writer.graphs import graph_def

__all__ = ["inlined", "nodes", "scripted", "trace", "trace_by_name"]

_GET_ATTRIBUTE = "prim::GetAttr"
_SELF = "__module"


def trace(model: Any, inputs: Any, strict: bool) -> Any:
    """The module as TorchScript; `inputs` as PyTorch's `add_graph` takes them."""
    import torch

    # Checking would run the model twice more, and fail where two runs differ: for a picture, no.
    return torch.jit.trace(model, inputs, strict=strict, check_trace=False)


def trace_by_name(model: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """As `trace`, for inputs with names or with `None` where that is the default anyway."""
    import torch

    signature = inspect.signature(model.forward)
    given = {
        name: value
        for name, value in signature.bind(*positional, **named).arguments.items()
        if value is not None or signature.parameters[name].default is not None
    }
    return torch.jit.trace(model, example_kwarg_inputs=given, strict=False, check_trace=False)


def inlined(module: Any) -> Any:
    """The graph of a module that was traced just now, with those of its children put into it.

    In place, because a copy numbers its values again, and PyTorch's node names contain the numbers.
    """
    import torch

    graph = module.graph
    torch._C._jit_pass_inline(graph)  # noqa: SLF001
    return graph


def scripted(module: Any) -> Any:
    """The inlined graph of the user's own script module, which is not changed.

    Where there is something to inline it is a copy, and the numbers in node names are the copy's.
    """
    graph = module.graph
    calls = ("prim::CallMethod", "prim::CallFunction")
    has_calls = any(graph.findAllNodes(kind, True) for kind in calls)
    return module.inlined_graph if has_calls else graph


def nodes(module: Any, graph: Any) -> list[bytes]:
    """Inputs, outputs, then one node for each output of each operation, in the graph's order."""
    root = module.original_name
    labels = {
        path: f"{child.original_name}[{path.rpartition('.')[2]}]"
        for path, child in module.named_modules(prefix=_SELF)
    }
    operations = [
        (operation, "/".join([root, *[labels.get(each, _last(each)) for each in scope]]))
        for operation, scope in _operations(graph)
    ]
    inputs = [value for value in graph.inputs() if value.uses() and not _is_module(value)]

    # Modules are no nodes; their parameters still point to them, by a name in the user's scope.
    names = {
        value.debugName(): f"{scope}/{value.debugName()}"
        for operation, scope in operations
        for value in operation.inputs()
    }
    names |= {value.debugName(): f"input/{value.debugName()}" for value in inputs}
    names |= {
        value.debugName(): f"{scope}/{value.debugName()}"
        for operation, scope in operations
        for value in operation.outputs()
    }

    found = [
        graph_def.torch_node(names[value.debugName()], "IO Node", size=_io_size(value))
        for value in inputs
    ]
    found += [
        graph_def.torch_node(
            f"output/output.{number}",
            "IO Node",
            [names.get(value.debugName(), f"{root}/{value.debugName()}")],
            size=_io_size(value),
        )
        for number, value in enumerate(graph.outputs(), 1)
    ]
    for operation, _ in operations:
        sources = [names[value.debugName()] for value in operation.inputs()]
        attributes = _attributes(operation)
        found += [
            graph_def.torch_node(
                names[value.debugName()],
                operation.kind(),
                sources,
                attributes,
                value.type().sizes() if value.isCompleteTensor() else None,
            )
            for value in operation.outputs()
        ]
    return found


def _operations(graph: Any) -> Iterator[tuple[Any, list[str]]]:
    """The operations, each with its scope: the paths of the modules around it, outermost first."""
    paths: dict[str, list[str]] = {}
    for operation in graph.nodes():
        if operation.kind() != _GET_ATTRIBUTE:
            yield operation, [each for each in operation.scopeName().split("/") if each]
            continue
        # The tracer says nothing of where an attribute is read; its owner does.
        owner = paths.get(operation.input().debugName(), [])
        path = [*owner, f"{owner[-1] if owner else _SELF}.{operation.s('name')}"]
        paths[operation.output().debugName()] = path
        if not _is_module(operation.output()):
            yield operation, path


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _is_module(value: Any) -> bool:
    return bool(value.type().kind() == "ClassType")


def _io_size(value: Any) -> Any:
    try:
        return value.type().sizes()
    except RuntimeError:  # a tuple, a dict or a number; PyTorch's writer calls that `[1]`
        return [1]


def _attributes(operation: Any) -> str:
    values = {
        name: getattr(operation, operation.kindOf(name))(name)
        for name in operation.attributeNames()
    }
    # TensorBoard's front end stumbles over single quotes.
    return str(values).replace("'", " ")
