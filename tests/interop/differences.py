"""Where TensorBoard's loaders and ours show different data, and why: the source of the page in docs.

python tests/interop/differences.py    writes docs/reference/differences.md anew
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
    Difference(
        case="scalar tensor that is not rank-0 float32: double",
        where=(
            "torch:scalars:scalars:double",
            "tensorflow:scalars:typed:float64/*",
            "synthetic:scalars:dtypes:double/*",
        ),
        python=Shows.SAME,
        python_says="shown",
        rust=Shows.NOTHING,
        rust_says="tag vanishes",
        ours="shown, full double precision",
        why="a logged number is a number, whatever its width",
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
