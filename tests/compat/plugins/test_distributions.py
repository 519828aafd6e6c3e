"""Histograms as the values at nine basis points, in TensorBoard's words."""

from tests import event_files
from tests.compat import servers
from tests.compat.tensorboard_client import Client

START = event_files.START
POINTS = [0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000]


def asked(folder, *numbers):
    rows = event_files.double_tensor(*numbers, shape=[len(numbers) // 3, 3])
    about = event_files.metadata("histograms")
    event_files.write(folder / "run", event_files.value("weights", rows, about, step=1))
    with servers.ours(folder) as url:
        client = Client(url)
        assert list(client.get("plugin/distributions/tags").json()["run"]) == ["weights"]
        [[wall_time, step, values]] = client.get(
            "plugin/distributions/distributions", run="run", tag="weights"
        ).json()
    assert (wall_time, step) == (START + 1, 1)
    return values


def test_values_are_interpolated_inside_buckets(tmp_path):
    assert asked(tmp_path, 0.0, 10000.0, 5.0) == [[point, float(point)] for point in POINTS]


def test_empty_histogram_is_zero(tmp_path):
    assert asked(tmp_path) == [[point, 0.0] for point in POINTS]


def test_nothing_counted_lies_at_the_last_edge(tmp_path):
    assert asked(tmp_path, 0.0, 1.0, 0.0, 1.0, 2.0, 0.0) == [[point, 2.0] for point in POINTS]
