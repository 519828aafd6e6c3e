"""The board: an ASGI app over a store, and what serves it."""
