"""Every histogram, in TensorBoard's words."""

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
