"""Where TensorBoard's answers and ours differ, and why: the source of a page in docs.

python -m tests.compat.route_differences    writes docs/reference/tensorboard-routes.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.compat import corpus, html
from tests.compat.tensorboard_client import Found, Place
from tests.interop import differences as loaders

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "tensorboard-routes.md"

SAME = "the same"
NOTHING = "no answer"


@dataclass(frozen=True)
class Difference:
    """One row of the page; the test asserts that both loaders do what it says."""

    case: str
    #: Patterns of `route:run:tag`.
    where: tuple[str, ...]
    #: What TensorBoard answers with each of its loaders; `SAME` when that is what we answer.
    python: str
    rust: str
    ours: str
    why: str


DIFFERENCES = [
    # The server itself.
    Difference(
        case="`version` in `/data/environment`",
        where=("environment/version::",),
        python="TensorBoard's",
        rust="TensorBoard's",
        ours="Kymograph's",
        why="it is the version of the server",
    ),
    Difference(
        case="`debug` in `/data/environment`",
        where=("environment/debug::",),
        python="all flags and paths",
        rust="all flags and paths",
        ours="absent",
        why="the server's options are private",
    ),
    Difference(
        case="`window_title` when none was given",
        where=("environment/window_title::", "window_properties::"),
        python="empty",
        rust="empty",
        ours="`Kymograph`",
        why="it is the title of the browser tab",
    ),
    Difference(
        case="`/data/plugins_listing`: plugins without data here",
        where=(
            "plugins_listing/*::debugger-v2",
            "plugins_listing/*::profile_redirect",
            "plugins_listing/*::wit_redirect",
            "plugins_listing/*::projector",
        ),
        python="listed",
        rust="listed",
        ours="absent",
        why="Kymograph does not know their data",
    ),
    Difference(
        case="`loading_mechanism` in `/data/plugins_listing`",
        where=("plugins_listing/loading_mechanism::*",),
        python="how TensorBoard's page loads the plugin",
        rust="how TensorBoard's page loads the plugin",
        ours="`NONE`",
        why="Kymograph's page loads its dashboards itself",
    ),
    # Runs and tags.
    Difference(
        case="runs without any event",
        where=("runs:synthetic/empty_file:", "runs/order::"),
        python=SAME,
        rust="left out",
        ours="listed, last",
        why="the directory exists, and its file may grow",
    ),
    Difference(
        case="the order of `/data/runs`",
        where=("runs/order::",),
        python="by the time of the first event in the file",
        rust=SAME,
        ours="by the earliest time",
        why="events may be backdated, so the first event in a file is not always the earliest",
    ),
    Difference(
        case="a value with a node name and no tag",
        where=("*:synthetic/node_name:",),
        python="under the empty tag",
        rust="under the empty tag",
        ours="under the node's name",
        why="very old writers named values that way",
    ),
    Difference(
        case="`displayName`",
        where=("*/tags/displayName:*",),
        python="the tag, where a value in the older encoding has none",
        rust="lost, where a value in the older encoding has one",
        ours="what the file says, or empty",
        why="clients can distinguish a name from a tag",
    ),
    Difference(
        case="`description`",
        where=("*/tags/description:*", "timeseries/tags/*/description:*"),
        python="that of the first value only",
        rust="lost for values in the older encoding",
        ours="the first that the file gives",
        why="nothing logged may be hidden",
    ),
    # Scalars.
    Difference(
        case="scalars in double precision",
        where=("*:written/*:double", "custom_scalars/scalars:tensorflow/typed:"),
        python=SAME,
        rust="the tag is missing",
        ours="all of them",
        why="a logged number is a number, whatever its type",
    ),
    Difference(
        case="steps that go back within one file",
        where=("*:written/train:précision/über",),
        python=SAME,
        rust="each point erases those at its step and beyond",
        ours="all of them, in the order of the file",
        why="within one file there was no restart",
    ),
    Difference(
        case="integers and booleans in CSV",
        where=("scalars/scalars/csv:*:*",),
        python="`7`, `True`",
        rust=SAME,
        ours="`7.0`, `1.0`",
        why="scalars are kept as doubles; in JSON the numbers are equal",
    ),
    # Histograms.
    Difference(
        case="more than 51 histograms of a tag in `/histograms`",
        where=("histograms/histograms:written/*:many",),
        python="51 of them, whatever `--samples_per_plugin` says",
        rust="51 of them, whatever `--samples_per_plugin` says",
        ours="all of them",
        why="everything is shown",
    ),
    Difference(
        case="histograms in the older encoding",
        where=(
            "histograms/histograms:written/*",
            "timeseries/histograms:written/*",
            "distributions/distributions:written/*",
        ),
        python="rounded to float32",
        rust="with empty outer buckets",
        ours="double precision, empty outer buckets removed",
        why="as in [the table of loaders](differences.md)",
    ),
    # Media.
    Difference(
        case="types of images",
        where=("*images/[0-9]/content_type:synthetic/media:*",),
        python="`application/octet-stream` for WebP, and for data that cannot be decoded",
        rust="`application/octet-stream` for WebP, and for data that cannot be decoded",
        ours="by the first bytes: PNG, JPEG, GIF, BMP, WebP, MP4, WebM",
        why="browsers show what they can show",
    ),
    Difference(
        case="types of clips",
        where=("audio/audio/[0-9]/content_type:*",),
        python="`audio/wav` for everything in the older encoding",
        rust="`application/octet-stream` for everything in the older encoding",
        ours="by the first bytes: WAV, OGG, FLAC, MP3",
        why="browsers play what they can play",
    ),
    Difference(
        case="the type of `/data/plugin/mesh/data`",
        where=("mesh/data/content_type:*",),
        python="`arraybuffer`, which is not a media type",
        rust="`arraybuffer`, which is not a media type",
        ours="`application/octet-stream`",
        why="proxies may reject invalid types",
    ),
    # Text.
    Difference(
        case="HTML in a text",
        where=(
            "text/text/*:written/text:html/*",
            "text/text/*:written/text:script/*",
            "text/text/*:synthetic/media:script",
            "text/text/markdown=false:torch/media:notes/*",
        ),
        python="some elements are rendered, others shown as text",
        rust="some elements are rendered, others shown as text",
        ours="shown as text",
        why="logged markup is data, not part of the page",
    ),
    Difference(
        case="a text that is not UTF-8",
        where=("text/text/*:synthetic/media:not_utf8", "text/text/*:written/*:no_utf8"),
        python="status 500",
        rust="status 500",
        ours="shown, with a replacement character for each invalid byte",
        why="one invalid byte must not hide the rest",
    ),
    Difference(
        case="a text of more than two dimensions",
        where=("text/text/*:tensorflow/media:rank_3", "text/text/*:written/*:cube"),
        python="a warning and a slice",
        rust="a warning and a slice",
        ours="a different warning, and the same slice",
        why="only the wording differs",
    ),
    # Layouts.
    Difference(
        case="a category of custom scalars that the first layout lacks, in several other layouts",
        where=("custom_scalars/layout::shared",),
        python="only the charts of the first run that has it",
        rust="only the charts of the first run that has it",
        ours="the charts of all of them",
        why="categories with the same title are merged, whichever run is first",
    ),
    # Failures.
    Difference(
        case="requests with a missing or invalid parameter",
        where=("failures::*",),
        python="mostly status 500",
        rust="mostly status 500",
        ours="status 400 with an error message, as JSON",
        why="the request is wrong, not the server",
    ),
]


def rows_of(place: Place, loader: str) -> list[Difference]:
    """The rows that describe a difference in a response."""
    return [
        row
        for row in DIFFERENCES
        if said(row, loader) != SAME
        and any(fnmatchcase(str(place), pattern) for pattern in row.where)
    ]


def said(row: Difference, loader: str) -> str:
    """What a row says of a loader."""
    return row.python if loader == "python" else row.rust


def differing(ours: Found, theirs: Found, loader: str) -> Iterator[tuple[Place, Any, Any]]:
    """The answers that differ, theirs before ours, but for what is read differently from files."""
    for place in sorted({*ours, *theirs}, key=str):
        answers = [_normal(place, found.get(place, NOTHING)) for found in (theirs, ours)]
        if answers[0] != answers[1] and not _is_read_differently(place, loader):
            yield place, answers[0], answers[1]


def _normal(place: Place, answer: Any) -> Any:
    """An answer without what has no meaning: the order of parts, spaces in HTML."""
    if place.route == "mesh/meshes" and isinstance(answer, list):
        return sorted(answer, key=lambda entry: (entry["step"], entry["content_type"]))
    if place.route.endswith("description"):
        return html.normal(answer)
    if place.route.startswith("text/text/") and isinstance(answer, list):
        return [{**entry, "text": html.normal(entry["text"])} for entry in answer]
    return answer


def _is_read_differently(place: Place, loader: str) -> bool:
    """Whether the page on loaders has a row for the series behind an answer."""
    name, run = corpus.place_of(place.run)
    row = loaders.row_of(name, _dashboard(place.route), run, place.tag)
    if row is None:
        return False
    return (row.python if loader == "python" else row.rust) is not loaders.Shows.SAME


def _dashboard(route: str) -> str:
    """The dashboard whose data a route answers."""
    parts = route.split("/")
    if parts[0] == "timeseries":
        return parts[2] if parts[1] == "tags" else parts[1]
    return {"distributions": "histograms", "custom_scalars": "scalars"}.get(parts[0], parts[0])


# Path, parameters and answer of each route.
ROUTES = [
    ("environment", "", "`{version, data_location, window_title, …}`"),
    ("logdir", "", "`{logdir}`"),
    ("window_properties", "", "`{window_title}`"),
    ("runs", "", "names of runs, oldest first"),
    ("experiments", "", "`[]`"),
    ("experiment_runs", "", "`[]`"),
    ("notifications", "", "302 to `../notifications_note.json`, which has none"),
    ("plugins_listing", "", "`{plugin: {enabled, tab_name, …}}`"),
    ("plugin_entry.html", "`name`", "400: no plugin has its own page"),
    (
        "plugin/timeseries/tags",
        "",
        "`{scalars: {runTagInfo, tagDescriptions}, histograms, images}`",
    ),
    (
        "plugin/timeseries/timeSeries",
        "`requests`, a JSON list, by GET or in a form",
        "`[{plugin, tag, run, sample, runToSeries or error}]`",
    ),
    ("plugin/timeseries/imageData", "`imageId`", "an image"),
    ("plugin/scalars/tags", "", "`{run: {tag: {displayName, description}}}`"),
    (
        "plugin/scalars/scalars",
        "`run`, `tag`, `format` (`json`, `csv`)",
        "`[[wall_time, step, value]]`, or CSV",
    ),
    ("plugin/scalars/scalars_multirun", "`tag`, `runs`…, in a form", "`{run: [[…]]}`"),
    ("plugin/histograms/tags", "", "as of scalars"),
    ("plugin/histograms/histograms", "`run`, `tag`", "`[[wall_time, step, [[l, r, count]]]]`"),
    ("plugin/distributions/tags", "", "as of scalars"),
    (
        "plugin/distributions/distributions",
        "`run`, `tag`",
        "`[[wall_time, step, [[basis_point, value]]]]`",
    ),
    ("plugin/images/tags", "", "as of scalars, with `samples`"),
    ("plugin/images/images", "`run`, `tag`, `sample`", "`[{wall_time, step, query}]`"),
    ("plugin/images/individualImage", "`query` of `images`", "an image"),
    ("plugin/audio/tags", "", "as of scalars, with `samples`"),
    (
        "plugin/audio/audio",
        "`run`, `tag`, `sample`",
        "`[{wall_time, step, label, contentType, query}]`",
    ),
    ("plugin/audio/individualAudio", "`query` of `audio`", "a clip"),
    ("plugin/text/tags", "", "`{run: [tag]}`"),
    ("plugin/text/text", "`run`, `tag`, `markdown` (`false`)", "`[{wall_time, step, text}]`"),
    ("plugin/pr_curves/tags", "", "as of scalars"),
    (
        "plugin/pr_curves/pr_curves",
        "`run`…, `tag`",
        "`{run: [{wall_time, step, precision, recall, …}]}`",
    ),
    (
        "plugin/hparams/experiment",
        "`GetExperimentRequest` as JSON: the body, or `request`",
        "`{hparamInfos, metricInfos, …}`",
    ),
    (
        "plugin/hparams/session_groups",
        "`ListSessionGroupsRequest`, likewise",
        "`{sessionGroups, totalSize}`",
    ),
    ("plugin/hparams/metric_evals", "`ListMetricEvalsRequest`, likewise", "as `scalars`"),
    (
        "plugin/hparams/download_data",
        "`request`, `columnsVisibility`, `format` (`csv`, `json`, `latex`)",
        "the table of sessions",
    ),
    ("plugin/custom_scalars/layout", "", "the layouts of all runs in one, or `{}`"),
    (
        "plugin/custom_scalars/scalars",
        "`run`, `tag`, a regular expression",
        "`{regex_valid, tag_to_events}`",
    ),
    ("plugin/custom_scalars/download_data", "as `scalars`", "as `scalars`"),
    ("plugin/mesh/tags", "", "`{run: {name: {samples}}}`"),
    (
        "plugin/mesh/meshes",
        "`run`, `tag`",
        "`[{wall_time, step, content_type, components, config, data_shape}]`",
    ),
    (
        "plugin/mesh/data",
        "`run`, `tag`, `step`, `sample`, `content_type` (`VERTEX`, `FACE`, `COLOR`)",
        "numbers: float32, int32 or uint8",
    ),
]

_INTRODUCTION = """\
# TensorBoard's HTTP routes

<!-- Written by `python -m tests.compat.route_differences`; a test compares the two. -->

Scripts that use TensorBoard's HTTP routes also work with Kymograph: the routes below have the same
paths and return the same responses. A prefix `/experiment/<id>` and a slash at the end of a path
are ignored. NaN and infinities are the strings `"NaN"`, `"Infinity"` and `"-Infinity"`. If the
board requires a token, these routes require it too.

Nothing is sampled. TensorBoard returns at most 1000 scalars, 10 images and so on for each tag,
unless `--samples_per_plugin` says otherwise; Kymograph returns all of them.

For new scripts, [the routes under `/api/v1`](http-api.md) are a better choice: they are binary and
batched, and push changes.

## Routes

All paths are relative to `/data/`. Unless noted otherwise, routes use GET and return JSON. Keys of
images and clips are opaque, and are only valid for one start of one server.

| route | parameters | response |
|---|---|---|
"""

_TABLE = """
The routes of `graphs`, `projector` and `debugger-v2` are not supported: status 404.

## Differences

A test sends the same requests to TensorBoard, with each of its loaders, and to Kymograph, on the
same files (`tests/compat/test_routes.py`). The responses are the same except for [differences in
how files are read](differences.md) and the cases below. The test fails if a row is no longer true,
or if there is a difference without a row.

| case | TensorBoard, Python | TensorBoard, Rust | Kymograph | why |
|---|---|---|---|---|
"""


def page() -> str:
    """The page in docs, as it must be."""
    routes = [f"| `{path}` | {takes} | {answer} |\n" for path, takes, answer in ROUTES]
    rows = [
        f"| {row.case} | {row.python} | {row.rust} | {row.ours} | {row.why} |\n"
        for row in DIFFERENCES
    ]
    return _INTRODUCTION + "".join(routes) + _TABLE + "".join(rows) + _ENDING


_ENDING = """
## Not in the table

- If several runs log a hyper-parameter experiment, as PyTorch's writer does, TensorBoard uses an
  arbitrary one, and the columns of the others are missing. Kymograph merges them.
- A request for several series fails with status 400 if they have more than four million points
  together; a single series may have any length. Requests for more than two million pairs of run and
  tag, and for tables of sessions with more than a thousand columns to filter and sort by, fail too.
- Regular expressions are matched in linear time by Rust's engine, which does not support
  look-around and back-references.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
