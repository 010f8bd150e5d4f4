"""Whose verdicts are examined, and where random numbers start: one rule for all checks."""

from __future__ import annotations

import numpy as np

from cst_core.data import BoolArray
from cst_core.evidence import check_whole
from cst_core.results import Result

MAX_COMPLAINANTS = 20_000
"""With more of them, a random sample of this size is examined."""


def check_seed(seed: object) -> None:
    """Raise unless random numbers can start there.

    Examples
    --------
    >>> check_seed(-1)
    Traceback (most recent call last):
    ...
    cst_core.errors.SettingsError: seed: expected a whole number of 0 or more, got -1.
    """
    check_whole(seed, "seed", least=0)


def number_or_none(value: float) -> float | None:
    """Return a number, None for NaN."""
    return None if np.isnan(value) else float(value)


def sample_words(examined: int, complainants: int) -> str:
    """Return what to add to a count where only some complainants were examined."""
    return ", in a sample of the people" if examined < complainants else ""


def choose_complainants(
    result: Result, max_complainants: int, random: np.random.Generator
) -> tuple[BoolArray | None, tuple[str, ...]]:
    """Return whose rows to look at (None: everyone's) and what to say about it."""
    check_whole(max_complainants, "max_complainants")
    if result.n_protected <= max_complainants:
        return None, ()
    rows = np.flatnonzero(result.is_protected)
    chosen = np.zeros(result.n, dtype=bool)
    chosen[random.choice(rows, max_complainants, replace=False)] = True
    return chosen, (
        f"Of {result.n_protected} people, a random sample of {max_complainants} was "
        "examined; all counts are among these, and so is the family of a correction for many "
        "tests.",
    )
