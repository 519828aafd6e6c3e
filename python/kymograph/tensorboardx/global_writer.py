"""One writer for all processes of a program, which counts the steps of each tag itself."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
from typing import Any

from kymograph.tensorboardx.writer import SummaryWriter
from kymograph.writer.file_writer import FileWriter
from kymograph.writer.silent import SilentFileWriter

__all__ = ["GlobalSummaryWriter"]

log = logging.getLogger(__name__)

_writer: GlobalSummaryWriter | None = None


class GlobalSummaryWriter:
    """Logs from several processes and threads into one run, steps 0, 1, 2, … for each tag.

    Children created by `fork` inherit it; pass it to others. Each process writes its own file
    in the same directory.

        writer = GlobalSummaryWriter.getSummaryWriter()
        writer.add_scalar("loss", 0.5)
    """

    def __init__(
        self,
        logdir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        write_to_disk: bool = True,
        log_dir: str | os.PathLike[str] | None = None,
        coalesce_process: bool = True,  # noqa: ARG002  (tensorboardX takes it and does nothing)
        **kwargs: Any,
    ) -> None:
        from multiprocessing import util

        self.smw = SummaryWriter(
            logdir,
            comment,
            purge_step,
            max_queue,
            flush_secs,
            filename_suffix,
            write_to_disk,
            log_dir,
            **kwargs,
        )
        self._settings = (max_queue, flush_secs, filename_suffix, write_to_disk)
        self._counters = tempfile.mkdtemp(prefix="kymograph-steps-")
        # Runs in this process only, and after its children have been joined.
        util.Finalize(None, shutil.rmtree, (self._counters, True), exitpriority=-100)

    def __getstate__(self) -> dict[str, Any]:
        return {
            "logdir": self.smw._directory,  # noqa: SLF001  (the same dialect's)
            "settings": self._settings,
            "counters": self._counters,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._settings = state["settings"]
        self._counters = state["counters"]
        self.smw = SummaryWriter(state["logdir"], "", None, *self._settings)

    def _next_step(self, kind: str, tag: str) -> int:
        """Counts by the length of a file: appending is atomic, and needs no lock that a
        process could die with."""
        name = hashlib.sha256(f"{kind} {tag}".encode()).hexdigest()
        path = os.path.join(self._counters, name)  # noqa: PTH118  (once for every call)
        counter = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(counter, b".")
            return os.lseek(counter, 0, os.SEEK_CUR) - 1
        finally:
            os.close(counter)

    def add_scalar(self, tag: str, scalar_value: Any, walltime: float | None = None) -> None:
        """A number, at the tag's next step."""
        self.smw.add_scalar(tag, scalar_value, self._next_step("scalar", tag), walltime)

    def add_image(
        self, tag: str, img_tensor: Any, walltime: float | None = None, dataformats: str = "CHW"
    ) -> None:
        """An image, at the tag's next step."""
        step = self._next_step("image", tag)
        self.smw.add_image(tag, img_tensor, step, walltime, dataformats)

    def add_text(self, tag: str, text_string: str, walltime: float | None = None) -> None:
        """A text, at the tag's next step."""
        self.smw.add_text(tag, text_string, self._next_step("text", tag), walltime)

    @staticmethod
    def getSummaryWriter() -> GlobalSummaryWriter:  # noqa: N802  (tensorboardX's name)
        """The only one of the program, created on first use in the default directory."""
        global _writer  # noqa: PLW0603  (there is one of it, that is the point)
        if _writer is None:
            _writer = GlobalSummaryWriter()
            log.info("the global writer logs to: %s", _writer.smw.logdir)
        return _writer

    @property
    def file_writer(self) -> FileWriter | SilentFileWriter:
        """The writer of this process's event file."""
        return self.smw._get_file_writer()  # noqa: SLF001  (the same dialect's)

    def close(self) -> None:
        """Writes out what this process has logged; others continue."""
        self.smw.flush()
        self.smw.close()
