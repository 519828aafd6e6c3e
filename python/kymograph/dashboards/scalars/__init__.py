"""Scalars: lines and bands, tables of values, downloads."""

from kymograph.asgi.operations import Operation
from kymograph.dashboards.scalars.downloads import DownloadQuery, ExportQuery, download, export
from kymograph.dashboards.scalars.lines import SeriesQuery, series
from kymograph.dashboards.scalars.tables import SummaryQuery, summary

__all__ = ["OPERATIONS"]

OPERATIONS = [
    Operation("POST", "/scalars/series", series, "lines and bands of many cards", body=SeriesQuery),
    Operation("POST", "/scalars/summary", summary, "a table of many series", body=SummaryQuery),
    Operation(
        "GET",
        "/scalars/download",
        download,
        "every point of a series",
        DownloadQuery,
        answer=("text/csv", "application/json"),
        failures=(400, 404),
        also={304: "the client's copy is up to date"},
    ),
    Operation(
        "POST",
        "/scalars/export",
        export,
        "every point of many series, a row for each",
        body=ExportQuery,
        answer=("text/csv", "application/json"),
    ),
]
