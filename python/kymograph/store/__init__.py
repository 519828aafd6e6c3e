"""The query API: runs, tags, series and blobs of a logdir."""

from kymograph.store.blobs import (
    Audio,
    Blob,
    BlobSeries,
    Empty,
    Graph,
    Histogram,
    Images,
    Tensor,
    Text,
)
from kymograph.store.families import Families, Folded, Session
from kymograph.store.lod import Bands, Envelope, Neighbour, Reduced
from kymograph.store.query import Selection
from kymograph.store.series import Metadata, Series
from kymograph.store.store import (
    DASHBOARDS,
    Change,
    FileReport,
    Gap,
    Logdir,
    Progress,
    Restart,
    Run,
    Store,
    open,  # noqa: A004
)
from kymograph.store.tables import ChangedRuns, RunTable, TagTable

__all__ = [
    "DASHBOARDS",
    "Audio",
    "Bands",
    "Blob",
    "BlobSeries",
    "Change",
    "ChangedRuns",
    "Empty",
    "Envelope",
    "Families",
    "FileReport",
    "Folded",
    "Gap",
    "Graph",
    "Histogram",
    "Images",
    "Logdir",
    "Metadata",
    "Neighbour",
    "Progress",
    "Reduced",
    "Restart",
    "Run",
    "RunTable",
    "Selection",
    "Series",
    "Session",
    "Store",
    "TagTable",
    "Tensor",
    "Text",
    "open",
]
