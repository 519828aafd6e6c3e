"""Tokens, cookies and keys, and who has none; a unix socket."""

from pathlib import Path

import httpx

import kymograph
from kymograph.asgi.board import Board
from kymograph.asgi.security import Access, session
from kymograph.server import sockets
from kymograph.server.serving import Serving
from kymograph.store import Store
from tests.server.security.conftest import DESCRIPTION, HEALTH, KEY, TOKEN, exchange, post
from tests.server.wire import Wire, get


def test_a_closed_board_shows_strangers_the_login_page_and_nothing_else(closed_board: Serving):
    page = exchange(closed_board, get("/", "Accept: text/html"))
    assert page.status == 401
    assert b'name="token"' in page.body
    for path in (DESCRIPTION, "/api/v1/curation", "/data/runs", "/mark.svg", "/nothing"):
        answer = exchange(closed_board, get(path))
        assert answer.status == 401
        assert answer.headers["www-authenticate"] == "Bearer"
    assert exchange(closed_board, post("/api/v1/curation", b"{}")).status == 401


def test_wrong_and_expired_tokens_open_nothing(closed_board: Serving):
    assert exchange(closed_board, get(DESCRIPTION, "Authorization: Bearer wrong")).status == 403
    assert exchange(closed_board, get("/?token=wrong")).status == 403
    name = Access(auth="token", token=TOKEN).cookie
    for value_ in (session.issue(TOKEN, now=0), session.issue(TOKEN + "x"), TOKEN, "x.y.z", ""):
        answer = exchange(closed_board, get(DESCRIPTION, f"Cookie: {name}={value_}"))
        assert answer.status == 401


def test_the_token_opens_the_board_to_a_browser(closed_board: Serving):
    url = closed_board.url
    with httpx.Client(base_url=url, follow_redirects=True, timeout=60) as client:
        page = client.get("/", params={"token": TOKEN}, headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert str(page.url) == url
        set_cookie = page.history[0].headers["set-cookie"]
        assert {"HttpOnly", "SameSite=Lax"} <= set(set_cookie.split("; "))
        assert TOKEN not in set_cookie
        assert client.get(DESCRIPTION).status_code == 200


def test_the_token_opens_the_board_to_a_script(closed_board: Serving):
    answer = exchange(closed_board, get(DESCRIPTION, f"Authorization: Bearer {TOKEN}"))
    assert answer.status == 200
    # A client with the token knows where it is.
    request = get(DESCRIPTION, f"Authorization: Bearer {TOKEN}", host="any.example.org")
    assert exchange(closed_board, request).status == 200


def test_nothing_that_is_answered_or_printed_has_the_token(closed_board: Serving, capfd):
    for path in (f"/?token={TOKEN}", f"/nothing?token={TOKEN}", f"{DESCRIPTION}?token={TOKEN}"):
        answer = exchange(closed_board, get(path, f"Authorization: Bearer {TOKEN}"))
        assert TOKEN not in answer.body.decode()
        assert TOKEN not in str(answer.headers)
    assert TOKEN not in "".join(capfd.readouterr())


def test_a_board_served_from_python_asks_for_a_token_too(logdir: Path):
    with kymograph.serve(logdir, auth="token") as board:
        assert exchange(board, get(DESCRIPTION)).status == 401
        assert exchange(board, get(HEALTH)).status == 200
        with httpx.Client(follow_redirects=True, timeout=60) as client:
            assert client.get(board.login_url).status_code == 200
            assert client.get(board.url + DESCRIPTION[1:]).status_code == 200


def test_a_launched_board_answers_its_launcher_only(launched_board: Serving):
    for headers in ([], ["X-Kymograph-Key: wrong"], [f"Authorization: Bearer {KEY}"]):
        assert exchange(launched_board, get("/", "Accept: text/html", *headers)).status == 401
        assert exchange(launched_board, get(DESCRIPTION, *headers)).status == 401
    request = get(DESCRIPTION, f"X-Kymograph-Key: {KEY}", host="hub.example.org")
    assert exchange(launched_board, request).status == 200


def test_a_unix_socket_is_for_its_owner_and_guarded_all_the_same(logdir: Path, tmp_path: Path):
    path = tmp_path / "socket"
    listening = sockets.unix(path)
    with Serving(Board(Store(logdir)), listening, Access(bind="unix")):
        assert path.stat().st_mode & 0o777 == 0o600
        for host, status in (("localhost", 200), ("evil.org", 403)):
            with Wire(str(path)) as wire:
                wire.send(get(DESCRIPTION, host=host))
                assert wire.answer().status == status
    assert not path.exists()
