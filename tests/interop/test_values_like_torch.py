"""Histograms, tensors, text, PR curves and layouts beside those of PyTorch's writer.

Each case goes through both: the decoded messages are equal, or both refuse with the same
exception. What differs on purpose is a case of its own, with the reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.frameworks
torch = pytest.importorskip("torch", reason="PyTorch is what is compared with")
pytest.importorskip("tensorboard", reason="its messages decode what was written")

from tensorboard.compat.proto.summary_pb2 import Summary
from torch.utils.tensorboard import SummaryWriter, summary

from kymograph.writer import arrays
from kymograph.writer.summaries import (
    custom_scalars,
    histograms,
    pr_curves,
    tensors,
    text,
)

NAN, INF = math.nan, math.inf


def outcome(make: Callable[..., Any], *inputs: Any) -> Any:
    """The message, or the type of the exception."""
    try:
        made = make(*inputs)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is compared)
        return type(error)
    return Summary.FromString(made.SerializeToString())


def assert_alike(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, Summary) and isinstance(ours, Summary):
        for one, other in zip(ours.value, theirs.value, strict=True):
            if other.HasField("histo"):
                # The order of adding differs, and with it the last bits.
                scale = math.sqrt(abs(other.histo.sum_squares) * other.histo.num)
                close(one.histo.sum, other.histo.sum, scale)
                close(one.histo.sum_squares, other.histo.sum_squares, other.histo.sum_squares)
                one.histo.sum, one.histo.sum_squares = other.histo.sum, other.histo.sum_squares
    # Written out, NaN equals NaN.
    assert str(ours) == str(theirs)


def close(ours: float, theirs: float, scale: float) -> None:
    if not math.isfinite(theirs):
        assert str(ours) == str(theirs)
    else:
        assert abs(ours - theirs) <= 1e-12 * scale


@pytest.fixture(scope="module")
def default_bins(tmp_path_factory: pytest.TempPathFactory) -> list[float]:
    with SummaryWriter(str(tmp_path_factory.mktemp("torch"))) as writer:
        return list(writer.default_bins)


def test_the_default_bins_are_the_same_to_the_last_bit(default_bins):
    assert histograms.default_bins().tolist() == default_bins


# --- numbers ---

SCALARS = [
    *[1, 2.5, True, "3.5", b"3.5", "abc", 1j, 10**30, 10**400, None, ...],
    *[np.float16(1.5), np.int64(3), np.bool_(True), np.complex64(1j), np.array([[2.0]])],
    *[np.zeros(2), np.zeros(0), np.zeros((1, 0, 3)), np.array("4"), np.array([1j])],
    *[torch.tensor(1.5), torch.tensor([[2]]), torch.tensor([True]), torch.zeros(2, 3)],
    *[torch.zeros(0), torch.tensor(1j), torch.tensor(2.0, requires_grad=True)],
    *[torch.nn.Parameter(torch.ones(1)), torch.tensor(1.5).half(), torch.tensor(1.5).bfloat16()],
    *[{"a": 1}, {1}, range(1)],
]


@pytest.mark.parametrize("value", SCALARS, ids=repr)
def test_numbers_are_taken_out_alike(value):
    def theirs() -> Any:
        return float(summary.scalar("s", value, True, True, True).value[0].tensor.double_val[0])

    results = []
    for make in (lambda: arrays.number(value), theirs):
        try:
            results.append(make())
        except Exception as error:  # noqa: BLE001
            results.append(type(error))
    assert results[0] == results[1]


# --- histograms ---

rng = np.random.default_rng(4)
NORMAL = rng.normal(size=5000)
EXPONENTS = np.concatenate(
    [10.0 ** rng.uniform(-14, 22, 3000), -(10.0 ** rng.uniform(-14, 22, 99))]
)

VALUES = [
    *[NORMAL, NORMAL.astype("f4"), NORMAL.astype("f2"), EXPONENTS, EXPONENTS.astype("f4")],
    *[np.arange(-50, 60, dtype=dtype) for dtype in ("i1", "i2", "i4", "i8", "f4")],
    *[np.arange(60, dtype=dtype) for dtype in ("u1", "u2", "u4", "u8", ">f8")],
    *[np.array([True, False, True]), np.zeros(5), np.array([-0.0]), np.array([5.0])],
    *[np.array(7.0), np.ones((2, 3, 4)), NORMAL.reshape(50, 100)[::3, ::-2]],
    *[np.array([1, NAN]), np.array([NAN]), np.array([1, INF, -2]), np.array([INF, -INF, 1])],
    *[np.array([1e30]), np.array([1e30, 1.0]), np.array([9.920775621859783e19, 1e-12, -1e-12])],
    *[np.zeros(0), np.zeros((3, 0)), np.array(["1.5"]), np.array(["x"]), np.array([1 + 1j])],
    *[1.5, 3, "2.5", "x", None, ..., {"a": 1}],
    *[torch.from_numpy(NORMAL), torch.from_numpy(NORMAL).float().requires_grad_()],
    *[torch.arange(9), torch.tensor(2.0), torch.tensor([True]), torch.zeros(0)],
    *[torch.arange(40).half(), torch.arange(40).bfloat16()],
    torch.linspace(-1, 3, 48).reshape(6, 8).t(),
]
BINS = [None, "auto", "fd", "sturges", "foo", 1, 10, 0, [0, 1, 2], [0.0, 1e9], (-1, 0.5, 0.25)]
MAX_BINS = [None, 1, 7, 100, 1547, 1548, 10_000, 0, -1, 2.5]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("values", VALUES, ids=lambda value: repr(value)[:40])
@pytest.mark.parametrize("bins", BINS, ids=repr)
def test_histograms_are_alike(values, bins, default_bins):
    ours = outcome(histograms.histogram, "h", values, "tensorflow" if bins is None else bins)
    theirs = outcome(summary.histogram, "h", values, default_bins if bins is None else bins)
    assert_alike(ours, theirs)


@pytest.mark.parametrize("values", [NORMAL, EXPONENTS, np.array([5.0])], ids=len)
@pytest.mark.parametrize("bins", [None, 10, 33], ids=repr)
@pytest.mark.parametrize("max_bins", MAX_BINS)
def test_histograms_are_grouped_alike(values, bins, max_bins, default_bins):
    ours = outcome(histograms.histogram, "h", values, bins or "tensorflow", max_bins)
    theirs = outcome(summary.histogram, "h", values, bins or default_bins, max_bins)
    assert_alike(ours, theirs)


def test_a_histogram_of_bfloat16_does_not_become_infinite():
    """PyTorch goes through float16, which ends at 65504."""
    (value,) = outcome(histograms.histogram, "h", torch.tensor([1e6]).bfloat16()).value
    assert (value.histo.max, sum(value.histo.bucket)) == (999424, 1)


RAW = [
    (1, 2, 3, 4, 5, [1.0, 2.0], [0, 3]),
    (0, -0.0, 0, 0, 0, [1.0, 2.0], [0, 3]),
    (torch.tensor(1.0), torch.tensor([2.0]), np.int64(3), True, 5, torch.ones(2), torch.ones(2)),
    (1, 2, 3, 4, 5, np.array([1, 2]), (0, 3)),
    (1, 2, 3, 4, 5, range(2), {1: 0, 2: 0}.keys()),
    (1, 2, 3, 4, 5, [], []),
    (None, 2, 3, 4, 5, [1], [2]),
    (1, 2, 3, 4, 5, ["1"], [2]),
    ("1", 2, 3, 4, 5, [1], [2]),
    (1j, 2, 3, 4, 5, [1], [2]),
    (1, 2, 3, 4, 5, np.ones((1, 2)), np.ones((1, 2))),
    (1, 2, 3, 4, 5, 6, 7),
    (NAN, INF, 3, 4, 5, [NAN, INF], [0, 1]),
]


@pytest.mark.parametrize("numbers", RAW, ids=repr)
def test_raw_histograms_are_alike(numbers):
    ours = outcome(histograms.histogram_raw, "h", *numbers)
    assert_alike(ours, outcome(summary.histogram_raw, "h", *numbers))


# --- tensors ---

DTYPES = [
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "bool",
    "complex64",
    "complex128",
]
REFUSED = ["uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2", "complex32"]
SHAPES = [(), (0,), (1,), (7,), (2, 3), (2, 0, 3), (1, 2, 1, 3)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", [*DTYPES, *REFUSED])
@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_tensors_are_alike(dtype, shape):
    count = math.prod(shape)
    tensor = (torch.arange(count).reshape(shape) - count // 2).to(getattr(torch, dtype))
    assert_alike(outcome(tensors.tensor, "t", tensor), outcome(summary.tensor_proto, "t", tensor))


@pytest.mark.parametrize(
    "tensor",
    [
        torch.tensor([NAN, INF, -INF, -0.0]),
        torch.linspace(-1, 3, 12).reshape(3, 4).t(),
        torch.linspace(-1, 3, 5, requires_grad=True),
        torch.tensor([2**63 - 1, -(2**63)]),
        torch.ones(3, device="meta"),
    ],
    ids=repr,
)
def test_unusual_tensors_are_alike(tensor):
    assert_alike(outcome(tensors.tensor, "t", tensor), outcome(summary.tensor_proto, "t", tensor))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_arrays_are_written_as_the_same_tensors(dtype):
    """PyTorch takes tensors only."""
    array = np.arange(6).reshape(2, 3).astype(dtype)
    theirs = summary.tensor_proto("t", torch.from_numpy(array))
    assert_alike(outcome(tensors.tensor, "t", array), theirs)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_can_be_read_back(dtype):
    """PyTorch stores the 32-bit pattern, which standard decoders misread."""
    tensorflow = pytest.importorskip("tensorflow", reason="TensorBoard itself reads no bfloat16")
    tensor = torch.tensor([[1.0, -2.5], [0.0, INF]], dtype=getattr(torch, dtype))
    (value,) = outcome(tensors.tensor, "t", tensor).value
    proto = tensorflow.make_tensor_proto(0).FromString(value.tensor.SerializeToString())
    read = tensorflow.make_ndarray(proto)
    assert read.dtype.name == dtype
    assert read.astype(np.float32).tolist() == tensor.float().tolist()


def test_tensors_that_torch_cannot_flatten_are_written():
    """A sparse tensor as the dense one that it stands for, a conjugated one resolved."""
    dense = outcome(tensors.tensor, "t", torch.eye(2))
    assert_alike(outcome(tensors.tensor, "t", torch.eye(2).to_sparse()), dense)
    complex_ones = torch.tensor([1 + 2j, 3 - 1j])
    resolved = outcome(tensors.tensor, "t", complex_ones.conj().resolve_conj())
    assert_alike(outcome(tensors.tensor, "t", complex_ones.conj()), resolved)


# --- text ---


@pytest.mark.parametrize("tag", ["t", "", "é/ü", None, 5], ids=repr)
@pytest.mark.parametrize("content", ["# a\n\n|b|", "", "🎉", b"a", 3, ["a"], None, "\ud800"])
def test_text_is_alike(tag, content):
    assert_alike(outcome(text.text, tag, content), outcome(summary.text, tag, content))


@pytest.mark.parametrize("tag", ["t", "", " a /b", "é", None, 5, "\ud800"], ids=repr)
def test_tags_are_alike(tag):
    ours = outcome(tensors.tensor, tag, torch.ones(1))
    assert_alike(ours, outcome(summary.tensor_proto, tag, torch.ones(1)))


# --- PR curves ---

LABELS = rng.integers(0, 2, 500)
PREDICTIONS = rng.uniform(-0.1, 1.1, 500)
CURVES = [
    (LABELS, PREDICTIONS),
    (LABELS, PREDICTIONS, 10),
    (LABELS, PREDICTIONS, 1),
    (LABELS, PREDICTIONS, 500),
    (LABELS, PREDICTIONS.astype("f4"), 100),
    (LABELS, PREDICTIONS.astype("f2"), 100),
    (LABELS.astype(bool), LABELS, 100),
    (LABELS.astype("f4") / 3, PREDICTIONS),
    (LABELS.reshape(50, 10), PREDICTIONS.reshape(50, 10)),
    (LABELS, PREDICTIONS, 20, 2.5),
    (LABELS, PREDICTIONS, 20, rng.integers(0, 8, 500) / 4),
    (LABELS, PREDICTIONS, 20, [1] * 500),
    (np.zeros(0), np.zeros(0), 5),
    (np.array([1, 0, 1]), np.array([0.5, NAN, INF]), 5),
    (LABELS, PREDICTIONS[:-1]),
    (LABELS, PREDICTIONS, 0),
    (LABELS, PREDICTIONS, -3),
    (LABELS, PREDICTIONS, 2.5),
    (LABELS, PREDICTIONS, 20, np.ones(3)),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("inputs", CURVES, ids=range(len(CURVES)))
def test_curves_are_alike(inputs):
    ours = outcome(pr_curves.pr_curve, "c", *inputs)
    assert_alike(ours, outcome(summary.pr_curve, "c", *inputs))


RAW_CURVES = [
    ([[1, 2]] * 6, 127),
    ([torch.tensor([1.5, 2])] * 6, 2),
    ([np.arange(200)] * 6, 200),
    ([[1e300, -1e300, NAN]] * 6, 3),
    ([[]] * 6, 3),
    ([[1]] * 6, 0),
    ([[1]] * 6, -1),
    ([[1]] * 6, 2.5),
    ([[1]] * 5 + [[1, 2]], 127),
]


@pytest.mark.parametrize(("rows", "thresholds"), RAW_CURVES, ids=range(len(RAW_CURVES)))
def test_raw_curves_are_alike(rows, thresholds):
    ours = outcome(pr_curves.pr_curve_raw, "c", *rows, thresholds)
    assert_alike(ours, outcome(summary.pr_curve_raw, "c", *rows, thresholds))


def test_a_raw_curve_whose_rows_are_tables_is_refused():
    """PyTorch writes a tensor whose shape and values disagree."""
    assert outcome(pr_curves.pr_curve_raw, "c", *[np.ones((2, 2))] * 6) is ValueError


# --- layouts ---

LAYOUTS: list[Any] = [
    {"a": {"b": ["Multiline", ["x", "y"]]}},
    {"a": {"b": ["Margin", ["x", "y", "z"]], "c": ["Other", ("x",)]}, "d": {}},
    {"": {"": ["Multiline", [""]]}},
    {None: {None: ["Multiline", ["x"]]}},
    {"a": {"b": ["Multiline", "xyz"], "c": ["Multiline", None], "d": ["Margin", "xyz"]}},
    {"a": {"b": ["Margin", ["x", "", None]]}},
    *[{}, [], None, {"a": []}, {"a": {"b": []}}, {1: {}}, {"a": {1: ["M", ["x"]]}}],
    *[{"a": {"b": ["M", [1]]}}, {"a": {"b": ["M", [None]]}}, {"a": {"b": ["Margin", [1, 2, 3]]}}],
    *[{"a": {"b": ["Margin", ["x"]]}}, {"a": {"b": ["Margin", None]}}, {"a": {"b": ["M", 5]}}],
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=repr)
def test_layouts_are_alike(layout):
    ours = outcome(custom_scalars.custom_scalars, layout)
    assert_alike(ours, outcome(summary.custom_scalars, layout))
