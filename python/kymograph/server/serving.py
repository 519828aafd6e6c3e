"""A board on a socket: started in a thread, stopped through its handle."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import socket
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Literal
from urllib.parse import quote

import uvicorn

from kymograph.asgi.board import Board
from kymograph.asgi.security import Access, decide, login_url
from kymograph.server import protocol, sockets
from kymograph.server.app import create_app
from kymograph.server.prefix import normal
from kymograph.server.sockets import Listening
from kymograph.store import Logdir, Store

__all__ = ["Serving", "serve"]

# When the board is closed, answers that take longer are cut off, and then left to themselves.
_GRACE_SECS = 2
_END_SECS = 3


class Serving:
    """A board that is being served, until it is closed or the program ends.

    It has its own thread and event loop, and leaves signals and the caller's event loop alone.
    In a forked child it is closed.
    """

    def __init__(
        self,
        board: Board,
        listening: Listening,
        access: Access | None = None,
        *,
        prefix: str = "",
        closes_store: bool = True,
    ) -> None:
        self.board = board
        self.listening = listening
        self.access = access or Access()
        self.prefix = normal(prefix)
        self._closes_store = closes_store
        self._process = os.getpid()
        self._closing = threading.Lock()
        self._ended = threading.Event()
        self._uvicorn = _Uvicorn(
            uvicorn.Config(
                create_app(board, self.access, prefix=self.prefix),
                http=protocol.protocol(),
                timeout_keep_alive=protocol.KEEP_ALIVE_SECS,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",  # a warning for each bad request would fill the screen
                access_log=False,
                proxy_headers=False,
                server_header=False,
            ),
            board,
        )
        _serving.add(self)
        self._thread = threading.Thread(target=self._run, name="kymograph-serve", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"<Serving {self.url}{' (closed)' if self.closed else ''}>"

    def __enter__(self) -> Serving:  # noqa: PYI034  (`Self` needs Python 3.11)
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The URL of the board."""
        return f"{self.listening.origin}{quote(self.prefix)}/"

    @property
    def login_url(self) -> str:
        """The URL that logs in: with the token, if the board requires one."""
        return login_url(self.url, self.access)

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._ended.is_set() or self._process != os.getpid()

    def wait(self, timeout: float | None = None) -> bool:
        """Waits until it is closed; returns whether it is."""
        return self.closed or self._ended.wait(timeout)

    def close(self) -> None:
        """Stops serving and following; returns when the address is free again."""
        if self._process != os.getpid():
            return  # it continues in the process that this one was forked from
        with self._closing:
            self.board.closing.set()
            self._uvicorn.should_exit = True
            self._thread.join()
            self.listening.close()
            self.board.close()
            if self._closes_store:
                self.board.store.close()
            _serving.discard(self)

    def _run(self) -> None:
        try:
            asyncio.run(self._uvicorn.serve(sockets=list(self.listening.sockets)))
        finally:
            self._ended.set()

    def _let_go(self) -> None:
        """In a forked child: a descriptor held here would keep clients of the parent waiting."""
        for listener in self.listening.sockets:
            listener.close()
        nothing = os.open(os.devnull, os.O_RDWR)
        for connection in self._uvicorn.server_state.connections:
            with contextlib.suppress(AttributeError, OSError):
                # Closed, its number might become another's before its owner closes it again.
                used = connection.transport.get_extra_info("socket").fileno()
                os.dup2(nothing, used, inheritable=False)
        os.close(nothing)


class _Uvicorn(uvicorn.Server):
    """Cuts connections and gives up work when their time is over, which handlers notice; a task
    that is cancelled instead would be logged as an error."""

    def __init__(self, config: uvicorn.Config, board: Board) -> None:
        super().__init__(config)
        self._board = board

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        loop = asyncio.get_running_loop()
        timers = [
            loop.call_later(_GRACE_SECS, self._cut_connections),
            loop.call_later(_GRACE_SECS + _END_SECS, setattr, self, "force_exit", True),
        ]
        await super().shutdown(sockets)
        for timer in timers:
            timer.cancel()

    def _cut_connections(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        self._board.abandon()


_serving: set[Serving] = set()


def _close_all() -> None:
    for serving in list(_serving):
        serving.close()


def _let_go_of_all() -> None:
    for serving in list(_serving):
        serving._let_go()  # noqa: SLF001
    _serving.clear()


# Threads are stopped in their tracks when the interpreter ends, so it must not come to that.
atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_all)


def serve(
    logdir: Logdir | Store,
    *,
    host: str = sockets.LOCALHOST,
    port: int | None = 0,
    uds: str | os.PathLike[str] | None = None,
    path_prefix: str = "",
    window_title: str = "",
    auth: Literal["auto", "token", "none"] = "auto",
    auth_token_file: str | os.PathLike[str] | None = None,
    allow_hosts: Iterable[str] = (),
    purge_orphaned_data: bool = True,
) -> Serving:
    """Serves a board of a logdir in the background, and returns at once.

    Port 0 is any free port, and `None` is 6006 or the next free one; `uds` is the path of a Unix
    socket to use instead. A board that other machines can reach requires a token, which is in
    `login_url`. An open store may be passed as `logdir`; it stays open when the board is closed.
    Raises ListenError or AccessError, and ValueError for an invalid prefix.

        board = kymograph.serve("runs")
        print(board.url)
        ...
        board.close()
    """
    access = decide(
        host=host,
        uds=uds is not None,
        auth=auth,
        token_file=None if auth_token_file is None else Path(auth_token_file),
        allowed_hosts=allow_hosts,
    )
    prefix = normal(path_prefix)
    listening = sockets.tcp(host, port) if uds is None else sockets.unix(uds)
    try:
        if is_open := isinstance(logdir, Store):
            store = logdir
        else:
            store = Store(logdir, follow=True, purge_orphaned_data=purge_orphaned_data)
        board = Board(store, window_title or Board.title)
        return Serving(board, listening, access, prefix=prefix, closes_store=not is_open)
    except BaseException:
        listening.close()
        raise
