"""Imports point one way; these tables are the rule, an exception needs a line with its reason."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "python/kymograph"
CORE = ROOT / "crates/kymograph-core/src"
WEB = ROOT / "web/src"

Edges = list[tuple[str, str]]
"""Who uses whom: pairs of (file or module, part of the program)."""

# Part of the package → the parts it may import. `public` is what `kymograph/__init__.py` exports.
_BOTTOM = {"errors", "lazy", "_core"}
_STORE = {"store"} | _BOTTOM
_ASGI = {"asgi"} | _STORE
_SERVER = {"dashboards", "compat"} | _ASGI
MAY_IMPORT = {
    "__main__": {"cli"},
    "cli": {"public", "hub", "notebook", "server", "writer"} | _SERVER,
    # The hub starts servers and talks HTTP to them.
    "hub": _ASGI,
    "notebook": {"server"} | _SERVER,
    "server": _SERVER,
    "dashboards": _ASGI,
    "compat": _ASGI,
    "asgi": _STORE,
    "store": _BOTTOM,
    # The writer lives in training jobs: nothing of the server side.
    "writer": _BOTTOM,
    # The other dialect, and the modules that take the place of other packages' writers.
    "tensorboardx": {"writer"} | _BOTTOM,
    "stand_in": {"writer", "tensorboardx"} | _BOTTOM,
    "integrations": {"public", "writer"} | _BOTTOM,
    "public": {"store", "writer", "stand_in", "server"} | _BOTTOM,
    "errors": set[str](),
    "lazy": set[str](),
    "_core": set[str](),
}

# Folder of `web/src` → the folders it may import.
_PICTURES = {"charts", "widgets", "lib"}
_STATE = {"state", "api", "lib"}
WEB_MAY_IMPORT = {
    "main.ts": {"app", "styles"},
    "hub.ts": {"hub", "styles"},
    "app": {"dashboards", "moment", "cards", "runs", "media"} | _PICTURES | _STATE,
    "hub": {"dashboards", "cards", "runs"} | _PICTURES | _STATE,
    "dashboards": {"cards", "runs", "media"} | _PICTURES | _STATE,
    # Everything that one run logged around one step.
    "moment": {"cards", "runs", "media"} | _PICTURES | _STATE,
    "cards": {"media"} | _PICTURES | _STATE,
    "runs": _PICTURES | _STATE,
    # One logged item each, drawn from what it is given.
    "media": {"api"} | _PICTURES,
    "state": {"api", "lib"},
    "api": {"lib"},
    # Charts know nothing of runs, URLs or fetching.
    "charts": {"lib"},
    "widgets": {"lib"},
    "lib": set[str](),
    "styles": set[str](),
}

# (importing module, imported part) → why this one is right.
EXCEPTIONS: dict[tuple[str, str], str] = {}


def faults(part: str, module: str, used: str, table: Mapping[str, set[str]]) -> list[str]:
    """What is wrong with `module`, which belongs to `part`, using the part `used`."""
    if part not in table:
        return [f"{module}: `{part}` has no place in the table"]
    if used == part or used in table[part] or (module, used) in EXCEPTIONS:
        return []
    return [f"{module}: `{part}` may not import `{used}`"]


# --- Python ---


def module_name(file: Path) -> str:
    parts = file.relative_to(PYTHON.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str:
    """`kymograph.store.query` → `store`; `kymograph`, and what only it exports → `public`."""
    _, _, inside = module.partition(".")
    part = inside.split(".")[0]
    exists = (PYTHON / part).is_dir() or (PYTHON / f"{part}.py").is_file()
    return part if part and (exists or part in MAY_IMPORT) else "public"


def python_imports(source: str, module: str, *, is_package: bool) -> Iterator[str]:
    """Every module or name of ours that `source` imports, at its top or inside a function."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if is_ours(alias.name))
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            origin = node.module or ""
            if node.level:
                origin = ".".join([*parents, *([origin] if origin else [])])
            if is_ours(origin):
                yield from (f"{origin}.{alias.name}" for alias in node.names)


def is_ours(module: str) -> bool:
    return module == "kymograph" or module.startswith("kymograph.")


def python_faults(source: str, module: str, *, is_package: bool = False) -> list[str]:
    found = []
    for imported in python_imports(source, module, is_package=is_package):
        found += faults(part_of(module), module, part_of(imported), MAY_IMPORT)
        one_dashboard = r"kymograph\.dashboards\.(\w+)"
        ours, theirs = (re.match(one_dashboard, name) for name in (module, imported))
        if ours and theirs and ours[1] != theirs[1]:
            found.append(f"{module}: a dashboard may not import another: `{theirs[1]}`")
    return found


def test_python_imports_point_down():
    found: list[str] = []
    files = sorted(PYTHON.rglob("*.py"))
    assert files
    for file in files:
        is_package = file.name == "__init__.py"
        found += python_faults(file.read_text("utf-8"), module_name(file), is_package=is_package)
    assert found == []


@pytest.mark.parametrize(
    ("module", "source", "fault"),
    [
        ("kymograph.store.query", "from kymograph.asgi import params", "import `asgi`"),
        ("kymograph.store.query", "from kymograph import cli", "import `cli`"),
        ("kymograph.store.query", "from kymograph import open", "import `public`"),
        ("kymograph.store.query", "from ..server.app import x", "import `server`"),
        ("kymograph.errors", "def f():\n    import kymograph.store.store", "import `store`"),
        ("kymograph.hub.proxy", "import kymograph.server.app", "import `server`"),
        ("kymograph.writer.summary_writer", "from kymograph.store import x", "import `store`"),
        ("kymograph.dashboards.images", "from kymograph.dashboards import scalars", "another"),
        ("kymograph.dashboards.images", "from .scalars import x", "another: `scalars`"),
    ],
)
def test_a_planted_python_import_is_found(module, source, fault):
    (found,) = python_faults(source, module)
    assert fault in found


def test_python_imports_that_are_right_are_let_through():
    assert python_faults("import os\nfrom kymograph.errors import X", "kymograph.store.query") == []
    assert python_faults("from kymograph.store import series", "kymograph.store.query") == []
    assert python_faults("from . import query", "kymograph.store", is_package=True) == []
    assert (
        python_faults("from kymograph import SummaryWriter", "kymograph.integrations.keras") == []
    )


# --- Rust ---


def module_order(lib_rs: str) -> list[str]:
    return re.findall(r"^(?:pub(?:\([^)]*\))? )?mod (\w+);", lib_rs, re.MULTILINE)


def without_comments_and_tests(source: str) -> str:
    source = source.partition("#[cfg(test)]\nmod ")[0]
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.DOTALL)


def crate_paths(source: str, *, depth: int) -> Iterator[str]:
    """Paths from the crate's root in `source`, whose module is `depth` levels below the root."""
    to_root = r"\bcrate" if depth == 0 else rf"(?:\bcrate|(?<!::)\b{'::'.join(['super'] * depth)})"
    for match in re.finditer(to_root + r"::", source):
        yield from expand(source[match.end() :])


def expand(text: str) -> Iterator[str]:
    """The paths at the start of `text`: one, or those of a `{group, of::them}`."""
    if not text.startswith("{"):
        if (path := re.match(r"\w+(?:::\w+)*", text)) and path[0] != "super":
            yield path[0]
        return
    depth, start = 0, 1
    for at, char in enumerate(text):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if (char == "," and depth == 1) or (char == "}" and depth == 0):
            yield from expand(text[start:at].strip())
            start = at + 1
        if depth == 0:
            return


def rust_faults(source: str, path: str, order: list[str]) -> list[str]:
    """What `path` (relative to the crate's `src`) uses that does not stand above it in `order`."""
    parts = Path(path).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "mod" else parts
    own = parts[0]
    if own not in order:
        return [f"{path}: `{own}` is not listed in lib.rs"]
    found = []
    for used in crate_paths(without_comments_and_tests(source), depth=len(parts)):
        first, _, rest = used.partition("::")
        if first in order and order.index(first) > order.index(own):
            found.append(f"{path}: `{own}` stands above `{first}` in lib.rs and may not use it")
        other = rest.split("::")[0]
        siblings = first == own == "dashboards" and len(parts) > 1
        if siblings and other != parts[1] and (CORE / f"dashboards/{other}.rs").is_file():
            found.append(f"{path}: a dashboard may not use another: `{other}`")
    return found


def test_rust_files_use_only_those_above_them():
    order = module_order((CORE / "lib.rs").read_text("utf-8"))
    files = [file for file in sorted(CORE.rglob("*.rs")) if file.name != "lib.rs"]
    assert order
    found: list[str] = []
    for file in files:
        found += rust_faults(file.read_text("utf-8"), str(file.relative_to(CORE)), order)
    assert found == []


ORDER = ["types", "storage", "record", "event", "store"]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("record.rs", "use crate::event::Event;"),
        ("record.rs", "use crate::{types::Step, event::{Event, Value}};"),
        ("record.rs", "use super::event::Event;"),
        ("record.rs", "fn f(x: &crate::store::Store) {}"),
        ("storage/mod.rs", "use crate::record;"),
        ("storage/local.rs", "use super::super::record::Reader;"),
        ("stray.rs", ""),
    ],
)
def test_a_planted_rust_use_is_found(path, source):
    (found,) = rust_faults(source, path, ORDER)
    assert found.startswith(path)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("record.rs", "use crate::{storage::Storage, types::{Step, WallTime}};"),
        ("record.rs", "/// See [`crate::event::Event`].\nuse crate::types::Step;"),
        ("record.rs", "#[cfg(test)]\nmod tests { use crate::event::Event; }"),
        ("storage/local.rs", "use super::record_name;\nuse super::super::types::Run;"),
        ("store.rs", "use crate::event;"),
    ],
)
def test_rust_uses_that_are_right_are_let_through(path, source):
    assert rust_faults(source, path, ORDER) == []


# --- the page ---


def web_faults(source: str, file: str) -> list[str]:
    """What `file` (relative to `web/src`) imports that it may not."""
    found = []
    part = file.split("/", maxsplit=1)[0]
    for origin in re.findall(r"""(?:from|import|import\()\s*['"](\.[^'"]+)['"]""", source):
        target = (WEB / file).parent.joinpath(origin).resolve().relative_to(WEB).parts
        found += faults(part, file, target[0], WEB_MAY_IMPORT)
        if (
            part == target[0] == "dashboards"
            and file.count("/") > 1
            and target[1]
            not in (
                "dashboard",
                file.split("/")[1],
            )
        ):
            found.append(f"{file}: a dashboard may not import another: `{target[1]}`")
        if target[0] == "dashboards" and part != "dashboards" and len(target) > 1:
            found.append(f"{file}: only `dashboards/index.ts` may be imported from outside")
    return found


def test_web_imports_point_down():
    found: list[str] = []
    files = [file for file in sorted(WEB.rglob("*")) if file.suffix in (".ts", ".svelte")]
    assert files
    for file in files:
        found += web_faults(file.read_text("utf-8"), str(file.relative_to(WEB)))
    assert found == []


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        ("lib/format.ts", "import { run } from '../state/runs'", "import `state`"),
        ("charts/line/draw.ts", "import type { Run } from '../../runs/list'", "import `runs`"),
        ("api/client.ts", "const x = await import('../app/theme')", "import `app`"),
        ("dashboards/images/index.ts", "import { x } from '../scalars/view'", "another: `scalars`"),
        ("app/x.ts", "import { x } from '../dashboards/scalars/later'", "only `dashboards/"),
        ("helpers/x.ts", "import '../lib/format'", "no place"),
    ],
)
def test_a_planted_web_import_is_found(file, source, fault):
    (found,) = web_faults(source, file)
    assert fault in found
