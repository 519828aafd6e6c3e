"""tensorboardX's `SummaryWriter` and `FileWriter`: its arguments and files, PyTorch's core."""

from __future__ import annotations

import json
import logging
import math
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from kymograph.tensorboardx import summary
from kymograph.writer import arrays, file_writer, summary_writer
from kymograph.writer.silent import SilentFileWriter, silence

__all__ = ["FileWriter", "SummaryWriter"]

log = logging.getLogger(__name__)

# Browsers draw no larger textures.
_LARGEST_SPRITE = 8192


class FileWriter(file_writer.FileWriter):
    """Protobuf messages into one event file, with the methods of tensorboardX's class."""

    def __init__(
        self,
        logdir: str | os.PathLike[str],
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(logdir, max_queue, flush_secs, filename_suffix, **kwargs)

    def add_graph(self, graph_profile: tuple[Any, Any], walltime: Any = None) -> None:
        """Adds a graph and the run metadata that belongs to it."""
        graph, run_metadata = graph_profile
        self.add_onnx_graph(graph, walltime)
        self.add_run_metadata(run_metadata, "profiler", walltime)

    def add_openvino_graph(self, graph: Any, walltime: Any = None) -> None:
        """Adds a graph alone."""
        self.add_onnx_graph(graph, walltime)


class SummaryWriter(summary_writer.SummaryWriter):
    """Logs a run, with tensorboardX's arguments, tags and directories.

    - `logdir`, or `log_dir`: the run's directory; without it `runs/<date>_<host><comment>`.
    - `write_to_disk=False`: nothing is written, and no argument is checked.

    Other keywords (`rank_zero_only`, `capture`, …) are those of `kymograph.SummaryWriter`.

    Example:

        with SummaryWriter("runs/one") as writer:
            writer.add_scalar("loss", 0.5, 1, display_name="Loss")
    """

    _file_writer_class = FileWriter

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
        comet_config: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        if comet_config is not None and not comet_config.get("disabled"):
            raise NotImplementedError(
                "`comet_config`: nothing is sent to Comet\n"
                "hint: use `comet_ml` itself, and omit `comet_config`"
            )
        self.scalar_dict: dict[str, list[list[Any]]] = {}
        self._write_to_disk = write_to_disk
        self._default_step: Any = None
        self._default_walltime: float | None = None
        log_dir = log_dir if logdir is None else logdir
        super().__init__(
            log_dir, comment, purge_step, max_queue, flush_secs, filename_suffix, **kwargs
        )

    @property
    def logdir(self) -> str | os.PathLike[str]:
        """The directory of the run, as it was given."""
        return self.log_dir

    def _open(self) -> file_writer.FileWriter | SilentFileWriter:
        if self._write_to_disk:
            return super()._open()
        silence(self)
        return SilentFileWriter(self.log_dir)

    @contextmanager
    def use_metadata(
        self, *, global_step: Any = None, walltime: float | None = None
    ) -> Iterator[SummaryWriter]:
        """Within it, what is logged without a step or a wall time gets these."""
        if self._default_step is not None or self._default_walltime is not None:
            raise AssertionError("Default metadata is already set.")
        if global_step is None and walltime is None:
            raise AssertionError("At least one of `global_step` or `walltime` must be provided.")
        self._default_step, self._default_walltime = global_step, walltime
        try:
            yield self
        finally:
            self._default_step = self._default_walltime = None

    def _defaults(self, step: Any, walltime: float | None) -> tuple[Any, float | None]:
        return (
            self._default_step if step is None else step,
            self._default_walltime if walltime is None else walltime,
        )

    def _add(
        self, summary: Any, step: Any, walltime: float | None, log_dir: str | None = None
    ) -> None:
        super()._add(summary, *self._defaults(step, walltime), log_dir)

    # --- numbers ---

    def add_scalar(  # type: ignore[override]
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        display_name: str = "",
        summary_description: str = "",
    ) -> None:
        """Logs one number, to be shown with a name in place of the tag, and a description."""
        if display_name or summary_description:
            described = summary.scalar(tag, scalar_value, display_name, summary_description)
            self._add(described, global_step, walltime)
            return
        if global_step is None or self._default_walltime is not None:
            global_step, walltime = self._defaults(global_step, walltime)
        clean = summary.clean_tag(tag)
        # Not `super().add_scalar`: this call is to cost next to nothing.
        if answer := self._put_scalar(clean, scalar_value, global_step, walltime, 0):
            self._add_scalar_slowly(answer, clean, scalar_value, global_step, walltime, 0)

    def add_scalars(  # type: ignore[override]
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Logs numbers of one chart, each in a run of its own: `<logdir>/<main_tag>/<key>`.

        They are kept in memory, for `export_scalars_to_json`.
        """
        global_step, walltime = self._defaults(global_step, walltime)
        walltime = time.time() if walltime is None else walltime
        stem = self._get_file_writer().get_logdir()
        for key, value in tag_scalar_dict.items():
            log_dir = f"{stem}/{main_tag}/{key}"
            point = [walltime, global_step, arrays.number(value)]
            self._add(summary.scalar(main_tag, value), global_step, walltime, log_dir)
            self.scalar_dict.setdefault(log_dir, []).append(point)

    def export_scalars_to_json(self, path: str | os.PathLike[str]) -> None:
        """Writes and forgets what `add_scalars` logged: `{run: [[wall time, step, value], …]}`."""
        Path(path).write_text(json.dumps(self.scalar_dict), "utf-8")
        self.scalar_dict = {}

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
        super().add_histogram(summary.clean_tag(tag), values, global_step, bins, walltime, max_bins)

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
        super().add_image(summary.clean_tag(tag), img_tensor, global_step, walltime, dataformats)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Logs several pictures as one: an array, or a list of pictures (`CHW` or `HWC`)."""
        if isinstance(img_tensor, list):
            if dataformats.upper() not in ("CHW", "HWC"):
                log.warning("not logged: a list of images must be `CHW` or `HWC`: %s", dataformats)
                return
            img_tensor = np.stack([arrays.to_numpy(image) for image in img_tensor])
            dataformats = f"N{dataformats}"
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(  # type: ignore[override]
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
        labels: Any = None,
        *,
        rescale: float = 1,
    ) -> None:
        """Logs a picture with rectangles: rows of left, top, right, bottom in pixels."""
        super().add_image_with_boxes(
            tag, img_tensor, box_tensor, global_step, walltime, rescale, dataformats, labels
        )

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: Any = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Logs a matplotlib figure, or a list of them, and closes it."""
        super().add_figure(summary.clean_tag(tag), figure, global_step, close, walltime)

    def add_video(  # type: ignore[override]
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
        dataformats: str = "NTCHW",
    ) -> None:
        """Logs videos side by side, with the five axes in any order."""
        self._add(summary.video(tag, vid_tensor, fps, dataformats), global_step, walltime)

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Logs sound: samples from -1 to 1, of shape (L,), or (L, C) with one or two channels."""
        self._add(summary.audio(tag, snd_tensor, sample_rate), global_step, walltime)

    # --- structure ---

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
        shape = summary.mesh(tag, vertices, colors, faces, config_dict)
        self._add(shape, global_step, walltime)

    def add_onnx_graph(self, onnx_model_file: str | os.PathLike[str]) -> None:
        """Logs the graph in an ONNX file."""
        super().add_onnx_graph(onnx_model_file)

    def add_openvino_graph(self, xmlname: str | os.PathLike[str]) -> None:
        """Logs the graph in the `.xml` file of an OpenVINO model."""
        from kymograph.writer.summaries import graphs

        graph = graphs.openvino_graph(xmlname)
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
        """Writes points with labels and square pictures for the projector."""
        if label_img is not None:
            label_img = arrays.to_numpy(label_img)
            count, _, height, width = label_img.shape
            if height != width:
                raise AssertionError(f"label_img should be square, not {height} x {width}")
            if math.ceil(math.sqrt(count)) * width > _LARGEST_SPRITE:
                raise AssertionError(
                    f"label_img should fit into {_LARGEST_SPRITE} x {_LARGEST_SPRITE} pixels"
                )
        step, _ = self._defaults(global_step, None)
        super().add_embedding(mat, metadata, label_img, step, tag, metadata_header)

    def add_hparams(  # type: ignore[override]
        self,
        hparam_dict: dict[str, Any],
        metric_dict: dict[str, Any],
        name: str | None = None,
        global_step: Any = None,
    ) -> None:
        """Logs hyper-parameters and the resulting metrics, as a run below this one."""
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        stem = self._get_file_writer().get_logdir()
        metrics = {summary.clean_tag(tag): value for tag, value in metric_dict.items()}
        setting = summary.hparams(hparam_dict, metrics)
        results = [summary.scalar(tag, value) for tag, value in metrics.items()]
        step, walltime = self._defaults(global_step, None)
        child = self._open_file(Path(stem) / (name or str(time.time())))
        for each in setting:
            child.add_summary(each, None, walltime)
        for each in results:
            child.add_summary(each, step, walltime)
        child.close()
