"""Sets how many random games hypothesis plays: few by default, many with `--hypothesis-profile=slow`."""

from __future__ import annotations

import os
import signal

# Tests of the rules play on the reference engine, which needs no compiling; the native engine has
# its own tests, which compare it with the reference. The variable is read when a game is loaded.
os.environ.setdefault("GDL_ENGINE", "reference")

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("browser")

# If the tests run in the background, they and all that they start may have been set to ignore signals.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A rule file is compiled while a test runs, so its first example takes far longer than the others.
COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

settings.register_profile("quick", COMMON, max_examples=25)
settings.register_profile("ci", COMMON, max_examples=25, derandomize=True, print_blob=True)
settings.register_profile("slow", COMMON, max_examples=500)
settings.load_profile("ci" if os.environ.get("CI") else "quick")
