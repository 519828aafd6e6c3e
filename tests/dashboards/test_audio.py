"""Clips as waveforms and spectrograms, of every format, and what is wrong with broken ones."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kymograph.asgi import frames
from tests import event_files
from tests.event_files import metadata, string_tensor, value
from tests.server.boards import ROOT, BoardClient, served

RATE = 8000
TONE = np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE)
PCM, FLOAT = 1, 3


def wav(
    samples: bytes,
    *,
    kind: int = PCM,
    channels: int = 1,
    rate: int = RATE,
    bits: int = 16,
    claimed: int | None = None,
) -> bytes:
    frame = channels * bits // 8
    fmt = struct.pack("<HHIIHH", kind, channels, rate, rate * frame % 2**32, frame % 2**16, bits)
    size = len(samples) if claimed is None else claimed
    body = b"WAVEfmt \x10\0\0\0" + fmt + b"data" + struct.pack("<I", size) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pcm16(samples: Any) -> bytes:
    return (np.asarray(samples) * 32_000).astype("<i2").tobytes()


STEREO = np.stack([TONE, 0.25 * TONE], axis=1)
CLIPS = {
    "tone": wav(pcm16(TONE)),
    "stereo": wav(pcm16(STEREO), channels=2),
    "float": wav((0.5 * TONE).astype("<f4").tobytes(), kind=FLOAT, bits=32),
    "double": wav((0.5 * TONE).astype("<f8").tobytes(), kind=FLOAT, bits=64),
    "int24": wav(b"\0\0\x40" * 100, bits=24),
    "int8": wav(bytes([128, 192] * 50), bits=8),
    "nan": wav(np.array([np.nan, 0.5], "<f4").tobytes(), kind=FLOAT, bits=32),
    "longer than it is": wav(pcm16(TONE), claimed=10**9),
    "silence": wav(bytes(2 * RATE)),
    "empty": b"",
    "cut off": wav(pcm16(TONE))[:20],
    "no format": b"RIFF\0\0\0\0WAVEdata\x04\0\0\0\0\0\0\0",
    "rate 0": wav(pcm16(TONE), rate=0),
    "no channels": wav(pcm16(TONE), channels=0),
    "65535 channels": wav(pcm16(TONE), channels=65_535),
    "adpcm": wav(bytes(100), kind=17, bits=4),
    "no samples": wav(b""),
    "words": b"this is not a sound",
    "broken flac": b"fLaC" + bytes(100),
    "broken ogg": b"OggS" + bytes(100),
    "broken mp3": b"\xff\xfb" + bytes(100),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardClient]:
    logdir = tmp_path_factory.mktemp("logdir")
    kind = metadata("audio")
    events = [
        value(tag, kind, string_tensor(clip), step=step)
        for step, (tag, clip) in enumerate(CLIPS.items())
    ]
    both = string_tensor(CLIPS["words"], CLIPS["tone"])
    event_files.write(logdir / "run", *events, value("two", kind, both, step=0))
    with served(logdir) as client:
        yield client


def asked(client: BoardClient, tag: str, what: str, **query: Any) -> Any:
    address = client.board.store["run"].blobs(tag, "audio")[0].address
    path = f"{ROOT}/audio/{client.board.instance}/{address}/{what}"
    return client.get(path, params=query)


def drawn(client: BoardClient, tag: str, what: str, **query: Any) -> tuple[Any, Any]:
    answer = asked(client, tag, what, **query)
    assert answer.status_code == 200, answer.text
    return frames.decode(answer.content)


def test_a_waveform_has_the_extremes_of_its_columns(client):
    columns, meta = drawn(client, "stereo", "waveform", columns=50)
    samples = (STEREO * 32_000).astype("<i2") / 32_768
    parts = samples.reshape(50, -1, 2)
    np.testing.assert_allclose(columns["min"], parts.min(axis=1).T.ravel(), atol=1e-6)
    np.testing.assert_allclose(columns["max"], parts.max(axis=1).T.ravel(), atol=1e-6)
    facts = {name: meta[name] for name in ("sample_rate", "channels", "frames", "items", "note")}
    assert facts == {"sample_rate": RATE, "channels": 2, "frames": RATE, "items": 1, "note": None}
    assert meta["encoding"] == "WAV, 16 bit"


@pytest.mark.parametrize(
    ("tag", "encoding", "peak"),
    [
        ("float", "WAV, 32 bit float", 0.5),
        ("double", "WAV, 64 bit float", 0.5),
        ("int24", "WAV, 24 bit", 0.5),
        ("int8", "WAV, 8 bit", 0.5),
    ],
)
def test_samples_of_every_kind_are_drawn(client, tag, encoding, peak):
    _, meta = drawn(client, tag, "waveform")
    assert (meta["encoding"], meta["peak"]) == (encoding, pytest.approx(peak, abs=1e-3))


def test_the_loudness_of_half_the_amplitude_is_six_decibels_less(client):
    loud, half = (drawn(client, tag, "waveform")[1]["loudness"] for tag in ("tone", "float"))
    assert loud - half == pytest.approx(20 * np.log10(32_000 / 32_768 / 0.5), abs=0.05)
    assert drawn(client, "silence", "waveform")[1]["loudness"] is None


def test_what_is_odd_is_drawn_and_said(client):
    _, meta = drawn(client, "longer than it is", "waveform")
    assert meta["frames"] == RATE
    assert meta["note"].startswith("The header claims 62499")
    _, meta = drawn(client, "nan", "waveform")
    assert (meta["not_finite"], meta["peak"]) == (1, 0.5)


@pytest.mark.parametrize("scale", ["mel", "log"])
def test_a_tone_is_bright_where_its_frequency_is(client, scale):
    columns, meta = drawn(client, "tone", "spectrogram", columns=40, rows=64, scale=scale)
    levels = columns["levels"].reshape(meta["columns"], meta["rows"])
    assert levels.shape == (40, 64)
    row = int(levels[20].argmax())
    low, high = columns["edges"][row], columns["edges"][row + 1]
    bin_width = RATE / meta["window"]
    assert low - bin_width <= 440 <= high + bin_width
    # A sine of full scale is the highest level.
    assert levels[20, row] > 240
    assert (drawn(client, "silence", "spectrogram")[0]["levels"] == 0).all()


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("empty", "the clip is empty"),
        ("cut off", "the WAV header is incomplete"),
        ("no format", "there is no format before the samples"),
        ("rate 0", "a sample rate of 0 Hz"),
        ("no channels", "claims 0 channels"),
        ("65535 channels", "claims 65535 channels"),
        ("adpcm", "WAV format 17 with 4 bits"),
        ("no samples", "the clip has no samples"),
        ("words", "of no known format"),
        ("broken flac", "the clip"),
        ("broken ogg", "the clip"),
        ("broken mp3", "the clip"),
    ],
)
def test_a_broken_clip_gets_a_sentence_and_its_bytes_are_there(client, tag, sentence):
    for what in ("waveform", "spectrogram"):
        answer = asked(client, tag, what)
        assert answer.status_code == 410
        assert sentence in answer.json()["error"]
    address = client.board.store["run"].blobs(tag, "audio")[0].address
    path = f"{ROOT}/blobs/{client.board.instance}/{address}"
    assert client.get(path, params={"as": "item"}).content == CLIPS[tag]


def test_a_clip_beside_a_broken_one_is_drawn(client):
    assert asked(client, "two", "waveform").status_code == 410
    assert drawn(client, "two", "waveform", item=1)[1]["items"] == 2
    assert "there is no clip 2: the value has 2" in asked(client, "two", "waveform", item=2).text


@pytest.mark.parametrize(
    "query", [{"columns": 0}, {"columns": 10**9}, {"item": -1}, {"scale": "linear"}, {"rows": 9999}]
)
def test_what_cannot_be_asked_for_is_refused(client, query):
    assert asked(client, "tone", "spectrogram", **query).status_code == 400


def test_drawings_are_kept_for_ever(client):
    answer = asked(client, "tone", "waveform")
    assert "immutable" in answer.headers["cache-control"]
    address = client.board.store["run"].blobs("tone", "audio")[0].address
    path = f"{ROOT}/audio/{client.board.instance}/{address}/waveform"
    again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert client.get(path.replace(client.board.instance, "0" * 16)).status_code == 410


def test_what_is_no_audio_is_not_drawn(tmp_path):
    event_files.write(
        tmp_path / "run", value("note", metadata("text"), string_tensor(b"a"), step=0)
    )
    with served(tmp_path) as client:
        address = client.board.store["run"].blobs("note")[0].address
        path = f"{ROOT}/audio/{client.board.instance}/{address}/waveform"
        assert client.get(path).json()["error"] == "the value is not audio"
