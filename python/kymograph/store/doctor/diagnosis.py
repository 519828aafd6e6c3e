"""All findings about a store, and whether it has anything to show."""

from __future__ import annotations

from dataclasses import dataclass

from kymograph.store.doctor import clocks, files, places, steps, writers
from kymograph.store.doctor.finding import Finding, count, finding
from kymograph.store.store import Store

__all__ = ["Diagnosis", "diagnose"]

_MANY_RUNS = 2000
_ORDER = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class Diagnosis:
    """The findings about a logdir."""

    findings: list[Finding]
    """The most severe first."""
    runs: int
    tags: int
    points: int

    @property
    def shows_data(self) -> bool:
        """Whether a board has anything to show."""
        return self.points > 0


def diagnose(store: Store) -> Diagnosis:
    """Checks everything about a loaded store; reads files, and takes a moment.

    diagnosis = diagnose(kymograph.open("runs"))
    for finding in diagnosis.findings:
        print(finding.severity, finding.message)
    """
    runs = store.runs.values()
    lengths = [
        *(len(series) for run in runs for series in run.all_series()),
        *(len(blobs) for run in runs for blobs in run.all_blobs()),
    ]
    findings = [
        *places.findings(store),
        *files.findings(store),
        *writers.findings(store),
        *clocks.findings(store),
        *steps.findings(store),
        *_volume(store),
    ]
    findings.sort(key=lambda finding: _ORDER[finding.severity])
    return Diagnosis(findings, runs=len(store), tags=len(lengths), points=sum(lengths))


def _volume(store: Store) -> list[Finding]:
    found = []
    if len(store) > _MANY_RUNS:
        found.append(
            finding(
                "many-runs",
                "note",
                f"there are {len(store):,} runs, more than can be compared at a glance",
                "open a subdirectory, or select runs with `--run`",
            )
        )
    runs = store.runs.values()
    if any(run.all_blobs() for run in runs) and not any(run.all_series() for run in runs):
        names = sorted({name for run in runs for name in run.dashboards})
        found.append(
            finding(
                "no-scalars",
                "warning",
                f"there are no scalars, only {', '.join(names)}",
                "open another dashboard, or log numbers with `add_scalar`",
            )
        )
    series = [one for run in runs for one in run.all_series()]
    if series and all(len(one) <= 1 for one in series):
        found.append(
            finding(
                "single-points",
                "note",
                f"no curve has more than one point, in {count(len(series), 'series', 'series')}",
                "wait for the next step, or log more than once",
            )
        )
    return found
