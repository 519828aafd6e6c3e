"""What responses with column frames have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

from kymograph.asgi import frames
from kymograph.asgi.board import Board

__all__ = ["encoded", "is_ours"]

_Asked = ParamSpec("_Asked")


def encoded(
    answer: Callable[_Asked, tuple[frames.Columns, object]],
    *args: _Asked.args,
    **options: _Asked.kwargs,
) -> bytes:
    """The columns and the meta object that `answer` returns, as a frame."""
    return frames.encode(*answer(*args, **options))


def is_ours(here: Board, instance: str | None) -> bool:
    """Whether change numbers that a client has are those of this start of the board."""
    return instance is None or instance == here.instance
