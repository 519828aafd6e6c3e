"""The options that select runs and tags, the same for every command."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from kymograph.store import Run, Series, Store
from kymograph.store.query import matcher

__all__ = ["Choice", "options"]


@dataclass(frozen=True)
class Choice:
    """Which runs and which tags; no pattern means all."""

    runs: tuple[str, ...]
    tags: tuple[str, ...]
    regex: bool

    def has_run(self, name: str) -> bool:
        """Whether a run is selected."""
        return _matches(self.runs, name, regex=self.regex)

    def has_tag(self, tag: str) -> bool:
        """Whether a tag is selected."""
        return _matches(self.tags, tag, regex=self.regex)

    def runs_of(self, store: Store) -> list[Run]:
        """The selected runs of a store."""
        return [run for name, run in store.runs.items() if self.has_run(name)]

    def scalars_of(self, store: Store) -> list[Series]:
        """The selected scalar series of a store."""
        return [
            series
            for run in self.runs_of(store)
            for series in run.all_series()
            if self.has_tag(series.tag)
        ]


def options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--run`, `--tag` and `--regex`, which arrive as `runs`, `tags` and `regex`."""
    run = click.option(
        "--run", "runs", multiple=True, metavar="GLOB", help="Only runs that match. Repeatable."
    )
    tag = click.option(
        "--tag", "tags", multiple=True, metavar="GLOB", help="Only tags that match. Repeatable."
    )
    regex = click.option(
        "--regex",
        is_flag=True,
        help="--run and --tag take regular expressions, matched anywhere in the name.",
    )
    return run(tag(regex(_checked(function))))


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)  # options added to it so far come along
    def command(
        *args: Any, runs: tuple[str, ...], tags: tuple[str, ...], regex: bool, **rest: Any
    ) -> Any:
        if regex:
            _require_expressions((*runs, *tags))
        return function(*args, choice=Choice(runs, tags, regex), **rest)

    return command


def _require_expressions(patterns: tuple[str, ...]) -> None:
    pattern = ""
    try:
        for pattern in patterns:
            re.compile(pattern)
    except re.error as error:
        raise click.UsageError(f"invalid regular expression: {pattern!r}: {error}") from error


def _matches(patterns: tuple[str, ...], name: str, *, regex: bool) -> bool:
    if not patterns:
        return True
    # A name may hold `[`; given exactly, it means itself.
    return any(
        (not regex and name == pattern) or matcher(re.compile(pattern) if regex else pattern)(name)
        for pattern in patterns
    )
