"""A Tensorpack-style trainer's monitor calls become events."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np

import kymograph
from kymograph.integrations.tensorpack import KymographMonitor
from kymograph.writer import wire


class Event:
    """A protobuf message as a monitor sees one."""

    def SerializeToString(self) -> bytes:  # noqa: N802  (protobuf's name)
        value = wire.value("event", wire.single(2, 4.0))
        return wire.double(1, 1.5) + wire.message(5, value)


def test_scalars_images_summaries_and_events_are_written(tmp_path: Path):
    trainer = SimpleNamespace(loop=SimpleNamespace(global_step=0))
    monitor = KymographMonitor(tmp_path / "run")
    monitor.setup_graph(trainer)
    monitor.before_train()
    monitor.before_epoch()
    for step in (1, 2):
        trainer.loop.global_step = step
        monitor.process_scalar("loss", 1 / step)
        monitor.trigger_step()
    monitor.process_image("picture", np.zeros((2, 4, 5, 3), np.uint8))
    monitor.process_summary(wire.summary(wire.value("summary", wire.single(2, 3.0))))
    monitor.process_event(Event())
    monitor.after_epoch()
    monitor.trigger_epoch()
    run = kymograph.open(tmp_path)["run"]
    loss = run.series("loss")
    assert (loss.steps.tolist(), loss.values.tolist()) == ([1, 2], [1.0, 0.5])
    for tag, value in {"summary": 3.0, "event": 4.0}.items():
        series = run.series(tag)
        assert (series.steps.tolist(), series.values.tolist()) == ([2], [value])
    assert run.tags("images") == ["picture"]
    monitor.after_train()
