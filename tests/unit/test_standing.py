"""How many findings stand under each quick check, against the library one setting at a time."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from cst_core import EvidenceSettings, load_scenario, run_multiple
from cst_core.results import MultipleResult
from cst_core.robustness import standing

PLAIN = EvidenceSettings(n_neighbours=50)
SCORE = replace(PLAIN, interval="score", correction="bh")


@lru_cache
def law_school() -> MultipleResult:
    scenario = load_scenario("law-school")
    with warnings.catch_warnings(action="ignore"):
        return run_multiple(
            scenario.dataset(), scenario.causal_model(), decision_maker=scenario.decision_maker()
        )


WITH_A_CORRECTION: dict[str, dict[str, Any]] = {
    "However ties are broken": {"tie_robust": True},
    "With Wald intervals, which allow no correction": {"interval": "wald", "correction": "none"},
    "With Agresti–Caffo intervals": {"interval": "agresti-caffo"},
    "With Newcombe intervals": {"interval": "newcombe"},
    "With exact (likelihood ratio) intervals": {"interval": "exact-ratio"},
    "Corrected for many people tested (Benjamini–Yekutieli)": {"correction": "by"},
    "With balanced neighbourhoods": {"balance_radii": True},
}
WITHOUT: dict[str, dict[str, Any]] = {
    "However ties are broken": {"tie_robust": True},
    "With Agresti–Caffo intervals": {"interval": "agresti-caffo"},
    "With Newcombe intervals": {"interval": "newcombe"},
    "With Miettinen–Nurminen intervals": {"interval": "score"},
    "With exact (likelihood ratio) intervals": {"interval": "exact-ratio"},
    "Corrected for many people tested (Benjamini–Hochberg, Agresti–Caffo intervals)": {
        "interval": "agresti-caffo",
        "correction": "bh",
    },
    "Corrected for many people tested (Benjamini–Yekutieli, Agresti–Caffo intervals)": {
        "interval": "agresti-caffo",
        "correction": "by",
    },
    "With balanced neighbourhoods": {"balance_radii": True},
}


@pytest.mark.parametrize("test", ["gender", "race", "multiple"])
@pytest.mark.parametrize("direction", ["against", "favour"])
@pytest.mark.parametrize(("settings", "changed"), [(SCORE, WITH_A_CORRECTION), (PLAIN, WITHOUT)])
def test_each_check_changes_one_thing(test, direction, settings, changed) -> None:
    whole = law_school()
    found: Any = next((run for run in whole.runs if run.name == test), whole)
    settings = replace(settings, direction=direction)
    here = found.evidence("CST_wo", settings).is_significant
    checks = standing(found, settings=settings).counts
    assert [check.what for check in checks] == list(changed)
    for check in checks:
        there = found.evidence("CST_wo", replace(settings, **changed[check.what])).is_significant
        assert check.of == here.sum()
        assert check.stand == (here & there).sum(), check.what
        assert check.more == (there & ~here).sum(), check.what


def test_there_are_findings_to_doubt_both_ways() -> None:
    race = law_school().runs[1]
    for settings in (SCORE, replace(SCORE, direction="favour", accepted_deviation=0.1)):
        assert race.evidence("CST_wo", settings).is_significant.any()


def test_what_is_so_already_is_no_check() -> None:
    race = law_school().runs[1]
    robust = [
        one.what
        for one in standing(race, settings=replace(SCORE, tie_robust=True), method="CF").counts
    ]
    assert "However ties are broken" not in robust
    assert "With balanced neighbourhoods" not in robust  # CF looks at nobody else
