"""Why two worlds disagree, computed on request and kept with the case."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from cst_core.data.matching import as_text
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Method
from cst_core.robustness.reasons import reasons
from cst_core.robustness.recentred import CausalMethod
from dashboard.background import Tell
from dashboard.robustness.worlds_results import Result


class ReasonsReport(BaseModel):
    """What turns each verdict between two worlds; see `reasons`. One entry a person.

    `because` holds the attributes whose equation, taken alone from the second world into the
    first, turns her verdict; none when only several together do.
    """

    model_config = ConfigDict(frozen=True)

    one: str
    two: str
    method: Method
    significant: bool
    people: tuple[str, ...]
    becomes: tuple[bool, ...]
    because: tuple[tuple[str, ...], ...]
    differences: Mapping[str, tuple[str, ...]]
    impossible: Mapping[str, str]
    source: str = ""


def report_name(one: str, two: str, *, significant: bool) -> str:
    """Return under which name the reasons of a pair are kept."""
    digest = hashlib.sha256("\0".join((one, two)).encode()).hexdigest()[:24]
    return f"reasons {digest} {'significant' if significant else 'cases'}"


def make_reasons(
    worlds: Mapping[str, Result],
    pair: tuple[str, str],
    settings: EvidenceSettings,
    method: CausalMethod,
    *,
    significant: bool,
    tell: Tell,
) -> ReasonsReport:
    """Take each equation of the second world into the first, one at a time."""
    one, two = pair
    made = reasons(
        worlds[one],
        worlds[two],
        settings=settings,
        method=method,
        significant=significant,
        names=pair,
        progress=tell,
    )
    names = list(made.turned_by.columns)
    turned = made.turned_by.to_numpy(dtype=bool).reshape(len(made.index), len(names))
    return ReasonsReport(
        one=one,
        two=two,
        method=method,
        significant=significant,
        people=tuple(as_text(item) for item in made.index),
        becomes=tuple(bool(item) for item in made.becomes),
        because=tuple(
            tuple(name for name, turns in zip(names, row, strict=True) if turns) for row in turned
        ),
        differences=dict(made.differences),
        impossible=dict(made.impossible),
    )
