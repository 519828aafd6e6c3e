"""What the summary functions return under `install()` beside the originals: equal, with one text.

Their own test suites were run, too: see `docs/guides/without-changing-the-program.md`.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kymograph.stand_in.packages.tensorboardx import summary as ours_x
from kymograph.stand_in.packages.torch_utils_tensorboard import summary as ours_torch

pytestmark = pytest.mark.frameworks

torch = pytest.importorskip("torch", reason="compares with torch")
theirs_torch = pytest.importorskip("torch.utils.tensorboard.summary", reason="compares with torch")
theirs_x = pytest.importorskip("tensorboardX.summary", reason="compares with tensorboardX")
text_format = pytest.importorskip("google.protobuf.text_format", reason="compares the text")
Image = pytest.importorskip("PIL.Image", reason="decodes images")

# Whole numbers, since sums of others differ in their last bits.
NUMBERS = np.arange(1024.0)
COUNTS = [[5, 3, 0], [4, 1, 0], [0, 3, 4], [0, 2, 5], [0.5, 0.75, 0.0], [1.0, 0.5, 0.0]]
LAYOUT = {"Chart": {"loss": ["Multiline", ["a", "b"]], "acc": ["Margin", ["x", "y", "z"]]}}
LABELS = np.array([0, 1, 1, 0, 1])
PREDICTIONS = np.array([0.1, 0.9, 0.4, 0.6, 0.8])
POINTS = np.arange(12.0).reshape(1, 4, 3)
RGB = np.random.default_rng(1).integers(0, 256, (3, 16, 9), np.uint8)

Case = Callable[[Any], Any]

BOTH: dict[str, Case] = {
    "scalar": lambda summary: summary.scalar("a b", 0.1),
    "scalar of a tensor": lambda summary: summary.scalar("a", torch.tensor(3.0)),
    "zero": lambda summary: summary.scalar("a", 0.0),
    "histogram, auto": lambda summary: summary.histogram("a", NUMBERS, "auto"),
    "histogram, fd": lambda summary: summary.histogram("a", NUMBERS, "fd", max_bins=5),
    "histogram, doane": lambda summary: summary.histogram("a", NUMBERS, "doane", max_bins=5),
    "histogram, edges": lambda summary: summary.histogram("a", NUMBERS, [0, 10, 2000]),
    "histogram_raw": lambda summary: summary.histogram_raw("a", 0, 9, 3, 4, 5, [1, 9], [1, 2]),
    "text": lambda summary: summary.text("a", 'é "quoted"\n\ttext\\'),
    "custom_scalars": lambda summary: summary.custom_scalars(LAYOUT),
    "pr_curve": lambda summary: summary.pr_curve("a", LABELS, PREDICTIONS, 11),
    "pr_curve_raw": lambda summary: summary.pr_curve_raw("a", *COUNTS, 3),
    "hparams": lambda summary: summary.hparams({"lr": 0.1}, {"accuracy": 1}),
    "hparams of text": lambda summary: summary.hparams({"name": "é"}, {"accuracy": 1}),
}
TORCH: dict[str, Case] = {
    **BOTH,
    "scalar, new style": lambda summary: summary.scalar("a", 0.1, new_style=True),
    "scalar, double": lambda summary: summary.scalar(
        "a", 0.1, new_style=True, double_precision=True
    ),
    "audio": lambda summary: summary.audio("a", np.sin(NUMBERS)),
    "mesh": lambda summary: summary.mesh("a", POINTS, POINTS, POINTS, {"camera": {}}),
    "floats": lambda summary: summary.tensor_proto("a", torch.tensor([0.1, 2.0])),
    "integers": lambda summary: summary.tensor_proto("a", torch.tensor([[1, -2]])),
    "complex": lambda summary: summary.tensor_proto("a", torch.tensor([1 + 2j])),
    "nothing": lambda summary: summary.tensor_proto("a", torch.empty(0)),
}
TENSORBOARDX: dict[str, Case] = {
    **BOTH,
    "scalar, named": lambda summary: summary.scalar("a", 0.1, "name", "what it is"),
    "audio": lambda summary: summary.audio("a", np.sin(NUMBERS)),
    "image of bytes": lambda summary: summary.image("a b", RGB),
    "image of floats": lambda summary: summary.image("a", RGB / 255.0),
    "image beyond the range": lambda summary: summary.image("a", NUMBERS[:48].reshape(3, 4, 4)),
    "image of one channel": lambda summary: summary.image("a", RGB[:1]),
    "images": lambda summary: summary.image("a", np.stack([RGB, RGB]), dataformats="NCHW"),
    "image with boxes": lambda summary: summary.image_boxes(
        "a b", NUMBERS[:768].reshape(3, 16, 16), np.array([[1, 2, 9, 9]])
    ),
}
IMAGES: dict[str, Case] = {
    "image of bytes": lambda summary: summary.image("a", RGB, dataformats="CHW"),
    "image beyond the range": lambda summary: summary.image("a", RGB - 7.5, dataformats="CHW"),
    "images": lambda summary: summary.image("a", np.stack([RGB, RGB])),
    "image with boxes": lambda summary: summary.image_boxes("a", RGB, np.array([[1, 2, 9, 9]])),
}


def assert_same(found: Any, expected: Any) -> None:
    assert found == expected
    assert expected == found
    assert str(found) == text_format.MessageToString(expected)
    assert type(expected).FromString(found.SerializeToString()) == expected


def assert_all_same(found: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other)
    else:
        assert_same(found, expected)


@pytest.mark.parametrize("case", TORCH)
def test_messages_of_torch(case: str):
    assert_all_same(TORCH[case](ours_torch), TORCH[case](theirs_torch))


@pytest.mark.parametrize("case", TENSORBOARDX)
def test_messages_of_tensorboardx(case: str):
    assert_all_same(TENSORBOARDX[case](ours_x), TENSORBOARDX[case](theirs_x))


@pytest.mark.parametrize("case", IMAGES)
def test_images_of_torch_have_its_pixels(case: str):
    found, expected = (IMAGES[case](module).value[0] for module in (ours_torch, theirs_torch))
    assert found.tag == expected.tag
    for field in ("height", "width", "colorspace"):
        assert getattr(found.image, field) == getattr(expected.image, field)
    one, other = (
        np.asarray(Image.open(io.BytesIO(value.image.encoded_image_string)))
        for value in (found, expected)
    )
    np.testing.assert_array_equal(one, other)
