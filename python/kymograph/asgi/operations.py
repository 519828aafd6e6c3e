"""One declaration for each route, used to check requests and to describe the API."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kymograph.asgi import frames
from kymograph.errors import RequestError

__all__ = ["Operation", "openapi", "route"]

Handler = Callable[..., Awaitable[Response]]
"""Takes the request, then the query if the operation has one, then the body if it has one."""

Answer = type[msgspec.Struct] | str

_JSON = "application/json"
# How msgspec says where in a request something is wrong.
_PLACE = re.compile(r" - at `\$\.?([^`]+)`")


class Failed(msgspec.Struct):
    """The response to a failed request."""

    error: str


class Operation(msgspec.Struct, frozen=True):
    """A method on a path."""

    method: str
    path: str
    """Relative to the API's root; `{name}` matches one segment, `{name:path}` for several."""
    handler: Handler
    summary: str
    query: type[msgspec.Struct] | None = None
    """Must forbid unknown fields, so that a misspelt parameter is not silently ignored."""
    body: type[msgspec.Struct] | None = None
    answer: Answer | tuple[Answer, ...] = frames.MEDIA_TYPE
    """The type of the JSON response, or else a media type; several if it depends."""
    parameters: Mapping[str, str] = msgspec.field(default_factory=dict)
    """What the parts of the path are, in words."""
    failures: Sequence[int] = (400,)
    """The statuses of failed requests, besides those that any request may get."""
    also: Mapping[int, str] = msgspec.field(default_factory=dict)
    """Further statuses of requests that did not fail, in words."""


def route(operation: Operation, root: str) -> Route:
    """The operation as a route."""

    async def endpoint(request: Request) -> Response:
        arguments: list[object] = []
        if operation.query is not None:
            arguments.append(_query(request, operation.query))
        elif request.query_params:
            raise RequestError(f"unknown parameter: `{next(iter(request.query_params))}`")
        if operation.body is not None:
            arguments.append(await _body(request, operation.body))
        return await operation.handler(request, *arguments)

    return Route(root + operation.path, endpoint, methods=[operation.method])


@cache
def _lists(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields that may be given several times."""
    fields = msgspec.structs.fields(kind)
    return frozenset(info.encode_name for info in fields if _is_list(info.type))


def _query(request: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    given, lists = request.query_params, _lists(kind)
    values: dict[str, Any] = {}
    for name in given:
        if name in lists:
            values[name] = given.getlist(name)
        elif len(several := given.getlist(name)) > 1:
            raise RequestError(f"`{name}` may be given only once, not {len(several)} times")
        else:
            values[name] = several[0]
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise RequestError(_sentence(error)) from error


def _is_list(kind: Any) -> bool:
    info = msgspec.inspect.type_info(kind)
    if isinstance(info, msgspec.inspect.Metadata):  # it is wrapped in a description
        info = info.type
    choices = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return any(isinstance(choice, msgspec.inspect.CollectionType) for choice in choices)


async def _body(request: Request, kind: type[msgspec.Struct]) -> msgspec.Struct:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # Pages of other origins may post forms and plain text without asking, but not JSON.
    if media_type != _JSON:
        raise RequestError(f"the body must be sent as `{_JSON}`, not: `{media_type}`")
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RequestError(_sentence(error)) from error


def _sentence(error: Exception) -> str:
    text = _PLACE.sub(r" at `\1`", str(error)) or "nested too deeply"
    text = text.removeprefix("Object contains ").removeprefix("Object ")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


# --- the description ---


def openapi(operations: Iterable[Operation], *, title: str, version: str) -> dict[str, Any]:
    """The OpenAPI description of the operations, whose paths are relative to its own folder."""
    operations = list(operations)
    kinds = [kind for one in operations for kind in (one.body, *_answers(one)) if _is_struct(kind)]
    _, schemas = msgspec.json.schema_components(
        [Failed, *dict.fromkeys(kinds)], ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        path = operation.path.replace(":path}", "}")
        paths.setdefault(path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "servers": [{"url": "."}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _answers(operation: Operation) -> tuple[Answer, ...]:
    return operation.answer if isinstance(operation.answer, tuple) else (operation.answer,)


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _described(operation: Operation) -> dict[str, Any]:
    failed = {"description": "an error message", "content": {_JSON: {"schema": _ref(Failed)}}}
    # Any request may be refused by the guard, be too late or too large, or come while the board
    # is busy.
    statuses = sorted({*operation.failures, 401, 403, 408, 413, 414, 431, 503})
    described: dict[str, Any] = {
        "summary": operation.summary,
        "operationId": operation.handler.__module__.rpartition(".")[2]
        + "_"
        + getattr(operation.handler, "__name__", ""),
        "responses": {
            "200": {"description": "success", "content": _content(_answers(operation))},
            **{str(status): {"description": words} for status, words in operation.also.items()},
            **{str(status): failed for status in statuses},
        },
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        | {"description": words}
        for name, words in operation.parameters.items()
    ]
    if operation.query is not None:
        parameters += _query_parameters(operation.query)
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {_JSON: {"schema": _ref(operation.body)}},
        }
    return described


def _content(answers: tuple[Answer, ...]) -> dict[str, Any]:
    bytes_of = {"type": "string", "format": "binary"}
    return dict(
        # JSON that is made piece by piece is of no declared type.
        (answer, {"schema": {} if answer == _JSON else bytes_of})
        if isinstance(answer, str)
        else (_JSON, {"schema": _ref(answer)})
        for answer in answers
    )


def _ref(kind: type[msgspec.Struct]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _query_parameters(kind: type[msgspec.Struct]) -> list[dict[str, Any]]:
    components = msgspec.json.schema_components([kind])[1]
    own = components[kind.__name__]
    required = set(own.get("required", ()))
    return [
        {"name": name, "in": "query", "required": name in required, "schema": schema}
        for name, schema in own["properties"].items()
    ]
