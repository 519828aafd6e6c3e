"""Keras 3: the `TensorBoard` callback, on every backend and without TensorFlow."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from kymograph import SummaryWriter
from kymograph.errors import MissingDependencyError
from kymograph.integrations import tf_style
from kymograph.writer import wire
from kymograph.writer.directories import refuse_remote

try:
    import keras
except ImportError as error:
    message = "keras is not installed\nhint: pip install keras"
    raise MissingDependencyError(message) from error

__all__ = ["KymographCallback", "TensorBoard"]

Trace = tuple[Callable[[], object], Callable[[int], AbstractContextManager[object]]]
"""How to stop a profile and how to mark one batch in it."""


class TensorBoard(keras.callbacks.Callback):
    """Logs what `keras.callbacks.TensorBoard` logs: same arguments, runs, tags and steps.

    `profile_batch` works on the torch, jax and tensorflow backends.

        from kymograph.integrations.keras import TensorBoard

        model.fit(x, y, epochs=5, callbacks=[TensorBoard("logs")])
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: int | str = "epoch",
        profile_batch: int | str | tuple[int, int] = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: str | Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        refuse_remote(log_dir)
        self.log_dir = str(log_dir)
        self.histogram_freq = histogram_freq
        self.write_graph = write_graph
        self.write_images = write_images
        self.write_steps_per_second = write_steps_per_second
        self.update_freq: int | str = 1 if update_freq == "batch" else update_freq
        self.embeddings_freq = embeddings_freq
        self.embeddings_metadata = embeddings_metadata
        self._first_profiled, self._last_profiled = _profiled_batches(profile_batch)
        self._writers: dict[str, SummaryWriter] = {}
        self._train_batch = 0
        self._batch_start = 0.0
        self._epoch_start = 0.0
        self._iterations_before_epoch = 0
        self._trace: Trace | None = None
        self._batch_mark: AbstractContextManager[object] | None = None

    # --- the hooks ---

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        self._close_writers()
        if self.write_graph:
            self._write_model()
        if self.embeddings_freq:
            self._write_projector_config()

    def on_train_begin(self, logs: Any = None) -> None:  # noqa: ARG002
        self._train_batch = 0
        self._writer("train")

    def on_train_end(self, logs: Any = None) -> None:  # noqa: ARG002
        self._stop_trace()
        self._close_writers()

    def on_test_end(self, logs: Any = None) -> None:
        if hasattr(self.model.optimizer, "iterations"):
            step = self._iterations()
            for name, value in (logs or {}).items():
                self._scalar("validation", f"evaluation_{name}_vs_iterations", value, step)
            # `evaluate` alone notifies no callback at its end.
            self._writer("validation").flush()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002
        if self.write_steps_per_second:
            self._iterations_before_epoch = self._iterations()
            self._epoch_start = time.perf_counter()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self._write_epoch(epoch, logs or {})
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._write_weights(epoch)
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            _try("writing the embeddings", lambda: self._write_embeddings(epoch))

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        self._train_batch += 1
        self._batch_start = time.perf_counter()
        if self._train_batch == self._first_profiled:
            self._trace = _start_trace(str(Path(self.log_dir, "train")))
        if self._trace:
            self._batch_mark = self._trace[1](batch)
            self._batch_mark.__enter__()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002
        step = self._train_batch
        if isinstance(self.update_freq, int) and step % self.update_freq == 0:
            if self.write_steps_per_second:
                rate = 1 / (time.perf_counter() - self._batch_start)
                self._scalar("train", "batch_steps_per_second", rate, step)
            if isinstance(logs, dict):
                for name, value in logs.items():
                    self._scalar("train", f"batch_{name}", value, step)
        if self._batch_mark:
            self._batch_mark.__exit__(None, None, None)
            self._batch_mark = None
        if step >= self._last_profiled:
            self._stop_trace()

    # --- what they write ---

    def _writer(self, run: str) -> SummaryWriter:
        if run not in self._writers:
            self._writers[run] = SummaryWriter(str(Path(self.log_dir, run)))
        return self._writers[run]

    def _add(self, run: str, summary: wire.Summary, step: int) -> None:
        self._writer(run).add_summary(summary, step)

    def _scalar(self, run: str, tag: str, value: Any, step: int) -> None:
        self._add(run, tf_style.scalar(tag, _to_numpy(value)), step)

    def _close_writers(self) -> None:
        for writer in self._writers.values():
            writer.close()
        self._writers.clear()

    def _write_model(self) -> None:
        self._writer("train")
        if type(self.model).__name__ not in ("Functional", "Sequential"):
            return
        try:
            content = self.model.to_json()
        except Exception as error:  # noqa: BLE001  (a layer of the user's own may fail in any way)
            warnings.warn(f"the model's graph is not logged: {error}", stacklevel=2)
            return
        self._add("train", tf_style.keras_model("keras", content), 0)

    def _write_epoch(self, epoch: int, logs: Mapping[str, Any]) -> None:
        if not logs:
            return
        train = {name: value for name, value in logs.items() if not name.startswith("val_")}
        train.update(_learning_rates(self.model.optimizer))
        if self.write_steps_per_second:
            done = self._iterations() - self._iterations_before_epoch
            train["steps_per_second"] = done / (time.perf_counter() - self._epoch_start)
        for name, value in train.items():
            self._scalar("train", f"epoch_{name}", value, epoch)
        for name, value in logs.items():
            if name.startswith("val_"):
                self._scalar("validation", f"epoch_{name[4:]}", value, epoch)

    def _write_weights(self, epoch: int) -> None:
        for layer in self.model.layers:
            for weight in layer.weights:
                name, values = weight.path.replace(":", "_"), _to_numpy(weight)
                self._add("train", tf_style.histogram(f"{name}/histogram", values), epoch)
                if self.write_images and (images := _as_images(values)) is not None:
                    self._add("train", tf_style.image(f"{name}/image", images), epoch)
        self._writer("train").flush()

    def _iterations(self) -> int:
        return int(_to_numpy(self.model.optimizer.iterations))

    # --- embeddings ---

    def _embedding_layers(self) -> list[Any]:
        return [layer for layer in self.model.layers if isinstance(layer, keras.layers.Embedding)]

    def _write_projector_config(self) -> None:
        names = [layer.name for layer in self._embedding_layers()]
        metadata = self.embeddings_metadata or {}
        if isinstance(metadata, str):
            metadata = dict.fromkeys(names, metadata)
        if unknown := sorted(set(metadata) - set(names)):
            raise ValueError(f"`embeddings_metadata` names unknown embedding layers: {unknown}")
        lines = []
        for name in names:
            lines += ["embeddings {", f"  tensor_name: {json.dumps(name)}"]
            lines += [f"  tensor_path: {json.dumps(_embedding_file(name))}"]
            if name in metadata:
                lines += [f"  metadata_path: {json.dumps(metadata[name])}"]
            lines += ["}"]
        folder = Path(self.log_dir)
        folder.mkdir(parents=True, exist_ok=True)
        config = "".join(f"{line}\n" for line in lines)
        (folder / "projector_config.pbtxt").write_text(config, "utf-8")

    def _write_embeddings(self, epoch: int) -> None:
        self._writer("train")  # whose folder the files go to
        checkpoint = f"train/keras_embedding.ckpt-{epoch}.weights.h5"
        self.model.save_weights(Path(self.log_dir, checkpoint))
        for layer in self._embedding_layers():
            rows = _to_numpy(layer.embeddings).tolist()
            lines = "".join("\t".join(map(str, row)) + "\n" for row in rows)
            Path(self.log_dir, _embedding_file(layer.name)).write_text(lines, "utf-8")

    # --- profiling ---

    def _stop_trace(self) -> None:
        if self._trace:
            stop, self._trace = self._trace[0], None
            _try("profiling", stop)


KymographCallback = TensorBoard


def _to_numpy(value: Any) -> Any:
    return value if isinstance(value, (int, float)) else keras.ops.convert_to_numpy(value)


def _learning_rates(optimizer: Any) -> dict[str, Any]:
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)
    if hasattr(optimizer, "optimizers"):
        return {f"learning_rate_{one.name}": one.learning_rate for one in optimizer.optimizers}
    if isinstance(optimizer, keras.optimizers.Optimizer):
        return {"learning_rate": optimizer.learning_rate}
    return {}


def _as_images(weight: Any) -> Any:
    """A weight as [count, height, width, 1], or None if it has too many dimensions."""
    image = weight.squeeze()
    if image.ndim == 1:
        return image.reshape(1, -1, 1, 1)
    if image.ndim == 2:  # a dense kernel is drawn with its long side horizontal
        image = image.T if image.shape[0] > image.shape[1] else image
        return image[None, :, :, None]
    if image.ndim == 3:  # one image for each channel
        if keras.config.image_data_format() == "channels_last":
            image = image.transpose(2, 0, 1)
        return image[:, :, :, None]
    return image if image.ndim == 4 and image.shape[-1] in (1, 3, 4) else None


def _embedding_file(layer: str) -> str:
    """The path of a layer's embedding, relative to the log directory."""
    return f"train/{layer.replace('/', '_')}.tsv"


def _profiled_batches(profile_batch: int | str | tuple[int, int]) -> tuple[int, int]:
    """The first and last batch to profile; 0 for both is none."""
    given: Any = profile_batch
    if isinstance(given, str):
        given = [int(part) for part in given.split(",")]
        given = given[0] if len(given) == 1 else given
    if isinstance(given, int):
        given = (given, given)
    if isinstance(given, (tuple, list)) and len(given) == 2 and 0 <= given[0] <= given[1]:
        return given[0], given[1]
    raise ValueError(
        f"`profile_batch` must be a batch number or a pair of first and last: {profile_batch!r}"
    )


def _start_trace(folder: str) -> Trace | None:
    """Starts the backend's own profiler, which leaves its files in `folder`."""
    backend = keras.backend.backend()
    if backend == "torch":
        import torch.profiler as torch_profiler

        from kymograph.integrations.torch_profiler import trace_handler

        profile = torch_profiler.profile(on_trace_ready=trace_handler(folder))
        mark = torch_profiler.record_function
        trace = profile.start, profile.stop, lambda batch: mark(f"ProfilerStep#{batch}")
    elif backend == "jax":
        import jax.profiler as jax_profiler

        annotate = jax_profiler.StepTraceAnnotation
        trace = (
            lambda: jax_profiler.start_trace(folder),
            jax_profiler.stop_trace,
            lambda batch: annotate("train", step_num=batch),
        )
    elif backend == "tensorflow":
        import tensorflow as tf

        experimental = tf.profiler.experimental
        trace = (
            lambda: experimental.start(folder),
            experimental.stop,
            lambda batch: experimental.Trace("train", step_num=batch, _r=1),
        )
    else:
        warnings.warn(
            f"the {backend} backend has no profiler: `profile_batch` is ignored", stacklevel=2
        )
        return None
    start, stop, mark_batch = trace
    return (stop, mark_batch) if _try("profiling", start) else None


def _try(what: str, action: Callable[[], object]) -> bool:
    """Whether the action succeeded; one that fails must not end the training."""
    try:
        action()
    except Exception as error:  # noqa: BLE001  (every backend has exceptions of its own)
        warnings.warn(f"{what} failed: {error}", stacklevel=2)
        return False
    return True
