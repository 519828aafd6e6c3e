"""Every exception that Kymograph raises.

Each is a `KymographError`:

    KymographError
    ├── LogdirError               an invalid logdir
    ├── UnknownRunError           a run that is not in the store (also a KeyError)
    ├── UnknownTagError           a tag that is not in the run (also a KeyError)
    ├── UnknownBlobError          a blob or item that is not there (also a KeyError)
    ├── BlobUnreadableError       a blob that is damaged, replaced or gone
    ├── WriteError                records that a strict writer cannot write
    ├── QueryError                a question that has no answer (also a ValueError)
    ├── AccessError               a way to open a board that is not safe or makes no sense
    ├── RequestError              a request to a board that cannot be understood
    ├── BusyError                 a board that has too much to do at the moment
    ├── CurationError             an edit that may not be made (also a ValueError)
    ├── CurationUnwritableError   an edit that no place takes
    ├── ListenError               an address that a board cannot be served at
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
    """Anything that Kymograph itself has to say."""


class LogdirError(KymographError):
    """An invalid logdir."""


class _UnknownNameError(KymographError, KeyError):
    """A KeyError whose message is shown as it is, not as the repr of a key."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownRunError(_UnknownNameError):
    """A run that is not in the store."""


class UnknownTagError(_UnknownNameError):
    """A tag that is not in the run."""


class UnknownBlobError(_UnknownNameError):
    """A blob, or an item of one, that is not there."""


class BlobUnreadableError(KymographError):
    """A blob that is damaged, replaced or gone; everything else is as it was."""


class WriteError(KymographError):
    """Records that cannot be written; raised by writers made with `strict=True` only."""


class QueryError(KymographError, ValueError):
    """A question that has no answer."""


class AccessError(KymographError):
    """A way to open a board that is not safe or makes no sense."""


class RequestError(KymographError):
    """A request to a board that cannot be understood."""


class BusyError(KymographError):
    """A board that has too much to do at the moment."""


class CurationError(KymographError, ValueError):
    """An edit that may not be made."""


class CurationUnwritableError(KymographError):
    """An edit that no place takes."""


class ListenError(KymographError):
    """An address that a board cannot be served at."""


class MissingDependencyError(KymographError, ImportError):
    """An optional package that is not installed."""
