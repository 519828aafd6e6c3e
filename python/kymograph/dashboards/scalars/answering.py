"""Where the work for scalars is done."""

from __future__ import annotations

from kymograph.asgi.board import Board
from kymograph.asgi.work import Workers

# What looks for fewer pairs of run and tag is done in a tenth of a second or two.
FEW_PAIRS = 50_000


def workers(here: Board, *, is_quick: bool) -> Workers:
    """Those that do quick work, or those that may be long at it."""
    return here.workers if is_quick else here.slow_workers
