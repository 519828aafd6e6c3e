"""`SummaryWriter`: lifecycle, files and arguments; what each method encodes is tested there."""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph import SummaryWriter
from kymograph.writer.file_writer import FileWriter
from kymograph.writer.silent import SilentFileWriter
from kymograph.writer.summaries import scalars
from tests.golden import wire
from tests.writer.programs import counts, event_files


def payloads(file: Path) -> list[bytes]:
    return list(wire.records(file.read_bytes()))


def series(logdir: Path, run: str, tag: str) -> list[tuple[int, float]]:
    with kymograph.open(logdir) as store:
        found = store[run].series(tag)
        return list(zip(found.steps.tolist(), found.values.tolist(), strict=True))


def test_file_is_there_at_once_with_version_and_source(tmp_path: Path):
    writer = SummaryWriter(tmp_path)
    (file,) = event_files(tmp_path)
    host = re.escape(os.uname().nodename)
    assert re.fullmatch(rf"events\.out\.tfevents\.\d{{10}}\.{host}\.{os.getpid()}\.\d+", file.name)
    (first,) = payloads(file)
    assert b"brain.Event:2" in first
    assert b"kymograph" in first
    writer.close()


def test_default_directory_is_named_like_pytorchs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_lr1") as writer:
        pattern = rf"runs/\w+\d\d_\d\d-\d\d-\d\d_{re.escape(os.uname().nodename)}_lr1"
        assert re.fullmatch(pattern, str(writer.log_dir))
        assert len(event_files(tmp_path / writer.log_dir)) == 1


def test_directory_stays_what_was_given(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        assert writer.log_dir is writer.get_logdir() is tmp_path
    with SummaryWriter(str(tmp_path)) as writer:
        assert writer.get_logdir() == str(tmp_path)


def test_suffix_ends_the_file_name(tmp_path: Path):
    SummaryWriter(tmp_path, filename_suffix="_end").close()
    assert event_files(tmp_path)[0].name.endswith("_end")


def test_unknown_argument_is_a_type_error(tmp_path: Path):
    with pytest.raises(TypeError):
        SummaryWriter(logdir=tmp_path)  # type: ignore[call-arg]


def test_purge_step_is_recorded_once(tmp_path: Path):
    writer = SummaryWriter(tmp_path, purge_step=7)
    assert writer.purge_step is None
    (first,) = event_files(tmp_path)
    version, start = payloads(first)[1:]
    assert b"\x10\x07\x1a" in version
    assert b"\x10\x07\x3a\x02\x08\x01" in start
    writer.close()
    writer.add_scalar("a", 0.5, 1)
    writer.close()
    (second,) = set(event_files(tmp_path)) - {first}
    assert len(payloads(second)) == 2


@pytest.mark.parametrize(
    ("step", "error"), [(2.9, TypeError), ("3", TypeError), (2**63, ValueError)]
)
def test_purge_step_is_a_whole_number(tmp_path: Path, step: Any, error: type[Exception]):
    with pytest.raises(error):
        SummaryWriter(tmp_path, purge_step=step)


def test_logging_after_close_opens_a_new_file(tmp_path: Path):
    writer = SummaryWriter(tmp_path)
    writer.add_scalar("loss", 0.0, 0)
    writer.close()
    assert writer.file_writer is None
    assert writer.all_writers is None
    writer.flush()
    writer.close()
    writer.add_scalar("loss", 0.5, 1)
    writer.close()
    writer.add_text("note", "again")
    writer.close()
    assert len(event_files(tmp_path)) == 3
    assert counts(tmp_path) == {".:loss": 2}


def test_context_closes_and_lets_exceptions_through(tmp_path: Path):
    def program(writer: SummaryWriter) -> None:
        with writer:
            writer.add_scalar("loss", 0.5, 1)
            raise RuntimeError("planted")

    writer = SummaryWriter(tmp_path)
    with pytest.raises(RuntimeError, match="planted"):
        program(writer)
    assert writer.file_writer is None
    assert counts(tmp_path) == {".:loss": 1}


def test_attributes_that_frameworks_touch(tmp_path: Path):
    with SummaryWriter(tmp_path, max_queue=7, flush_secs=3, filename_suffix=".x") as writer:
        assert (writer.max_queue, writer.flush_secs, writer.filename_suffix) == (7, 3, ".x")
        file_writer = writer._get_file_writer()
        assert file_writer is writer.file_writer
        assert writer.all_writers == {str(tmp_path): file_writer}
        assert file_writer.get_logdir() == str(tmp_path)
        assert isinstance(file_writer, FileWriter)
        assert Path(file_writer.event_writer._file_name) == event_files(tmp_path)[0]
        assert len(writer.default_bins) == 1549


def test_subclass_and_its_methods_are_honoured(tmp_path: Path):
    class Doubled(SummaryWriter):
        def add_scalar(self, tag: str, scalar_value: float, *args: object) -> None:
            super().add_scalar(tag, 2 * scalar_value, *args)  # type: ignore[arg-type]

    with Doubled(tmp_path) as writer:
        writer.add_scalar("a", 1.0, 3)
    assert series(tmp_path, ".", "a") == [(3, 2.0)]


@pytest.mark.parametrize("copied", [copy.deepcopy, pickle.dumps])
def test_writer_cannot_be_copied(tmp_path: Path, copied: object):
    with SummaryWriter(tmp_path) as writer, pytest.raises(TypeError):
        copied(writer)  # type: ignore[operator]


# --- values, steps, wall times, tags ---


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        (0.1, np.float32(0.1)),
        (3, 3.0),
        (True, 1.0),
        (np.float64(0.5), 0.5),
        (np.float32(0.1), np.float32(0.1)),
        (np.float16(0.5), 0.5),
        (np.int64(-7), -7.0),
        (np.array([[2.5]]), 2.5),
        ([1.5], 1.5),
        ("3.5", 3.5),
        (1e300, float("inf")),
        (float("-inf"), float("-inf")),
        (10**400, None),
    ],
)
def test_scalar_of_any_kind(tmp_path: Path, value: object, stored: float | None):
    with SummaryWriter(tmp_path) as writer:
        if stored is None:
            with pytest.raises((OverflowError, TypeError)):
                writer.add_scalar("a", value, 1)
            return
        writer.add_scalar("a", value, 1)
    assert series(tmp_path, ".", "a") == [(1, float(stored))]


def test_nan_is_a_value(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", float("nan"))
    ((_, value),) = series(tmp_path, ".", "a")
    assert np.isnan(value)


def test_new_style_keeps_doubles_if_asked(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("single", 0.1, new_style=True)
        writer.add_scalar("double", 0.1, new_style=True, double_precision=True)
        writer.add_scalar("alone", 0.1, double_precision=True)
    assert series(tmp_path, ".", "single") == [(0, float(np.float32(0.1)))]
    assert series(tmp_path, ".", "double") == [(0, 0.1)]
    assert series(tmp_path, ".", "alone") == [(0, float(np.float32(0.1)))]


class Tensor:
    """What a tensor of another device looks like."""

    def __init__(self, element: object) -> None:
        self.element = element

    def item(self) -> object:
        return self.element

    def __repr__(self) -> str:
        return f"Tensor({self.element!r})"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float32(0.1), np.float32(0.1)),
        (np.float16(0.5), 0.5),
        (np.int64(-7), -7),
        (np.bool_(True), 1),
        (np.array(0.25), 0.25),
        (np.array(0.25, np.float32), 0.25),
        (np.array([[3]]), 3),
        (Tensor(0.75), 0.75),
        (Tensor(True), 1),
    ],
    ids=repr,
)
@pytest.mark.parametrize("step", [3, np.int32(3), np.array(3), Tensor(3)], ids=repr)
def test_arrays_of_one_element_take_the_fast_way(
    tmp_path: Path, value: Any, expected: float, step: Any, monkeypatch: pytest.MonkeyPatch
):
    # Python's conversions cost more than all the rest of a call.
    monkeypatch.setattr(kymograph.SummaryWriter, "_add_scalar_slowly", None)
    with kymograph.SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", value, step)
    assert series(tmp_path, ".", "a") == [(3, expected)]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (np.zeros(2), AssertionError),
        (np.complex64(1), TypeError),
        (Tensor("1"), NotImplementedError),
    ],
    ids=repr,
)
def test_what_is_no_number_is_refused_as_ever(tmp_path: Path, value: Any, error: type[Exception]):
    with kymograph.SummaryWriter(tmp_path) as writer, pytest.raises(error):
        writer.add_scalar("a", value, 1)


@pytest.mark.parametrize("value", [np.float32(0.1), 0.1, -7, float("inf")])
@pytest.mark.parametrize(("new_style", "double"), [(0, 0), (1, 0), (1, 1)])
def test_both_encoders_of_scalars_agree(
    tmp_path: Path, value: float, new_style: bool, double: bool
):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("tag", value, 5, 1.5, new_style, double)
        writer.add_summary(scalars.scalar("tag", value, new_style, double), 5, 1.5)
    _, ours, other = payloads(event_files(tmp_path)[0])
    assert ours == other


@pytest.mark.parametrize(
    ("step", "stored"),
    [
        (None, 0),
        (0, 0),
        (1.9, 1),
        ("12", 12),
        (np.int32(5), 5),
        (True, 1),
        (-3, -3),
        (2**62, 2**62),
    ],
)
def test_step_of_any_kind(tmp_path: Path, step: object, stored: int):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 0.5, step)
        writer.add_text("b", "text", step)
    assert series(tmp_path, ".", "a") == [(stored, 0.5)]
    with kymograph.open(tmp_path) as store:
        assert store["."].blobs("b/text_summary").steps.tolist() == [stored]


@pytest.mark.parametrize("step", [float("nan"), 2**63, "x"])
def test_step_that_is_none_is_a_value_error(tmp_path: Path, step: object):
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(ValueError, match=r"NaN|range|invalid"):
            writer.add_scalar("a", 0.5, step)
        with pytest.raises(ValueError, match=r"NaN|range|invalid"):
            writer.add_text("a", "text", step)


def test_wall_time_is_the_one_given_or_now(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("given", 0.5, 1, 1.5)
        writer.add_scalar("int", 0.5, 1, 2)
        writer.add_text("given", "text", 1, 2.5)
        with pytest.raises(TypeError):
            writer.add_scalar("given", 0.5, 1, "now")  # type: ignore[arg-type]
    with kymograph.open(tmp_path) as store:
        assert store["."].series("given").wall_times.tolist() == [1.5]
        assert store["."].series("int").wall_times.tolist() == [2.0]
        assert store["."].blobs("given/text_summary").wall_times.tolist() == [2.5]


@pytest.mark.parametrize("tag", [b"bytes", "ü".encode()])
def test_tag_may_be_bytes_of_text(tmp_path: Path, tag: Any):
    picture = np.zeros((1, 2, 2))
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar(tag, 0.5)
        writer.add_histogram(tag, picture)
        writer.add_image(tag, picture)
        writer.add_mesh(tag, picture)
        writer.add_custom_scalars({tag: {tag: ["Multiline", [tag]]}})
    kinds = ("scalars", "histograms", "images", "mesh")
    with kymograph.open(tmp_path) as store:
        found = [list(store["."].tags(kind)) for kind in kinds]
        layout = store["."].blobs("custom_scalars__config__", dashboard="custom_scalars")[0].read()
    name = tag.decode()
    assert found == [[name], [name], [name], [f"{name}_VERTEX"]]
    assert layout.count(tag) == 3


@pytest.mark.parametrize("tag", [b"\xff", "\ud800"])
def test_tag_that_is_not_unicode_is_refused(tmp_path: Path, tag: Any):
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(UnicodeError):
            writer.add_scalar(tag, 0.5)
        with pytest.raises(UnicodeError):
            writer.add_image(tag, np.zeros((1, 2, 2)))


@pytest.mark.parametrize("tag", ["a b", "/lead", "ünïcødé", "", None])
def test_tag_is_written_as_it_is(tmp_path: Path, tag: str | None):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar(tag, 0.5)  # type: ignore[arg-type]
    assert counts(tmp_path) == {f".:{tag or ''}": 1}


def test_tag_that_is_no_text_is_a_type_error(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer, pytest.raises(TypeError):
        writer.add_scalar(5, 0.5)  # type: ignore[arg-type]


# --- sub-runs ---


def test_scalars_become_runs_beside_this_one(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalars("grp/x", {"a": 0.5, "b/c": 1.0}, 1)
        writer.add_scalars("grp/x", {"a": 1.0}, 2)
        assert len(writer.all_writers or {}) == 3
    assert counts(tmp_path) == {"grp_x_a:grp/x": 2, "grp_x_b/c:grp/x": 1}
    with kymograph.open(tmp_path) as store:
        times = [store[f"grp_x_{key}"].series("grp/x").wall_times[0] for key in ("a", "b/c")]
        assert times[0] == times[1]


def test_scalars_can_stay_in_one_run_with_a_layout(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_custom_scalars({"mine": {"chart": ["Multiline", ["x"]]}})
        writer.add_scalars("loss", {"train": 0.5, "test": 1.0}, 1, as_one_run=True)
        writer.add_scalars("loss", {"train": 0.5}, 1, as_one_run=True)
    assert [file.parent for file in event_files(tmp_path)] == [tmp_path]
    with kymograph.open(tmp_path) as store:
        run = store["."]
        assert run.tags("scalars") == ["loss/test", "loss/train"]
        layouts = run.blobs("custom_scalars__config__")
        assert len(layouts) == 2
        last = layouts[-1].read()
        assert b"mine" in last
        assert b"loss/train$" in last
        assert b"loss/test$" in last


def test_hyperparameters_are_a_run_below(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams({"lr": 0.1}, {"acc": 0.5}, run_name="trial", global_step=1)
        writer.add_hparams({"lr": 0.2}, {"acc": 0.5}, global_step=1)
        with pytest.raises(TypeError, match="should be dictionary"):
            writer.add_hparams([], {})  # type: ignore[arg-type]
    found = counts(tmp_path)
    assert found.pop("trial:acc") == 1
    ((name, count),) = found.items()
    assert re.fullmatch(r"\d+\.\d+:acc", name)
    assert count == 1


# --- messages made elsewhere ---


class Message:
    """What protobuf objects of any library have in common."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def SerializeToString(self) -> bytes:  # noqa: N802
        return self.content


@pytest.mark.parametrize("make", [bytes, Message])
def test_summaries_and_events_of_others_are_taken(tmp_path: Path, make: type):
    summary = bytes(scalars.scalar("theirs", 0.5))
    event = b"\x09" + np.float64(1.5).tobytes() + b"\x10\x07" + wire.message(5, summary)
    with SummaryWriter(tmp_path) as writer:
        writer.add_summary(make(summary), 1, 2.5)
        writer._get_file_writer().add_summary(make(summary), 2)
        writer.add_event(make(event))
        writer.add_event(make(event), 9, 3.5)
    with kymograph.open(tmp_path) as store:
        found = store["."].series("theirs")
        assert found.steps.tolist() == [1, 2, 7, 9]
        assert found.wall_times[[0, 3]].tolist() == [2.5, 3.5]


def test_what_is_no_message_is_refused_and_nothing_else_is_lost(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 0.5, 1)
        with pytest.raises(TypeError, match="protobuf message"):
            writer.add_summary(object())
        with pytest.raises(ValueError, match="not a serialized Event"):
            writer.add_event(b"\x0a\xff")
    assert counts(tmp_path) == {".:a": 1}


def test_bare_file_writer_refuses_after_close_until_reopened(tmp_path: Path):
    writer = FileWriter(tmp_path)
    writer.add_summary(scalars.scalar("a", 0.5), 1)
    writer.close()
    for action in (writer.flush, lambda: writer.add_summary(scalars.scalar("a", 0.5))):
        with pytest.raises(OSError, match="Writer is closed"):
            action()
    writer.reopen()
    writer.add_summary(scalars.scalar("a", 1.0), 2)
    writer.close()
    assert counts(tmp_path) == {".:a": 2}


# --- ranks ---


@pytest.mark.parametrize("mode", [True, "auto"])
def test_only_rank_zero_writes_if_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: bool
):
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        with SummaryWriter(tmp_path, rank_zero_only=mode) as writer:
            writer.add_scalar("loss", 0.5, int(rank) + 1)
            if rank == "1":
                writer.add_histogram("h", object())
            writer.add_hparams({"lr": 1}, {"m": 0.5}, run_name=rank)
            writer.flush()
            assert isinstance(writer.file_writer, SilentFileWriter) == (rank == "1")
    assert counts(tmp_path).keys() == {".:loss", "0:m"}


def test_silent_rank_has_every_method(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RANK", "3")
    writer = SummaryWriter(tmp_path / "none", rank_zero_only="auto")
    for name, method in inspect.getmembers(SummaryWriter, inspect.isfunction):
        if name.startswith("add_"):
            required = [
                parameter
                for parameter in inspect.signature(method).parameters.values()
                if parameter.default is parameter.empty and parameter.name != "self"
            ]
            assert getattr(writer, name)(*[object() for _ in required]) is None
    file_writer = writer._get_file_writer()
    assert file_writer.event_writer._file_name == ""
    file_writer.add_summary(object())
    file_writer.flush()
    writer.flush()
    writer.close()
    assert not (tmp_path / "none").exists()


def test_rank_is_asked_when_the_first_event_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("RANK", raising=False)
    writer = SummaryWriter(tmp_path / "none", rank_zero_only="auto")
    monkeypatch.setenv("RANK", "1")
    writer.add_scalar("loss", 0.5)
    assert not (tmp_path / "none").exists()
    other = SummaryWriter(tmp_path / "some", rank_zero_only="auto")
    monkeypatch.setenv("RANK", "0")
    other.add_scalar("loss", 0.5)
    writer.close()
    other.close()


def test_each_rank_may_have_a_run_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        with SummaryWriter(tmp_path, rank_suffix=True) as writer:
            writer.add_scalar("loss", 0.5, 1)
    assert counts(tmp_path) == {"rank_0:loss": 1, "rank_1:loss": 1}
