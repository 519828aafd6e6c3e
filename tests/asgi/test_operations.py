"""Operations: what they take is checked, and the description says what they take."""

from typing import Annotated

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from kymograph.asgi import errors
from kymograph.asgi.operations import Operation, openapi, route
from kymograph.errors import BusyError, KymographError, UnknownRunError
from tests.asgi.client import Client


class Find(msgspec.Struct, forbid_unknown_fields=True):
    limit: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    run: Annotated[list[str], msgspec.Meta(description="which")] = []
    exact: bool = False


class Edit(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=5)]


class Found(msgspec.Struct):
    limit: int
    run: list[str]


async def find(_request: Request, query: Find) -> Response:
    return Response(f"{query.limit} {query.run} {query.exact}")


async def edit(_request: Request, body: Edit) -> Response:
    return Response(body.name)


async def fail(request: Request) -> Response:
    raise {"busy": BusyError, "run": UnknownRunError, "other": KymographError, "bug": ValueError}[
        request.path_params["kind"]
    ]("no luck")


OPERATIONS = [
    Operation("GET", "/find", find, "finds", query=Find, answer=Found),
    Operation("POST", "/edit", edit, "edits", body=Edit, answer=Found),
    Operation("GET", "/fail/{kind}", fail, "fails", parameters={"kind": "how"}),
    Operation("GET", "/any", fail, "any", answer=(Found, "image/*"), also={304: "the same"}),
]


@pytest.fixture(scope="module")
def client():
    routes = [route(operation, "/api") for operation in OPERATIONS]
    app = Starlette(routes=routes, exception_handlers=errors.HANDLERS)
    return Client(app)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("", "5 [] False"),
        ("?limit=3&run=a&run=b%2Fc", "3 ['a', 'b/c'] False"),
        ("?run=1&exact=true", "5 ['1'] True"),
    ],
)
def test_queries_become_what_the_handler_takes(client, query, answer):
    assert client.get(f"/api/find{query}").text == answer


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("limit=0", "expected `int` >= 1 at `limit`"),
        ("limit=x", "expected `int`, got `str` at `limit`"),
        ("limits=3", "unknown field `limits`"),
        ("limit=1&limit=2", "`limit` may be given only once, not 2 times"),
    ],
)
def test_invalid_queries_get_an_error_message(client, query, sentence):
    answer = client.get(f"/api/find?{query}")
    assert answer.status_code == 400
    assert answer.json() == {"error": sentence}


def test_parameters_of_an_operation_without_any_are_refused(client):
    answer = client.get("/api/fail/run?x=1")
    assert (answer.status_code, answer.json()) == (400, {"error": "unknown parameter: `x`"})


@pytest.mark.parametrize(
    ("body", "media_type", "sentence"),
    [
        (b"{}", "application/json", "missing required field `name`"),
        (b'{"name": "abcdef"}', "application/json", "length <= 5 at `name`"),
        (b'{"name": ', "application/json", "truncated"),
        (b'{"name": "\xff"}', "application/json", "utf-8"),
        (b'{"other":' + b"[" * 100_000, "application/json", "unknown field"),
        (b'{"name": "a"}', "text/plain", "must be sent as `application/json`"),
    ],
)
def test_invalid_bodies_get_an_error_message(client, body, media_type, sentence):
    answer = client.post("/api/edit", content=body, headers={"content-type": media_type})
    assert answer.status_code == 400
    assert sentence in answer.json()["error"].lower()


def test_a_body_becomes_what_the_handler_takes(client):
    headers = {"content-type": "application/json; charset=utf-8"}
    assert client.post("/api/edit", content=b'{"name":"a"}', headers=headers).text == "a"


@pytest.mark.parametrize(
    ("kind", "status", "sentence"),
    [
        ("busy", 503, "no luck"),
        ("run", 404, "no luck"),
        ("other", 500, "no luck"),
        ("bug", 500, "internal error while handling this request"),
    ],
)
def test_each_exception_has_its_status(client, kind, status, sentence):
    answer = client.get(f"/api/fail/{kind}")
    assert (answer.status_code, answer.json()) == (status, {"error": sentence})
    assert ("retry-after" in answer.headers) == (status == 503)


def test_the_description_says_what_is_checked():
    described = openapi(OPERATIONS, title="T", version="1")
    limit, run, exact = described["paths"]["/find"]["get"]["parameters"]
    assert limit == {
        "name": "limit",
        "in": "query",
        "required": False,
        "schema": {"type": "integer", "minimum": 1, "maximum": 10, "default": 5},
    }
    assert (run["name"], exact["schema"]["type"]) == ("run", "boolean")
    body = described["paths"]["/edit"]["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"] == {"$ref": "#/components/schemas/Edit"}
    assert described["components"]["schemas"]["Edit"]["properties"]["name"]["maxLength"] == 5
    assert described["paths"]["/fail/{kind}"]["get"]["parameters"][0]["in"] == "path"


def test_the_description_has_every_kind_of_answer():
    answers = openapi(OPERATIONS, title="T", version="1")["paths"]["/any"]["get"]["responses"]
    json = {"schema": {"$ref": "#/components/schemas/Found"}}
    binary = {"schema": {"type": "string", "format": "binary"}}
    assert answers["200"]["content"] == {"application/json": json, "image/*": binary}
    assert answers["304"] == {"description": "the same"}
