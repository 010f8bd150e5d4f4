"""Whether a count is more than chance gives: what is said, of all findings and of hers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cst_core import EvidenceSettings
from cst_core.explain import chance_cell, chance_sentence, her_chance_sentence, is_an_objection
from cst_core.robustness import Placebo, PlaceboCounts, needed_repeats

SIX_LEVELS = EvidenceSettings(n_neighbours=50, significance_level=0.05 / 6)


def counts(
    found: int, as_many: int, *, times: int = 99, settings: EvidenceSettings = SIX_LEVELS
) -> PlaceboCounts:
    """So many findings, and so many deals with as many."""
    drawn = np.zeros(times, dtype=np.int64)
    drawn[:as_many] = found
    return PlaceboCounts(
        method="CST_wo",
        settings=settings,
        observed_cases=found,
        observed_significant=found,
        cases=drawn,
        significant=drawn,
    )


def dealt(*each: PlaceboCounts, sample: bool = False) -> Placebo:
    return Placebo(
        name="race",
        permuted=("race",),
        repeats=99,
        n_complainants=100,
        n_evaluated=50 if sample else 100,
        counts=each,
        seed=0,
    )


@pytest.mark.parametrize(
    ("found", "as_many", "times", "answer"),
    [
        (0, 0, 99, "nothing found"),
        (40, 0, 99, "too few deals"),  # p = 0.01 is the smallest there is, and above α
        (40, 1, 99, "too few deals"),
        (40, 30, 99, "as many"),
        (40, 0, 119, "more"),
        (40, 1, 119, "as many"),
        (40, 0, 199, "more"),
    ],
)
def test_too_few_deals_are_neither_more_than_chance_nor_as_many(
    found: int, as_many: int, times: int, answer: str
) -> None:
    one = counts(found, as_many, times=times)
    assert one.answer == answer
    assert is_an_objection(one) == (answer in ("as many", "too few deals"))


def test_what_too_few_deals_say() -> None:
    one = counts(40, 0)
    said = chance_sentence(one)
    assert said.startswith("Too few deals to tell whether 40 significant cases are more")
    assert "never led to as many, but at α = 0.0083 it takes 119 deals or more" in said
    assert "meaningless label" not in said
    assert "no evidence by itself" not in " ".join(one.summary())
    assert "too few deals" in one.summary()[1]
    assert chance_cell(one) == "0.01 (too few deals to tell)"
    assert chance_cell(counts(0, 0)) == chance_cell(None) == "–"


def test_no_count_is_told_by_fewer_deals_than_are_needed() -> None:
    for alpha in (0.05, 0.05 / 2, 0.05 / 6, 0.01, 0.003):
        needed = needed_repeats(alpha)
        settings = replace(SIX_LEVELS, significance_level=alpha)
        assert counts(9, 0, times=needed, settings=settings).answer == "more"
        if needed > 1:
            fewer = counts(9, 0, times=needed - 1, settings=settings)
            assert fewer.answer == "too few deals"


def test_she_is_one_of_them_only_where_she_is() -> None:
    many = counts(40, 30)
    found = dealt(many)
    said = "A meaningless label of the same size would find as many"
    hers = her_chance_sentence(found, "CST_wo", 50, is_significant=True)
    assert hers.startswith(f"This is one of 40 significant cases at k = 50. {said}")
    for other in (
        her_chance_sentence(found, "CST_wo", 50, is_significant=False),  # of one attribute only
        her_chance_sentence(dealt(many, sample=True), "CST_wo", 50, is_significant=True),
        her_chance_sentence(found, "CST_wo", 47, is_significant=True),
    ):
        assert "This is one of" not in other
        assert said in other
    near = her_chance_sentence(found, "CST_wo", 47, is_significant=True)
    assert near.startswith("At k = 50, the nearest that was asked: A meaningless label")
    rare = dealt(counts(40, 0, times=199))
    assert her_chance_sentence(rare, "CST_wo", 50, is_significant=True) == ""


def test_more_than_chance_rules_no_unmeasured_cause_out() -> None:
    assert "does not rule out an unmeasured common cause" in chance_sentence(
        counts(40, 0, times=199)
    )
