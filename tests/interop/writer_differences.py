"""Intentional differences between our `SummaryWriter` and PyTorch's: the source of a page in docs.

python -m tests.interop.writer_differences    writes docs/reference/writer-differences.md again
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "writer-differences.md"


@dataclass(frozen=True)
class Difference:
    """One row of the page; the matrix test asserts that both writers do what it says.

    Exceptions that are raised are named in backticks; a text without one says what is written.
    """

    method: str
    input: str
    torch: str
    ours: str
    why: str
    #: Patterns of the names of cases; every case that fits differs, and no other.
    where: tuple[str, ...]


def raised(text: str) -> set[str]:
    """The exceptions that a row names."""
    return set(re.findall(r"`(\w+Error)`", text))


def _of(arguments: Iterable[str], *inputs: str) -> tuple[str, ...]:
    return tuple(f"{argument}: {kind}" for argument, kind in product(arguments, inputs))


# Arguments whose values PyTorch converts with one function.
ONE_NUMBER = ["add_scalar:scalar_value", "add_scalars:value", "add_hparams:metric"]
MANY_NUMBERS = [
    "add_histogram:values",
    "add_image:img_tensor",
    "add_images:img_tensor",
    "add_image_with_boxes:img_tensor",
    "add_image_with_boxes:box_tensor",
    "add_video:vid_tensor",
    "add_audio:snd_tensor",
    "add_embedding:mat",
    "add_pr_curve:labels",
    "add_pr_curve:predictions",
]
NUMBERS = [*ONE_NUMBER, *MANY_NUMBERS]
MESH = ["add_mesh:vertices", "add_mesh:colors", "add_mesh:faces"]
HPARAM = ["add_hparams:value ??", "add_hparams:value ?[12]?"]
NO_ARRAY = ["an object", "a dict", "a set", "a module", "a type", "a generator", "ragged lists"]
NO_ARRAY += ["a list of words", "a PIL image"]
COUNTS = ["true_positive", "false_positive", "true_negative", "false_negative"]

DIFFERENCES = [
    # Any method.
    Difference(
        "all that take numbers",
        "lists and tuples",
        "`NotImplementedError`",
        "written like an array of these numbers",
        "they contain numbers",
        (*_of(MANY_NUMBERS, "list", "tuple"), *_of(NUMBERS, "list of tensors")),
    ),
    Difference(
        "all that take numbers",
        "JAX arrays, TensorFlow tensors, anything with `__array__`",
        "`NotImplementedError`",
        "written, bfloat16 as float32",
        "they contain numbers",
        _of(NUMBERS, "jax *", "tensorflow *", "object with __array__"),
    ),
    Difference(
        "all that take numbers",
        "sparse and float8 tensors",
        "`TypeError`",
        "written as the equivalent dense tensor, as float32",
        "they contain numbers",
        _of(NUMBERS, "torch sparse", "torch float8_*"),
    ),
    Difference(
        "all that take numbers",
        "bfloat16 beyond 65504",
        "infinite: it is converted to float16",
        "the number",
        "bfloat16 is chosen for its range",
        _of(
            [
                *ONE_NUMBER,
                "add_histogram:values",
                "add_image_with_boxes:box_tensor",
                "add_embedding:mat",
                "add_pr_curve:labels",
                "add_hparams:value ?1?",
            ],
            "torch bfloat16 with 1e6",
        ),
    ),
    Difference(
        "`add_scalar`, `add_scalars`, `add_histogram`, `add_hparams`",
        "tensors on the device `meta`",
        "a random number",
        "`NotImplementedError`",
        "there is no number to log",
        _of([*ONE_NUMBER, "add_histogram:values", *HPARAM], "torch meta"),
    ),
    Difference(
        "the others that take numbers",
        "tensors on the device `meta`",
        "a random number, which is then rejected: `AssertionError`, `ValueError`, `IndexError`, "
        "`TypeError`, `RuntimeError`",
        "`NotImplementedError`",
        "the message says what is wrong",
        _of(
            [
                *(name for name in MANY_NUMBERS if name != "add_histogram:values"),
                "add_histogram_raw:bucket_*",
                "add_embedding:label_img",
                "add_pr_curve:weights",
                "add_pr_curve_raw:precision",
            ],
            "torch meta",
        ),
    ),
    Difference(
        "all with `walltime`",
        "a numpy array without axes",
        "`TypeError`",
        "the number in it",
        "like a tensor without axes, which both accept",
        ("*:walltime: numpy 0-d",),
    ),
    # Scalars and hyper-parameters.
    Difference(
        "`add_scalars`",
        "a value that is rejected",
        "`OverflowError`, `TypeError`, `ValueError`, `NotImplementedError`, after a run without "
        "values was created for it",
        "the same (`OverflowError`, `TypeError`, `ValueError`, `NotImplementedError`), and no run",
        "nothing was logged there",
        (
            *_of(["add_scalars:value"], "*complex*", "int beyond float", "empty str", "range"),
            "add_scalars:tag_scalar_dict: a later value is wrong",
        ),
    ),
    Difference(
        "`add_hparams`",
        "a metric that is rejected",
        "`OverflowError`, `TypeError`, `ValueError`, `NotImplementedError`, `AssertionError`, "
        "after part of the run was written",
        "the same (`OverflowError`, `TypeError`, `ValueError`, `NotImplementedError`, "
        "`AssertionError`), and no run",
        "half a session looks like a complete one",
        (
            *_of(["add_hparams:metric"], "*complex*", "int beyond float", "empty str", "range"),
            "add_hparams:metric_dict: two numbers",
        ),
    ),
    Difference(
        "`add_hparams`",
        "`bool`, also in `hparam_domain_discrete` and tensors",
        "1.0 or 0.0",
        "true or false",
        "a boolean is not a number",
        (
            "add_hparams:value: bool",
            "add_hparams:value ?[12]?: torch bool",
            "add_hparams:hparam_domain_discrete: bools",
        ),
    ),
    Difference(
        "`add_hparams`",
        "numbers of numpy, JAX and TensorFlow, and arrays of one element",
        "`ValueError`, except for float64",
        "the number; the first one of a longer tensor, as PyTorch does with its own",
        "it is a number",
        (
            "add_hparams:value: numpy scalar *bool",
            "add_hparams:value: numpy scalar *int*",
            "add_hparams:value: numpy scalar float16",
            "add_hparams:value: numpy scalar float32",
            "add_hparams:value: 0-d array of str",
            *_of(HPARAM, "jax *", "tensorflow *"),
            *_of(HPARAM, "object with __array__"),
            *_of(
                ["add_hparams:value ??", "add_hparams:value ?1?"],
                *["numpy bool", "numpy int*", "numpy uint*", "numpy float*", "numpy >*"],
                *["numpy bfloat16", "numpy with *", "numpy str", "numpy object", "numpy strided"],
            ),
        ),
    ),
    Difference(
        "`add_hparams`",
        "tensors without axes",
        "`IndexError`",
        "the number",
        "it is what `loss.detach()` returns",
        _of(
            ["add_hparams:value ??"],
            *["torch bool", "torch int*", "torch uint*", "torch float16", "torch bfloat16*"],
            *["torch float32", "torch float64", "torch requires grad", "torch parameter"],
            *["torch result of a gradient", "torch with nan"],
        ),
    ),
    Difference(
        "`add_hparams`",
        "sparse and float8 tensors",
        "`TypeError`",
        "the number",
        "it is a number",
        _of(HPARAM, "torch sparse", "torch float8_*"),
    ),
    Difference(
        "`add_hparams`",
        "complex tensors of one axis",
        "the real part",
        "`ValueError`",
        "like a complex number, which both reject",
        _of(["add_hparams:value ?[12]?"], "torch complex*"),
    ),
    Difference(
        "`add_hparams`",
        "complex tensors without axes",
        "`IndexError`",
        "`ValueError`",
        "like a complex number, which both reject",
        _of(["add_hparams:value ??"], "torch complex*"),
    ),
    # Tensors.
    Difference(
        "`add_tensor`",
        "float16 and bfloat16",
        "the bits of a float32, which no other reader understands",
        "the 16 bits that the format requires",
        "what is logged can be read",
        _of(["add_tensor:tensor"], "torch float16", "torch bfloat16*"),
    ),
    Difference(
        "`add_tensor`",
        "lists, arrays of numpy, JAX, TensorFlow",
        "`AttributeError`",
        "written like a PyTorch tensor",
        "they contain numbers",
        _of(
            ["add_tensor:tensor"],
            *["list", "tuple", "list of tensors", "jax *", "tensorflow *", "object with __array__"],
            *["numpy bool", "numpy int*", "numpy uint8", "numpy float*", "numpy complex*"],
            *["numpy >*", "numpy bfloat16", "numpy with *", "numpy strided", "numpy shape *"],
        ),
    ),
    Difference(
        "`add_tensor`",
        "arrays of types that PyTorch does not support in tensors: uint16, text",
        "`AttributeError`",
        "`ValueError`",
        "as for a tensor of that type",
        _of(
            ["add_tensor:tensor"],
            *["numpy uint16", "numpy uint32", "numpy uint64", "numpy longdouble", "numpy str"],
            *["numpy object", "a word"],
        ),
    ),
    Difference(
        "`add_tensor`",
        "sparse tensors",
        "`RuntimeError`",
        "written as the equivalent dense tensor",
        "they contain numbers",
        ("add_tensor:tensor: torch sparse",),
    ),
    Difference(
        "`add_tensor`",
        "anything that is not an array",
        "`AttributeError`",
        "`NotImplementedError`",
        "as in all other methods",
        _of(["add_tensor:tensor"], "None", *NO_ARRAY),
    ),
    # Histograms.
    Difference(
        "`add_histogram_raw`",
        "arrays of one number",
        "`TypeError`",
        "the number",
        "like tensors of one number, which both accept",
        _of(
            ["add_histogram_raw:min"],
            *["list of tensors", "object with __array__", "numpy bool", "numpy int*"],
            *["numpy uint*", "numpy float*", "numpy longdouble", "numpy >*", "numpy str"],
            *["numpy object", "numpy bfloat16", "numpy with *", "numpy strided"],
            *["numpy shape 0-d", "numpy shape ?1?", "numpy shape *axis*", "numpy shape *axes*"],
            "numpy shape no rows",
        ),
    ),
    Difference(
        "`add_histogram_raw`",
        "complex tensors",
        "the real part",
        "`TypeError`",
        "like a complex number, which both reject",
        _of(["add_histogram_raw:min"], "torch complex*"),
    ),
    Difference(
        "`add_histogram_raw`",
        "an empty or a `meta` tensor as a number",
        "`ValueError`, `RuntimeError`",
        "`TypeError`",
        "as for an empty array",
        _of(["add_histogram_raw:min"], "torch shape ?0?", "torch meta"),
    ),
    Difference(
        "`add_histogram_raw`",
        "an iterator of the wrong length",
        "`TypeError`",
        "`ValueError`",
        "iterators are accepted; only the length is wrong",
        _of(["add_histogram_raw:bucket_*"], "a generator"),
    ),
    Difference(
        "`add_histogram_raw`, `add_mesh`",
        "TensorFlow variables",
        "`TypeError`",
        "written",
        "they contain numbers",
        _of(["add_histogram_raw:bucket_*", *MESH], "tensorflow variable"),
    ),
    # Pictures and sound.
    Difference(
        "`add_image`, `add_images`, `add_image_with_boxes`, `add_video`",
        "empty input: no channels, no pictures",
        "`TypeError`, `ZeroDivisionError`",
        "`ValueError`",
        "the message says what is wrong",
        (
            *_of(["add_image*:img_tensor", "add_video:vid_tensor"], "* shape no rows"),
            "add_image*:channels: 0 CHW",
        ),
    ),
    Difference(
        "`add_image`, `add_images`",
        "batches with 4 channels",
        "`AssertionError`",
        "written, with transparency",
        "a single picture with 4 channels is written too",
        ("add_image*:channels: 4 NCHW",),
    ),
    Difference(
        "`add_images`",
        "numbers as text",
        "`ValueError`",
        "the numbers",
        "as in `add_image`",
        ("add_images:img_tensor: numpy str",),
    ),
    Difference(
        "`add_video`",
        "anything, with moviepy 2 or without moviepy",
        "a tag without a video, and a message",
        "a GIF, from Kymograph's own encoder",
        "what is logged is written",
        ("add_video:as usual", "add_video:videos: *"),
    ),
    Difference(
        "`add_video`",
        "`fps=None`",
        "a tag without a video",
        "`TypeError`",
        "a video needs a frame rate",
        ("add_video:fps: None",),
    ),
    Difference(
        "`add_audio`",
        "int16",
        "clipped to -1, 0 and 1",
        "the samples unchanged",
        "that is how sound is stored",
        (
            "add_audio:snd_tensor: * int16",
            "add_audio:channels: (1, L) int16",
            "add_audio:channels: (L, 1) int16",
        ),
    ),
    Difference(
        "`add_audio`",
        "two channels, on either axis",
        "`AssertionError`",
        "stereo",
        "most sound is stereo",
        ("add_audio:channels: (L, 2) *", "add_audio:channels: (2, L) *"),
    ),
    Difference(
        "`add_audio`",
        "int8, uint8",
        "`OverflowError`",
        "written like float32",
        "they are numbers like any other",
        _of(["add_audio:snd_tensor"], "numpy int8", "numpy uint8", "torch int8", "torch uint8"),
    ),
    Difference(
        "`add_audio`",
        "float16, bfloat16",
        "loud samples overflow: 1 becomes the lowest sample",
        "scaled as float32",
        "no clicks that were not logged",
        _of(["add_audio:snd_tensor"], "numpy float16", "torch float16", "torch bfloat16*"),
    ),
    Difference(
        "`add_audio`",
        "NaN along with samples beyond -1 and 1",
        "the latter overflow",
        "the latter are clipped, as without NaN",
        "no clicks that were not logged",
        _of(["add_audio:snd_tensor"], "numpy with nan", "torch with nan"),
    ),
    # Graphs.
    Difference(
        "`add_onnx_graph`",
        "the outputs of a model",
        "a second node with the name of the one that produces them, or none",
        "a node `output/<name>` after it",
        "two nodes with the same name are drawn as one",
        ("add_onnx_graph:as usual", "add_onnx_graph:prototxt: a Path"),
    ),
    # Embeddings.
    Difference(
        "`add_embedding`",
        "steps that are tensors, floats, bools",
        "the text of the step names the directory: `tensor(5)`, `001.9`",
        "the number, as in all other methods",
        "it is the same step",
        _of(
            ["add_embedding:global_step"],
            *["float", "bool", "numpy float32", "torch 0-d*", "torch ?1?", "decimal"],
        ),
    ),
    Difference(
        "`add_embedding`",
        "invalid steps",
        "the text of the step names the directory",
        "`ValueError`, `TypeError`, `OverflowError`, as in all other methods",
        "it is not a step",
        _of(
            ["add_embedding:global_step"],
            *["a word", "torch ?2?", "too large", "too small", "nan", "inf", "numpy ?1, 2?"],
            *["complex", "a list", "an object"],
        ),
    ),
    Difference(
        "`add_embedding`",
        "mismatched ranks, counts, headers or label types",
        "`AssertionError`, `TypeError`, `IndexError`, after files were written",
        "the same (`AssertionError`, `TypeError`, `IndexError`), and no file",
        "half an embedding confuses the projector",
        (
            "add_embedding:mat: a word",
            "add_embedding:mat: * shape 0-d",
            "add_embedding:mat: * shape ?[01]?",
            "add_embedding:mat: * shape * ax[ie]s *",
            "add_embedding:label_img: * shape 0-d",
            "add_embedding:label_img: * shape ?[01]?",
            "add_embedding:label_img: * shape * more",
            "add_embedding:label_img: * shape * less",
            "add_embedding:label_img: * shape no rows",
            "add_embedding:label_img: two",
            "add_embedding:metadata: empty",
            "add_embedding:metadata: too few",
            "add_embedding:metadata: a [!t]*",
            "add_embedding:metadata: a type",
            "add_embedding:metadata: an object",
            "add_embedding:metadata: ragged lists",
            "add_embedding:metadata_header: narrower",
        ),
    ),
    Difference(
        "`add_embedding`",
        "no points at all",
        "an entry in the config without its file",
        "an empty file",
        "the projector requests the file",
        ("add_embedding:mat: * shape no rows",),
    ),
    Difference(
        "`add_embedding`",
        "arrays of Python objects",
        "`AttributeError`",
        "written",
        "they contain numbers",
        ("add_embedding:mat: numpy object",),
    ),
    Difference(
        "`add_embedding`",
        "`label_img` of numpy, JAX, TensorFlow, or as a list; sparse and float8 tensors",
        "`TypeError`, `AttributeError`",
        "written like a tensor",
        "pictures are often numpy arrays",
        _of(
            ["add_embedding:label_img"],
            *["list", "tuple", "list of tensors", "jax *", "tensorflow *", "object with __array__"],
            *["numpy [!s]*", "numpy str*", "torch float8_*", "torch sparse"],
        ),
    ),
    Difference(
        "`add_embedding`",
        "`label_img` of bytes",
        "multiplied by 255, so that everything but black is white",
        "the bytes",
        "they are colours already",
        ("add_embedding:label_img: torch uint8",),
    ),
    Difference(
        "`add_embedding`",
        "`label_img` taller than wide",
        "`ValueError`",
        "written",
        "pictures may have any shape",
        ("add_embedding:label_img: high",),
    ),
    Difference(
        "`add_embedding`",
        "`label_img` that is not an array",
        "`AttributeError`",
        "`NotImplementedError`, `AssertionError`",
        "as in all other methods",
        _of(["add_embedding:label_img"], "a word", *NO_ARRAY),
    ),
    # Curves.
    Difference(
        "`add_pr_curve`",
        "predictions of numpy's bfloat16",
        "counted in bfloat16, in the wrong bin",
        "counted in float32",
        "the curve is correct",
        ("add_pr_curve:predictions: numpy bfloat16",),
    ),
    Difference(
        "`add_pr_curve`",
        "weights that are tensors",
        "`TypeError`",
        "accepted",
        "labels and predictions may be tensors too",
        _of(
            ["add_pr_curve:weights"],
            *["torch bool", "torch int*", "torch uint*", "torch *float*", "torch with nan"],
            *["torch requires grad", "torch parameter", "torch result of a gradient"],
            *["torch sparse", "torch shape 0-d", "torch shape ?1?", "torch shape one axis less"],
        ),
    ),
    Difference(
        "`add_pr_curve`",
        "weights of another shape or type",
        "`TypeError`, `ValueError`",
        "`ValueError`, `NotImplementedError`, `TypeError`",
        "as for labels and predictions",
        _of(
            ["add_pr_curve:weights"],
            *["torch shape ?0?", "torch shape * more", "torch shape no rows", *NO_ARRAY],
        ),
    ),
    Difference(
        "`add_pr_curve_raw`",
        "bfloat16, float8, sparse tensors, tensors with a gradient",
        "`TypeError`, `RuntimeError`",
        "written",
        "they contain numbers",
        _of(
            ["add_pr_curve_raw:precision"],
            *["* bfloat16", "torch bfloat16 *", "torch float8_*", "torch sparse"],
            *["torch requires grad", "torch parameter", "torch result of a gradient"],
        ),
    ),
    Difference(
        "`add_pr_curve_raw`",
        "anything that is not an array",
        "`ValueError`, `TypeError`",
        "`NotImplementedError`",
        "as in all other methods",
        (
            *_of(["add_pr_curve_raw:precision"], "None", *NO_ARRAY),
            *(f"add_pr_curve_raw:{count}_counts: None" for count in COUNTS),
            "add_pr_curve_raw:recall: None",
        ),
    ),
    # Meshes.
    Difference(
        "`add_mesh`",
        "a tag of bytes",
        "`b'tag'_VERTEX`: Python's representation of bytes",
        "`tag_VERTEX`",
        "as in all other methods",
        ("add_mesh:tag: bytes",),
    ),
    Difference(
        "`add_mesh`",
        "lists of tensors, arrays of any byte order and width, sparse tensors",
        "`ValueError`, `TypeError`, `RuntimeError`",
        "written",
        "they contain numbers",
        _of(
            MESH,
            *["list of tensors", "numpy >*", "numpy longdouble", "numpy bfloat16", "torch sparse"],
            "object with __array__",
        ),
    ),
    Difference(
        "`add_mesh`",
        "anything that is not an array",
        "`RuntimeError`, `TypeError`, `ValueError`",
        "`NotImplementedError`, `ValueError`",
        "as in all other methods",
        _of(MESH, "a word", *NO_ARRAY),
    ),
]

# What no single call shows; `test_writer_matrix.py` has a test for each.
OTHERS = {
    "the first record": "names the program that wrote it: `kymograph` instead of a module of "
    "TensorBoard",
    "`add_histogram`, sums": "numbers are added in a different order, so `sum` and `sum_squares` "
    "differ in their last bits",
    "`add_custom_scalars`, again": "each layout includes the earlier ones, since readers "
    "use one layout per run; PyTorch's contains only the last call",
    "`add_embedding`, again": "the entry of the same tag and step is replaced, and those of "
    "earlier writers stay; PyTorch's duplicates the former and drops the latter",
    "`add_hparams`, settings": "the run has the writer's `filename_suffix`; PyTorch's has none",
    "`add_graph`, models that PyTorch rejects": "with `use_strict_trace=True`, a model that "
    "returns a dict, or whose two traces differ, like those of `TransformerEncoderLayer`, is "
    "written; PyTorch raises `RuntimeError` or `TracingCheckError`",
    "`add_graph`, scripted modules that contain others": "the numbers in node names are those of a "
    "copy, since the module itself is not changed; PyTorch inlines the module's own graph",
    "`reopen` of a closed `FileWriter`": "continues in a new file; PyTorch's has the method, which "
    "raises `AttributeError`",
    "addresses such as `s3://bucket/run`": "`LogdirError`, as they cannot be written to yet; "
    "PyTorch's uses TensorBoard's file layer",
}


def row_of(case: str) -> Difference | None:
    """The row for a case; two rows for one case are a mistake."""
    rows = [row for row in DIFFERENCES if any(fnmatchcase(case, name) for name in row.where)]
    if len(rows) > 1:
        raise ValueError(f"{case} is in two rows: {rows[0].input}; {rows[1].input}")
    return rows[0] if rows else None


_INTRODUCTION = """\
# Intentional differences from PyTorch's writer

<!-- Written by `python -m tests.interop.writer_differences`; a test compares the two. -->

`from kymograph import SummaryWriter` replaces `torch.utils.tensorboard.SummaryWriter`:
the same methods, arguments, files and exceptions. `tests/interop/test_writer_matrix.py` passes
every kind of input for each argument of each method to PyTorch's writer and to Kymograph's, and
compares what both write, field by field. They do the same except for the rows below; a row that is
no longer true fails the test.

| method | input | PyTorch | Kymograph | why |
|---|---|---|---|---|
"""

_ENDING = """
## Differences beyond a single call

{}
## Extensions

Additional keyword-only arguments of the constructor: `rank_zero_only`, `rank_suffix`, `capture`,
`strict`. Additional arguments of methods: `add_scalars(as_one_run=True)`,
`add_video(format="mp4")`. Additional methods: `add_summary` and `add_event`, for messages created
by other libraries.

Logged data survives the end of the program, `SIGTERM` and `fork`, and a full disk does not stop the
training: `SummaryWriter` warns, keeps what it can and continues. PyTorch's loses up to
`max_queue` records, blocks the child, or raises in the loop.
"""


def page() -> str:
    """The page in docs, as it must be."""
    rows = [
        f"| {row.method} | {row.input} | {row.torch} | {row.ours} | {row.why} |\n"
        for row in DIFFERENCES
    ]
    others = "".join(f"- {what}: {said}.\n" for what, said in OTHERS.items())
    return _INTRODUCTION + "".join(rows) + _ENDING.format(others)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
