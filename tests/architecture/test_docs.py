"""What is public is documented, and every link between documents leads somewhere."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import msgspec
import pytest
from starlette.responses import Response

from kymograph.asgi.operations import Operation

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs/reference"

FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def documents() -> list[Path]:
    listed = subprocess.check_output(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        text=True,
    )
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]


def anchors(markdown: str) -> set[str]:
    """The fragment of each heading, as GitHub and its kin make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.*?) *#*$", FENCE.sub("", markdown), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        twin = sum(1 for known in found if re.fullmatch(re.escape(slug) + r"(-\d+)?", known))
        found.add(f"{slug}-{twin}" if slug in found else slug)
    return found


def links(markdown: str) -> list[str]:
    """Targets of inline and reference links and images, code left out."""
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", markdown))
    inline = re.findall(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", text)
    return inline + re.findall(r"^\[[^\]]+\]: +(\S+)", text, re.MULTILINE)


def broken_links(document: Path) -> Iterator[str]:
    markdown = document.read_text("utf-8")
    for link in links(markdown):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        path, _, fragment = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists():
            yield f"{document.name}: no such file: {link}"
        elif fragment and fragment not in anchors(target.read_text("utf-8")):
            yield f"{document.name}: no such heading: {link}"


def test_links_between_documents_resolve():
    assert documents()
    assert [fault for document in documents() for fault in broken_links(document)] == []


def test_broken_links_are_found(tmp_path: Path):
    (tmp_path / "other.md").write_text("# One heading, `two` words\n")
    document = tmp_path / "index.md"
    document.write_text(
        "# Top\n[a](other.md) [b](other.md#one-heading-two-words) [c](#top) [d](https://x.org)\n"
        "[e](gone.md) [f](other.md#gone) ![g](gone.png)\n\n[h]: gone-too.md\n`[i](no.md)`\n"
        "```\n[j](no.md)\n# no\n```\n[k](#no)\n"
    )
    assert [fault.rpartition(": ")[2] for fault in broken_links(document)] == [
        "gone.md",
        "other.md#gone",
        "gone.png",
        "#no",
        "gone-too.md",
    ]


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """A command and all below it, hidden ones left out."""
    if command.hidden:
        return
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None, name
            yield from commands(child, f"{path} {name}")


def undocumented(app: click.Command, name: str, markdown: str) -> list[str]:
    """Commands without a heading of their own, and flags and arguments not named under it."""
    # A `# comment` in a code block is no heading.
    markdown = FENCE.sub(lambda block: block[0].replace("\n", "\n "), markdown)
    sections = dict(
        re.findall(r"^#+ +`?([^`\n]+?)`?\n(.*?)(?=^#|\Z)", markdown, re.MULTILINE | re.DOTALL)
    )
    missing = []
    for path, command in commands(app, name):
        if path not in sections:
            missing.append(path)
            continue
        for parameter in command.params:
            if getattr(parameter, "hidden", False):
                continue
            flags = [*parameter.opts, *parameter.secondary_opts]
            if isinstance(parameter, click.Argument):
                flags = [parameter.human_readable_name]
            missing += [f"{path} {flag}" for flag in flags if not names(sections[path], flag)]
    return missing


def names(text: str, flag: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", text) is not None


def test_every_command_and_flag_is_in_the_reference():
    from kymograph.cli import main

    (app,) = (value for value in vars(main).values() if isinstance(value, click.Group))
    assert undocumented(app, "kymograph", (REFERENCE / "cli.md").read_text("utf-8")) == []


def test_missing_commands_flags_and_arguments_are_found():
    @click.group()
    @click.option("--verbose/--quiet", "-v/-q")
    def app() -> None: ...

    @app.command()
    @click.argument("logdir")
    @click.option("--json", is_flag=True)
    @click.option("--secret", hidden=True)
    def inspect(logdir: str, json: bool, secret: str) -> None: ...

    @app.command()
    def tail() -> None: ...

    @app.command(hidden=True)
    def internal() -> None: ...

    markdown = (
        "# k\n```\nk --quiet\n# k tail\n```\n`--verbose`, `-v`\n\n"
        "## `k inspect`\nLOGDIR, --json-lines\n"
    )
    assert undocumented(app, "k", markdown) == ["k -q", "k inspect --json", "k tail"]


def test_every_public_name_is_in_the_reference():
    import kymograph

    pages = "\n".join(page.read_text("utf-8") for page in sorted(REFERENCE.glob("*.md")))
    names = [name for name in kymograph.__all__ if not name.startswith("__")]
    missing = [name for name in names if not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", pages)]
    assert missing == []


def undescribed(operations: Iterable[Operation], markdown: str) -> list[str]:
    """Routes that are not in the reference, and parameters and fields that are nowhere in it."""
    words = set(re.findall(r"[\w]+", " ".join(re.findall(r"`[^`\n]+`", markdown))))
    missing = []
    for operation in operations:
        if f"`{operation.method} /api/v1{operation.path}`" not in markdown:
            missing.append(f"{operation.method} {operation.path}")
        for kind in filter(None, (operation.query, operation.body)):
            fields = {field.encode_name for field in msgspec.structs.fields(kind)}
            missing += [f"{operation.path} {field}" for field in sorted(fields - words)]
    return missing


def test_every_route_and_parameter_is_in_the_reference():
    from kymograph.server.app import OPERATIONS

    markdown = (REFERENCE / "http-api.md").read_text("utf-8")
    assert undescribed(OPERATIONS, markdown) == []


def test_missing_routes_and_parameters_are_found():
    class Query(msgspec.Struct):
        limit: int
        after: str

    async def handler(*_arguments: object) -> Response:
        raise NotImplementedError

    operations = [Operation(method, "/a", handler, "", query=Query) for method in ("GET", "PUT")]
    markdown = "`GET /api/v1/a` takes `limit=3`, after all"
    assert undescribed(operations, markdown) == ["/a after", "PUT /a", "/a after"]


@pytest.mark.parametrize(
    "name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"]
)
def test_document_that_every_reader_looks_for_exists(name: str):
    assert (ROOT / name).read_text("utf-8").strip()
