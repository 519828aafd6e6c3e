"""The `model_dir` of a TensorFlow Estimator is read: training, and a folder for each evaluation."""

from __future__ import annotations

from pathlib import Path

import kymograph
from tests.event_files import event, restart, scalar, write
from tests.golden import wire

GRAPH = event(wire.message(4, wire.message(1, wire.text(1, "loss"), wire.text(2, "Mean"))))


def points(run: kymograph.store.Run, tag: str) -> list[tuple[int, float]]:
    series = run.series(tag)
    return list(zip(series.steps.tolist(), series.values.tolist(), strict=True))


def test_training_and_evaluations_are_runs(tmp_path: Path):
    model = tmp_path / "model"
    first = [GRAPH, *(scalar("loss", step, 1 / step) for step in (1, 101, 201))]
    write(model, *first, name="events.out.tfevents.1700000000.host")
    # A second `train()` continues from the checkpoint at step 101, in a file of its own.
    again = [restart(101, 1_700_001_000.0)]
    again += [scalar("loss", step, 2 / step, 1_700_001_000.0 + step) for step in (101, 301)]
    again.append(scalar("global_step/sec", 301, 50.0, 1_700_001_301.0))
    write(model, *again, name="events.out.tfevents.1700001000.host")
    write(model / "eval", scalar("accuracy", 201, 0.5), scalar("loss", 201, 0.25))
    write(model / "eval_holdout", scalar("accuracy", 201, 0.75))
    (model / "checkpoint").write_text('model_checkpoint_path: "model.ckpt-301"\n', "utf-8")
    (model / "graph.pbtxt").write_text("node {}\n", "utf-8")
    store = kymograph.open(tmp_path)
    assert sorted(store) == ["model", "model/eval", "model/eval_holdout"]
    assert [step for step, _ in points(store["model"], "loss")] == [1, 101, 301]
    assert points(store["model"], "global_step/sec") == [(301, 50.0)]
    assert points(store["model/eval"], "accuracy") == [(201, 0.5)]
    assert points(store["model/eval_holdout"], "accuracy") == [(201, 0.75)]
    assert "graphs" in store["model"].dashboards


def test_the_model_dir_itself_is_a_logdir(tmp_path: Path):
    write(tmp_path, scalar("loss", 1, 1.0))
    write(tmp_path / "eval", scalar("loss", 1, 2.0))
    assert sorted(kymograph.open(tmp_path)) == [".", "eval"]
