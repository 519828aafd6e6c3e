"""The XML half of OpenVINO models into nodes."""

from __future__ import annotations

from collections import defaultdict
from os import PathLike
from xml.etree import ElementTree

from kymograph.writer.graphs import graph_def

__all__ = ["nodes"]


def nodes(path: str | PathLike[str]) -> list[bytes]:
    """One node per layer, in the file's order, with its type, parameters, shapes and inputs."""
    root = ElementTree.parse(path, ElementTree.XMLParser(target=_NoDoctype())).getroot()  # noqa: S314
    layers = root.findall("layers/layer")
    names = {layer.get("id"): name for layer, name in zip(layers, _names(layers), strict=True)}
    inputs: dict[str | None, list[tuple[int, str]]] = defaultdict(list)
    for edge in root.iterfind("edges/edge"):
        source = names.get(edge.get("from-layer"))
        if source is not None:
            inputs[edge.get("to-layer")].append((int(edge.get("to-port", "0")), source))
    return [
        graph_def.node(
            names[layer.get("id")],
            layer.get("type", ""),
            [source for _, source in sorted(inputs[layer.get("id")])],
            {"parameters": graph_def.string(_parameters(layer)), "_output_shapes": _shapes(layer)},
        )
        for layer in layers
    ]


class _NoDoctype(ElementTree.TreeBuilder):
    """Builds the tree, and refuses what can make a small file huge: entities of its own."""

    def doctype(self, name: str, *_: str | None) -> None:
        raise ValueError(f"an OpenVINO model must not have a document type: {name!r}")


def _names(layers: list[ElementTree.Element]) -> list[str]:
    """Each layer's name; where two have the same one, the later gets its number too."""
    taken: set[str] = set()
    found = []
    for layer in layers:
        name = layer.get("name", "")
        if not name or name in taken:
            name = f"{name}_{layer.get('id')}"
        taken.add(name)
        found.append(name)
    return found


def _parameters(layer: ElementTree.Element) -> str:
    data = layer.find("data")
    return ", ".join(
        f"{name} = {value}" for name, value in (data.attrib if data is not None else {}).items()
    )


def _shapes(layer: ElementTree.Element) -> bytes:
    return graph_def.shapes(
        [int(dimension.text or "-1") for dimension in port.iterfind("dim")]
        for port in layer.iterfind("output/port")
    )
