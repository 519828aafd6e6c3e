"""What passes the guard, and what its responses say to the browser."""

import re
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from kymograph.asgi.security import Access, Guard, guard, session
from tests.asgi.client import Client

TOKEN = "correct-horse/battery+staple"
WITH_TOKEN = Access(bind="other", auth="token", token=TOKEN)
WITH_KEY = Access(key="the-key-of-the-launcher")
PAGE = {"Accept": "text/html,application/xhtml+xml"}


@pytest.fixture(autouse=True)
def no_delay(monkeypatch):
    monkeypatch.setattr(guard, "_WRONG_TOKEN_SECS", 0.0)


async def echo(request: Request) -> Response:
    return PlainTextResponse(f"{request.method} {request.url.path}?{request.url.query}")


async def brings_policy(_request: Request) -> Response:
    return PlainTextResponse("", headers={"Content-Security-Policy": "img-src 'none'"})


METHODS = ["GET", "POST", "PATCH", "DELETE", "OPTIONS"]


def client(access: Access | None = None, prefix: str = "") -> Client:
    app = Starlette(
        routes=[
            Route("/policy", brings_policy),
            Route("/{path:path}", echo, methods=METHODS),
        ]
    )
    return Client(Guard(app, access or Access(), prefix=prefix))


def ask(path: str = "/api/v1/runs", *, access: Access | None = None, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client(access).get(path, headers=named)


# --- names ---


@pytest.mark.parametrize("host", ["localhost:6006", "127.0.0.1:6006", "[::1]", "x.localhost"])
def test_own_names_pass(host):
    assert ask(host=host).status_code == 200


def test_a_rebound_name_is_refused_with_the_way_out():
    answer = ask(host="evil.org:6006")
    assert answer.status_code == 403
    assert "`--allow-host evil.org`" in answer.json()["error"]
    assert ask(host="evil.org", access=Access(allowed_hosts=("evil.org",))).status_code == 200


@pytest.mark.parametrize("host", ["", "a b", "a/../b", "a:b", "user@localhost", "localhost,evil"])
def test_a_malformed_host_is_a_bad_request(host):
    assert ask(host=host).status_code == 400


def test_two_hosts_are_a_bad_request():
    headers = [("host", "localhost"), ("host", "localhost")]
    assert client().get("/", headers=headers).status_code == 400


def test_clients_with_a_credential_may_use_any_host_name():
    assert ask(access=WITH_TOKEN, host="any.org", authorization=f"Bearer {TOKEN}").is_success
    assert ask(access=WITH_KEY, host="any.org", x_kymograph_key=str(WITH_KEY.key)).is_success
    assert ask("/", access=WITH_TOKEN, host="any.org", accept="text/html").status_code == 401


# --- other sites ---


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
@pytest.mark.parametrize("site", ["same-site", "cross-site", "nonsense", ""])
def test_a_browser_that_says_another_site_asks_is_refused(method, site):
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors", "Origin": "http://localhost"}
    answer = client().request(method, "/api/v1/runs", headers=headers)
    assert answer.status_code == 403
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_a_browser_that_says_the_page_itself_asks_passes(method, site):
    headers = {"Sec-Fetch-Site": site, "Origin": "https://through-a-proxy.org"}
    assert client().request(method, "/api/v1/runs", headers=headers).status_code == 200


def visit(path: str, dest: str, access: Access | None = None, method: str = "GET") -> int:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": dest}
    return client(access).request(method, path, headers=headers).status_code


def test_links_from_other_sites_lead_to_the_page_and_only_there():
    assert visit("/", "document") == 200
    assert visit("/api/v1/runs", "document") == 403
    assert visit("/data/runs", "document") == 403
    assert visit("/", "document", method="POST") == 403
    assert visit("/", "image") == 403


def test_frames_of_other_sites_show_the_page_if_they_may():
    assert visit("/", "iframe") == 403
    assert visit("/", "iframe", Access(frame_ancestors=("https://lab.org",))) == 200
    assert visit("/api/v1/runs", "iframe", Access(frame_ancestors=("https://lab.org",))) == 403


def post(origin: str, access: Access | None = None, **headers: str) -> int:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client(access).post("/api/v1/x", headers={"Origin": origin, **named}).status_code


def test_an_older_browser_is_judged_by_the_origin():
    assert post("http://localhost:6006", host="localhost:6006") == 200
    allowed = Access(allowed_hosts=("board.org",))
    assert post("https://board.org", allowed, host="board.org") == 200
    assert post("http://localhost:8888", host="localhost:6006") == 403
    assert post("http://evil.org", host="localhost:6006") == 403
    assert post("null", host="localhost:6006") == 403
    assert post("", host="localhost:6006") == 403


def test_an_origin_may_be_that_of_the_proxy():
    assert post("https://board.org", host="localhost:6006") == 403
    allowed = Access(allowed_hosts=("board.org",))
    assert post("https://board.org", allowed, host="localhost:6006") == 200
    assert post("https://board.org", x_forwarded_host="board.org", host="localhost:6006") == 200


def test_two_origins_must_both_be_right():
    headers = [("Origin", "http://localhost"), ("Origin", "http://evil.org")]
    assert client().post("/api/v1/x", headers=headers).status_code == 403


def test_scripts_send_neither_and_pass():
    assert client().post("/api/v1/x").status_code == 200


# --- tokens ---


def test_without_the_token_there_is_nothing():
    for path in ("/api/v1/runs", "/assets/x.js", "/data/runs", "/api/v1/health/../runs"):
        answer = ask(path, access=WITH_TOKEN)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.json() == {"error": "this board requires a token"}


def test_health_needs_no_token_and_no_key():
    for access in (WITH_TOKEN, WITH_KEY):
        assert ask("/api/v1/health", access=access).status_code == 200
        assert ask("/api/v1/healthy", access=access).status_code == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_scripts_send_the_token_in_a_header(scheme):
    assert ask(access=WITH_TOKEN, authorization=f"{scheme} {TOKEN}").status_code == 200


@pytest.mark.parametrize("given", ["", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "é"])
def test_a_wrong_token_is_refused(given):
    headers = {"Authorization": f"Bearer {given}".encode()}
    answer = client(WITH_TOKEN).get("/api/v1/runs", headers=headers)
    assert answer.status_code == 403
    assert answer.json() == {"error": "wrong token"}
    assert answer.headers["cache-control"] == "no-store"


def test_other_kinds_of_authorization_belong_to_proxies():
    assert ask(access=WITH_TOKEN, authorization="Basic Zm9vOmJhcg==").status_code == 401


def test_the_token_opens_no_route_but_the_page_by_url():
    answer = client(WITH_TOKEN).get("/api/v1/runs", params={"token": TOKEN})
    assert answer.status_code == 401


def log_in(path: str = "/", access: Access = WITH_TOKEN, **options: Any) -> httpx.Response:
    return client(access).get(path, params={"token": access.token}, **options)


def test_the_login_url_sets_a_cookie_that_opens_the_board():
    answer = log_in(headers=PAGE)
    assert answer.status_code == 303
    assert answer.headers["location"] == "./"
    assert answer.headers["cache-control"] == "no-store"
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    assert name == WITH_TOKEN.cookie
    assert ask(access=WITH_TOKEN, cookie=f"a=b; {name}={value}; c").status_code == 200
    # A browser may hold two of them; one that is right is enough.
    assert ask(access=WITH_TOKEN, cookie=f"{name}=old; {name}={value}").status_code == 200


def test_the_cookie_is_for_this_page_and_not_for_scripts():
    flags = log_in().headers["set-cookie"].split("; ")[1:]
    assert flags == ["Max-Age=2592000", "HttpOnly", "SameSite=Lax"]


def test_the_cookie_stays_on_https_if_it_came_by_it():
    for schemes in ("https", "https, http"):
        answer = log_in(headers={"X-Forwarded-Proto": schemes})
        assert answer.headers["set-cookie"].endswith("; Secure")
    assert "Secure" not in log_in(headers={"X-Forwarded-Proto": "http"}).headers["set-cookie"]


def test_an_expired_or_forged_session_is_none():
    expired = session.issue(TOKEN, now=1.0)
    other = session.issue("another-token-of-16-letters")
    for value in (expired, other, "x", ""):
        answer = ask(access=WITH_TOKEN, cookie=f"{WITH_TOKEN.cookie}={value}")
        assert answer.status_code == 401


def test_the_rest_of_the_url_is_kept():
    answer = client(WITH_TOKEN).get("/index.html?a=1&token=" + "x&%74oken=" + "y&b=%20%0a&c")
    assert answer.status_code == 403
    query = f"?a=1&%74oken={TOKEN.replace('+', '%2B')}&b=%20%0a&c"
    answer = client(WITH_TOKEN).get("/index.html" + query)
    assert answer.headers["location"] == "./index.html?a=1&b=%20%0a&c"


@pytest.mark.parametrize(
    ("path", "location"), [("/a/b", "./b"), ("/a/b/", "./"), ("/a/b/index.html", "./index.html")]
)
def test_the_way_back_is_relative_below_a_prefix(path, location):
    answer = client(WITH_TOKEN, prefix="/a/b").get(path, params={"token": TOKEN})
    assert answer.headers["location"] == location
    # Behind a proxy that strips the prefix the same board is asked without it.
    answer = client(WITH_TOKEN, prefix="/a/b").get("/", params={"token": TOKEN})
    assert answer.headers["location"] == "./"


def test_an_old_login_url_still_opens_a_board_without_a_token():
    answer = client().get("/?token=old&x=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "./?x=1")
    assert "set-cookie" not in answer.headers


def test_logged_in_users_may_use_an_old_login_url():
    cookie = f"{WITH_TOKEN.cookie}={session.issue(TOKEN)}"
    answer = client(WITH_TOKEN).get("/?token=old", headers={"Cookie": cookie})
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers


def test_the_app_and_the_logs_of_the_server_never_see_a_token():
    answer = ask("/api/v1/runs?token=secret&x=1&to%6ben=secret")
    assert answer.text == "GET /api/v1/runs?x=1"


def test_many_wrong_tokens_are_slowed_down_and_the_right_one_is_not():
    tried = client(WITH_TOKEN)
    wrong = {"Authorization": "Bearer wrong"}
    statuses = [tried.get("/api/v1/runs", headers=wrong).status_code for _ in range(32)]
    assert statuses == [403] * 30 + [429] * 2
    assert tried.get("/api/v1/runs", headers=wrong).headers["retry-after"] == "60"
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert tried.get("/api/v1/runs", headers=right).status_code == 200
    assert tried.get("/", params={"token": TOKEN}).status_code == 303


# --- the login page ---


class Form(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_people_are_asked_for_the_token_on_a_page():
    script = '"><script>alert(1)</script>'
    query = {"tab": script, script: "1", "token": ""}
    answer = client(WITH_TOKEN).get("/", params=query, headers=PAGE)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "This board requires a token." in answer.text
    tags = Form(answer.text).tags
    assert ("form", {"method": "get"}) in tags
    inputs = {given["name"]: given for tag, given in tags if tag == "input"}
    assert inputs["token"]["type"] == "password"
    assert inputs["tab"]["value"] == script
    assert inputs[script]["value"] == "1"
    assert "<script" not in answer.text


def test_the_login_page_keeps_to_its_policy():
    answer = client(WITH_TOKEN).get("/", headers=PAGE)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.findall(r"<script|<link|<img| style=| on\w+=| src=| href=", answer.text) == []


def test_a_wrong_token_on_the_page_asks_again():
    answer = client(WITH_TOKEN).get("/?token=wrong", headers=PAGE)
    assert answer.status_code == 403
    assert "Wrong token." in answer.text
    assert "wrong" not in answer.text


# --- the launcher's key ---


def test_with_a_key_every_request_must_carry_it():
    assert ask(access=WITH_KEY, x_kymograph_key=str(WITH_KEY.key)).status_code == 200
    for headers in ({}, {"x_kymograph_key": "wrong"}, {"authorization": f"Bearer {WITH_KEY.key}"}):
        answer = ask("/", access=WITH_KEY, accept="text/html", **headers)
        assert answer.status_code == 401
        assert "launcher" in answer.json()["error"]


def test_with_a_key_other_sites_are_still_refused():
    headers = {"x_kymograph_key": str(WITH_KEY.key), "sec_fetch_site": "cross-site"}
    assert ask(access=WITH_KEY, **headers).status_code == 403


# --- headers ---


@pytest.mark.parametrize(
    ("path", "status"), [("/", 200), ("/api/v1/x", 200), ("/api/v1/x", 403), ("/", 400)]
)
def test_every_answer_has_the_headers(path, status):
    headers = {403: {"Host": "evil.org"}, 400: {"Host": ""}}.get(status, {})
    answer = client().get(path, headers=headers)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "unsafe" not in policy


def test_data_is_in_a_sandbox_and_the_page_is_not():
    assert "sandbox" not in client().get("/").headers["content-security-policy"]
    assert "script-src 'self'" in client().get("/").headers["content-security-policy"]
    for path in ("/api/v1/blobs/a/b", "/data/plugin/text/text", "/experiment/x/data/runs"):
        policy = client().get(path).headers["content-security-policy"]
        assert "sandbox" in policy
        assert "script-src" not in policy


def test_a_policy_of_the_answer_holds_as_well():
    policies = client().get("/policy").headers.get_list("content-security-policy")
    assert len(policies) == 2


def test_frames_are_for_whom_they_were_allowed():
    answer = client(Access(frame_ancestors=("'self'", "https://lab.org"))).get("/")
    assert "frame-ancestors 'self' https://lab.org" in answer.headers["content-security-policy"]
