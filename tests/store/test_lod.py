"""Level of detail: what the core answers is what its slow twin answers."""

import json
import math
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import kymograph
from kymograph import _core
from kymograph.errors import QueryError
from kymograph.store import lod
from tests.golden import make_smoothing, wire
from tests.store import lod_twin

SMOOTHINGS = [
    "none",
    "ema:0",
    "ema:0.6",
    "ema:0.99",
    "ema:1",
    "twema:0.8",
    "mean:1",
    "mean:8",
    "mean:5000",
    "gaussian:2.5",
    "gaussian:50",
    "median:9",
]

Row = tuple[int, float, float]


# --- series to ask about --------------------------------------------------------------------------


def record(step: int, wall_time: float, tag: str, value: float) -> bytes:
    """One scalar as an event in its frame: wall time 1, step 2, summary 5 of one value."""
    summary = wire.message(5, wire.message(1, wire.text(1, tag), wire.single(2, value)))
    return wire.record(wire.double(1, wall_time) + wire.integer(2, step) + summary)


def load(logdir: Path, tags: dict[str, list[Row]]) -> dict[str, _core.Series]:
    """The rows of each tag, through an event file and the core's reader."""
    logdir.mkdir(parents=True, exist_ok=True)
    frames = [record(*row[:2], tag, row[2]) for tag, rows in tags.items() for row in rows]
    (logdir / "events.out.tfevents.1").write_bytes(b"".join(frames))
    store = _core.Store([(None, logdir)], follow=False, purge_orphaned_data=True)
    assert store.wait_loaded(60)
    run = store.run(".")
    assert run is not None
    found = {tag: run.series("scalars", tag) for tag in tags if tags[tag]}
    return {tag: series for tag, series in found.items() if series is not None}


def draw(rng: random.Random, length: int, *, ordered: bool, odd: float) -> list[Row]:
    """Rows drawn at random; `odd` is the share of NaN and infinities."""
    step, wall_time, rows = rng.randrange(1000), 1.7e9, []
    for _ in range(length):
        step += rng.randrange(4)
        wall_time += rng.random() * rng.choice([1, 1, 1, 50])
        if not ordered and rng.random() < 0.05:
            step = max(0, step - rng.randrange(200))
            wall_time -= rng.random() * 300
        is_odd = rng.random() < odd
        value = rng.choice([math.nan, math.inf, -math.inf]) if is_odd else rng.gauss(3, 20)
        rows.append((step, wall_time, value))
    return rows


def x_of(series: _core.Series, axis: str) -> list[float]:
    if axis == "step":
        return [float(step) for step in series.steps()]
    walls = series.wall_times()
    return [float(wall) for wall in (walls if axis == "wall_time" else walls - walls[0])]


def draw_range(rng: random.Random, x: list[float]) -> tuple[float, float] | None:
    ends = [rng.choice(x) + rng.choice([0, 0, rng.random()]) for _ in range(2)]
    ends.append(rng.choice([math.inf, -math.inf, math.nan, -1e9, 1e12]))
    low, high = rng.choice(ends), rng.choice(ends)
    return rng.choice([None, (low, high), (high, low), (low, low)])


# --- how answers are compared ---------------------------------------------------------------------


def assert_same(fast: Any, slow: Any, where: str = "answer") -> None:
    """Equal in structure, and in numbers up to what a different order of adding makes of them."""
    if isinstance(slow, dict):
        assert sorted(fast) == sorted(slow), where
        for name in slow:
            assert_same(fast[name], slow[name], f"{where}.{name}")
    elif slow is None or isinstance(slow, bool):
        assert fast is slow, where
    elif isinstance(slow, int):
        assert fast == slow, where
    else:
        actual, expected = (np.array(side, dtype=np.float64) for side in (fast, slow))
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9, err_msg=where)


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_the_twin(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    shapes = {
        f"{length}/{ordered}/{odd}": draw(rng, length, ordered=ordered, odd=odd)
        for length in (1, 2, 300, 1500)
        for ordered in (True, False)
        for odd in (0.0, 0.1, 0.9)
    }
    for tag, series in load(tmp_path, shapes).items():
        values = [float(value) for value in series.values()]
        axis = rng.choice(["step", "wall_time", "relative_time"])
        x = x_of(series, axis)
        # The twin's bell looks at all pairs of points.
        names = [name for name in SMOOTHINGS if len(x) < 1000 or not name.startswith("gauss")]
        for smoothing in rng.sample(names, 3):
            x_range, columns = draw_range(rng, x), rng.choice([1, 2, 30, 200, 1000])
            fast = _core.lod(
                series, axis=axis, x_range=x_range, columns=columns, smoothing=smoothing
            )
            slow = lod_twin.reduce(x, values, x_range, columns, smoothing)
            assert_same(fast, asdict(slow), f"{tag} {axis} {x_range} {columns} {smoothing}")


@pytest.mark.parametrize("weight", [0.0, 0.3, 0.6, 0.9, 0.99, 0.999, 1.0])
def test_ema_is_tensorboards_to_the_last_bit(tmp_path: Path, weight: float):
    rows = draw(random.Random(7), 5000, ordered=True, odd=0.02)
    series = load(tmp_path, {"loss": rows})["loss"]
    answer = _core.lod(series, columns=5000, smoothing=f"ema:{weight}")
    expected = np.array(lod_twin.ema([float(value) for value in series.values()], weight))
    np.testing.assert_array_equal(answer["smoothed"]["last"], expected, strict=True)


def test_constant_series_is_not_smoothed(tmp_path: Path):
    series = load(tmp_path, {"lr": [(i, 1.0 + i, 0.1) for i in range(50)]})["lr"]
    answer = _core.lod(series, smoothing="ema:0.9")
    np.testing.assert_array_equal(answer["smoothed"]["last"], series.values())


@pytest.mark.parametrize("seed", range(4))
def test_another_tag_is_the_x_axis(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    loss = draw(rng, 400, ordered=seed % 2 == 0, odd=0.05)
    epoch = [(step + rng.randrange(3), wall, value) for step, wall, value in loss[40::5]]
    tags = load(tmp_path, {"loss": loss, "epoch": epoch})
    x = _core.x_from_other(tags["loss"], tags["epoch"])
    other = [(step, float(np.float32(value))) for step, _, value in epoch]
    np.testing.assert_array_equal(x, lod_twin.x_from_other([row[0] for row in loss], other))
    fast = _core.lod(tags["loss"], x=x, columns=20, smoothing="twema:0.5")
    assert fast["skipped"] > 0
    values = [float(value) for value in tags["loss"].values()]
    slow = lod_twin.reduce([float(at) for at in x], values, None, 20, "twema:0.5")
    assert_same(fast, asdict(slow))


@pytest.mark.parametrize("seed", range(8))
def test_bands_are_those_of_the_twin(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    shapes = {
        f"member {i}": draw(
            rng, rng.choice([1, 20, 120]), ordered=rng.random() < 0.5, odd=rng.choice([0, 0.2])
        )
        for i in range(5)
    }
    members = list(load(tmp_path, shapes).values())
    curves = [(x_of(member, "step"), [float(y) for y in member.values()]) for member in members]
    every_x = [at for x, _ in curves for at in x]
    for columns in (1, 25, 1000):
        for smoothing in ("none", "ema:0.6", "median:3"):
            x_range = draw_range(rng, every_x)
            fast = _core.bands(members, x_range=x_range, columns=columns, smoothing=smoothing)
            slow = lod_twin.bands(curves, x_range, columns, smoothing)
            assert_same(fast, asdict(slow), f"{x_range} {columns} {smoothing}")


@pytest.mark.parametrize("bootstrap", ["mean", "median", "iqm"])
def test_intervals_are_those_of_the_twin(tmp_path: Path, bootstrap: str):
    rng = random.Random(1)
    shapes = {
        f"member {i}": [(step, 1.7e9 + step, rng.gauss(3, 20)) for step in range(5 + i)]
        for i in range(6)
    }
    members = list(load(tmp_path, shapes).values())
    curves = [(x_of(member, "step"), [float(y) for y in member.values()]) for member in members]
    fast = _core.bands(members, bootstrap=bootstrap)
    slow = lod_twin.bands(curves, bootstrap=bootstrap)
    assert slow.count == [6, 6, 6, 6, 6, 5, 4, 3, 2, 1]
    assert_same(fast, asdict(slow))
    with pytest.raises(QueryError, match="not: `max`"):
        _core.bands(members, bootstrap="max")


@pytest.mark.parametrize("smoothing", ["", "ema", "ema:2", "mean:0", "median:x", "gaussian:-1"])
def test_unknown_smoothing_is_refused(tmp_path: Path, smoothing: str):
    series = load(tmp_path, {"loss": [(0, 1.0, 1.0)]})["loss"]
    with pytest.raises(ValueError, match="unknown smoothing"):
        _core.lod(series, smoothing=smoothing)


# --- many at once ---------------------------------------------------------------------------------


def entries_of(batch: lod.Batch, head: lod.Head) -> dict[str, Any]:
    """The answer to one line of a batch, put as the twin puts it."""

    def cut(start: int, name: str) -> list[float]:
        return [float(entry) for entry in batch.columns[name][start : start + head.length]]

    def envelope(start: int, prefix: str) -> dict[str, list[float]]:
        names = ("first", "min", "max", "last")
        if head.exact:
            column = "smoothed" if prefix else "value"
            return {name: cut(start, column) for name in names}
        return {name: cut(start, f"column_{prefix}{name}") for name in names}

    raw = envelope(head.start, "")
    answer = head._asdict() | {
        "x_first": cut(head.x_start, "x") if head.exact else cut(head.start, "column_x_first"),
        "x_last": cut(head.x_start, "x") if head.exact else cut(head.start, "column_x_last"),
        "raw": raw,
        "smoothed": envelope(head.smoothed_start, "smoothed_")
        if head.smoothed_start >= 0
        else None,
        "count": [1.0] * head.length if head.exact else cut(head.start, "column_count"),
        "flags": (
            [lod_twin.flag_of(value) for value in raw["first"]]
            if head.exact
            else cut(head.start, "column_flags")
        ),
    }
    for name in ("start", "length", "smoothed_start", "from_point", "x_start"):
        del answer[name]
    return answer


@pytest.mark.parametrize("seed", range(4))
def test_a_batch_answers_as_the_twin_does(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    shapes = {
        f"{length}/{ordered}/{odd}": draw(rng, length, ordered=ordered, odd=odd)
        for length in (1, 2, 40, 400)
        for ordered in (True, False)
        for odd in (0.0, 0.1, 0.9)
    }
    series = list(load(tmp_path, shapes).values())
    lines, expected = [], []
    for one in rng.choices(series, k=60):
        axis: Any = rng.choice(["step", "wall_time", "relative_time", rng.choice(series)])
        if isinstance(axis, str):
            x = x_of(one, axis)
        else:
            x = [float(at) for at in _core.x_from_other(one, axis)]
        line = lod.Line(
            one,
            axis,
            draw_range(rng, [at for at in x if math.isfinite(at)] or [0.0]),
            rng.choice([1, 2, 30, 1000]),
            rng.choice(SMOOTHINGS),
        )
        lines.append(line)
        values = [float(value) for value in one.values()]
        expected.append(lod_twin.reduce(x, values, line.x_range, line.columns, line.smoothing))
    answer = lod.batch(lines)
    assert len(answer.heads) == len(lines)
    for line, head, slow in zip(lines, answer.heads, expected, strict=True):
        assert_same(entries_of(answer, head), asdict(slow), repr(line))
    assert sum(head.length for head in answer.heads if head.exact) == len(answer.columns["value"])


def test_columns_of_a_batch_are_as_narrow_as_nothing_is_lost(tmp_path: Path):
    tags = {
        "loss": [(i, 1.7e9 + i / 3, i / 8) for i in range(300)],
        "late": [(2**31 + i, 1.7e9 + i, i / 8) for i in range(9)],
        "huge": [(2**40 + i, 1.7e9 + i, i / 8) for i in range(9)],
    }
    series = load(tmp_path, tags)

    def types(*lines: lod.Line) -> dict[str, str]:
        columns = lod.batch(lines).columns
        return {name: column.dtype.str[1:] for name, column in columns.items() if column.size}

    exact, reduced = lod.Line(series["loss"]), lod.Line(series["loss"], columns=10)
    assert types(exact) == {"x": "i4", "value": "f4"}
    assert types(exact._replace(smoothing="ema:0.9"))["smoothed"] == "f8"
    assert types(exact._replace(smoothing="mean:1"))["smoothed"] == "f4"
    assert types(exact._replace(x="wall_time"))["x"] == "f8"
    assert types(exact._replace(x=series["loss"]))["x"] == "f4"
    assert types(lod.Line(series["late"]), exact)["x"] == "u4"
    assert types(lod.Line(series["huge"]), exact)["x"] == "f8"
    assert types(reduced) == {
        "column_x_first": "i4",
        "column_x_last": "i4",
        "column_first": "f4",
        "column_min": "f4",
        "column_max": "f4",
        "column_last": "f4",
        "column_count": "u4",
        "column_flags": "u1",
    }
    names = [
        *types(reduced),
        *(f"column_smoothed_{end}" for end in ("first", "min", "max", "last")),
    ]
    assert list(lod.batch([]).columns) == ["x", "value", "smoothed", *names]


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_known_points_are_left_out_and_the_rest_completes_them(tmp_path: Path, smoothing: str):
    rows = draw(random.Random(3), 200, ordered=True, odd=0.05)
    before = lod.batch(
        [lod.Line(load(tmp_path / "a", {"t": rows[:150]})["t"], smoothing=smoothing)]
    )
    series = load(tmp_path / "b", {"t": rows})["t"]
    after = lod.batch([lod.Line(series, smoothing=smoothing, from_point=150)])
    whole = lod.batch([lod.Line(series, smoothing=smoothing)])
    kept = after.heads[0].from_point
    assert after.heads[0].length == 200 - kept
    assert (kept == 150) == (smoothing.startswith(("none", "ema")) or smoothing == "mean:1")
    for name in ("x", "value", "smoothed"):
        stitched = np.concatenate([before.columns[name][:kept], after.columns[name]])
        np.testing.assert_allclose(stitched, whole.columns[name], rtol=1e-12, err_msg=name)


def test_the_smoothing_that_the_page_makes_is_the_core_s(tmp_path: Path):
    # What was written on one machine may differ in the last bit of a power on another.
    kept = json.loads(make_smoothing.SMOOTHING.read_text("utf-8"))
    assert len(kept) == len(make_smoothing.CASES)
    for number, (case, made) in enumerate(zip(kept, make_smoothing.cases(), strict=True)):
        assert (case["weight"], case["values"]) == (made["weight"], made["values"])
        expected = np.array([float(value) for value in case["smoothed"]])
        np.testing.assert_allclose([float(value) for value in made["smoothed"]], expected, 1e-14)
        rows = [(step, 1.0 + step, float(value)) for step, value in enumerate(case["values"])]
        for series in load(tmp_path / str(number), {"t": rows}).values():
            answer = lod.batch([lod.Line(series, smoothing=f"ema:{case['weight']}")])
            np.testing.assert_allclose(answer.columns["smoothed"], expected, 1e-14)


def test_smoothed_points_are_left_out_only_where_every_point_is_there(tmp_path: Path):
    rows = [(step, 1.0 + step, float(step % 7)) for step in range(100)]
    series = load(tmp_path, {"loss": rows, "late": rows[10:]})
    line = lod.Line(series["loss"], smoothing="ema:0.6", smooth_points=False)
    lines = [
        line,
        line._replace(smooth_points=True),
        line._replace(x_range=(5.0, 200.0)),
        line._replace(x=series["late"]),
        line._replace(columns=10),
    ]
    answer = lod.batch(lines)
    assert [head.smoothed_start >= 0 for head in answer.heads] == [False, True, True, True, True]
    assert [head.exact for head in answer.heads] == [True, True, True, True, False]
    assert answer.heads[2].before == lod.batch([lines[2]]).heads[0].before
    np.testing.assert_array_equal(
        answer.columns["smoothed"][5:100], answer.columns["smoothed"][100:195]
    )


def test_a_batch_takes_series_of_the_store(tmp_path: Path):
    load(tmp_path, {"loss": [(i, 1.0 + i, i / 2) for i in range(9)], "lr": [(3, 1.0, 0.25)]})
    with kymograph.open(tmp_path, follow=False) as store:
        loss, lr = sorted(store.select(), key=len, reverse=True)
        answer = lod.batch([lod.Line(loss), lod.Line(loss, x=lr), lod.Line(lr)])
        assert answer.columns["x"].tolist() == [*range(9), *[0.25] * 6, 3.0]
        assert [head.skipped for head in answer.heads] == [0, 3, 0]
        assert lod.summaries([lr, loss]).last_step.tolist() == [3, 8]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": 0}, "`columns` must be at least 1, not: 0"),
        ({"from_point": -1}, "`from_point` must not be negative: -1"),
        ({"smoothing": "ema:2"}, "unknown smoothing: `ema:2`"),
        ({"x": "epoch"}, "an axis must be `step`, `wall_time` or `relative_time`, not: `epoch`"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
):
    line = lod.Line(load(tmp_path, {"loss": [(0, 1.0, 1.0)]})["loss"])
    with pytest.raises(QueryError) as caught:
        lod.batch([line, line._replace(**change)])
    assert str(caught.value).splitlines()[0] == message


def test_an_answer_that_would_be_too_large_is_refused(tmp_path: Path):
    series = load(tmp_path, {"loss": [(i, 1.0, 1.0) for i in range(33_000)]})["loss"]
    with pytest.raises(QueryError, match="limited to 64000000 numbers"):
        lod.batch([lod.Line(series, columns=16_384)] * 500)


@pytest.mark.parametrize("seed", range(3))
def test_summaries_are_those_of_the_twin(tmp_path: Path, seed: int):
    rng = random.Random(seed)
    shapes = {
        f"{length}/{ordered}/{odd}": draw(rng, length, ordered=ordered, odd=odd)
        for length in (1, 3, 400, 3000)
        for ordered in (True, False)
        for odd in (0.0, 0.001, 0.3, 1.0)
    }
    members = list(load(tmp_path, shapes).values())
    columns = [(one.steps(), one.wall_times(), one.values()) for one in members]
    slow = [lod_twin.summarize(*([x.item() for x in column] for column in one)) for one in columns]
    fast = msgspec.structs.asdict(lod.summaries(members))
    assert sorted(fast) == sorted(slow[0])
    for name, column in fast.items():
        np.testing.assert_array_equal(column, [one[name] for one in slow], err_msg=name)


def test_only_scalars_have_summaries(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path) as writer:
        writer.add_text("note", "hello")
    store = _core.Store([(None, tmp_path)], follow=False, purge_orphaned_data=True)
    assert store.wait_loaded(60)
    run = store.run(".")
    assert run is not None
    with pytest.raises(ValueError, match="only scalars"):
        lod.summaries(run.all_series("text"))
    assert lod.summaries([]).count.shape == (0,)


def test_bands_of_many_groups_are_those_of_each(tmp_path: Path):
    rng = random.Random(5)
    shapes = {f"member {i}": draw(rng, 80, ordered=True, odd=0.05) for i in range(6)}
    members = list(load(tmp_path, shapes).values())
    groups = [
        lod.Group(members[:3]),
        lod.Group(members, "wall_time", None, 20, "ema:0.6", "iqm"),
        lod.Group([]),
        lod.Group(members[2:4], members[4:6], (-10.0, 10.0), 30),
        lod.Group(members[5:], bootstrap="mean"),
    ]
    answer = lod.bands_batch(groups)
    for group, head in zip(groups, answer.heads, strict=True):
        axis: dict[str, Any] = {"axis": group.x}
        if not isinstance(group.x, str):
            pairs = zip(members[2:4], group.x, strict=True)
            axis = {"xs": [_core.x_from_other(member, x) for member, x in pairs]}  # type: ignore[arg-type]
        rest = dict(zip(("x_range", "columns", "smoothing", "bootstrap"), group[2:], strict=True))
        expected = _core.bands(list(group.members), **axis, **rest)  # type: ignore[arg-type]
        assert (head.exact, head.skipped) == (expected.pop("exact"), expected.pop("skipped"))
        for name, column in expected.items():
            start = head.boot_start if name.startswith("boot_") else head.start
            if column is None:
                assert start == -1
            else:
                found = answer.columns[f"band_{name}"][start : start + head.length]
                np.testing.assert_array_equal(found, column, err_msg=name)
    assert answer.columns["band_x"].dtype == np.float64
    assert answer.columns["band_count"].dtype == np.uint32
    assert lod.bands_batch(groups[:1]).columns["band_x"].dtype == np.int32
    assert len(lod.bands_batch([]).columns) == len(answer.columns) == 13


def test_groups_that_make_no_sense_are_refused(tmp_path: Path):
    members = list(load(tmp_path, {"loss": [(0, 1.0, 1.0)], "lr": [(0, 1.0, 1.0)]}).values())
    for group, message in [
        (lod.Group(members, columns=0), "`columns` must be at least 1, not: 0"),
        (lod.Group(members, members[:1]), "there must be one x for each member"),
        (lod.Group(members * 5000, columns=16_384), "a response is limited to 64000000 numbers"),
        (lod.Group(members * 5000, bootstrap="mean"), "a response computed from this many"),
    ]:
        with pytest.raises(QueryError, match=message):
            lod.bands_batch([group])
