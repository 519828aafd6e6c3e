"""One encoder per dashboard: what a user logs into a `Summary` message."""
