"""The page in a real browser behind reverse proxies: with the path stripped and as it is."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

import kymograph
from kymograph.asgi.security import Access
from tests.e2e.conftest import Boards, OpenPage
from tests.server.proxy import MOUNT, Proxy

expect.set_options(timeout=30_000)

TOKEN = "a-token-of-this-test-only"
LOCKED = Access(auth="token", token=TOKEN)


def write(logdir: Path, run: str) -> None:
    with kymograph.SummaryWriter(logdir / run) as writer:
        writer.add_scalar("loss", 0.5, 0)


@pytest.mark.parametrize(
    ("strips", "keeps_host", "access"),
    [
        (True, True, None),
        (True, False, LOCKED),
        (False, True, LOCKED),
        (False, False, None),
    ],
)
def test_page_works_and_stays_live_behind_a_proxy(
    open_page: OpenPage,
    serve: Boards,
    tmp_path: Path,
    access: Access | None,
    *,
    strips: bool,
    keeps_host: bool,
):
    logdir = tmp_path / "runs"
    write(logdir, "first")
    serving = serve(logdir, prefix="" if strips else MOUNT, access=access)
    port = serving.listening.port
    assert port is not None
    with Proxy(port, strips=strips, keeps_host=keeps_host) as proxy:
        page = open_page(proxy.url + (f"?token={TOKEN}" if access else ""))
        expect(page.get_by_role("banner").get_by_role("status")).to_have_text("Live")
        assert page.url == proxy.url
        expect(page.get_by_role("rowheader", name="first")).to_be_visible()
        write(logdir, "second")
        expect(page.get_by_role("rowheader", name="second")).to_be_visible()
        edited = page.evaluate(
            """async () => {
                const body = {set: [{key: ['run', 'first', 'title'], value: 'renamed'}]}
                const headers = {'Content-Type': 'application/json'}
                const options = {method: 'PATCH', headers, body: JSON.stringify(body)}
                return (await (await fetch('api/v1/curation', options)).json()).runs
            }"""
        )
        assert edited == [{"name": "first", "title": "renamed"}]
        open_page.close()


@pytest.mark.slow
def test_page_asks_now_and_then_where_a_proxy_holds_the_stream_back(
    open_page: OpenPage, serve: Boards, tmp_path: Path
):
    logdir = tmp_path / "runs"
    write(logdir, "first")
    port = serve(logdir, prefix="").listening.port
    assert port is not None
    with Proxy(port, strips=True, holds=True) as proxy:
        page = open_page(proxy.url)
        expect(page.get_by_role("banner").get_by_role("status")).to_have_text("Polling")
        expect(page.get_by_role("rowheader", name="first")).to_be_visible()
        write(logdir, "second")
        expect(page.get_by_role("rowheader", name="second")).to_be_visible()
        open_page.close()
