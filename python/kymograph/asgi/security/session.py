"""What the cookie holds: a time to end, signed with the token, so that nothing is kept here."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

__all__ = ["LIFETIME_SECS", "is_valid", "issue"]

LIFETIME_SECS = 30 * 24 * 3600


def issue(token: str, *, now: float | None = None) -> str:
    """A new session: `<end>.<random>.<signature>`. Another token ends all of them."""
    end = int((time.time() if now is None else now) + LIFETIME_SECS)
    payload = f"{end}.{secrets.token_urlsafe(12)}"
    return f"{payload}.{_signature(token, payload)}"


def is_valid(token: str, session: str, *, now: float | None = None) -> bool:
    """Whether it was issued with this token and has not ended."""
    payload, _, signature = session.rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(token, payload).encode()):
        return False
    return int(payload.partition(".")[0]) > (time.time() if now is None else now)


def _signature(token: str, payload: str) -> str:
    key = hmac.digest(token.encode(), b"kymograph session", hashlib.sha256)
    return hmac.new(key, payload.encode(), hashlib.sha256).hexdigest()
