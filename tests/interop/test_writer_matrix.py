"""Every argument of every method with every kind of input, through PyTorch's writer and ours.

What both write is decoded and compared field by field; where one raises, the other must raise the
same. What differs on purpose is a row of `writer_differences`, and a row that is no longer true
fails as much as a difference that has none.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kymograph

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]
WHY = "not installed: make test-frameworks"
torch = pytest.importorskip("torch", reason=f"torch is {WHY}")
theirs = pytest.importorskip("torch.utils.tensorboard", reason=f"tensorboard is {WHY}")
pytest.importorskip("PIL", reason=f"pillow is {WHY}")

from tests.interop import event_trees, tensorboard_loaders
from tests.interop.writer_differences import DIFFERENCES, raised, row_of
from tests.interop.writer_matrix import KINDS, USUAL, Case, cases

WRITERS: dict[str, Any] = {"torch": theirs.SummaryWriter, "ours": kymograph.SummaryWriter}
CASES = {case.name: case for case in cases()}


@dataclass(frozen=True)
class Outcome:
    """What a call did: the exception, named by its class among Python's own, and the files."""

    error: str | None
    files: event_trees.Tree


Run = Callable[[str, str], Outcome]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The outcome of a case with a writer; each is run once."""
    root = tmp_path_factory.mktemp("matrix")

    @cache
    def outcome(writer: str, name: str) -> Outcome:
        logdir = root / writer / str(list(CASES).index(name))
        error = call(WRITERS[writer](str(logdir)), CASES[name])
        return Outcome(error, event_trees.tree(logdir, pictures=has_pictures(name)))

    return outcome


def call(writer: Any, case: Case) -> str | None:
    """The name of the exception that the call ended with."""
    arguments = case.arguments()
    try:
        assert getattr(writer, case.method)(**arguments) is None
    except Exception as error:  # noqa: BLE001  (which one is the question)
        kinds = type(error).__mro__
        return next(kind.__name__ for kind in kinds if kind.__module__ == "builtins")
    finally:
        writer.close()
    return None


def has_pictures(name: str) -> bool:
    """PyTorch writes no film with moviepy 2, which is one row, not one for each case."""
    case = CASES[name]
    return case.method != "add_video" or case.input.startswith(("as usual", "videos"))


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, run: Run):
    if needs := CASES[name].needs:
        pytest.importorskip(needs, reason=f"{needs} is {WHY}")
    torchs, ours = run("torch", name), run("ours", name)
    row = row_of(name)
    if row is None:
        assert ours.error == torchs.error
        assert ours.files == torchs.files
        return
    assert ours != torchs, f"no longer a difference: {row.method}, {row.input}"
    for outcome, text in ((torchs, row.torch), (ours, row.ours)):
        assert (outcome.error in raised(text)) if outcome.error else not raised(text), outcome.error
    if ours.error is None and (alike := as_if(name, run)) is not None:
        assert ours.files == alike.files


def as_if(name: str, run: Run) -> Outcome | None:
    """What PyTorch writes of the same numbers, in a form that it takes."""
    argument, _, kind = name.rpartition(": ")
    if argument == "add_tensor:tensor" and "bfloat16" in kind:
        return None  # it keeps its type
    dtype = SAME_NUMBERS.get(kind)
    for library in ("torch", "numpy"):
        same = f"{argument}: {library} {dtype}"
        if same in CASES and row_of(same) is None and run("torch", same).error is None:
            return run("torch", same)
    return None


# Kinds of input, and a type that holds the same numbers.
SAME_NUMBERS = {
    **dict.fromkeys(("list", "tuple", "list of tensors", "numpy >f8"), "float64"),
    **{kind.name: "float32" for kind in KINDS if kind.name.endswith(("float32", "bfloat16"))},
    **{kind.name: "int32" for kind in KINDS if kind.name.endswith("int32")},
    **{f"numpy {dtype}": dtype for dtype in ("bool", "int8", "int16", "int64", "uint8", "float64")},
    **dict.fromkeys(("torch sparse", "torch float8_e4m3fn", "torch requires grad"), "float32"),
    **dict.fromkeys(("torch parameter", "torch result of a gradient"), "float32"),
    **dict.fromkeys(("tensorflow variable", "object with __array__", "numpy strided"), "float32"),
    "numpy >i4": "int32",
}


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: f"{row.method}: {row.input}")
def test_row_is_about_cases(row: Any):
    from fnmatch import fnmatchcase

    for pattern in row.where:
        assert any(fnmatchcase(name, pattern) for name in CASES), pattern


# --- the matrix is complete, and so are we ---


def methods() -> list[str]:
    return [name for name in vars(theirs.SummaryWriter) if not name.startswith("_")]


@pytest.mark.parametrize("method", methods())
def test_signature(method: str):
    """Ours may have more, by keyword only."""
    torchs = inspect.signature(getattr(theirs.SummaryWriter, method)).parameters.values()
    ours = inspect.signature(getattr(kymograph.SummaryWriter, method)).parameters.values()
    plain = [each for each in ours if each.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert [(each.name, each.default) for each in plain] == [
        (each.name, each.default) for each in torchs
    ]


@pytest.mark.parametrize("method", sorted(set(methods()) - {"flush", "close", "get_logdir"}))
def test_every_argument_is_in_the_matrix(method: str):
    arguments = set(inspect.signature(getattr(theirs.SummaryWriter, method)).parameters) - {"self"}
    usual = USUAL[method]()
    changed = {
        name
        for case in CASES.values()
        if case.method == method and not case.needs
        for name in case.change()
    }
    assert changed == arguments | (changed & set(usual))
    assert arguments <= changed


# --- the constructor and the life of a writer ---


@pytest.mark.parametrize("given", [str, Path], ids=["str", "Path"])
def test_directory_and_attributes(tmp_path: Path, given: Any):
    seen = []
    for name, make in WRITERS.items():
        with make(given(tmp_path / name), filename_suffix=".end") as writer:
            (key,) = writer.all_writers
            file_name = Path(writer.file_writer.event_writer._file_name)
            seen.append(
                [
                    type(writer.log_dir),
                    type(writer.get_logdir()),
                    type(writer.file_writer.get_logdir()),
                    type(writer.file_writer).__name__,
                    type(key),
                    writer.all_writers[key] is writer.file_writer,
                    (writer.purge_step, writer.max_queue, writer.flush_secs),
                    (writer.filename_suffix, file_name.suffix, file_name.exists()),
                    writer._get_file_writer() is writer.file_writer,
                    list(writer.default_bins),
                ]
            )
            assert Path(writer.get_logdir()) == tmp_path / name
        seen[-1] += [writer.file_writer, writer.all_writers]
    assert seen[0] == seen[1]


def test_file_names_differ_in_time_host_and_number_only(tmp_path: Path):
    shapes = []
    for name, make in WRITERS.items():
        make(tmp_path / name, filename_suffix="_s").close()
        (file,) = (tmp_path / name).iterdir()
        shapes.append(re.sub(r"\d+\.\d+_s$", "PID.N_s", re.sub(r"\.\d{10}\.", ".TIME.", file.name)))
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("comment", ["", "_note", " a/b"])
def test_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comment: str):
    monkeypatch.chdir(tmp_path)
    shapes = []
    for make in WRITERS.values():
        for log_dir in (None, ""):
            with make(log_dir, comment) as writer:
                assert Path(writer.log_dir).is_dir()
                shapes.append(re.sub(r"\w{3}\d\d_\d\d-\d\d-\d\d", "MOMENT", writer.log_dir))
    assert set(shapes) == {f"runs/MOMENT_{socket.gethostname()}{comment}"}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"purge_step": 7},
        {"purge_step": 0},
        {"purge_step": 2.9},
        {"purge_step": "x"},
        {"purge_step": 2**63},
        {"max_queue": 0},
        {"max_queue": 1},
        {"flush_secs": 0},
        {"flush_secs": 0.5},
        {"comment": "ignored"},
        {"filename_suffix": ".é"},
        {"logdir": "unknown"},
    ],
    ids=repr,
)
def test_constructor(tmp_path: Path, arguments: dict[str, Any]):
    """And use after `close`, which opens a new file and does not purge again."""
    seen: list[Any] = []
    for name, make in WRITERS.items():
        try:
            writer = make(str(tmp_path / name), **arguments)
        except Exception as error:  # noqa: BLE001  (which one is the question)
            seen.append(type(error))
            continue
        for step in range(20):
            writer.add_scalar("t", step, step, 1.5)
        writer.close()
        writer.close()
        writer.flush()
        writer.add_scalar("t", 1, 21, 1.5)
        writer.close()
        files = sorted((tmp_path / name).iterdir(), key=lambda path: path.stat().st_size)
        seen.append(
            [[event_trees.described(each) for each in event_trees.events(f)] for f in files]
        )
    assert seen[0] == seen[1]


def test_a_file_in_the_way_of_the_directory(tmp_path: Path):
    """With TensorFlow installed, PyTorch's writer raises an exception of TensorFlow."""
    (tmp_path / "file").touch()
    for make, error in zip(WRITERS.values(), (Exception, FileExistsError), strict=True):
        with pytest.raises(error):
            make(str(tmp_path / "file"))


# --- what no single call shows ---


def test_first_record_names_the_writer(tmp_path: Path):
    named = []
    for name, make in WRITERS.items():
        make(str(tmp_path / name)).close()
        (file,) = (tmp_path / name).iterdir()
        (first,) = event_trees.events(file)
        named.append(first.source_metadata.writer)
    assert named == ["tensorboard.summary.writer.event_file_writer", "kymograph"]


def test_calls_that_follow_each_other(tmp_path: Path):
    """What is the same: sub-runs of several calls, and their cached writers."""
    trees, keys = [], []
    for name, make in WRITERS.items():
        with make(str(tmp_path / name), filename_suffix=".s") as writer:
            for step in range(3):
                writer.add_scalars("m", {"a": step, "b/c": -step}, step, 1.5)
                writer.add_scalar("t", step, step, 1.5)
            keys.append([Path(key).relative_to(tmp_path / name) for key in writer.all_writers])
        trees.append(event_trees.tree(tmp_path / name))
    assert trees[0] == trees[1]
    assert keys[0] == keys[1]


def test_layouts_and_embeddings_add_up(tmp_path: Path):
    for name, make in WRITERS.items():
        for _ in range(2):
            with make(str(tmp_path / name)) as writer:
                writer.add_custom_scalars_multilinechart(["a"], "first")
                writer.add_custom_scalars_multilinechart(["b"], "second")
                writer.add_embedding(np.zeros((2, 2)), tag="same")
        with make(str(tmp_path / name)) as writer:
            writer.add_embedding(np.zeros((2, 2)), tag="other")
    configs = [(tmp_path / name / "projector_config.pbtxt").read_text() for name in WRITERS]
    assert [text.count("tensor_name") for text in configs] == [1, 2]
    layouts = []
    for name in WRITERS:
        file = min((tmp_path / name).glob("events*"))
        value = event_trees.events(file)[-1].summary.value[0]
        layouts.append(value.tensor.string_val[0])
    assert [b"first" in layout for layout in layouts] == [False, True]
    assert all(b"second" in layout for layout in layouts)


def test_suffix_of_hyper_parameters(tmp_path: Path):
    ends = []
    for name, make in WRITERS.items():
        with make(str(tmp_path / name), filename_suffix=".s") as writer:
            writer.add_hparams({}, {}, run_name="run")
        (file,) = (tmp_path / name / "run").iterdir()
        ends.append(file.name.endswith(".s"))
    assert ends == [False, True]


def test_reopening(tmp_path: Path):
    for name, make in WRITERS.items():
        writer = make(str(tmp_path / name))._get_file_writer()
        writer.close()
        with pytest.raises(AttributeError) if name == "torch" else contextlib.nullcontext():
            writer.reopen()
        writer.close()
    assert len(list((tmp_path / "ours").iterdir())) == 2


# --- TensorBoard's own loaders read both alike ---


@pytest.fixture(scope="module")
def tours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One log directory of each writer with a run for each method, and one for all of them."""
    root = tmp_path_factory.mktemp("tours")
    for name, make in WRITERS.items():
        with make(str(root / name / "all")) as everything:
            for method in USUAL:
                if method in ("add_video", "add_onnx_graph"):
                    continue
                alone = method.endswith("chart")  # layouts of several calls differ
                with make(str(root / name / method)) as writer:
                    for each in [writer] if alone else [writer, everything]:
                        arguments = USUAL[method]()
                        if "tag" in arguments:
                            arguments["tag"] = f"{method}/é"
                        getattr(each, method)(**arguments)
    return {name: root / name for name in WRITERS}


@pytest.mark.parametrize("loader", ["python", "rust"])
def test_data_providers_read_the_same(tours: dict[str, Path], loader: str):
    read = {
        "python": tensorboard_loaders.read_python,
        "rust": tensorboard_loaders.read_rust,
    }[loader]
    found = [shown(read(tours[name])) for name in WRITERS]
    assert found[0] == found[1]
    dashboards = {place.dashboard for place in found[1]}
    assert dashboards >= {"scalars", "histograms", "images", "audio", "text", "hparams", "graphs"}
    assert dashboards >= {"mesh", "pr_curves", "custom_scalars"}


def shown(found: tensorboard_loaders.Found) -> dict[Any, Any]:
    """Without the time of calls that take none, with pixels for pictures and graphs as text."""
    plain: dict[Any, Any] = {}
    for place, points in found.items():
        plain[place] = []
        for point in points:
            content = point.content
            if place.dashboard == "images":
                content = [*content[:2], *map(event_trees.pixels, content[2:])]
            if place.tag == "__run_graph__":
                content = [event_trees.graph(each) for each in content]
            if place.dashboard == "hparams":
                content = sorted(content)  # maps have no order
            wall_time = None if point.wall_time > 1.7e9 else point.wall_time
            plain[place].append((point.step, wall_time, content))
    return plain


def test_event_accumulator_reads_the_same(tours: dict[str, Path]):
    """The class that scripts use to read event files."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = []
    for name in WRITERS:
        reader = EventAccumulator(str(tours[name] / "all"))
        reader.Reload()
        tags = reader.Tags()
        found.append(
            {
                "tags": {kind: sorted(v) if isinstance(v, list) else v for kind, v in tags.items()},
                "scalars": {tag: reader.Scalars(tag) for tag in tags["scalars"]},
                "histograms": {tag: reader.Histograms(tag) for tag in tags["histograms"]},
                "audio": {tag: reader.Audio(tag) for tag in tags["audio"]},
                "images": {
                    tag: [
                        (i.step, i.width, i.height, event_trees.pixels(i.encoded_image_string))
                        for i in reader.Images(tag)
                    ]
                    for tag in tags["images"]
                },
                "tensors": {
                    tag: [(t.step, str(t.tensor_proto)) for t in reader.Tensors(tag)]
                    for tag in tags["tensors"]
                },
                "graph": event_trees.graph(reader.Graph().SerializeToString()),
            }
        )
    assert found[0] == found[1]
    assert all(found[1][kind] for kind in found[1])
