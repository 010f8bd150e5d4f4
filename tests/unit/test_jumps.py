"""Many equal people who turn together from one k to the next are told of as what they are."""

from __future__ import annotations

from dataclasses import replace

from level_cases import NAMES, berkeley

import cst_core
from cst_core.explain import jump_sentence
from cst_core.results import SingleResult, Sweeper

PAPER = cst_core.EvidenceSettings(n_neighbours=15)


def counted(result: SingleResult, ks: list[int]) -> list[tuple[int, int]]:
    swept = Sweeper.of(result).sweep("CST_wo", PAPER, ks)
    return list(zip(swept.k.tolist(), swept.significant.tolist(), strict=True))


def test_a_department_that_turns_at_once_is_told_with_its_name() -> None:
    result = berkeley()
    said = jump_sentence(NAMES, result, "CST_wo", PAPER, counted(result, [*range(1, 25)])) or ""
    at_17 = result.evidence("CST_wo", replace(PAPER, n_neighbours=17))
    departments = result.dataset.frame["department"][result.is_protected]
    assert departments[at_17.is_significant].unique().tolist() == ["E"]
    assert said.startswith(
        "By CST w/o the number of significant cases goes from 0 at k = 15 to 393 at k = 17: 393 "
        "women turn at once. All are equal in what is compared (department E)"
    )
    assert "their Δp is about 0.271 all the time, and only k has grown" in said


def test_nothing_is_said_where_nobody_or_nobody_equal_turns() -> None:
    result = berkeley()
    assert jump_sentence(NAMES, result, "CST_wo", PAPER, counted(result, [17, 18, 24])) is None
    assert jump_sentence(NAMES, result, "CST_wo", PAPER, counted(result, [15])) is None
    loan = cst_core.load_scenario("loan")
    found = loan.run("Gender")
    assert isinstance(found, SingleResult)
    counts = counted(found, [1, 2, 5, 15, 30])
    assert max(counts, key=lambda one: one[1])[1] > 300, "there is a jump, of different people"
    assert jump_sentence(loan.names(), found, "CST_wo", PAPER, counts) is None
