"""What users add to runs and charts: titles, colours, tags, notes, pins, views."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import responses
from kymograph.asgi.board import board
from kymograph.asgi.operations import Operation
from kymograph.errors import CurationError
from kymograph.store import DASHBOARDS
from kymograph.store.sidecar import Key, Sidecar, Snapshot

__all__ = ["OPERATIONS", "Curation", "CurationEdits"]

_MOST_EDITS = 10_000
_MOST_VIEW_BYTES = 64 * 1024
# Unlike `$`, no line break may follow; JSON Schema knows no `\Z`.
_END = r"(?![\s\S])"

# Lengths are in characters.
Name: TypeAlias = Annotated[str, Meta(max_length=4096)]
Title: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
Label: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100)]
Note: TypeAlias = Annotated[str, Meta(min_length=1, max_length=20_000)]
Id: TypeAlias = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}" + _END)]
# Either fixed, or a colour of the page by its name, which differs between themes: `run-3`.
Colour: TypeAlias = Annotated[str, Meta(pattern="^(#[0-9a-f]{6}|[a-z][a-z0-9-]{0,31})" + _END)]
Dash: TypeAlias = Literal["solid", "dashed", "dotted", "dash-dotted"]


Better: TypeAlias = Literal["lower", "higher"]


class View(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saved state of the page."""

    name: Title
    state: dict[str, Any]
    """Only the page interprets it."""


class ChartNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A note on a chart, or on a point in it."""

    text: Note
    tag: Name | None = None
    """`null` for all charts."""
    run: Name | None = None
    step: float | None = None


_RUN_FIELDS: dict[str, Any] = {
    "title": Title,
    "hidden": bool,
    "colour": Colour,
    "dash": Dash,
    "note": Note,
    "pinned": bool,
    "trashed": bool,
}
_CARD_FIELDS: dict[str, Any] = {"pinned": bool, "better": Better}


class CurationEdit(msgspec.Struct, forbid_unknown_fields=True):
    """One key and its new value."""

    key: Annotated[tuple[str, ...], Meta(min_length=2, max_length=4)]
    """`["run", RUN, FIELD]`, `["run", RUN, "tag", LABEL]`, `["card", DASHBOARD, TAG, FIELD]`,
    `["view", ID]` or `["note", ID]`."""
    value: Any
    """`null` deletes the key, and so does `false`."""


class CurationEdits(msgspec.Struct, forbid_unknown_fields=True):
    """Edits that are applied together: all or none."""

    set: Annotated[list[CurationEdit], Meta(max_length=_MOST_EDITS)]


class CuratedRun(msgspec.Struct, omit_defaults=True):
    """The curation of one run; fields that are not set are left out."""

    name: str
    title: str | None = None
    hidden: bool = False
    colour: str | None = None
    dash: str | None = None
    note: str | None = None
    pinned: bool = False
    trashed: bool = False
    """Whether it is in the trash; its files are not touched."""
    tags: list[str] = []


class CuratedCard(msgspec.Struct):
    """The curation of one card."""

    dashboard: str
    tag: str
    pinned: bool = False
    """Whether it is shown at the top."""
    better: Better | None = None
    """Which values are better."""


class SavedView(msgspec.Struct):
    """A view, who saved it, and when."""

    id: str
    name: str
    state: dict[str, Any]
    editor: str
    time: float
    """Seconds since the epoch."""


class SavedNote(msgspec.Struct):
    """A note on a chart, who wrote it, and when."""

    id: str
    text: str
    tag: str | None
    run: str | None
    step: float | None
    editor: str
    time: float
    """Seconds since the epoch."""


class Curation(msgspec.Struct):
    """The curation of all runs and charts, by all editors."""

    revision: str
    editor: str
    """The name under which this server writes."""
    read_only: bool
    """Whether edits go into the user's own state directory, because the logdir is read-only."""
    folder: str | None
    """The folder in which edits are stored."""
    troubles: list[str]
    """What could not be read or saved, a sentence each."""
    runs: list[CuratedRun]
    """Sorted by name."""
    cards: list[CuratedCard]
    """Pinned ones first, in the order in which they were pinned."""
    views: list[SavedView]
    """In the order in which they were saved."""
    notes: list[SavedNote]
    """In the order in which they were written."""


def _convert(value: object, kind: Any, what: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise CurationError(f"{what}: {str(error)[0].lower()}{str(error)[1:]}") from error


def _checked(key: Key, value: object) -> object:
    """The value as it is kept, or nothing if the key is to be deleted."""
    match key:
        case ("run", run, field) if field in _RUN_FIELDS:
            names, kind = [(run, Name, "run")], _RUN_FIELDS[field]
        case ("run", run, "tag", label):
            names, kind = [(run, Name, "run"), (label, Label, "tag of a run")], bool
        case ("card", dashboard, tag, field) if dashboard in DASHBOARDS and field in _CARD_FIELDS:
            names, kind = [(tag, Name, "tag")], _CARD_FIELDS[field]
        case ("view", own_id):
            names, kind = [(own_id, Id, "id of a view")], View
        case ("note", own_id):
            names, kind = [(own_id, Id, "id of a note")], ChartNote
        case _:
            shown = msgspec.json.encode(key).decode()[:200]
            raise CurationError(f"unknown key: {shown}")
    for name, name_kind, of_what in names:
        _convert(name, name_kind, of_what)
    if value is None or value is False:
        return None
    if kind is View and len(msgspec.json.encode(value)) > _MOST_VIEW_BYTES:
        raise CurationError(f"a view is limited to {_MOST_VIEW_BYTES} bytes")
    what = {"run": key[2:3], "card": key[3:]}.get(key[0], key[:1])
    _convert(value, kind, f"`{what[0]}`")
    return value


def _is_known(key: Key, value: object) -> bool:
    """Whether this version can make something of what a file holds."""
    try:
        return _checked(key, value) is not None
    except CurationError:
        return False


@lru_cache(maxsize=4)  # everybody asks for the same after each edit
def _curation(sidecar: Sidecar, snapshot: Snapshot) -> Curation:
    runs: dict[str, CuratedRun] = {}
    cards: dict[tuple[str, str], CuratedCard] = {}
    pins: list[tuple[str, str]] = []
    views: list[SavedView] = []
    notes: list[SavedNote] = []
    for key, item in sorted(snapshot.items.items(), key=lambda pair: (pair[1].time, pair[0])):
        if not _is_known(key, item.value):
            continue
        match key:
            case ("run", name, field):
                setattr(runs.setdefault(name, CuratedRun(name)), field, item.value)
            case ("run", name, _, label):
                runs.setdefault(name, CuratedRun(name)).tags.append(label)
            case ("card", dashboard, tag, field):
                place = (dashboard, tag)
                setattr(cards.setdefault(place, CuratedCard(*place)), field, item.value)
                if field == "pinned":
                    pins.append(place)
            case ("view", own_id):
                view = msgspec.convert(item.value, View)
                seconds = item.time / 1e6
                views.append(SavedView(own_id, view.name, view.state, item.editor, seconds))
            case (_, own_id):
                note = msgspec.convert(item.value, ChartNote)
                about = (note.text, note.tag, note.run, note.step)
                notes.append(SavedNote(own_id, *about, item.editor, item.time / 1e6))
    return Curation(
        revision=snapshot.revision,
        editor=sidecar.editor,
        read_only=snapshot.read_only,
        folder=snapshot.folder,
        troubles=list(snapshot.troubles),
        runs=[runs[name] for name in sorted(runs)],
        cards=[cards[place] for place in dict.fromkeys([*pins, *cards])],
        views=views,
        notes=notes,
    )


async def read(request: Request) -> Response:
    """The curation; not modified when the client has that revision."""
    sidecar = board(request).sidecar
    run = board(request).workers.run
    snapshot = await run(sidecar.snapshot)
    tag = responses.etag(snapshot.revision)
    if (same := responses.unchanged(request, tag)) is not None:
        return same
    return await responses.json(request, await run(_curation, sidecar, snapshot), tag=tag)


async def edit(request: Request, body: CurationEdits) -> Response:
    """Applies all edits, and returns the new curation."""
    here = board(request)
    changes = {edit.key: _checked(edit.key, edit.value) for edit in body.set}
    snapshot = await here.editors.run(here.sidecar.edit, changes)
    answer = await here.workers.run(_curation, here.sidecar, snapshot)
    return await responses.json(request, answer)


OPERATIONS = [
    Operation(
        "GET",
        "/curation",
        read,
        "the curation: what users added to runs and charts",
        answer=Curation,
    ),
    Operation(
        "PATCH",
        "/curation",
        edit,
        "edit the curation",
        body=CurationEdits,
        answer=Curation,
        failures=(400, 507),
    ),
]
