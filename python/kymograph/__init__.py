"""Kymograph: every point of every training run, in TensorBoard event files.

In short:

    import kymograph

    with kymograph.SummaryWriter("runs/run1") as writer:
        writer.add_scalar("train/loss", 0.5, 1)

    store = kymograph.open("runs")
    loss = store["run1"].series("train/loss")
    print(loss.steps, loss.values)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from kymograph._core import __version__
from kymograph.errors import KymographError

if TYPE_CHECKING:
    from kymograph.server.serving import serve
    from kymograph.stand_in import install
    from kymograph.store import Store, open  # noqa: A004  (like `gzip.open`, used qualified)
    from kymograph.writer.default import default_writer, finish, init, log
    from kymograph.writer.summary_writer import SummaryWriter

__all__ = [
    "KymographError",
    "Store",
    "SummaryWriter",
    "__version__",
    "default_writer",
    "finish",
    "init",
    "install",
    "log",
    "open",
    "serve",
]

# A training job pays only for what it uses: each name is imported from its module on first use.
_HOMES = {
    "Store": "kymograph.store",
    "SummaryWriter": "kymograph.writer.summary_writer",
    "default_writer": "kymograph.writer.default",
    "finish": "kymograph.writer.default",
    "init": "kymograph.writer.default",
    "install": "kymograph.stand_in",
    "log": "kymograph.writer.default",
    "open": "kymograph.store",
    "serve": "kymograph.server.serving",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module `kymograph` has no attribute `{name}`")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
