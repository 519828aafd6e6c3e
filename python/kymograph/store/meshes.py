"""Meshes: which tags are parts of one, and which blobs of a step belong together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from kymograph.errors import BlobUnreadableError, UnknownBlobError
from kymograph.store import wire
from kymograph.store.blobs import BlobSeries
from kymograph.store.series import Tagged

if TYPE_CHECKING:
    from kymograph import _core
    from kymograph.store.store import Store

__all__ = [
    "ALL_COMPONENTS",
    "COLOUR",
    "FACE",
    "MESH",
    "VERTEX",
    "Joined",
    "Mesh",
    "MeshNames",
    "Part",
    "join",
    "name_of",
    "names",
    "part_of",
]

MESH = "mesh"
# The parts of a mesh, by their number in event files.
VERTEX, FACE, COLOUR = 1, 2, 3
# A bit for each part; older writers do not set them.
ALL_COMPONENTS = (1 << VERTEX) + (1 << FACE) + (1 << COLOUR)
# What writers put behind the name of a mesh: TensorFlow and PyTorch, and tensorboardX.
_SUFFIXES = {VERTEX: ("_VERTEX", "_1"), FACE: ("_FACE", "_2"), COLOUR: ("_COLOR", "_3")}


class Part(msgspec.Struct, frozen=True):
    """What the metadata of a tag says: which part of which mesh it is."""

    name: str
    content_type: int
    components: int
    """A bit for each part that the mesh has; all of them if the writer does not set any."""
    announced: int
    """A bit for each part that the writer says there is."""
    config: str
    shape: tuple[int, ...]


def part_of(series: Tagged) -> Part:
    """The part that a tag is. Raises BlobUnreadableError for metadata that is damaged."""
    return _part(series.metadata.content)


@lru_cache(maxsize=4096)
def _part(content: bytes) -> Part:
    fields = wire.read(content)
    return Part(
        name=wire.text_of(fields, 2),
        content_type=wire.integer_of(fields, 3),
        components=wire.integer_of(fields, 7) or ALL_COMPONENTS,
        announced=wire.integer_of(fields, 7),
        config=wire.text_of(fields, 5),
        shape=tuple(wire.integers_of(fields, 6)),
    )


def _found_part(content: bytes) -> Part | None:
    try:
        return _part(content) if content else None
    except BlobUnreadableError:
        return None


def name_of(series: Tagged) -> tuple[str, int]:
    """The mesh that a tag is a part of, and which part.

    The name is the tag without what writers put behind it, and so has the scope that TensorFlow
    leaves out of the metadata; for any other tag it is the name in the metadata.
    """
    part = _found_part(series.metadata.content)
    if part is None:
        return series.tag, VERTEX
    for suffix in _SUFFIXES.get(part.content_type, ()):
        base = series.tag.removesuffix(suffix)
        is_name = part.name in ("", base) or base.endswith(f"/{part.name}")
        if base != series.tag and is_name:
            return base, part.content_type
    return part.name or series.tag, part.content_type


class MeshNames(msgspec.Struct):
    """A mesh of some runs."""

    name: str
    runs: int = 0
    """The number of runs that have it."""
    display_name: str = ""
    description: str = ""
    tags: list[str] = []
    """The tags of its vertices, which may differ between runs; of other parts if it has none."""


def names(store: Store) -> tuple[int, list[MeshNames]]:
    """The change number, and all meshes by name."""
    change = store.change
    found: dict[str, MeshNames] = {}
    only_other: dict[str, list[str]] = {}
    for run in store.runs.values():
        here: set[str] = set()
        for series in run.all_blobs(MESH):
            name, kind = name_of(series)
            mesh = found.setdefault(name, MeshNames(name))
            tags = mesh.tags if kind == VERTEX else only_other.setdefault(name, [])
            if series.tag not in tags:
                tags.append(series.tag)
            if name not in here:
                here.add(name)
                mesh.runs += 1
            metadata = series.metadata
            mesh.display_name = mesh.display_name or metadata.display_name
            mesh.description = mesh.description or metadata.description
    for name, mesh in found.items():
        mesh.tags = mesh.tags or only_other.get(name, [])[:1]
    return change, sorted(found.values(), key=lambda mesh: mesh.name)


class Joined(msgspec.Struct, frozen=True):
    """The addresses of the parts of a mesh at one step."""

    vertices: str | None
    faces: str | None
    colours: str | None
    missing: tuple[int, ...]
    """Parts that the tag announces, but that are not there at this step, or not yet."""
    config: str
    """As the metadata of the tag has it."""


def join(series: Iterable[BlobSeries], name: str, address: str, step: int) -> Joined:
    """The parts of the mesh of which `address` is the vertices.

    Parts belong together that have the same step. If some were logged several times at that step,
    the first belongs to the first and so on; where their numbers differ, the nearest in time.
    Raises UnknownBlobError if no part of the mesh is at this address.
    """
    parts: dict[int, BlobSeries] = {}
    for one in series:
        its_name, kind = name_of(one)
        if its_name == name:
            parts.setdefault(kind, one)
    own = _owner(parts, address, step)
    if own is None:
        raise UnknownBlobError(f"mesh `{name}` is not at this address at step {step}")
    kind, ordinal, count = own
    one = parts[kind]
    wall_time = float(one.wall_times[_places(one, step)[ordinal]])
    found = {
        other: address
        if other == kind
        else _matching(parts[other], step, ordinal, count, wall_time)
        for other in parts
    }
    declared = _found_part(one.metadata.content)
    missing = tuple(
        part
        for part in (VERTEX, FACE, COLOUR)
        if not found.get(part) and declared is not None and declared.announced & (1 << part)
    )
    return Joined(
        found.get(VERTEX),
        found.get(FACE),
        found.get(COLOUR),
        missing,
        "" if declared is None else declared.config,
    )


def _owner(parts: dict[int, BlobSeries], address: str, step: int) -> tuple[int, int, int] | None:
    """The part that has this address, its number among those of the step, and how many they are."""
    for kind in sorted(parts):
        places = _places(parts[kind], step)
        addresses = [parts[kind].addresses(place, place + 1)[0] for place in places]
        if address in addresses:
            return kind, addresses.index(address), len(addresses)
    return None


def _places(series: BlobSeries, step: int) -> list[int]:
    found: list[int] = (series.steps == step).nonzero()[0].tolist()
    return found


def _matching(
    series: BlobSeries, step: int, ordinal: int, count: int, wall_time: float
) -> str | None:
    places = _places(series, step)
    if not places:
        return None
    if len(places) == count:
        place = places[ordinal]
    else:
        place = min(places, key=lambda at: abs(float(series.wall_times[at]) - wall_time))
    return series.addresses(place, place + 1)[0]


class Mesh(msgspec.Struct, frozen=True):
    """One item of a mesh, ready to be drawn."""

    positions: bytes
    """x, y and z of each vertex, as little-endian float32."""
    colours: bytes
    """Red, green and blue of each vertex; empty without colours."""
    faces: bytes
    """Three positions of vertices for each triangle, as little-endian uint32."""
    items: int
    vertices: int
    """How many were logged; those that are not finite are not among the positions."""
    triangles: int
    bounds: tuple[tuple[float, ...], ...] | None
    """The smallest and the largest x, y and z."""
    problems: list[str]
    config: str | None
    """As logged with these vertices; nothing if they were logged without metadata."""
    announced: int | None
    """A bit for each part that was logged with these vertices; nothing likewise."""

    @classmethod
    def from_core(cls, core: _core.Mesh) -> Mesh:
        """From what the core put together."""
        declared = _found_part(core.content)
        return cls(
            positions=core.positions,
            colours=core.colours,
            faces=core.faces,
            items=core.items,
            vertices=core.vertices,
            triangles=core.triangles,
            bounds=None if core.bounds is None else tuple(map(tuple, core.bounds)),
            problems=core.problems,
            config=None if declared is None else declared.config,
            announced=None if declared is None else declared.announced,
        )
