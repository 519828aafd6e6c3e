"""Which versions the stand-ins claim to be: those they were compared with."""

__all__ = ["TENSORBOARD", "TENSORBOARDX"]

TENSORBOARD = "2.21.0"
TENSORBOARDX = "2.6.5"
