"""Scalars: all lines and bands on the screen with one question, tables of values, downloads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, ParamSpec, TypeAlias
from urllib.parse import quote

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from kymograph.asgi import frames, responses
from kymograph.asgi.board import Board, board
from kymograph.asgi.operations import Operation
from kymograph.asgi.work import Workers
from kymograph.errors import QueryError, UnknownRunError, UnknownTagError
from kymograph.store import Series, Store, expression, lod, long_form
from kymograph.store.derived import Derivation
from kymograph.store.expression import Expression

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["OPERATIONS"]

# Most series that one query may name, whether they are there or not.
_MOST_SERIES = 5000
# Most pairs of run and tag that one query may look for.
_MOST_PAIRS = 2_000_000
# What has fewer points, and looks for fewer pairs, is done in a tenth of a second or two.
_FEW_POINTS = 200_000
_FEW_PAIRS = 50_000
# So few are answered where they are asked for: to wake a thread takes longer.
_TINY_POINTS = 10_000
_TINY_PAIRS = 20
# Points that become text at once.
_CHUNK = 20_000

Name = Annotated[str, msgspec.Meta(max_length=4096)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
RunNames = Annotated[list[Name], msgspec.Meta(max_length=_MOST_SERIES)]
Columns: TypeAlias = "dict[str, npt.NDArray[Any]]"


# --- lines and bands ---


class OtherTag(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Another tag of the same run, whose value at the same step is drawn to the right."""

    tag: Name


X = Literal["step", "wall_time", "relative_time"] | OtherTag
Range = tuple[float, float]
ColumnCount = Annotated[int, msgspec.Meta(ge=1, le=16384)]
Smoothing = Annotated[str, msgspec.Meta(max_length=64)]


class Group(msgspec.Struct, forbid_unknown_fields=True):
    """Runs that become one band."""

    name: Name
    runs: RunNames


class Card(msgspec.Struct, forbid_unknown_fields=True):
    """One plot: a line for each run, or a band for each group of runs.

    What it leaves out is as the whole query says.
    """

    tag: Name | UnsetType = UNSET
    runs: RunNames | None = None
    """Nothing for all runs that have the tag."""
    expression: Text | UnsetType = UNSET
    """Instead of `tag`: what is computed from tags at the same steps of a run."""
    groups: Annotated[list[Group], msgspec.Meta(max_length=1000)] | None = None
    x: X | UnsetType = UNSET
    range: Range | UnsetType | None = UNSET
    columns: ColumnCount | UnsetType = UNSET
    smoothing: Smoothing | UnsetType = UNSET
    smooth_points: bool | UnsetType = UNSET
    bootstrap: lod.Centre | UnsetType | None = UNSET


class Known(msgspec.Struct, forbid_unknown_fields=True):
    """Points of an exact line without a range that the client has."""

    run: Name
    tag: Name
    """Or the expression."""
    generation: int
    points: Annotated[int, msgspec.Meta(ge=0)]
    card: int | None = None
    """The place of the only card that has them; nothing if all cards of this series do."""


class SeriesQuery(msgspec.Struct, forbid_unknown_fields=True):
    """All plots on the screen."""

    cards: Annotated[list[Card], msgspec.Meta(max_length=1000)]
    x: X = "step"
    range: Range | None = None
    columns: ColumnCount = 1000
    smoothing: Smoothing = "none"
    smooth_points: bool = True
    """If not, lines of which every point is sent come without smoothed values."""
    share_x: bool = False
    """If so, lines with the same x have them in `x` only once, at their `x_start`."""
    bootstrap: lod.Centre | None = None
    """Of bands, whose 95 % interval is wanted."""
    instance: Name | None = None
    """That of the answers which `since` and `known` are from; of another one, they mean nothing."""
    since: int | None = None
    """A `change`: what did not change after it is named and not sent."""
    known: Annotated[list[Known], msgspec.Meta(max_length=_MOST_SERIES)] = []
    """Of these lines, only points that the client does not have are sent."""


class Line(msgspec.Struct, omit_defaults=True):
    """A line, and where its entries are: in `x`, `value` if exact, else in `column_…`."""

    card: int
    run: str
    tag: str
    """Or the expression."""
    change: int
    generation: int
    points: int
    exact: bool
    sorted: bool
    points_in_range: int
    skipped: int
    bounds: tuple[Number, Number]
    start: int
    length: int
    x_start: int | None = None
    """Where its x are in `x`, if not at `start`."""
    smoothed_start: int | None = None
    from_point: int = 0
    before: Neighbour | None = None
    after: Neighbour | None = None


Number = float | str
Lack = Literal["run", "tag", "x"]
"""What is not there: the run, the tag in it, or the tag for x in it."""
Neighbour = tuple[Number, Number, Number | None]


class Band(msgspec.Struct, omit_defaults=True):
    """A band, and where its entries are in `band_…`."""

    card: int
    group: int
    """Its place in the list of the card."""
    runs: int
    """How many of its runs have the tag."""
    exact: bool
    skipped: int
    start: int
    length: int
    boot_start: int | None = None


class Unchanged(msgspec.Struct, omit_defaults=True):
    """A line or a band that did not change."""

    card: int
    run: str | None = None
    group: int | None = None


class Missing(msgspec.Struct, omit_defaults=True):
    """A run that is not there, or that lacks the tag or the one for x."""

    card: int
    run: str
    lacks: Lack
    group: int | None = None


class SeriesMeta(msgspec.Struct):
    """What a frame of lines and bands says beside its columns."""

    instance: str
    change: int
    series: list[Line] = []
    groups: list[Band] = []
    unchanged: list[Unchanged] = []
    missing: list[Missing] = []


async def series(request: Request, query: SeriesQuery) -> Response:
    """The lines and bands of all cards."""
    here = board(request)
    if _is_tiny(query):
        data = _drawn_if(_TINY_POINTS, here, query)
    else:
        asks_all = sum(card.runs is None and card.groups is None for card in query.cards)
        is_narrow = asks_all * len(here.store) <= _FEW_PAIRS
        data = await _workers(here, is_quick=is_narrow).run(_drawn_if, _FEW_POINTS, here, query)
    if isinstance(data, _Drawing):
        data = await _workers(here, is_quick=data.cost <= _FEW_POINTS).run(_encoded, draw, data)
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


def _is_tiny(query: SeriesQuery) -> bool:
    """Whether to find what it asks for takes less time than to hand it to a thread."""
    named = [
        max(1, len(card.runs))
        for card in query.cards
        if card.runs is not None and card.expression is UNSET
    ]
    return len(named) == len(query.cards) and sum(named) <= _TINY_PAIRS and not query.known


def _drawn_if(most_points: int, here: Board, query: SeriesQuery) -> bytes | _Drawing:
    """The answer, or else what is still to be drawn because it is more than so many points."""
    drawing = find(here, query)
    return _encoded(draw, drawing) if drawing.cost <= most_points else drawing


def _workers(here: Board, *, is_quick: bool) -> Workers:
    return here.workers if is_quick else here.slow_workers


_Asked = ParamSpec("_Asked")


def _encoded(
    answer: Callable[_Asked, tuple[Columns, object]], *args: _Asked.args, **options: _Asked.kwargs
) -> bytes:
    return frames.encode(*answer(*args, **options))


def _is_ours(here: Board, instance: str | None) -> bool:
    return instance is None or instance == here.instance


class _View(NamedTuple):
    """How a card is drawn."""

    x: X
    range: Range | None
    columns: int
    smoothing: str
    smooth_points: bool
    bootstrap: lod.Centre | None


class _Found(NamedTuple):
    """A series that is there or can be computed, and what is drawn to the right."""

    source: Series | Derivation
    x: lod.Axis | Series

    @property
    def points(self) -> int:
        """How many are looked at."""
        own = self.source.cost if isinstance(self.source, Derivation) else len(self.source)
        return own + (0 if isinstance(self.x, str) else len(self.x))

    @property
    def series(self) -> Series:
        """The series, computed if need be."""
        return self.source.series() if isinstance(self.source, Derivation) else self.source

    def is_unchanged(self, since: int | None) -> bool:
        if since is None or self.source.change > since:
            return False
        return isinstance(self.x, str) or self.x.change <= since


class _Drawing(NamedTuple):
    """What is to be drawn, and what is known of the answer before it is."""

    meta: SeriesMeta
    lines: list[tuple[int, _View, _Found]]
    bands: list[tuple[int, int, _View, list[_Found]]]
    known: list[Known]
    share_x: bool

    @property
    def cost(self) -> float:
        """How many points are looked at; to draw samples of them takes longer than any number."""
        if any(view.bootstrap for _, _, view, _ in self.bands):
            return math.inf
        found = [one for _, _, one in self.lines]
        found += [one for _, _, _, members in self.bands for one in members]
        return sum(one.points for one in found)


def find(here: Board, query: SeriesQuery) -> _Drawing:
    """What a query asks for."""
    # The number comes first: what changes from here on is sent now or with the next answer.
    meta = SeriesMeta(here.instance, here.store.change)
    since, known = (query.since, query.known) if _is_ours(here, query.instance) else (None, [])
    search = _Search(here.store)
    lines: list[tuple[int, _View, _Found]] = []
    bands: list[tuple[int, int, _View, list[_Found]]] = []
    for number, card in enumerate(query.cards):
        view = _view(card, query)
        if card.groups is None:
            found, missing = search.line_up(_what(card), card.runs, view.x)
            meta.missing += [Missing(number, run, lacks) for run, lacks in missing]
            for one in found:
                if one.is_unchanged(since):
                    meta.unchanged.append(Unchanged(number, run=one.source.run))
                else:
                    lines.append((number, view, one))
            continue
        if card.runs is not None:
            raise QueryError("a card has `runs` or `groups`, not both")
        for at, group in enumerate(card.groups):
            found, missing = search.line_up(_what(card), group.runs, view.x)
            meta.missing += [Missing(number, run, lacks, at) for run, lacks in missing]
            # Of a run that is not there, nobody knows whether it was when the client asked last.
            if since is None or missing or not all(one.is_unchanged(since) for one in found):
                bands.append((number, at, view, found))
            else:
                meta.unchanged.append(Unchanged(number, group=at))
    return _Drawing(meta, lines, bands, known, query.share_x)


def draw(drawing: _Drawing) -> tuple[Columns, SeriesMeta]:
    """The answer to a query."""
    meta = drawing.meta
    return _draw_lines(drawing) | _draw_bands(drawing.bands, meta), meta


def _what(card: Card | ExportCard) -> str | Expression:
    """A tag, or what is computed from several."""
    if isinstance(card.tag, str) and card.expression is UNSET:
        return card.tag
    if isinstance(card.expression, str) and card.tag is UNSET:
        return expression.parse(card.expression)
    raise QueryError("a card has either `tag` or `expression`")


def _view(card: Card, query: SeriesQuery) -> _View:
    x_range = query.range if card.range is UNSET else card.range
    if x_range is not None and x_range[0] > x_range[1]:
        raise QueryError(f"a range goes from its lesser end to its greater: {list(x_range)}")
    return _View(
        query.x if card.x is UNSET else card.x,
        x_range,
        query.columns if card.columns is UNSET else card.columns,
        query.smoothing if card.smoothing is UNSET else card.smoothing,
        query.smooth_points if card.smooth_points is UNSET else card.smooth_points,
        query.bootstrap if card.bootstrap is UNSET else card.bootstrap,
    )


def _draw_lines(drawing: _Drawing) -> Columns:
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
    for (card, _, series, _), head in zip(drawn, batch.heads, strict=True):
        low, high = head.bounds
        drawing.meta.series.append(
            Line(
                card=card,
                run=series.run,
                tag=series.tag,
                change=series.change,
                generation=series.generation,
                points=head.total_points,
                exact=head.exact,
                sorted=head.sorted,
                points_in_range=head.points_in_range,
                skipped=head.skipped,
                bounds=(responses.number(low), responses.number(high)),
                start=head.start,
                length=head.length,
                x_start=head.x_start if head.exact and head.x_start != head.start else None,
                smoothed_start=None if head.smoothed_start < 0 else head.smoothed_start,
                from_point=head.from_point,
                before=_neighbour(head.before),
                after=_neighbour(head.after),
            )
        )
    return batch.columns


def _neighbour(point: tuple[float, float, float | None] | None) -> Neighbour | None:
    if point is None:
        return None
    x, value, smoothed = point
    number = responses.number
    return number(x), number(value), None if smoothed is None else number(smoothed)


def _draw_bands(bands: list[tuple[int, int, _View, list[_Found]]], meta: SeriesMeta) -> Columns:
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
    for (card, group, _, found), head in zip(bands, batch.heads, strict=True):
        meta.groups.append(
            Band(
                card=card,
                group=group,
                runs=len(found),
                exact=head.exact,
                skipped=head.skipped,
                start=head.start,
                length=head.length,
                boot_start=None if head.boot_start < 0 else head.boot_start,
            )
        )
    return batch.columns


def _xs(found: list[_Found]) -> list[Series]:
    return [one.x for one in found if isinstance(one.x, Series)]


class _Search:
    """Finds the series of one query, and stops it before there are too many."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._runs = len(store)
        self._named = 0
        self._pairs = 0

    def line_up(
        self, what: str | Expression, runs: list[str] | None, x: X
    ) -> tuple[list[_Found], list[tuple[str, Lack]]]:
        """The series of a tag or an expression in these runs, or in all, and what is missing."""
        members: list[tuple[str, Series | Derivation | Lack]]
        if runs is None:
            members = [(series.run, series) for series in self._all(what)]
            self._count(len(members))
        else:
            self._count(max(1, len(runs)))  # an empty group has an entry in the answer, too
            members = [(run, self._one(run, what)) for run in runs]
        found: list[_Found] = []
        missing: list[tuple[str, Lack]] = []
        for run, series in members:
            if isinstance(series, str):
                missing.append((run, series))
            elif isinstance(x, str):
                found.append(_Found(series, x))
            elif isinstance(other := self._one(run, x.tag), Series):
                found.append(_Found(series, other))
            else:
                missing.append((run, "x"))
        return found, missing

    def _all(self, what: str | Expression) -> Sequence[Series | Derivation]:
        self._pairs += self._runs * (1 if isinstance(what, str) else len(what.tags))
        if self._pairs > _MOST_PAIRS:
            raise QueryError("too many cards ask for all of too many runs\nhint: name the runs")
        if isinstance(what, str):
            return self._store.all_series(what)
        return self._store.all_derived(what)

    def _one(self, run: str, what: str | Expression) -> Series | Derivation | Lack:
        try:
            if isinstance(what, str):
                return self._store[run].series(what)
            return self._store.derived(what, run)
        except UnknownRunError:
            return "run"
        except UnknownTagError:
            return "tag"

    def _count(self, named: int) -> None:
        self._named += named
        if self._named > _MOST_SERIES:
            raise QueryError(
                f"one query has at most {_MOST_SERIES} series\nhint: ask for fewer runs at once"
            )


# --- tables ---


class SummaryQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The series of a table."""

    tags: Annotated[list[Name], msgspec.Meta(max_length=1000)]
    runs: Annotated[list[Name], msgspec.Meta(max_length=100_000)] | None = None
    """Nothing for all runs."""
    instance: Name | None = None
    """That of the answer which `since` is from; of another one, it means nothing."""
    since: int | None = None
    """A `change`: only series that changed after it."""


class SummaryMeta(msgspec.Struct):
    """What the numbers in the columns `run` and `tag` stand for."""

    instance: str
    change: int
    runs: list[str]
    tags: list[str]


async def summary(request: Request, query: SummaryQuery) -> Response:
    """A row for each series: its ends, extremes, and what is not finite."""
    here = board(request)
    is_narrow = len(query.tags) * len(here.store) <= _FEW_PAIRS
    data = await _workers(here, is_quick=is_narrow).run(_encoded, summarize, here, query)
    return await responses.encoded(request, data, frames.MEDIA_TYPE)


def summarize(here: Board, query: SummaryQuery) -> tuple[Columns, SummaryMeta]:
    """The answer to a query; runs that are not there, or lack a tag, have no row."""
    store, change = here.store, here.store.change
    since = query.since if _is_ours(here, query.instance) else None
    tags = list(dict.fromkeys(query.tags))
    wanted = None if query.runs is None else set(query.runs)
    pairs = len(tags) * len(store)
    if pairs > _MOST_PAIRS:
        raise QueryError(f"one query has at most {_MOST_PAIRS} pairs of run and tag, not: {pairs}")
    rows = [
        (number, series)
        for number, tag in enumerate(tags)
        for series in store.all_series(tag)
        if (since is None or series.change > since) and (wanted is None or series.run in wanted)
    ]
    runs = {run: number for number, run in enumerate(dict.fromkeys(row.run for _, row in rows))}
    columns: Columns = {
        "run": np.array([runs[series.run] for _, series in rows], np.uint32),
        "tag": np.array([number for number, _ in rows], np.uint32),
        "generation": np.array([series.generation for _, series in rows], np.int64),
    }
    summaries = lod.summaries([series for _, series in rows])
    return columns | vars(summaries), SummaryMeta(here.instance, change, list(runs), tags)


# --- downloads ---


class DownloadQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which series, as what."""

    run: Name
    tag: Name
    format: Literal["csv", "json"] = "csv"


async def download(request: Request, query: DownloadQuery) -> Response:
    """Every point of a series, as TensorBoard's download has them."""
    here = board(request)
    series = here.store[query.run].series(query.tag)
    tag = responses.etag(here.instance, series.change, query.format)
    if (same := responses.unchanged(request, tag)) is not None:
        return same
    name = quote(f"{query.run} {query.tag}.{query.format}", safe="")
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "ETag": tag,
    }
    media_type = "text/csv" if query.format == "csv" else "application/json"
    if request.method == "HEAD":
        return Response(None, headers=headers, media_type=media_type)
    to_text = _csv if query.format == "csv" else _json

    async def chunks() -> AsyncIterator[bytes]:
        # At least one, which has the beginning and the end.
        for start in range(0, max(len(series), 1), _CHUNK):
            yield await here.workers.run(to_text, series, start)

    return StreamingResponse(chunks(), headers=headers, media_type=media_type)


def _rows(series: Series, start: int) -> tuple[list[float], list[int], npt.NDArray[np.float64]]:
    part = slice(start, start + _CHUNK)
    walls, steps, values = series.wall_times, series.steps, series.values
    return walls[part].tolist(), steps[part].tolist(), values[part]


def _csv(series: Series, start: int) -> bytes:
    text = io.StringIO()
    table = csv.writer(text)
    if start == 0:
        table.writerow(["Wall time", "Step", "Value"])
    walls, steps, values = _rows(series, start)
    table.writerows(zip(walls, steps, values.tolist(), strict=True))
    return text.getvalue().encode()


def _json(series: Series, start: int) -> bytes:
    walls, steps, values = _rows(series, start)
    numbers: list[float | str] = values.tolist()
    if not np.isfinite(values).all():
        numbers = [responses.number(value) for value in values.tolist()]
    text = msgspec.json.encode(list(zip(walls, steps, numbers, strict=True)))
    is_last = start + _CHUNK >= len(series)
    return (b"[" if start == 0 else b",") + text[1:-1] + (b"]" if is_last else b"")


class ExportCard(msgspec.Struct, forbid_unknown_fields=True):
    """The series of one plot."""

    tag: Name | UnsetType = UNSET
    runs: RunNames | None = None
    """Nothing for all runs that have the tag."""
    expression: Text | UnsetType = UNSET
    """Instead of `tag`."""


class ExportQuery(msgspec.Struct, forbid_unknown_fields=True):
    """Which series, as what."""

    cards: Annotated[list[ExportCard], msgspec.Meta(max_length=1000)]
    format: Literal["csv", "json"] = "csv"


async def export(request: Request, query: ExportQuery) -> Response:
    """Every point of many series, a row for each."""
    here = board(request)
    found = await here.slow_workers.run(_exported, here.store, query)
    as_text = long_form.csv_text if query.format == "csv" else long_form.json_text
    text = as_text(_drained(found))

    async def pieces() -> AsyncIterator[str]:
        while (piece := await here.slow_workers.run(next, text, None)) is not None:
            yield piece

    return StreamingResponse(
        pieces(),
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="scalars.{query.format}"',
        },
        media_type="text/csv" if query.format == "csv" else "application/json",
    )


def _exported(store: Store, query: ExportQuery) -> list[_Found]:
    """The series of all cards, each once; what is not there has no rows."""
    search = _Search(store)
    found: dict[tuple[str, str | Expression], _Found] = {}
    for card in query.cards:
        what = _what(card)
        lines, _ = search.line_up(what, card.runs, "step")
        found |= {(one.source.run, what): one for one in lines}
    return list(found.values())


def _drained(found: list[_Found]) -> Iterator[Series]:
    """Each series, and then no more hold on it: an unpacked column is large."""
    found.reverse()
    while found:
        yield found.pop().series


OPERATIONS = [
    Operation("POST", "/scalars/series", series, "lines and bands of many cards", body=SeriesQuery),
    Operation("POST", "/scalars/summary", summary, "a table of many series", body=SummaryQuery),
    Operation(
        "GET",
        "/scalars/download",
        download,
        "every point of a series",
        DownloadQuery,
        answer=("text/csv", "application/json"),
        failures=(400, 404),
        also={304: "what the client has is right"},
    ),
    Operation(
        "POST",
        "/scalars/export",
        export,
        "every point of many series, a row for each",
        body=ExportQuery,
        answer=("text/csv", "application/json"),
    ),
]
