"""MXNet's metrics and mxboard's scalars, from objects of their shape."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import kymograph
from kymograph.integrations.mxnet import KymographCallback, MXBoardWriter


def points(directory: Path, run: str, tag: str) -> list[tuple[int, float]]:
    series = kymograph.open(directory)[run].series(tag)
    return list(zip(series.steps.tolist(), series.values.tolist(), strict=True))


class Metric:
    def __init__(self, **values: float) -> None:
        self.values = values

    def get_name_value(self) -> list[tuple[str, float]]:
        return list(self.values.items())


def test_the_metrics_of_each_batch_are_logged(tmp_path: Path):
    callback = KymographCallback(tmp_path / "run", prefix="train")
    for epoch in range(2):
        for batch in range(2):
            metric = Metric(accuracy=epoch + batch / 2, loss=1.0)
            callback(SimpleNamespace(epoch=epoch, nbatch=batch, eval_metric=metric, locals=None))
    callback(SimpleNamespace(epoch=2, nbatch=0, eval_metric=None, locals=None))
    callback.writer.close()
    accuracy = points(tmp_path, "run", "train-accuracy")
    assert accuracy == [(1, 0.0), (2, 0.5), (3, 1.0), (4, 1.5)]
    assert len(points(tmp_path, "run", "train-loss")) == 4


def test_without_a_prefix_a_metric_is_called_as_it_is(tmp_path: Path):
    callback = KymographCallback(tmp_path / "run")
    callback(SimpleNamespace(eval_metric=Metric(loss=0.5)))
    callback.writer.close()
    assert points(tmp_path, "run", "loss") == [(1, 0.5)]


def test_pairs_and_dicts_are_sub_runs(tmp_path: Path):
    with MXBoardWriter(tmp_path / "run") as writer:
        writer.add_scalar("plain", 0.5, 1)
        writer.add_scalar("acc", ("train", 0.25), 2)
        writer.add_scalar("acc", {"train": 0.5, "valid": 0.75}, global_step=3)
        writer.flush()
        assert points(tmp_path, "run/acc/train", "acc") == [(2, 0.25), (3, 0.5)]
    assert points(tmp_path, "run", "plain") == [(1, 0.5)]
    assert points(tmp_path, "run/acc/valid", "acc") == [(3, 0.75)]
