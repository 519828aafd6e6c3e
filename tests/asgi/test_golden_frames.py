"""The golden frames, which the page's tests read too, are what this server writes and reads."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kymograph.asgi import frames
from kymograph.errors import RequestError
from tests.golden import make_frames

REFERENCE = Path(__file__).parents[2] / "docs/reference/http-api.md"
GOLDEN = sorted(make_frames.FRAMES.glob("*.kymf"))


def test_every_golden_frame_is_there():
    assert {path.stem for path in GOLDEN} == set(make_frames.GOLDEN)


@pytest.mark.parametrize("name", make_frames.GOLDEN)
def test_the_files_are_what_their_script_writes(name: str):
    meta, columns = make_frames.GOLDEN[name]
    path = make_frames.FRAMES / f"{name}.kymf"
    assert path.read_bytes() == make_frames.frame(meta, columns)
    assert path.with_suffix(".json").read_text("utf-8") == make_frames.expected(meta, columns)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_frame_is_read_and_written_again(path: Path):
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    columns, meta = frames.decode(path.read_bytes())
    found: dict[str, Any] = {}
    for name, column in columns.items():
        dtype = f"{column.dtype.kind}{column.dtype.itemsize * 8}"
        numbers = [make_frames.spelled(dtype, number) for number in column.tolist()]
        found[name] = {"dtype": dtype, "numbers": numbers}
    assert {"meta": meta, "columns": found} == expected
    assert frames.encode(columns, meta) == path.read_bytes()


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_reader_in_the_reference_reads_it(path: Path):
    markdown = REFERENCE.read_text("utf-8")
    code = markdown.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(code, names)
    columns, meta = names["decode"](path.read_bytes())
    expected, expected_meta = frames.decode(path.read_bytes())
    assert meta == expected_meta
    assert list(columns) == list(expected)
    for name, column in expected.items():
        assert columns[name].dtype == column.dtype
        np.testing.assert_array_equal(columns[name], column)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_frame_cut_anywhere_is_refused(path: Path):
    whole = path.read_bytes()
    columns, _ = frames.decode(whole)
    # Padding behind the last column may be missing.
    padding = sum(-column.nbytes % 8 for column in list(columns.values())[-1:])
    for length in range(len(whole) - padding):
        with pytest.raises(RequestError):
            frames.decode(whole[:length])


def with_column(**fields: Any) -> bytes:
    listed = {"name": "x", "dtype": "f64", "length": 1, "offset": 0} | fields
    text = json.dumps({"columns": [listed], "meta": {}}).encode()
    text += b" " * (-(12 + len(text)) % 8)
    return b"KYMF\x01\0\0\0" + len(text).to_bytes(4, "little") + text + bytes(8)


def test_a_column_that_can_be_is_read():
    columns, _ = frames.decode(with_column())
    assert columns["x"].tolist() == [0.0]


@pytest.mark.parametrize(
    "fields",
    [
        {"length": -1},
        {"length": 2},
        {"length": 2**62},
        {"offset": -8},
        {"offset": 8},
        {"dtype": "f16"},
        {"dtype": None},
        {"name": 1},
    ],
)
def test_a_column_that_cannot_be_is_refused(fields: dict[str, Any]):
    with pytest.raises(RequestError, match="damaged column frame"):
        frames.decode(with_column(**fields))
