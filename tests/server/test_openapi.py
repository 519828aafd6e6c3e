"""The description of the API against the API: what it says is so, and nothing asked is a fault."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import hypothesis
import pytest
import schemathesis
from _pytest.mark import ParameterSet
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi import checks

import kymograph
from kymograph.asgi.operations import openapi
from kymograph.server.app import OPERATIONS

_GOLDEN = Path(__file__).parents[1] / "golden/logdirs"
_DESCRIPTION = openapi(OPERATIONS, title="Kymograph", version="1")
_ENDLESS = {"/live"}  # streams have tests of their own
# Not among them: whether everything that fits is accepted. Names and expressions may fit and yet
# name nothing and express nothing.
_CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


def _questions() -> Iterator[ParameterSet]:
    for found in schemathesis.openapi.from_dict(_DESCRIPTION).get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        if operation.path in _ENDLESS:
            continue
        yield pytest.param(operation, GenerationMode.POSITIVE, id=f"{operation.label}, fitting")
        if operation.query or operation.body:  # else it takes nothing that could be wrong
            yield pytest.param(operation, GenerationMode.NEGATIVE, id=f"{operation.label}, wrong")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    logdir = tmp_path_factory.mktemp("logs") / "golden"
    shutil.copytree(_GOLDEN, logdir)
    with kymograph.serve(logdir) as board:
        board.board.store.wait()
        yield f"{board.url}api/v1"


@pytest.mark.parametrize(("operation", "mode"), list(_questions()))
def test_whatever_is_asked_is_answered_as_described(operation, mode, served: str):
    @hypothesis.settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(base_url=served, checks=_CHECKS)

    ask()


def test_the_description_is_served(served: str):
    paths = httpx.get(f"{served}/openapi.json").json()["paths"]
    assert paths == _DESCRIPTION["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert described == {(one.method, one.path.replace(":path}", "}")) for one in OPERATIONS}
