"""The routes of TensorBoard itself: where the data is, which runs and plugins there are."""

from __future__ import annotations

from functools import reduce
from math import isnan
from operator import or_

from kymograph import _core
from kymograph.asgi import responses
from kymograph.asgi.board import Board
from kymograph.compat.answers import Json, Query
from kymograph.errors import RequestError, UnknownTagError
from kymograph.store import DASHBOARDS

__all__ = ["ANSWERS", "PLUGINS"]

# Each plugin with the name on its tab and the dashboards whose data it shows.
PLUGINS: dict[str, tuple[str, tuple[str, ...]]] = {
    "timeseries": ("Time Series", ("scalars", "histograms", "images", "video")),
    "scalars": ("scalars", ("scalars",)),
    "custom_scalars": ("Custom Scalars", ("custom_scalars",)),
    "images": ("images", ("images", "video")),
    "audio": ("audio", ("audio",)),
    "graphs": ("graphs", ("graphs",)),
    "distributions": ("distributions", ("histograms",)),
    "histograms": ("histograms", ("histograms",)),
    "text": ("text", ("text",)),
    "pr_curves": ("PR Curves", ("pr_curves",)),
    "hparams": ("hparams", ("hparams",)),
    "mesh": ("mesh", ("mesh",)),
}
# Those whose page does not ask again by itself.
_STILL = ("graphs",)


def environment(board: Board, _query: Query) -> Json:
    """Who answers, and from where; TensorBoard's flags are kept private."""
    return {
        "version": _core.__version__,
        "data_location": _location(board),
        "window_title": board.title,
        "experiment_name": "",
        "experiment_description": "",
        "creation_time": 0,
    }


def logdir(board: Board, _query: Query) -> Json:
    """Where the data is."""
    return {"logdir": _location(board)}


def window_properties(board: Board, _query: Query) -> Json:
    """The title of the browser's tab."""
    return {"window_title": board.title}


def runs(board: Board, _query: Query) -> Json:
    """The names of all runs, oldest first; those without events last."""
    table = board.store.run_table()
    # Stable, so that those of the same time stay in the order of their names.
    rows = zip(table.names, table.start_times, strict=True)
    ordered = sorted(rows, key=lambda row: (isnan(row[1]), 0.0 if isnan(row[1]) else row[1]))
    return [name for name, _ in ordered]


def nothing(_board: Board, _query: Query) -> Json:
    """There are no experiments in a logdir."""
    return []


def plugins_listing(board: Board, _query: Query) -> Json:
    """The plugins whose data is known here, and whether there is some."""
    bits = reduce(or_, board.store.run_table().dashboards, 0)
    active = {name for at, name in enumerate(DASHBOARDS) if bits >> at & 1}
    return {
        plugin: {
            "enabled": not active.isdisjoint(dashboards),
            "tab_name": tab_name,
            "disable_reload": plugin in _STILL,
            "remove_dom": False,
            # Their pages are TensorBoard's own.
            "loading_mechanism": {"type": "NONE"},
        }
        for plugin, (tab_name, dashboards) in PLUGINS.items()
    }


def plugin_entry(_board: Board, query: Query) -> Json:
    """The page of a plugin; none has one here."""
    name = query.find("name")
    if name in PLUGINS:
        raise RequestError(f"the plugin has no page of its own: {name!r}")
    raise UnknownTagError(f"no such plugin: {name!r}")


def _location(board: Board) -> str:
    roots = [(name, responses.path(path)) for name, path in board.store.roots]
    return ",".join(f"{name}:{path}" if name else path for name, path in roots)


ANSWERS = {
    "environment": environment,
    "logdir": logdir,
    "window_properties": window_properties,
    "runs": runs,
    "experiments": nothing,
    "experiment_runs": nothing,
    "plugins_listing": plugins_listing,
    "plugin_entry.html": plugin_entry,
}
