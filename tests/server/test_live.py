"""Every listener receives every change, and no work is done without listeners."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request

from kymograph.asgi.board import Board
from kymograph.errors import BusyError
from kymograph.server import live
from kymograph.server.live import Live
from kymograph.server.serving import Serving, serve
from kymograph.store import Store
from kymograph.store.sidecar import Sidecar
from tests.event_files import append, scalar, write
from tests.server.listener import PATIENCE_SECS, Event, Listener, parsed, wait_until


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    write(tmp_path / "first", scalar("loss", 0, 1.0))
    with Store(tmp_path, follow=True) as store:
        assert store.wait(PATIENCE_SECS)
        yield Board(store)


class Reader:
    """One listener without a connection: reads on request."""

    def __init__(self, live: Live, last_id: str | None = None) -> None:
        self._live, self._listener = live, live.admit()
        self._blocks: AsyncGenerator[bytes, None] = live.events(self._listener, last_id)
        self._read: list[Event] = []

    async def next(self, name: str | None = None) -> Event:
        while True:
            while not self._read:
                blocks = await asyncio.wait_for(anext(self._blocks), PATIENCE_SECS)
                found = [parsed(block.split("\n")) for block in blocks.decode().split("\n\n")[:-1]]
                self._read = [event for event in found if event is not None]
            event = self._read.pop(0)
            if name in {None, event.name}:
                return event

    async def close(self) -> None:
        self._live.dismiss(self._listener)
        await self._blocks.aclose()


def grow(board: Board, run: str, step: int) -> None:
    """Appends a point to a run and waits until the store has it."""
    (_, root), before = board.store.roots[0], board.store.change
    path = next((root / run).iterdir(), None) if (root / run).is_dir() else None
    if path is None:
        write(root / run, scalar("loss", step, 1.0))
    else:
        append(path, scalar("loss", step, 1.0))
    wait_until(lambda: board.store.change > before)


# --- what is sent ---


def test_a_new_listener_hears_where_it_begins_and_then_every_change(board: Board):
    async def main() -> None:
        reader = Reader(Live(board))
        hello = await reader.next()
        change = board.store.change
        assert hello == Event(
            "hello", f"{board.instance}.{change}", {"instance": board.instance, "change": change}
        )
        progress = await reader.next("progress")
        assert progress.data == {
            "bytes_done": board.store.progress.bytes_known,
            "bytes_known": board.store.progress.bytes_known,
            "files_done": 1,
            "files_known": 1,
            "loading": False,
        }
        grow(board, "first", 1)
        event = await reader.next("change")
        assert event.data == {
            "change": board.store.change,
            "runs": ["first"],
            "tags": [],
            "removed": [],
            "all": False,
        }
        assert event.id == f"{board.instance}.{board.store.change}"
        grow(board, "second", 0)
        event = await reader.next("change")
        assert (event.data["runs"], event.data["tags"]) == (["second"], ["second"])
        await reader.close()

    asyncio.run(main())


def test_a_run_that_goes_is_named(board: Board):
    async def main() -> None:
        reader = Reader(Live(board))
        await reader.next("hello")
        root = board.store.roots[0][1]
        for path in (root / "first").iterdir():
            path.unlink()
        event = await reader.next("change")
        assert (event.data["runs"], event.data["removed"]) == ([], ["first"])
        await reader.close()

    asyncio.run(main())


def test_more_runs_than_an_event_can_name_are_all_runs(
    board: Board, monkeypatch: pytest.MonkeyPatch
):
    async def main() -> None:
        broadcaster = Live(board)
        before = f"{board.instance}.{board.store.change}"
        grow(board, "a" * 200, 0)
        reader = Reader(broadcaster, before)
        event = await reader.next("change")
        assert (event.data["runs"], event.data["all"]) == (["a" * 200], False)
        await reader.close()
        monkeypatch.setattr(live, "MOST_BYTES", 400)
        reader = Reader(broadcaster, before)
        event = await reader.next("change")
        change = board.store.change
        assert event.id == f"{board.instance}.{change}"
        assert event.data == {"change": change, "runs": [], "tags": [], "removed": [], "all": True}
        await reader.close()

    asyncio.run(main())


def test_many_new_files_are_reported_as_loading_again(tmp_path: Path):
    logdir, week = tmp_path / "runs", tmp_path / "week"
    write(logdir / "first", scalar("loss", 0, 1.0))
    write(week / "0", *(scalar("loss", step, 1.0) for step in range(100_000)))
    (file,) = (week / "0").iterdir()
    for run in range(1, 100):
        (week / f"{run}").mkdir()
        (week / f"{run}" / file.name).hardlink_to(file)

    async def main() -> None:
        with Store(logdir, follow=True, threads=1) as store:
            store.wait()
            reader = Reader(Live(Board(store)))
            assert not (await reader.next("progress")).data["loading"]
            week.rename(logdir / "week")  # all at once
            progress = await reader.next("progress")
            assert progress.data["loading"]
            assert progress.data["files_known"] == 101
            while progress.data["loading"]:
                progress = await reader.next("progress")
            assert progress.data["files_done"] == 101
            await reader.close()

    asyncio.run(main())


def test_progress_is_sent_until_loading_is_done(tmp_path: Path):
    for run in range(20):
        write(tmp_path / f"{run}", *(scalar("loss", step, 1.0) for step in range(100)))

    async def main() -> None:
        with Store(tmp_path, follow=True) as store:
            reader = Reader(Live(Board(store)))
            progress = await reader.next("progress")
            while progress.data["loading"]:
                progress = await reader.next("progress")
            assert progress.data["files_done"] == progress.data["files_known"] == 20
            assert progress.data["bytes_done"] == progress.data["bytes_known"] > 0
            await reader.close()

    asyncio.run(main())


def test_edits_of_the_curation_by_any_editor_are_announced(board: Board):
    async def main() -> None:
        reader = Reader(Live(board))
        assert (await reader.next("curation")).data == {"revision": board.sidecar.revision}
        here = board.sidecar.edit({("run", "first", "title"): "ours"})
        assert (await reader.next("curation")).data == {"revision": here.revision}
        other = Sidecar(board.store.roots[0][1], editor="other")
        there = other.edit({("run", "first", "title"): "theirs"})
        assert (await reader.next("curation")).data == {"revision": there.revision}
        await reader.close()

    asyncio.run(main())


# --- resuming, and reading slowly ---


def test_a_resumed_listener_hears_once_of_all_it_missed(board: Board):
    async def main() -> None:
        broadcaster = Live(board)
        reader = Reader(broadcaster)
        last = (await reader.next("hello")).id
        await reader.close()
        for step in (1, 2):
            grow(board, "first", step)
        grow(board, "second", 0)
        reader = Reader(broadcaster, last)
        # Should the connection break here, the next one resumes from the same place.
        assert (await reader.next()).id == last
        event = await reader.next("change")
        assert sorted(event.data["runs"]) == ["first", "second"]
        assert event.data["change"] == board.store.change
        grow(board, "first", 3)
        assert (await reader.next("change")).data["runs"] == ["first"]
        await reader.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    "last_id",
    [
        "",
        "0",
        "0123456789abcdef.0",
        "{instance}",
        "{instance}.",
        "{instance}.x",
        "{instance}.-1",
        "{instance}.²",
        "{instance}.99999999999999999999999999",
    ],
)
def test_an_id_of_another_instance_is_a_reset(board: Board, last_id: str):
    async def main() -> None:
        reader = Reader(Live(board), last_id.format(instance=board.instance))
        assert await reader.next() == Event("reset", None, {"instance": board.instance})
        assert (await reader.next()).data["change"] == board.store.change
        await reader.close()

    asyncio.run(main())


def test_a_slow_listener_gets_one_event_about_everything(board: Board):
    async def main() -> None:
        broadcaster = Live(board)
        slow, quick = Reader(broadcaster), Reader(broadcaster)
        await slow.next("progress")
        await quick.next("progress")
        for step in range(1, 6):
            grow(board, "first" if step % 2 else "second", step)
            while (await quick.next("change")).data["change"] < board.store.change:
                pass
        event = await slow.next("change")
        assert sorted(event.data["runs"]) == ["first", "second"]
        assert event.data["change"] == board.store.change
        await slow.close()
        await quick.close()

    asyncio.run(main())


def test_clients_at_the_same_change_share_one_query(board: Board, monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []
    real = Store.changed_runs

    def changed_runs(store: Store, since: int) -> Any:
        asked.append(since)
        return real(store, since)

    monkeypatch.setattr(Store, "changed_runs", changed_runs)

    async def main() -> None:
        broadcaster = Live(board)
        readers = [Reader(broadcaster) for _ in range(50)]
        for reader in readers:
            await reader.next("hello")
        grow(board, "first", 1)
        for reader in readers:
            assert (await reader.next("change")).data["change"] == board.store.change
            await reader.close()

    asyncio.run(main())
    assert len(asked) == 1


# --- no work without listeners ---


def live_threads() -> int:
    return sum(thread.name == "kymograph-live" for thread in threading.enumerate())


def test_the_thread_starts_with_the_first_listener_and_ends_with_the_last(board: Board):
    async def main() -> None:
        broadcaster = Live(board)
        for _ in range(3):
            wait_until(lambda: live_threads() == 0)
            assert (broadcaster.listeners, broadcaster.is_running) == (0, False)
            readers = [Reader(broadcaster) for _ in range(3)]
            for reader in readers:
                await reader.next("hello")
            assert (broadcaster.listeners, broadcaster.is_running) == (3, True)
            assert live_threads() == 1
            for reader in readers:
                await reader.close()

    asyncio.run(main())


def test_a_listener_that_comes_while_the_thread_ends_is_still_served(board: Board):
    async def main() -> None:
        broadcaster = Live(board)
        for step in range(1, 20):
            reader = Reader(broadcaster)
            await reader.next("hello")
            grow(board, "first", step)
            assert (await reader.next("change")).data["change"] == board.store.change
            await reader.close()

    asyncio.run(main())


def test_a_silent_stream_has_a_heartbeat(board: Board, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live, "HEARTBEAT_SECS", 0.01)

    async def main() -> None:
        broadcaster = Live(board)
        listener = broadcaster.admit()
        events = broadcaster.events(listener, None)
        sent = [await anext(events) for _ in range(10)]
        assert b": \n\n" in sent
        broadcaster.dismiss(listener)
        await events.aclose()

    asyncio.run(main())


def test_a_listener_whose_loop_was_closed_is_forgotten(board: Board):
    broadcaster = Live(board)

    async def listen() -> AsyncGenerator[bytes, None]:
        events = broadcaster.events(broadcaster.admit(), None)
        await anext(events)
        return events

    loop = asyncio.new_event_loop()
    events = loop.run_until_complete(listen())
    loop.close()
    assert broadcaster.listeners == 1
    grow(board, "first", 1)
    wait_until(lambda: not broadcaster.is_running)
    assert broadcaster.listeners == 0
    asyncio.run(events.aclose())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_streams_end_when_the_broadcaster_fails_and_can_be_resumed(
    board: Board, monkeypatch: pytest.MonkeyPatch
):
    async def main() -> None:
        broadcaster = Live(board)
        reader = Reader(broadcaster)
        last = (await reader.next("hello")).id
        with monkeypatch.context() as patch:
            patch.setattr(Store, "changed_runs", lambda *_: 1 / 0)
            grow(board, "first", 1)
            with pytest.raises(StopAsyncIteration):
                await reader.next("change")
        wait_until(lambda: live_threads() == 0)
        assert (broadcaster.listeners, broadcaster.is_running) == (0, False)
        reader = Reader(broadcaster, last)
        assert (await reader.next("change")).data["runs"] == ["first"]
        await reader.close()

    asyncio.run(main())


# --- over HTTP ---


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    write(tmp_path / "first", scalar("loss", 0, 1.0))
    with serve(tmp_path) as serving:
        assert serving.board.store.wait(PATIENCE_SECS)
        yield serving


def listeners(serving: Serving) -> int:
    count = httpx.get(f"{serving.url}api/v1/status").json()["listeners"]
    assert isinstance(count, int)
    return count


def test_the_stream_says_what_it_is_and_when_to_come_again(serving: Serving):
    with Listener(serving.url) as listener:
        assert listener.response.status == 200
        assert listener.response.headers["Content-Type"].startswith("text/event-stream")
        assert listener.response.headers["Content-Encoding"] is None
        assert "no-store" in listener.response.headers["Cache-Control"]
        assert listener.response.headers["X-Accel-Buffering"] == "no"
        assert listener.until("hello").data["instance"] == serving.board.instance
        assert listener.retry_millis == 1000
        grow(serving.board, "first", 1)
        assert listener.until("change").data["runs"] == ["first"]


def test_the_header_wins_over_the_address_which_a_browser_keeps(serving: Serving):
    url = f"{serving.url}api/v1/live"
    ours = {"Last-Event-ID": f"{serving.board.instance}.0"}
    for headers, first in [({}, "event: reset"), (ours, "event: hello")]:
        with httpx.stream("GET", url, params={"last": "old.1"}, headers=headers) as response:
            names = (line for line in response.iter_lines() if line.startswith("event: "))
            assert next(names) == first


def test_asking_for_the_headers_only_opens_no_stream(serving: Serving):
    response = httpx.head(f"{serving.url}api/v1/live")
    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert listeners(serving) == 0


def test_clients_that_close_or_vanish_are_forgotten(serving: Serving):
    clients = [Listener(serving.url) for _ in range(6)]
    for client in clients:
        client.until("hello")
    assert listeners(serving) == 6
    for client in clients[::2]:
        client.close()
    for client in clients[1::2]:
        client.vanish()
    wait_until(lambda: listeners(serving) == 0)
    wait_until(lambda: live_threads() == 0)


def test_too_many_clients_are_refused(serving: Serving, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live, "MOST_LISTENERS", 2)
    with Listener(serving.url) as one, Listener(serving.url) as other:
        one.until("hello")
        other.until("hello")
        response = httpx.get(f"{serving.url}api/v1/live")
        assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
        assert response.json() == {"error": "2 clients are listening already; try again later"}
    wait_until(lambda: listeners(serving) == 0)
    with Listener(serving.url) as again:
        again.until("hello")


def test_a_burst_of_clients_is_counted_before_any_stream_begins(
    board: Board, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(live, "MOST_LISTENERS", 2)

    async def main() -> None:
        app = Starlette()
        app.state.live = broadcaster = Live(board)
        scope = {"type": "http", "method": "GET", "headers": [], "app": app}
        streams = [await live.events(Request(scope), live.LiveQuery()) for _ in range(2)]
        with pytest.raises(BusyError, match="2 clients are listening already"):
            await live.events(Request(scope), live.LiveQuery())

        async def receive() -> dict[str, str]:
            return {"type": "http.disconnect"}

        async def send(_message: object) -> None:
            raise OSError("gone before anything was sent")

        # Streams that never begin are no longer counted, either.
        for stream in streams:
            with contextlib.suppress(Exception):
                await stream(scope, receive, send)
        assert broadcaster.listeners == 0

    asyncio.run(main())


def test_an_unknown_parameter_is_refused(serving: Serving):
    response = httpx.get(f"{serving.url}api/v1/live", params={"since": "3"})
    assert response.status_code == 400
    assert "since" in response.json()["error"]


def test_streams_end_when_the_server_stops(tmp_path: Path):
    serving = serve(tmp_path)
    clients = [Listener(serving.url) for _ in range(200)]
    for client in clients:
        client.until("hello")
    serving.close()
    for client in clients:
        for _ in client:
            pass
        # The body came to its end; the connection was not cut.
        assert client.response.isclosed()
        client.close()
    wait_until(lambda: live_threads() == 0)
