"""A client of TensorBoard's documented HTTP routes, which knows of no server in particular.

`everything(client)` asks for all there is: first what is listed, then each listed thing.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FORM = "application/x-www-form-urlencoded"
PARTS = ("VERTEX", "FACE", "COLOR")
"""The parts of a mesh, in the words of its route."""
FAILURES = (
    "nothing",
    "plugin/nothing/tags",
    "plugin/scalars/nothing",
    "plugin_entry.html",
    "plugin_entry.html?name=nothing",
    "plugin_entry.html?name=scalars",
    *(
        f"plugin/{path}{query}"
        for path in (
            "scalars/scalars",
            "histograms/histograms",
            "distributions/distributions",
            "images/images",
            "audio/audio",
            "text/text",
            "pr_curves/pr_curves",
            "mesh/meshes",
            "custom_scalars/scalars",
            "custom_scalars/download_data",
        )
        for query in ("", "?run=x", "?tag=y", "?run=x&tag=y")
    ),
    "plugin/scalars/scalars_multirun",
    "plugin/images/images?run=x&tag=y&sample=many",
    "plugin/images/individualImage",
    "plugin/images/individualImage?blob_key=x",
    "plugin/audio/individualAudio",
    "plugin/audio/individualAudio?blob_key=x",
    "plugin/audio/individualAudio?blob_key=x&content_type=audio/wav",
    "plugin/audio/individualAudio?blob_key=x&content_type=text/html",
    "plugin/mesh/data",
    "plugin/mesh/data?run=x&tag=y&content_type=EDGE",
    "plugin/mesh/data?run=x&tag=y&content_type=FACE",
    "plugin/mesh/data?run=x&tag=y&content_type=FACE&step=z",
    "plugin/custom_scalars/scalars?run=x&tag=(",
    "plugin/timeseries/timeSeries",
    "plugin/timeseries/timeSeries?requests=[",
    "plugin/timeseries/imageData",
    "plugin/timeseries/imageData?imageId=x",
)
"""Requests for what is not there, or that lack something."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    content_type: str
    body: bytes

    def json(self) -> Any:
        """The body; for a request that failed, its status."""
        if self.status != 200:
            return {"failed": self.status}
        return json.loads(self.body)

    def content(self) -> Any:
        """The bytes; for a request that failed, its status."""
        return self.body if self.status == 200 else {"failed": self.status}


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Client:
    """Asks one server, without any cookies, proxies or redirects."""

    url: str

    def get(self, path: str, **parameters: str | int | Sequence[str]) -> Answer:
        """Asks for a path below `/data`."""
        query = urllib.parse.urlencode(parameters, doseq=True)
        return self._ask(path + ("?" + query if query else ""), None, "")

    def post(self, path: str, **fields: str | Sequence[str]) -> Answer:
        """Sends a form to a path below `/data`."""
        body = urllib.parse.urlencode(fields, doseq=True).encode()
        return self._ask(path, body, FORM)

    def post_json(self, path: str, value: Any) -> Answer:
        """Sends JSON to a path below `/data`."""
        return self._ask(path, json.dumps(value).encode(), "application/json")

    def post_parts(self, path: str, *fields: tuple[str, str]) -> Answer:
        """Sends a form the way browsers send `FormData`."""
        boundary = "----a-boundary"
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields
        ]
        body = "".join([*parts, f"--{boundary}--\r\n"]).encode()
        return self._ask(path, body, f"multipart/form-data; boundary={boundary}")

    def _ask(self, path: str, body: bytes | None, content_type: str) -> Answer:
        request = urllib.request.Request(f"{self.url.rstrip('/')}/data/{path}", body)
        if body is not None:
            request.add_header("Content-Type", content_type)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
        try:
            with opener.open(request, timeout=120) as answer:
                return Answer(answer.status, answer.headers["Content-Type"] or "", answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers["Content-Type"] or "", error.read())


@dataclass(frozen=True)
class Place:
    """What an answer is about; run and tag are empty when it is about all of them."""

    route: str
    run: str = ""
    tag: str = ""

    def __str__(self) -> str:
        return f"{self.route}:{self.run}:{self.tag}"


Found = dict[Place, Any]


def everything(client: Client) -> Found:
    """The answers of all routes about all that the routes list."""
    found = Found()
    for crawl in (_core, _timeseries, _scalars, _histograms, _images, _audio, _text):
        found.update(crawl(client))
    for crawl in (_pr_curves, _custom_scalars, _mesh, _spellings, _failures):
        found.update(crawl(client))
    return found


def _core(client: Client) -> Iterator[tuple[Place, Any]]:
    for name, value in client.get("environment").json().items():
        yield Place(f"environment/{name}"), value
    for name in ("logdir", "window_properties", "experiments", "experiment_runs", "notifications"):
        yield Place(name), client.get(name).json()
    runs = client.get("runs").json()
    yield Place("runs/order"), runs
    for run in runs:
        yield Place("runs", run), True
    for plugin, entry in client.get("plugins_listing").json().items():
        for name, value in entry.items():
            yield Place(f"plugins_listing/{name}", tag=plugin), value


def _entry(route: str, run: str, tag: str, entry: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    """What is listed of a tag: that there is one, and each word about it."""
    yield Place(route, run, tag), True
    for name, value in entry.items():
        yield Place(f"{route}/{name}", run, tag), value


def _listed(client: Client, plugin: str) -> Iterator[tuple[str, str, Any]]:
    """Run, tag and entry of each tag that a plugin lists."""
    for run, tags in client.get(f"plugin/{plugin}/tags").json().items():
        for tag in tags:
            yield run, tag, tags[tag] if isinstance(tags, Mapping) else {}


def _timeseries(client: Client) -> Iterator[tuple[Place, Any]]:
    listing = client.get("plugin/timeseries/tags").json()
    for plugin in ("scalars", "histograms", "images"):
        for tag, html in listing[plugin]["tagDescriptions"].items():
            yield Place(f"timeseries/tags/{plugin}/description", tag=tag), html
    for plugin in ("scalars", "histograms"):
        for run, tags in listing[plugin]["runTagInfo"].items():
            for tag in tags:
                yield Place(f"timeseries/tags/{plugin}", run, tag), True
                request = {"plugin": plugin, "run": run, "tag": tag}
                yield Place(f"timeseries/{plugin}", run, tag), _series(client, request)
    for tag in {tag for tags in listing["scalars"]["runTagInfo"].values() for tag in tags}:
        # Without a run, those of all runs.
        requests = json.dumps([{"plugin": "scalars", "tag": tag}])
        path = "plugin/timeseries/timeSeries"
        answers = client.post_parts(path, ("requests", requests)).json()
        answer = answers[0] if isinstance(answers, list) else answers
        for run, series in answer.get("runToSeries", {}).items():
            yield Place("timeseries/scalars/all", run, tag), series
    for tag, runs in listing["images"]["tagRunSampledInfo"].items():
        for run, entry in runs.items():
            yield from _entry("timeseries/tags/images", run, tag, entry)
            for sample in range(entry["maxSamplesPerStep"]):
                request = {"plugin": "images", "run": run, "tag": tag, "sample": sample}
                answer = client.get(
                    "plugin/timeseries/timeSeries", requests=json.dumps([request])
                ).json()[0]
                images = answer["runToSeries"].get(run, [])
                keys = [item.pop("imageId") for item in images]
                found = [client.get("plugin/timeseries/imageData", imageId=key) for key in keys]
                for item, image in zip(images, found, strict=True):
                    item["image"] = image.content()
                yield Place(f"timeseries/images/{sample}", run, tag), answer
                types = [image.content_type for image in found]
                yield Place(f"timeseries/images/{sample}/content_type", run, tag), types


def _series(client: Client, request: Mapping[str, Any]) -> Any:
    answer = client.post("plugin/timeseries/timeSeries", requests=json.dumps([request])).json()
    return answer[0] if isinstance(answer, list) else answer


def _scalars(client: Client) -> Iterator[tuple[Place, Any]]:
    runs_of: dict[str, list[str]] = {}
    for run, tag, entry in _listed(client, "scalars"):
        yield from _entry("scalars/tags", run, tag, entry)
        runs_of.setdefault(tag, []).append(run)
        path = "plugin/scalars/scalars"
        yield Place("scalars/scalars", run, tag), client.get(path, run=run, tag=tag).json()
        csv = client.get(path, run=run, tag=tag, format="csv")
        yield Place("scalars/scalars/csv", run, tag), csv.content()
        yield Place("scalars/scalars/csv/content_type", run, tag), csv.content_type
    for tag, runs in runs_of.items():
        answer = client.post("plugin/scalars/scalars_multirun", tag=tag, runs=runs).json()
        for run in runs:
            yield Place("scalars/scalars_multirun", run, tag), answer.get(run, answer)


def _histograms(client: Client) -> Iterator[tuple[Place, Any]]:
    for plugin in ("histograms", "distributions"):
        for run, tag, entry in _listed(client, plugin):
            yield from _entry(f"{plugin}/tags", run, tag, entry)
            answer = client.get(f"plugin/{plugin}/{plugin}", run=run, tag=tag)
            yield Place(f"{plugin}/{plugin}", run, tag), answer.json()


def _images(client: Client) -> Iterator[tuple[Place, Any]]:
    yield from _clips(client, "images", "images", "individualImage")


def _audio(client: Client) -> Iterator[tuple[Place, Any]]:
    yield from _clips(client, "audio", "audio", "individualAudio")


def _clips(client: Client, plugin: str, route: str, one: str) -> Iterator[tuple[Place, Any]]:
    for run, tag, entry in _listed(client, plugin):
        yield from _entry(f"{plugin}/tags", run, tag, entry)
        for sample in range(entry["samples"]):
            answer = client.get(f"plugin/{plugin}/{route}", run=run, tag=tag, sample=sample).json()
            found = [client.get(f"plugin/{plugin}/{one}?{item.pop('query')}") for item in answer]
            types = []
            for item, clip in zip(answer, found, strict=True):
                item["item"] = clip.content()
                types.append((item.pop("contentType", ""), clip.content_type))
            yield Place(f"{plugin}/{route}/{sample}", run, tag), answer
            yield Place(f"{plugin}/{route}/{sample}/content_type", run, tag), types


def _text(client: Client) -> Iterator[tuple[Place, Any]]:
    for run, tag, _ in _listed(client, "text"):
        yield Place("text/tags", run, tag), True
        for markdown in ("true", "false"):
            answer = client.get("plugin/text/text", run=run, tag=tag, markdown=markdown).json()
            yield Place(f"text/text/markdown={markdown}", run, tag), answer


def _pr_curves(client: Client) -> Iterator[tuple[Place, Any]]:
    for run, tag, entry in _listed(client, "pr_curves"):
        yield from _entry("pr_curves/tags", run, tag, entry)
        answer = client.get("plugin/pr_curves/pr_curves", run=[run], tag=tag).json()
        yield Place("pr_curves/pr_curves", run, tag), answer


def _custom_scalars(client: Client) -> Iterator[tuple[Place, Any]]:
    layout = client.get("plugin/custom_scalars/layout").json()
    yield Place("custom_scalars/layout/version"), layout.get("version")
    for category in layout.get("category", []):
        yield Place("custom_scalars/layout", tag=category["title"]), category
    runs_of: dict[str, list[str]] = {}
    for run, tag, _ in _listed(client, "scalars"):
        runs_of.setdefault(run, []).append(tag)
        answer = client.get("plugin/custom_scalars/download_data", run=run, tag=tag, format="json")
        yield Place("custom_scalars/download_data", run, tag), answer.json()
    for run in runs_of:
        answer = client.get("plugin/custom_scalars/scalars", run=run, tag="(loss)|.*acc").json()
        yield Place("custom_scalars/scalars", run), answer.get("regex_valid", answer)
        for tag, events in answer.get("tag_to_events", {}).items():
            yield Place("custom_scalars/scalars", run, tag), events


def _mesh(client: Client) -> Iterator[tuple[Place, Any]]:
    for run, tag, entry in _listed(client, "mesh"):
        yield from _entry("mesh/tags", run, tag, entry)
        meshes = client.get("plugin/mesh/meshes", run=run, tag=tag).json()
        yield Place("mesh/meshes", run, tag), meshes
        steps = sorted({item["step"] for item in meshes})
        for sample in range(entry["samples"]):
            for step in steps:
                for part in PARTS:
                    answer = client.get(
                        "plugin/mesh/data",
                        run=run,
                        tag=tag,
                        sample=sample,
                        step=step,
                        content_type=part,
                    )
                    yield Place(f"mesh/data/{sample}/{step}/{part}", run, tag), answer.content()
                    yield Place("mesh/data/content_type", run, tag), answer.content_type


SESSIONS: dict[str, Any] = {
    "allowedStatuses": ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"],
    "sliceSize": 1000,
}
"""A request for all sessions."""


def sessions(client: Client, requests: Mapping[str, Mapping[str, Any]]) -> Found:
    """The answers about experiments; to each of the named requests, which say what is asked."""
    found = Found()
    plugin = "plugin/hparams"
    experiment = client.get(f"{plugin}/experiment", request="{}").json()
    found[Place("hparams/experiment")] = experiment
    limited = client.post_json(f"{plugin}/experiment", {"hparamsLimit": 1, "includeMetrics": False})
    found[Place("hparams/experiment/limited")] = limited.json()
    path = f"{plugin}/session_groups"
    for name, request in requests.items():
        answer = client.post_json(path, {**SESSIONS, **request}).json()
        found[Place("hparams/session_groups", tag=name)] = answer
    for group in client.post_json(path, SESSIONS).json()["sessionGroups"]:
        for session in group["sessions"]:
            for value in session["metricValues"]:
                request = {"sessionName": session["name"], "metricName": value["name"]}
                answer = client.post_json(f"{plugin}/metric_evals", request).json()
                metric = f"{value['name']['group']}:{value['name']['tag']}"
                place = Place("hparams/metric_evals", session["name"], metric)
                found[place] = answer
    columns = len(experiment["hparamInfos"]) + len(experiment["metricInfos"])
    for form in ("json", "csv", "latex"):
        answer = client.get(
            f"{plugin}/download_data",
            format=form,
            columnsVisibility=json.dumps([True] * columns),
            request=json.dumps(SESSIONS),
        )
        table = answer.json() if form == "json" else answer.content()
        found[Place(f"hparams/download_data/{form}")] = table
        found[Place(f"hparams/download_data/{form}/content_type")] = answer.content_type
    return found


def _spellings(client: Client) -> Iterator[tuple[Place, Any]]:
    """Other ways to write a path."""
    inner = Client(f"{client.url.rstrip('/')}/experiment/any")
    for path in ("runs", "plugin/scalars/tags", "plugin/custom_scalars/layout"):
        plain = client.get(path).json()
        yield Place(f"{path}/"), client.get(f"{path}/").json() == plain
        yield Place(f"experiment/{path}"), inner.get(path).json() == plain


def _failures(client: Client) -> Iterator[tuple[Place, Any]]:
    """The statuses of requests that cannot be meant, or for what is not there."""
    for path in FAILURES:
        yield Place("failures", tag=path), client.get(path).status
    nothing = client.post("plugin/scalars/scalars_multirun", runs=["x"])
    yield Place("failures", tag="plugin/scalars/scalars_multirun without tag"), nothing.status
    absent = client.post("plugin/scalars/scalars_multirun", tag="x", runs=["x"])
    yield Place("scalars/scalars_multirun/absent"), absent.json()
    requests = [{}, {"tag": "x"}, {"tag": "x", "plugin": "text"}]
    requests += [{"tag": "x", "plugin": plugin} for plugin in ("histograms", "images")]
    requests += [{"tag": "x", "run": "y", "plugin": plugin} for plugin in ("scalars", "images")]
    answer = client.post("plugin/timeseries/timeSeries", requests=json.dumps(requests))
    yield Place("timeseries/errors"), answer.json()
