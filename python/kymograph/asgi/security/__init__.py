"""Who may request what: the access that a board was started with, and its guard."""

from kymograph.asgi.security.access import Access, decide, login_url
from kymograph.asgi.security.guard import Guard

__all__ = ["Access", "Guard", "decide", "login_url"]
