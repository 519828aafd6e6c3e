"""A number of seconds on the command line."""

from __future__ import annotations

import math
from typing import Any

import click

__all__ = ["SECONDS"]


class _Seconds(click.FloatRange):
    """A finite number from 0: `nan` passes any comparison, and would wait forever."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"not a finite number of seconds: {value}", param, ctx)
        return number


SECONDS = _Seconds(min=0)
