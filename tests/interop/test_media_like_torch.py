"""Images, figures, videos and audio beside PyTorch's own, pixel by pixel and sample by sample."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kymograph.writer.summaries import audio, images
from kymograph.writer.summaries import video as videos

pytestmark = pytest.mark.frameworks

torch = pytest.importorskip("torch", reason="compares with torch")
summary_pb2 = pytest.importorskip("tensorboard.compat.proto.summary_pb2", reason="parses ours")
theirs = pytest.importorskip("torch.utils.tensorboard.summary", reason="compares with torch")
their_pixels = pytest.importorskip("torch.utils.tensorboard._utils", reason="compares with torch")
Image = pytest.importorskip("PIL.Image", reason="decodes images")


def parsed(summary: Any) -> Any:
    """The one value of a summary, ours or theirs, as tensorboard's message."""
    (value,) = summary_pb2.Summary.FromString(summary.SerializeToString()).value
    return value


def pixels(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(Image.open(io.BytesIO(value.image.encoded_image_string)))


def assert_same_image(ours: Any, other: Any) -> None:
    found, expected = parsed(ours), parsed(other)
    np.testing.assert_array_equal(pixels(found), pixels(expected))
    for value in (found, expected):
        value.image.ClearField("encoded_image_string")
    assert found == expected


DTYPES = [
    torch.uint8,
    torch.int64,
    torch.bool,
    torch.float16,
    torch.float32,
    torch.float64,
]


def tensor(*shape: int, dtype: Any = torch.float32) -> Any:
    """Numbers that reach beyond both ends of what can be shown."""
    uniform = torch.rand(shape, generator=torch.Generator().manual_seed(0))
    if dtype == torch.uint8:
        return (uniform * 256).to(dtype)
    return (uniform * 1.4 - 0.2 if dtype.is_floating_point else uniform * 3 - 1).to(dtype)


def layouts() -> Iterator[tuple[str, tuple[int, ...]]]:
    sizes = {"N": 11, "C": 3, "H": 6, "W": 9}
    for letters in ("HW", "CHW", "NCHW"):
        for order in itertools.permutations(letters):
            yield "".join(order), tuple(sizes[letter] for letter in order)


@pytest.mark.parametrize(("letters", "shape"), list(layouts()))
def test_images_of_every_layout(letters: str, shape: tuple[int, ...]):
    for dtype in DTYPES:
        image = tensor(*shape, dtype=dtype)
        ours = images.image("photo", image, dataformats=letters)
        assert_same_image(ours, theirs.image("photo", image, dataformats=letters))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_images_of_every_number_of_channels(channels: int):
    image = tensor(channels, 5, 7)
    assert_same_image(
        images.image("photo", image, dataformats="CHW"),
        theirs.image("photo", image, dataformats="CHW"),
    )


def test_every_float_near_a_step_of_brightness():
    steps = np.arange(256, dtype=np.float32) / np.float32(255)
    near = [steps, np.nextafter(steps, np.float32(2)), np.nextafter(steps, np.float32(-1))]
    image = np.stack(near)
    for array in (image, image.astype(np.float64), image.astype(np.float64) + 1e-12):
        assert_same_image(
            images.image("photo", array, dataformats="HW"),
            theirs.image("photo", array, dataformats="HW"),
        )


@pytest.mark.parametrize("rescale", [0.5, 1.7, 2])
def test_rescaled_images(rescale: float):
    image = tensor(3, 10, 12)
    assert_same_image(
        images.image("photo", image, rescale=rescale, dataformats="CHW"),
        theirs.image("photo", image, rescale=rescale, dataformats="CHW"),
    )


@pytest.mark.parametrize("labels", [None, ["cat", "dog"]])
@pytest.mark.parametrize("rescale", [1, 0.5])
def test_boxes_and_their_labels(labels: list[str] | None, rescale: float):
    image = tensor(3, 60, 80, dtype=torch.uint8)
    boxes = torch.tensor([[5, 8, 40, 30], [20.5, 10, 70, 55.5]])
    assert_same_image(
        images.image_boxes("photo", image, boxes, rescale=rescale, labels=labels),
        theirs.image_boxes("photo", image, boxes, rescale=rescale, labels=labels),
    )


def test_labels_follow_the_rules_of_the_writer():
    image, box = tensor(3, 60, 80), np.array([[5, 8, 60, 50]])
    plain = images.image_boxes("photo", image, box).SerializeToString()
    one = images.image_boxes("photo", image, box, labels=["cat"]).SerializeToString()
    assert one != plain
    assert images.image_boxes("photo", image, box, labels="cat").SerializeToString() == one
    assert images.image_boxes("photo", image, box, labels=["a", "b"]).SerializeToString() == plain


def wrong_images() -> list[tuple[Any, str]]:
    return [
        (np.zeros((3, 4, 4)), "CHWN"),
        (np.zeros((3, 4, 4)), "CCW"),
        (np.zeros((3, 4, 4)), "CcW"),
        (np.zeros((3, 4, 4)), "XHW"),
        (np.zeros((2, 2, 4, 4)), "NCHW"),
        (np.zeros((5, 4, 4)), "CHW"),
        (np.zeros(4), "W"),
        (np.zeros((1, 1, 3, 4, 4)), "NTCHW"),
        (Image.new("RGB", (4, 4)), "HWC"),
        (None, "HWC"),
        ("text", "HWC"),
    ]


@pytest.mark.parametrize(("wrong", "letters"), wrong_images())
def test_wrong_images_raise_the_same(wrong: Any, letters: str):
    with pytest.raises(Exception) as expected:  # noqa: PT011  (whatever torch raises)
        theirs.image("photo", wrong, dataformats=letters)
    with pytest.raises(Exception) as found:  # noqa: PT011
        images.image("photo", wrong, dataformats=letters)
    assert found.type is expected.type


def figure(size: tuple[int, int] = (3, 2)) -> Any:
    pytest.importorskip("matplotlib", reason="draws a figure").use("agg")
    from matplotlib import pyplot

    drawn, axes = pyplot.subplots(figsize=size)
    axes.plot([1, 3, 2])
    return drawn


def test_figures():
    from matplotlib import pyplot

    drawn = figure()
    expected = theirs.image(
        "figure", their_pixels.figure_to_image(drawn, close=False), dataformats="CHW"
    )
    assert_same_image(images.figure("figure", drawn, close=False), expected)
    assert pyplot.fignum_exists(drawn.number)
    images.figure("figure", drawn)
    assert not pyplot.fignum_exists(drawn.number)


def test_figures_side_by_side():
    drawn = [figure(), figure()]
    expected = theirs.image("figure", their_pixels.figure_to_image(drawn, close=False))
    assert_same_image(images.figure("figure", drawn), expected)


def bars(axes: Any) -> None:
    axes.bar(range(8), [3, 1, 4, 1, 5, 9, 2, 6])
    axes.set_title("Bars, and a title")


def lines(axes: Any) -> None:
    x = np.linspace(0, 10, 200)
    for phase in range(5):
        axes.plot(x, np.sin(x + phase), label=f"phase {phase}")
    axes.legend()


def heat_map(axes: Any) -> None:
    axes.imshow(np.random.default_rng(1).random((12, 12)))


@pytest.mark.parametrize("draw", [bars, lines, heat_map])
def test_figures_take_no_more_bytes_than_those_of_torch(draw: Any):
    """At the size that matplotlib makes them by default, where flat areas decide."""
    pytest.importorskip("matplotlib", reason="draws a figure").use("agg")
    from matplotlib import pyplot

    drawn, axes = pyplot.subplots()
    draw(axes)
    picture = their_pixels.figure_to_image(drawn, close=False)
    expected = parsed(theirs.image("figure", picture, dataformats="CHW"))
    found = parsed(images.figure("figure", drawn))
    size = len(found.image.encoded_image_string) / len(expected.image.encoded_image_string)
    assert size < 1.05


def test_wrong_figures_raise_the_same():
    with pytest.raises(ValueError, match="shape"):
        images.figure("figure", [figure(), figure((2, 2))])
    with pytest.raises(AttributeError):
        images.figure("figure", (figure(),))


def gif_pixels(value: Any) -> np.ndarray[Any, Any]:
    from PIL import ImageSequence

    film = Image.open(io.BytesIO(value.image.encoded_image_string))
    return np.stack([np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(film)])


def their_frames(video: Any) -> np.ndarray[Any, Any]:
    """What torch gives to moviepy."""
    prepared = their_pixels._prepare_video(theirs.make_np(video)).astype(np.float32)
    scaled: np.ndarray[Any, Any] = prepared * theirs._calc_scale_factor(prepared)
    return scaled.clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 17])
@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32, torch.float64])
def test_frames_of_videos(count: int, dtype: Any):
    # Few colours, so that the GIF is exact: one step of brightness each.
    steps = (torch.arange(count * 2 * 3 * 4 * 5) * 29 % 7).reshape(count, 2, 3, 4, 5)
    video = (steps * 40).to(torch.uint8)
    if dtype != torch.uint8:
        video = (video / 255).to(dtype)
    found = gif_pixels(parsed(videos.video("film", video)))
    np.testing.assert_array_equal(found, their_frames(video))


@pytest.mark.parametrize("container", ["mp4", "webm"])
def test_videos_by_ffmpeg_show_the_frames(container: Any, tmp_path: Any):
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="brings ffmpeg")
    ramp = torch.linspace(0, 1, 33 * 65).reshape(1, 1, 1, 33, 65)
    video = torch.cat([ramp, 1 - ramp, ramp, 1 - ramp], 1)
    value = parsed(videos.video("film", video, fps=2, format=container))
    assert (value.image.height, value.image.width, value.image.colorspace) == (33, 65, 3)
    file = tmp_path / f"film.{container}"
    file.write_bytes(value.image.encoded_image_string)
    reader = imageio_ffmpeg.read_frames(str(file))
    meta = next(reader)
    assert (meta["fps"], meta["duration"], meta["size"]) == (2, 2, (66, 34))
    frames = [np.frombuffer(frame, np.uint8).reshape(34, 66, 3) for frame in reader]
    assert len(frames) == 4
    expected = (video[0, :, 0].numpy() * 255).astype(int)
    for frame, picture in zip(frames, expected, strict=True):
        assert np.abs(frame[:33, :65, 0].astype(int) - picture).mean() < 6


@pytest.mark.filterwarnings("ignore:audio is not between")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.bool])
@pytest.mark.parametrize("shape", [(50,), (1, 50), (50, 1)])
def test_audio_of_one_channel(dtype: Any, shape: tuple[int, ...]):
    for loudness in (1, 3):
        sound = (torch.linspace(-1, 1, 50) * loudness).to(dtype).reshape(shape)
        found, expected = audio.audio("sound", sound, 8000), theirs.audio("sound", sound, 8000)
        assert parsed(found) == parsed(expected)


@pytest.mark.parametrize("wrong", [np.zeros((3, 4)), np.zeros((1, 1)), np.zeros(0), None])
def test_wrong_audio_raises_the_same(wrong: Any):
    with pytest.raises(Exception) as expected:  # noqa: PT011  (whatever torch raises)
        theirs.audio("sound", wrong)
    with pytest.raises(Exception) as found:  # noqa: PT011
        audio.audio("sound", wrong)
    assert found.type is expected.type
