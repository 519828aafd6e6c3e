"""Who may ask what: the access that a board was started with, and the guard that holds to it."""

from kymograph.asgi.security.access import Access, decide, login_url
from kymograph.asgi.security.guard import Guard

__all__ = ["Access", "Guard", "decide", "login_url"]
