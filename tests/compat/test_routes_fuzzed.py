"""Nothing that is asked of TensorBoard's routes is a fault of the server."""

import json
import random

import httpx

from kymograph.compat.routes import paths
from tests.compat import corpus, servers

NAMES = ["run", "tag", "runs", "sample", "step", "format", "content_type", "blob_key", "imageId"]
NAMES += ["requests", "request", "columnsVisibility", "markdown", "name"]
VALUES = [
    "",
    "0",
    "-1",
    "1e999",
    "nan",
    "999999999999",
    "\0",
    "\ud7ff",
    "(",
    "[",
    "{}",
    "[[]]",
    "%",
]
VALUES += [
    "../../etc/passwd",
    "a.0.x",
    "x" * 3000,
    "[" * 3000,
    '"\\ud800"',
    "null",
    "VERTEX",
    "csv",
]
VALUES += ['[{"plugin": "images", "tag": "image", "run": "train", "sample": -9}]', "[true, 1]"]
VALUES += ['[{"plugin": {}, "tag": [], "run": 1e400}]', '[{"plugin": [], "tag": "\\udfff"}]']
VALUES += ['{"colParams": [{"hparam": "lr", "order": 1}], "sliceSize": -5, "startIndex": -5}']
KNOWN = [
    "train",
    "mädia",
    "text",
    "curves/a",
    "loss",
    "acc",
    "image",
    "clip",
    "weights",
    "mesh",
    "pr",
]


def test_no_request_is_a_fault_of_the_server(tmp_path):
    corpus.write(tmp_path)
    chance = random.Random(5)
    statuses = set()
    with servers.ours(tmp_path) as url, httpx.Client(base_url=f"{url}data/", timeout=60) as client:
        for path in [*paths()] * 8:
            words = [(chance.choice(NAMES), _value(chance)) for _ in range(chance.randrange(6))]
            words += [("run", chance.choice(KNOWN)), ("tag", chance.choice(KNOWN))]
            body = chance.choice([json.dumps(dict(words)), _value(chance), ""]).encode()
            answers = [
                client.get(path, params=tuple(words)),
                client.post(path, data=dict(words)),
                client.post(path, content=body, headers={"Content-Type": "application/json"}),
            ]
            statuses |= {answer.status_code for answer in answers}
            for answer in answers:
                assert answer.status_code < 500, (path, words, body, answer.text)
    assert {200, 400, 404} <= statuses


def test_no_json_is_a_fault_of_the_server(tmp_path):
    places = [("timeseries/timeSeries", "requests"), ("hparams/session_groups", "request")]
    places += [("hparams/experiment", "request"), ("hparams/metric_evals", "request")]
    corpus.write(tmp_path)
    with servers.ours(tmp_path) as url, httpx.Client(base_url=f"{url}data/plugin/") as client:
        for path, name in places:
            for value in VALUES:
                answer = client.get(path, params={name: value})
                assert answer.status_code < 500, (path, value, answer.text)


def _value(chance: random.Random) -> str:
    return chance.choice(VALUES if chance.random() < 0.6 else KNOWN)
