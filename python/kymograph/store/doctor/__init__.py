"""Why a board would be empty or odd: findings about a logdir, from its paths to its points."""

from kymograph.store.doctor.diagnosis import Diagnosis, diagnose
from kymograph.store.doctor.finding import Finding, Severity

__all__ = ["Diagnosis", "Finding", "Severity", "diagnose"]
