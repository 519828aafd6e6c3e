"""tbparse reads through our `EventAccumulator` what it reads through TensorBoard's, and more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kymograph.compat.event_accumulator import EventAccumulator

pytestmark = pytest.mark.frameworks

reader = pytest.importorskip("tbparse.summary_reader", reason="it is what reads here")

LOGDIRS = Path(__file__).parents[1] / "golden/logdirs"
# Without media, which tbparse decodes with TensorFlow.
KINDS = {"scalars", "tensors", "histograms", "hparams", "text"}
FILES = sorted(
    file
    for writer in ("torch", "tensorboardx", "keras", "tensorflow", "catboost", "jax")
    for file in (LOGDIRS / writer).rglob("*tfevents*")
)


def rows(file: Path) -> set[str] | type[Exception]:
    """Every value that tbparse finds, as text, or how it fails."""
    columns = {"wall_time", "sum"}
    try:
        found = reader.SummaryReader(str(file), event_types=KINDS, extra_columns=columns)
    except (OverflowError, TypeError, ValueError) as error:
        return type(error)
    return {
        repr((kind, *(np.asarray(value).tolist() for value in row)))
        for kind in KINDS
        for row in found.get_events(kind).itertuples(index=False)
    }


@pytest.mark.filterwarnings("ignore:The inplace keyword")
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(LOGDIRS)))
def test_nothing_is_missing(file: Path, monkeypatch: pytest.MonkeyPatch):
    expected = rows(file)
    monkeypatch.setattr(reader, "EventAccumulator", EventAccumulator)
    found = rows(file)
    if isinstance(expected, set):
        assert isinstance(found, set)
        assert expected <= found
    else:
        # Text with axes is an error of tbparse's own; tensors of all types are read through ours.
        assert found is expected is ValueError or isinstance(found, set)


def test_there_are_files():
    assert len(FILES) > 30
