"""Demo data for the text dashboard: samples that get better with training, and a report."""

from __future__ import annotations

import numpy as np

from kymograph import SummaryWriter

CLASSES = ("cat", "dog", "ship", "truck")
# What a model writes at the end, and what it writes in place of single words before that.
CAPTIONS = (
    "a small tan dog sitting in the grass",
    "in front of a wooden fence",
    "with one red ball beside it",
    "",
    "two sailing boats on the sea",
    "under a clear sky",
    "with a lighthouse far behind",
)
MISTAKES = ("a", "a a", "the", "of", "brown", "boat", "see", "sit", "on", "???", "gras", "the the")


def log(writer: SummaryWriter, step: int, wall_time: float, learnt: float) -> None:
    """Logs what a model that has learnt this share of its task writes, and what it is worth."""
    writer.add_text("samples/caption", caption(learnt), step, wall_time)
    writer.add_text("samples/report", report(step, learnt), step, wall_time)


def caption(learnt: float) -> str:
    """The captions, with fewer wrong words the more was learnt."""
    randoms = np.random.default_rng(11)
    lines = []
    for line in CAPTIONS:
        words = []
        for word in line.split():
            # The same words are learnt first in every run.
            is_known = randoms.random() < 1.1 * learnt
            mistake = MISTAKES[int(randoms.integers(len(MISTAKES)))]
            words.append(word if is_known else mistake)
        lines.append(" ".join(words))
    return "prompt: a photo of\n" + "\n".join(lines)


def report(step: int, learnt: float) -> str:
    """An evaluation, as a training script would write it."""
    randoms = np.random.default_rng(step + round(1e6 * learnt))
    rows = []
    for name in CLASSES:
        precision, recall = np.clip(0.55 + 0.42 * learnt + randoms.normal(0, 0.012, 2), 0, 1)
        rows.append(f"| {name} | {precision:.3f} | {recall:.3f} |")
    table = "\n".join(rows)
    is_done = "x" if learnt > 0.9 else " "
    return f"""# Evaluation at step {step:,}

Top-1 is **{0.5 + 0.45 * learnt:.4f}**; `cat` and `dog` are still confused.
The loss is $-\\log p(y \\mid x)$ with label smoothing.

| class | precision | recall |
|---|--:|--:|
{table}

- [x] checkpoint written, 44.8 MB
- [{is_done}] learning rate halved

```bash
python eval.py --ckpt step_{step}.pt --tta 4
```
"""
