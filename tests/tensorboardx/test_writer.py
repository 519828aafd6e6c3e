"""The writer of tensorboardX's dialect: its directories, defaults and arguments, not its faults."""

from __future__ import annotations

import json
import logging
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph.tensorboardx import FileWriter, SummaryWriter
from tests.golden import wire
from tests.interop import plugin_messages
from tests.tensorboardx.events import logged, payloads, runs, scalars


def test_the_first_argument_is_logdir(tmp_path: Path):
    with SummaryWriter(tmp_path / "a", log_dir="unused") as writer:
        assert writer.logdir == writer.log_dir == writer.get_logdir() == tmp_path / "a"
        writer.add_scalar("loss", 1, 2)
    with SummaryWriter(log_dir=tmp_path / "b") as writer:
        assert writer.logdir == tmp_path / "b"
    assert runs(tmp_path) == ["a", "b"]
    assert scalars(tmp_path / "a") == [("loss", 2, 1.0)]


def test_the_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_note") as writer:
        assert str(writer.logdir).startswith("runs/")
        assert str(writer.logdir).endswith("_note")
    assert runs(tmp_path) == [str(writer.logdir)]


def test_it_is_a_writer_with_the_same_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RANK", "1")
    with SummaryWriter(tmp_path, rank_zero_only=True) as writer:
        assert isinstance(writer, kymograph.SummaryWriter)
        writer.add_scalar("loss", 1)
        writer.add_hparams({"lr": 1}, {})
        writer.add_openvino_graph("there is none")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(TypeError):
        SummaryWriter(tmp_path, unknown=1)


def test_comet_is_refused_unless_disabled(tmp_path: Path):
    with pytest.raises(NotImplementedError, match="comet_ml"):
        SummaryWriter(tmp_path, comet_config={"disabled": False})
    with pytest.raises(NotImplementedError, match="comet_ml"):
        SummaryWriter(tmp_path, comet_config={"project_name": "x"})
    SummaryWriter(tmp_path, comet_config={"disabled": True}).close()


# --- what is logged ---


def test_tags_are_cleaned_where_tensorboardx_does(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("/a b", 1)
        writer.add_scalar("/a b", 1, display_name="A")
        writer.add_histogram("/a b", [1, 2, 3])
        writer.add_image("/a b", np.zeros((3, 2, 2)))
        writer.add_images("/a b", np.zeros((2, 3, 2, 2)))
        writer.add_video("/a b", np.zeros((1, 2, 3, 4, 4)))
        writer.add_text("/a b", "text")
        writer.add_audio("/a b", [0.0])
        writer.add_histogram_raw("/a b", 0, 1, 1, 1, 1, [1], [1])
        writer.add_pr_curve("/a b", [1], [1.0])
        writer.add_mesh("/a b", np.zeros((1, 1, 3)))
    tags = [value.tag for value in logged(tmp_path)]
    assert tags == ["a_b"] * 6 + ["/a b/text_summary", "/a b", "/a b", "/a b", "/a b_1"]


def test_scalars_of_a_chart_are_runs_below_the_tag(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        for step in (1, 2):
            writer.add_scalars("a/b c", {"x": step, "y/z": -step}, step, walltime=5.0)
        writer.add_scalars("/rooted", {"x": 0})
        writer.export_scalars_to_json(tmp_path / "all.json")
        exported = json.loads((tmp_path / "all.json").read_text())
        writer.export_scalars_to_json(tmp_path / "none.json")
    assert runs(tmp_path) == [".", "a/b c/x", "a/b c/y/z", "rooted/x"]
    assert scalars(tmp_path / "a/b c/y/z") == [("a/b_c", 1, -1.0), ("a/b_c", 2, -2.0)]
    assert {value.wall_time for value in logged(tmp_path / "a/b c/x")} == {5.0}
    assert exported.pop(f"{tmp_path}/a/b c/x") == [[5.0, 1, 1.0], [5.0, 2, 2.0]]
    assert exported.pop(f"{tmp_path}/a/b c/y/z") == [[5.0, 1, -1.0], [5.0, 2, -2.0]]
    ((_, ((_, step, value),)),) = exported.items()
    assert (step, value) == (None, 0.0)
    assert json.loads((tmp_path / "none.json").read_text()) == {}


def test_use_metadata_gives_defaults(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        with writer.use_metadata(global_step=7, walltime=3.0) as same:
            assert same is writer
            writer.add_scalar("plain", 1)
            writer.add_scalar("described", 1, display_name="D")
            writer.add_text("text", "")
            writer.add_scalars("chart", {"x": 1})
            writer.add_scalar("own", 1, 0, 4.0)
        before = time.time()
        with writer.use_metadata(global_step=8):
            writer.add_scalar("now", 1)
        writer.add_scalar("after", 1)
    found = {value.tag: value[1:3] for value in logged(tmp_path) + logged(tmp_path / "chart/x")}
    assert before <= found.pop("now")[1] <= found.pop("after")[1] <= time.time()
    assert found.pop("own") == (0, 4.0)
    assert found == dict.fromkeys(["plain", "described", "text/text_summary", "chart"], (7, 3.0))


def test_use_metadata_is_neither_nested_nor_empty(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(AssertionError), writer.use_metadata():
            pass
        with writer.use_metadata(global_step=1), pytest.raises(AssertionError):  # noqa: SIM117
            with writer.use_metadata(global_step=2):
                pass
        with pytest.raises(KeyError), writer.use_metadata(walltime=1.0):
            raise KeyError
        with writer.use_metadata(global_step=0):
            pass


def test_hparams_are_a_run_of_that_name(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams({"lr": 0.1, "f": len, "x": [1]}, {"a b": 0.5}, "trial", 3)
        writer.add_hparams({}, {})
    (trial,) = set(runs(tmp_path)) & {"trial"}
    values = logged(tmp_path / trial)
    assert [(value.tag, value.step) for value in values] == [
        ("_hparams_/experiment", 0),
        ("_hparams_/session_start_info", 0),
        ("_hparams_/session_end_info", 0),
        ("a_b", 3),
    ]
    said = [plugin_messages.hparams(plugin_messages.plugin_content(v.value)) for v in values[:2]]
    assert said == [
        # The metric has the name of its scalars, else they are not found.
        {"hparam_names": ["lr", "f", "x"], "metric_tags": ["a_b"]},
        {"hparams": {"lr": 0.1, "f": "len"}},
    ]
    (other,) = set(runs(tmp_path)) - {".", "trial"}
    assert abs(float(other) - time.time()) < 60
    assert logged(tmp_path) == []


def test_hparams_must_be_dicts(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer, pytest.raises(TypeError):
        writer.add_hparams([("a", 1)], {})  # type: ignore[arg-type]


def test_a_list_of_images(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    images = [np.full((2, 3, 3), shade, np.uint8) for shade in (10, 20)]
    with SummaryWriter(tmp_path) as writer:
        writer.add_images("list", images, 1, dataformats="HWC")
        writer.add_images("array", np.stack(images), 1, dataformats="NHWC")
        assert caplog.records == []
        writer.add_images("lost", images, 1)
    assert "CHW" in caplog.text
    first, second = logged(tmp_path)
    assert (first.tag, second.tag) == ("list", "array")
    assert wire.last_bytes(first.value, 4) == wire.last_bytes(second.value, 4) != b""


def test_axes_of_a_video_may_have_any_order(tmp_path: Path):
    frames = (np.arange(2 * 3 * 3 * 4 * 5) % 256).astype(np.uint8).reshape(2, 3, 3, 4, 5)
    with SummaryWriter(tmp_path) as writer:
        writer.add_video("a", frames)
        writer.add_video("b", frames.transpose(1, 3, 4, 2, 0), dataformats="THWCN")
    first, second = logged(tmp_path)
    assert wire.last_bytes(first.value, 4) == wire.last_bytes(second.value, 4) != b""


def test_an_embedding_needs_square_pictures_that_fit(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        with writer.use_metadata(global_step=4):
            writer.add_embedding([[1, 2], [3, 4]], label_img=np.zeros((2, 1, 2, 2), np.uint8))
        with pytest.raises(AssertionError, match="square"):
            writer.add_embedding([[1.0]], label_img=np.zeros((1, 3, 2, 3)))
        with pytest.raises(AssertionError, match="8192"):
            writer.add_embedding([[1.0]] * 2, label_img=np.zeros((2, 1, 4097, 4097), np.uint8))
    assert (tmp_path / "00004/default/sprite.png").exists()


OPENVINO = """<net><layers><layer id="0" name="in"/><layer id="1" name="relu"/></layers>
<edges><edge from-layer="0" to-layer="1"/></edges></net>"""


def test_graphs_of_files(tmp_path: Path):
    (tmp_path / "model.xml").write_text(OPENVINO)
    with SummaryWriter(tmp_path) as writer:
        writer.add_openvino_graph(tmp_path / "model.xml")
        writer.file_writer.add_graph((b"graph", b"metadata"), 5.0)  # type: ignore[union-attr]
    model, graph, run = payloads(tmp_path)[1:]
    assert b"relu" in wire.last_bytes(model, 4)
    assert wire.last_bytes(graph, 4) == b"graph"
    tagged = wire.last_bytes(run, 8)
    assert (wire.last_bytes(tagged, 1), wire.last_bytes(tagged, 2)) == (b"profiler", b"metadata")
    assert struct.unpack("<d", wire.last_bytes(run, 1)) == (5.0,)


def test_a_file_writer_of_its_own(tmp_path: Path):
    writer = FileWriter(logdir=tmp_path, filename_suffix=".x")
    writer.add_openvino_graph(b"graph")
    writer.close()
    assert [wire.last_bytes(event, 4) for event in payloads(tmp_path)[1:]] == [b"graph"]
    assert next(tmp_path.iterdir()).name.endswith(".x")


# --- faults that are not copied ---


def test_writers_of_one_second_keep_their_files_apart(tmp_path: Path):
    writers = [SummaryWriter(tmp_path) for _ in range(3)]
    for index, writer in enumerate(writers):
        writer.add_scalar("loss", index, index)
        writer.close()
        writer.add_scalar("loss", index, index + 3)
        writer.close()
    assert len(list(tmp_path.iterdir())) == 6
    assert sorted(step for _, step, _ in scalars(tmp_path)) == list(range(6))


def test_purge_step_is_recorded_once(tmp_path: Path):
    writer = SummaryWriter(tmp_path, purge_step=3)
    for step in (3, 4):
        writer.add_scalar("loss", step, step)
        writer.close()
    starts = [event for event in payloads(tmp_path) if wire.last_bytes(event, 7)]
    assert [wire.last_integer(event, 2) for event in starts] == [3]


def test_flush_waits_until_all_is_written(tmp_path: Path):
    writer = SummaryWriter(tmp_path, max_queue=10_000)
    for step in range(1000):
        writer.add_scalar("loss", step, step)
    writer.flush()
    assert len(scalars(tmp_path)) == 1000
    writer.close()


def test_nothing_is_written_without_write_to_disk(tmp_path: Path):
    arguments: list[tuple[str, tuple[Any, ...]]] = [
        ("add_scalar", ("a", 1)),
        ("add_scalars", ("a", {"b": 1})),
        ("add_hparams", ({"a": 1}, {"b": 1})),
        ("add_embedding", ([[1.0]],)),
        ("add_openvino_graph", ("no such file",)),
    ]
    with SummaryWriter(tmp_path / "run", write_to_disk=False) as writer:
        for name, given in arguments:
            getattr(writer, name)(*given)
        with writer.use_metadata(global_step=1):
            writer.add_text("a", "b")
        assert writer.logdir == tmp_path / "run"
        assert writer.file_writer is not None
        assert writer.file_writer.get_logdir() == str(tmp_path / "run")
        writer.flush()
    writer.add_scalar("after close", 1)
    assert list(tmp_path.iterdir()) == []


def test_importing_it_imports_no_framework():
    program = "import kymograph.tensorboardx, sys; print(*sys.modules)"
    modules = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert {"torch", "PIL", "matplotlib", "click", "tensorboardX"} & set(modules) == set()


def test_cleaned_tags_are_logged_at_info(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("quiet please", 1)
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []
