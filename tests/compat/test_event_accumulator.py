"""The drop-in for TensorBoard's EventAccumulator."""

import math
from pathlib import Path

import numpy as np
import pytest

from kymograph.compat.event_accumulator import (
    AudioEvent,
    EventAccumulator,
    HistogramValue,
    ImageEvent,
    ScalarEvent,
)
from kymograph.compat.values import compressed
from tests import event_files
from tests.event_files import START, double_tensor, metadata, scalar, string_tensor, value
from tests.golden import wire

KINDS = {
    *("images", "audio", "histograms", "scalars", "distributions", "tensors"),
    *("graph", "meta_graph", "run_metadata"),
}
IMAGE = wire.message(4, wire.integer(1, 2), wire.integer(2, 3), wire.message(4, b"png"))
AUDIO = wire.message(
    6,
    wire.single(1, 8000.0),
    wire.integer(3, 16),
    wire.message(4, b"riff"),
    wire.text(5, "audio/wav"),
)


def packed(number: int, numbers: list[float]) -> bytes:
    return wire.message(number, *(wire.double(1, x)[1:] for x in numbers))


HISTO = wire.message(
    5,
    *(wire.double(i, x) for i, x in enumerate([-0.5, 2.5, 5.0, 4.0, 9.0], start=1)),
    packed(6, [-1.0, 0.0, 1.0, 3.0]),
    packed(7, [0.0, 2.0, 0.0, 3.0]),
)


def accumulator(directory: Path, *events: bytes) -> EventAccumulator:
    event_files.write(directory, *events)
    return EventAccumulator(str(directory)).Reload()


def test_every_kind_is_listed_even_when_there_is_nothing(tmp_path: Path):
    tags = EventAccumulator(str(tmp_path)).Tags()
    assert set(tags) == KINDS
    assert not any(tags.values())
    assert not any(accumulator(tmp_path).Tags().values())


def test_scalars_are_events_of_three_fields(tmp_path: Path):
    events = accumulator(tmp_path, scalar("loss", 0, 2.0), scalar("loss", 5, 0.5))
    assert events.Tags()["scalars"] == ["loss"]
    assert events.Tags()["tensors"] == []
    assert events.Scalars("loss") == [ScalarEvent(START, 0, 2.0), ScalarEvent(START + 5, 5, 0.5)]
    wall_time, step, number = events.Scalars("loss")[0]
    assert (type(wall_time), type(step), type(number)) == (float, int, float)


def test_scalars_of_tensorflow_2_are_scalars_and_tensors(tmp_path: Path):
    events = accumulator(tmp_path, value("acc", metadata("scalars"), double_tensor(0.1), step=3))
    assert events.Tags()["scalars"] == events.Tags()["tensors"] == ["acc"]
    assert events.Scalars("acc") == [ScalarEvent(START + 3, 3, 0.1)]
    (event,) = events.Tensors("acc")
    assert (event.step, float(np.asarray(event.tensor_proto))) == (3, 0.1)


def test_more_points_than_tensorboard_keeps_are_all_there(tmp_path: Path):
    events = [scalar("loss", step, 1.0) for step in range(10_500)]
    event_files.write(tmp_path, *events)
    guided = EventAccumulator(str(tmp_path), size_guidance={"scalars": 100}).Reload()
    assert [event.step for event in guided.Scalars("loss")] == list(range(10_500))


def test_images_and_audio_come_from_both_encodings(tmp_path: Path):
    events = accumulator(
        tmp_path,
        value("image", IMAGE, step=1),
        value("images", metadata("images"), string_tensor(b"4", b"5", b"a", b"b"), step=2),
        value("clip", AUDIO, step=3),
        value("clips", metadata("audio"), string_tensor(b"c", b"", shape=[1, 2]), step=4),
    )
    assert events.Tags()["images"] == ["image", "images"]
    assert events.Tags()["audio"] == ["clip", "clips"]
    assert events.Tags()["tensors"] == ["clips", "images"]
    assert events.Images("image") == [ImageEvent(START + 1, 1, b"png", 3, 2)]
    assert events.Images("images") == [
        ImageEvent(START + 2, 2, b"a", 4, 5),
        ImageEvent(START + 2, 2, b"b", 4, 5),
    ]
    assert events.Audio("clip") == [AudioEvent(START + 3, 3, b"riff", "audio/wav", 8000.0, 16)]
    assert [event.encoded_audio_string for event in events.Audio("clips")] == [b"c"]


def test_histograms_have_all_fields_of_the_message(tmp_path: Path):
    events = accumulator(tmp_path, value("weights", HISTO, step=0))
    assert events.Tags()["histograms"] == events.Tags()["distributions"] == ["weights"]
    (event,) = events.Histograms("weights")
    assert event.histogram_value == HistogramValue(
        -0.5, 2.5, 5.0, 4.0, 9.0, [-1.0, 0.0, 1.0, 3.0], [0.0, 2.0, 0.0, 3.0]
    )


def test_histograms_of_tensorflow_2_have_what_is_known(tmp_path: Path):
    rows = double_tensor(0, 1, 5, 1, 2, 7, shape=[2, 3])
    events = accumulator(tmp_path, value("weights", metadata("histograms"), rows, step=0))
    found = events.Histograms("weights")[0].histogram_value
    assert (found.min, found.max, found.num) == (0.0, 2.0, 12.0)
    assert (found.bucket_limit, found.bucket) == ([1.0, 2.0], [5.0, 7.0])
    assert math.isnan(found.sum)


def test_compressed_histograms_interpolate_inside_buckets():
    uniform = HistogramValue(0.0, 4.0, 8.0, 0.0, 0.0, [1.0, 2.0, 3.0, 4.0], [2.0] * 4)
    points = (0, 2500, 5000, 8750, 10000)
    assert compressed(uniform, points) == [
        (0, 0.0),
        (2500, 1.0),
        (5000, 2.0),
        (8750, 3.5),
        (10000, 4.0),
    ]
    nothing = HistogramValue(0.0, 0.0, 0.0, 0.0, 0.0, [], [])
    assert compressed(nothing, points) == [(point, 0.0) for point in points]
    single = HistogramValue(7.0, 7.0, 3.0, 21.0, 147.0, [6.0, 8.0], [0.0, 3.0])
    assert {number for _, number in compressed(single, points)} == {7.0}


def test_there_are_nine_basis_points(tmp_path: Path):
    events = accumulator(tmp_path, value("weights", HISTO, step=0))
    (event,) = events.CompressedHistograms("weights")
    points = [point for point, _ in event.compressed_histogram_values]
    assert points == [0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000]
    numbers = [number for _, number in event.compressed_histogram_values]
    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (-0.5, 2.5)


def test_tensors_look_like_the_message(tmp_path: Path):
    numbers, strings = double_tensor(1, 2, shape=[2]), string_tensor(b"x", b"y", shape=[2, 1])
    events = accumulator(
        tmp_path,
        value("numbers", metadata("mine", b"\x08\x01"), numbers, step=0),
        value("words", metadata("text"), strings, step=0),
    )
    assert events.Tags()["tensors"] == ["numbers", "words"]
    tensor = events.Tensors("numbers")[0].tensor_proto
    assert (tensor.dtype, [dim.size for dim in tensor.tensor_shape.dim]) == (2, [2])
    assert np.frombuffer(tensor.tensor_content).tolist() == tensor.array.tolist() == [1.0, 2.0]
    assert wire.message(8, tensor.SerializeToString()) == numbers
    words = events.Tensors("words")[0].tensor_proto
    assert (words.dtype, words.array.shape, words.string_val) == (7, (2, 1), [b"x", b"y"])
    assert events.PluginTagToContent("mine") == {"numbers": b"\x08\x01"}


def test_contents_are_where_tbparse_reads_them(tmp_path: Path):
    """It takes hyper-parameters, text and tensors from a private attribute, plugin by plugin."""
    numbers = double_tensor(1.0, 2.0)
    events = accumulator(
        tmp_path,
        value("numbers", metadata("mine", b"\x08\x01"), numbers, step=0),
        value("note", metadata("text"), string_tensor(b"x"), step=0),
    )
    contents = events._plugin_to_tag_to_content
    assert contents["mine"] == {"numbers": b"\x08\x01"}
    assert list(contents["text"]) == ["note"]
    assert contents["hparams"] == {}, "a plugin without tags is empty, not an error"


def test_metadata_is_what_the_writer_says(tmp_path: Path):
    said = metadata("scalars", b"", "Loss", "a *description*")
    events = accumulator(tmp_path, value("loss", said, double_tensor(1.0), step=0))
    found = events.SummaryMetadata("loss")
    assert (found.plugin_data.plugin_name, found.display_name) == ("scalars", "Loss")
    assert found.summary_description == "a *description*"


def test_graphs_and_run_metadata_are_serialized_messages(tmp_path: Path):
    run_metadata = wire.message(8, wire.text(1, "step1"), wire.message(2, b"\x0a\x00"))
    events = accumulator(
        tmp_path,
        event_files.event(wire.message(4, b"\x0a\x01\x00")),
        event_files.event(run_metadata),
    )
    tags = events.Tags()
    assert (tags["graph"], tags["meta_graph"], tags["run_metadata"]) == (True, False, ["step1"])
    assert events.Graph().SerializeToString() == b"\x0a\x01\x00"
    assert events.RunMetadata("step1") == b"\x0a\x00"
    with pytest.raises(ValueError, match="metagraph"):
        events.MetaGraph()


def test_the_graph_of_a_metagraph_stands_in(tmp_path: Path):
    meta_graph = wire.message(9, wire.message(2, b"\x0a\x00"))
    events = accumulator(tmp_path, event_files.event(meta_graph))
    assert (events.Tags()["graph"], events.Tags()["meta_graph"]) == (True, True)
    assert events.Graph() == b"\x0a\x00"
    assert events.MetaGraph() == wire.message(2, b"\x0a\x00")


@pytest.mark.parametrize(
    "kind", ["Scalars", "Images", "Audio", "Histograms", "CompressedHistograms", "Tensors"]
)
def test_an_unknown_tag_is_a_key_error(tmp_path: Path, kind):
    events = accumulator(tmp_path, scalar("loss", 0, 1.0))
    with pytest.raises(KeyError, match="nope"):
        getattr(events, kind)("nope")
    with pytest.raises(KeyError):
        getattr(EventAccumulator(str(tmp_path)), kind)("loss")


def test_what_is_not_there_is_an_error(tmp_path: Path):
    events = accumulator(tmp_path, scalar("loss", 0, 1.0))
    for question in (events.SummaryMetadata, events.PluginTagToContent):
        with pytest.raises(KeyError):
            question("nope")
    with pytest.raises(ValueError, match="no graph"):
        events.Graph()
    with pytest.raises(ValueError, match="run metadata"):
        events.RunMetadata("nope")
    with pytest.raises(ValueError, match="timestamp"):
        EventAccumulator(str(tmp_path / "nope")).FirstEventTimestamp()
    with pytest.raises(ValueError, match="path"):
        EventAccumulator("")


def test_reload_reads_what_is_new(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0))
    events = EventAccumulator(str(tmp_path))
    assert events.FirstEventTimestamp() == START
    assert events.Reload() is events
    event_files.append(path, scalar("loss", 1, 2.0))
    assert len(events.Scalars("loss")) == 1
    assert len(events.Reload().Scalars("loss")) == 2


def test_one_file_of_several_can_be_read(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0))
    event_files.write(tmp_path, scalar("other", 0, 1.0), name="tfevents.2")
    assert EventAccumulator(str(path)).Reload().Tags()["scalars"] == ["loss"]


def test_runs_below_are_not_part_of_it(tmp_path: Path):
    event_files.write(tmp_path / "eval", scalar("other", 0, 1.0))
    assert accumulator(tmp_path, scalar("loss", 0, 1.0)).Tags()["scalars"] == ["loss"]


def test_assets_of_plugins_are_files(tmp_path: Path):
    events = accumulator(tmp_path)
    assert events.PluginAssets("projector") == []
    (tmp_path / "plugins/projector").mkdir(parents=True)
    (tmp_path / "plugins/projector/config.pbtxt").write_text("hello")
    assert events.PluginAssets("projector") == ["config.pbtxt"]
    assert events.RetrievePluginAsset("projector", "config.pbtxt") == "hello"
    with pytest.raises(KeyError):
        events.RetrievePluginAsset("projector", "../../secret")
