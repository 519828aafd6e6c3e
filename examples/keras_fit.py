"""Keras 3 on any backend: `fit` with a callback that takes the place of `TensorBoard`.

    pip install kymograph keras torch
    KERAS_BACKEND=torch python examples/keras_fit.py
    kymograph inspect runs/keras_fit

Likewise with `KERAS_BACKEND=jax` or `tensorflow`. The callback takes the arguments of
`keras.callbacks.TensorBoard` and writes the same runs and tags, without TensorFlow.
"""

import argparse

import keras
import numpy as np

from kymograph.integrations.keras import TensorBoard


def spirals(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (N, 2) on three arms of a spiral, and the arm that each is on."""
    randoms = np.random.default_rng(seed)
    arm = randoms.integers(3, size=count)
    radius = randoms.uniform(0.1, 1, count)
    angle = 4 * radius + arm * 2 * np.pi / 3 + randoms.normal(0, 0.15, count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points.astype("float32"), arm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logdir", default="runs/keras_fit")
    parser.add_argument("--epochs", type=int, default=10)
    arguments = parser.parse_args()

    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        [
            keras.Input((2,)),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(64, activation="relu"),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(0.01),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    callback = TensorBoard(arguments.logdir, histogram_freq=1, update_freq="batch")
    model.fit(
        *spirals(1000, seed=0),
        validation_data=spirals(300, seed=1),
        epochs=arguments.epochs,
        batch_size=50,
        callbacks=[callback],
        verbose=2,
    )


if __name__ == "__main__":
    main()
