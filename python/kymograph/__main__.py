"""`python -m kymograph`: the same as `kymograph`."""

from kymograph.cli.main import main

if __name__ == "__main__":
    main(prog_name="kymograph")
