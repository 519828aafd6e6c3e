"""`tensorboard.summary.Writer` as we have it: scalars into event files, or into a user's output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph.stand_in.outputs import DirectoryOutput, Output
from kymograph.stand_in.scalar_writer import Writer


def test_scalars_are_read_back(tmp_path: Path):
    writer = Writer(str(tmp_path / "run"))
    writer.add_scalar("loss", 0.5, 1, wall_time=1_700_000_000.5, description="how wrong")
    writer.add_scalar("loss", np.float64(0.25), np.int32(2))
    writer.flush()
    loss = kymograph.open(tmp_path)["run"].series("loss")
    assert loss.steps.tolist() == [1, 2]
    assert loss.values.tolist() == [0.5, 0.25]
    assert loss.wall_times[0] == 1_700_000_000.5
    assert loss.metadata.description == "how wrong"
    writer.close()


def test_a_closed_writer_says_so(tmp_path: Path):
    writer = Writer(DirectoryOutput(tmp_path))
    writer.close()
    calls: list[Any] = [writer.flush, writer.close, lambda: writer.add_scalar("a", 1, 1)]
    for call in calls:
        with pytest.raises(RuntimeError, match="already closed"):
            call()


def test_a_users_output_gets_the_points():
    class Kept(Output):
        def __init__(self) -> None:
            self.points: list[dict[str, Any]] = []
            self.calls: list[str] = []

        def emit_scalar(self, **point: Any) -> None:
            self.points.append(point)

        def flush(self) -> None:
            self.calls.append("flush")

        def close(self) -> None:
            self.calls.append("close")

    output = Kept()
    writer = Writer(output)
    writer.add_scalar("loss", 0.5, 3, wall_time=2.0)
    writer.flush()
    writer.close()
    expected = {"plugin_name": "scalars", "tag": "loss", "data": 0.5, "step": 3, "wall_time": 2.0}
    assert output.points == [{**expected, "description": None}]
    assert type(output.points[0]["data"]) is np.float32
    assert type(output.points[0]["step"]) is np.int64
    assert output.calls == ["flush", "close"]


def test_wrong_arguments_raise_what_tensorboard_raises(tmp_path: Path):
    with pytest.raises(TypeError, match="Unsupported output object"):
        Writer(3)
    writer = Writer(str(tmp_path))
    with pytest.raises(ValueError, match="Expected scalar value for 'data'"):
        writer.add_scalar("loss", [1.0, 2.0], 1)
    with pytest.raises(ValueError, match="Expected scalar value for 'step'"):
        writer.add_scalar("loss", 1.0, [1, 2])
    writer.close()
