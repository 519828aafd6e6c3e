"""How every command ends: what it failed with in one sentence, and its exit code."""

from __future__ import annotations

import os
import sys
from typing import IO, Any

import click

from kymograph.errors import KymographError

__all__ = ["Failure", "NothingFound", "Program"]

# 128 + the number of the signal, as the shell says it.
_INTERRUPTED = 130
_BROKEN_PIPE = 141


class Failure(click.ClickException):
    """Ends a command with a sentence and maybe a hint, on standard error."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        label = click.style("error", fg="red", bold=True)
        click.echo(f"{label}: {self.format_message()}", file=file, err=True, color=_colour())


class NothingFound(Failure):
    """What was asked about is not there."""


class Program(click.Group):
    """A group of commands that reports our own errors, and is quiet when told to stop."""

    def invoke(self, ctx: click.Context) -> Any:
        ctx.color = _colour()
        try:
            try:
                return super().invoke(ctx)
            finally:
                # Whoever reads may be gone by now, or the disk full; it shows only when the last
                # lines are pushed out.
                sys.stdout.flush()
        except KymographError as error:
            raise Failure(str(error)) from error
        except BrokenPipeError:
            _silence_output()
            ctx.exit(_BROKEN_PIPE)
        except OSError as error:
            if error.filename is not None:
                raise  # not the output, which has no name
            _silence_output()
            raise Failure(f"cannot write the output: {error.strerror or error}") from error
        except KeyboardInterrupt:
            ctx.exit(_INTERRUPTED)


def _silence_output() -> None:
    """Python pushes out once more when it ends, and would complain again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _colour() -> bool | None:
    """No colours where they are not wanted (https://no-color.org) or not known."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return False if unwanted else None
