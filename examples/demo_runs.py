"""The experiments of the demo: which runs there are, and their curves, the same every time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Hparams = dict[str, str | float | int | bool]
Curves = dict[str, Numbers]

HOUR = 3600.0
BEST_RATES = {"adamw": 1e-3, "sgd": 4e-2, "lion": 1.5e-4}
SPEEDS = {"resnet18": 5300.0, "resnet34": 3400.0, "convnext-t": 2300.0}
MEMORY_GB = {"resnet18": 9.6, "resnet34": 14.2, "convnext-t": 21.8, "small": 34.5, "medium": 61.5}
CALM, WILD = 0.6, 1.6  # noise of the gradient, relative to the default settings


@dataclass(frozen=True)
class Plan:
    """A run to be: `steps` of them, every `every`-th logged, begun `hours_ago`."""

    name: str
    hparams: Hparams
    hours_ago: float
    steps: int = 48_000
    every: int = 40
    secs_per_step: float = 0.3
    seed: int = 0
    # What its settings do to it.
    floor: float = 0.55
    speed: float = 1.0
    noise: float = 1.0
    gap: float = 0.12  # between images seen and unseen; below zero where training is made hard
    overfits: float = 0.0
    # What happens to it.
    stops_at: int | None = None
    diverges_at: int | None = None
    spikes_at: tuple[int, ...] = ()
    restarts_at: tuple[int, ...] = ()
    has_media: bool = False
    has_rollouts: bool = False
    # Of a run that trains on while the demo is open: steps between two rows, and rows a second.
    live_every: int = 0
    live_rate: float = 3.0

    @property
    def is_live(self) -> bool:
        return self.live_every > 0

    @property
    def kind(self) -> str:
        return self.name.split("/")[0]

    @property
    def end(self) -> int:
        """The first step that is not written before the demo opens."""
        return self.steps if self.stops_at is None else self.stops_at


# --- the experiments ---


def plans() -> Iterator[Plan]:
    yield from control()
    yield from learning_rates()
    yield from language()
    yield from seeds()
    yield from augmentations()


def vision(**changes: str | float) -> Hparams:
    usual: Hparams = {
        "model": "resnet18",
        "dataset": "cifar100",
        "optimizer": "adamw",
        "lr": 1e-3,
        "batch_size": 256,
        "weight_decay": 0.05,
        "warmup_steps": 2000,
        "augment": "crop-flip",
        "seed": 0,
    }
    return usual | changes


def learning_rates() -> Iterator[Plan]:
    """One sweep over rates and optimizers, of which the boldest ends in NaN."""
    tried = {"adamw": (1e-4, 3e-4, 1e-3, 3e-3, 1e-2), "sgd": (1e-2, 3e-2, 1e-1), "lion": (1e-4,)}
    hours_ago = 92.0
    for optimizer, rates in tried.items():
        for rate in rates:
            off = math.log10(rate / BEST_RATES[optimizer])
            diverges = optimizer == "adamw" and rate == 1e-2
            yield Plan(
                f"cifar/lr-sweep/{optimizer}-{short(rate)}",
                vision(
                    optimizer=optimizer, lr=rate, weight_decay=5e-4 if optimizer == "sgd" else 0.05
                ),
                hours_ago,
                floor=0.50 + 0.35 * off**2 + (0.05 if optimizer == "sgd" else 0),
                speed=math.exp(0.8 * min(off, 0) - 0.3 * max(off, 0)),
                noise=WILD if off > 0.4 else 1.0,
                diverges_at=18_400 if diverges else None,
                stops_at=19_000 if diverges else None,
                has_media=(optimizer, rate) == ("adamw", 1e-3),
            )
            hours_ago -= 2.1


def augmentations() -> Iterator[Plan]:
    """What helps against over-fitting; the last one, all together, still trains."""
    tried = {
        "baseline": (0.16, 1.2, 0.62, 1.0),
        "mixup-0.2": (0.52, 1.0, 0.20, 0.30),
        "mixup-0.4": (0.70, 0.95, 0.05, 0.15),
        "cutmix-1.0": (0.64, 0.95, 0.03, 0.10),
        "randaug-9": (0.46, 0.95, 0.25, 0.25),
        "randaug-15": (0.66, 0.85, 0.12, 0.20),
        "erase-0.25": (0.34, 1.05, 0.42, 0.55),
        "all-aug": (0.86, 0.8, -0.26, 0.0),
    }
    for number, (name, (floor, speed, gap, overfits)) in enumerate(tried.items()):
        yield Plan(
            f"cifar/augment/{name}",
            vision(model="resnet34", augment=name),
            hours_ago=17.0 - 1.9 * number,
            floor=floor,
            speed=speed,
            gap=gap,
            overfits=overfits,
            noise=CALM if name == "baseline" else 1.0,
            # A machine was lost, and it has not been noticed yet.
            stops_at={"randaug-15": 21_300, "all-aug": 29_800}.get(name),
            has_media=name in ("baseline", "all-aug"),
            live_every=5 if name == "all-aug" else 0,
            live_rate=4.0,
        )


def seeds() -> Iterator[Plan]:
    """Is the bigger model better, or was it luck?"""
    tried = {"resnet18": 0.62, "resnet34": 0.52, "convnext-t": 0.40}
    for row, (model, floor) in enumerate(tried.items()):
        for seed in range(5):
            luck = float(np.random.default_rng(70 + 10 * row + seed).normal(0, 0.035))
            yield Plan(
                f"cifar/seeds/{model}/seed{seed}",
                vision(model=model, augment="cutmix-1.0", seed=seed),
                hours_ago=46.0 - 6.5 * row - 0.05 * seed,
                steps=40_000,
                seed=seed,
                floor=floor + luck,
                speed=1.0 + 0.12 * row - luck,
                overfits=0.3,
            )


def language() -> Iterator[Plan]:
    """Byte-level language models: warm-up and cosine, spikes, restarts, and one that trains on."""
    small = partial(gpt, "small")
    yield small(3e-4, 70.0, floor=0.98, speed=0.8)
    yield small(1e-3, 64.0, floor=0.92, speed=1.0)
    yield small(3e-3, 58.0, floor=0.97, noise=WILD, spikes_at=(5200, 9100, 9900, 17_300, 24_800))
    yield small(1e-3, 52.0, name="small-no-decay", weight_decay=0.0, floor=0.95, overfits=0.5)
    medium = partial(gpt, "medium", secs_per_step=1.1)
    yield medium(6e-4, 40.0, name="medium", floor=0.80, restarts_at=(14_000, 27_000))
    yield medium(
        *(6e-4, 11.0),
        name="medium-long",
        floor=0.72,
        steps=120_000,
        stops_at=33_000,
        spikes_at=(12_400, 26_900),
        live_every=4,
        live_rate=2.0,
    )


def gpt(
    model: str,
    rate: float,
    hours_ago: float,
    name: str | None = None,
    weight_decay: float = 0.1,
    **settings: float | tuple[int, ...],
) -> Plan:
    hparams: Hparams = {
        "model": f"gpt-{model}",
        "dataset": "books+code+web",
        "optimizer": "adamw",
        "lr": rate,
        "batch_size": 512,
        "weight_decay": weight_decay,
        "warmup_steps": 2000,
        "context": 1024,
        "seed": 7,
    }
    usual = {"steps": 40_000, "every": 20, "secs_per_step": 0.45}
    name = name or f"{model}-lr{short(rate)}"
    return Plan(f"gpt/{name}", hparams, hours_ago, **{**usual, **settings})  # type: ignore[arg-type]


def control() -> Iterator[Plan]:
    """Two ways of learning to walk, with three seeds each."""
    for number, (algorithm, speed) in enumerate({"ppo": 1.0, "sac": 1.7}.items()):
        for seed in range(3):
            yield Plan(
                f"walker/{algorithm}/seed{seed}",
                {
                    "algorithm": algorithm,
                    "optimizer": "adam",
                    "lr": 3e-4,
                    "batch_size": 64 if algorithm == "ppo" else 256,
                    "gamma": 0.99,
                    "seed": seed,
                },
                hours_ago=140.0 - 9 * number - 0.05 * seed,
                steps=30_000,
                every=30,
                secs_per_step=0.2,
                seed=seed,
                speed=speed,
                has_rollouts=seed == 0,
            )


def short(rate: float) -> str:
    """A rate as people write it: 3e-4."""
    exponent = math.floor(math.log10(rate) + 1e-9)
    return f"{rate / 10**exponent:.0f}e{exponent}"


# --- their curves ---


def curves(plan: Plan, steps: npt.NDArray[np.int64], randoms: np.random.Generator) -> Curves:
    """The value of each tag at the given steps."""
    drawn = agent if plan.kind == "walker" else learner
    return drawn(plan, steps.astype(np.float64), randoms)


def schedule(plan: Plan, steps: Numbers) -> Numbers:
    """Linear warm-up, then half a cosine down to a hundredth."""
    warmup = float(plan.hparams.get("warmup_steps", 0)) or 1.0
    along = np.clip((steps - warmup) / (plan.steps - warmup), 0, 1)
    shape = np.minimum(1.0, (steps + 1) / warmup) * (0.01 + 0.495 * (1 + np.cos(np.pi * along)))
    return float(plan.hparams["lr"]) * shape


def wander(randoms: np.random.Generator, count: int, memory: float) -> Numbers:
    """Noise that remembers: of unit spread, and about `memory` rows long."""
    keep = math.exp(-1 / memory)
    shocks = randoms.normal(0, math.sqrt(1 - keep**2), count)
    # An exponential memory as a running sum, in pieces short enough not to overflow.
    found = np.empty(count)
    last, piece = float(randoms.normal()), max(1, int(20 * memory))
    for first in range(0, count, piece):
        part = shocks[first : first + piece]
        powers = keep ** np.arange(1, len(part) + 1)
        found[first : first + piece] = powers * (last + np.cumsum(part / powers))
        last = found[first + len(part) - 1]
    return found


def learner(plan: Plan, at: Numbers, randoms: np.random.Generator) -> Curves:
    """A supervised run: a power law, a drop as the rate anneals, noise that shrinks."""
    is_language = plan.kind == "gpt"
    model = str(plan.hparams["model"]).removeprefix("gpt-")
    start = math.log(256) if is_language else math.log(100)
    rates = schedule(plan, at)
    annealed = 1 - rates / rates.max()
    along = at / plan.steps
    slope, knee = (0.42, 160) if is_language else (0.78, 1100)
    fall = (1 + plan.speed * at / knee) ** -slope
    late = np.where(along > 0.1, annealed, 0)
    mean = plan.floor + (start - plan.floor) * fall - 0.22 * plan.floor * late**2
    bumps = spikes(plan, at)
    jitter = plan.noise * (0.018 if is_language else 0.035)
    slow = 0.012 * plan.noise * wander(randoms, len(at), 120)
    loss = mean * np.exp(slow + jitter * randoms.normal(0, 1, len(at))) + bumps
    heavy = 0.05 * plan.noise * randoms.normal(0, 1, len(at))
    heavy += np.where(
        randoms.random(len(at)) < 0.004 * plan.noise, randoms.uniform(0.4, 1.5, len(at)), 0
    )
    gradients = (0.7 + 2.4 * fall + 0.5 * along**2) * np.exp(heavy) * (1 + 6 * bumps)
    gap = (0.4 if is_language else 1.0) * plan.gap * (1 - fall)
    gap += 0.75 * plan.overfits * np.clip(along - 0.3, 0, 1) ** 1.5
    checked = mean + gap + bumps + 0.012 * wander(randoms, len(at), 40)
    checked += randoms.normal(0, 0.006, len(at))
    found = {
        "train/loss": loss,
        "train/grad_norm": gradients,
        "train/lr": rates,
        "train/update_ratio": rates * (0.4 + fall) * randoms.normal(0.9, 0.04, len(at)),
        "train/weight_norm": 38 + 60 * (1 - fall) + 9 * plan.floor * along,
        "val/loss": checked,
    }
    if is_language:
        found["val/bits_per_byte"] = checked / math.log(2)
        found["worker/tokens_per_sec"] = throughput(
            randoms, len(at), 185e3 * 0.45 / plan.secs_per_step
        )
    else:
        found |= accuracies(plan, mean + slow, checked, along, randoms)
        found["worker/images_per_sec"] = throughput(randoms, len(at), SPEEDS[model])
    found |= machine(randoms, len(at), MEMORY_GB[model])
    if plan.diverges_at is not None:
        diverge(found, at, plan.diverges_at)
    return found


def spikes(plan: Plan, at: Numbers) -> Numbers:
    """Sudden losses of what was learnt, each forgotten within some hundred steps."""
    bumps = np.zeros_like(at)
    for number, step in enumerate(plan.spikes_at):
        after = np.maximum(at - step, 0)
        height = 0.7 + 0.9 * ((number * 7) % 5) / 5
        bumps += np.where(
            at >= step, height * np.minimum(1, after / 30 + 0.3) * np.exp(-after / 260), 0
        )
    return bumps


def accuracies(
    plan: Plan, loss: Numbers, checked: Numbers, along: Numbers, randoms: np.random.Generator
) -> Curves:
    """What goes with a loss: over-fitting raises it on unseen images long before the errors."""
    batch = float(plan.hparams["batch_size"])
    train = np.clip(np.exp(-0.62 * np.maximum(loss, 0) ** 1.15), 0.01, 0.999)
    train = randoms.normal(train, 0.8 * np.sqrt(train * (1 - train) / batch))
    seen = checked - 0.55 * plan.overfits * np.clip(along - 0.3, 0, 1) ** 1.5
    unseen = np.clip(0.985 * np.exp(-0.35 * np.maximum(seen, 0) ** 1.58), 0.01, 0.99)
    unseen += randoms.normal(0, 0.0035, len(unseen))
    top5 = 1 - (1 - np.clip(unseen, 0, 1)) ** 2.1 * 0.86
    late = 0.05 * np.clip(along - 0.3, 0, 1) * (0.3 + plan.overfits)
    ece = 0.022 + 0.10 * np.exp(-along * 9) + late + randoms.normal(0, 0.0025, len(along))
    return {
        "train/acc": np.clip(train, 0, 1),
        "val/acc": unseen,
        "val/top5_acc": np.clip(top5, 0, 1),
        "val/calibration/ece": np.abs(ece),
    }


def throughput(randoms: np.random.Generator, count: int, usual: float) -> Numbers:
    """Steady, but for moments when the data was late."""
    late = np.where(randoms.random(count) < 0.005, randoms.uniform(0.35, 0.8, count), 1.0)
    return usual * late * (1 + 0.012 * wander(randoms, count, 60)) + usual * randoms.normal(
        0, 0.004, count
    )


def machine(randoms: np.random.Generator, count: int, memory_gb: float) -> Curves:
    use = (
        95
        + float(randoms.normal(0, 1.5))
        + 0.7 * wander(randoms, count, 60)
        - 25 * (randoms.random(count) < 0.006)
    )
    return {
        "worker/gpu_util": np.clip(use, 0, 100),
        "worker/gpu_mem_gb": memory_gb * np.minimum(1, 0.93 + 0.0012 * np.arange(count)),
    }


def diverge(found: Curves, at: Numbers, step: int) -> None:
    """First a slow rise, then everything is gone."""
    growth = np.exp(np.clip((at - step + 4200) / 1500, 0, 8) ** 1.6 * 0.55)
    for tag in ("train/loss", "train/grad_norm", "val/loss"):
        found[tag] = np.where(at >= step, np.nan, found[tag] * growth)
    for tag in ("train/acc", "val/acc", "val/top5_acc"):
        found[tag] = np.maximum(0.01, found[tag] * growth**-0.7)


def agent(plan: Plan, at: Numbers, randoms: np.random.Generator) -> Curves:
    """A run of an agent: it falls, shuffles, finds a gait, and now and then loses it again."""
    along = at / plan.steps
    found_at = 0.22 / plan.speed + randoms.uniform(0.0, 0.2)
    top = 2900 + 350 * plan.speed + randoms.normal(0, 260)
    shuffle = 1050 / (1 + np.exp(-(along - 0.35 * found_at) / 0.03))
    gait = (top - 1050) / (1 + np.exp(-(along - found_at) / 0.07))
    lost = sum(
        0.55 * np.exp(-(((along - place) / 0.018) ** 2)) for place in randoms.uniform(0.45, 0.95, 2)
    )
    skill = (shuffle + gait) * (1 - lost)
    returns = skill * np.exp(0.05 * wander(randoms, len(at), 18)) + randoms.normal(
        0, 1, len(at)
    ) * (15 + 0.035 * skill)
    entropy = 1.9 * np.exp(-2.2 * along) + 0.25 + 0.03 * wander(randoms, len(at), 25)
    doubt = (0.25 + 1.6 * np.exp(-5 * along) + 0.8 * lost) * np.exp(
        randoms.normal(0, 0.14, len(at))
    )
    return {
        "walker/return": np.maximum(returns, 5),
        "walker/length": np.clip(1000 * skill / (0.9 * top), 18, 1000)
        * np.exp(randoms.normal(0, 0.03, len(at))),
        "walker/entropy": entropy,
        "walker/kl": 0.011 * np.exp(0.22 * wander(randoms, len(at), 9)) * (1 + 2 * lost),
        "walker/policy_loss": 0.002 * wander(randoms, len(at), 12) - 0.016 * np.exp(-2 * along),
        "walker/value_loss": doubt * 40,
        "worker/frames_per_sec": throughput(randoms, len(at), 2100 / plan.speed),
    }
