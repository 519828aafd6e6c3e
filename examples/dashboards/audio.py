"""Demo data for the audio dashboard: spoken vowels out of which the noise goes with training."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kymograph import SummaryWriter

SAMPLE_RATE = 16_000
SECONDS = 1.6
# The two lowest resonances of the mouth in hertz: "a", "i", "u".
VOWELS = ((850, 1610), (240, 2400), (250, 595))


def log(writer: SummaryWriter, step: int, wall_time: float, learnt: float) -> None:
    """Logs what a model that has learnt this share of its task says."""
    writer.add_audio("speech/vowels", spoken(learnt), step, SAMPLE_RATE, wall_time)


def spoken(learnt: float) -> npt.NDArray[np.float32]:
    """Three vowels one after another, at a pitch that falls, in noise that fades."""
    time = np.arange(int(SAMPLE_RATE * SECONDS)) / SAMPLE_RATE
    place = np.minimum((time / SECONDS * len(VOWELS)).astype(int), len(VOWELS) - 1)
    pitch = 140 - 30 * time / SECONDS + 3 * np.sin(2 * np.pi * 5 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / SAMPLE_RATE
    formants = np.array(VOWELS, float)[place]
    voice = np.zeros_like(time)
    for harmonic in range(1, 40):
        far = (harmonic * pitch[:, None] - formants) / 120
        voice += (np.exp(-(far**2)).sum(axis=1) + 0.05 / harmonic) * np.sin(harmonic * phase)
    within = time / SECONDS * len(VOWELS) % 1
    voice *= np.clip(10 * np.minimum(within, 1 - within), 0, 1)
    randoms = np.random.default_rng(round(1e6 * learnt))
    noisy = voice / np.abs(voice).max() + (1 - learnt) * randoms.normal(0, 0.6, len(time))
    found: npt.NDArray[np.float32] = (0.6 * noisy / np.abs(noisy).max()).astype(np.float32)
    return found
