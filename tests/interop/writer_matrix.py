"""The matrix: every argument of every method of `SummaryWriter` with every kind of input.

A case is one call. All arguments but those that the case is about are those of `USUAL`.
"""

from __future__ import annotations

import decimal
import fractions
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

Arguments = dict[str, Any]
Make = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One call of one method; `change` makes the arguments that are not the usual ones."""

    method: str
    input: str
    change: Callable[[], Arguments]
    #: A package that makes the input, which may be missing.
    needs: str = ""

    @property
    def name(self) -> str:
        return f"{self.method}:{self.input}"

    def arguments(self) -> Arguments:
        """Created for each call, because writers may change their arguments."""
        return {**USUAL[self.method](), **self.change()}


def numbers(*shape: int) -> np.ndarray[Any, Any]:
    """Quarters from 0 to 1.5, which every type of at least 8 bits holds, and sums of them too."""
    return np.asarray(np.arange(math.prod(shape)) % 7 / 4).reshape(shape)


def picture(*shape: int) -> np.ndarray[Any, Any]:
    return numbers(*shape).astype(np.float32)


def figure(inches: int = 1) -> Any:
    from matplotlib import pyplot

    drawn, axes = pyplot.subplots(figsize=(inches, 1), dpi=40)
    axes.plot([0, 1, 0.5])
    return drawn


def onnx_file() -> str:
    import tempfile

    from onnx import TensorProto, helper, save

    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3]) for name in "xy"]
    nodes = [helper.make_node("Relu", ["x"], ["h"], "relu"), helper.make_node("Neg", ["h"], ["y"])]
    path = Path(tempfile.mkdtemp(), "model.onnx")
    save(helper.make_model(helper.make_graph(nodes, "net", ends[:1], ends[1:])), str(path))
    return str(path)


def model() -> torch.nn.Module:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())


AT = {"global_step": 3, "walltime": 1.5}

USUAL: dict[str, Callable[[], Arguments]] = {
    "add_scalar": lambda: {"tag": "t", "scalar_value": 0.75, **AT},
    "add_scalars": lambda: {"main_tag": "m/t", "tag_scalar_dict": {"a": 0.75, "b": 1}, **AT},
    "add_tensor": lambda: {"tag": "t", "tensor": torch.from_numpy(numbers(2, 3)), **AT},
    "add_histogram": lambda: {"tag": "t", "values": numbers(9), **AT},
    "add_histogram_raw": lambda: {
        "tag": "t",
        "min": 0.0,
        "max": 2.0,
        "num": 3,
        "sum": 2.5,
        "sum_squares": 4.25,
        "bucket_limits": [1.0, 2.0],
        "bucket_counts": [1, 2],
        **AT,
    },
    "add_image": lambda: {"tag": "t", "img_tensor": picture(3, 2, 4), **AT},
    "add_images": lambda: {"tag": "t", "img_tensor": picture(9, 3, 2, 4), **AT},
    "add_image_with_boxes": lambda: {
        "tag": "t",
        "img_tensor": picture(3, 12, 14),
        "box_tensor": np.array([[1, 2, 6, 7], [3, 3, 12, 10]]),
        **AT,
    },
    "add_figure": lambda: {"tag": "t", "figure": figure(), **AT},
    "add_video": lambda: {"tag": "t", "vid_tensor": picture(1, 2, 3, 2, 4), **AT},
    "add_audio": lambda: {"tag": "t", "snd_tensor": numbers(8) - 0.5, **AT},
    "add_text": lambda: {"tag": "t", "text_string": "# words", **AT},
    "add_graph": lambda: {"model": model(), "input_to_model": torch.ones(1, 3)},
    "add_onnx_graph": lambda: {"prototxt": onnx_file()},
    "add_embedding": lambda: {"mat": numbers(3, 2), "global_step": 3},
    "add_pr_curve": lambda: {
        "tag": "t",
        "labels": np.arange(12) % 2,
        "predictions": numbers(12) / 2,
        **AT,
    },
    "add_pr_curve_raw": lambda: {
        "tag": "t",
        "true_positive_counts": [3, 2],
        "false_positive_counts": [2, 1],
        "true_negative_counts": [0, 1],
        "false_negative_counts": [0, 1],
        "precision": [0.5, 0.75],
        "recall": [1.0, 0.5],
        **AT,
    },
    "add_custom_scalars": lambda: {"layout": {"c": {"chart": ["Multiline", ["a", "b"]]}}},
    "add_custom_scalars_multilinechart": lambda: {"tags": ["a", "b"]},
    "add_custom_scalars_marginchart": lambda: {"tags": ["a", "b", "c"]},
    "add_mesh": lambda: {"tag": "t", "vertices": numbers(1, 4, 3), **AT},
    "add_hparams": lambda: {
        "hparam_dict": {"lr": 0.5, "opt": "adam", "layers": 3},
        "metric_dict": {"loss": 0.25, "a/b": 1},
        "run_name": "run",
        "global_step": 3,
    },
}


# --- kinds of input ---


@dataclass(frozen=True)
class Kind:
    """How an array is given."""

    name: str
    of: Callable[[np.ndarray[Any, Any]], Any]
    needs: str = ""


NUMPY = [
    *["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    *["float16", "float32", "float64", "longdouble", "complex64", "complex128", ">f8", ">i4"],
    *["str", "object"],
]
TORCH = [
    *["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    *["float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "complex64", "complex128"],
]


def _numpy(dtype: str, array: Any) -> Any:
    return array.astype(dtype)


def _torch(dtype: str, array: Any) -> torch.Tensor:
    return (
        torch.from_numpy(np.ascontiguousarray(array)).reshape(array.shape).to(getattr(torch, dtype))
    )


def _with(number: float, array: Any) -> Any:
    changed = array.astype(np.float32)
    changed.reshape(-1)[-1:] = number
    return changed


def _strided(array: Any) -> Any:
    """The same numbers, not beside each other in memory."""
    return np.repeat(array.astype(np.float32), 2, axis=0)[::2] if array.ndim else array


def _jax(dtype: str, array: Any) -> Any:
    import jax.numpy

    return jax.numpy.asarray(array, dtype=dtype)


def _tensorflow(dtype: str, array: Any) -> Any:
    import tensorflow

    return tensorflow.constant(array, dtype=dtype)


def _variable(array: Any) -> Any:
    import tensorflow

    return tensorflow.Variable(array.astype(np.float32))


def _ml_dtypes(array: Any) -> Any:
    import ml_dtypes

    return array.astype(ml_dtypes.bfloat16)


def _pil_image() -> Any:
    from PIL import Image

    return Image.new("RGB", (4, 2), "red")


class _WithArray:
    def __init__(self, array: Any) -> None:
        self._array = array

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._array


KINDS = [
    Kind("list", lambda array: array.tolist()),
    Kind("tuple", lambda array: tuple(array.tolist()) if array.ndim else array.tolist()),
    Kind("list of tensors", lambda array: [torch.tensor(row) for row in np.atleast_1d(array)]),
    *(Kind(f"numpy {dtype}", partial(_numpy, dtype)) for dtype in NUMPY),
    Kind("numpy bfloat16", _ml_dtypes, "ml_dtypes"),
    Kind("numpy with nan", partial(_with, math.nan)),
    Kind("numpy with inf", partial(_with, math.inf)),
    Kind("numpy with -inf", partial(_with, -math.inf)),
    Kind("numpy strided", _strided),
    *(Kind(f"torch {dtype}", partial(_torch, dtype)) for dtype in TORCH),
    Kind("torch with nan", lambda array: torch.from_numpy(_with(math.nan, array))),
    Kind("torch bfloat16 with 1e6", lambda array: torch.from_numpy(_with(1e6, array)).bfloat16()),
    Kind("torch requires grad", lambda array: _torch("float32", array).requires_grad_()),
    Kind("torch parameter", lambda array: torch.nn.Parameter(_torch("float32", array))),
    Kind("torch result of a gradient", lambda a: _torch("float32", a).requires_grad_() * 1),
    Kind("torch sparse", lambda array: _torch("float32", array).to_sparse()),
    Kind("torch meta", lambda array: _torch("float32", array).to("meta")),
    Kind("jax float32", partial(_jax, "float32"), "jax"),
    Kind("jax bfloat16", partial(_jax, "bfloat16"), "jax"),
    Kind("jax int32", partial(_jax, "int32"), "jax"),
    Kind("tensorflow float32", partial(_tensorflow, "float32"), "tensorflow"),
    Kind("tensorflow bfloat16", partial(_tensorflow, "bfloat16"), "tensorflow"),
    Kind("tensorflow variable", _variable, "tensorflow"),
    Kind("object with __array__", lambda array: _WithArray(array.astype(np.float32))),
]
WRONG: dict[str, Make] = {
    "None": lambda: None,
    "an object": object,
    "a word": lambda: "word",
    "a dict": lambda: {"k": 1},
    "a set": lambda: {1.5},
    "a module": lambda: math,
    "a type": lambda: int,
    "a generator": lambda: (number for number in [1.0]),
    "ragged lists": lambda: [[1.0, 2.0], [3.0]],
    "a list of words": lambda: ["a", "b"],
    "a PIL image": _pil_image,
}


NUMBERS: dict[str, Any] = {
    "int": 3,
    "0": 0,
    "negative int": -3,
    "int beyond 2**64": 2**70,
    "int beyond float": 10**400,
    "float": 0.1,
    "float beyond float32": 1e300,
    "smallest float": 5e-324,
    "-0.0": -0.0,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "bool": True,
    "complex": 1 + 2j,
    "decimal": decimal.Decimal("0.1"),
    "fraction": fractions.Fraction(1, 3),
    "number in a str": "3.5",
    "number in bytes": b"3.5",
    "number with spaces": " 7 ",
    "empty str": "",
    "nan in a str": "nan",
    **{
        f"numpy scalar {dtype}": np.dtype(dtype).type(1)
        for dtype in NUMPY
        if dtype not in ("object", ">f8", ">i4")
    },
    "0-d array of str": np.array("2.5"),
    "range": range(1),
}
TAGS: dict[str, Any] = {
    "a word": "word",
    "spaces": " a  b ",
    "slashes": "/a//b/",
    "not ASCII": "é/ü 🎉",
    "punctuation": "a%b\\c:d*?",
    "dots": "a.b",
    "empty": "",
    "None": None,
    "an int": 5,
    "bytes": b"tag",
    "bytes that are no text": b"\xff",
    "numpy str": np.str_("numpy"),
    "a lone surrogate": "\ud800",
    "a list": ["a"],
}
STEPS: dict[str, Make] = {
    "None": lambda: None,
    "0": lambda: 0,
    "negative": lambda: -5,
    "float": lambda: 1.9,
    "bool": lambda: True,
    "number in a str": lambda: "12",
    "a word": lambda: "word",
    "numpy int32": lambda: np.int32(4),
    "numpy float32": lambda: np.float32(2.5),
    "numpy 0-d": lambda: np.array(7),
    "numpy [1, 2]": lambda: np.array([1, 2]),
    "torch 0-d": lambda: torch.tensor(5),
    "torch 0-d float": lambda: torch.tensor(2.75),
    "torch [1]": lambda: torch.tensor([6]),
    "torch [2]": lambda: torch.tensor([6, 7]),
    "greatest": lambda: 2**63 - 1,
    "least": lambda: -(2**63),
    "too large": lambda: 2**63,
    "too small": lambda: -(2**63) - 1,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "complex": lambda: 1j,
    "a list": lambda: [1],
    "an object": object,
    "decimal": lambda: decimal.Decimal("3.7"),
}
WALL_TIMES: dict[str, Make] = {
    "None": lambda: None,
    "0": lambda: 0,
    "0.0": lambda: 0.0,
    "int": lambda: 7,
    "float": lambda: 1234567890.123456,
    "negative": lambda: -3.5,
    "nan": lambda: math.nan,
    "inf": lambda: math.inf,
    "bool": lambda: True,
    "numpy float32": lambda: np.float32(2.5),
    "numpy 0-d": lambda: np.array(2.5),
    "torch 0-d": lambda: torch.tensor(2.5),
    "torch [1]": lambda: torch.tensor([2.5]),
    "number in a str": lambda: "1.5",
    "bytes": lambda: b"1",
    "decimal": lambda: decimal.Decimal("2.5"),
    "a list": lambda: [1.5],
    "an object": object,
    "int beyond float": lambda: 10**400,
}


# --- which argument takes what ---

# (method, argument): an array as it is usually given.
ARRAYS: dict[tuple[str, str], np.ndarray[Any, Any]] = {
    ("add_scalar", "scalar_value"): np.array(0.75),
    ("add_tensor", "tensor"): numbers(2, 3),
    ("add_histogram", "values"): numbers(9),
    ("add_histogram_raw", "bucket_limits"): np.array([1.0, 2.0]),
    ("add_histogram_raw", "bucket_counts"): np.array([1.0, 0.0]),
    ("add_histogram_raw", "min"): np.array(0.25),
    ("add_image", "img_tensor"): numbers(3, 2, 4),
    ("add_images", "img_tensor"): numbers(9, 3, 2, 4),
    ("add_image_with_boxes", "img_tensor"): numbers(3, 12, 14),
    ("add_image_with_boxes", "box_tensor"): np.array([[1.0, 2, 6, 7]]),
    ("add_video", "vid_tensor"): numbers(1, 2, 3, 2, 4),
    ("add_audio", "snd_tensor"): numbers(8),
    ("add_embedding", "mat"): numbers(3, 2),
    ("add_embedding", "label_img"): numbers(3, 3, 2, 2),
    ("add_pr_curve", "labels"): np.arange(12) % 2 * 1.0,
    ("add_pr_curve", "predictions"): numbers(12) / 2,
    ("add_pr_curve", "weights"): numbers(12),
    ("add_pr_curve_raw", "precision"): np.array([0.5, 0.75]),
    ("add_mesh", "vertices"): numbers(1, 4, 3),
    ("add_mesh", "colors"): numbers(1, 4, 3),
    ("add_mesh", "faces"): np.array([[[0.0, 1, 2]]]),
}

# (method, argument): what else is asked of it.
CHOICES: dict[tuple[str, str], dict[str, Make]] = {
    ("add_scalar", "new_style"): {"True": lambda: True, "1": lambda: 1},
    ("add_scalar", "double_precision"): {"alone": lambda: True},
    ("add_scalars", "tag_scalar_dict"): {
        "empty": dict,
        "a slash in a key": lambda: {"b/c": 1},
        "spaces in a key": lambda: {"b c": 1},
        "an empty key": lambda: {"": 1},
        "an int as key": lambda: {1: 1},
        "a later value is wrong": lambda: {"a": 1, "b": None},
    },
    ("add_histogram", "bins"): {
        **{
            name: partial(str, name)
            for name in [
                *["tensorflow", "auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"],
                *["unknown", ""],
            ]
        },
        "None": lambda: None,
        "1": lambda: 1,
        "10": lambda: 10,
        "0": lambda: 0,
        "a float": lambda: 2.5,
        "edges": lambda: [0, 0.5, 1],
        "edges in numpy": lambda: np.array([0, 0.5, 9.0]),
        "edges in torch": lambda: torch.tensor([0, 0.5, 9.0]),
        "edges that hold nothing": lambda: [5.0, 6.0],
        "edges that fall": lambda: [2.0, 1.0],
        "one edge": lambda: [1.0],
    },
    ("add_histogram", "max_bins"): {
        str(count): partial(int, count) for count in (1, 2, 7, 100, 1548, 5000, 0, -1)
    },
    ("add_histogram_raw", "max"): {"nan": lambda: math.nan, "None": lambda: None},
    ("add_histogram_raw", "num"): {"0": lambda: 0, "a str": lambda: "1"},
    ("add_histogram_raw", "sum"): {"inf": lambda: math.inf, "torch": lambda: torch.tensor(2.0)},
    ("add_histogram_raw", "sum_squares"): {"bool": lambda: True, "complex": lambda: 1j},
    ("add_image_with_boxes", "labels"): {
        "a str": lambda: "cat",
        "one each": lambda: ["cat", "dog"],
        "too few": lambda: ["cat"],
        "empty": list,
        "ints": lambda: [1, 2],
        "a tuple": lambda: ("cat", "dog"),
        "not ASCII": lambda: ["é", "ü"],
    },
    ("add_image_with_boxes", "rescale"): {
        "2": lambda: 2,
        "0.5": lambda: 0.5,
        "0": lambda: 0,
        "None": lambda: None,
    },
    ("add_image_with_boxes", "dataformats"): {"a letter short": lambda: "HW"},
    ("add_figure", "figure"): {
        "a list": lambda: [figure(), figure()],
        "an empty list": list,
        "a tuple": lambda: (figure(),),
        "two sizes": lambda: [figure(), figure(2)],
    },
    ("add_figure", "close"): {"False": lambda: False},
    ("add_video", "fps"): {"30": lambda: 30, "0.5": lambda: 0.5, "None": lambda: None},
    ("add_audio", "sample_rate"): {
        "8000": lambda: 8000,
        "0": lambda: 0,
        "a float": lambda: 8000.0,
        "negative": lambda: -1,
        "a str": lambda: "8000",
        "None": lambda: None,
        "numpy": lambda: np.int64(8000),
    },
    ("add_text", "text_string"): {
        "empty": str,
        "not ASCII": lambda: "é 🎉\n\n|a|",
        "bytes": lambda: b"bytes",
        "an int": lambda: 5,
        "a list of str": lambda: ["a"],
        "a lone surrogate": lambda: "\ud800",
        "numpy str": lambda: np.str_("numpy"),
        "numpy array of str": lambda: np.array("numpy"),
    },
    ("add_graph", "input_to_model"): {
        "a tuple": lambda: (torch.ones(1, 3),),
        "numpy": lambda: np.ones((1, 3), np.float32),
        "the wrong shape": lambda: torch.ones(1, 4),
    },
    ("add_graph", "verbose"): {"True": lambda: True},
    ("add_graph", "use_strict_trace"): {"False": lambda: False},
    ("add_onnx_graph", "prototxt"): {
        "a Path": lambda: Path(onnx_file()),
        "no such file": lambda: "no such file.onnx",
        "bytes of a model": lambda: Path(onnx_file()).read_bytes(),
    },
    ("add_embedding", "metadata"): {
        "words": lambda: ["a", "é", "c d"],
        "numbers": lambda: [1, 2.5, None],
        "numpy": lambda: np.array([1, 2, 3]),
        "torch": lambda: torch.tensor([1, 2, 3]),
        "a tuple": lambda: ("a", "b", "c"),
        "empty": list,
        "too few": lambda: ["a"],
        "rows without a header": lambda: [["a", 1], ["b", 2], ["c", 3]],
    },
    ("add_embedding", "metadata_header"): {"without metadata": lambda: ["name"]},
    ("add_pr_curve", "num_thresholds"): {
        name: partial(eval, name) for name in ("1", "2", "126", "127", "500", "0", "-1", "2.5")
    },
    ("add_pr_curve_raw", "num_thresholds"): {
        name: partial(eval, name) for name in ("1", "2", "200", "0", "-1", "2.5")
    },
    ("add_pr_curve_raw", "weights"): {"a number": lambda: 2.0},
    ("add_custom_scalars", "layout"): {
        "Margin": lambda: {"a": {"b": ["Margin", ["x", "y", "z"]]}},
        "Margin of two": lambda: {"a": {"b": ["Margin", ["x", "y"]]}},
        "another kind": lambda: {"a": {"b": ["Other", ["x"]], "c": ["Multiline", ()]}},
        "empty": dict,
        "an int as tag": lambda: {"a": {"b": ["Multiline", [1]]}},
        "a list": lambda: [1],
    },
    ("add_mesh", "config_dict"): {
        "nested": lambda: {"b": [1, {"d": 2, "c": "ü"}], "a": None},
        "empty": dict,
        "a str": lambda: "text",
        "an object inside": lambda: {"a": object()},
    },
    ("add_hparams", "hparam_domain_discrete"): {
        "numbers": lambda: {"lr": [0.5, 0.25], "opt": ["adam", "sgd"]},
        "another type": lambda: {"lr": [1]},
        "an unknown name": lambda: {"other": [1.0]},
        "a tuple": lambda: {"lr": (0.5,)},
        "a list": lambda: ["lr"],
    },
    ("add_hparams", "run_name"): {
        "None": lambda: None,
        "empty": str,
        "nested": lambda: "a/b",
        "a dot": lambda: ".",
        "an int": lambda: 5,
        "a Path": lambda: Path("p"),
    },
    ("add_hparams", "hparam_dict"): {
        "empty": dict,
        "a list": list,
        "a mapping": lambda: __import__("collections").OrderedDict(a=1),
        "an int as key": lambda: {1: 1},
        "None as value": lambda: {"a": None},
    },
    ("add_hparams", "metric_dict"): {
        "empty": dict,
        "a list": list,
        "an int as key": lambda: {1: 1},
        "two numbers": lambda: {"a": np.ones(2)},
    },
}
for _argument in ("true_positive", "false_positive", "true_negative", "false_negative"):
    CHOICES["add_pr_curve_raw", f"{_argument}_counts"] = {
        "torch": lambda: torch.tensor([1, 2]),
        "longer": lambda: [1, 2, 3],
        "tables": lambda: np.ones((2, 2)),
        "None": lambda: None,
    }
CHOICES["add_pr_curve_raw", "recall"] = CHOICES["add_pr_curve_raw", "true_positive_counts"]
for _method, _tags in (("multiline", ["a", "b"]), ("margin", ["a", "b", "c"])):
    _name = f"add_custom_scalars_{_method}chart"
    CHOICES[_name, "tags"] = {
        "a tuple": partial(tuple, _tags),
        "empty": list,
        "one": lambda: ["a"],
        "not ASCII": lambda: ["é", "ü", "z"],
    }
    for _argument in ("category", "title"):
        CHOICES[_name, _argument] = {name: partial(lambda tag: tag, TAGS[name]) for name in TAGS}

# Arguments that take anything, so that the wrong types are asked of them, too.
OPEN = [
    ("add_scalars", "tag_scalar_dict"),
    ("add_figure", "figure"),
    ("add_text", "text_string"),
    ("add_graph", "model"),
    ("add_onnx_graph", "prototxt"),
    ("add_embedding", "metadata"),
    ("add_custom_scalars", "layout"),
    ("add_hparams", "hparam_dict"),
    ("add_hparams", "metric_dict"),
]
TAGGED = {"add_scalars": "main_tag"}


def cases() -> list[Case]:
    """All of them, each with a name of its own."""
    found = [case for method in USUAL for case in _cases_of(method)]
    names = [case.name for case in found]
    assert not (twice := {name for name in names if names.count(name) > 1}), twice
    return found


def _cases_of(method: str) -> Iterator[Case]:
    usual = USUAL[method]()
    yield Case(method, "as usual", dict)
    tag = TAGGED.get(method, "tag")
    if tag in usual or method == "add_embedding":
        for name, value in TAGS.items():
            yield Case(method, f"{tag}: {name}", _given({tag: value}))
    if "global_step" in usual:
        yield from _choices(method, "global_step", STEPS)
    if "walltime" in usual:
        yield from _choices(method, "walltime", WALL_TIMES)
    for (owner, argument), array in ARRAYS.items():
        if owner == method:
            yield from _kinds(method, argument, array)
    for (owner, argument), choices in CHOICES.items():
        if owner == method:
            yield from _choices(method, argument, choices)
    for owner, argument in OPEN:
        if owner == method:
            yield from _choices(method, argument, WRONG)
    yield from EXTRA.get(method, list)()


def _given(*named: Arguments, **more: Any) -> Callable[[], Arguments]:
    return lambda: {name: value for part in (*named, more) for name, value in part.items()}


def _choices(method: str, argument: str, choices: dict[str, Make]) -> Iterator[Case]:
    for name, make in choices.items():
        yield Case(method, f"{argument}: {name}", partial(_made, argument, make))


def _made(argument: str, make: Make) -> Arguments:
    return {argument: make()}


def _kinds(method: str, argument: str, array: np.ndarray[Any, Any]) -> Iterator[Case]:
    for kind in KINDS:
        change = partial(_made, argument, partial(kind.of, array))
        yield Case(method, f"{argument}: {kind.name}", change, kind.needs)
    yield from _choices(method, argument, WRONG)
    flat = array.reshape(-1)
    shapes = {
        "0-d": flat[0].reshape(()),
        "[1]": flat[:1],
        "[0]": flat[:0],
        "one axis more": array[np.newaxis],
        "one axis less": array[0] if array.ndim else array,
        "two axes more": array[np.newaxis, np.newaxis],
        "no rows": array[:0] if array.ndim else array,
    }
    for name, shaped in shapes.items():
        for library, make in {"numpy": np.array, "torch": torch.tensor}.items():
            change = partial(_made, argument, partial(make, shaped))
            yield Case(method, f"{argument}: {library} shape {name}", change)


# --- what is about several arguments, or about one of many ---


def _scalar() -> Iterator[Case]:
    for name, value in NUMBERS.items():
        yield Case("add_scalar", f"scalar_value: {name}", _given(scalar_value=value))
        for double in (False, True):
            style = "double" if double else "float"
            change = _given(scalar_value=value, new_style=True, double_precision=double)
            yield Case("add_scalar", f"new_style {style}: {name}", change)


def _scalars() -> Iterator[Case]:
    for name, value in NUMBERS.items():
        change = _given(tag_scalar_dict={"a": value})
        yield Case("add_scalars", f"value: {name}", change)
    for kind in KINDS:
        change = partial(_nested, "tag_scalar_dict", partial(kind.of, np.array(0.75)))
        yield Case("add_scalars", f"value: {kind.name}", change, kind.needs)


def _nested(argument: str, make: Make) -> Arguments:
    return {argument: {"a": make()}}


def _layouts(method: str, argument: str, letters: str) -> Iterator[Case]:
    sizes = {"N": 9, "C": 3, "H": 2, "W": 4}
    for order in itertools.permutations(letters):
        for dtype in ("float32", "uint8"):
            name = "".join(order)
            array = (numbers(*(sizes[letter] for letter in order)) * 100).astype(dtype)
            change = _given({argument: array, "dataformats": name})
            yield Case(method, f"dataformats: {name} {dtype}", change)


def _images(method: str) -> Iterator[Case]:
    for letters in ("HW", "CHW", "NCHW"):
        yield from _layouts(method, "img_tensor", letters)
    for channels in (0, 1, 2, 4, 5):
        for letters, shape in {"CHW": (channels, 2, 4), "NCHW": (3, channels, 2, 4)}.items():
            change = _given(img_tensor=picture(*shape), dataformats=letters)
            yield Case(method, f"channels: {channels} {letters}", change)
    odd: list[Any] = [
        "chw",
        "CcW",
        "CCW",
        "CHX",
        "W",
        "NTCHW",
        "",
        "HWCN",
        None,
        3,
        ["C", "H", "W"],
    ]
    for wrong in odd:
        change = _given(img_tensor=picture(3, 2, 4), dataformats=wrong)
        yield Case(method, f"dataformats: {wrong!r}", change)
    for count in (1, 7, 8, 17):
        change = _given(img_tensor=picture(count, 3, 2, 4), dataformats="NCHW")
        yield Case(method, f"count: {count}", change)
    beyond = {"int": [0, 1, 2, 200], "float": [-9.0, 0.999, 1.5]}
    for name, steps in beyond.items():
        change = _given(img_tensor=np.array([steps]), dataformats="HW")
        yield Case(method, f"brightness: {name} beyond 1", change)


def _boxes() -> Iterator[Case]:
    for order in itertools.permutations("CHW"):
        sizes = {"C": 3, "H": 12, "W": 14}
        image = picture(*(sizes[letter] for letter in order))
        change = _given(img_tensor=image, dataformats="".join(order))
        yield Case("add_image_with_boxes", f"dataformats: {''.join(order)}", change)


def _videos() -> Iterator[Case]:
    for count, channels in ((1, 3), (2, 3), (3, 3), (4, 1), (5, 4)):
        change = _given(vid_tensor=picture(count, 2, channels, 2, 4))
        yield Case("add_video", f"videos: {count} of {channels} channels", change)


def _sounds() -> Iterator[Case]:
    shapes = {"(1, L)": (1, 8), "(L, 1)": (8, 1), "(L, 2)": (8, 2), "(2, L)": (2, 8)}
    for name, shape in {**shapes, "(3, L)": (3, 8), "(1, 1)": (1, 1)}.items():
        for dtype in ("float32", "int16"):
            change = _given(snd_tensor=numbers(*shape).astype(dtype))
            yield Case("add_audio", f"channels: {name} {dtype}", change)


def _embeddings() -> Iterator[Case]:
    rows = [["a", 1], ("b", 2), ["c", None]]
    headers = {"as wide": ["n", "i"], "narrower": ["n"], "a str": "ni", "empty": []}
    for name, header in headers.items():
        change = _given(metadata=rows, metadata_header=header)
        yield Case("add_embedding", f"metadata_header: {name}", change)
    shapes = {"grey": (3, 1, 2, 2), "wide": (3, 3, 2, 4), "high": (3, 3, 4, 2), "two": (2, 3, 2, 2)}
    for name, shape in shapes.items():
        change = _given(label_img=torch.from_numpy(picture(*shape)))
        yield Case("add_embedding", f"label_img: {name}", change)


def _hparams() -> Iterator[Case]:
    for name, value in NUMBERS.items():
        yield Case("add_hparams", f"value: {name}", _given(hparam_dict={"a": value}))
        yield Case("add_hparams", f"metric: {name}", _given(metric_dict={"a": value}))
    for kind in KINDS:
        for shape in ((), (1,), (2,)):
            make = partial(kind.of, np.asarray(numbers(*shape) + 0.75))
            change = partial(_nested, "hparam_dict", make)
            yield Case("add_hparams", f"value {list(shape)}: {kind.name}", change, kind.needs)
        change = partial(_nested, "metric_dict", partial(kind.of, np.array(0.75)))
        yield Case("add_hparams", f"metric: {kind.name}", change, kind.needs)
    both = {"hparam_dict": {"a": True}, "hparam_domain_discrete": {"a": [True, False]}}
    yield Case("add_hparams", "hparam_domain_discrete: bools", _given(both))


EXTRA: dict[str, Callable[[], Any]] = {
    "add_scalar": _scalar,
    "add_scalars": _scalars,
    "add_image": partial(_images, "add_image"),
    "add_images": partial(_images, "add_images"),
    "add_image_with_boxes": _boxes,
    "add_video": _videos,
    "add_audio": _sounds,
    "add_embedding": _embeddings,
    "add_hparams": _hparams,
}
