"""The `kymograph` command."""
