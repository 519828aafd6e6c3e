"""Models as graphs: PyTorch modules, ONNX files, OpenVINO files.

A PyTorch module is traced by `torch.jit.trace`, and only where that does not work exported by
`torch.export`. It is this way round because

* PyTorch's writer traces, and the names of its nodes are the tracer's: no other way gives the same
  picture for every model that PyTorch's writer can draw;
* the first export in a process imports more than a thousand modules and takes seconds, a trace
  takes milliseconds;
* the export imports triton, and that ends the process if TensorFlow is loaded already.

The day `torch.jit.trace` is gone, everything goes through the export, with no change here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from os import PathLike
from typing import Any

from kymograph.writer.graphs import exported, graph_def, onnx, traced
from kymograph.writer.graphs.undisturbed import undisturbed

__all__ = ["graph", "onnx_graph", "openvino_graph"]


def graph(
    model: Any, args: Any, verbose: bool = False, use_strict_trace: bool = True
) -> tuple[bytes, bytes]:
    """A `GraphDef` and a `RunMetadata` of a `torch.nn.Module` that is called with `args`."""
    import torch

    # `torch.compile` wraps a module, and the wrapper cannot be traced.
    model = getattr(model, "_orig_mod", model)
    if not isinstance(model, torch.nn.Module):
        # The type of exception that PyTorch's writer ends with.
        raise AttributeError(f"a graph needs a torch.nn.Module, not: {type(model).__name__!r}")
    if isinstance(model, torch.jit.ScriptModule):
        picture = traced.scripted(model)
        nodes = traced.nodes(model, picture)
    else:
        with undisturbed(model):
            picture, nodes = _picture(model, args, use_strict_trace)
    if verbose:
        print(picture)  # noqa: T201  (what `verbose` is for)
    return graph_def.graph(nodes), graph_def.CPU_RUN


def onnx_graph(path: str | PathLike[str]) -> bytes:
    """A `GraphDef` of an ONNX file."""
    return graph_def.graph(onnx.nodes(path))


def openvino_graph(path: str | PathLike[str]) -> bytes:
    """A `GraphDef` of the `.xml` file of an OpenVINO model."""
    from kymograph.writer.graphs import openvino  # brings an XML parser

    return graph_def.graph(openvino.nodes(path))


def _picture(model: Any, args: Any, strict: bool) -> tuple[Any, list[bytes]]:
    """A graph of torch's, and its nodes."""
    try:
        return _walked(traced.trace(model, args, strict))
    except Exception as error:
        # If the model cannot be called like this at all, then the error is the user's to see.
        for positional, named in _calls(args):
            if _runs(model, positional, named):
                return _picture_of_call(model, positional, named, error)
        raise


def _picture_of_call(
    model: Any, positional: tuple[Any, ...], named: dict[str, Any], error: Exception
) -> tuple[Any, list[bytes]]:
    """Every other way to a graph; if none leads there, `error`, which says more of the model."""
    if not named:
        with suppress(Exception):
            return _walked(traced.trace(model, positional, strict=False))
    with suppress(Exception):
        return _walked(traced.trace_by_name(model, positional, named))
    if exported.is_safe():
        with suppress(Exception):
            program = exported.export(model, positional, named)
            return program.graph, exported.nodes(model, program)
    raise error


def _walked(module: Any) -> tuple[Any, list[bytes]]:
    picture = traced.inlined(module)
    return picture, traced.nodes(module, picture)


def _calls(args: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The calls that `args` may stand for, PyTorch's reading first."""
    import torch

    if isinstance(args, torch.Tensor | dict):
        yield (args,), {}
    elif isinstance(args, list | tuple):
        yield tuple(args), {}
    if isinstance(args, dict) and all(isinstance(name, str) for name in args):
        yield (), args


def _runs(model: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> bool:
    with suppress(Exception):
        model(*positional, **named)
        return True
    return False
