"""Requests to an ASGI app without a server."""

import asyncio
from typing import Any

import httpx

__all__ = ["Client"]


class Client:
    """Asks an app; faults in it come back as the answers that a server would send."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return asyncio.run(self._request(method, path, **options))

    async def _request(self, method: str, path: str, **options: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)
