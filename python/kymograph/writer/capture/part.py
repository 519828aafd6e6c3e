"""What every part of a capture is, and what it writes to."""

from __future__ import annotations

import math
import re
from os import PathLike
from typing import Protocol

__all__ = ["Part", "Writer", "fenced"]


class Writer(Protocol):
    """The methods of `SummaryWriter` that a capture calls."""

    def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> object: ...
    def add_text(self, tag: str, text_string: str, global_step: int) -> object: ...
    def flush(self) -> object: ...
    def get_logdir(self) -> str | PathLike[str]: ...


class Part:
    """One thing that is captured: begun once, recorded now and then, ended once.

    What raises is logged and left out from then on.
    """

    interval_secs: float = math.inf
    """Seconds between records; infinite for what is recorded once."""

    def begin(self) -> None:
        """Called on the thread that makes the writer, so it must be quick."""

    def record(self, writer: Writer, *, final: bool) -> None:
        """Called on the capture's thread; `final` is the last time before `end`."""
        raise NotImplementedError

    def end(self) -> None:
        """Called once, also when `record` has failed."""


def fenced(text: str, language: str = "") -> str:
    """`text` as a code block, since text summaries are shown as Markdown."""
    # A lone surrogate, which Python puts for undecodable bytes, has no place in UTF-8.
    text = text.encode("utf-8", "replace").decode()
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
