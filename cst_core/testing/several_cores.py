"""How work is told of and shared out."""

from __future__ import annotations

import os
from collections.abc import Callable

Progress = Callable[[str, int, int], object]
"""Called with (what is being done, done, total); returning False cancels the test."""


def workers() -> int:
    """Return how many threads to use: all cores."""
    return os.cpu_count() or 1
