"""Lets a Stable-Baselines3 agent learn, and writes every kind of value in our format and theirs.

python agent_learns.py LOGDIR
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import stable_baselines3
from matplotlib import pyplot as plt
from stable_baselines3.common import logger as sb3

from kymograph.integrations.stable_baselines3 import KymographOutputFormat, configure


def learn(folder: Path) -> None:
    model = stable_baselines3.PPO("MlpPolicy", "CartPole-v1", n_steps=32, batch_size=32, n_epochs=1)
    model.set_logger(configure(folder, ["csv"]))
    model.learn(96)
    model.logger.close()


def write(output: Any) -> None:
    generator = np.random.default_rng(1)
    figure = plt.figure(figsize=(1, 1))
    values: dict[str, Any] = {
        "number": 1.5,
        "integer": np.int64(3),
        "text": "hello",
        "weights": generator.normal(size=100),
        "image": sb3.Image(generator.random((3, 4, 5)), "CHW"),
        "figure": sb3.Figure(figure, close=True),
        "hparam": sb3.HParam({"lr": 0.1, "policy": "Mlp"}, {"number": 0.0}),
        "hidden": 1.0,
    }
    excluded: dict[str, Any] = dict.fromkeys(values)
    excluded["hidden"] = ("tensorboard",)
    output.write(values, excluded, 7)
    output.close()


def main() -> None:
    folder = Path(sys.argv[1])
    learn(folder / "agent")
    write(KymographOutputFormat(folder / "ours"))
    write(sb3.TensorBoardOutputFormat(str(folder / "theirs")))


if __name__ == "__main__":
    main()
