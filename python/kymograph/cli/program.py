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
        click.echo(f"{label}: {self.format_message()}", file=file, err=True)


class NothingFound(Failure):
    """What was asked about is not there."""


class Program(click.Group):
    """A group of commands that reports our own errors, and is quiet when told to stop."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            # Whoever reads may be gone by now; it shows only when the last lines are pushed out.
            sys.stdout.flush()
        except KymographError as error:
            raise Failure(str(error)) from error
        except BrokenPipeError:
            # Python pushes out once more when it ends, and would complain again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(_BROKEN_PIPE)
        except KeyboardInterrupt:
            ctx.exit(_INTERRUPTED)
        return result
