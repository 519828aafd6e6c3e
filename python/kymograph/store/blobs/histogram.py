"""Histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from kymograph import _core

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Histogram"]


class Histogram(msgspec.Struct, frozen=True):
    """A histogram."""

    buckets: npt.NDArray[np.float64]
    """A row for each bucket: left edge, right edge, count."""

    @classmethod
    def from_core(cls, core: _core.Histogram) -> Histogram:
        """From what the core decoded."""
        import numpy as np

        return cls(np.frombuffer(core.buckets, "<f8").reshape(-1, 3))
