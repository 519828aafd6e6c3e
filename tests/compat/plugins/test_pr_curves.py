"""Every PR curve, in TensorBoard's words."""

from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
# TP, FP, TN, FN, precision, recall at three thresholds; at the last nothing is positive.
CURVE = [3.0, 2.0, 0.0, 4.0, 1.0, 0.0, 0.0, 3.0, 4.0, 0.0, 1.0, 3.0, 0.5, 0.75, 0.0, 1.0, 0.5, 0.0]


def write(folder, *numbers):
    matrix = event_files.double_tensor(*numbers, shape=[6, len(numbers) // 6])
    about = event_files.metadata("pr_curves")
    event_files.write(folder, event_files.value("pr", matrix, about, step=1))


def test_curve_ends_where_nothing_is_positive(tmp_path):
    write(tmp_path / "a", *CURVE)
    write(tmp_path / "b", *[0.0] * 12)
    with servers.ours(tmp_path) as url:
        client = Client(url)
        entry = {"displayName": "", "description": ""}
        assert client.get("plugin/pr_curves/tags").json() == {
            "a": {"pr": entry},
            "b": {"pr": entry},
        }
        answer = client.get("plugin/pr_curves/pr_curves", run=["a", "b"], tag="pr").json()
    assert answer["a"] == [
        {
            "wall_time": START + 1,
            "step": 1,
            "true_positives": [3, 2],
            "false_positives": [4, 1],
            "true_negatives": [0, 3],
            "false_negatives": [0, 1],
            "precision": [0.5, 0.75],
            "recall": [1.0, 0.5],
            "thresholds": [0.0, 0.5],
        }
    ]
    assert answer["b"][0]["thresholds"] == [0.0]


def test_every_run_must_have_the_tag(tmp_path):
    write(tmp_path / "a", *CURVE)
    with servers.ours(tmp_path) as url:
        answer = Client(url).get("plugin/pr_curves/pr_curves", run=["a", "b"], tag="pr")
    assert answer.status == 400
