"""Programs made by `torch.export` into nodes, named by the scheme of the traced ones.

What is not as in a trace:

* values are called after their operations (`linear_1`), not after variables (`input.3`);
* parameters carry their shapes and have no input;
* nested inputs are one node per tensor (`input/pair_0`), nested outputs are flat;
* what Python computed from shapes is a constant, not a chain of `aten::size` and `aten::Int`;
* `aten::conv2d` and the like are not yet taken apart into `aten::_convolution`.
"""

from __future__ import annotations

import importlib.util
import operator
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from kymograph.writer.graphs import graph_def

__all__ = ["export", "is_safe", "nodes"]


def is_safe() -> bool:
    """Whether the export may run in this process.

    It imports triton. TensorFlow and triton each carry an LLVM, and the second one to be loaded
    in the order TensorFlow, triton ends the process.
    """
    return (
        "tensorflow" not in sys.modules
        or "triton" in sys.modules
        or importlib.util.find_spec("triton") is None
    )


def export(model: Any, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The module as an `ExportedProgram`."""
    import torch

    # Copies, because one tensor given twice would be drawn as one input.
    positional, named = torch.utils._pytree.tree_map(  # noqa: SLF001
        lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf,
        (positional, named),
    )
    return torch.export.export(model, positional, named, strict=False)


def nodes(model: Any, program: Any) -> list[bytes]:
    """Inputs, outputs, then one node for each output of each operation, in the program's order."""
    return _Drawing(model, program).nodes()


class _Drawing:
    """The nodes of one program while they are being made."""

    def __init__(self, model: Any, program: Any) -> None:
        self.model = model
        self.program = program
        self.root = type(model).__name__
        self.names: dict[str, str] = {}
        """The node's name for each value that has one, by the value's name."""
        self.inner: list[bytes] = []
        self.unnamed = 0

    def nodes(self) -> list[bytes]:
        values = {value.name: value for value in self.program.graph.nodes}
        inputs = [
            self._input(values[name])
            for name in self.program.graph_signature.user_inputs
            if name in values and values[name].users
        ]
        for value in values.values():
            if value.op == "placeholder" and value.users and value.name not in self.names:
                self._held(value)
            elif value.op == "call_function":
                self._operation(value)
        outputs = self.program.graph_signature.user_outputs
        # A value that is given back as it came is drawn, even if no operation uses it.
        inputs += [
            self._input(values[name])
            for name in outputs
            if name in values and values[name].op == "placeholder" and name not in self.names
        ]
        return inputs + self._output([values.get(name, name) for name in outputs]) + self.inner

    def _input(self, value: Any) -> bytes:
        self.names[value.name] = f"input/{value.name}"
        return graph_def.torch_node(self.names[value.name], "IO Node", size=_size(value))

    def _held(self, value: Any) -> None:
        """A parameter, a buffer or a tensor that the code holds."""
        signature = self.program.graph_signature
        path = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}.get(value.name)
        if path is None:
            target = signature.inputs_to_lifted_tensor_constants.get(value.name)
            name, kind = f"{self.root}/{value.name}", "prim::Constant"
            attributes = _attributes(value=self.program.constants.get(target))
        else:
            owner, _, own = path.rpartition(".")
            name, kind = "/".join([self.root, *self._owners(owner), own, own]), "prim::GetAttr"
            attributes = _attributes(name=own)
        self.names[value.name] = self._add(name, kind, (), attributes, _size(value))

    def _owners(self, path: str) -> list[str]:
        """The scope of a module that is found by its path: every step is one part."""
        parts = path.split(".") if path else []
        return [
            _label(type(self.model.get_submodule(".".join(parts[: end + 1]))).__name__, part)
            for end, part in enumerate(parts)
        ]

    def _operation(self, value: Any) -> None:
        returns = _returns(value.target)
        if value.target is operator.getitem and value.args[0].name not in self.names:
            return  # drawn with the operation that yields the tuple
        if returns == []:
            return  # an assertion
        scope = self._scope(value)
        parts = [user for user in value.users if user.target is operator.getitem]
        drawn = parts if parts and returns and len(returns) > 1 else [value]
        sources = self._sources(value, scope)
        for each in drawn:
            self.names[each.name] = self._add(
                f"{scope}/{each.name}", _kind(value.target), sources, size=_size(each)
            )

    def _scope(self, value: Any) -> str:
        """The modules whose calls are under way, from the outside in."""
        calls = list((value.meta.get("nn_module_stack") or {}).values())
        return "/".join(
            [
                self.root,
                # A path ends in `@1` at the second call of a module.
                *[
                    _label(getattr(kind, "__name__", str(kind)).rpartition(".")[2], _last(path))
                    for path, kind in calls
                    if path
                ],
            ]
        )

    def _sources(self, value: Any, scope: str) -> list[str]:
        """Names of all arguments in the order of the schema, those left at their default too."""
        constants: dict[tuple[type, str], str] = {}
        return [self._source(each, scope, constants) for each in _arguments(value)]

    def _source(self, value: Any, scope: str, constants: dict[tuple[type, str], str]) -> str:
        name = getattr(value, "name", None)
        if isinstance(name, str) and name in self.names:
            return self.names[name]
        if isinstance(value, list | tuple):
            parts = [self._source(each, scope, constants) for each in value]
            return self._add(self._number(scope), "prim::ListConstruct", parts)
        key = (type(value), str(value))
        if key not in constants:
            constants[key] = self._add(
                self._number(scope),
                "prim::Constant",
                (),
                _attributes(value=value),
                getattr(value, "shape", None),
            )
        return constants[key]

    def _output(self, outputs: list[Any]) -> list[bytes]:
        """What the model gives back: one value, or what holds them all."""
        if len(outputs) == 1:
            name = self._source(outputs[0], self.root, {})
            size = _size(outputs[0])
        else:
            form = self.program.call_spec.out_spec
            sources = [self._source(each, self.root, {}) for each in outputs]
            keys = form.context if form.type is dict else ()
            if len(keys) == len(sources) > 0:
                labels = [self._source(key, self.root, {}) for key in keys]
                sources = [each for pair in zip(labels, sources, strict=True) for each in pair]
                kind = "prim::DictConstruct"
            else:
                kind = "prim::TupleConstruct"
            name = self._add(self._number(self.root), kind, sources)
            size = [1]
        return [graph_def.torch_node("output/output.1", "IO Node", [name], size=size)]

    def _number(self, scope: str) -> str:
        """A name for what has none."""
        self.unnamed += 1
        return f"{scope}/{self.unnamed}"

    def _add(
        self,
        name: str,
        kind: str,
        sources: Iterable[str],
        attributes: str = "{}",
        size: Any = None,
    ) -> str:
        self.inner.append(graph_def.torch_node(name, kind, sources, attributes, size))
        return name


def _label(kind: str, part: str) -> str:
    return f"{kind}[{part}]"


def _last(path: str) -> str:
    return path.partition("@")[0].rpartition(".")[2]


def _kind(target: Any) -> str:
    """`aten::add` for every overload of it; what is not an operator of torch's, by its own name."""
    schema = getattr(target, "_schema", None)
    if schema is not None:
        return str(schema.name)
    if target is operator.getitem:
        return "prim::ListUnpack"
    return f"{getattr(target, 'namespace', 'prim')}::{getattr(target, '__name__', target)}"


def _returns(target: Any) -> list[Any] | None:
    """What an operator of torch's yields; of others it is not known."""
    schema = getattr(target, "_schema", None)
    return None if schema is None else list(schema.returns)


def _arguments(value: Any) -> list[Any]:
    """The arguments of a call, in the tracer's form."""
    if value.target is operator.getitem:
        return [value.args[0]]
    schema = getattr(value.target, "_schema", None)
    if schema is None:
        return [*value.args, *value.kwargs.values()]
    given = dict(zip([each.name for each in schema.arguments], value.args, strict=False))
    given |= value.kwargs
    return [
        _as_tensor(given.get(each.name, each.default_value), str(each.type))
        for each in schema.arguments
    ]


def _as_tensor(value: Any, kind: str) -> Any:
    """A number that stands for a tensor as that tensor."""
    import torch

    if kind != "Tensor" or not isinstance(value, bool | int | float | complex):
        return value
    return torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)


def _attributes(**values: Any) -> str:
    """The text of a node's attributes, in the tracer's words: flags are numbers, `None` is none."""
    shown = {
        name: int(value)
        if isinstance(value, bool)
        else value
        if isinstance(value, int | float | str) or hasattr(value, "shape")
        else str(value)
        for name, value in values.items()
        if value is not None
    }
    return str(shown).replace("'", " ")


def _size(value: Any) -> Any:
    meta: Mapping[str, Any] = getattr(value, "meta", {})
    return getattr(meta.get("val"), "shape", None)
