"""Whose verdicts are examined, and where random numbers start: one rule for all checks."""

from __future__ import annotations

from numbers import Integral

import numpy as np

from cst_core.data.dataset import BoolArray
from cst_core.errors import SettingsError
from cst_core.evidence.settings import check_whole
from cst_core.results import MultipleResult, SingleResult

Result = SingleResult | MultipleResult
"""A test's outcome: of one attribute or intersectional, or multiple."""
MAX_COMPLAINANTS = 20_000
"""With more of them, a random sample of this size is examined."""


def runs_of(result: Result) -> tuple[SingleResult, ...]:
    """Return the single runs of a test."""
    return result.runs if isinstance(result, MultipleResult) else (result,)


def check_seed(seed: object) -> None:
    """Raise unless random numbers can start there.

    Examples
    --------
    >>> check_seed(-1)
    Traceback (most recent call last):
    ...
    cst_core.errors.SettingsError: seed: expected a whole number of 0 or more, got -1.
    """
    if not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0:
        raise SettingsError(f"seed: expected a whole number of 0 or more, got {seed!r}.")


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
        f"Of {result.n_protected} complainants, a random sample of {max_complainants} was "
        "examined; all counts are among these, and so is the family of a correction for many "
        "tests.",
    )
