"""Where TensorBoard's loaders and ours differ, and why: the source of a page in docs.

python tests/interop/differences.py    writes docs/reference/differences.md
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "differences.md"


class Shows(Enum):
    """What a TensorBoard loader shows of a tag, compared with what we show."""

    SAME = "the same points"
    NOTHING = "nothing"
    FEWER = "some of our points, no others"
    MORE = "our points and others"
    REORDERED = "our points in another order"
    ROUNDED = "our points rounded to float32"
    OTHER = "points that differ"
    NOT_ASKED = "not asked, since asking does harm"


@dataclass(frozen=True)
class Difference:
    """One row of the page; the tests assert that both loaders do what it says."""

    case: str
    #: Patterns of `logdir:dashboard:run:tag` in the golden files.
    where: tuple[str, ...]
    python: Shows
    python_says: str
    rust: Shows
    rust_says: str
    ours: str
    why: str


DIFFERENCES = [
    # Element types of scalars.
    Difference(
        case="scalar tensors of doubles, halves, integers, booleans",
        where=(
            "torch:scalars:scalars:double",
            "tensorflow:scalars:typed:[!b]*",
            "tensorflow:scalars:typed:bool/*",
            "synthetic:scalars:dtypes:double/*",
            "synthetic:scalars:dtypes:int8/*",
            "synthetic:scalars:dtypes:int16/*",
            "synthetic:scalars:dtypes:int32/*",
            "synthetic:scalars:dtypes:int64/*",
            "synthetic:scalars:dtypes:uint8/*",
            "synthetic:scalars:dtypes:uint16/*",
            "synthetic:scalars:dtypes:uint32/content",
            "synthetic:scalars:dtypes:uint64/content",
            "synthetic:scalars:dtypes:bool/*",
            "synthetic:scalars:dtypes:half/content",
            "synthetic:scalars:dtypes:half/packed",
        ),
        python=Shows.SAME,
        python_says="shown",
        rust=Shows.NOTHING,
        rust_says="the tag is missing: only rank-0 float32 is accepted",
        ours="shown, doubles in full precision",
        why="a logged number is a number, whatever its type",
    ),
    Difference(
        case="float32 scalars of shape [1]",
        where=("synthetic:scalars:dtypes:float/content",),
        python=Shows.SAME,
        python_says="shown",
        rust=Shows.NOTHING,
        rust_says="the tag is missing",
        ours="shown: one element is a scalar, whatever its shape",
        why="`tf.summary.write` with a batch of one is easy to write by accident",
    ),
    Difference(
        case="scalars of bfloat16, 8-bit floats, 4-bit integers; uint32 and uint64 in typed lists",
        where=(
            "tensorflow:scalars:typed:bfloat16/*",
            "synthetic:scalars:dtypes:bfloat16/content",
            "synthetic:scalars:dtypes:bfloat16/packed",
            "synthetic:scalars:dtypes:float8_*",
            "synthetic:scalars:dtypes:int4/*",
            "synthetic:scalars:dtypes:uint4/*",
            "synthetic:scalars:dtypes:uint32/*packed",
            "synthetic:scalars:dtypes:uint64/*packed",
        ),
        python=Shows.NOTHING,
        python_says="an exception: every chart requested together with it fails",
        rust=Shows.NOTHING,
        rust_says="the tag is missing",
        ours="shown",
        why="a logged number is a number, whatever its type",
    ),
    Difference(
        case="scalars of quantized integers",
        where=(
            "synthetic:scalars:dtypes:qint*",
            "synthetic:scalars:dtypes:quint*",
        ),
        python=Shows.OTHER,
        python_says="one-element records instead of numbers, which the page cannot draw",
        rust=Shows.NOTHING,
        rust_says="the tag is missing",
        ours="shown as the stored integers",
        why="a logged number is a number, whatever its type",
    ),
    Difference(
        case="halves and bfloat16 stored as float32 bit patterns, as torch's `add_tensor` does",
        where=("synthetic:scalars:dtypes:*/as_float32_bits",),
        python=Shows.NOTHING,
        python_says="an exception, as above",
        rust=Shows.NOTHING,
        rust_says="the tag is missing",
        ours="read as intended: patterns above 16 bits are float32",
        why="such files exist, and the values are unambiguous",
    ),
    Difference(
        case="a scalar tensor without any element stored",
        where=("synthetic:scalars:dtypes:float/zero_left_out",),
        python=Shows.NOTHING,
        python_says="an exception, as above",
        rust=Shows.NOTHING,
        rust_says="the tag is missing",
        ours="zero, the default of the format",
        why="elements left out have their default value in protocol buffers",
    ),
    # Tags and metadata.
    Difference(
        case="a value with a node name and no tag",
        where=("synthetic:scalars:node_name:old/*",),
        python=Shows.NOTHING,
        python_says="shown under the empty tag",
        rust=Shows.NOTHING,
        rust_says="shown under the empty tag",
        ours="the node's name is the tag",
        why="very old writers named values that way",
    ),
    Difference(
        case="a scalar tensor whose metadata comes only with a later value",
        where=("synthetic:scalars:metadata:late_tensor",),
        python=Shows.NOTHING,
        python_says="nothing: the first value decides",
        rust=Shows.NOTHING,
        rust_says="nothing: the first value decides",
        ours="all values shown once the metadata is there",
        why="nothing logged may be hidden",
    ),
    Difference(
        case="one tag used for scalars, then for text",
        where=("synthetic:scalars:conflict:mixed",),
        python=Shows.MORE,
        python_says="the text is returned as a scalar too, and the page cannot draw the tag",
        rust=Shows.SAME,
        rust_says="the scalars are shown, the text is dropped",
        ours="the scalars are shown, and the text is under `tensors`",
        why="a value that does not fit must not spoil those that do",
    ),
    # Steps and restarts.
    Difference(
        case="steps that repeat or go back within one file",
        where=(
            "torch:scalars:steps:all_zero",
            "torch:scalars:steps:decreasing",
            "torch:scalars:steps:duplicate",
            "torch:scalars:steps:no_step",
            "torch:scalars:steps:zigzag",
            "tensorflow:scalars:scalars:any_order",
            "synthetic:scalars:events:a",
        ),
        python=Shows.SAME,
        python_says="kept in the order of the file",
        rust=Shows.FEWER,
        rust_says="each point erases those at its step and beyond",
        ours="kept in the order of the file",
        why="within one file there was no restart; the series `no_step` would shrink to one point",
    ),
    Difference(
        case="steps that go back in a file without file_version (mxboard, CatBoost)",
        where=("synthetic:scalars:no_file_version:loss",),
        python=Shows.FEWER,
        python_says="taken for a restart: later steps erased",
        rust=Shows.FEWER,
        rust_says="each point erases those at its step and beyond",
        ours="kept in the order of the file",
        why="a missing version identifies the writer of the file, not a restart",
    ),
    Difference(
        case="first restart with `purge_step`",
        where=(
            "torch:scalars:restart:loss",
            "tensorboardx:scalars:restart:loss",
        ),
        python=Shows.MORE,
        python_says="the first START is ignored: old and new points in one zigzag",
        rust=Shows.SAME,
        rust_says="superseded points hidden",
        ours="superseded points hidden and counted; `purge_orphaned_data=False` shows them",
        why="this is the purpose of `purge_step`",
    ),
    Difference(
        case="first restart with `purge_step`: a tag that is not logged again",
        where=("torch:scalars:restart:only_before",),
        python=Shows.MORE,
        python_says="the first START is ignored",
        rust=Shows.MORE,
        rust_says="START is ignored; only tags logged again are cut",
        ours="points at and after `purge_step` hidden and counted",
        why="`purge_step` applies to the whole run",
    ),
    Difference(
        case="a second START within one file: a tag that is not logged again",
        where=("synthetic:scalars:start_second:only_before",),
        python=Shows.SAME,
        python_says="points at and after its step hidden",
        rust=Shows.MORE,
        rust_says="START is ignored; only tags logged again are cut",
        ours="points at and after its step hidden and counted",
        why="START applies to the whole run",
    ),
    Difference(
        case="a restart without START: a later file goes back",
        where=("synthetic:scalars:restart_silent:loss",),
        python=Shows.MORE,
        python_says="old and new points in one zigzag",
        rust=Shows.SAME,
        rust_says="superseded points hidden",
        ours="superseded points of that tag hidden and counted",
        why="most jobs restart from a checkpoint without marking it",
    ),
    Difference(
        case="two writers in one directory at the same time",
        where=(
            "synthetic:scalars:two_writers:alternating",
            "synthetic:scalars:two_writers:same_steps",
        ),
        python=Shows.REORDERED,
        python_says="one file after the other; what the first writes later is lost",
        rust=Shows.FEWER,
        rust_says="the second file erases the first from its first step on",
        ours="merged by step and wall time",
        why="overlapping wall times distinguish two writers from a restart",
    ),
    # Histograms.
    Difference(
        case="histograms with outer empty buckets (torch, tensorboardX, TF1), exact in float32",
        where=(
            "torch:histograms:histograms:raw",
            "tensorboardx:histograms:histograms:own_bins",
            "synthetic:histograms:histograms:all_empty",
            "synthetic:histograms:histograms:one_value",
        ),
        python=Shows.SAME,
        python_says="empty outer buckets gone",
        rust=Shows.OTHER,
        rust_says="empty outer buckets kept, with edges out of order",
        ours="empty outer buckets removed, outer edges are the min and max value",
        why="the outermost edges are plus and minus the largest double",
    ),
    Difference(
        case="histograms with outer empty buckets, not exact in float32",
        where=(
            "torch:histograms:histograms:default_bins",
            "torch:histograms:histograms:own_bins",
        ),
        python=Shows.ROUNDED,
        python_says="edges and counts rounded to float32",
        rust=Shows.OTHER,
        rust_says="empty outer buckets kept, with edges out of order",
        ours="double precision, empty outer buckets removed",
        why="counts above 16 777 216 are not exact in float32",
    ),
    Difference(
        case="histograms in the older encoding, not exact in float32",
        where=("synthetic:histograms:histograms:precise",),
        python=Shows.ROUNDED,
        python_says="edges and counts rounded to float32",
        rust=Shows.SAME,
        rust_says="double precision",
        ours="double precision",
        why="counts above 16 777 216 are not exact in float32",
    ),
    # Damage.
    Difference(
        case="a record with a bad checksum",
        where=("damaged:scalars:bad_payload:loss",),
        python=Shows.FEWER,
        python_says="stops there permanently",
        rust=Shows.MORE,
        rust_says="checksum ignored: the damaged value is shown",
        ours="that record is skipped and counted",
        why="one bad record must not affect the rest, nor show a number that was never logged",
    ),
    Difference(
        case="a bad length header",
        where=("damaged:scalars:bad_header:loss",),
        python=Shows.FEWER,
        python_says="stops there permanently",
        rust=Shows.FEWER,
        rust_says="the rest of the file is ignored",
        ours="continues at the next valid header; the bytes between are counted",
        why="one bad record must not affect the rest",
    ),
    Difference(
        case="an intact record that is not an event",
        where=("damaged:scalars:not_an_event:loss",),
        python=Shows.FEWER,
        python_says="the loading thread dies: no run is ever updated again",
        rust=Shows.FEWER,
        rust_says="the rest of the file is ignored",
        ours="that record is skipped and counted",
        why="one bad record must not affect the rest",
    ),
    Difference(
        case="a valid header with a length of 4 GiB, of which little is in the file",
        where=("damaged:scalars:long_promise:loss",),
        python=Shows.SAME,
        python_says="waits for the rest",
        rust=Shows.NOT_ASKED,
        rust_says="reserves 4 GiB and fills them before it continues",
        ours="waits for the rest, without reserving it",
        why="a length in a file is no reason to allocate memory",
    ),
    Difference(
        case="wall times that are NaN or infinite",
        where=("damaged:scalars:wall_times:loss",),
        python=Shows.OTHER,
        python_says="kept as they are; the page cannot draw them over time",
        rust=Shows.FEWER,
        rust_says="NaN ends the file, infinity drops the point",
        ours="kept with a neighbour's time, and counted",
        why="the value is valid; only its time is not",
    ),
]


def row_of(
    logdir: str, dashboard: str, run: str, tag: str, *, rows: Sequence[Difference] = DIFFERENCES
) -> Difference | None:
    """The row that speaks of a tag; the first one, when several do."""
    name = f"{logdir}:{dashboard}:{run}:{tag}"
    for difference in rows:
        if any(fnmatchcase(name, pattern) for pattern in difference.where):
            return difference
    return None


_INTRODUCTION = """\
# Where Kymograph and TensorBoard differ

<!-- Written by `python -m tests.interop.differences`; a test compares the two. -->

Kymograph reads the files TensorBoard reads. TensorBoard has two loaders, which do not always agree
with each other: the Rust data server behind plain `tensorboard`, and the Python loader behind
`--load_fast=false`. Both sample: 1000 scalars, 10 images and so on for each tag. Kymograph keeps
everything.

Apart from sampling, all three show the same points for the same files, except in the cases below.
Each row is tested against both loaders (`tests/interop/test_tensorboard_loaders.py`), on files kept
in `tests/golden/logdirs`.

| case | TensorBoard, Python | TensorBoard, Rust | Kymograph | why |
|---|---|---|---|---|
"""

_ENDING = """
## Not in the table

- The Rust data server sends scalars as float32. No row shows this, because it drops wider scalars
  altogether.
- Display names and descriptions of scalars in the older encoding (as written by tensorboardX) are
  lost in the Rust data server.
- The Rust data server serves audio in the older encoding as `application/octet-stream`; Kymograph
  keeps the type given in the file.
- Values of plugins that TensorBoard does not know are not shown in any TensorBoard dashboard;
  Kymograph shows them under `tensors`.
"""


def page() -> str:
    """The page in docs, as it must be."""
    rows = [
        f"| {row.case} | {row.python_says} | {row.rust_says} | {row.ours} | {row.why} |\n"
        for row in DIFFERENCES
    ]
    return _INTRODUCTION + "".join(rows) + _ENDING


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
