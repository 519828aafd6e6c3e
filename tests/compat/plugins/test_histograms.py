"""Every histogram, in TensorBoard's words."""

import os

from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
ABOUT = event_files.metadata("histograms")


def test_buckets_are_left_right_count(tmp_path):
    rows = event_files.double_tensor(0.0, 1.0, 2.0, 1.0, float("inf"), 3.0, shape=[2, 3])
    event_files.write(tmp_path / "run", event_files.value("weights", rows, ABOUT, step=1))
    with servers.ours(tmp_path) as url:
        client = Client(url)
        entry = {"displayName": "", "description": ""}
        assert client.get("plugin/histograms/tags").json() == {"run": {"weights": entry}}
        answer = client.get("plugin/histograms/histograms", run="run", tag="weights").json()
    assert answer == [[START + 1, 1, [[0.0, 1.0, 2.0], [1.0, "Infinity", 3.0]]]]


def test_more_than_tensorboards_51_are_answered(tmp_path):
    rows = event_files.double_tensor(0.0, 1.0, 2.0, shape=[1, 3])
    events = [event_files.value("weights", rows, ABOUT, step=step) for step in range(60)]
    event_files.write(tmp_path / "run", *events)
    with servers.ours(tmp_path) as url:
        answer = Client(url).get("plugin/histograms/histograms", run="run", tag="weights").json()
    assert [step for _, step, _ in answer] == list(range(60))


def test_one_that_is_overwritten_is_left_out_and_the_others_are_answered(tmp_path):
    def rows(count: float) -> bytes:
        return event_files.double_tensor(0.0, 1.0, count, shape=[1, 3])

    # Longer than what is read at load, so that it is checked only when it is asked for.
    padding = event_files.metadata("histograms", bytes(10_000))
    events = [event_files.value("weights", rows(n), padding, step=n) for n in range(3)]
    path = event_files.write(tmp_path / "run", *events)
    with servers.ours(tmp_path) as url:
        client = Client(url)
        whole = client.get("plugin/histograms/histograms", run="run", tag="weights").json()
        assert [step for _, step, _ in whole] == [0, 1, 2]
        with path.open("r+b") as file:
            file.seek(-len(events[2]) - 100, os.SEEK_END)  # in the second
            file.write(b"\xff")
        answer = client.get("plugin/histograms/histograms", run="run", tag="weights").json()
    assert [step for _, step, _ in answer] == [0, 2]
