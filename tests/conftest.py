"""Make `oracle` and `strategies` importable from every folder of tests, and settle Hypothesis."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, settings

HERE = str(Path(__file__).resolve().parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

collect_ignore_glob = ["*conftest.py"]  # there are several, and none has examples to be run

# The same examples on every machine and every day; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("steady"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
