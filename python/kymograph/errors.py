"""Every exception that Kymograph raises.

Each is a `KymographError`:

    KymographError
    ├── LogdirError               an invalid logdir
    ├── UnknownRunError           a run that is not in the store (also a KeyError)
    ├── UnknownTagError           a tag that is not in the run (also a KeyError)
    ├── UnknownBlobError          a blob or item that does not exist (also a KeyError)
    ├── BlobUnreadableError       a blob that is damaged, replaced or gone
    ├── WriteError                records that a strict writer cannot write
    ├── QueryError                an invalid query (also a ValueError)
    ├── AccessError               unsafe or contradictory access settings
    ├── RequestError              an invalid request to a board
    ├── BusyError                 a board that is overloaded
    ├── CurationError             an invalid edit (also a ValueError)
    ├── CurationUnwritableError   an edit that cannot be stored
    ├── ListenError               an address that a board cannot listen on
    └── MissingDependencyError    an optional package that is not installed (also an ImportError)
"""

__all__ = [
    "AccessError",
    "BlobUnreadableError",
    "BusyError",
    "CurationError",
    "CurationUnwritableError",
    "KymographError",
    "ListenError",
    "LogdirError",
    "MissingDependencyError",
    "QueryError",
    "RequestError",
    "UnknownBlobError",
    "UnknownRunError",
    "UnknownTagError",
    "WriteError",
]


class KymographError(Exception):
    """Base class of all exceptions that Kymograph raises."""


class LogdirError(KymographError):
    """An invalid logdir."""


class _UnknownNameError(KymographError, KeyError):
    """A KeyError whose message is shown as is, not as the repr of a key."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownRunError(_UnknownNameError):
    """A run that is not in the store."""


class UnknownTagError(_UnknownNameError):
    """A tag that is not in the run."""


class UnknownBlobError(_UnknownNameError):
    """A blob, or an item of one, that does not exist."""


class BlobUnreadableError(KymographError):
    """A blob that is damaged, replaced or gone; everything else can still be read."""


class WriteError(KymographError):
    """Records that cannot be written; raised only by writers created with `strict=True`."""


class QueryError(KymographError, ValueError):
    """An invalid query."""


class AccessError(KymographError):
    """Unsafe or contradictory access settings of a board."""


class RequestError(KymographError):
    """An invalid request to a board."""


class BusyError(KymographError):
    """A board that is overloaded at the moment."""


class CurationError(KymographError, ValueError):
    """An invalid edit."""


class CurationUnwritableError(KymographError):
    """An edit that cannot be stored."""


class ListenError(KymographError):
    """An address that a board cannot listen on."""


class MissingDependencyError(KymographError, ImportError):
    """An optional package that is not installed."""
