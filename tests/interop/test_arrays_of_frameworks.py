"""Tensors and arrays of PyTorch, JAX and TensorFlow become numpy arrays and numbers."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import kymograph
from kymograph.writer import arrays
from kymograph.writer.summaries import histograms, tensors
from tests.golden import wire

pytestmark = [pytest.mark.frameworks, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture
def jnp() -> Any:
    return pytest.importorskip("jax.numpy", reason="JAX is not installed")


@pytest.fixture
def tf() -> Any:
    return pytest.importorskip("tensorflow", reason="TensorFlow is not installed")


# --- PyTorch ---


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "bool"])
def test_torch_tensors_keep_their_type(torch, dtype):
    tensor = torch.tensor([[0, 1], [1, 0]]).to(getattr(torch, dtype))
    array = arrays.to_numpy(tensor)
    assert array.dtype == np.dtype(dtype)
    assert array.tolist() == tensor.tolist()


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn", "float8_e5m2"])
def test_narrow_floats_become_wide_ones(torch, dtype):
    array = arrays.to_numpy(torch.tensor([1.0, -2.0]).to(getattr(torch, dtype)))
    assert array.dtype == np.float32
    assert array.tolist() == [1, -2]


def test_bfloat16_keeps_its_range(torch):
    assert arrays.number(torch.tensor(3e38).bfloat16()) == pytest.approx(3e38, rel=0.01)
    assert np.isfinite(arrays.to_numpy(torch.tensor([3e38]).bfloat16())).all()


def test_gradients_views_and_subclasses_are_no_obstacle(torch):
    grown = torch.ones(2, requires_grad=True) * 3
    assert arrays.to_numpy(grown).tolist() == [3, 3]
    assert arrays.to_numpy(torch.nn.Parameter(torch.ones(1))).tolist() == [1]
    assert arrays.to_numpy(torch.tensor([1 + 2j]).conj()).tolist() == [1 - 2j]
    assert arrays.to_numpy(torch.arange(6).reshape(2, 3).t()).tolist() == [[0, 3], [1, 4], [2, 5]]
    assert arrays.to_numpy([torch.tensor(1.0, requires_grad=True), 2.0]).tolist() == [1, 2]


@pytest.mark.parametrize("layout", ["to_sparse", "to_sparse_csr"])
def test_sparse_tensors_become_dense(torch, layout):
    assert arrays.to_numpy(getattr(torch.eye(2), layout)()).tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("convert", [arrays.to_numpy, arrays.number])
def test_a_meta_tensor_is_refused(torch, convert):
    """PyTorch's writer logs a random number."""
    with pytest.raises(NotImplementedError, match="`meta` device has no values"):
        convert(torch.ones(1, device="meta"))


def test_tensors_of_one_number_are_logged_as_that_number(torch, tmp_path):
    Loss = type("Loss", (torch.Tensor,), {})  # noqa: N806

    values = [
        torch.tensor(0.5),
        torch.tensor(0.5, requires_grad=True) * 3,
        torch.tensor([[2.5]]),
        torch.tensor(3e38).bfloat16(),
        torch.tensor(4.0).to(torch.float8_e5m2),
        torch.nn.Parameter(torch.tensor(5.0)),
        torch.tensor(6.0).as_subclass(Loss),
        torch.tensor(True),
        torch.tensor(8),
        torch.ones(1, 1).to_sparse(),
    ]
    with kymograph.SummaryWriter(tmp_path) as writer:
        for step, value in enumerate(values):
            writer.add_scalar("loss", value, torch.tensor(step))
        with pytest.raises(AssertionError):
            writer.add_scalar("loss", torch.ones(2), 1)
        with pytest.raises(NotImplementedError):
            writer.add_scalar("loss", torch.ones(1, device="meta"), 1)
    series = kymograph.open(tmp_path)["."].series("loss")
    assert series.steps.tolist() == list(range(10))
    expected = [0.5, 1.5, 2.5, 3e38, 4, 5, 6, 1, 8, 1]
    assert series.values.tolist() == pytest.approx(expected, rel=0.01)


def test_a_tensor_comes_from_the_gpu(torch):
    if not torch.cuda.is_available():
        pytest.skip("no GPU that torch can use")
    assert arrays.to_numpy(torch.ones(2, device="cuda")).tolist() == [1, 1]


# --- JAX ---


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "bool"])
def test_jax_arrays_keep_their_type(jnp, dtype):
    array = arrays.to_numpy(jnp.array([[0, 1]], dtype))
    assert array.dtype == np.dtype(dtype)
    assert array.tolist() == [[0, 1]]


@pytest.mark.parametrize("dtype", ["bfloat16", "float8_e4m3fn"])
def test_narrow_floats_of_jax_become_wide_ones(jnp, dtype):
    for given in (jnp.array([1.5], dtype), np.asarray(jnp.array([1.5], dtype))):
        assert arrays.to_numpy(given).dtype == np.float32
        assert arrays.number(given) == 1.5


def test_jax_numbers_and_lists_of_them(jnp):
    assert arrays.number(jnp.float32(2)) == 2
    assert arrays.number(jnp.ones((1, 1))) == 1
    assert arrays.to_numpy([jnp.float32(1), jnp.float32(2)]).tolist() == [1, 2]
    with pytest.raises(AssertionError):
        arrays.number(jnp.ones(2))


def test_a_traced_value_is_refused_by_jax_itself(jnp):
    jax = pytest.importorskip("jax")
    with pytest.raises(TypeError, match="traced array"):
        jax.jit(arrays.number)(1.0)


def test_jax_bfloat16_is_stored_as_such(jnp):
    value = wire.last_bytes(tensors.tensor("t", jnp.array([1.0, -2.5], "bfloat16")), 1)
    tensor = wire.last_bytes(value, 8)
    assert wire.last_integer(tensor, 1) == 14
    assert wire.last_bytes(tensor, 13) == wire.varint(0x3F80) + wire.varint(0xC020)


def test_histograms_are_the_same_from_every_library(jnp, torch, tf):
    values = np.linspace(-3, 3, 100, dtype=np.float32)
    expected = histograms.histogram("h", values)
    for library in (jnp.asarray, torch.from_numpy, tf.constant):
        assert histograms.histogram("h", library(values)) == expected


# --- TensorFlow ---


def test_tensorflow_tensors_and_variables(tf):
    assert arrays.to_numpy(tf.constant([[1, 2]])).tolist() == [[1, 2]]
    assert arrays.to_numpy(tf.Variable([1.5])).tolist() == [1.5]
    assert arrays.number(tf.constant([[2.5]])) == 2.5
    bfloat16 = arrays.to_numpy(tf.constant([1.5], tf.bfloat16))
    assert bfloat16.dtype == np.float32
    assert bfloat16.tolist() == [1.5]


def test_strings_of_tensorflow_are_refused(tf):
    with pytest.raises(NotImplementedError):
        arrays.to_numpy(tf.constant(["a"]))


# --- what is no array ---


def test_pictures_are_refused_as_by_torch():
    images = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    with pytest.raises(NotImplementedError, match="numpy array or torch tensor are expected"):
        arrays.to_numpy(images.new("RGB", (2, 2)))


def test_no_framework_is_imported_for_numpy():
    code = (
        "import sys, numpy; from kymograph.writer.summaries import histograms, tensors;"
        "histograms.histogram('h', numpy.ones(3)); tensors.tensor('t', [1.0]);"
        "sys.exit(sorted({'torch', 'jax', 'tensorflow', 'PIL'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
