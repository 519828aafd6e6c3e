"""What is public is in `__all__`, and `import kymograph` stays light."""

import importlib
import json
import subprocess
import sys
from types import ModuleType

import pytest

import kymograph

# A training job that only logs must not pay for these.
HEAVY = {
    *("click", "rich", "starlette", "uvicorn", "anyio"),
    *("pandas", "polars", "pyarrow", "torch", "tensorflow", "jax", "keras", "tensorboard"),
    *(f"kymograph.{part}" for part in ("asgi", "cli", "dashboards", "hub", "notebook", "server")),
}


def differences(module: ModuleType) -> dict[str, list[str]]:
    """Where `__all__` and the names that a user sees part ways."""
    public = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    # What the module itself imports to import the rest when it is asked for.
    public -= {"annotations", "TYPE_CHECKING", "import_module"}
    listed = list(module.__all__)
    return {
        "listed but missing": sorted(name for name in listed if not hasattr(module, name)),
        "public but not listed": sorted(public - set(listed)),
        "listed twice": sorted({name for name in listed if listed.count(name) > 1}),
    }


def test_all_lists_exactly_the_public_names():
    assert {why: names for why, names in differences(kymograph).items() if names} == {}


def test_a_name_that_is_not_listed_or_not_there_is_found():
    module = ModuleType("planted")
    vars(module).update(__all__=["there", "gone", "there"], there=1, forgotten=2, _private=3)
    assert differences(module) == {
        "listed but missing": ["gone"],
        "public but not listed": ["forgotten"],
        "listed twice": ["there"],
    }


def modules_after(statement: str) -> set[str]:
    """Names of all modules that a fresh interpreter holds after `statement`."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(list(sys.modules)))"
    return set(json.loads(subprocess.check_output([sys.executable, "-c", program], text=True)))


def test_import_pulls_in_nothing_heavy():
    assert modules_after("import kymograph") & HEAVY == set()


def test_a_heavy_import_would_be_seen():
    assert modules_after("import kymograph, click") & HEAVY == {"click"}


@pytest.mark.parametrize("name", sorted(set(kymograph.__all__) - {"__version__"}))
def test_public_thing_has_a_docstring(name: str):
    assert (getattr(importlib.import_module("kymograph"), name).__doc__ or "").strip()
