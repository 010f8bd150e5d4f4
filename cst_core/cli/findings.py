"""What a robustness part of an audit is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from cst_core.evidence.settings import EvidenceSettings
from cst_core.robustness.sampling import Result
from cst_core.scenario.case import Case
from cst_core.testing.single import Progress

METHOD_WORDS = {"CST_wo": "CST w/o", "ST": "ST", "CST_w": "CST w/", "CF": "CF"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """What a part is given.

    Attributes
    ----------
    case
        The scenario, with its other causal models.
    result
        One test's outcome.
    settings
        At which settings to look: one for each k of the audit.
    seed
        Where random numbers start.
    repeats
        How often to repeat; None for the part's own default.
    progress
        Told how far the part is.
    """

    case: Case
    result: Result
    settings: tuple[EvidenceSettings, ...]
    seed: int
    repeats: int | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """What a part gives back.

    Attributes
    ----------
    content
        Plain data for JSON.
    tables
        Tables for CSV files; their names follow the test's and the part's, "" is the main one.
    sentences
        What to print.
    """

    content: dict[str, Any]
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()


Part = Callable[[Asked], Finding]


def plain(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table's rows as plain data; what is not a finite number becomes None."""
    return [
        {str(name): _plain(value) for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
