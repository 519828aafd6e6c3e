"""Experiments and their sessions, in TensorBoard's words."""

import json

import pytest

import kymograph
from tests import event_files
from tests.compat import corpus, servers
from tests.compat.tensorboard_client import SESSIONS, Client

START = event_files.START
EXPERIMENT, GROUPS = "plugin/hparams/experiment", "plugin/hparams/session_groups"
LR, LOSS = {"hparam": "lr"}, {"metric": {"group": "", "tag": "loss"}}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    logdir = tmp_path_factory.mktemp("logdir")
    corpus.write_sessions(logdir)
    with servers.ours(logdir) as url:
        yield Client(url)


def names(client, **request):
    answer = client.post_json(GROUPS, {**SESSIONS, **request})
    assert answer.status == 200, answer
    return [group["name"] for group in answer.json()["sessionGroups"]]


def test_what_no_experiment_describes_is_taken_from_the_sessions(client):
    answer = client.get(EXPERIMENT, request="{}").json()
    words = {"displayName": "", "description": ""}
    number, text = {"type": "DATA_TYPE_FLOAT64"}, {"type": "DATA_TYPE_STRING"}
    lr = {"minValue": 0.1, "maxValue": 0.1 * 3}
    nan, tiny = {"minValue": "NaN", "maxValue": "NaN"}, {"minValue": 1e-7, "maxValue": 1e-7}
    assert [{**one, **words} for one in answer["hparamInfos"]] == answer["hparamInfos"]
    assert [
        {key: value for key, value in one.items() if key not in words}
        for one in answer["hparamInfos"]
    ] == [
        {"name": "lr", **number, "differs": True, "domainInterval": lr},
        {"name": "mixed", **text, "differs": True, "domainDiscrete": ["5.0", "x_1%"]},
        {
            "name": "nesterov",
            "type": "DATA_TYPE_BOOL",
            "differs": True,
            "domainDiscrete": [False, True],
        },
        {"name": "optimizer", **text, "differs": True, "domainDiscrete": ["adam", "sgd"]},
        {"name": "odd", **number, "differs": False, "domainInterval": nan},
        {"name": "same", **number, "differs": False, "domainInterval": tiny},
    ]
    assert [one["name"] for one in answer["metricInfos"]] == [
        {"group": "", "tag": "acc"},
        {"group": "", "tag": "loss"},
        {"group": "eval", "tag": "loss"},
    ]
    limited = client.post_json(EXPERIMENT, {"hparamsLimit": 1, "includeMetrics": False}).json()
    assert [one["name"] for one in limited["hparamInfos"]] == ["lr"]
    assert limited["metricInfos"] == []


def test_sessions_are_grouped_and_measured_by_their_last_values(client):
    answer = client.post_json(GROUPS, SESSIONS).json()
    assert answer["totalSize"] == 4
    groups = {group["name"]: group for group in answer["sessionGroups"]}
    assert {name: len(group["sessions"]) for name, group in groups.items()} == {
        "a": 2,
        "b": 1,
        "c": 1,
        "session3": 1,
    }
    assert groups["b"] == {
        "name": "b",
        "hparams": {
            "lr": 0.2,
            "optimizer": "sgd",
            "nesterov": False,
            "mixed": "x_1%",
            "same": 1e-7,
        },
        "monitorUrl": "http://example.org/",
        "metricValues": groups["b"]["sessions"][0]["metricValues"],
        "sessions": [
            {
                "name": "session2",
                "startTimeSecs": START + 2,
                "endTimeSecs": START + 100,
                "status": "STATUS_FAILURE",
                "modelUri": "model 2",
                "monitorUrl": "http://example.org/",
                "metricValues": [
                    {
                        "name": {"group": "", "tag": "loss"},
                        "value": pytest.approx(1 / 7),
                        "trainingStep": 4,
                        "wallTimeSecs": START + 4,
                    },
                    {
                        "name": {"group": "eval", "tag": "loss"},
                        "value": 2.0,
                        "trainingStep": 2,
                        "wallTimeSecs": START + 2,
                    },
                ],
            }
        ],
    }
    # The mean of two sessions, one of which went on for a step more.
    loss = next(one for one in groups["a"]["metricValues"] if one["name"]["tag"] == "loss")
    assert loss["value"] == pytest.approx((1 / 3 + 1 / 5) / 2)
    assert (loss["trainingStep"], loss["wallTimeSecs"]) == (2, START + 2.5)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({}, ["a", "b", "c", "session3"]),
        ({"sliceSize": 0}, []),
        ({"startIndex": 1, "sliceSize": 2}, ["b", "c"]),
        ({"allowedStatuses": ["STATUS_SUCCESS", 3]}, ["a", "session3"]),
        ({"colParams": [{**LR, "order": "ORDER_DESC"}]}, ["c", "b", "a", "session3"]),
        (
            {"col_params": [{**LR, "order": 1, "missing_values_first": True}]},
            ["session3", "a", "b", "c"],
        ),
        (
            {"colParams": [{"hparam": "nesterov", "order": 1}, {**LOSS, "order": 2}]},
            ["b", "session3", "a", "c"],
        ),
        (
            {"colParams": [{**LR, "filterInterval": {"minValue": 0.2, "maxValue": 1}}]},
            ["b", "c", "session3"],
        ),
        ({"colParams": [{**LR, "excludeMissingValues": True}]}, ["a", "b", "c"]),
        ({"colParams": [{"hparam": "optimizer", "filterRegexp": "d.m$"}]}, ["a", "c"]),
        ({"colParams": [{"hparam": "mixed", "filterDiscrete": [5.0]}]}, ["a", "session3"]),
    ],
)
def test_groups_are_filtered_sorted_and_sliced(client, request_, expected):
    assert names(client, **request_) == expected


@pytest.mark.parametrize(
    ("aggregation", "value"),
    [("AGGREGATION_MIN", 0.0), ("AGGREGATION_MAX", 1.0), ("AGGREGATION_MEDIAN", 0.0), (1, 0.5)],
)
def test_group_is_measured_as_asked(client, aggregation, value):
    metric = {"group": "eval", "tag": "loss"}
    request = {**SESSIONS, "aggregationType": aggregation, "aggregationMetric": metric}
    group = client.post_json(GROUPS, request).json()["sessionGroups"][0]
    assert [one["value"] for one in group["metricValues"] if one["name"] == metric] == [value]


@pytest.mark.parametrize(
    "request_",
    [
        {"nothing": 1},
        {"allowedStatuses": ["DONE"]},
        {"aggregationType": 9},
        {"colParams": [{"order": 1}]},
        {"colParams": [{**LR, "order": "UPWARDS"}]},
        {"colParams": [{**LR, "filterRegexp": "a"}]},
        {"colParams": [{"hparam": "optimizer", "filterRegexp": "("}]},
        {"colParams": [{"hparam": "optimizer", "filterInterval": {}}]},
        {"colParams": [{"hparam": "mixed", "order": 1}]},
        {"colParams": [LR] * 1001},
        {"sliceSize": "many"},
    ],
)
def test_invalid_input_is_refused(client, request_):
    assert client.post_json(GROUPS, {**SESSIONS, **request_}).status == 400


def test_what_is_no_request_is_refused(client):
    assert client.get(GROUPS).status == 400
    assert client.get(GROUPS, request="[").status == 400
    assert client.post_json(GROUPS, []).status == 400
    assert client.get("plugin/hparams/download_data", format="xml").status == 400


def test_metric_of_a_session_is_found_below_it(client):
    request = {"sessionName": "session1", "metricName": {"group": "eval", "tag": "loss"}}
    answer = client.post_json("plugin/hparams/metric_evals", request).json()
    assert answer == [[START + 2, 2, 1.0]]
    unknown = {"sessionName": "session1", "metricName": {"tag": "nothing"}}
    assert client.post_json("plugin/hparams/metric_evals", unknown).status == 404


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("csv", b"lr,mixed,acc\r\n0.2,x_1%,\r\n0.30000000000000004,x_1%,1.0\r\n"),
        ("json", b'{"header":["lr","mixed","acc"],"rows":'),
        (
            "latex",
            b"\\begin{table}[tbp]\n\\begin{tabular}{lll}\nlr & mixed & acc \\\\ \\hline\n"
            b"$0.2$ & x\\_1\\% & - \\\\\n$0.3$ & x\\_1\\% & $1$ \\\\\n"
            b"\\hline\n\\end{tabular}\n\\end{table}\n",
        ),
    ],
)
def test_table_is_downloaded(client, form, expected):
    shown = [True, True, False, False, False, False, True]
    request = {**SESSIONS, "startIndex": 1, "sliceSize": 2}
    answer = client.get(
        "plugin/hparams/download_data",
        format=form,
        columnsVisibility=json.dumps(shown),
        request=json.dumps(request),
    )
    assert answer.status == 200
    assert answer.body.startswith(expected)


def test_experiments_of_several_runs_are_one(tmp_path):
    """Of several TensorBoard takes any, and the columns of the others are not there."""
    with kymograph.SummaryWriter(tmp_path) as writer:
        writer.add_hparams({"lr": 0.1}, {"loss": 1.0}, run_name="a")
        writer.add_hparams({"lr": 0.2, "layers": 3}, {"acc": 0.5}, run_name="b")
    with servers.ours(tmp_path) as url:
        answer = Client(url).get(EXPERIMENT, request="{}").json()
    assert {one["name"] for one in answer["hparamInfos"]} == {"lr", "layers"}
    assert {one["name"]["tag"] for one in answer["metricInfos"]} == {"loss", "acc"}
