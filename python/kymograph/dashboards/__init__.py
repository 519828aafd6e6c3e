"""What each dashboard answers, one module for each; this is the list."""

from kymograph.asgi.operations import Operation
from kymograph.dashboards import scalars, tensors

__all__ = ["OPERATIONS"]

OPERATIONS: list[Operation] = [*scalars.OPERATIONS, *tensors.OPERATIONS]
"""The operations of all dashboards."""
