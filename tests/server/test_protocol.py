"""Connections that say too little, too much or nothing, on a real server with short patience."""

import asyncio
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from kymograph.server import protocol as protocols
from kymograph.server.protocol import (
    Bounded,
    h11_protocol,
    httptools_protocol,
    missing,
    protocol,
)
from tests.server.listener import wait_until
from tests.server.wire import PATIENCE_SECS, Wire, get

HELLO = get("/hello")
CHUNK = b"x" * 65536


class Board:
    """An app that counts what it could send, on a server of its own."""

    def __init__(self, kind: type[Bounded]) -> None:
        self.chunks_sent = 0
        self.stream_ended = threading.Event()
        app = Starlette(
            routes=[
                Route("/hello", self._hello, methods=["GET", "POST"]),
                Route("/late", self._late, methods=["POST"]),
                Route("/number", self._number),
                Route("/large", self._large),
                Route("/stream", self._stream),
            ]
        )
        listener = socket.create_server(("127.0.0.1", 0))
        self.address = listener.getsockname()
        config = uvicorn.Config(
            app, http=kind, ws="none", lifespan="off", log_config=None, timeout_keep_alive=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]})
        self._thread.start()

    def wait_until_left(self) -> None:
        end = time.monotonic() + PATIENCE_SECS
        while self._server.server_state.connections:
            assert time.monotonic() < end, "a client is still connected"
            time.sleep(0.01)

    def connections(self) -> list[Bounded]:
        return [one for one in self._server.server_state.connections if isinstance(one, Bounded)]

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    async def _hello(self, _request: Request) -> Response:
        return Response("hello")

    async def _number(self, request: Request) -> Response:
        await asyncio.sleep(0)
        return Response(f"<{request.url.query}>")

    async def _late(self, request: Request) -> Response:
        """Reads the whole body, then looks at the headers."""
        body = await request.body()
        return Response(f"{len(body)} {request.headers.get('x-late')}")

    async def _large(self, _request: Request) -> Response:
        return Response(CHUNK * 512)

    async def _stream(self, _request: Request) -> Response:
        async def chunks():
            try:
                while True:
                    yield CHUNK
                    self.chunks_sent += 1
                    await asyncio.sleep(0)  # lets the loop hear that the client has gone
            finally:
                self.stream_ended.set()

        return StreamingResponse(chunks())

    def says_hello(self) -> bool:
        with Wire(self.address) as wire:
            wire.send(HELLO)
            return wire.answer().body == b"hello"


@pytest.fixture(params=[httptools_protocol, h11_protocol], ids=["httptools", "h11"])
def serve(request) -> Iterator[Callable[..., Board]]:
    """Starts boards whose patience is given."""
    boards = []

    def start(**patience: float) -> Board:
        boards.append(Board(type("Impatient", (request.param(),), patience)))
        return boards[-1]

    yield start
    for board in boards:
        board.close()


def test_the_fast_parser_is_used_if_it_is_there():
    assert protocol().__name__ == "BoundedHttpTools"


def test_requests_follow_each_other_on_one_connection(serve):
    board = serve()
    with Wire(board.address) as wire:
        for _ in range(3):
            wire.send(HELLO)
            assert wire.answer().body == b"hello"


def test_answers_are_not_held_back(serve):
    """Nor does the body wait until the head before it is acknowledged."""
    board = serve()
    with Wire(board.address) as wire:
        wire.send(HELLO)
        assert wire.answer().body == b"hello"
        (connection,) = board._server.server_state.connections
        found = connection.transport.get_extra_info("socket")
        assert found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        # And of what the kernel does not take, all counts as unsent.
        assert connection.transport.get_write_buffer_limits() == (0, 0)


def test_a_body_in_chunks_arrives_and_its_trailers_pass_for_no_headers(serve):
    board = serve()
    head = b"POST /late HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    body = b"3\r\nabc\r\n0\r\nX-Late: one\r\nX-Late-Too: two\r\n\r\n"
    with Wire(board.address) as wire:
        for _ in range(2):  # nor do they pass for headers of the next request
            wire.send(head + body)
            assert wire.answer().body == b"3 None"


@pytest.mark.parametrize(
    "first", [b"", b"G", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"]
)
def test_a_head_that_does_not_end_is_not_waited_for(serve, first):
    board = serve(head_secs=0.2)
    with Wire(board.address) as wire:
        if first:
            wire.send(first)
        assert wire.read_to_end() == b""
    assert board.says_hello()


def test_a_head_that_drips_is_not_waited_for(serve):
    board = serve(head_secs=0.3)
    with Wire(board.address) as wire:
        wire.send(b"GET / HTTP/1.1\r\n")
        wire._socket.settimeout(0.05)
        for _ in range(1000):  # a byte each 50 ms would take forever
            try:
                wire.send(b"X: y\r\n")
                if wire._socket.recv(1) == b"":
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            pytest.fail("the connection is still open")
    assert board.says_hello()


def test_the_next_head_on_a_connection_is_not_waited_for_either(serve):
    board = serve(head_secs=0.2)
    with Wire(board.address) as wire:
        wire.send(HELLO)
        assert wire.answer().body == b"hello"
        wire.send(b"GET / HT")
        assert wire.read_to_end() == b""


def test_an_idle_connection_is_closed(serve):
    board = serve(head_secs=30)
    with Wire(board.address) as wire:
        wire.send(HELLO)
        assert wire.answer().body == b"hello"
        assert wire.read_to_end() == b""


def test_a_slow_answer_is_not_cut_off_by_the_patience_for_heads(serve):
    board = serve(head_secs=0.2)
    with Wire(board.address) as wire:
        head = b"POST /late HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"
        wire.send(head)
        for byte in b"slow":
            threading.Event().wait(0.15)  # the whole body takes longer than a head may
            wire.send(bytes([byte]))
        assert wire.answer().body == b"4 None"


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /hello?" + b"q" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 70_000 + b"\r\n\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 12_000 + b"\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 70_000,
        b"GET /hello HTTP/1.1\r\n" + b"x" * 70_000,
    ],
    ids=["query", "header", "headers", "unfinished-value", "unfinished-name"],
)
def test_a_head_that_is_too_large_is_refused(serve, request_bytes):
    board = serve()
    with Wire(board.address) as wire:
        wire.send(request_bytes)
        answer = wire.answer()
        assert answer.status in (400, 431)
        assert answer.headers["connection"] == "close"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "error" in answer.json()
    assert board.says_hello()


@pytest.fixture
def fast() -> Iterator[Board]:
    board = Board(httptools_protocol())
    yield board
    board.close()


def test_the_fast_parser_says_that_a_head_is_too_large(fast):
    with Wire(fast.address) as wire:
        wire.send(b"GET /hello?" + b"q" * 70_000 + b" HTTP/1.1\r\n\r\n")
        answer = wire.answer()
    assert answer.status == 431
    assert answer.json() == {"error": "the request headers are larger than 65536 bytes"}


def test_the_fast_parser_refuses_two_lengths_for_one_body(fast):
    """The other takes the chunks, as a proxy must do too, so that nothing can be smuggled."""
    head = b"POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n"
    with Wire(fast.address) as wire:
        wire.send(head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        assert wire.answer().status == 400


def test_a_trailer_that_does_not_end_is_refused(serve):
    board = serve()
    head = b"POST /late HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with Wire(board.address) as wire:
        wire.send(head + b"1\r\na\r\n0\r\nX: " + b"x" * 200_000)
        assert wire.answer().status in (400, 431)
    assert board.says_hello()


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nA\x00B: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST /late HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=["tls", "no-target", "space", "nul", "negative", "two", "chunk", "http2"],
)
def test_what_is_no_request_is_refused(serve, request_bytes):
    board = serve()
    with Wire(board.address) as wire:
        wire.send(request_bytes)
        received = wire.read_to_end()
        assert received == b"" or received.startswith(b"HTTP/1.1 4")
    assert board.says_hello()


def test_a_client_that_does_not_read_is_cut_off_and_fills_no_memory(serve):
    board = serve(stall_secs=0.5)
    with Wire(board.address, receive_bytes=4096) as wire:
        wire.send(get("/stream"))
        assert board.stream_ended.wait(PATIENCE_SECS)
        # What the kernel buffers on loopback is a few megabytes; an unbounded stream sends more.
        assert board.chunks_sent * len(CHUNK) < 64 << 20
    assert board.says_hello()


def test_a_response_that_is_not_read_is_dropped(serve):
    board = serve(stall_secs=0.3)
    with Wire(board.address, receive_bytes=4096) as wire:
        wire.send(get("/large"))
        assert wire.read(16).startswith(b"HTTP/1.1 200")
        board.wait_until_left()


def test_a_client_that_reads_slowly_is_served(serve):
    board = serve(stall_secs=0.5)
    with Wire(board.address, receive_bytes=65536) as wire:
        wire.send(get("/stream"))
        pause = threading.Event()
        received = 0
        for _ in range(15):  # three times as long as a client may stall
            pause.wait(0.1)
            received += len(wire.read(1 << 20))
        assert not board.stream_ended.is_set()
        assert received > 0


def test_connections_beyond_the_limit_are_turned_away(serve):
    board = serve(most_connections=3)
    with ExitStack() as held:
        wires = [held.enter_context(Wire(board.address)) for _ in range(3)]
        for wire in wires:
            wire.send(HELLO)
            assert wire.answer().body == b"hello"
        with Wire(board.address) as wire:
            answer = wire.answer()
        assert answer.status == 503
        assert answer.json() == {"error": "too many connections at once"}
        wires[0].send(HELLO)
        assert wires[0].answer().body == b"hello"
    board.wait_until_left()
    assert board.says_hello()


def flood(wire: Wire) -> None:
    while True:
        wire.send(CHUNK)


def test_what_follows_an_early_answer_is_not_read_for_ever(serve):
    board = serve(head_secs=0.5)
    head = b"POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999\r\n\r\n"
    with Wire(board.address) as wire:
        wire.send(head)
        assert wire.answer().body == b"hello"
        with pytest.raises(ConnectionError):
            flood(wire)
    assert board.says_hello()


# --- requests that do not wait for answers ---

MANY = 1000


def test_pipelined_requests_are_all_answered_in_order(serve):
    board = serve()
    count = 400
    with Wire(board.address) as wire:
        numbered = b"".join(get(f"/number?{number}") for number in range(count))
        wire.send(numbered + get("/hello", "Connection: close"))
        answers = wire.read_to_end()
    bodies = re.findall(rb"\r\n\r\n<([0-9]+)>", answers)
    assert [int(body) for body in bodies] == list(range(count))
    assert answers.endswith(b"hello")


def test_a_body_behind_pipelined_requests_arrives(serve):
    board = serve(most_queued=2)
    post = b"POST /late HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n"
    with Wire(board.address) as wire:
        wire.send(HELLO * 200 + post + b"Connection: close\r\n\r\n" + b"x" * 300_000)
        answers = wire.read_to_end()
    assert answers.count(b"hello") == 200
    assert answers.endswith(b"300000 None")


def test_a_head_cut_behind_pipelined_requests_is_completed(serve):
    """When the held bytes end within a head, reading must continue without waiting."""
    board = serve(most_queued=1)
    for cut in (1, len(HELLO) // 2, len(HELLO) - 1):
        with Wire(board.address) as wire:
            wire.send(HELLO * MANY + HELLO[:cut])
            found = b""
            while found.count(b"hello") < MANY:
                more = wire.read()
                assert more
                found += more
            wire.send(HELLO[cut:])
            assert wire.answer().body == b"hello"


def test_a_client_that_pipelines_and_does_not_read_is_not_read_either(serve):
    """Its requests stay in the kernel, whose buffers are bounded; few of them are parsed."""
    board = serve(stall_secs=3600.0)
    with Wire(board.address, receive_bytes=4096) as wire:
        sent = wire.send_until_blocked(HELLO * 1000, most=256 << 20, timeout=1.0)
        assert sent < 256 << 20
        assert board.says_hello()
        wait_until(lambda: len(board.connections()) == 1)
        (connection,) = board.connections()
        queue = getattr(connection, "pipeline", ())
        assert len(queue) <= connection.most_queued + 200
        assert len(connection._held) <= connection.held_bytes


def test_another_version_of_uvicorn_is_served_without_limits_and_with_a_warning(
    monkeypatch, caplog
):
    known = httptools_protocol()
    assert missing(known) == missing(h11_protocol()) == []
    odd = type("Odd", (known,), {"uses": known.uses | {"renamed"}})
    monkeypatch.setattr(protocols, "httptools_protocol", lambda: odd)
    found = protocol()
    assert not issubclass(found, Bounded)
    assert found.__name__ == "HttpToolsProtocol"
    assert "lacks renamed" in caplog.text


def test_nothing_is_left_behind(serve):
    board = serve(head_secs=0.2)
    for first in (b"", b"GET", HELLO):
        with Wire(board.address) as wire:
            if first:
                wire.send(first)
    board.wait_until_left()
