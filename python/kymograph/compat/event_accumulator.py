"""A drop-in for TensorBoard's EventAccumulator that keeps every point.

Change the import, and nothing else:

    from kymograph.compat.event_accumulator import EventAccumulator

    events = EventAccumulator("runs/1").Reload()
    for event in events.Scalars("loss"):
        print(event.wall_time, event.step, event.value)

Differences, all of them improvements or due to the absence of protobuf:

- Scalars, images, audio and histograms that TensorFlow 2 wrote as tensors are listed as what they
  are, and as tensors too, as TensorBoard has them.
- Nothing is sampled away: `size_guidance` is accepted and has no effect.
- A NaN time is replaced by that of the event before; damage is skipped.
- `Graph()`, `MetaGraph()` and `RunMetadata()` give the serialized message, `Tensors()` objects
  with numpy arrays.
"""

# The names of methods are TensorBoard's.
# ruff: noqa: N802

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from kymograph.compat import pictures, values
from kymograph.compat.tensor_proto import TensorProto
from kymograph.compat.values import HistogramValue
from kymograph.errors import UnknownTagError
from kymograph.store import BlobSeries, Metadata, Run, Series, Store, wire

__all__ = [
    "AUDIO",
    "COMPRESSED_HISTOGRAMS",
    "DEFAULT_SIZE_GUIDANCE",
    "GRAPH",
    "HISTOGRAMS",
    "IMAGES",
    "META_GRAPH",
    "NORMAL_HISTOGRAM_BPS",
    "RUN_METADATA",
    "SCALARS",
    "STORE_EVERYTHING_SIZE_GUIDANCE",
    "TENSORS",
    "AudioEvent",
    "CompressedHistogramEvent",
    "EventAccumulator",
    "HistogramEvent",
    "HistogramValue",
    "ImageEvent",
    "Message",
    "PluginData",
    "ScalarEvent",
    "SummaryMetadata",
    "TensorEvent",
]

COMPRESSED_HISTOGRAMS = "distributions"
HISTOGRAMS = "histograms"
IMAGES = "images"
AUDIO = "audio"
SCALARS = "scalars"
TENSORS = "tensors"
GRAPH = "graph"
META_GRAPH = "meta_graph"
RUN_METADATA = "run_metadata"

NORMAL_HISTOGRAM_BPS = (0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000)

STORE_EVERYTHING_SIZE_GUIDANCE = {
    COMPRESSED_HISTOGRAMS: 0,
    IMAGES: 0,
    AUDIO: 0,
    SCALARS: 0,
    HISTOGRAMS: 0,
    TENSORS: 0,
}
DEFAULT_SIZE_GUIDANCE = STORE_EVERYTHING_SIZE_GUIDANCE
"""TensorBoard keeps a few of each kind; Kymograph keeps everything."""

_RUN_GRAPH, _RUN_META_GRAPH = "__run_graph__", "__meta_graph__"
_RUN_METADATA_PLUGIN = "graph_tagged_run_metadata"


class ScalarEvent(NamedTuple):
    """A number."""

    wall_time: float
    step: int
    value: float


class HistogramEvent(NamedTuple):
    """A histogram."""

    wall_time: float
    step: int
    histogram_value: HistogramValue


class CompressedHistogramEvent(NamedTuple):
    """A histogram as the values at some basis points."""

    wall_time: float
    step: int
    compressed_histogram_values: list[tuple[float, float]]


class ImageEvent(NamedTuple):
    """A picture; several that were logged together are several events."""

    wall_time: float
    step: int
    encoded_image_string: bytes
    width: int
    height: int


class AudioEvent(NamedTuple):
    """A clip; several that were logged together are several events."""

    wall_time: float
    step: int
    encoded_audio_string: bytes
    content_type: str
    sample_rate: float
    length_frames: int


class TensorEvent(NamedTuple):
    """A tensor."""

    wall_time: float
    step: int
    tensor_proto: TensorProto


class PluginData(NamedTuple):
    """Which plugin a tag belongs to."""

    plugin_name: str
    content: bytes


class SummaryMetadata(NamedTuple):
    """The metadata that a writer logged for a tag."""

    plugin_data: PluginData
    display_name: str
    summary_description: str
    data_class: int


_SummaryMetadata: TypeAlias = SummaryMetadata  # a method below has its name


class Message(bytes):
    """A serialized protobuf message: `GraphDef.FromString(accumulator.Graph())`."""

    def SerializeToString(self) -> bytes:
        """The bytes."""
        return bytes(self)


class EventAccumulator:
    """The events of one run: of the files in a directory, or of one file.

    `size_guidance` is accepted and has no effect: every point is kept.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        size_guidance: Mapping[str, int] | None = None,  # noqa: ARG002  (TensorBoard's)
        compression_bps: Sequence[int] = NORMAL_HISTOGRAM_BPS,
        purge_orphaned_data: bool = True,  # noqa: FBT001, FBT002, RUF100  (TensorBoard's)
    ) -> None:
        if not path:
            raise ValueError("path must be a valid string")
        self.path = os.fspath(path)
        self.purge_orphaned_data = purge_orphaned_data
        self._compression_bps = compression_bps
        self._store: Store | None = None

    def Reload(self) -> EventAccumulator:
        """Loads what was logged since the last call, and returns the accumulator."""
        if self._store is None:
            # A path, so that no colon or comma in it means anything.
            store = Store(Path(self.path), purge_orphaned_data=self.purge_orphaned_data)
            store.wait()
            self._store = store
        else:
            self._store.refresh()
        return self

    def Tags(self) -> dict[str, list[str] | bool]:
        """All tags by kind; for the graphs, whether there is one."""
        return {
            IMAGES: [blobs.tag for blobs in self._blobs(IMAGES)],
            AUDIO: [blobs.tag for blobs in self._blobs(AUDIO)],
            HISTOGRAMS: [blobs.tag for blobs in self._blobs(HISTOGRAMS)],
            SCALARS: self._run.tags() if self._run else [],
            COMPRESSED_HISTOGRAMS: [blobs.tag for blobs in self._blobs(HISTOGRAMS)],
            TENSORS: self._tensor_tags(),
            GRAPH: self._find("graphs", _RUN_GRAPH) is not None or self._meta_graph_def() != b"",
            META_GRAPH: self._find("graphs", _RUN_META_GRAPH) is not None,
            RUN_METADATA: [blobs.tag for blobs in self._run_metadata()],
        }

    def Scalars(self, tag: str) -> list[ScalarEvent]:
        """The scalars of a tag; raises KeyError when there are none."""
        if self._run is None:
            raise UnknownTagError(f"no scalars with the tag: {tag!r}")
        series = self._run.series(tag)
        columns = (series.wall_times, series.steps, series.values)
        return list(map(ScalarEvent._make, zip(*(c.tolist() for c in columns), strict=True)))

    def Images(self, tag: str) -> list[ImageEvent]:
        """The images of a tag; raises KeyError when there are none."""
        return [
            ImageEvent(blob.wall_time, blob.step, item, width, height)
            for blob in self._require(IMAGES, tag)
            for width, height, item in values.images(blob)
        ]

    def Audio(self, tag: str) -> list[AudioEvent]:
        """The clips of a tag; raises KeyError when there are none."""
        return [
            AudioEvent(blob.wall_time, blob.step, *clip)
            for blob in self._require(AUDIO, tag)
            for clip in values.clips(blob)
        ]

    def Histograms(self, tag: str) -> list[HistogramEvent]:
        """The histograms of a tag; raises KeyError when there are none."""
        return [
            HistogramEvent(blob.wall_time, blob.step, values.histogram(blob))
            for blob in self._require(HISTOGRAMS, tag)
        ]

    def CompressedHistograms(self, tag: str) -> list[CompressedHistogramEvent]:
        """The histograms of a tag, each as its values at the basis points.

        Raises KeyError when there are none.
        """
        return [
            CompressedHistogramEvent(
                event.wall_time,
                event.step,
                values.compressed(event.histogram_value, self._compression_bps),
            )
            for event in self.Histograms(tag)
        ]

    def Tensors(self, tag: str) -> list[TensorEvent]:
        """The tensors of a tag; raises KeyError when there are none."""
        if tag not in self._tensor_tags():
            raise UnknownTagError(f"no tensors with the tag: {tag!r}")
        run = self._run
        if run is not None and tag in run.tags():
            return [
                TensorEvent(event.wall_time, event.step, TensorProto.of_scalar(event.value))
                for event in self.Scalars(tag)
            ]
        blobs = next(blobs for blobs in self._all_blobs() if blobs.tag == tag)
        return [
            TensorEvent(blob.wall_time, blob.step, tensor)
            for blob in blobs
            if (tensor := values.tensor(blob)) is not None
        ]

    def Graph(self) -> Message:
        """The serialized GraphDef; raises ValueError when there is none."""
        graph = self._find("graphs", _RUN_GRAPH)
        data = graph[-1].read() if graph else self._meta_graph_def()
        if not graph and not data:
            raise ValueError("There is no graph in this EventAccumulator")
        return Message(data)

    def MetaGraph(self) -> Message:
        """The serialized MetaGraphDef; raises ValueError when there is none."""
        graph = self._find("graphs", _RUN_META_GRAPH)
        if not graph:
            raise ValueError("There is no metagraph in this EventAccumulator")
        return Message(graph[-1].read())

    def RunMetadata(self, tag: str) -> Message:
        """The serialized RunMetadata of a tag; raises ValueError when there is none."""
        for blobs in self._run_metadata():
            if blobs.tag == tag:
                return Message(blobs[-1].read())
        raise ValueError("There is no run metadata with this tag name")

    def FirstEventTimestamp(self) -> float:
        """The earliest time of all events; raises ValueError when there are none."""
        if self._store is None:
            self.Reload()
        if self._run is None or self._run.first_event_time is None:
            raise ValueError("No event timestamp could be found")
        return self._run.first_event_time

    def SummaryMetadata(self, tag: str) -> _SummaryMetadata:
        """The metadata of a tag; raises KeyError when there is none."""
        return self.summary_metadata[tag]

    @property
    def summary_metadata(self) -> dict[str, _SummaryMetadata]:
        """The metadata of each tag."""
        run = self._run
        series: list[Series | BlobSeries] = []
        if run is not None:
            series = [*run.all_series(), *self._all_blobs()]
        own = (_RUN_GRAPH, _RUN_META_GRAPH)
        found = {one.tag: one.metadata for one in series if one.tag not in own}
        return {
            tag: _SummaryMetadata(
                PluginData(metadata.plugin_name, metadata.content),
                metadata.display_name,
                metadata.description,
                metadata.data_class,
            )
            for tag, metadata in found.items()
            if metadata not in (Metadata(), Metadata(_RUN_METADATA_PLUGIN))
        }

    def PluginTagToContent(self, plugin_name: str) -> dict[str, bytes]:
        """The plugin's own metadata for each of its tags; raises KeyError when it has none."""
        contents = self._plugin_to_tag_to_content.get(plugin_name)
        if not contents:
            raise UnknownTagError(f"no such plugin: {plugin_name!r}")
        return contents

    @property
    def _plugin_to_tag_to_content(self) -> dict[str, dict[str, bytes]]:
        """As in TensorBoard, where it is private and tbparse reads it all the same."""
        contents: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
        for tag, metadata in self.summary_metadata.items():
            plugin = metadata.plugin_data
            contents[plugin.plugin_name][tag] = plugin.content
        return contents

    def PluginAssets(self, plugin_name: str) -> list[str]:
        """The names of the files in `plugins/<name>` of the run."""
        folder = Path(self.path, "plugins", plugin_name)
        return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []

    def RetrievePluginAsset(self, plugin_name: str, asset_name: str) -> str:
        """The text of a file in `plugins/<name>`; raises KeyError when it is not there."""
        if asset_name not in self.PluginAssets(plugin_name):
            raise UnknownTagError(f"plugin `{plugin_name}` has no asset: {asset_name!r}")
        return Path(self.path, "plugins", plugin_name, asset_name).read_text("utf-8")

    @property
    def _run(self) -> Run | None:
        # Runs in directories below are ignored.
        return self._store.runs.get(".") if self._store else None

    def _all_blobs(self) -> list[BlobSeries]:
        return pictures.joined(self._run) if self._run else []

    def _blobs(self, dashboard: str) -> list[BlobSeries]:
        return pictures.joined(self._run, dashboard) if self._run else []

    def _find(self, dashboard: str, tag: str) -> BlobSeries | None:
        return next((blobs for blobs in self._blobs(dashboard) if blobs.tag == tag), None)

    def _require(self, dashboard: str, tag: str) -> BlobSeries:
        found = self._find(dashboard, tag)
        if found is None:
            raise UnknownTagError(f"no {dashboard} with the tag: {tag!r}")
        return found

    def _run_metadata(self) -> list[BlobSeries]:
        blobs = self._blobs("graphs")
        return [one for one in blobs if one.metadata.plugin_name == _RUN_METADATA_PLUGIN]

    def _meta_graph_def(self) -> bytes:
        """The graph inside the MetaGraphDef, used when there is no other."""
        graph = self._find("graphs", _RUN_META_GRAPH)
        return wire.bytes_of(wire.read(graph[-1].read()), 2) if graph else b""

    def _tensor_tags(self) -> list[str]:
        """The tags whose values are tensors in the file, whatever else they are."""
        if self._run is None:
            return []
        # The points of a scalar do not show it; writers of tensors name the plugin.
        scalars = [s.tag for s in self._run.all_series() if s.metadata.plugin_name == SCALARS]
        graphs = (_RUN_METADATA_PLUGIN, "graphs")
        blobs = [
            blobs.tag
            for blobs in self._all_blobs()
            if blobs.metadata.plugin_name not in graphs and values.tensor(blobs[0]) is not None
        ]
        return sorted({*scalars, *blobs})
