"""Settings that hold for every test."""

import contextlib
import os
import signal

from hypothesis import settings

# TensorFlow and triton, which torch imports when it compiles, each bring LLVM along, and triton
# ends the process if it finds TensorFlow's. Nothing but tests loads both.
with contextlib.suppress(ImportError):
    import triton  # noqa: F401

# Timing is no matter of correctness, and CI must fail on the same examples twice.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

# A shell that runs tests in the background makes everything below it deaf to Ctrl-C, which some
# tests send to programs they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
