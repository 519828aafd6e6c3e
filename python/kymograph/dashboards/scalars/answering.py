"""How an answer becomes bytes, and where that is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias

from kymograph.asgi import frames
from kymograph.asgi.board import Board
from kymograph.asgi.work import Workers

if TYPE_CHECKING:
    import numpy.typing as npt

# What looks for fewer pairs of run and tag is done in a tenth of a second or two.
FEW_PAIRS = 50_000

Columns: TypeAlias = "dict[str, npt.NDArray[Any]]"


def workers(here: Board, *, is_quick: bool) -> Workers:
    """Those that do quick work, or those that may be long at it."""
    return here.workers if is_quick else here.slow_workers


_Asked = ParamSpec("_Asked")


def encoded(
    answer: Callable[_Asked, tuple[Columns, object]], *args: _Asked.args, **options: _Asked.kwargs
) -> bytes:
    """What `answer` returns, as a frame."""
    return frames.encode(*answer(*args, **options))


def is_ours(here: Board, instance: str | None) -> bool:
    """Whether change numbers that a client has are those of this board."""
    return instance is None or instance == here.instance
