"""Embeddings into the files that the projector reads; none of it goes into event files.

<log_dir>/projector_config.pbtxt                    every embedding of the run, text format
<log_dir>/<step, 5 digits>/<tag>/tensors.tsv        a row per point
                                /metadata.tsv       its label, or columns below a header
                                /sprite.png         its picture, row by row on a square
"""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kymograph import _core
from kymograph.errors import WriteError
from kymograph.writer import arrays

__all__ = ["write_embedding"]

log = logging.getLogger(__name__)

CONFIG = "projector_config.pbtxt"


def write_embedding(
    log_dir: str | os.PathLike[str],
    mat: Any,
    metadata: Sequence[Any] | None = None,
    label_img: Any = None,
    global_step: int | None = None,
    tag: str = "default",
    metadata_header: Sequence[str] | None = None,
    *,
    strict: bool = False,
) -> None:
    """Writes the files of one embedding and its entry in the projector's config.

    An entry of the same tag and step replaces the previous one; all others stay.
    `mat` is points x dimensions, `label_img` is N x C x H x W. `AssertionError` if they, the labels
    and the header do not fit each other; nothing is written then. Where a disk fails there is a
    warning, or a `WriteError` with `strict`.
    """
    points = arrays.to_numpy(mat)
    if points.ndim != 2:
        raise AssertionError("mat should be 2D, where mat.size(0) is the number of data points")
    files = {"tensors.tsv": _table(points.tolist())}
    if metadata is not None:
        if len(metadata) != len(points):
            raise AssertionError("#labels should equal with #data points")
        files["metadata.tsv"] = _labels(metadata, metadata_header)
    size = None
    if label_img is not None:
        images = arrays.to_numpy(label_img)
        if images.shape[0] != len(points):
            raise AssertionError("#images should equal with #data points")
        sprite = _sprite(images)
        files["sprite.png"] = _core.encode_png(sprite)
        size = images.shape[3], images.shape[2]

    step = f"{int(global_step or 0):05d}"
    subdir = f"{step}/{_folder_name(tag)}".rstrip("/")
    entry = _entry(f"{tag}:{step}", subdir, files, size)
    try:
        _write(Path(log_dir) / subdir, files)
        _merge(Path(log_dir) / CONFIG, f"{tag}:{step}", entry)
    except NotADirectoryError:
        raise  # the caller chose the tag
    except OSError as error:
        if strict:
            raise WriteError(f"an embedding could not be written: {error}") from error
        log.warning("an embedding could not be written: %s", error)


def _folder_name(tag: str) -> str:
    return tag.replace("%", "%25").replace("/", "%2f").replace("\\", "%5c")


def _write(folder: Path, files: dict[str, bytes]) -> None:
    if folder.is_dir():
        log.warning("an embedding is overwritten; did you set `global_step`? %s", folder)
    elif folder.exists():
        raise NotADirectoryError(f"path exists, but is a file: {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _table(rows: Sequence[Sequence[Any]]) -> bytes:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()


def _labels(metadata: Sequence[Any], header: Sequence[str] | None) -> bytes:
    if not header:
        return _table([[label] for label in metadata])
    if len(header) != len(metadata[0]):
        raise AssertionError("len of header must be equal to the number of columns in metadata")
    return _table([header, *metadata])


# --- pictures ---


def _sprite(images: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """All pictures on one square of H x W x 3, row by row, the rest black."""
    if images.ndim != 4 or images.shape[1] not in (1, 3):
        raise AssertionError(f"label_img should be Nx1xHxW or Nx3xHxW, but got: {images.shape}")
    count, _, height, width = images.shape
    columns = math.ceil(math.sqrt(count))
    rows = math.ceil(count / columns) if columns else 0
    side = columns * width
    sprite = np.zeros((max(side, rows * height), side, 3), np.uint8)
    for index, image in enumerate(_bytes(images)):
        top, left = index // columns * height, index % columns * width
        sprite[top : top + height, left : left + width] = image.transpose(1, 2, 0)
    return sprite


def _bytes(images: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if images.dtype == np.uint8:
        return images
    scaled = np.nan_to_num(images.astype(np.float64), nan=0.0) * 255
    return scaled.clip(0, 255).astype(np.uint8)


# --- the config, in protobuf's text format ---

# Strings and comments may hold braces, so they are passed over whole.
_TOKEN = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*') | \#[^\n]* | (?P<open>[{<])
    | (?P<close>[}>]) | (?P<name>\w+)""",
    re.VERBOSE,
)


def _entry(
    tensor_name: str, subdir: str, files: dict[str, bytes], size: tuple[int, int] | None
) -> str:
    lines = [f"  tensor_name: {_quoted(tensor_name)}"]
    if "metadata.tsv" in files:
        lines.append(f"  metadata_path: {_quoted(subdir + '/metadata.tsv')}")
    if size is not None:
        lines += [
            "  sprite {",
            f"    image_path: {_quoted(subdir + '/sprite.png')}",
            *(f"    single_image_dim: {pixels}" for pixels in size),
            "  }",
        ]
    lines.append(f"  tensor_path: {_quoted(subdir + '/tensors.tsv')}")
    return "\n".join(["embeddings {", *lines, "}", ""])


def _merge(path: Path, tensor_name: str, entry: str) -> None:
    """Adds the entry to the file, in place of entries of the same name."""
    text = path.read_text("utf-8") if path.exists() else ""
    kept = _without(text, tensor_name)
    if kept is None:
        aside = path.with_name(f"{CONFIG}.damaged")
        log.warning("the projector's config is not in text format, creating a new one: %s", aside)
        path.replace(aside)
        kept = ""
    # Readers see the old file or the new one, whole.
    part = path.with_name(f"{CONFIG}.{os.getpid()}.part")
    part.write_text(kept + entry, "utf-8")
    part.replace(path)


def _without(text: str, tensor_name: str) -> str | None:
    """The config without the embedding of that name; None if brackets do not match."""
    kept, cut, depth = [], 0, 0
    start, names = 0, [""]  # of the block we are in: its begin, the latest name at each depth
    found = False
    for token in _TOKEN.finditer(text):
        if token["open"]:
            names.append("")
            depth += 1
        elif token["close"]:
            names.pop()
            depth -= 1
            if depth < 0:
                return None
            if depth == 0 and found:
                kept.append(text[cut:start])
                cut = token.end() + text.startswith("\n", token.end())
                found = False
        elif token["name"]:
            names[-1] = token["name"]
            if depth == 0:
                start = token.start()
        elif token["string"] and names == ["embeddings", "tensor_name"]:
            found = found or _unquoted(token["string"]) == tensor_name
    rest = text[cut:]
    return None if depth else "".join([*kept, rest, "\n" if rest and rest[-1] != "\n" else ""])


def _quoted(content: str) -> str:
    escaped = content.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f]", lambda found: f"\\{ord(found[0]):03o}", escaped) + '"'


def _unquoted(string: str) -> str:
    """The value of a string in the text format; its escapes are bytes of UTF-8."""
    signs = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}

    def byte(found: re.Match[bytes]) -> bytes:
        if found[1]:
            return bytes([int(found[1], 8) & 0xFF])
        if found[2]:
            return bytes([int(found[2], 16)])
        return signs.get(found[3], found[3])

    escape = rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))"
    return re.sub(escape, byte, string[1:-1].encode()).decode(errors="replace")
