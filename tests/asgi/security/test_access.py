"""Who may reach a board, decided from what it is started with."""

import socket
from pathlib import Path

import pytest

from kymograph.asgi.security import Access, decide, login_url
from kymograph.errors import AccessError

SECRET = "0123456789abcdef"


def write(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("host", "bind"),
    [
        (None, "loopback"),
        ("localhost", "loopback"),
        ("LocalHost", "loopback"),
        ("127.0.0.1", "loopback"),
        ("127.8.9.10", "loopback"),
        ("::1", "loopback"),
        ("", "other"),
        ("0.0.0.0", "other"),
        ("::", "other"),
        ("192.168.1.7", "other"),
        ("gpu1.example.org", "other"),
        # Not the name of this machine's loopback: anyone may own it.
        ("localhost.example.org", "other"),
    ],
)
def test_a_bind_that_others_can_reach_needs_a_token(host, bind):
    access = decide(host=host)
    assert access.bind == bind
    assert access.auth == ("token" if bind == "other" else "none")
    assert (access.token is None) == (bind != "other")


def test_a_unix_socket_needs_no_token():
    access = decide(host="0.0.0.0", uds=True)
    assert (access.bind, access.auth) == ("unix", "none")


def test_a_token_may_be_asked_for_anywhere():
    assert decide(auth="token").auth == "token"
    assert decide(uds=True, auth="token").auth == "token"


def test_tokens_are_long_and_never_the_same():
    first, second = decide(auth="token").token, decide(auth="token").token
    assert first is not None
    assert second is not None
    assert first != second
    assert len(first) >= 43


def test_no_token_on_an_open_bind_is_said_aloud():
    access = decide(host="0.0.0.0", auth="none")
    assert access.auth == "none"
    assert any("anyone" in warning for warning in access.warnings)
    assert decide(auth="none").warnings == ()
    assert decide(host="0.0.0.0").warnings == ()


def test_the_token_is_the_first_line_of_its_file(tmp_path: Path):
    file = write(tmp_path / "token", f"{SECRET}\nanything else\n")
    access = decide(token_file=file)
    assert (access.auth, access.token, access.warnings) == ("token", SECRET, ())


@pytest.mark.parametrize(
    "text", ["", "\n", "short\n", "0123456789 abcdef", "0123456789abcdé", "x" * 5000]
)
def test_a_poor_secret_is_refused(tmp_path: Path, text):
    file = write(tmp_path / "token", text)
    with pytest.raises(AccessError, match=f"16 characters.*{file}"):
        decide(token_file=file)
    with pytest.raises(AccessError, match=f"16 characters.*{file}"):
        decide(key_file=file)


def test_a_secret_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(AccessError, match="cannot read the secret"):
        decide(token_file=tmp_path / "gone")


def test_a_readable_secret_gets_a_warning_and_a_writable_one_is_refused(tmp_path: Path):
    access = decide(token_file=write(tmp_path / "read", SECRET, 0o644))
    assert any("read this secret" in warning for warning in access.warnings)
    with pytest.raises(AccessError, match="write to this secret"):
        decide(token_file=write(tmp_path / "write", SECRET, 0o602))


def test_a_key_takes_the_place_of_the_token(tmp_path: Path):
    file = write(tmp_path / "key", SECRET)
    access = decide(host="0.0.0.0", key_file=file)
    assert (access.auth, access.token, access.key) == ("none", None, SECRET)
    assert access.warnings == ()
    with pytest.raises(AccessError, match="launcher"):
        decide(key_file=file, auth="token")
    with pytest.raises(AccessError, match="launcher"):
        decide(key_file=file, token_file=file)


def test_a_token_file_without_authentication_is_a_mistake(tmp_path: Path):
    with pytest.raises(AccessError, match="--auth none"):
        decide(auth="none", token_file=write(tmp_path / "token", SECRET))


def test_secrets_are_not_shown():
    access = Access(auth="token", token=SECRET, key=SECRET)
    assert SECRET not in repr(access)


def test_the_machine_knows_its_names():
    assert socket.gethostname().lower() in decide().own_names
    assert "gpu1.example.org" in decide(host="GPU1.example.org", auth="none").own_names


def test_hosts_are_names_without_port_or_scheme():
    access = decide(allowed_hosts=["Board.Example.org.", ".example.net"])
    assert access.allowed_hosts == ("board.example.org", ".example.net")
    for name in ("https://board", "board:80", "a b", "", ".", "*.example.org"):
        with pytest.raises(AccessError, match="not a host name"):
            decide(allowed_hosts=[name])


def test_frame_ancestors_cannot_smuggle_in_another_directive():
    assert decide(frame_ancestors=["https://lab.example.org:8888"]).frame_ancestors == (
        "https://lab.example.org:8888",
    )
    assert decide(frame_ancestors=[]).frame_ancestors == ("'none'",)
    for source in ("a; script-src *", "a,b", "a\r\nb", "javascript:x"):
        with pytest.raises(AccessError, match="frame the board"):
            decide(frame_ancestors=[source])


def test_the_login_url_has_the_token_and_only_if_there_is_one():
    assert login_url("http://h:1/", Access()) == "http://h:1/"
    access = Access(auth="token", token="a&b=c#d%e+f/g0123456")
    assert login_url("http://h:1/", access).endswith("?token=a%26b%3Dc%23d%25e%2Bf%2Fg0123456")


def test_boards_with_other_tokens_have_other_cookies():
    names = {Access(auth="token", token=f"{SECRET}{n}").cookie for n in range(3)}
    assert len(names) == 3
    assert Access(auth="token", token=SECRET).cookie == Access(auth="token", token=SECRET).cookie


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_secret_that_others_may_write_is_refused(tmp_path: Path, mode: int):
    file = write(tmp_path / "key", SECRET, mode)
    with pytest.raises(AccessError, match="other users can write"):
        decide(host=None, uds=False, auth="auto", key_file=file)
    with pytest.raises(AccessError, match="other users can write"):
        decide(host=None, uds=False, auth="auto", token_file=file)
