"""Fits small Keras models with a TensorBoard callback, `ours` or that of `keras`.

python keras_fit.py ours LOGDIR CASE...
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import keras
import numpy as np

EPOCHS, BATCHES, BATCH_SIZE = 2, 4, 8

CASES: dict[str, dict[str, Any]] = {
    "epochs": {"histogram_freq": 1, "write_images": True},
    "batches": {"update_freq": 2, "write_steps_per_second": True, "write_graph": False},
    "every_batch": {"update_freq": "batch"},
    "profile": {"profile_batch": (2, 3), "write_graph": False},
}
EMBEDDINGS = {"embeddings_freq": 1, "embeddings_metadata": {"words": "words.tsv"}}


def image_model() -> Any:
    inputs = keras.Input((6, 6, 1), name="inputs")
    hidden = keras.layers.Conv2D(2, 3, name="conv")(inputs)
    hidden = keras.layers.Flatten(name="flat")(hidden)
    return keras.Model(inputs, keras.layers.Dense(1, name="head")(hidden), name="small")


def word_model() -> Any:
    return keras.Sequential(
        [
            keras.Input((4,), dtype="int32"),
            keras.layers.Embedding(10, 3, name="words"),
            keras.layers.GlobalAveragePooling1D(),
            keras.layers.Dense(1),
        ],
        name="words",
    )


def fit(model: Any, features: Any, callback: Any, evaluation: Any = None) -> None:
    """The same weights and batches on every backend, so that the losses agree too."""
    generator = np.random.default_rng(3)
    model.set_weights([generator.normal(size=w.shape, scale=0.1) for w in model.weights])
    model.compile(optimizer=keras.optimizers.SGD(0.05), loss="mse", metrics=["mae"])
    targets = features.reshape(len(features), -1).mean(axis=1, keepdims=True).astype("float32")
    model.fit(
        features,
        targets,
        batch_size=BATCH_SIZE,
        epochs=EPOCHS,
        # As many batches as `update_freq` divides: of others Keras' own drops the evaluation.
        validation_data=(features[:16], targets[:16]),
        callbacks=[callback],
        shuffle=False,
        verbose=0,
    )
    if evaluation:
        pair = features[:16], targets[:16]
        model.evaluate(*pair, batch_size=BATCH_SIZE, callbacks=[evaluation], verbose=0)


def main(whose: str, logdir: str, *cases: str) -> None:
    board: Any = keras.callbacks.TensorBoard
    if whose == "ours":
        from kymograph.integrations import keras as ours

        board = ours.TensorBoard
    folder = Path(logdir)
    pixels = np.random.default_rng(1).random((BATCH_SIZE * BATCHES, 6, 6, 1)).astype("float32")
    words = np.random.default_rng(2).integers(0, 10, (BATCH_SIZE * BATCHES, 4)).astype("int32")
    for name in cases:
        if name == "embeddings":
            fit(word_model(), words, board(folder / name, **EMBEDDINGS))
        else:
            callback = board(folder / name, **CASES[name])
            # In a folder of its own: a later file of the same run would supersede its last steps.
            evaluation = board(folder / f"{name}_evaluated", **CASES[name])
            fit(image_model(), pixels, callback, evaluation)


if __name__ == "__main__":
    main(*sys.argv[1:])
