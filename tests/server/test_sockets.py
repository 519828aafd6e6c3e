"""Sockets: hosts, ports that are taken, sockets in the file system."""

import os
import socket
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kymograph.errors import ListenError
from kymograph.server import sockets
from kymograph.server.sockets import Listening


def has_ipv6_loopback() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


needs_ipv6 = pytest.mark.skipif(not has_ipv6_loopback(), reason="needs IPv6")


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def can_connect(listening: Listening, host: str) -> bool:
    assert listening.port is not None
    try:
        with socket.create_connection((host, listening.port), timeout=10):
            return True
    except OSError:
        return False


def test_localhost_is_every_address_of_it_on_one_port():
    with closing(sockets.tcp("localhost", 0)) as listening:
        assert len({one.getsockname()[1] for one in listening.sockets}) == 1
        assert can_connect(listening, "127.0.0.1")
        assert can_connect(listening, "::1") == has_ipv6_loopback()
        assert listening.origin == f"http://localhost:{listening.port}"
        assert listening.is_loopback


@pytest.mark.parametrize("host", [sockets.EVERYWHERE, "::"])
def test_all_interfaces_take_both_families(host):
    with closing(sockets.tcp(host, 0)) as listening:
        assert can_connect(listening, "127.0.0.1")
        assert can_connect(listening, "::1") == has_ipv6_loopback()
        assert listening.origin == f"http://{socket.gethostname()}:{listening.port}"
        assert not listening.is_loopback


@needs_ipv6
@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_address_of_ipv6_is_in_brackets_in_the_url(host):
    with closing(sockets.tcp(host, 0)) as listening:
        assert listening.origin == f"http://[::1]:{listening.port}"
        assert listening.is_loopback
        assert can_connect(listening, "::1")
        assert not can_connect(listening, "127.0.0.1")


def test_without_a_port_it_is_the_default_or_the_next_free_one():
    with closing(sockets.tcp("127.0.0.1")) as first, closing(sockets.tcp("127.0.0.1")) as second:
        assert first.port is not None
        assert second.port is not None
        assert 6006 <= first.port < second.port < 6106


def test_when_all_default_ports_are_taken_it_says_so(monkeypatch: pytest.MonkeyPatch, taken: int):
    monkeypatch.setattr(sockets, "DEFAULT_PORT", taken)
    monkeypatch.setattr(sockets, "_ATTEMPTS", 1)
    with pytest.raises(ListenError, match=f"every port from {taken} to {taken} is already in use"):
        sockets.tcp()


def test_a_port_that_is_asked_for_and_taken_is_one_sentence(taken: int):
    with pytest.raises(ListenError) as error:
        sockets.tcp("localhost", taken)
    assert str(error.value).splitlines()[0] == f"port {taken} is already in use"


@needs_ipv6
def test_a_port_that_is_taken_on_one_address_only_is_taken():
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as other:
        port = other.getsockname()[1]
        with pytest.raises(ListenError, match="already in use"):
            sockets.tcp("localhost", port)
        # The address that was free before is free again.
        sockets.tcp("127.0.0.1", port).close()


@pytest.mark.skipif(not hasattr(socket, "SO_REUSEPORT"), reason="needs SO_REUSEPORT")
def test_a_port_may_be_shared_by_those_who_say_so():
    with closing(sockets.tcp("127.0.0.1", 0, reuse_port=True)) as first:
        sockets.tcp("127.0.0.1", first.port, reuse_port=True).close()
        with pytest.raises(ListenError, match="already in use"):
            sockets.tcp("127.0.0.1", first.port)


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [
        ("192.0.2.1", 0, "not an address of this machine: 192.0.2.1"),
        ("not a host", 0, "no such host: not a host"),
        ("x" * 70 + ".org", 0, "no such host: "),
        ("localhost", 65536, "a port is a number from 0 to 65535, not: 65536"),
        ("localhost", -1, "a port is a number from 0 to 65535, not: -1"),
    ],
)
def test_what_cannot_be_listened_on_is_one_sentence(host, port, message):
    with pytest.raises(ListenError) as error:
        sockets.tcp(host, port)
    assert str(error.value).startswith(message)


# --- in the file system ---

pytestmark = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="needs unix sockets")


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The path of a socket may have about a hundred bytes.
    monkeypatch.chdir(tmp_path_factory.mktemp("s"))
    return Path("board.sock")


def connect(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(str(path))


def test_only_the_owner_may_connect_and_it_goes_when_closed(place: Path):
    old = os.umask(0)
    try:
        listening = sockets.unix(place)
    finally:
        os.umask(old)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert listening.uds == place.absolute()
    assert listening.is_loopback
    connect(place)
    listening.close()
    assert not place.exists()


def test_a_socket_that_is_left_over_makes_way(place: Path):
    with socket.socket(socket.AF_UNIX) as left_over:
        left_over.bind(str(place))
    with closing(sockets.unix(place)):
        connect(place)


def test_a_socket_in_use_is_not_replaced(place: Path):
    with closing(sockets.unix(place)):
        with pytest.raises(ListenError, match="another process is listening on: "):
            sockets.unix(place)
        connect(place)


def test_a_file_stays(place: Path):
    place.write_text("mine")
    with pytest.raises(ListenError, match="the path exists and is not a socket: "):
        sockets.unix(place)
    assert place.read_text() == "mine"


def test_what_took_its_place_stays(place: Path):
    first = sockets.unix(place)
    place.unlink()
    with closing(sockets.unix(place)):
        first.close()
        connect(place)


@pytest.mark.parametrize("path", ["missing/board.sock", "x" * 200])
def test_a_place_that_cannot_be_is_one_sentence(place: Path, path):
    with pytest.raises(ListenError, match=f"cannot listen on Unix socket: {path}: "):
        sockets.unix(path)
