"""Addresses of blobs in paths: whether they can belong to this board."""

from __future__ import annotations

import re

from kymograph.asgi.board import Board
from kymograph.errors import BlobUnreadableError, UnknownBlobError

__all__ = ["check_address", "check_instance"]


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
