"""One log directory with everything that the golden files hold, and all that our writer writes."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np

import kymograph
from tests import event_files
from tests.golden import wire

GOLDEN = Path(__file__).parents[1] / "golden" / "logdirs"
# Damage ends TensorBoard's loading altogether; `tests/interop` looks at it run by run.
NAMES = sorted(path.parent.name for path in GOLDEN.glob("*/expected.json"))
NAMES.remove("damaged")
START = 1_700_000_000.0


def make(folder: Path) -> Path:
    """Writes the log directory into a folder and returns it."""
    for name in NAMES:
        shutil.copytree(GOLDEN / name, folder / name)
    write(folder / "written")
    return folder


def place_of(run: str) -> tuple[str, str]:
    """The golden directory, and the run in it, behind a run of this log directory."""
    name, _, inner = run.partition("/")
    return name, inner or "."


def write(folder: Path) -> None:
    """All kinds of summaries, in several runs."""
    _write_scalars(folder)
    _write_media(folder / "mädia")
    _write_text(folder / "text")
    _write_described(folder / "described")
    for at, run in enumerate(("a", "b", "c")):
        _write_curves(folder / "curves" / run, at)


def _write_scalars(folder: Path) -> None:
    special = [0.1, math.nan, math.inf, -math.inf, 1e-45, -0.0, 16777217.0]
    with kymograph.SummaryWriter(folder / "train") as writer:
        for step, value in enumerate(special):
            writer.add_scalar("loss", value, step, START + step)
            writer.add_scalar("précision/über", value, -step, START + step)
            writer.add_scalar("double", value / 3, step, START + step, True, True)
            writer.add_scalar("new", value, step, START + step, new_style=True)
        for step in range(2500):
            writer.add_scalar("acc", step / 2500, step, START + step / 8)
    with kymograph.SummaryWriter(folder / "eval") as writer:
        writer.add_scalar("loss", 0.5, 1 << 60, START)
        writer.add_hparams({"lr": 0.1}, {"loss": 1.0}, run_name="trial")


def _write_media(folder: Path) -> None:
    random = np.random.default_rng(0)
    with kymograph.SummaryWriter(folder) as writer:
        for step in range(12):
            wall_time = START + step
            image = random.random((3, 4, 5))
            writer.add_image("image", image, step, wall_time)
            writer.add_audio("clip", random.random(50) - 0.5, step, 8000, wall_time)
            writer.add_histogram("weights", random.normal(size=100), step, "auto", wall_time)
        for step in range(60):
            writer.add_histogram("many", random.normal(size=9) + step, step, "auto", START + step)
        writer.add_video("video", random.random((1, 3, 3, 8, 8)), 0, walltime=START)


def _write_text(folder: Path) -> None:
    texts = {
        "plain": "just words, 1 < 2 & 3 > 2",
        "markup": "# Title\n\n**bold** *slanted* `code`\n\n> said",
        "lists": "- one\n- two\n\nand\n\n1. first\n2. second",
        "table": "| a | b |\n|---|---|\n| 1 | 2 |",
        "fenced": "```\nx = 1 < 2\n```",
        "link": '[here](https://example.org/a?b=c&d "title") ![alt](picture.png)',
        "script": "<script>alert(1)</script>",
        "unsafe_link": "[run](javascript:alert(1))",
        "html": "some <em>html</em>",
        "bare_link": "https://example.org/",
        "unicode": "ünï コード",
        "line_break": "one  \ntwo\nthree",
    }
    with kymograph.SummaryWriter(folder) as writer:
        for tag, text in texts.items():
            writer.add_text(tag, text, 1, START)
        for step in range(3):
            writer.add_text("several", f"text of step {step}", step, START + step)
    strings = event_files.string_tensor
    about = event_files.metadata("text")
    values = {
        "scalar": strings(b"# one", shape=[]),
        "matrix": strings(b"*a*", b"b", b"c", b"d", shape=[2, 2]),
        "cube": strings(*[b"x"] * 8, shape=[2, 2, 2]),
        "no_utf8": strings(b"\xff", shape=[]),
    }
    events = [event_files.value(tag, value, about, step=1) for tag, value in values.items()]
    event_files.write(folder / "shapes", *events)


def _write_described(folder: Path) -> None:
    """Names and descriptions, of the newer encoding and of the older."""
    about = event_files.metadata("scalars", name="Loss!", description="what *it* costs")
    other = event_files.metadata("scalars", description="another")
    tensor = event_files.double_tensor(1.5)
    single = wire.message(
        8, wire.integer(1, 1), wire.message(2), wire.message(5, wire.single(5, 0.5)[1:])
    )
    event_files.write(
        folder / "one",
        event_files.value("new", about, single, step=1),
        event_files.value("double", about, tensor, step=1),
        event_files.value("old", about, wire.single(2, 0.5), step=1),
    )
    event_files.write(folder / "two", event_files.value("new", other, single, step=1))


def write_sessions(folder: Path) -> None:
    """Sessions in groups that no experiment describes."""
    for at, group in enumerate(("a", "a", "b", "", "c")):
        run = folder / f"session{at}"
        known = ("", "a", "b", "c").index(group)
        hparams = {
            "lr": wire.double(2, 0.1 * known),
            "optimizer": wire.text(3, "adam" if known % 2 else "sgd"),
            "nesterov": wire.integer(4, known % 2),
            "mixed": wire.text(3, "x_1%") if known > 1 else wire.double(2, 5.0),
            "same": wire.double(2, 1e-7),
        }
        if not group:
            del hparams["lr"]
            hparams["odd"] = wire.double(2, math.nan)
        start = b"".join(
            wire.message(1, wire.text(1, name), wire.message(2, value))
            for name, value in hparams.items()
        )
        start += wire.text(2, f"model {at}") + wire.text(3, "http://example.org/")
        start += wire.text(4, group) + wire.double(5, START + at)
        ends = wire.message(4, wire.integer(1, at % 4), wire.double(2, START + 100))
        values = {
            "_hparams_/session_start_info": wire.message(3, start),
            "_hparams_/session_end_info": ends,
        }
        if at == 4:
            del values["_hparams_/session_end_info"]
        event_files.write(
            run,
            *(
                event_files.value(tag, event_files.metadata("hparams", content), step=0)
                for tag, content in values.items()
            ),
            *(event_files.scalar("loss", step, 1.0 / (step + at + 1)) for step in range(3 + at)),
            *([] if at == 2 else [event_files.scalar("acc", 1, at / 4)]),
        )
        event_files.write(run / "eval", event_files.scalar("loss", 2, float(at)))


def _write_curves(folder: Path, at: int) -> None:
    random = np.random.default_rng(at)
    labels, predictions = random.integers(0, 2, 50), random.random(50)
    with kymograph.SummaryWriter(folder) as writer:
        writer.add_pr_curve("pr", labels, predictions, 1, 11, walltime=START)
        writer.add_pr_curve("pr", labels, predictions / 2, 2, 11, walltime=START + 1)
        writer.add_custom_scalars(
            {
                f"only {folder.name}": {"chart": ["Multiline", ["loss", "acc.*"]]},
                "shared": {f"from {folder.name}": ["Margin", ["loss", "low", "high"]]},
            }
        )
        vertices = random.random((2, 4, 3))
        faces = np.array([[[0, 1, 2], [1, 2, 3]]] * 2)
        colors = random.integers(0, 255, (2, 4, 3))
        writer.add_mesh("mesh", vertices, colors, faces, {"camera": {"fov": 60}}, 1, START)
        writer.add_mesh("cloud", vertices, global_step=2, walltime=START)
