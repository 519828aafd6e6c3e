"""The PEP 517 and PEP 660 hooks: maturin's, with the page built before anything is packed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin

from kymograph_build import page, prerequisites

ROOT = Path(__file__).resolve().parents[2]

Settings = Mapping[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Nothing: maturin's own answer would fetch a Rust toolchain; we say that one is needed."""
    return []


get_requires_for_build_editable = get_requires_for_build_wheel
get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(directory: str, config_settings: Settings = None) -> str:
    """Metadata comes from cargo, so this is where a machine without it hears so first."""
    with _one_sentence():
        prerequisites.require("cargo")
    return str(maturin.prepare_metadata_for_build_wheel(directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(
    directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """A wheel with the page in it."""
    _prepare(editable=False)
    return str(maturin.build_wheel(directory, config_settings, metadata_directory))


def build_editable(
    directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """A wheel that points at this tree; the page is built only if it is missing or stale."""
    _prepare(editable=True)
    return str(maturin.build_editable(directory, config_settings, metadata_directory))


def build_sdist(directory: str, config_settings: Settings = None) -> str:
    """A source distribution with the built page, so that installing from it needs no npm."""
    _prepare(editable=False)
    return str(maturin.build_sdist(directory, config_settings))


def _prepare(*, editable: bool) -> None:
    with _one_sentence():
        prerequisites.require("cargo")
        page.ensure_page(ROOT, editable=editable)


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Ends the build with the message alone; a traceback through pip would bury it."""
    try:
        yield
    except (page.PageError, prerequisites.MissingPrerequisiteError) as error:
        raise SystemExit(f"error: {error}") from None
