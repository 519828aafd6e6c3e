"""Names and ports in `Host` and `Origin`."""

import pytest

from kymograph.asgi.security import Access
from kymograph.asgi.security.hosts import Authority, is_allowed, of_origin, parse


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("localhost", ("localhost", None)),
        ("LOCALHOST.:6006", ("localhost", 6006)),
        ("127.0.0.1:80", ("127.0.0.1", 80)),
        ("[::1]:6006", ("::1", 6006)),
        ("[0:0:0:0:0:0:0:1]", ("::1", None)),
        ("my_box-1.example.org:65535", ("my_box-1.example.org", 65535)),
    ],
)
def test_host_and_port_are_separated(text, found):
    assert parse(text) == Authority(*found)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", ":80", "host:", "host:x", "host:123456", "a b", "a,b", "a/b", "a@b", "a\\b"),
        *("[::1", "::1", "[::1]x", "[1.2.3.4.5]", "[fe80::1%eth0]", "h\x00st", "höst", ".", "%41"),
        *("localhost\n", "localhost:80\n"),
    ],
)
def test_what_is_no_host_is_not_taken_for_one(text):
    assert parse(text) is None


@pytest.mark.parametrize("origin", ["null", "", "localhost", "file://x", "http://", "http://a/b"])
def test_what_is_no_origin_is_not_taken_for_one(origin):
    assert of_origin(origin) is None


def test_ports_that_are_left_out_are_those_of_the_scheme():
    assert Authority("a", None).at("https") == Authority("a", 443).at("https")
    assert Authority("a", None).at("http") != Authority("a", 443).at("http")


ACCESS = Access(own_names=("gpu1", "gpu1.lab"), allowed_hosts=("board.org", ".team.org"))


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "x.localhost", "127.0.0.1", "10.1.2.3", "::1", "fe80::1"),
        *("gpu1", "gpu1.lab", "board.org", "a.team.org", "b.a.team.org"),
    ],
)
def test_names_that_no_other_site_can_own_and_given_names_are_allowed(host):
    assert is_allowed(host, ACCESS)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.org", "localhost.evil.org", "notlocalhost", "127.0.0.1.evil.org", "gpu1.evil.org"),
        *("team.org", "xteam.org", "x.board.org", "board.org.evil.org", "1.2.3", "0x7f.1", "1"),
    ],
)
def test_names_that_another_may_own_are_not_allowed(host):
    assert not is_allowed(host, ACCESS)
