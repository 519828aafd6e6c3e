"""Writes `logdirs/keras`: event files by the Keras TensorBoard callback and its input."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import numpy as np

from tests.golden.expectation import Expectation, Json, as_float32, exact, logdir, settle, sha256

EPOCHS, BATCHES = 3, 4


class Diary(keras.callbacks.Callback):  # type: ignore[misc,unused-ignore]
    """Keeps what the callback before it was given, and the weights it saw at each epoch's end."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[dict[str, float]] = []
        self.epochs: list[dict[str, float]] = []
        self.evaluations: list[tuple[int, dict[str, float]]] = []
        self.weights: dict[str, list[Json]] = {}

    def on_train_batch_end(self, batch: int, logs: dict[str, float] | None = None) -> None:
        self.batches.append(dict(logs or {}))

    def on_test_end(self, logs: dict[str, float] | None = None) -> None:
        iterations = int(self.model.optimizer.iterations.numpy())
        self.evaluations.append((iterations, dict(logs or {})))

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        self.epochs.append(dict(logs or {}))
        for layer in self.model.layers:
            for weight in layer.weights:
                array = np.asarray(weight.numpy(), dtype=np.float64)
                spread = {
                    "count": array.size,
                    "min": exact(array.min()),
                    "max": exact(array.max()),
                }
                self.weights.setdefault(weight.path, []).append(spread)


def fit(folder: Path, **callback_options: Any) -> tuple[Any, Diary]:
    """Trains a small functional model and returns it with what its callbacks received."""
    keras.utils.set_random_seed(0)
    inputs = keras.Input((3,), name="inputs")
    hidden = keras.layers.Dense(4, activation="relu", name="hidden")(inputs)
    model = keras.Model(inputs, keras.layers.Dense(1, name="head")(hidden), name="small")
    model.compile(optimizer=keras.optimizers.SGD(0.05), loss="mse", metrics=["mae"])
    features = np.random.default_rng(1).normal(size=(8 * BATCHES, 3)).astype("float32")
    targets = features.sum(axis=1, keepdims=True)
    diary = Diary()
    board = keras.callbacks.TensorBoard(str(folder), **callback_options)
    model.fit(
        features,
        targets,
        batch_size=8,
        epochs=EPOCHS,
        validation_data=(features[:8], targets[:8]),
        callbacks=[board, diary],
        verbose=0,
        shuffle=False,
    )
    return model, diary


def expect_epochs(expect: Expectation, run: str, model: Any, diary: Diary) -> None:
    epochs = range(EPOCHS)
    for name in ["loss", "mae"]:
        train = as_float32(logs[name] for logs in diary.epochs)
        expect.scalars(f"{run}/train", f"epoch_{name}", epochs, train)
        held_out = as_float32(logs[f"val_{name}"] for logs in diary.epochs)
        expect.scalars(f"{run}/validation", f"epoch_{name}", epochs, held_out)
        expect.scalars(
            f"{run}/validation",
            f"evaluation_{name}_vs_iterations",
            [iterations for iterations, _ in diary.evaluations],
            as_float32(logs[name] for _, logs in diary.evaluations),
        )
    expect.scalars(f"{run}/train", "epoch_learning_rate", epochs, as_float32([0.05] * EPOCHS))
    graph = {"sha256": sha256(model.to_json().encode())}
    expect.points(f"{run}/train", "keras", "graphs", [0], [graph])


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    expect = Expectation(f"keras {keras.__version__} on {keras.backend.backend()}")

    model, diary = fit(folder / "epochs", histogram_freq=1)
    expect_epochs(expect, "epochs", model, diary)
    for path, spreads in diary.weights.items():
        tag = f"{path}/histogram"
        expect.points("epochs/train", tag, "histograms", range(EPOCHS), spreads)

    model, diary = fit(folder / "batches", update_freq="batch")
    expect_epochs(expect, "batches", model, diary)
    for name in ["loss", "mae"]:
        values = as_float32(logs[name] for logs in diary.batches)
        steps = range(1, EPOCHS * BATCHES + 1)
        expect.scalars("batches/train", f"batch_{name}", steps, values)
    settle(folder)
    expect.write(folder)


if __name__ == "__main__":
    make(logdir("keras", sys.argv))
