"""The program `kymograph`, also as `python -m kymograph`."""

import os
import sys

__all__ = ["main"]


def main() -> None:
    """What the command line says, and nothing on Ctrl-C while that is still being loaded."""
    _replace_closed_streams()
    try:
        from kymograph.cli.main import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command(prog_name="kymograph")


def _replace_closed_streams() -> None:
    """After `>&-` there is no stream, and the next file that is opened would get its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            stream = os.fdopen(os.open(os.devnull, os.O_RDWR), "r" if name == "stdin" else "w")
            setattr(sys, name, stream)


if __name__ == "__main__":
    main()
