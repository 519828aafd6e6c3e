"""All lines and bands on the screen, in one request."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import frames, responses
from kymograph.asgi.answers import encoded, is_ours
from kymograph.asgi.board import Board, board
from kymograph.asgi.frames import Columns
from kymograph.asgi.names import MOST_SERIES, Name, RunNames, Text
from kymograph.asgi.work import Cost
from kymograph.dashboards.scalars.search import Found, Lack, Search, X, what_of
from kymograph.errors import QueryError
from kymograph.store import Series, lod

# So few series that are named are found sooner than a thread is woken.
_TINY_PAIRS = 20

Range = tuple[float, float]
ColumnCount = Annotated[int, msgspec.Meta(ge=1, le=16384)]
Smoothing = Annotated[str, msgspec.Meta(max_length=64)]


class Group(msgspec.Struct, forbid_unknown_fields=True):
    """Runs that become one band."""

    name: Name
    runs: RunNames


class Card(msgspec.Struct, forbid_unknown_fields=True):
    """One plot: a line for each run, or a band for each group of runs.

    Fields that it leaves out are taken from the query.
    """

    tag: Name | UnsetType = UNSET
    runs: RunNames | None = None
    """`null` for all runs that have the tag."""
    expression: Text | UnsetType = UNSET
    """Instead of `tag`: an expression over tags, computed at equal steps of a run."""
    groups: Annotated[list[Group], msgspec.Meta(max_length=1000)] | None = None
    x: X | UnsetType = UNSET
    range: Range | UnsetType | None = UNSET
    columns: ColumnCount | UnsetType = UNSET
    smoothing: Smoothing | UnsetType = UNSET
    smooth_points: bool | UnsetType = UNSET
    bootstrap: lod.Centre | UnsetType | None = UNSET


class Known(msgspec.Struct, forbid_unknown_fields=True):
    """Points of an exact line without a range, which the client already has."""

    run: Name
    tag: Name
    """Or the expression."""
    generation: int
    points: Annotated[int, msgspec.Meta(ge=0)]
    card: int | None = None
    """The position of the only card that has them; `null` if all cards of this series do."""


class SeriesQuery(msgspec.Struct, forbid_unknown_fields=True):
    """All plots on the screen."""

    cards: Annotated[list[Card], msgspec.Meta(max_length=1000)]
    x: X = "step"
    range: Range | None = None
    columns: ColumnCount = 1000
    smoothing: Smoothing = "none"
    smooth_points: bool = True
    """If false, lines of which every point is sent have no smoothed values."""
    share_x: bool = False
    """If true, lines with the same x share them in `x`, starting at their `x_start`."""
    bootstrap: lod.Centre | None = None
    """The statistic of bands whose 95 % interval is added."""
    instance: Name | None = None
    """The instance that `since` and `known` are from; both are ignored if it has changed."""
    since: int | None = None
    """A `change`: what did not change after it is listed in `unchanged` and not sent."""
    known: Annotated[list[Known], msgspec.Meta(max_length=MOST_SERIES)] = []
    """Lines of which the client has the first points: only later points are sent."""


class Unchanged(msgspec.Struct, omit_defaults=True):
    """A line or a band that did not change."""

    card: int
    run: str | None = None
    group: int | None = None


class Missing(msgspec.Struct, omit_defaults=True):
    """A run that does not exist, or that lacks the tag or the tag for x."""

    card: int
    run: str
    lacks: Lack
    group: int | None = None


_NO_ROWS = msgspec.Raw(b"[]")


class SeriesMeta(msgspec.Struct):
    """The meta object of a frame of lines and bands."""

    instance: str
    change: int
    series: msgspec.Raw = _NO_ROWS
    """A row for each line, which the core writes (`lod/rows.rs`), as for `groups`."""
    groups: msgspec.Raw = _NO_ROWS
    """A row for each band."""
    unchanged: list[Unchanged] = []
    missing: list[Missing] = []


async def series(request: Request, query: SeriesQuery) -> Response:
    """The lines and bands of all cards."""
    here = board(request)
    drawing = await here.run(_search_cost(here, query), find, here, query)
    data = await here.run(drawing.cost, encoded, draw, drawing)
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


def _search_cost(here: Board, query: SeriesQuery) -> Cost:
    """Of finding what a query asks for."""
    named = [
        max(1, len(card.runs))
        for card in query.cards
        if card.runs is not None and card.expression is UNSET
    ]
    if len(named) == len(query.cards) and sum(named) <= _TINY_PAIRS and not query.known:
        return Cost.TINY
    asks_all = sum(card.runs is None and card.groups is None for card in query.cards)
    return Cost.of_pairs(asks_all * len(here.store))


class _View(NamedTuple):
    """How a card is drawn."""

    x: X
    range: Range | None
    columns: int
    smoothing: str
    smooth_points: bool
    bootstrap: lod.Centre | None


class _Drawing(NamedTuple):
    """What is to be drawn, and what is known of the answer before it is."""

    meta: SeriesMeta
    lines: list[tuple[int, _View, Found]]
    bands: list[tuple[int, int, _View, list[Found]]]
    known: list[Known]
    share_x: bool

    @property
    def cost(self) -> Cost:
        """Of looking at all points; drawing samples of them takes longer than any number."""
        if any(view.bootstrap for _, _, view, _ in self.bands):
            return Cost.SLOW
        found = [one for _, _, one in self.lines]
        found += [one for _, _, _, members in self.bands for one in members]
        return Cost.of_points(sum(one.points for one in found))


def find(here: Board, query: SeriesQuery) -> _Drawing:
    """The series that a query selects."""
    # Read the number first: later changes are sent now or with the next response.
    meta = SeriesMeta(here.instance, here.store.change)
    since, known = (query.since, query.known) if is_ours(here, query.instance) else (None, [])
    search = Search(here.store)
    lines: list[tuple[int, _View, Found]] = []
    bands: list[tuple[int, int, _View, list[Found]]] = []
    for number, card in enumerate(query.cards):
        view = _view(card, query)
        if card.groups is None:
            found, missing = search.line_up(what_of(card.tag, card.expression), card.runs, view.x)
            meta.missing += [Missing(number, run, lacks) for run, lacks in missing]
            for one in found:
                if one.is_unchanged(since):
                    meta.unchanged.append(Unchanged(number, run=one.source.run))
                else:
                    lines.append((number, view, one))
            continue
        if card.runs is not None:
            raise QueryError("a card may have `runs` or `groups`, not both")
        for at, group in enumerate(card.groups):
            found, missing = search.line_up(what_of(card.tag, card.expression), group.runs, view.x)
            meta.missing += [Missing(number, run, lacks, at) for run, lacks in missing]
            # It is unknown whether a missing run existed at the client's last request.
            if since is None or missing or not all(one.is_unchanged(since) for one in found):
                bands.append((number, at, view, found))
            else:
                meta.unchanged.append(Unchanged(number, group=at))
    return _Drawing(meta, lines, bands, known, query.share_x)


def draw(drawing: _Drawing) -> tuple[Columns, SeriesMeta]:
    """The response to a query."""
    meta = drawing.meta
    return _draw_lines(drawing) | _draw_bands(drawing.bands, meta), meta


def _view(card: Card, query: SeriesQuery) -> _View:
    x_range = query.range if card.range is UNSET else card.range
    if x_range is not None and x_range[0] > x_range[1]:
        raise QueryError(f"a range must be [min, max], not: {list(x_range)}")
    return _View(
        query.x if card.x is UNSET else card.x,
        x_range,
        query.columns if card.columns is UNSET else card.columns,
        query.smoothing if card.smoothing is UNSET else card.smoothing,
        query.smooth_points if card.smooth_points is UNSET else card.smooth_points,
        query.bootstrap if card.bootstrap is UNSET else card.bootstrap,
    )


def _draw_lines(drawing: _Drawing) -> dict[str, memoryview]:
    drawn = [(card, view, one.series, one.x) for card, view, one in drawing.lines]
    points_of = {(one.card, one.run, one.tag, one.generation): one.points for one in drawing.known}

    def known_points(card: int, series: Series) -> int:
        key = (series.run, series.tag, series.generation)
        in_all_cards = points_of.get((None, *key), 0)
        return min(points_of.get((card, *key), in_all_cards), len(series))

    batch = lod.batch(
        [
            lod.Line(
                series,
                x,
                view.range,
                view.columns,
                view.smoothing,
                known_points(card, series),
                view.smooth_points,
            )
            for card, view, series, x in drawn
        ],
        share_x=drawing.share_x,
    )
    drawing.meta.series = msgspec.Raw(
        batch.rows(
            [
                lod.LineLabel(card, series.run, series.tag, series.change, series.generation)
                for card, _, series, _ in drawn
            ]
        )
    )
    return batch.views


def _draw_bands(
    bands: list[tuple[int, int, _View, list[Found]]], meta: SeriesMeta
) -> dict[str, memoryview]:
    batch = lod.bands_batch(
        [
            lod.Group(
                [one.series for one in found],
                view.x if isinstance(view.x, str) else _xs(found),
                view.range,
                view.columns,
                view.smoothing,
                view.bootstrap,
            )
            for _, _, view, found in bands
        ]
    )
    meta.groups = msgspec.Raw(
        batch.rows([lod.BandLabel(card, group, len(found)) for card, group, _, found in bands])
    )
    return batch.views


def _xs(found: list[Found]) -> list[Series]:
    return [one.x for one in found if isinstance(one.x, Series)]
