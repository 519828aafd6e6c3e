"""Curation next to the logs: a map that every editor may change, and in which no edit is lost.

    LOGDIR/.kymograph/ada@tower.jsonl     written by one editor only, always as a whole
        {"kymograph":"curation","version":1}
        {"key":["run","lr/0.1","title"],"value":"baseline","time":1794800000000000}
    LOGDIR/.kymograph/ada@tower.lock      held while a process of that editor writes

All editors' files together are the map. Of each key the entry with the latest time counts, and
that of the last editor by name among equals; `null` is a deletion, which must outlive older values
in other files. Times are microseconds, and always greater than any seen before: an edit
wins over what its editor saw, however wrong the clocks are.

Where the logdir cannot be written to, the same files are in the user's own state directory.
Both places are read.
"""

from __future__ import annotations

import contextlib
import errno
import getpass
import hashlib
import logging
import os
import secrets
import socket
import stat
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

import msgspec
from msgspec.structs import replace

from kymograph.errors import CurationError, CurationUnwritableError

if sys.platform != "win32":
    import fcntl

__all__ = ["Item", "Key", "Sidecar", "Snapshot"]

_log = logging.getLogger(__name__)

Key: TypeAlias = tuple[str, ...]
"""What an entry is about, such as `("run", name, "title")`."""

FOLDER = ".kymograph"
MOST_ENTRIES = 100_000
"""In the file of one editor, deleted ones included."""
MOST_BYTES = 32 * 1024 * 1024
"""In the file of one editor."""
MOST_EDITORS = 256

_SUFFIX = ".jsonl"
_VERSION = 1
_OF_THIS_PROCESS = f"~{secrets.token_hex(4)}"
# Files are not checked again within this time.
_CHECK_SECS = 1.0
# A file written again within one tick of the file system's clock may look the same as before.
_TICK_NS = 2_000_000_000
# By then every file that could hold an older value has been seen.
_KEEP_DELETED_US = 30 * 24 * 3600 * 1_000_000
_LOCK_SECS = 10.0
_LATEST_TIME = 2**53 - 1
# How far the clock of another machine may be ahead.
_MOST_AHEAD_US = 24 * 3600 * 1_000_000
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class _Header(msgspec.Struct):
    kymograph: Literal["curation"] = "curation"
    version: int = _VERSION


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=8)]
    value: Any
    time: Annotated[int, msgspec.Meta(ge=0, le=_LATEST_TIME)]


_DECODER = msgspec.json.Decoder(_Entry)


class Item(NamedTuple):
    """The value of a key, and who set it when."""

    value: Any
    time: int
    """Microseconds since the epoch, or later."""
    editor: str


class Snapshot(msgspec.Struct, frozen=True, eq=False):
    """The whole map at one moment."""

    revision: str
    """Another one whenever anything here is different; means nothing else."""
    items: Mapping[Key, Item]
    folder: str | None
    """The folder for the next edit; None if it cannot be saved."""
    read_only: bool
    """Whether the logdir is there but cannot be written to."""
    troubles: tuple[str, ...]
    """What could not be read or saved, a sentence each."""


class _File(msgspec.Struct, frozen=True):
    """What one editor's file held when it was last read."""

    entries: dict[Key, _Entry]
    digest: str = ""
    signature: tuple[int, int, int] | None = None
    """Nothing if it must be read again in any case."""
    trouble: str | None = None
    is_damaged: bool = False
    """Whether all that can be read of it was read, and it may be replaced."""


class Sidecar:
    """The curation of a logdir. Methods may wait for files, and may be called from any thread."""

    def __init__(self, logdir: Path, *, editor: str | None = None) -> None:
        self.editor = _this_editor() if editor is None else editor
        self._logdir = logdir
        self._state_folder = _state_folder(logdir)
        self._files: dict[Path, _File] = {}
        # Why the last edit did not go into the logdir.
        self._refused: str | None = None
        self._checked = float("-inf")
        self._snapshot = Snapshot("", {}, None, read_only=False, troubles=())
        # One edit at a time; taken before the other, which is not held while an edit waits for
        # processes of the same editor.
        self._editing = threading.Lock()
        self._looking = threading.Lock()

    @property
    def revision(self) -> str:
        """That of the last snapshot; asks no files."""
        return self._snapshot.revision

    def snapshot(self) -> Snapshot:
        """The map as of now, or of a second ago at most; while files are slow, an earlier one."""
        is_first = not self._snapshot.revision
        if self._looking.acquire(blocking=is_first):
            try:
                if time.monotonic() - self._checked >= _CHECK_SECS:
                    self._look()
            finally:
                self._looking.release()
        return self._snapshot

    def edit(self, changes: Mapping[Key, Any]) -> Snapshot:
        """Sets keys to values, or deletes those whose value is nothing; all of them or none.

        Raises CurationError when it is too much, CurationUnwritableError when it cannot be stored.
        """
        with self._editing:
            self._write_somewhere(changes)
            with self._looking:
                self._look()
                return self._snapshot

    # --- reading ---

    def _look(self) -> None:
        troubles: list[str] = []
        paths: list[Path] = []
        for place in self._folders(troubles):
            paths += self._list(place, troubles)
        self._files = {path: self._read_if_changed(path) for path in paths}
        self._checked = time.monotonic()
        troubles += [file.trouble for file in self._files.values() if file.trouble]
        folder, read_only = self._place()
        if read_only:
            reason = self._refused or f"it is read-only: {_shown(self._logdir)}"
            troubles.append(f"edits are not saved in the logdir: {reason}")
        shown = _shown(folder) if folder else None
        # Each editor lists its own file first; the revision is the same for all.
        about = sorted([_shown(path), file.digest] for path, file in self._files.items())
        data = msgspec.json.encode([about, shown, read_only, troubles])
        revision = hashlib.blake2b(data, digest_size=12).hexdigest()
        if revision != self._snapshot.revision:
            items = _merged(self._files)
            self._snapshot = Snapshot(revision, items, shown, read_only, tuple(troubles))

    def _folders(self, troubles: list[str]) -> list[Path]:
        private = [self._state_folder] if self._state_folder else []
        beside = self._logdir / FOLDER
        if not _leads_out(beside, self._logdir):
            return [beside, *private]
        troubles.append(f"a link out of the logdir is not followed: {_shown(beside)}")
        return private

    def _list(self, folder: Path, troubles: list[str]) -> list[Path]:
        try:
            names = [path.name for path in folder.iterdir() if path.name.endswith(_SUFFIX)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:  # out of sight is not gone
            troubles.append(f"curation cannot be listed: {_reason(error)}: {_shown(folder)}")
            return [path for path in self._files if path.parent == folder]
        own = _file_name(self.editor)
        names.sort(key=lambda name: (not name.startswith(own), name))
        if len(names) > MOST_EDITORS:
            left_out = len(names) - MOST_EDITORS
            troubles.append(f"too many editors, some are left out: {left_out}: {_shown(folder)}")
        return [folder / name for name in names[:MOST_EDITORS]]

    def _read_if_changed(self, path: Path) -> _File:
        known = self._files.get(path, _File({}))
        try:
            if known.signature is not None and known.signature == _signature(path.lstat()):
                return known
            file = _read(path, known)
        except FileNotFoundError:
            return _File({})
        except OSError as error:
            trouble = f"curation cannot be read: {_reason(error)}: {_shown(path)}"
            return replace(known, signature=None, trouble=trouble, is_damaged=False)
        # What was seen before the damage is not lost by it.
        return replace(file, entries=known.entries | file.entries) if file.is_damaged else file

    # --- writing ---

    def _place(self) -> tuple[Path | None, bool]:
        """The folder for the next edit, and whether the logdir cannot be written to."""
        if not os.path.isdir(self._logdir):
            return self._state_folder, False
        beside = self._logdir / FOLDER
        target = beside if os.path.isdir(beside) else self._logdir
        refused = self._refused or _leads_out(beside, self._logdir)
        if not refused and os.access(target, os.W_OK | os.X_OK):
            return beside, False
        return self._state_folder, True

    def _write_somewhere(self, changes: Mapping[Key, Any]) -> None:
        try:
            self._write(_made_beside(self._logdir), changes)
        except OSError as error:
            reason = f"{_reason(error)}: {_shown(self._logdir)}"
        else:
            self._refused = None
            return
        if os.path.isdir(self._logdir):
            self._refused = reason
        if self._state_folder is None:
            raise CurationUnwritableError(f"the edit cannot be saved: {reason}")
        try:
            self._state_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(self._state_folder, changes)
        except OSError as error:
            reason += f"; {_reason(error)}: {_shown(self._state_folder)}"
            raise CurationUnwritableError(f"the edit cannot be saved: {reason}") from error

    def _write(self, folder: Path, changes: Mapping[Key, Any]) -> None:
        """Adds the changes to this editor's file."""
        name = _file_name(self.editor)
        with _locked(folder / f"{name}.lock") as is_locked, self._looking:
            # Without locks, no two processes may share a file.
            path = folder / f"{name if is_locked else name + _OF_THIS_PROCESS}{_SUFFIX}"
            self._files[path] = replace(self._files.get(path, _File({})), signature=None)
            self._look()
            own = _kept(path, self._files.get(path, _File({})))
            items = self._snapshot.items
            now = time.time_ns() // 1000
            seen = (entry.time for file in self._files.values() for entry in file.entries.values())
            stamp = min(max(now, max(seen, default=0) + 1), _LATEST_TIME)
            for key, value in changes.items():
                old = items[key].value if key in items else None
                # What is so already is not written, above all no deletion of nothing.
                if msgspec.json.encode(value) != msgspec.json.encode(old):
                    own[key] = _Entry(key, value, stamp)
            others = [file for other, file in self._files.items() if other != path]
            _forget_deleted(own, others, now)
            data = _encoded(own)
            _replace(path, data)
            self._files[path] = _File(own, _digest(data))


def _merged(files: Mapping[Path, _File]) -> dict[Key, Item]:
    best: dict[Key, Item] = {}
    for path, file in files.items():
        editor = unquote(path.name.removesuffix(_SUFFIX))
        for key, entry in file.entries.items():
            old = best.get(key)
            if old is None or (entry.time, editor) > (old.time, old.editor):
                best[key] = Item(entry.value, entry.time, editor)
    return {key: item for key, item in best.items() if item.value is not None}


def _forget_deleted(own: dict[Key, _Entry], others: list[_File], now: int) -> None:
    """Drops old deletions that no other file could undo."""
    for key, entry in list(own.items()):
        is_old = entry.value is None and entry.time < now - _KEEP_DELETED_US
        if is_old and not any(key in other.entries for other in others):
            del own[key]


# --- files ---


def _signature(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_mtime_ns, found.st_size, found.st_ino


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _read(path: Path, known: _File) -> _File:
    """All intact lines of a file. Raises OSError when it cannot be read at all."""
    # A planted link may point anywhere, and opening a planted pipe would wait forever.
    descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if found.st_size > MOST_BYTES:
            raise OSError(errno.EFBIG, f"larger than {MOST_BYTES} bytes")
        data = file.read(MOST_BYTES)
    is_fresh = found.st_mtime_ns > time.time_ns() - _TICK_NS
    signature = None if is_fresh else _signature(found)
    digest = _digest(data)
    if digest == known.digest and (known.trouble is None or known.is_damaged):
        return replace(known, signature=signature)
    header, *lines = data.split(b"\n")
    version = _version(header)
    if version is not None and version > _VERSION:
        raise OSError(errno.EINVAL, "written by a newer version of Kymograph")
    entries, bad = _parsed(lines[:-1])
    # The last line ends with a line break too; without one it was cut.
    bad += (version is None) + (lines[-1:] != [b""])
    if not bad:
        return _File(entries, digest, signature)
    trouble = f"damaged lines of curation were skipped: {bad}: {_shown(path)}"
    return _File(entries, digest, signature, trouble, is_damaged=True)


def _version(header: bytes) -> int | None:
    try:
        return msgspec.json.decode(header, type=_Header).version
    except _UNREADABLE:
        return None


def _parsed(lines: list[bytes]) -> tuple[dict[Key, _Entry], int]:
    """The entries, and the number of lines that hold none.

    One from the future counts only where there is no other: it must not win over every later edit.
    """
    entries: dict[Key, _Entry] = {}
    latest = time.time_ns() // 1000 + _MOST_AHEAD_US
    bad = max(0, len(lines) - MOST_ENTRIES)
    for line in lines[:MOST_ENTRIES]:
        try:
            entry = _DECODER.decode(line)
        except _UNREADABLE:
            bad += 1
        else:
            is_possible = entry.time <= latest
            entries[entry.key] = entry if is_possible else replace(entry, time=0)
    return entries, bad


def _kept(path: Path, file: _File) -> dict[Key, _Entry]:
    """What a file to be replaced holds; a damaged one is set aside first."""
    if file.trouble is not None:
        if not file.is_damaged:
            raise OSError(errno.EIO, file.trouble)
        aside = path.with_name(f"{path.name}.damaged-{time.time_ns()}")
        path.replace(aside)
        _log.warning("damaged curation file renamed to: %s", _shown(aside))
    return dict(file.entries)


def _encoded(entries: Mapping[Key, _Entry]) -> bytes:
    if len(entries) > MOST_ENTRIES:
        raise CurationError(f"an editor is limited to {MOST_ENTRIES} entries")
    lines = [_Header(), *entries.values()]
    data = b"".join([msgspec.json.encode(line) + b"\n" for line in lines])
    if len(data) > MOST_BYTES:
        raise CurationError(f"an editor's entries are limited to {MOST_BYTES} bytes")
    return data


def _replace(path: Path, data: bytes) -> None:
    """Puts a file in place, which at every moment is the old one or the new one."""
    part = path.with_name(path.name + ".tmp")
    part.unlink(missing_ok=True)  # by a process that was killed: the lock is ours
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    # Not every file system can do it for a directory.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Waits for a lock; false when this file system has none. Raises OSError when it takes long."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_LINK, 0o666)
    try:
        yield _lock(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return False
    deadline = time.monotonic() + _LOCK_SECS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.005)
        except OSError as error:
            if error.errno in _NO_LOCKS:
                return False
            raise
        else:
            return True


# --- places and names ---


def _made_beside(logdir: Path) -> Path:
    """The folder in the logdir. Raises OSError when it cannot be there."""
    if not os.path.isdir(logdir):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    folder = logdir / FOLDER
    if _leads_out(folder, logdir):
        raise OSError(errno.ELOOP, f"`{FOLDER}` is a link out of the logdir")
    with contextlib.suppress(FileExistsError):
        folder.mkdir()
        # Users who may add runs may curate them.
        with contextlib.suppress(OSError):
            folder.chmod(stat.S_IMODE(logdir.stat().st_mode))
    return folder


def _leads_out(folder: Path, logdir: Path) -> bool:
    if not os.path.islink(folder):
        return False
    inside = os.path.realpath(logdir)
    return os.path.commonpath([inside, os.path.realpath(folder)]) != inside


def _state_folder(logdir: Path) -> Path | None:
    home = os.environ.get("XDG_STATE_HOME", "")
    try:
        state = Path(home) if Path(home).is_absolute() else Path.home() / ".local/state"
    except RuntimeError:
        return None
    path = os.fsencode(os.path.realpath(logdir))
    return state / "kymograph" / hashlib.blake2b(path, digest_size=12).hexdigest()


def _this_editor() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container's user need not have a name
        user = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    return f"{user}@{socket.gethostname()}"


def _file_name(editor: str) -> str:
    """A name that no folder minds, and no walk over the logdir takes for that of an event file."""
    name = quote(os.fsencode(editor), safe="@+")
    if len(name) > 200 or "tfevents" in name or name.startswith("."):
        return hashlib.blake2b(os.fsencode(editor), digest_size=12).hexdigest()
    return name


def _shown(path: Path) -> str:
    """A path in a sentence, which must be UTF-8."""
    return os.fsencode(path).decode(errors="replace")


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
