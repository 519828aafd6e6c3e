"""Every method of the dialect against tensorboardX: the same events, but for the listed cases."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kymograph.tensorboardx import SummaryWriter
from tests.interop.stdlib_media import gif_frames, png_pixels, wav_clip

pytestmark = pytest.mark.frameworks

WHY = "tensorboardX is not installed: make test-frameworks"
theirs = pytest.importorskip("tensorboardX", reason=WHY)

# What we do on purpose where tensorboardX does otherwise, and why; each has a test below.
DIFFERENCES = {
    "file names": "two writers in one second would write into one file, and the later truncates it",
    "first record": "it names the writer, as PyTorch's does",
    "purge_step after close": "a repeated START hides newer data",
    "flush": "it returns when everything is written",
    "write_to_disk=False": "embeddings and hyperparameters are not written either",
    "images beyond 0..1": "they are clipped; wrapped around they are noise",
    "numbers as numpy and tensors in hparams": "tensorboardX notes the name without the value",
    "metrics of hparams with odd tags": "the list has the cleaned tag, under which they are logged",
    "mesh metadata": "it lists the parts; without a list, TensorBoard requests all",
    "mesh ranks": "ValueError instead of IndexError, or of a tensor cut short",
    "the same embedding again": "its entry is replaced, not repeated",
    "pictures of bytes in embeddings": "tensorboardX multiplies them by 255",
    "padding of sprites": "black; tensorboardX leaves memory that was never written",
    "OpenVINO graphs": "a node for each layer; tensorboardX has one for each edge",
    "use_metadata with only a step": "the wall time is now, not 0",
    "use_metadata and add_scalars": "the defaults hold there too",
    "add_scalars with a leading slash": "it stays below logdir",
    "bfloat16, numeric strings": "they are taken; tensorboardX fails",
    "int16 sound": "samples are kept; tensorboardX clips them to -1..1",
    "NaN": "no message; the value is written as it is by both",
}

Call = Callable[[Any], None]


def events(directory: Path) -> list[Any]:
    """All events of a directory, parsed, without the first records and wall times of our own."""
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
    from tensorboard.compat.proto.event_pb2 import Event

    found = []
    for file in sorted(directory.glob("*tfevents*")):
        for raw in RawEventFileLoader(str(file)).Load():
            event = Event.FromString(raw)
            if event.WhichOneof("what") != "file_version":
                found.append(event)
    return found


def tree(logdir: Path) -> dict[str, Any]:
    """What lies below a log directory: events by run, and the other files."""
    found: dict[str, Any] = {}
    for path in sorted(logdir.rglob("*")):
        name = str(path.relative_to(logdir))
        if "tfevents" in path.name:
            run = str(path.parent.relative_to(logdir))
            found[run] = [comparable(event) for event in events(path.parent)]
        elif path.suffix == ".png":
            found[name] = png_pixels(path.read_bytes()).tolist()
        elif path.is_file():
            found[name] = path.read_text("utf-8")
    return found


def comparable(event: Any) -> str:
    """The event as text, with what media show in place of their bytes, and maps in order."""
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    shown = []
    for value in event.summary.value:
        if value.HasField("image"):
            data = value.image.encoded_image_string
            if data[:3] == b"GIF":
                shown.append(f"GIF of {gif_frames(data)} frames")
            else:
                shown.append(str(png_pixels(data).tolist()))
            value.image.encoded_image_string = b""
        if value.HasField("audio"):
            shown.append(str(wav_clip(value.audio.encoded_audio_string)))
            value.audio.encoded_audio_string = b""
        plugin = value.metadata.plugin_data
        if plugin.plugin_name == "hparams":
            shown.append(str(HParamsPluginData.FromString(plugin.content)))
            plugin.content = b""
    if abs(event.wall_time - time.time()) < 3600:
        event.wall_time = -1
    return f"{event}{shown}"


def both(tmp_path: Path, *calls: Call) -> tuple[dict[str, Any], dict[str, Any]]:
    for name, kind in {"ours": SummaryWriter, "theirs": theirs.SummaryWriter}.items():
        writer = kind(str(tmp_path / name))
        for call in calls:
            call(writer)
        writer.close()
    return tree(tmp_path / "ours"), tree(tmp_path / "theirs")


RANDOM = np.random.default_rng(0)
NOISE = RANDOM.integers(0, 256, (3, 6, 8)).astype(np.uint8)
BATCH = RANDOM.integers(0, 256, (11, 3, 4, 4)).astype(np.uint8)
WAVE = RANDOM.uniform(-1, 1, 500)
# Of these, sums are the same in whatever order they are made.
EXACT = np.round(WAVE * 1024) / 1024
CUBE = RANDOM.uniform(-1, 1, (2, 5, 3)).astype(np.float32)
COUNTS = [np.arange(5) for _ in range(6)]
BOXES = np.array([[1, 1, 4, 3], [2, 0, 6, 5]])


def figure() -> Any:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    drawn, axes = pyplot.subplots(figsize=(1, 1))
    axes.plot([1, 2])
    return drawn


SAME: dict[str, Call] = {
    "scalar": lambda w: w.add_scalar("a/b", 0.1, 3, 5.0),
    "scalar, odd tag": lambda w: w.add_scalar("//a b:c\\ü%", 0.1, 3, 5.0),
    "scalar, described": lambda w: w.add_scalar("a b", 1, 3, 5.0, "Name", "*why*"),
    "scalar, only a name": lambda w: w.add_scalar("a", 1, 3, 5.0, display_name="Name"),
    "scalar, no step": lambda w: w.add_scalar("a", np.float32(1)),
    "scalar, array": lambda w: w.add_scalar("a", np.array([[2]]), np.int64(3)),
    "scalar, list": lambda w: w.add_scalar("a", [2.5], 1),
    "scalar, large": lambda w: w.add_scalar("a", 1e300, 1),
    "scalar, not a number": lambda w: w.add_scalar("a", math.nan, 1),
    "scalar, no tag": lambda w: w.add_scalar(None, 1, 1),
    "scalars": lambda w: w.add_scalars("a b/c", {"x": 1, "y/z w": np.array(2)}, 3, 5.0),
    "scalars, no step": lambda w: w.add_scalars("a", {"x": 1}),
    "histogram": lambda w: w.add_histogram("a b", EXACT, 1, walltime=5.0),
    "histogram, list": lambda w: w.add_histogram("a", [1, 2, 2, 3], 1),
    "histogram, edges": lambda w: w.add_histogram("a", EXACT, 1, bins=[-1, -0.5, 0, 1]),
    "histogram, auto": lambda w: w.add_histogram("a", EXACT, 1, "auto", 5.0, 4),
    "histogram, raw": lambda w: w.add_histogram_raw("a b", 0, 2, 3, 4, 5, [1, 2], [0, 3], 1, 5.0),
    "image": lambda w: w.add_image("a b", NOISE, 1, 5.0),
    "image, floats": lambda w: w.add_image("a", NOISE / 256, 1),
    "image, HWC": lambda w: w.add_image("a", NOISE.transpose(1, 2, 0), 1, dataformats="HWC"),
    "image, HW": lambda w: w.add_image("a", NOISE[0], 1, dataformats="HW"),
    "image, one channel": lambda w: w.add_image("a", NOISE[:1], 1),
    "image, alpha": lambda w: w.add_image("a", NOISE[[0, 1, 2, 0]], 1),
    "images": lambda w: w.add_images("a b", BATCH, 1, 5.0),
    "images, one channel": lambda w: w.add_images("a", BATCH[:, :1], 1),
    "images, alpha": lambda w: w.add_images("a", BATCH[:, [0, 1, 2, 0]], 1),
    "images, NHWC": lambda w: w.add_images("a", BATCH.transpose(0, 2, 3, 1), 1, None, "NHWC"),
    "images, list": lambda w: w.add_images("a", list(BATCH), 1, dataformats="CHW"),
    "images, list without axes": lambda w: w.add_images("a", list(BATCH), 1),
    "boxes": lambda w: w.add_image_with_boxes("a b", np.full((3, 20, 30), 9, np.uint8), BOXES, 1),
    "boxes, labels": lambda w: w.add_image_with_boxes(
        "a", np.full((20, 30, 3), 9, np.uint8), BOXES, 1, 5.0, "HWC", ["x", "y"]
    ),
    "figure": lambda w: w.add_figure("a b", figure(), 1, walltime=5.0),
    "figures": lambda w: w.add_figure("a", [figure(), figure()], 1, True, 5.0),
    "video": lambda w: w.add_video("a b", BATCH[None], 1, 8, 5.0),
    "video, THWCN": lambda w: w.add_video(
        "a", BATCH[None].transpose(1, 3, 4, 2, 0), 1, dataformats="THWCN"
    ),
    "sound": lambda w: w.add_audio("a b", WAVE, 1, 8000, 5.0),
    "sound, one channel": lambda w: w.add_audio("a", WAVE[:, None].astype(np.float32), 1),
    "sound, stereo": lambda w: w.add_audio("a", WAVE.reshape(-1, 2), 1),
    "text": lambda w: w.add_text("a b", "**ü**", 1, 5.0),
    "PR curve": lambda w: w.add_pr_curve("a b", WAVE > 0, abs(WAVE), 1, 9, None, 5.0),
    "PR curve, weights": lambda w: w.add_pr_curve("a", WAVE > 0, abs(WAVE), 1, weights=abs(WAVE)),
    "PR curve, raw": lambda w: w.add_pr_curve_raw("a b", *COUNTS, 1, 5, None, 5.0),
    "layout": lambda w: w.add_custom_scalars({"c": {"t": ["Multiline", ["a", "b"]]}}),
    "layout, lines": lambda w: w.add_custom_scalars_multilinechart(["a", "b"], "c", "t"),
    "layout, margins": lambda w: w.add_custom_scalars_marginchart(["a", "b", "c"]),
    "hparams": lambda w: w.add_hparams(
        {"lr": 0.1, "n": 3, "s": "x", "b": True, "f": len, "none": None, "list": [1]},
        {"loss": 0.5, "acc/a": 1},
        "trial",
        4,
    ),
    "embedding": lambda w: w.add_embedding(CUBE[0], list("abcde"), global_step=3, tag="a/b%"),
    "embedding, header": lambda w: w.add_embedding(
        CUBE[0], [[1, "a"]] * 5, metadata_header=["id", "name"]
    ),
    "metadata of both kinds": lambda w: metadata(w, global_step=3, walltime=5.0),
}


def metadata(writer: Any, **defaults: Any) -> None:
    with writer.use_metadata(**defaults):
        writer.add_scalar("a", 1)
        writer.add_scalar("own", 1, 9, 8.0)
        writer.add_text("b", "text")
        writer.add_histogram("c", [1, 2])


@pytest.mark.parametrize("case", SAME)
def test_the_same_events(tmp_path: Path, case: str):
    ours, others = both(tmp_path, SAME[case])
    if "projector_config.pbtxt" in ours:
        configs = [config(found.pop("projector_config.pbtxt")) for found in (ours, others)]
        assert configs[0] == configs[1]
    assert ours == others
    assert any(ours.values()) or case == "images, list without axes"


def config(text: str) -> Any:
    from google.protobuf import text_format
    from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

    return text_format.Parse(text, ProjectorConfig())


FAILING: dict[str, Call] = {
    "scalar of two": lambda w: w.add_scalar("a", [1, 2]),
    "scalar of nothing": lambda w: w.add_scalar("a", None),
    "tag that is a number": lambda w: w.add_scalar(1, 1),
    "empty histogram": lambda w: w.add_histogram("a", []),
    "raw histogram": lambda w: w.add_histogram_raw("a", 0, 1, 1, 1, 1, [1], [1, 2]),
    "image of other rank": lambda w: w.add_image("a", NOISE[0]),
    "axes twice": lambda w: w.add_image("a", NOISE, dataformats="CCH"),
    "sound of three channels": lambda w: w.add_audio("a", np.zeros((5, 3))),
    "sound with channels first": lambda w: w.add_audio("a", np.zeros((1, 5))),
    "no sound": lambda w: w.add_audio("a", np.zeros(0)),
    "text of bytes": lambda w: w.add_text("a", b"text"),
    "margins of two": lambda w: w.add_custom_scalars_marginchart(["a", "b"]),
    "hparams of lists": lambda w: w.add_hparams([], {}),
    "embedding of rank 1": lambda w: w.add_embedding(CUBE[0, 0]),
    "labels too few": lambda w: w.add_embedding(CUBE[0], ["a"]),
    "pictures not square": lambda w: w.add_embedding(CUBE[0], label_img=np.zeros((5, 3, 2, 3))),
    "pictures too large": lambda w: w.add_embedding(
        CUBE[0], label_img=np.zeros((5, 1, 3000, 3000), np.uint8)
    ),
    "unknown keyword of boxes": lambda w: w.add_image_with_boxes("a", NOISE, BOXES, other=1),
    "no metadata": metadata,
}


@pytest.mark.parametrize("case", FAILING)
def test_the_same_exceptions(tmp_path: Path, case: str):
    raised = []
    for name, kind in {"ours": SummaryWriter, "theirs": theirs.SummaryWriter}.items():
        with kind(str(tmp_path / name)) as writer:
            try:
                FAILING[case](writer)
            except Exception as error:  # noqa: BLE001  (which one is the question)
                raised.append(type(error))
    assert len(raised) == 2
    assert raised[0] is raised[1]


def test_unknown_keywords_of_the_constructor(tmp_path: Path):
    for kind in (SummaryWriter, theirs.SummaryWriter):
        with pytest.raises(TypeError):
            kind(str(tmp_path), unknown=1)


def test_exported_scalars(tmp_path: Path):
    def export(writer: Any) -> None:
        writer.add_scalars("a/b", {"x": 1, "y": np.array([2.5])}, 3, 5.0)
        writer.add_scalars("a/b", {"x": 2}, walltime=6.0)
        writer.export_scalars_to_json(str(tmp_path / "out.json"))
        found = json.loads((tmp_path / "out.json").read_text())
        base = str(writer.logdir)
        exported.append({str(Path(key).relative_to(base)): found[key] for key in found})

    exported: list[Any] = []
    both(tmp_path, export)
    assert exported[0] == exported[1] != {}


def test_sub_runs_and_default_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names = set()
    for kind in (SummaryWriter, theirs.SummaryWriter):
        writer = kind(comment="_c")
        names.add(Path(writer.logdir).name.split("_", 2)[2])
        writer.close()
    assert len(names) == 1


# --- the listed cases ---


@pytest.mark.filterwarnings("ignore:.*jit.*")
def test_graphs_are_tagged_profiler(tmp_path: Path):
    torch = pytest.importorskip("torch", reason="torch is not installed: make test-frameworks")
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())

    ours, others = both(tmp_path, lambda w: w.add_graph(model, torch.zeros(1, 2)))
    assert [text.count("profiler") for text in ours["."]] == [0, 1]
    tags = [e.tagged_run_metadata for e in events(tmp_path / "ours")]
    assert tags == [e.tagged_run_metadata for e in events(tmp_path / "theirs")]
    assert [nodes(event) for event in events(tmp_path / "ours")[:1]] == [
        nodes(event) for event in events(tmp_path / "theirs")[:1]
    ]
    assert len(others["."]) == 2


def nodes(event: Any) -> list[tuple[str, str, list[str]]]:
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    graph = GraphDef.FromString(event.graph_def)
    return [(node.name, node.op, list(node.input)) for node in graph.node]


def test_openvino_graphs(tmp_path: Path):
    (tmp_path / "model.xml").write_text(
        '<net><layers><layer id="0" name="in"/><layer id="1" name="relu"/></layers>'
        '<edges><edge from-layer="0" to-layer="1"/></edges></net>'
    )
    both(tmp_path, lambda w: w.add_openvino_graph(str(tmp_path / "model.xml")))
    ((first, *ours), others) = (nodes(*events(tmp_path / name)) for name in ("ours", "theirs"))
    assert first[0] == "in"
    assert [(name, inputs) for name, _, inputs in ours] == [("relu", ["in"])]
    assert [(name, inputs) for name, _, inputs in others] == [("relu", ["in"])]


def test_meshes_list_their_parts(tmp_path: Path):
    from tensorboard.plugins.mesh.plugin_data_pb2 import MeshPluginData

    faces = np.array([[[0, 1, 2]]] * 2)
    both(
        tmp_path,
        lambda w: w.add_mesh("a b", CUBE, abs(CUBE), faces, {"b": 1, "a": 2}, 1, 5.0),
        lambda w: w.add_mesh("cloud", CUBE, global_step=2),
    )
    values = [
        [value for event in events(tmp_path / name) for value in event.summary.value]
        for name in ("ours", "theirs")
    ]
    assert [value.tag for value in values[0]] == ["a b_1", "a b_2", "a b_3", "cloud_1"]
    for ours, others in zip(*values, strict=True):
        mine, theirs = (
            MeshPluginData.FromString(v.metadata.plugin_data.content) for v in (ours, others)
        )
        assert mine.components == (2 if ours.tag == "cloud_1" else 14)
        assert mine.json_config == ("{}" if theirs.json_config == "null" else theirs.json_config)
        mine.components, mine.json_config = theirs.components, theirs.json_config
        assert mine == theirs
        ours.metadata.plugin_data.content = others.metadata.plugin_data.content
        assert ours == others


def test_meshes_of_other_ranks(tmp_path: Path):
    with SummaryWriter(tmp_path / "ours") as writer, pytest.raises(ValueError, match="BxNx3"):
        writer.add_mesh("a", CUBE[0])


def test_images_are_clipped(tmp_path: Path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("a", np.array([[[1.5, -1.0]]]))
    (event,) = events(tmp_path)
    pixels = png_pixels(event.summary.value[0].image.encoded_image_string)
    assert pixels.tolist() == [[[255] * 3, [0] * 3]]


def test_pictures_of_embeddings(tmp_path: Path):
    floats = BATCH[:5] / 255
    ours, others = both(tmp_path, lambda w: w.add_embedding(CUBE[0], label_img=floats))
    name = "00000/default/sprite.png"
    grid = np.s_[:8]  # two rows of three, and nothing below
    assert (np.array(ours[name])[grid] == np.array(others[name])[grid]).all()
    assert not np.array(ours[name])[8:].any()
    assert config(ours["projector_config.pbtxt"]) == config(others["projector_config.pbtxt"])
    with SummaryWriter(tmp_path / "bytes") as writer:
        writer.add_embedding(CUBE[0], label_img=BATCH[:5])
    close = np.array(tree(tmp_path / "bytes")[name]).astype(int) - np.array(ours[name])
    assert abs(close).max() <= 1


def test_the_same_embedding_again(tmp_path: Path):
    again = [lambda w: w.add_embedding(CUBE[0])] * 2
    ours, others = both(tmp_path, *again)
    assert len(config(ours["projector_config.pbtxt"]).embeddings) == 1
    assert len(config(others["projector_config.pbtxt"]).embeddings) == 2


def test_metadata_with_a_step_only(tmp_path: Path):
    both(tmp_path, lambda w: metadata(w, global_step=3))
    ours, others = (events(tmp_path / name)[0] for name in ("ours", "theirs"))
    assert (ours.step, others.step) == (3, 3)
    assert abs(ours.wall_time - time.time()) < 60
    assert ours.wall_time >= others.wall_time


def test_hparams_that_tensorboardx_does_not_write(tmp_path: Path):
    def call(writer: Any) -> None:
        writer.add_hparams({"n": np.int64(3), "a": np.array([0.5])}, {"a b": 1}, "trial")

    ours, others = both(tmp_path, call)
    assert ours["trial"][1].count("number_value") == 2
    assert others["trial"][1].count("number_value") == 0
    assert "a_b" in ours["trial"][0]
    assert "a b" in others["trial"][0]
    assert ours["trial"][3] == others["trial"][3]


def test_inputs_that_tensorboardx_refuses(tmp_path: Path):
    torch = pytest.importorskip("torch", reason="torch is not installed: make test-frameworks")
    for value in (torch.tensor(2.0, dtype=torch.bfloat16), "2.0"):
        with theirs.SummaryWriter(str(tmp_path / "theirs")) as writer, pytest.raises(TypeError):
            writer.add_scalar("a", value)
        with SummaryWriter(tmp_path / "ours") as ours:
            ours.add_scalar("a", value)
    values = [event.summary.value[0].simple_value for event in events(tmp_path / "ours")]
    assert values == [2.0, 2.0]


def test_torch_inputs(tmp_path: Path):
    torch = pytest.importorskip("torch", reason="torch is not installed: make test-frameworks")
    ours, others = both(
        tmp_path,
        lambda w: w.add_scalar("a", torch.tensor([1.5], requires_grad=True), torch.tensor(3)),
        lambda w: w.add_histogram("b", torch.arange(9.0), 1),
        lambda w: w.add_image("c", torch.from_numpy(NOISE), 1),
        lambda w: w.add_images("d", [torch.from_numpy(image) for image in BATCH], 1, None, "CHW"),
        lambda w: w.add_audio("e", torch.from_numpy(WAVE), 1),
        lambda w: w.add_pr_curve("f", torch.from_numpy(WAVE > 0), torch.from_numpy(abs(WAVE)), 1),
    )
    assert ours == others
    assert len(ours["."]) == 6


def test_tensorboard_reads_ours(tmp_path: Path):
    """As it reads tensorboardX's: the same tags with the same dashboards."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    names = ["scalar", "histogram", "image", "sound", "text", "PR curve", "layout", "video"]
    both(tmp_path, *(SAME[name] for name in names))
    found = []
    for name in ("ours", "theirs"):
        accumulator = EventAccumulator(str(tmp_path / name))
        accumulator.Reload()
        found.append(accumulator.Tags())
    assert found[0] == found[1]
    assert found[0]["scalars"] == ["a/b"]


def test_we_read_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the golden files of tensorboardX say, said through our writer."""
    from tests.golden import make_tensorboardx
    from tests.interop.test_golden import check_logdir

    monkeypatch.setattr(make_tensorboardx, "SummaryWriter", SummaryWriter)
    make_tensorboardx.make(tmp_path / "tensorboardx")
    check_logdir(tmp_path / "tensorboardx")
