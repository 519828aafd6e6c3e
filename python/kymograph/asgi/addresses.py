"""Addresses of blobs in paths: whether they can belong to this board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from kymograph.asgi.board import Board
from kymograph.errors import BlobUnreadableError, UnknownBlobError

__all__ = ["check_address", "check_instance", "first_within"]


def check_address(board: Board, instance: str, address: str) -> None:
    """Raises UnknownBlobError if invalid, BlobUnreadableError if from before a restart.

    What passes has no character that means anything in a header.
    """
    is_plain = re.fullmatch(r"[0-9a-f]{1,64}", instance) and re.fullmatch(r"[0-9a-f-]+", address)
    if not is_plain:
        raise UnknownBlobError("there is no blob at this address")
    check_instance(board, instance)


def check_instance(board: Board, instance: str) -> None:
    """Raises BlobUnreadableError for addresses from before a restart of the board."""
    if instance != board.instance:
        raise BlobUnreadableError(
            "this address is from before a restart of the board; request the list again"
        )


def first_within(addresses: Sequence[str], most_bytes: int) -> list[str]:
    """As many addresses as may be read at once, and at least one of those there are."""
    total = 0

    def fits(address: str) -> bool:
        nonlocal total
        total += _payload_bytes(address)
        return total <= most_bytes

    return list(takewhile(fits, addresses)) or list(addresses[:1])


def _payload_bytes(address: str) -> int:
    """The number of bytes to read for a blob, from its address; 0 if that is invalid."""
    try:
        return int(address.split("-")[3], 16)
    except (IndexError, ValueError):
        return 0
