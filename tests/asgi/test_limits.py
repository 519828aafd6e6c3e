"""How much a request may carry, and how long it may take."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message

from kymograph.asgi.limits import Limits
from tests.asgi.client import Client

BODY_BYTES = 1 << 20


async def echo(request: Request) -> Response:
    return Response(await request.body())


APP = Starlette(routes=[Route("/", echo, methods=["GET", "POST"])])


async def pieces(count: int, size: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield b"x" * size


@pytest.mark.parametrize("size", [0, 1, BODY_BYTES])
def test_a_body_arrives_whole(size):
    assert Client(Limits(APP)).post("/", content=b"x" * size).content == b"x" * size


def test_a_body_in_pieces_arrives_whole():
    answer = Client(Limits(APP)).post("/", content=pieces(16, BODY_BYTES // 16))
    assert answer.content == b"x" * BODY_BYTES


def test_a_larger_body_is_refused_with_its_length_and_without():
    for content in (b"x" * (BODY_BYTES + 1), pieces(17, BODY_BYTES // 16)):
        answer = Client(Limits(APP)).post("/", content=content)
        assert answer.status_code == 413
        assert answer.json() == {"error": "the body is larger than 1048576 bytes"}


def test_a_longer_query_is_refused():
    limited = Client(Limits(APP))
    assert limited.get("/?" + "q" * (16 << 10)).status_code == 200
    answer = limited.get("/?" + "q" * ((16 << 10) + 1))
    assert answer.status_code == 414
    assert answer.json() == {"error": "the query is longer than 16384 bytes"}


SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/",
    "query_string": b"",
    "headers": [(b"content-length", b"2")],
}


def exchange(app: Limits, *received: Message) -> list[Message]:
    """What is sent for messages that are received, of which there are then no more."""
    sent: list[Message] = []

    async def talk() -> None:
        waiting = list(received)

        async def receive() -> Message:
            return waiting.pop(0) if waiting else await asyncio.Event().wait()  # type: ignore[return-value]

        async def send(message: Message) -> None:
            sent.append(message)

        await app(dict(SCOPE), receive, send)

    asyncio.run(talk())
    return sent


def test_a_body_that_does_not_end_is_given_up():
    part = {"type": "http.request", "body": b"x", "more_body": True}
    start, body = exchange(Limits(APP, body_secs=0.01), part)
    assert start["status"] == 408
    assert (b"connection", b"close") in start["headers"]
    assert b"within 0.01 seconds" in body["body"]


def test_an_app_is_not_bothered_with_senders_that_have_gone():
    async def never(*_: object) -> None:
        raise AssertionError("called")

    part = {"type": "http.request", "body": b"x", "more_body": True}
    start, _ = exchange(Limits(never), part, {"type": "http.disconnect"})
    assert start["status"] == 400


def test_all_bodies_together_are_limited_while_they_are_sent():
    limited = Limits(APP, held_bytes=3)
    part = {"type": "http.request", "body": b"xx", "more_body": True}
    rest = {"type": "http.request", "body": b"xx", "more_body": False}
    start, body = exchange(limited, part, rest)
    assert start["status"] == 503
    assert (b"retry-after", b"1") in start["headers"]
    assert b"try again" in body["body"]
    for _ in range(3):  # what was sent or refused counts no more
        start, body = exchange(limited, rest)
        assert (start["status"], body["body"]) == (200, b"xx")


def test_after_the_body_an_app_hears_of_the_end():
    heard: list[str] = []

    async def listening(_scope: object, receive: object, _send: object) -> None:
        heard.extend([(await receive())["type"] for _ in range(2)])  # type: ignore[operator]

    body = {"type": "http.request", "body": b"xx"}
    exchange(Limits(listening), body, {"type": "http.disconnect"})
    assert heard == ["http.request", "http.disconnect"]
