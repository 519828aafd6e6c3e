"""The findings of `kymograph doctor`: why a board is empty or looks wrong."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import responses
from kymograph.asgi.board import board
from kymograph.asgi.operations import Operation
from kymograph.store import Store

__all__ = ["OPERATIONS"]

# It reads files, so within this time every client gets the same answer.
_FRESH_SECS = 5.0


class FindingRow(msgspec.Struct):
    """A problem, or something worth knowing."""

    code: str
    """Stable across versions, such as `no-event-files`."""
    severity: Literal["error", "warning", "note"]
    sentence: str
    hint: str | None
    """What to do."""
    path: str | None
    """The first of the files, directories or runs that it concerns."""


class Findings(msgspec.Struct):
    """All findings, the most severe first."""

    findings: list[FindingRow]


async def findings(request: Request) -> Response:
    """The findings about the logdir as it is now."""
    here = board(request)
    moment = int(time.monotonic() / _FRESH_SECS)
    answer = await here.slow_workers.run(_findings, here.store, here.store.change, moment)
    return await responses.json(request, answer)


@lru_cache(maxsize=2)
def _findings(store: Store, _change: int, _moment: int) -> Findings:
    # Boards are asked for this rarely, and not when they start.
    from kymograph.store.doctor import diagnose

    return Findings(
        [
            FindingRow(
                found.code,
                found.severity,
                _shown(found.message),
                _shown(found.hint) or None,
                _shown(found.places[0]) if found.places else None,
            )
            for found in diagnose(store).findings
        ]
    )


def _shown(text: str) -> str:
    """Text with paths in it, also such that are not in the file system's encoding."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


OPERATIONS = [
    Operation("GET", "/doctor", findings, "why the board is empty or looks wrong", answer=Findings)
]
