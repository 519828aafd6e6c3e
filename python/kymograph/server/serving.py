"""A board on a socket: started in a thread, stopped through its handle."""

from __future__ import annotations

import socket
import threading
from types import TracebackType

import uvicorn

from kymograph.asgi.board import Board
from kymograph.server.app import create_app
from kymograph.store import Logdir, Store

__all__ = ["Serving", "serve"]


class Serving:
    """A board that is being served."""

    def __init__(self, board: Board, listener: socket.socket) -> None:
        self.board = board
        host, port = listener.getsockname()[:2]
        self.url = f"http://{host}:{port}/"
        config = uvicorn.Config(
            create_app(board), log_level="warning", access_log=False, lifespan="off", ws="none"
        )
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._uvicorn.run, kwargs={"sockets": [listener]}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Serving:  # noqa: PYI034  (`Self` needs Python 3.11)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops to serve and to follow the logdir."""
        self._uvicorn.should_exit = True
        self._thread.join()
        self.board.workers.close()
        self.board.store.close()


def serve(logdir: Logdir, *, host: str = "127.0.0.1", port: int = 0) -> Serving:
    """Serves a logdir without blocking; the handle has its `url` and `close()`."""
    listener = socket.create_server((host, port))
    return Serving(Board(Store(logdir, follow=True)), listener)
