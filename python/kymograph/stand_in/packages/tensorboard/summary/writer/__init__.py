"""In the place of `tensorboard.summary.writer`."""
