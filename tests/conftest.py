"""Settings that hold for every test."""

import os

from hypothesis import settings

# Timing is no matter of correctness, and CI must fail on the same examples twice.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")
