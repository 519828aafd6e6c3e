"""Names of runs and tags in requests, and how many of them one request may have."""

from __future__ import annotations

from typing import Annotated

import msgspec

__all__ = ["MOST_PAIRS", "MOST_SERIES", "Name", "RunNames", "Text"]

MOST_SERIES = 5000
"""Most series that one request may name, including those that do not exist."""
MOST_PAIRS = 2_000_000
"""Most pairs of run and tag that one request may search."""

Name = Annotated[str, msgspec.Meta(max_length=4096)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]
RunNames = Annotated[list[Name], msgspec.Meta(max_length=MOST_SERIES)]
