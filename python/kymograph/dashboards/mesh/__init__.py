"""Meshes: their names, and the parts of one put together."""

from __future__ import annotations

from bisect import bisect_right
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, paging, responses
from kymograph.asgi.addresses import check_address
from kymograph.asgi.board import board
from kymograph.asgi.operations import Operation
from kymograph.dashboards.mesh.config import Camera, Light, Material, read_config
from kymograph.errors import BlobUnreadableError
from kymograph.lazy import numpy as np
from kymograph.store import Store, meshes

__all__ = ["OPERATIONS"]

# Most bytes that are read for one mesh, and most of it that is drawn.
_MOST_BYTES = 1 << 30
_MOST_POINTS = 2_000_000
_MOST_TRIANGLES = 2_000_000


# --- the list ---


class MeshesQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which meshes to list."""

    limit: paging.Limit = 1000
    after: paging.After = ""


class MeshRow(msgspec.Struct):
    """One mesh."""

    name: str
    runs: int
    """The number of runs that have it."""
    display_name: str
    description: str
    tags: list[str]
    """The tags of its vertices: its blobs are listed under them. Several if writers differ."""


class Meshes(msgspec.Struct):
    """A page of meshes, sorted by name."""

    change: int
    total: int
    next: str | None
    meshes: list[MeshRow]


async def page(request: Request, query: MeshesQuery) -> Response:
    """A page of the meshes found so far."""
    return await paging.answer(request, select, query)


def select(store: Store, query: MeshesQuery) -> Meshes:
    """The answer to a query."""
    change, found = meshes.names(store)
    start = 0
    if query.after:
        start = bisect_right(found, paging.place(query.after, str), key=lambda mesh: mesh.name)
    shown = found[start : start + query.limit]
    return Meshes(
        change=change,
        total=len(found),
        next=paging.cursor(shown[-1].name) if start + len(shown) < len(found) else None,
        meshes=[
            MeshRow(mesh.name, mesh.runs, mesh.display_name, mesh.description, mesh.tags)
            for mesh in shown
        ],
    )


# --- one mesh ---


class MeshQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which mesh the vertices are of, and how much of it to send."""

    run: paging.Text
    name: Annotated[paging.Text, msgspec.Meta(description="as in the list of meshes")]
    step: Annotated[int, msgspec.Meta(description="that of the vertices")]
    item: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    points: Annotated[
        int, msgspec.Meta(ge=1, le=_MOST_POINTS, description="maximum number of vertices")
    ] = _MOST_POINTS


class MeshMeta(msgspec.Struct):
    """The meta object of a frame with a mesh."""

    items: int
    """The number of items that were logged together."""
    item: int
    vertices: int
    """The number of vertices that were logged; fewer are sent of large meshes."""
    triangles: int
    bounds: tuple[tuple[float, ...], ...] | None
    """The smallest and the largest x, y and z of what is sent."""
    problems: list[str]
    """Sentences: what cannot be drawn as logged."""
    is_whole: bool
    """Whether all parts are there that the writer announced; others may still be written."""
    camera: Camera | None
    material: Material | None
    lights: list[Light] | None
    config: str
    """As logged."""


async def mesh(request: Request, query: MeshQuery) -> Response:
    """The parts of a mesh."""
    here = board(request)
    instance, address = request.path_params["instance"], request.path_params["address"]
    check_address(here, instance, address)
    parts = await here.workers.run(parts_of, here.store, address, query)
    # What is missing may still be written.
    for_ever = not parts.missing
    addresses = (parts.vertices or "", parts.faces or "", parts.colours or "")
    tag = responses.etag(instance, *addresses, query.item, query.points)
    if (same := responses.unchanged(request, tag, for_ever=for_ever)) is not None:
        return same
    body = await here.slow_workers.run(read, here.store, parts, query)
    return await responses.encoded(request, body, frames.MEDIA_TYPE, tag=tag, for_ever=for_ever)


def parts_of(store: Store, address: str, query: MeshQuery) -> meshes.Joined:
    """The addresses of all parts. Raises UnknownRunError and UnknownBlobError."""
    return meshes.join(store[query.run].all_blobs(meshes.MESH), query.name, address, query.step)


def read(store: Store, parts: meshes.Joined, query: MeshQuery) -> bytes:
    """The mesh as a frame."""
    if parts.vertices is None:
        nothing = meshes.Mesh(b"", b"", b"", 0, 0, 0, None, [], None, None)
        return _frame(nothing, parts, query)
    addresses = (parts.vertices, parts.faces, parts.colours)
    total = sum(_payload_bytes(address) for address in addresses if address is not None)
    if total > _MOST_BYTES:
        raise BlobUnreadableError(
            f"the mesh is too large: {total >> 20} MiB, and at most {_MOST_BYTES >> 20} are read"
        )
    found = store.mesh(
        *addresses,
        item=query.item,
        most_points=query.points,
        most_triangles=_MOST_TRIANGLES,
    )
    return _frame(found, parts, query)


def _frame(found: meshes.Mesh, parts: meshes.Joined, query: MeshQuery) -> bytes:
    text = parts.config if found.config is None else found.config
    config, trouble = read_config(text)
    meta = MeshMeta(
        items=found.items,
        item=query.item,
        vertices=found.vertices,
        triangles=found.triangles,
        bounds=found.bounds,
        problems=[*_missing(found, parts), *found.problems, *trouble],
        is_whole=not parts.missing,
        camera=config.camera,
        material=config.material,
        lights=config.lights,
        config=text,
    )
    columns = {
        "positions": np.frombuffer(found.positions, "<f4"),
        "colours": np.frombuffer(found.colours, "u1"),
        "faces": np.frombuffer(found.faces, "<u4"),
    }
    return frames.encode(columns, meta)


def _missing(found: meshes.Mesh, parts: meshes.Joined) -> list[str]:
    """A sentence for each part that was logged with these vertices, and is not there."""
    if parts.vertices is None:
        return ["No vertices were logged at this step."]
    words = {meshes.FACE: "faces", meshes.COLOUR: "colours"}
    return [
        f"The {words[part]} of this step are missing."
        for part in parts.missing
        if part in words and (found.announced is None or found.announced & (1 << part))
    ]


def _payload_bytes(address: str) -> int:
    """The number of bytes to read for a blob, from its address."""
    try:
        return int(address.split("-")[3], 16)
    except (IndexError, ValueError):
        return 0


OPERATIONS = [
    Operation("GET", "/mesh", page, "the meshes of all runs", MeshesQuery, answer=Meshes),
    Operation(
        "GET",
        "/mesh/{instance}/{address}",
        mesh,
        "the parts of a mesh, put together",
        MeshQuery,
        answer=(frames.MEDIA_TYPE,),
        parameters={
            "instance": "that of the list with the address",
            "address": "that of the vertices in the list of blobs",
        },
        failures=(400, 404, 410),
        also={304: "what the client has is up to date"},
    ),
]
