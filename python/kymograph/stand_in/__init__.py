"""Kymograph under the names of other packages' writers: `kymograph.install()`."""

from kymograph.stand_in.installation import Installation, install

__all__ = ["Installation", "install"]
