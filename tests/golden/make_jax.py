"""Writes `logdirs/jax`: JAX arrays logged through tf.summary and tensorboardX, as JAX users do."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import tensorflow as tf
from tensorboardX import SummaryWriter

from tests.golden.expectation import Expectation, as_float32, logdir, settle

# What a training loop gets back from a compiled step, in the precisions JAX is used with.
DTYPES = {"float32": jnp.float32, "float16": jnp.float16, "bfloat16": jnp.bfloat16}


@jax.jit
def decay(step: jax.Array) -> jax.Array:
    return 0.5**step


def make(folder: Path) -> None:
    """Writes every run below the folder, which must not exist or hold an earlier result."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    expect = Expectation(f"jax {jax.__version__}")
    # Powers of two are exact in all three precisions.
    logged = as_float32(0.5**step for step in range(4))
    writer = tf.summary.create_file_writer(str(folder / "tf_summary"))
    with writer.as_default():
        for name, dtype in DTYPES.items():
            for step in range(4):
                tf.summary.scalar(name, decay(jnp.array(step, dtype)), step=step)
            expect.scalars("tf_summary", name, range(4), logged)
    writer.close()
    with SummaryWriter(str(folder / "tensorboardx")) as other:
        for step in range(4):
            other.add_scalar("float32", decay(jnp.array(step, jnp.float32)), step)
        expect.scalars("tensorboardx", "float32", range(4), logged)
    settle(folder)
    expect.write(folder)


if __name__ == "__main__":
    make(logdir("jax", sys.argv))
