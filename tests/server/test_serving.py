"""The handle: served in a thread, closed at once, alone in its process."""

import asyncio
import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

import kymograph
from kymograph.dashboards.scalars import lines
from kymograph.errors import ListenError, LogdirError
from kymograph.server import serving
from tests import event_files
from tests.event_files import scalar

DESCRIPTION = "api/v1/openapi.json"


def answers(url: str) -> bool:
    try:
        return httpx.get(url + DESCRIPTION, timeout=30).status_code == 200
    except httpx.ConnectError:
        return False


def test_a_board_is_served_until_it_is_closed(tmp_path: Path):
    event_files.write(tmp_path, scalar("loss", 0, 1.0))
    with kymograph.serve(tmp_path) as board:
        assert answers(board.url)
        assert not board.closed
        assert not board.wait(0)
    assert board.closed
    assert board.wait()
    assert not answers(board.url)
    board.close()


def test_several_at_once(tmp_path: Path):
    boards = [kymograph.serve(tmp_path / str(number)) for number in range(3)]
    assert len({board.url for board in boards}) == 3
    assert all(answers(board.url) for board in boards)
    boards[1].close()
    assert [answers(board.url) for board in boards] == [True, False, True]
    for board in boards:
        board.close()
    assert serving._serving == set()


def test_a_store_that_is_open_is_served_and_stays_open(tmp_path: Path):
    path = event_files.write(tmp_path, scalar("loss", 0, 1.0))
    with kymograph.open(tmp_path, follow=True) as store:
        with kymograph.serve(store) as board:
            assert board.board.store is store
            assert answers(board.url)
        change = store.change
        event_files.append(path, scalar("loss", 1, 1.0))
        assert store.wait_for_change(change, 30) > change


def test_it_works_beside_a_running_event_loop_and_leaves_signals_alone(tmp_path: Path):
    async def in_a_notebook() -> None:
        board = kymograph.serve(tmp_path)
        async with httpx.AsyncClient() as client:
            answer = await client.get(board.url + DESCRIPTION, timeout=30)
        assert answer.status_code == 200
        board.close()

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    asyncio.run(in_a_notebook())
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_several_threads_may_close_it(tmp_path: Path):
    board = kymograph.serve(tmp_path)
    threads = [threading.Thread(target=board.close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
        assert not thread.is_alive()


def test_clients_that_say_nothing_do_not_hold_it_up(tmp_path: Path):
    board = kymograph.serve(tmp_path)
    port = board.listening.port
    assert port is not None
    idle = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    idle.request("GET", "/" + DESCRIPTION)
    assert idle.getresponse().read()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as half:
        half.sendall(b"GET / HTTP/1.1\r\nHost: ")
        board.close()
        assert half.recv(1000) == b""
    idle.close()


def test_streams_end_well_when_it_is_closed(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with (
        kymograph.serve(tmp_path) as board,
        httpx.stream("GET", board.url + "api/v1/live", timeout=30) as stream,
    ):
        parts = stream.iter_raw()
        assert any(b"event: hello" in part for part in parts)
        board.close()
        list(parts)  # raises when it ends in the middle
    assert caplog.records == []


def test_an_answer_under_way_is_cut_off_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(serving, "_GRACE_SECS", 0.1)
    board = kymograph.serve(tmp_path, host="127.0.0.1")
    assert board.listening.port is not None
    with socket.create_connection(("127.0.0.1", board.listening.port), timeout=30) as client:
        client.sendall(
            b"PATCH /api/v1/curation HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        assert client.recv(100).startswith(b"HTTP/1.1 100 ")
        board.close()
        assert client.recv(100) == b""
    assert caplog.records == []


def test_long_work_is_given_up_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    began, over = threading.Event(), threading.Event()

    def work(*_arguments: object) -> None:
        began.set()
        over.wait(60)

    monkeypatch.setattr(serving, "_GRACE_SECS", 0.1)
    monkeypatch.setattr(lines, "find", work)
    board = kymograph.serve(tmp_path, host="127.0.0.1")
    assert board.listening.port is not None
    with socket.create_connection(("127.0.0.1", board.listening.port), timeout=60) as client:
        client.sendall(
            b"POST /api/v1/scalars/series HTTP/1.1\r\nHost: localhost\r\n"
            b'Content-Type: application/json\r\nContent-Length: 23\r\n\r\n{"cards":[{"tag":"a"}]}'
        )
        assert began.wait(60)
        board.close()
        assert client.recv(100) == b""
    assert board.board.is_busy
    over.set()
    assert caplog.records == []


def test_nothing_is_opened_for_a_prefix_that_cannot_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delattr(serving, "Store")
    monkeypatch.delattr(serving, "sockets")
    with pytest.raises(ValueError, match="a path prefix must look like"):
        kymograph.serve(tmp_path, path_prefix="/a/../b")


def test_a_unix_socket_is_served_and_taken_away(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("s") / "board.sock"
    with kymograph.serve("runs", uds=path) as board:
        transport = httpx.HTTPTransport(uds=str(path))
        with httpx.Client(transport=transport, base_url=board.url) as client:
            assert client.get(DESCRIPTION, timeout=30).status_code == 200
    assert not path.exists()


def test_the_address_is_released_when_the_logdir_is_invalid():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    with pytest.raises(LogdirError):
        kymograph.serve("", host="127.0.0.1", port=port)
    kymograph.serve("runs", host="127.0.0.1", port=port).close()


def test_a_port_that_is_taken_is_an_error(tmp_path: Path):
    with kymograph.serve(tmp_path) as board, pytest.raises(ListenError, match="already in use"):
        kymograph.serve(tmp_path, port=board.listening.port or 0)


def run(program: str, *arguments: object) -> str:
    """What a program of its own prints; it must end well and without a warning."""
    return subprocess.check_output(
        [sys.executable, "-W", "error", "-c", program, *map(str, arguments)],
        text=True,
        timeout=60,
        stderr=subprocess.STDOUT,
    )


def test_starting_imports_nothing_that_can_wait():
    program = "import sys, kymograph.server.serving; print(*sys.modules)"
    modules = set(run(program).split())
    assert {"uvicorn", "starlette"} < modules
    assert modules & {"markdown_it", "pandas", "pyarrow", "rich.console", "click.testing"} == set()


def test_a_program_that_ends_closes_it(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("s") / "board.sock"
    program = """
import sys, kymograph
kymograph.serve("runs", uds=sys.argv[1])
print("end")
"""
    assert run(program, path) == "end\n"
    assert not path.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_keeps_nothing_of_it(tmp_path: Path):
    program = """
import os, socket, sys, time, warnings
warnings.simplefilter("ignore")  # of forking a program that has threads, from Python 3.12 on
import kymograph

board = kymograph.serve("runs", host="127.0.0.1")
client = socket.create_connection(("127.0.0.1", board.listening.port), timeout=30)
request = b"GET /api/v1/openapi.json HTTP/1.1\\r\\nHost: localhost\\r\\n"
client.sendall(request + b"\\r\\n")
assert client.recv(15) == b"HTTP/1.1 200 OK"
reading, writing = os.pipe()
child = os.fork()
if not child:
    client.close()
    assert board.closed
    board.close()
    os.close(writing)
    os.read(reading, 1)  # until the parent is done
    sys.exit(0)  # with all that happens at exit
client.sendall(request + b"Connection: close\\r\\n\\r\\n")
while client.recv(65536):  # its end comes although the child lives
    pass
board.close()
try:
    socket.create_connection(("127.0.0.1", board.listening.port), timeout=30)
except ConnectionRefusedError:
    print("refused")
os.close(writing)
print(os.waitpid(child, 0)[1])
"""
    assert run(program) == "refused\n0\n"
