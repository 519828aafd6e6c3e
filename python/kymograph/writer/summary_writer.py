"""`SummaryWriter`: what training code calls, with PyTorch's names, arguments and files."""

from __future__ import annotations

import operator
import os
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from kymograph.writer import arrays, lifetime, rank, wire
from kymograph.writer.directories import local_directory, refuse_remote
from kymograph.writer.file_writer import (
    CLOSED,
    NOT_PLAIN,
    ClosedError,
    FileWriter,
    host_name,
    step_number,
    wall_seconds,
)
from kymograph.writer.silent import SilentFileWriter, silence
from kymograph.writer.summaries.scalars import style_of

if TYPE_CHECKING:
    from typing_extensions import Self

    from kymograph.writer.capture import Capture, Options

__all__ = ["SummaryWriter"]

RankZeroOnly = bool | Literal["auto"]


class SummaryWriter:
    """Logs a run into an event file that every TensorBoard reader understands.

    The arguments up to `filename_suffix` are those of `torch.utils.tensorboard.SummaryWriter`:

    - `log_dir`: the run's directory; without it `runs/<date>_<host><comment>`.
    - `purge_step`: readers drop what earlier files logged at this step and later.
    - `max_queue`: write at once when this many records are waiting, not after a fifth of a second.
    - `flush_secs`: no record waits longer than this, if it is less than a fifth of a second.

    Additional arguments:

    - `rank_zero_only`: `True` or `"auto"` makes every rank but 0 of a distributed job silent.
    - `rank_suffix`: each rank of a job writes a sub-run `rank_<n>` of its own.
    - `capture`: what else to log, see `kymograph.writer.capture`: `True` or any of `"system"`,
      `"output"`, `"git"`, `"environment"`.
    - `strict`: raise `WriteError` when a disk fails, instead of logging a warning.

    Example:

        with SummaryWriter("runs/one") as writer:
            for step in range(100):
                writer.add_scalar("train/loss", 1 / (step + 1), step)
    """

    _file_writer_class: type[FileWriter] = FileWriter

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        *,
        rank_zero_only: RankZeroOnly = False,
        rank_suffix: bool = False,
        capture: Options = (),
        strict: bool = False,
    ) -> None:
        if not log_dir:
            log_dir = default_log_dir(comment)
        refuse_remote(log_dir)
        if rank_suffix and (found := rank.find_rank()).source != "none":
            log_dir = Path(log_dir) / f"rank_{found.rank}"
        self.log_dir = log_dir
        # Later files and sub-runs are written beside the first, wherever the program is by then.
        self._base = None if os.path.isabs(str(log_dir)) else os.getcwd()  # noqa: PTH109, PTH117
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.file_writer: FileWriter | SilentFileWriter | None = None
        self.all_writers: dict[str, FileWriter | SilentFileWriter] | None = None
        self._rank_zero_only = rank_zero_only
        self._shares_directory = not (rank_zero_only or rank_suffix)
        self._strict = strict
        self._capture_options = capture
        self._capture: Capture | None = None
        self._layout: dict[str, dict[str, list[Any]]] = {}
        # The core's own method, without a step between: this is the call that must cost nothing.
        self._put_scalar: Callable[[Any, Any, Any, Any, int], int] = _closed
        # A rank may not be known before the process group is made, which may be later than this.
        if not rank_zero_only or rank.find_rank().source != "none":
            self._get_file_writer()

    @property
    def default_bins(self) -> list[float]:
        """The edges of the buckets that `add_histogram` counts in."""
        from kymograph.writer.summaries import histograms

        edges: list[float] = histograms.default_bins().tolist()
        return edges

    # --- the files ---

    def _get_file_writer(self) -> FileWriter | SilentFileWriter:
        """The writer of the run's own file, which is opened again after `close`."""
        if writer := self.file_writer:
            return writer
        with lifetime.opening():
            if writer := self.file_writer:
                return writer
            writer = self._open()
            self.all_writers = {writer.get_logdir(): writer}
            self.file_writer = writer
            self.purge_step = None
        # Not earlier: it logs from a thread of its own, which must find this file.
        self._start_capture()
        return writer

    def _open(self) -> FileWriter | SilentFileWriter:
        if self._rank_zero_only and rank.find_rank().rank != 0:
            silence(self)
            return SilentFileWriter(self.log_dir)
        purge_step = None
        if self.purge_step is not None:  # a whole number, unlike steps, which are rounded
            purge_step = step_number(operator.index(self.purge_step))
        writer = self._open_file(self.log_dir, purge_step=purge_step)
        self._put_scalar = writer.event_writer.events.add_scalar
        if self._shares_directory:
            rank.warn_if_shared(self.log_dir)
        return writer

    def _open_file(
        self, log_dir: str | os.PathLike[str], *, purge_step: int | None = None
    ) -> FileWriter:
        return self._file_writer_class(
            log_dir,
            self.max_queue,
            self.flush_secs,
            self.filename_suffix,
            purge_step=purge_step,
            strict=self._strict,
            base=self._base,
        )

    def _start_capture(self) -> None:
        if self._capture_options and isinstance(self.file_writer, FileWriter):
            from kymograph.writer import capture

            options, self._capture_options = self._capture_options, ()
            self._capture = capture.start(self, options)

    def _child(self, log_dir: str) -> FileWriter | SilentFileWriter:
        """The writer of a sub-run, made once and kept until `close`."""
        with lifetime.opening():
            self._get_file_writer()
            writers = self.all_writers or {}
            if log_dir not in writers:
                writers[log_dir] = self._open_file(log_dir)
            return writers[log_dir]

    def _put(self, add: Callable[[Any], None], log_dir: str | None = None) -> None:
        """Calls `add` with the writer, again with a new one if another thread closes it."""
        while True:
            writer = self._get_file_writer() if log_dir is None else self._child(log_dir)
            try:
                return add(writer)
            except ClosedError:
                if self._is_current(writer):  # closed by itself, not by `close`
                    raise

    def _is_current(self, writer: FileWriter | SilentFileWriter) -> bool:
        return writer in (self.all_writers or {}).values()

    def get_logdir(self) -> str | os.PathLike[str]:
        """The directory of the run, as it was given."""
        return self.log_dir

    @property
    def _directory(self) -> str:
        """The directory of the run as an absolute path, resolved when the writer was made."""
        return local_directory(self.log_dir, self._base)

    def flush(self) -> None:
        """Returns when everything logged so far has been handed to the operating system."""
        for writer in list((self.all_writers or {}).values()):
            try:
                writer.flush()
            except ClosedError:  # by another thread, or by itself: then it is written
                if self._is_current(writer):
                    raise

    def close(self) -> None:
        """Writes everything and closes the files; logging again opens new ones."""
        if self._capture is not None:
            self._capture.stop()
            self._capture = None
        with lifetime.opening():
            writers, self.file_writer, self.all_writers = self.all_writers, None, None
        for writer in (writers or {}).values():
            writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- numbers ---

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Logs one number.

        `new_style` stores it as a tensor, with `double_precision` without rounding to 32 bits.
        """
        style = style_of(new_style, double_precision) if new_style else 0
        if answer := self._put_scalar(tag, scalar_value, global_step, walltime, style):
            self._add_scalar_slowly(answer, tag, scalar_value, global_step, walltime, style)

    def _add_scalar_slowly(
        self, answer: int, tag: Any, value: Any, step: Any, walltime: Any, style: int
    ) -> None:
        if answer in (NOT_PLAIN, CLOSED):
            value = arrays.number(value)
            tag = wire.string(tag)
            tag.encode()  # a lone surrogate: raised here, since the core does not report it
            step, walltime = step_number(step), wall_seconds(walltime)
        if answer == NOT_PLAIN:
            answer = self._put_scalar(tag, value, step, walltime, style)
        if answer == CLOSED:
            self._put(lambda writer: self._add_again(writer, tag, value, step, walltime, style))
        elif answer and isinstance(writer := self._get_file_writer(), FileWriter):
            writer.event_writer.report()

    def _add_again(self, writer: FileWriter | SilentFileWriter, *scalar: Any) -> None:
        if isinstance(writer, FileWriter):
            # After `close` or `reopen` it is that of another file.
            self._put_scalar = writer.event_writer.events.add_scalar
            writer.event_writer.answer(self._put_scalar(*scalar))

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        global_step: Any = None,
        walltime: float | None = None,
        *,
        as_one_run: bool = False,
    ) -> None:
        """Logs several numbers that belong in one chart.

        Each key becomes a separate run next to this one, as in PyTorch. With `as_one_run`
        the numbers stay in this run, as `<main_tag>/<key>`, and a layout joins them in a chart.
        """
        walltime = time.time() if walltime is None else walltime
        if as_one_run:
            self._add_chart(main_tag, list(tag_scalar_dict))
            for key, value in tag_scalar_dict.items():
                self.add_scalar(f"{main_tag}/{key}", value, global_step, walltime)
            return
        from kymograph.writer.summaries import scalars

        stem = os.fspath(self._get_file_writer().get_logdir())
        for key, value in tag_scalar_dict.items():
            log_dir = stem + "/" + main_tag.replace("/", "_") + "_" + key
            summary = scalars.scalar(main_tag, value)
            self._add(summary, global_step, walltime, log_dir)

    def _add_chart(self, main_tag: str, keys: list[str]) -> None:
        charts = self._layout.setdefault("add_scalars", {})
        _, tags = charts.setdefault(main_tag, ["Multiline", []])
        new = [tag for key in keys if (tag := re.escape(f"{main_tag}/{key}") + "$") not in tags]
        if new:
            tags += new
            self._write_layout()

    def add_tensor(
        self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Logs a whole tensor."""
        from kymograph.writer.summaries import tensors

        self._add(tensors.tensor(tag, tensor), global_step, walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Any = None,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Logs the distribution of values; `bins` is `"tensorflow"` or what numpy accepts."""
        from kymograph.writer.summaries import histograms

        self._add(histograms.histogram(tag, values, bins, max_bins), global_step, walltime)

    def add_histogram_raw(
        self,
        tag: str,
        min: float,  # noqa: A002  (PyTorch's names, given by keyword)
        max: float,  # noqa: A002
        num: int,
        sum: float,  # noqa: A002
        sum_squares: float,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs a histogram that was counted elsewhere."""
        from kymograph.writer.summaries import histograms

        summary = histograms.histogram_raw(
            tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts
        )
        self._add(summary, global_step, walltime)

    # --- pictures and sound ---

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Logs a picture: floats from 0 to 1, or bytes."""
        from kymograph.writer.summaries import images

        self._add(images.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Logs several pictures as one, eight per row."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: Any = None,
    ) -> None:
        """Logs a picture with rectangles: rows of left, top, right, bottom in pixels."""
        from kymograph.writer.summaries import images

        summary = images.image_boxes(
            tag, img_tensor, box_tensor, rescale=rescale, dataformats=dataformats, labels=labels
        )
        self._add(summary, global_step, walltime)

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: Any = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Logs a matplotlib figure, or a list of them, and closes it."""
        from kymograph.writer.summaries import images

        self._add(images.figure(tag, figure, close), global_step, walltime)

    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
        *,
        format: str = "gif",  # noqa: A002  (as in numpy and Pillow)
    ) -> None:
        """Logs videos of shape (N, T, C, H, W), side by side.

        `format` is `"gif"`, which TensorBoard shows too, `"mp4"` or `"webm"`, which need ffmpeg,
        or `"auto"`: the best that is available.
        """
        from kymograph.writer.summaries import video

        self._add(video.video(tag, vid_tensor, fps, format=format), global_step, walltime)

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Logs sound: samples from -1 to 1."""
        from kymograph.writer.summaries import audio

        self._add(audio.audio(tag, snd_tensor, sample_rate), global_step, walltime)

    # --- text and structure ---

    def add_text(
        self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Logs text, which is shown as Markdown."""
        from kymograph.writer.summaries import text

        self._add(text.text(tag, text_string), global_step, walltime)

    def add_graph(
        self,
        model: Any,
        input_to_model: Any = None,
        verbose: bool = False,
        use_strict_trace: bool = True,
    ) -> None:
        """Logs the graph of a PyTorch module that is called with `input_to_model`."""
        from kymograph.writer.summaries import graphs

        picture = graphs.graph(model, input_to_model, verbose, use_strict_trace)
        self._put(lambda writer: writer.add_graph(picture))

    def add_onnx_graph(self, prototxt: str | os.PathLike[str]) -> None:
        """Logs the graph in an ONNX file."""
        from kymograph.writer.summaries import graphs

        graph = graphs.onnx_graph(prototxt)
        self._put(lambda writer: writer.add_onnx_graph(graph))

    def add_embedding(
        self,
        mat: Any,
        metadata: Any = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Any = None,
    ) -> None:
        """Writes points with labels and pictures for the projector."""
        from kymograph.writer.summaries import projector

        self._get_file_writer()
        step = step_number(global_step)
        projector.write_embedding(
            self._directory,
            mat,
            metadata,
            label_img,
            step,
            tag,
            metadata_header,
            strict=self._strict,
        )

    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: dict[str, Any] | None = None,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs meshes or point clouds: vertices (B, N, 3), colours, faces."""
        from kymograph.writer.summaries import mesh

        summary = mesh.mesh(tag, vertices, colors, faces, config_dict)
        self._add(summary, global_step, walltime)

    # --- curves, charts, hyper-parameters ---

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs precision and recall of predicted probabilities."""
        from kymograph.writer.summaries import pr_curves

        summary = pr_curves.pr_curve(tag, labels, predictions, num_thresholds, weights)
        self._add(summary, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs a curve that was counted elsewhere."""
        from kymograph.writer.summaries import pr_curves

        summary = pr_curves.pr_curve_raw(
            tag,
            true_positive_counts,
            false_positive_counts,
            true_negative_counts,
            false_negative_counts,
            precision,
            recall,
            num_thresholds,
            weights,
        )
        self._add(summary, global_step, walltime)

    def add_custom_scalars(self, layout: Mapping[str, Mapping[str, Any]]) -> None:
        """Sets which tags share a chart: `{category: {chart: ["Multiline" | "Margin", tags]}}`."""
        for category, charts in layout.items():
            self._layout[category] = {name: list(chart) for name, chart in charts.items()}
        self._write_layout()

    def add_custom_scalars_multilinechart(
        self, tags: list[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Puts tags into one chart."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(
        self, tags: list[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Creates a chart of three tags: a value and its lower and upper bound."""
        if len(tags) != 3:
            raise AssertionError(f"a margin chart has 3 tags, not {len(tags)}")
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def _write_layout(self) -> None:
        """Readers use one layout per run, so each includes the earlier ones."""
        from kymograph.writer.summaries import custom_scalars

        self._add(custom_scalars.custom_scalars(self._layout), None, None)

    def add_hparams(
        self,
        hparam_dict: dict[str, Any],
        metric_dict: dict[str, Any],
        hparam_domain_discrete: dict[str, list[Any]] | None = None,
        run_name: str | None = None,
        global_step: Any = None,
    ) -> None:
        """Logs hyper-parameters and the resulting metrics, as a run below this one."""
        from kymograph.writer.summaries import hparams, scalars

        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        summaries = [
            *hparams.hparams(hparam_dict, metric_dict, hparam_domain_discrete),
            *(scalars.scalar(tag, value) for tag, value in metric_dict.items()),
        ]
        stem = self._get_file_writer().get_logdir()
        if isinstance(self.file_writer, SilentFileWriter):
            return
        child = self._open_file(Path(stem) / (run_name or str(time.time())))
        for summary in summaries:
            child.add_summary(summary, global_step)
        child.close()

    # --- messages made elsewhere ---

    def add_summary(
        self, summary: Any, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Logs a `Summary` message of any protobuf library, or its bytes."""
        self._add(summary, global_step, walltime)

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        """Logs an `Event` message of any protobuf library, or its bytes."""
        self._put(lambda writer: writer.add_event(event, step, walltime))

    def _add(
        self, summary: Any, step: Any, walltime: float | None, log_dir: str | None = None
    ) -> None:
        self._put(lambda writer: writer.add_summary(summary, step, walltime), log_dir)


def default_log_dir(comment: str) -> str:
    """`runs/<date>_<host><comment>`, as PyTorch names it."""
    moment = time.strftime("%b%d_%H-%M-%S")
    return os.path.join("runs", f"{moment}_{host_name()}{comment}")  # noqa: PTH118  (a str, as there)


def _closed(*_: object) -> int:
    return CLOSED
