"""Meshes, hyperparameters and embeddings as PyTorch writes them, but for the listed cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kymograph.writer.summaries import hparams, mesh, projector
from tests.interop.stdlib_media import png_pixels

pytestmark = pytest.mark.frameworks

WHY = "torch is not installed: make test-frameworks"
torch = pytest.importorskip("torch", reason=WHY)
theirs = pytest.importorskip("torch.utils.tensorboard.summary", reason=WHY)

# What we do on purpose where PyTorch does otherwise, and why.
DIFFERENCES = {
    "a bool hyperparameter": "PyTorch's test for int comes first, so that True becomes 1.0",
    "numpy numbers as hyperparameters": "PyTorch takes float64 and refuses all others",
    "a tensor without dimensions as hyperparameter": "PyTorch fails with IndexError",
    "numpy label_img": "PyTorch calls size(), which arrays have as a number",
    "label_img of bytes": "PyTorch multiplies them by 255",
    "label_img higher than wide": "PyTorch fails with ValueError",
    "the same tag and step twice": "PyTorch lists the one set of files twice",
    "a config from before": "PyTorch drops what other processes added to it",
    "a matrix as a list": "PyTorch refuses it",
    "embeddings of bfloat16": "PyTorch goes through float16, which cannot hold them all",
    "faults found in embeddings": "PyTorch leaves the files it had written by then",
}


def parsed(summary: Any) -> Any:
    from tensorboard.compat.proto.summary_pb2 import Summary

    return Summary.FromString(summary.SerializeToString())


# --- meshes ---

VERTICES = torch.tensor([[[0.1, 0, 0], [1, 0, 0], [0, 1, 1e30]]])
FACES = torch.tensor([[[0, 1, 2]]])
COLORS = torch.tensor([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], dtype=torch.uint8)


@pytest.mark.parametrize(
    "arguments",
    [
        ("cloud", VERTICES, None, None, None),
        ("all", VERTICES, COLORS, FACES, None),
        ("config", VERTICES, None, FACES, {"lights": [1, {"b": 2, "a": "ü"}], "camera": None}),
        ("names", VERTICES, COLORS, None, None, "shown", "*why*"),
        ("numpy", VERTICES.numpy(), COLORS.numpy(), FACES.numpy(), None),
        ("lists", VERTICES.tolist(), COLORS.tolist(), FACES.tolist(), None),
        ("half", VERTICES.half(), None, None, None),
        ("bfloat16", VERTICES.bfloat16(), None, None, None),
        ("double", VERTICES.double() * 1e30, None, None, None),
        ("bool", COLORS.bool(), None, None, None),
        ("gradient", VERTICES.clone().requires_grad_(), None, None, None),
        ("two", VERTICES.repeat(2, 1, 1), None, FACES.repeat(2, 1, 1), None),
        ("empty", torch.zeros(1, 0, 3), None, None, None),
        ("four columns", torch.zeros(1, 2, 4), None, None, None),
        ("", VERTICES, None, None, None),
    ],
    ids=lambda arguments: arguments[0] or "no tag",
)
def test_meshes(arguments: tuple[Any, ...]):
    assert parsed(mesh.mesh(*arguments)) == parsed(theirs.mesh(*arguments))


@pytest.mark.parametrize(
    "arguments",
    [
        ("rank 2", VERTICES[0], None, None, None),
        ("rank 4", VERTICES[None], None, None, None),
        ("complex", VERTICES.to(torch.complex64), None, None, None),
    ],
    ids=lambda arguments: arguments[0],
)
def test_wrong_meshes(arguments: tuple[Any, ...]):
    assert error(mesh.mesh, *arguments) is error(theirs.mesh, *arguments) is not None


def error(function: Any, *arguments: Any) -> type[Exception] | None:
    try:
        function(*arguments)
    except Exception as caught:  # noqa: BLE001  (which one is the question)
        return type(caught)
    return None


# --- hyperparameters ---


def messages(three: Any) -> list[Any]:
    """The contents of the three values, since maps have no order on disk."""
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    found = []
    for summary in three:
        (value,) = parsed(summary).value
        metadata = value.metadata
        found += [
            value.tag,
            HParamsPluginData.FromString(metadata.plugin_data.content),
            metadata.plugin_data.plugin_name,
            [field.name for field, _ in value.ListFields()],
        ]
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        ({}, {}),
        ({"lr": 0.1, "layers": 3, "opt": "adam", "none": None, "zero": 0}, {"loss": 0.5, "a/b": 1}),
        ({"numpy": np.float64(0.1), "text": ""}, {}),
        ({"tensor": torch.tensor([0.25, 7.0])}, {"acc": torch.tensor(1.0)}),
        ({"ünï": "çö"}, {"ünï": 1}),
        ({"": 1}, {"": 1}),
        ({"a": 1, "b": "x", "c": 0.5}, {}, {"a": [1, 2], "b": ["x", "y"], "c": []}),
        ({"a": 1}, {}, {"a": [True, 2]}),
        ({"a": None}, {}, {"a": [None]}),
        ({"big": 2**70, "nan": float("nan"), "inf": float("inf")}, {}),
    ],
)
def test_hparams(arguments: tuple[Any, ...]):
    ours_said, theirs_said = (
        messages(module.hparams(*arguments))  # NaN is not equal to itself, its text is
        for module in (hparams, theirs)
    )
    assert list(map(str, ours_said)) == list(map(str, theirs_said))


@pytest.mark.parametrize(
    "arguments",
    [
        (None, {}),
        ([("a", 1)], {}),
        ({}, ["loss"]),
        ({"a": 1}, {}, ["a"]),
        ({"a": 1}, {}, {"b": [1]}),
        ({"a": 1}, {}, {"a": (1,)}),
        ({"a": 1}, {}, {"a": [0.5]}),
        ({"a": 1}, {}, {"a": [None]}),
        ({"a": [1]}, {}),
        ({"a": {"b": 1}}, {}),
        ({"a": object()}, {}),
        ({"a": 1j}, {}),
        ({"a": torch.zeros(2, 2)}, {}),
        ({"a": torch.zeros(0)}, {}),
        ({1: 1}, {}),
        ({}, {1: 1}),
        ({"a": 10**400}, {}),
    ],
)
def test_wrong_hparams(arguments: tuple[Any, ...]):
    assert error(hparams.hparams, *arguments) is error(theirs.hparams, *arguments) is not None


def test_hparams_that_differ():
    chosen = {"bool": True, "domain": False}
    said = str(messages(hparams.hparams(chosen, {}, {"domain": [True, False]})))
    assert said.count("bool_value: true") == 2
    assert said.count("bool_value: false") == 2
    assert said.count("DATA_TYPE_BOOL") == 2
    for value in [np.float32(0.5), np.int64(3), torch.tensor(4.0)]:
        as_float = messages(hparams.hparams({"x": float(value)}, {}))
        assert messages(hparams.hparams({"x": value}, {})) == as_float
        assert error(theirs.hparams, {"x": value}, {}) in (ValueError, IndexError)


# --- embeddings ---

MAT = torch.tensor([[0.1, 2.0], [3.0, -1e-8], [float("nan"), float("inf")]])
IMAGES = torch.linspace(-0.2, 1.2, 3 * 3 * 4 * 4).reshape(3, 3, 4, 4)


def tree(folder: Path) -> dict[str, Any]:
    """What the files hold, with pixels for pictures; no event files."""
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".pbtxt":
            found[name] = text_format.Parse(path.read_text("utf-8"), ProjectorConfig())
        elif path.suffix == ".png":
            found[name] = png_pixels(path.read_bytes()).tolist()
        elif path.is_file() and "tfevents" not in path.name:
            found[name] = path.read_text("utf-8")
    return found


def both(tmp_path: Path, *calls: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What we and they write for these calls."""
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        for call in calls:
            writer.add_embedding(**call)
    (tmp_path / "ours").mkdir()
    for call in calls:
        projector.write_embedding(tmp_path / "ours", **call)
    return tree(tmp_path / "ours"), tree(tmp_path / "theirs")


@pytest.mark.parametrize(
    "calls",
    [
        [{"mat": MAT}],
        [{"mat": MAT.numpy(), "metadata": [1, "b", "ü"], "global_step": 12}],
        [{"mat": MAT[:1].bfloat16(), "global_step": 123456}],
        [{"mat": MAT.long()}],
        [{"mat": MAT, "metadata": [["a", 1], ("b", 2), ["c", 3]], "metadata_header": ["n", "i"]}],
        [{"mat": MAT, "label_img": IMAGES, "metadata": ["a", "b", "c"]}],
        [{"mat": MAT, "label_img": IMAGES[:, :1]}],
        [{"mat": MAT, "label_img": IMAGES[:, :, :2]}],
        [{"mat": MAT[:1], "label_img": IMAGES[:1]}],
        [{"mat": MAT}, {"mat": MAT, "tag": 'a/b\\c%"ü'}, {"mat": MAT, "global_step": 1}],
    ],
)
def test_embeddings(tmp_path: Path, calls: list[dict[str, Any]]):
    ours, others = both(tmp_path, *calls)
    assert ours == others
    assert any(name.endswith("tensors.tsv") for name in ours)


@pytest.mark.parametrize(
    "call",
    [
        {"mat": torch.zeros(3)},
        {"mat": torch.zeros(3, 1, 1)},
        {"mat": MAT, "metadata": ["a"]},
        {"mat": MAT, "metadata": ["ab"] * 3, "metadata_header": ["one"]},
        {"mat": MAT, "label_img": IMAGES[:2]},
        {"mat": MAT, "label_img": torch.zeros(3, 2, 4, 4)},
        {"mat": None},
        {"mat": MAT, "tag": 1},
    ],
)
def test_wrong_embeddings(tmp_path: Path, call: dict[str, Any]):
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path / "theirs")) as writer:
        raised = error(lambda: writer.add_embedding(**call))
    assert error(lambda: projector.write_embedding(tmp_path / "ours", **call)) is raised
    assert raised is not None
    assert tree(tmp_path / "ours") == {}


def test_embeddings_that_differ(tmp_path: Path):
    def sprite(name: str, images: Any) -> Any:
        projector.write_embedding(tmp_path / name, MAT.tolist(), label_img=images)
        return tree(tmp_path / name)["00000/default/sprite.png"]

    as_bytes = (IMAGES.clip(0, 1) * 255).to(torch.uint8)
    expected = sprite("float", IMAGES)
    assert sprite("numpy", IMAGES.numpy()) == expected
    assert sprite("bytes", as_bytes) == sprite("numpy bytes", as_bytes.numpy()) == expected
    assert len(sprite("high", IMAGES[..., :2])) == 8

    call = {"mat": MAT, "metadata": ["a", "b", "c"]}
    ours, others = both(tmp_path, call, call)
    assert len(ours["projector_config.pbtxt"].embeddings) == 1
    assert len(others["projector_config.pbtxt"].embeddings) == 2
    ours, _ = both_again(tmp_path)
    assert [entry.tensor_name for entry in ours["projector_config.pbtxt"].embeddings] == [
        "default:00000",
        "more:00000",
    ]


def both_again(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """A later process of each in the same directories."""
    projector.write_embedding(tmp_path / "ours", MAT, tag="more")
    return tree(tmp_path / "ours"), tree(tmp_path / "theirs")
