"""Series computed from others: which points belong together, and what is kept for how long."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.errors import QueryError, UnknownRunError, UnknownTagError
from kymograph.store import Store, derived
from kymograph.store.derived import DerivedSeries
from kymograph.store.expression import parse
from tests import event_files

Rows = list[tuple[int, float]]


def write(directory: Path, **tags: Rows) -> Path:
    """A run with these tags, of which each point is logged a second after the one before."""
    clock = itertools.count(event_files.START)
    events = [
        event_files.scalar(tag, step, value, next(clock))
        for tag, rows in tags.items()
        for step, value in rows
    ]
    return event_files.write(directory, *events)


def compute(store: Store, text: str, run: str = ".") -> DerivedSeries:
    return store.derived(parse(text), run).series()


def rows(series: DerivedSeries) -> Rows:
    return list(zip(series.steps.tolist(), series.values.tolist(), strict=True))


@pytest.mark.parametrize(
    ("a", "b", "difference"),
    [
        ([(0, 1.0), (1, 2.0)], [(0, 4.0), (1, 8.0)], [(0, -3.0), (1, -6.0)]),
        # Only steps that both have.
        ([(0, 1.0), (2, 2.0), (4, 3.0)], [(1, 9.0), (2, 1.0), (4, 1.0)], [(2, 1.0), (4, 2.0)]),
        ([(0, 1.0)], [(1, 1.0)], []),
        # In the order of the first tag.
        ([(3, 1.0), (1, 2.0), (2, 3.0)], [(1, 1.0), (2, 1.0), (3, 1.0)], [(3, 0), (1, 1), (2, 2)]),
        # The first with the first, the second with the second; the third has no partner.
        (
            [(1, 10.0), (2, 20.0), (1, 11.0), (1, 12.0)],
            [(1, 1.0), (1, 2.0), (2, 3.0)],
            [(1, 9.0), (2, 17.0), (1, 9.0)],
        ),
        # Far apart, below nought, and of different lengths.
        ([(-(2**62), 1.0), (2**62, 2.0)], [(2**62, 5.0)], [(2**62, -3.0)]),
    ],
)
def test_points_of_equal_steps_belong_together(tmp_path, a, b, difference):
    write(tmp_path, a=a, b=b)
    series = compute(kymograph.open(tmp_path), "a - b")
    assert rows(series) == difference
    assert (series.run, series.tag) == (".", "a - b")


def test_any_steps_are_joined_as_one_by_one(tmp_path):
    random = np.random.default_rng(5)
    for number in range(20):
        most = int(random.integers(2, 30))
        tags = {
            tag: [
                (int(step), float(random.integers(100)))
                for step in random.integers(0, most, int(random.integers(1, 40)))
            ]
            for tag in "abc"
        }
        write(tmp_path / str(number), **tags)
        expected: Rows = []
        left = {tag: list(tags[tag]) for tag in "bc"}
        for step, value in tags["a"]:
            partners = [next((row for row in left[tag] if row[0] == step), None) for tag in "bc"]
            if partners[0] is not None:
                left["b"].remove(partners[0])
            if partners[1] is not None:
                left["c"].remove(partners[1])
            if partners[0] is not None and partners[1] is not None:
                expected.append((step, value + partners[0][1] * partners[1][1]))
        series = compute(kymograph.open(tmp_path / str(number)), "a + b * c")
        assert rows(series) == expected, tags


def test_of_wall_times_the_last_counts(tmp_path):
    write(tmp_path, a=[(0, 1.0), (1, 1.0)], b=[(0, 1.0), (1, 1.0)])
    series = compute(kymograph.open(tmp_path), "b - a")
    assert series.wall_times.tolist() == [event_files.START + 2, event_files.START + 3]


def test_it_is_reduced_as_any_series(tmp_path):
    write(tmp_path, a=[(step, step % 7) for step in range(5000)])
    store = kymograph.open(tmp_path)
    one, other = compute(store, "a").lod(50), store["."].series("a").lod(50)
    assert not one.exact
    np.testing.assert_array_equal(one.raw.max, other.raw.max)
    np.testing.assert_array_equal(one.x_first, other.x_first)


def test_missing_series_are_reported(tmp_path):
    write(tmp_path / "one", a=[(0, 1.0)], b=[(0, 1.0)])
    write(tmp_path / "two", a=[(0, 1.0)])
    store = kymograph.open(tmp_path)
    with pytest.raises(UnknownRunError):
        store.derived(parse("a - b"), "gone")
    with pytest.raises(UnknownTagError):
        store.derived(parse("a - b"), "two")
    assert [one.run for one in store.all_derived(parse("a - b"))] == ["one"]
    assert [one.run for one in store.all_derived(parse("-a"))] == ["one", "two"]


def test_while_points_only_come_the_generation_stays(tmp_path):
    path = write(tmp_path, a=[(0, 1.0), (1, np.nan)], b=[(0, 1.0), (1, 1.0)])
    with kymograph.open(tmp_path) as store:
        first = compute(store, "a - b")
        assert compute(store, "a - b").generation == first.generation < 0
        event_files.append(path, event_files.scalar("a", 2, 4.0, event_files.START + 9))
        store.refresh()
        unpaired = compute(store, "a - b")
        assert (unpaired.generation, len(unpaired)) == (first.generation, 2)
        assert unpaired.change > first.change
        event_files.append(path, event_files.scalar("b", 2, 1.0, event_files.START + 9))
        store.refresh()
        grown = compute(store, "a - b")
        assert (grown.generation, rows(grown)[-1]) == (first.generation, (2, 3.0))
        # This point has its partner among those that were there.
        event_files.append(path, event_files.scalar("b", 1, 7.0, event_files.START + 10))
        event_files.append(path, event_files.scalar("a", 1, 9.0, event_files.START + 11))
        store.refresh()
        assert rows(compute(store, "a - b"))[-1] == (1, 2.0)
        assert compute(store, "a - b").generation == first.generation


def test_where_points_move_the_generation_is_another(tmp_path):
    path = write(tmp_path, a=[(0, 1.0), (1, 2.0), (2, 3.0)], b=[(0, 1.0), (2, 1.0)])
    with kymograph.open(tmp_path) as store:
        first = compute(store, "a - b")
        event_files.append(path, event_files.scalar("b", 1, 1.0, event_files.START + 9))
        store.refresh()
        between = compute(store, "a - b")
        assert rows(between) == [(0, 0.0), (1, 1.0), (2, 2.0)]
        assert between.generation != first.generation


def test_what_is_known_is_not_computed_again(tmp_path, monkeypatch):
    path = write(tmp_path, a=[(0, 1.0)], b=[(0, 1.0)])
    computed: list[str] = []
    columns = derived.Derivation.columns

    def counted(self: derived.Derivation) -> derived.Columns:
        computed.append(self.tag)
        return columns(self)

    monkeypatch.setattr(derived.Derivation, "columns", counted)
    with kymograph.open(tmp_path) as store:
        for _ in range(3):
            compute(store, "a - b")
        assert computed == ["a - b"]
        assert store.derived(parse("a - b"), ".").cost == 1
        event_files.append(path, event_files.scalar("b", 1, 1.0))
        store.refresh()
        assert store.derived(parse("a - b"), ".").cost == 6
        compute(store, "a - b")
        assert computed == ["a - b"] * 2


def test_so_much_is_kept_and_no_more(tmp_path):
    write(tmp_path, a=[(step, float(step)) for step in range(3000)])
    store = kymograph.open(tmp_path)
    size = compute(store, "a")._core.heap_bytes
    kept = derived.Derivations(most_bytes=3 * size)
    wanted = {
        text: derived.Derivation(kept, parse(text), [store["."].series("a")])
        for text in ("a + 1", "a + 2", "a + 3", "a + 4")
    }
    for one in wanted.values():
        one.series()
        wanted["a + 1"].series()  # used again and again, it stays
    known = {text for text, one in wanted.items() if kept.known(one) is not None}
    assert "a + 1" in known
    assert "a + 4" in known
    assert "a + 2" not in known
    tiny = derived.Derivations(most_bytes=0)
    only = derived.Derivation(tiny, parse("a"), [store["."].series("a")])
    assert (len(only.series()), tiny.known(only) is not None) == (3000, True)


def test_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(derived, "_MOST_WORK", 10)
    write(tmp_path, a=[(step, 1.0) for step in range(6)])
    store = kymograph.open(tmp_path)
    assert len(compute(store, "a")) == 6
    with pytest.raises(QueryError, match="too many points to compute"):
        compute(store, "-a")
