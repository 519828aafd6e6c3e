"""Which tools a build needs, and one sentence for each that is missing or too old.

Run as a program it checks the tools named on its command line:
`python -m kymograph_build.prerequisites node cargo`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

Version = tuple[int, ...]


class MissingPrerequisiteError(Exception):
    """A tool is missing, does not run, or is too old; the message says how to get it."""


@dataclass(frozen=True)
class Tool:
    """A command, and the versions of it that are new enough.

    `lines` holds the lowest version of each supported major line, in order; majors above the last
    are accepted.
    """

    command: str
    lines: tuple[Version, ...]
    wanted: str
    how_to_get: str

    def accepts(self, version: Version) -> bool:
        lowest_by_major = {line[0]: line for line in self.lines}
        lowest = lowest_by_major.get(version[0])
        if lowest is not None:
            return version >= lowest
        return version[0] > self.lines[-1][0]


# Node's odd majors and the early releases of 22 lack what Vite and ESLint need.
TOOLS = {
    "node": Tool(
        "node",
        ((20, 19), (22, 13), (24,)),
        "Node 20.19 or 22.13 or 24 and newer",
        "install it from https://nodejs.org or with your system's package manager",
    ),
    "npm": Tool(
        "npm",
        ((9,),),
        "npm 9 or newer",
        "it comes with Node from https://nodejs.org; on Debian it is the package `npm`",
    ),
    "cargo": Tool(
        "cargo",
        ((1, 88),),
        "Rust 1.88 or newer",
        "install it from https://rustup.rs, or run `rustup update` if you have rustup",
    ),
}


def require(*names: str) -> None:
    """Raises `MissingPrerequisiteError` for the first of the named tools that cannot be used."""
    for name in names:
        fault = find_fault(TOOLS[name])
        if fault is not None:
            raise MissingPrerequisiteError(fault)


def find_fault(tool: Tool) -> str | None:
    """What is wrong with `tool` on this machine, in one sentence, or None."""
    path = shutil.which(tool.command)
    if path is None:
        return f"`{tool.command}` was not found: {tool.wanted} is needed, {tool.how_to_get}"
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"\d+(?:\.\d+)+", answer.stdout)
    if answer.returncode != 0 or found is None:
        return f"`{tool.command}` does not run: {tool.wanted} is needed, {tool.how_to_get}: {path}"
    if not tool.accepts(tuple(int(part) for part in found[0].split("."))):
        return (
            f"`{tool.command}` is too old or unsupported: {tool.wanted} is needed, "
            f"{tool.how_to_get}: {found[0]} at {path}"
        )
    return None


def main(names: list[str]) -> int:
    """Prints every fault, so that one run lists everything to install."""
    faults = [fault for name in names if (fault := find_fault(TOOLS[name])) is not None]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
