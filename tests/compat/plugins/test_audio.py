"""Every clip, with a type found in its bytes, in TensorBoard's terms."""

import numpy as np
import pytest

import kymograph
from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START


def test_clips_are_listed_and_fetched(tmp_path):
    with kymograph.SummaryWriter(tmp_path / "run") as writer:
        writer.add_audio("clip", np.zeros(4), 1, 8000, START)
    with servers.ours(tmp_path) as url:
        client = Client(url)
        entry = {"displayName": "", "description": "", "samples": 1}
        assert client.get("plugin/audio/tags").json() == {"run": {"clip": entry}}
        [item] = client.get("plugin/audio/audio", run="run", tag="clip", sample=0).json()
        query = item.pop("query")
        expected = {"wall_time": START, "step": 1, "label": "", "contentType": "audio/wav"}
        assert item == expected
        answer = client.get(f"plugin/audio/individualAudio?{query}")
        assert client.get("plugin/audio/audio", run="run", tag="clip", sample=1).json() == []
        refused = query.replace("audio%2Fwav", "text%2Fhtml")
        assert client.get(f"plugin/audio/individualAudio?{refused}").status == 400
    assert (answer.content_type, answer.body[:4]) == ("audio/wav", b"RIFF")


@pytest.mark.parametrize(
    ("clip", "content_type"),
    [
        (b"OggS...", "audio/ogg"),
        (b"fLaC...", "audio/flac"),
        (b"ID3...", "audio/mpeg"),
        (b"<script>", "application/octet-stream"),
    ],
)
def test_type_is_found_in_the_bytes(tmp_path, clip, content_type):
    strings = event_files.string_tensor(clip, b"label", shape=[1, 2])
    about = event_files.metadata("audio")
    event_files.write(tmp_path / "run", event_files.value("clip", strings, about, step=1))
    with servers.ours(tmp_path) as url:
        [item] = Client(url).get("plugin/audio/audio", run="run", tag="clip").json()
        answer = Client(url).get(f"plugin/audio/individualAudio?{item['query']}")
    assert item["contentType"] == content_type
    assert (answer.content_type, answer.body) == (content_type, clip)
