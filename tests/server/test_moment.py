"""A moment over HTTP: what a run logged around a step, in which order it left its usual range."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kymograph.asgi import frames
from tests import event_files
from tests.event_files import START, metadata, scalar, string_tensor, value
from tests.golden import wire
from tests.server.boards import ROOT, BoardClient, served
from tests.store.test_usual import slow_range

STEPS = range(0, 6000, 10)
SPIKE = 4000


def loss(step: int) -> float:
    calm = 1.4 + 0.05 * math.sin(step)
    return calm + (2.0 * math.exp(-(step - SPIKE) / 300) if step >= SPIKE else 0)


def wait(step: int) -> float:
    return 0.4 if SPIKE - 30 <= step < SPIKE + 200 else 0.02 + 0.001 * math.cos(step)


def text(tag: str, step: int, words: str, wall_time: float | None = None) -> bytes:
    body = string_tensor(words.encode())
    return value(tag, metadata("text"), body, step=step, wall_time=wall_time)


def histogram(tag: str, step: int, width: float) -> bytes:
    buckets = [-width, 0.0, 1.0, 0.0, width, 3.0]
    body = event_files.double_tensor(*buckets, shape=[2, 3])
    return value(tag, metadata("histograms"), body, step=step)


def image(tag: str, step: int) -> bytes:
    body = wire.message(4, wire.integer(1, 1), wire.integer(2, 1), wire.message(4, b"\x89PNG"))
    return value(tag, body, step=step)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    events = []
    for step in STEPS:
        events += [
            scalar("train/loss", step, loss(step)),
            scalar("data/loader_wait", step, wait(step)),
            scalar("train/lr", step, 1e-3 * (1 - step / 12_000)),
        ]
        if step % 500 == 0:
            events += [
                scalar("val/loss", step, 1.5 + (0.5 if step > SPIKE else 0)),
                histogram("grads/layer", step, 4.0 if step > SPIKE else 1.0),
                image("val/samples", step),
                text("val/transcript", step, f"heard at {step}"),
            ]
        if step % 20 == 0:
            # Seconds and lines are their steps; only the time relates them to the others.
            events += [scalar("system/cpu_percent", step // 7, 50 + step % 3, START + step)]
            events += [text("output/stdout", step * 3, f"line {step}", START + step)]
    events += [text("run/git/text_summary", 0, "commit: a41f9c2")]
    events += [scalar("bad", 100, 1.0), scalar("bad", 3000, math.nan)]
    event_files.write(logdir / "run", *events)
    event_files.write(logdir / "run/part", *(scalar("extra", step, 1.0) for step in range(5)))
    event_files.write(logdir / "media", image("only", 7), image("only", 3))
    event_files.write(logdir / "text", text("output/stdout", 3, "alone"))
    with served(logdir) as client:
        yield client


def asked(client: BoardClient, **query: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    answer = client.post(f"{ROOT}/moment", json=query)
    assert answer.status_code == 200, answer.text
    columns, meta = frames.decode(answer.content)
    assert meta["change"] == client.board.store.change
    return columns, meta


def rows(columns: dict[str, Any], meta: dict[str, Any]) -> dict[str, dict[str, float]]:
    names = [name for name in columns if name.startswith("row_")]
    return {
        row["tag"]: {name[4:]: float(columns[name][at]) for name in names}
        for at, row in enumerate(meta["rows"])
    }


def test_scalars_are_in_the_order_in_which_they_left_their_usual_range(client: BoardClient):
    columns, meta = asked(client, run="run", step=4055)
    assert (meta["step"], meta["tag"], meta["wall_time"]) == (4055, "train/loss", START + 4050)
    # The last evaluation inside the usual range, at which the spike has not begun.
    assert meta["reference"] == {"step": 3500, "wall_time": START + 3500, "kind": "evaluation"}
    found = rows(columns, meta)
    left = [tag for tag in found if not math.isnan(found[tag]["since"])]
    assert left == ["data/loader_wait", "train/loss"]
    assert found["data/loader_wait"]["since"] == SPIKE - 30
    assert found["train/loss"]["since"] == SPIKE
    assert found["train/loss"]["value"] == pytest.approx(loss(4050))
    assert found["train/loss"]["reference_value"] == pytest.approx(loss(3500))
    # A slow trend has not left it, and an evaluation is the one before.
    assert math.isnan(found["train/lr"]["since"])
    assert (found["val/loss"]["step"], found["val/loss"]["value"]) == (4000, 1.5)
    before = [step for step in STEPS if step <= 3500]
    usual = slow_range(before, [float(np.float32(loss(step))) for step in before], 1500)
    assert usual is not None
    assert found["train/loss"]["low"] == pytest.approx(usual.low)
    assert found["train/loss"]["high"] == pytest.approx(usual.high)
    assert meta["rows"][1] == {
        "run": "run",
        "tag": "train/loss",
        "is_system": False,
        "range_points": usual.points,
    }


def test_the_return_into_the_range_is_found_in_the_window(client: BoardClient):
    columns, meta = asked(client, run="run", step=4100)
    back = rows(columns, meta)["train/loss"]["back"]
    low, high = meta["window"]
    assert SPIKE + 300 < back < high
    assert low <= 3500
    x = columns["main_x"]
    assert len(x) > 100
    assert low <= x[0] < 4100 < x[-1] <= high
    assert columns["main_max"].max() == pytest.approx(max(map(loss, STEPS)))


def test_system_metrics_and_printed_lines_are_placed_by_time(client: BoardClient):
    columns, meta = asked(client, run="run", step=4055)
    (system,) = [row for row in meta["rows"] if row["is_system"]]
    assert rows(columns, meta)[system["tag"]]["step"] == 4040
    items = {item["tag"]: item for item in meta["items"]}
    assert (items["output/stdout"]["clock"], items["output/stdout"]["step"]) == ("time", 4040)
    assert items["run/git/text_summary"]["clock"] == "once"
    assert items["run/git/text_summary"]["step"] is None
    path = f"{ROOT}/blobs/{meta['instance']}/{items['output/stdout']['address']}"
    assert client.get(path, params={"as": "json"}).json()["value"]["strings"] == ["line 4040"]


def test_items_are_the_nearest_at_or_before_with_that_of_the_reference(client: BoardClient):
    _, meta = asked(client, run="run", step=4499)
    (item,) = [item for item in meta["items"] if item["tag"] == "val/transcript"]
    assert (item["step"], item["reference_step"], item["next_step"]) == (4000, 3500, 4500)
    assert (item["index"], item["total"], item["dashboard"]) == (8, 12, "text")
    for name, words in (("address", "heard at 4000"), ("reference_address", "heard at 3500")):
        path = f"{ROOT}/blobs/{meta['instance']}/{item[name]}"
        assert client.get(path, params={"as": "json"}).json()["value"]["strings"] == [words]


def test_lanes_have_an_order_of_their_own_and_ticks_in_the_window(client: BoardClient):
    columns, meta = asked(client, run="run", step=4055, columns=400)
    lanes = {lane["kind"]: lane for lane in meta["lanes"]}
    order = ["scalars", "evaluation", "histograms", "images", "text", "output", "system"]
    assert list(lanes) == order
    low, high = meta["window"]

    def ticks(kind: str) -> list[float]:
        lane = lanes[kind]
        found: list[float] = columns["tick"][lane["start"] : lane["start"] + lane["count"]].tolist()
        return found

    assert ticks("images") == [step for step in range(0, 6000, 500) if low <= step <= high]
    assert len(ticks("scalars")) <= 400
    assert set(ticks("output")) <= set(range(0, 6000, 20))
    assert (lanes["images"]["step"], lanes["images"]["reference_step"]) == (4000, 3500)
    assert (lanes["images"]["series"], lanes["images"]["total"]) == (1, 12)
    assert (lanes["scalars"]["step"], lanes["scalars"]["reference_step"]) == (4050, 3500)


def test_keys_walk_by_point_item_and_mark(client: BoardClient):
    _, meta = asked(client, run="run", step=4055)
    points, items = meta["points"], meta["item_steps"]
    assert (points["before"][-1], points["after"][0]) == (4050, 4060)
    assert (points["first"], points["last"]) == (0, 5990)
    assert (items["before"][-1], items["after"][0], items["last"]) == (4000, 4500, 5500)
    marks = [(mark["step"], mark["kind"], mark["tag"]) for mark in meta["marks"]]
    assert marks == [(3000, "nan", "bad"), (SPIKE, "range", "train/loss")]


def test_a_step_or_a_reference_or_a_tag_may_be_given_or_not(client: BoardClient):
    _, meta = asked(client, run="run")
    assert meta["step"] == 5990
    columns, meta = asked(client, run="run", step=4055, reference=4040, tag="data/loader_wait")
    assert meta["reference"] == {"step": 4040, "wall_time": START + 4040, "kind": "given"}
    assert meta["tag"] == "data/loader_wait"
    assert rows(columns, meta)["data/loader_wait"]["reference_value"] == pytest.approx(0.4)
    # A reference that is later than the step: the range is that of the steps before the step.
    columns, meta = asked(client, run="run", step=3000, reference=5000)
    assert rows(columns, meta)["train/loss"]["reference_value"] == pytest.approx(loss(5000))
    _, meta = asked(client, run="run", step=-5)
    assert (meta["reference"], meta["wall_time"]) == (None, None)
    assert meta["items"][0]["address"] is None
    _, meta = asked(client, run="run", tag="gone", step=2**53)
    assert meta["tag"] == "train/loss"


def test_parts_of_a_run_are_in_it_and_runs_without_scalars_have_a_moment(client: BoardClient):
    columns, meta = asked(client, run="run", parts=["run/part", "gone"], step=4)
    assert ("run/part", "extra") in [(row["run"], row["tag"]) for row in meta["rows"]]
    assert rows(columns, meta)["extra"]["step"] == 4
    _, meta = asked(client, run="media")
    assert (meta["step"], meta["tag"], meta["rows"]) == (7, None, [])
    assert [item["step"] for item in meta["items"]] == [7]
    _, meta = asked(client, run="media", step=5)
    assert [item["step"] for item in meta["items"]] == [3]
    _, meta = asked(client, run="text")
    assert meta["items"][0]["address"] is None  # no clock says when the step was


def test_sparklines_have_the_extremes_of_each_column(client: BoardClient):
    columns, meta = asked(client, run="run", step=4055, spark_columns=50)
    at = [row["tag"] for row in meta["rows"]].index("train/loss")
    high = columns["spark_high"].reshape(-1, 50)[at]
    assert len(high) == meta["spark_columns"]
    assert np.nanmax(high) == pytest.approx(max(map(loss, STEPS)))
    low, end = meta["window"]
    assert int(np.nanargmax(high)) == int((max(STEPS, key=loss) - low) / (end - low) * 50)


def test_rows_and_items_are_limited_and_counted(client: BoardClient):
    _, meta = asked(client, run="run", step=4055, limit=2)
    assert [row["tag"] for row in meta["rows"]] == ["data/loader_wait", "train/loss"]
    assert (meta["rows_total"], len(meta["items"]), meta["items_total"]) == (6, 2, 5)


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ({"run": "gone"}, 404, "gone"),
        ({"run": ""}, 400, "length"),
        ({"run": "run", "step": 2**60}, 400, "<="),
        ({"run": "run", "columns": 10**6}, 400, "<="),
        ({"run": "run", "spep": 1}, 400, "spep"),
    ],
)
def test_what_cannot_be_asked_is_said(
    client: BoardClient, query: dict[str, Any], status: int, message: str
):
    answer = client.post(f"{ROOT}/moment", json=query)
    assert answer.status_code == status, answer.text
    assert message in answer.json()["error"]


def test_spreads_are_those_of_the_buckets(client: BoardClient):
    store = client.board.store
    grads, samples = store["run"].blobs("grads/layer"), store["run"].blobs("val/samples")
    addresses = [grads[0].address, grads[-1].address, samples[0].address, "0-0", "x"]
    body = {"instance": client.board.instance, "addresses": addresses}
    narrow, wide, *wrong = client.post(f"{ROOT}/moment/spreads", json=body).json()["spreads"]
    # A quarter of it is evenly spread over -1 to 0, the rest over 0 to 1.
    assert narrow["mean"] == pytest.approx(0.25)
    assert narrow["std"] == pytest.approx(math.sqrt(1 / 3 - 1 / 16))
    assert wide["std"] == pytest.approx(4 * narrow["std"])
    assert [one["error"] for one in wrong] == [
        "this is not a histogram",
        "this is not an address",
        "this is not an address",
    ]
    old = client.post(f"{ROOT}/moment/spreads", json=body | {"instance": "0"})
    assert old.status_code == 410
