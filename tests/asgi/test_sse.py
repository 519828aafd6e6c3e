"""Server-sent events are framed as browsers read them, and their generator always ends."""

import asyncio
from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

import msgspec
import pytest

from kymograph.asgi import sse

SCOPE = {"type": "http", "asgi": {"spec_version": "2.3"}}
Message = MutableMapping[str, Any]


class Note(msgspec.Struct):
    text: str


def test_an_event_has_a_name_an_id_and_one_line_of_data():
    assert sse.event("note", Note("a"), id="x.1") == (
        b'event: note\nid: x.1\ndata: {"text":"a"}\n\n'
    )


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "\r", "data: b\n\nevent: c", "\u2028"])
def test_no_text_breaks_out_of_its_line(text: str):
    framed = sse.event("note", Note(text))
    head, data, *end = framed.split(b"\n")
    assert (head, end) == (b"event: note", [b"", b""])
    assert b"\r" not in framed
    assert msgspec.json.decode(data.removeprefix(b"data: "), type=Note) == Note(text)


def test_comments_and_hints_are_blocks_of_their_own():
    assert sse.comment("still here") == b": still here\n\n"
    assert sse.retry(1000) == b"retry: 1000\n\n"


class Connection:
    """An ASGI connection whose client leaves on request, and may stop reading before that."""

    def __init__(self, *, reads: int = 1000) -> None:
        self.sent: list[Message] = []
        self.gone = asyncio.Event()
        self.reads = reads

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        if len(self.sent) > self.reads:
            await asyncio.Event().wait()


async def numbers(ended: list[str], *, count: int) -> AsyncGenerator[bytes, None]:
    try:
        for number in range(count):
            yield sse.comment(str(number))
        await asyncio.Event().wait()
    finally:
        ended.append("ended")


def test_headers_keep_proxies_from_holding_events_back():
    async def nothing() -> AsyncGenerator[bytes, None]:
        return
        yield b""

    async def main() -> list[Message]:
        connection = Connection()
        await sse.EventStream(nothing())(SCOPE, connection.receive, connection.send)
        return connection.sent

    start, *_, last = asyncio.run(main())
    headers = dict(start["headers"])
    assert headers[b"content-type"].startswith(b"text/event-stream")
    assert b"no-store" in headers[b"cache-control"]
    assert b"no-transform" in headers[b"cache-control"]
    assert headers[b"x-accel-buffering"] == b"no"
    assert b"content-length" not in headers
    assert not last["more_body"]


def test_a_generator_that_waits_ends_when_the_client_goes():
    async def main() -> tuple[list[str], list[Message]]:
        ended: list[str] = []
        connection = Connection()
        stream = sse.EventStream(numbers(ended, count=2))
        streaming = asyncio.create_task(stream(SCOPE, connection.receive, connection.send))
        while len(connection.sent) < 3:
            await asyncio.sleep(0)
        connection.gone.set()
        await streaming
        return ended, connection.sent

    ended, sent = asyncio.run(main())
    assert ended == ["ended"]
    assert [message.get("body") for message in sent] == [None, b": 0\n\n", b": 1\n\n"]


def test_a_generator_whose_event_is_being_sent_ends_when_the_client_goes():
    async def main() -> list[str]:
        ended: list[str] = []
        connection = Connection(reads=2)
        stream = sse.EventStream(numbers(ended, count=9))
        streaming = asyncio.create_task(stream(SCOPE, connection.receive, connection.send))
        while len(connection.sent) < 3:
            await asyncio.sleep(0)
        connection.gone.set()
        await streaming
        # Not some time later, when the garbage is collected.
        return list(ended)

    assert asyncio.run(main()) == ["ended"]


def test_a_generator_ends_when_the_stream_is_cancelled():
    async def main() -> list[str]:
        ended: list[str] = []
        connection = Connection()
        stream = sse.EventStream(numbers(ended, count=1))
        streaming = asyncio.create_task(stream(SCOPE, connection.receive, connection.send))
        while len(connection.sent) < 2:
            await asyncio.sleep(0)
        streaming.cancel()
        with pytest.raises(asyncio.CancelledError):
            await streaming
        return list(ended)

    assert asyncio.run(main()) == ["ended"]
