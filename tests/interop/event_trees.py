"""What lies below a log directory, in a form that two writers can be compared by."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    text_format,
)
from PIL import Image, ImageSequence
from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.tensorflow_stub.pywrap_tensorflow import masked_crc32c
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig

Tree = dict[str, Any]

NOW = "now"
FILE_NAME = re.compile(r"events\.out\.tfevents\.\d{10}\..+\.\d+\.\d+.*")
#: Hyper-parameters without a name are in a directory named by the moment.
_MOMENT = re.compile(r"^\d{9,}\.\d+$")


def tree(logdir: Path, *, pictures: bool = True) -> Tree:
    """Events by directory, each as text; other files by their contents.

    Without `pictures`, those in events are left out.
    """
    found: Tree = {}
    for path in sorted(logdir.rglob("*")):
        parts = path.relative_to(logdir).parts
        name = "/".join("<moment>" if _MOMENT.match(part) else part for part in parts)
        if path.is_dir():
            found[name + "/"] = None
        elif FILE_NAME.fullmatch(path.name):
            run = name.rpartition("/")[0] + "/events"
            texts = [described(event, pictures=pictures) for event in events(path)]
            found[run] = [*found.get(run, []), *texts]
        elif path.suffix == ".png":
            found[name] = pixels(path.read_bytes())
        elif path.suffix == ".pbtxt":
            found[name] = str(text_format.Parse(path.read_text("utf-8"), ProjectorConfig()))
        else:
            found[name] = path.read_text("utf-8")
    return found


def events(path: Path) -> list[Any]:
    """The events of a file, whose every checksum is right and which ends with a record."""
    return [Event.FromString(record) for record in records(path.read_bytes())]


def records(data: bytes) -> Iterator[bytes]:
    """Payloads of `length u64, crc u32, payload, crc u32`."""
    at = 0
    while at < len(data):
        length, checksum = struct.unpack("<QI", data[at : at + 12])
        assert checksum == masked_crc32c(data[at : at + 8])
        payload = data[at + 12 : at + 12 + length]
        (checksum,) = struct.unpack("<I", data[at + 12 + length : at + 16 + length])
        assert checksum == masked_crc32c(payload)
        yield payload
        at += 16 + length


def described(event: Any, *, pictures: bool = True) -> str:
    """The event as text, for which NaN equals NaN; messages inside bytes are taken apart."""
    lines = [f"wall_time: {_wall_time(event.wall_time)}"]
    event.ClearField("wall_time")
    event.ClearField("source_metadata")  # names the program
    if event.graph_def:
        lines.append(graph(event.graph_def))
        event.ClearField("graph_def")
    if event.HasField("tagged_run_metadata"):
        lines.append(str(RunMetadata.FromString(event.tagged_run_metadata.run_metadata)))
        event.tagged_run_metadata.ClearField("run_metadata")
    for value in event.summary.value:
        if not pictures:
            value.ClearField("image")
        lines += _taken_out(value)
    return "\n".join([*lines, str(event)])


def _wall_time(seconds: float) -> str:
    return NOW if 1.7e9 < seconds < 4e9 else repr(seconds)


def _taken_out(value: Any) -> Iterator[str]:
    if value.HasField("image"):
        yield f"pixels {pixels(value.image.encoded_image_string)}"
        value.image.ClearField("encoded_image_string")
    if value.HasField("histo"):
        # Numbers are not added in the same order, which shows in the last bits.
        for name in ("sum", "sum_squares"):
            yield f"{name} {getattr(value.histo, name):.12g}"
            value.histo.ClearField(name)
    if value.metadata.plugin_data.plugin_name == "hparams":
        yield _in_order(HParamsPluginData.FromString(value.metadata.plugin_data.content))
        value.metadata.plugin_data.ClearField("content")


def graph(data: bytes) -> str:
    """A graph as text."""
    return _in_order(GraphDef.FromString(data))


def _in_order(message: Any) -> str:
    """Unlike str(), with the entries of maps in order."""
    return str(text_format.MessageToString(message))


def pixels(data: bytes) -> tuple[tuple[int, ...], str]:
    """Shape and bytes of all frames, decoded."""
    if not data:
        return ((), "")
    picture = Image.open(io.BytesIO(data))
    if getattr(picture, "n_frames", 1) == 1:
        frames = np.asarray(picture)
    else:  # each frame of a GIF may have colours of its own
        frames = np.stack([np.asarray(f.convert("RGB")) for f in ImageSequence.Iterator(picture)])
    return frames.shape, frames.tobytes().hex()
