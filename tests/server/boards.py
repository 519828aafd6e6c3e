"""A board over small event files, and a client that asks it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import kymograph
from kymograph.asgi.board import Board
from kymograph.server.app import create_app
from tests.asgi.client import Client

__all__ = ["ROOT", "BoardClient", "served"]

ROOT = "/api/v1"


class BoardClient(Client):
    """A client of a board."""

    def __init__(self, board: Board) -> None:
        super().__init__(create_app(board))
        self.board = board


@contextmanager
def served(logdir: Path) -> Iterator[BoardClient]:
    """A client of a board over everything that is in the logdir by now; `refresh` reads on."""
    with kymograph.open(logdir) as store:
        board = Board(store)
        try:
            yield BoardClient(board)
        finally:
            board.close()
