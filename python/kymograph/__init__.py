"""Kymograph: every point of every training run, from TensorBoard event files.

In short:

    import kymograph

    store = kymograph.open("runs")
    loss = store["run1"].series("train/loss")
    print(loss.steps, loss.values)
"""

from kymograph._core import __version__
from kymograph.errors import KymographError
from kymograph.store import Store, open  # noqa: A004  (like `gzip.open`, always used qualified)

__all__ = ["KymographError", "Store", "__version__", "open"]
