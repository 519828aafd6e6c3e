"""The list of commands."""

import click

from kymograph import __version__
from kymograph.cli.program import Program

__all__ = ["main"]


@click.group(
    cls=Program,
    # In the order in which they are shown; each is the function of its name in its own module.
    listing={
        "serve": "Serve the board, a web page with charts.",
        "inspect": "Show runs, tags, ranges and damage.",
        "tail": "Print new points as they arrive.",
        "export": "Export scalars as CSV, JSON or Parquet.",
        "doctor": "Explain why a board is empty or looks wrong.",
    },
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Show every point of every training run, from TensorBoard event files.

    `kymograph --logdir LOGDIR` serves the board, a web page with charts of all runs; it takes the
    options of `serve`.

    A LOGDIR is a directory with runs below it, a single event file, or several directories with
    names: `name:path,name:path`.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
