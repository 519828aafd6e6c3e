"""`kymograph doctor`: explains why a board is empty, and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from kymograph.cli import logdir, progress, text
from kymograph.store import Store
from kymograph.store.doctor import Diagnosis, diagnose

__all__ = ["doctor"]

_PLACES_SHOWN = 4
_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan"}


@click.command()
@logdir.argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def doctor(context: click.Context, logdirs: tuple[str, ...], as_json: bool) -> None:
    """Explain why the board of LOGDIR is empty or looks wrong, and what to do."""
    with Store(logdirs[0] if len(logdirs) == 1 else logdirs) as store:
        progress.wait(store)
        diagnosis = diagnose(store)
    if as_json:
        document = json.dumps(_document(diagnosis), indent=1, ensure_ascii=False)
        click.echo(text.utf8(document))
    else:
        _show(diagnosis)
    context.exit(0 if diagnosis.shows_data else 1)


def _show(diagnosis: Diagnosis) -> None:
    for finding in diagnosis.findings:
        label = click.style(finding.severity, fg=_COLOURS[finding.severity], bold=True)
        message = text.wrapped(finding.message, first=len(finding.severity) + 2)
        click.echo(f"{label}: {message}")
        for place in finding.places[:_PLACES_SHOWN]:
            click.echo(f"    {text.printable(place)}")
        if len(finding.places) > _PLACES_SHOWN:
            click.echo(f"    and {len(finding.places) - _PLACES_SHOWN:,} more")
        hint = text.wrapped(f"hint: {finding.hint}", first=2, rest=8)
        click.echo(click.style(f"  {hint}", dim=True))
    found = ", ".join(
        [
            text.count(diagnosis.runs, "run"),
            text.count(diagnosis.tags, "tag"),
            text.count(diagnosis.points, "point"),
        ]
    )
    if diagnosis.findings:
        click.echo()
    if not diagnosis.shows_data:
        click.secho(f"nothing to show: {found}", bold=True)
    elif diagnosis.findings:
        click.secho(f"{found} can be shown", bold=True)
    else:
        click.secho(f"no problems found: {found} can be shown", bold=True)


def _document(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "version": 1,
        "shows_data": diagnosis.shows_data,
        "runs": diagnosis.runs,
        "tags": diagnosis.tags,
        "points": diagnosis.points,
        "findings": [asdict(finding) for finding in diagnosis.findings],
    }
