"""The files an embedding becomes, and the config that keeps what was there before."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kymograph.writer.summaries import projector
from tests.interop.stdlib_media import png_pixels

MAT = np.array([[0.1, 2], [3, -1e-8], [np.nan, np.inf]], np.float32)


def config(logdir: Path) -> str:
    return (logdir / "projector_config.pbtxt").read_text("utf-8")


def names(logdir: Path) -> list[str]:
    return re.findall(r'tensor_name: "(.*)"', config(logdir))


def files(logdir: Path) -> list[str]:
    return sorted(str(p.relative_to(logdir)) for p in logdir.rglob("*") if p.is_file())


def test_points_are_a_row_each(tmp_path: Path):
    projector.write_embedding(tmp_path, MAT, global_step=7)
    assert files(tmp_path) == ["00007/default/tensors.tsv", "projector_config.pbtxt"]
    table = (tmp_path / "00007/default/tensors.tsv").read_text()
    assert table == "0.10000000149011612\t2.0\n3.0\t-9.99999993922529e-09\nnan\tinf\n"
    assert config(tmp_path) == (
        "embeddings {\n"
        '  tensor_name: "default:00007"\n'
        '  tensor_path: "00007/default/tensors.tsv"\n'
        "}\n"
    )


def test_labels_header_and_pictures(tmp_path: Path):
    images = np.zeros((3, 1, 2, 2), np.uint8)
    images[2] = 200
    projector.write_embedding(
        tmp_path, MAT, [("a", 1), ("b", 2), ("ü", 3)], images, metadata_header=["name", "id"]
    )
    folder = tmp_path / "00000/default"
    assert (folder / "metadata.tsv").read_text("utf-8") == "name\tid\na\t1\nb\t2\nü\t3\n"
    pixels = png_pixels((folder / "sprite.png").read_bytes())
    expected = np.zeros((4, 4, 3), np.uint8)
    expected[2:, :2] = 200
    assert (pixels == expected).all()
    assert config(tmp_path) == (
        "embeddings {\n"
        '  tensor_name: "default:00000"\n'
        '  metadata_path: "00000/default/metadata.tsv"\n'
        "  sprite {\n"
        '    image_path: "00000/default/sprite.png"\n'
        "    single_image_dim: 2\n"
        "    single_image_dim: 2\n"
        "  }\n"
        '  tensor_path: "00000/default/tensors.tsv"\n'
        "}\n"
    )


@pytest.mark.parametrize(
    ("images", "shade"),
    [
        (np.full((3, 3, 2, 2), 0.5, np.float32), 127),
        (np.full((3, 3, 2, 2), 1.5), 255),
        (np.full((3, 3, 2, 2), -1.0), 0),
        (np.full((3, 3, 2, 2), np.nan), 0),
        (np.full((3, 3, 2, 2), 77, np.uint8), 77),
        (np.full((3, 3, 2, 2), True), 255),
    ],
)
def test_pictures_are_scaled_by_their_type(tmp_path: Path, images: Any, shade: int):
    projector.write_embedding(tmp_path, MAT, label_img=images)
    pixels = png_pixels((tmp_path / "00000/default/sprite.png").read_bytes())
    assert (pixels[:2] == shade).all()
    assert (pixels[2:, 2:] == 0).all()


@pytest.mark.parametrize(
    ("height", "width", "size"), [(1, 2, (4, 4)), (3, 2, (6, 4)), (2, 2, (4, 4))]
)
def test_pictures_need_not_be_square(tmp_path: Path, height: int, width: int, size: Any):
    images = np.arange(3, dtype=np.uint8).reshape(3, 1, 1, 1).repeat(height, 2).repeat(width, 3)
    projector.write_embedding(tmp_path, MAT, label_img=images)
    pixels = png_pixels((tmp_path / "00000/default/sprite.png").read_bytes())
    assert pixels.shape == (*size, 3)
    assert (pixels[:height, width:] == 1).all()
    assert (pixels[height : 2 * height, :width] == 2).all()


def test_entries_of_earlier_processes_stay(tmp_path: Path):
    for step, tag in [(0, "a"), (0, "b/c"), (1, "a")]:
        projector.write_embedding(tmp_path, MAT, global_step=step, tag=tag)
    assert names(tmp_path) == ["a:00000", "b/c:00000", "a:00001"]
    assert "00000/b%2fc/tensors.tsv" in files(tmp_path)


def test_the_same_tag_and_step_again_takes_the_place(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    for tag in ["a", "b"]:
        projector.write_embedding(tmp_path, MAT, ["x", "y", "z"], tag=tag)
    assert caplog.records == []
    projector.write_embedding(tmp_path, MAT[:1], tag="a")
    assert names(tmp_path) == ["b:00000", "a:00000"]
    assert config(tmp_path).count("metadata_path") == 1
    assert (tmp_path / "00000/a/tensors.tsv").read_text().count("\n") == 1
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "global_step" in record.message


def test_what_others_wrote_into_the_config_stays(tmp_path: Path):
    theirs = (
        'model_checkpoint_path: "model}" # embeddings { }\n'
        "embeddings <\n  tensor_name: 'layer'\n  bookmarks_path: \"x{\"\n>\n"
        'embeddings { tensor_name: "\\303\\274:00000" sprite { image_path: "tensor_name" } } '
        'embeddings: { tensor_name: "end" }'
    )
    (tmp_path / "projector_config.pbtxt").write_text(theirs)
    projector.write_embedding(tmp_path, MAT, tag="ü")
    before, _, rest = theirs.partition('embeddings { tensor_name: "\\303')
    kept = before + " " + rest[rest.index("embeddings:") :] + "\n"
    assert config(tmp_path).startswith(kept)
    assert names(tmp_path)[-1] == "ü:00000"


@pytest.mark.parametrize("theirs", ["embeddings {\n", "}\n"])
def test_a_config_that_is_none_is_put_aside(
    tmp_path: Path, theirs: str, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "projector_config.pbtxt").write_text(theirs)
    projector.write_embedding(tmp_path, MAT)
    assert names(tmp_path) == ["default:00000"]
    assert (tmp_path / "projector_config.pbtxt.damaged").read_text() == theirs
    assert "creating a new one" in caplog.text


def test_tags_are_quoted(tmp_path: Path):
    tag = 'a"b\\c\n%'
    for _ in range(2):
        projector.write_embedding(tmp_path, MAT, tag=tag)
    assert names(tmp_path) == ['a\\"b\\\\c\\012%:00000']
    assert (tmp_path / '00000/a"b%5cc\n%25/tensors.tsv').exists()


def test_an_empty_tag_has_no_folder_of_its_own(tmp_path: Path):
    projector.write_embedding(tmp_path, MAT, tag="")
    assert '"00000/tensors.tsv"' in (tmp_path / "projector_config.pbtxt").read_text("utf-8")
    assert (tmp_path / "00000/tensors.tsv").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        {"mat": np.zeros(3)},
        {"mat": MAT, "metadata": ["a"]},
        {"mat": MAT, "metadata": [("a", "b")] * 3, "metadata_header": ["one"]},
        {"mat": MAT, "label_img": np.zeros((2, 3, 4, 4))},
        {"mat": MAT, "label_img": np.zeros((3, 2, 4, 4))},
        {"mat": MAT, "label_img": np.zeros((3, 4, 4))},
    ],
)
def test_what_does_not_fit_leaves_no_files(tmp_path: Path, arguments: dict[str, Any]):
    with pytest.raises(AssertionError):
        projector.write_embedding(tmp_path, **arguments)
    assert files(tmp_path) == []


def test_a_file_in_the_way(tmp_path: Path):
    (tmp_path / "00000").mkdir()
    (tmp_path / "00000/default").touch()
    with pytest.raises(NotADirectoryError):
        projector.write_embedding(tmp_path, MAT)


# A limit on the size of files is as a full disk.
FULL_DISK = """
import resource, sys
from kymograph.writer.summaries import projector

resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
projector.write_embedding(sys.argv[1], [[1.0]], tag="small")
projector.write_embedding(sys.argv[1], [[1.0]] * 1000, tag="large", strict=len(sys.argv) > 2)
"""


def test_a_full_disk_is_reported_and_training_continues(tmp_path: Path):
    pytest.importorskip("resource", reason="this system has no limits on the size of files")
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "could not be written" in finished.stderr
    assert names(tmp_path) == ["small:00000"]
    failed = subprocess.run([*command, "strict"], capture_output=True, text=True, check=False)
    assert failed.returncode == 1
    assert "WriteError: an embedding could not be written" in failed.stderr
