"""The stand-ins have the names that others import, and what they make our writer takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kymograph
from kymograph.stand_in.packages import tensorboardx, torch_utils_tensorboard
from kymograph.stand_in.packages.tensorboardx import summary as summary_x
from kymograph.stand_in.packages.torch_utils_tensorboard import summary as summary_torch

# The functions of `torch.utils.tensorboard.summary` that give a summary.
NAMES = {
    *("audio", "custom_scalars", "histogram", "histogram_raw", "hparams", "image", "image_boxes"),
    *("mesh", "pr_curve", "pr_curve_raw", "scalar", "text", "video"),
}


@pytest.mark.parametrize("module", [summary_torch, summary_x], ids=["torch", "tensorboardX"])
def test_the_summary_functions_are_there(module: object):
    assert NAMES - set(dir(module)) == set()
    assert hasattr(summary_torch, "tensor_proto")


def test_the_packages_have_their_classes():
    assert torch_utils_tensorboard.SummaryWriter is kymograph.SummaryWriter
    assert torch_utils_tensorboard.writer.SummaryWriter is kymograph.SummaryWriter  # type: ignore[attr-defined]
    for name in ("FileWriter", "GlobalSummaryWriter", "RecordWriter", "SummaryWriter"):
        assert hasattr(tensorboardx, name)


def test_the_summaries_are_taken_as_frameworks_give_them(tmp_path: Path):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        for summary in summary_torch.hparams({"lr": 0.1}, {"loss": 0.5}):
            writer._get_file_writer().add_summary(summary, 3)
        writer.file_writer.add_summary(summary_torch.scalar("loss", 0.5), 4)  # type: ignore[union-attr]
        writer.add_summary(summary_torch.histogram("weights", np.ones(3), "tensorflow"), 5)
        writer.add_summary(summary_x.scalar("x", 0.25), 6)
    run = kymograph.open(tmp_path)["run"]
    assert run.series("loss").steps.tolist() == [4]
    assert run.series("x").values.tolist() == [0.25]
    assert {"hparams", "histograms"} <= set(run.dashboards)


@pytest.mark.parametrize("number", [0.0, 1.0, -2.5, 1e30])
def test_bit_patterns_go_both_ways(number: float):
    pattern = summary_torch.half_to_int(number)
    assert summary_torch.int_to_half(pattern) == np.float32(number)
    assert summary_torch.half_to_int(1.0) == 0x3F800000
