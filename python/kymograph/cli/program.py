"""How every command ends: an error in one sentence, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

import click

from kymograph.errors import KymographError

__all__ = ["Failure", "NothingFound", "Program"]

# 128 + the number of the signal, as shells report it.
_INTERRUPTED = 130
_BROKEN_PIPE = 141


class Failure(click.ClickException):
    """Ends a command with a sentence and maybe a hint, on standard error."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        label = click.style("error", fg="red", bold=True)
        click.echo(f"{label}: {self.format_message()}", file=file, err=True, color=_colour())


class NothingFound(Failure):
    """Nothing matches."""


class Program(click.Group):
    """A group of commands that reports our own errors, and is quiet when interrupted.

    Without a command, an option or a path runs `serve`. The module of a command is imported when
    the command runs: the listing has the description of each, so that neither the help nor a board
    waits for the others.
    """

    def __init__(self, *args: Any, listing: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._names = tuple(listing)
        self._listing = listing

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The commands in their order."""
        return list(self._names)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in self._names:
            return None
        found = getattr(import_module(f"kymograph.cli.{cmd_name}"), cmd_name)
        assert isinstance(found, click.Command)  # noqa: S101
        return found

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the listing, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._listing.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and self._is_for_serve(args[0], ctx):
            args = ["serve", *args]
        return super().parse_args(ctx, args)

    def _is_for_serve(self, first: str, ctx: click.Context) -> bool:
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if first in self._names or first in own or ctx.resilient_parsing:
            return False
        is_path = any(mark in first for mark in "/:~.") or Path(first).exists()
        if not first.startswith("-") and not is_path:
            known = ", ".join(self._names)
            new = f"for a directory that does not exist yet, use `./{first}`"
            hint = f"hint: commands are {known}; {new}"
            raise click.UsageError(f"no such command, and no such directory: {first}\n{hint}", ctx)
        return True

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        _print_any_character()
        with _one_sentence():  # help and version are written here
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        ctx.color = _colour()
        with _one_sentence():
            return super().invoke(ctx)


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Turns what may happen to any command into its sentence and exit code."""
    try:
        try:
            yield
        finally:
            # The reader may be gone by now, or the disk full; it shows only when the last lines
            # are flushed.
            sys.stdout.flush()
    except KymographError as error:
        raise Failure(str(error)) from error
    except BrokenPipeError as error:
        _silence_output()
        raise click.exceptions.Exit(_BROKEN_PIPE) from error
    except OSError as error:
        if error.filename is not None:
            raise  # not the output, which has no name
        _silence_output()
        raise Failure(f"cannot write the output: {error.strerror or error}") from error
    except KeyboardInterrupt as error:
        raise click.exceptions.Exit(_INTERRUPTED) from error


def _print_any_character() -> None:
    """What the encoding of the terminal lacks is printed as an escape, and is no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _silence_output() -> None:
    """Python flushes once more when it ends, and would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _colour() -> bool | None:
    """No colours where they are switched off (https://no-color.org) or not supported."""
    is_off = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if is_off else None
