"""What each dashboard answers, one module for each; this is the list."""

from kymograph.asgi.operations import Operation
from kymograph.dashboards import audio, hparams, images, mesh, scalars, tensors, text, video

__all__ = ["OPERATIONS"]

OPERATIONS: list[Operation] = [
    *scalars.OPERATIONS,
    *images.OPERATIONS,
    *video.OPERATIONS,
    *audio.OPERATIONS,
    *mesh.OPERATIONS,
    *hparams.OPERATIONS,
    *tensors.OPERATIONS,
    *text.OPERATIONS,
]
"""The operations of all dashboards."""
