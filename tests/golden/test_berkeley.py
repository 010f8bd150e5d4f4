"""Berkeley admissions tell their story: the group's mean stands, single verdicts hang."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cst_core.causal import Equation
from cst_core.errors import CausalModelWarning
from cst_core.evidence import Evidence
from cst_core.explain import everyone_over_couplings
from cst_core.results import SingleResult
from cst_core.scenario import Case, load_scenario
from cst_core.testing import run_single

WORLDS = ("department follows gender", "department is her own choice", "with Kruskal's doubt")


@pytest.fixture(scope="module")
def berkeley() -> Case:
    return load_scenario("berkeley")


def run(case: Case, world: str) -> SingleResult:
    found = case.run("gender", world=world)
    assert isinstance(found, SingleResult)
    return found


def cst(case: Case, found: SingleResult) -> Evidence:
    return found.evidence("CST_wo", case.evidence_settings())


def test_women_and_men(berkeley: Case) -> None:
    found = run(berkeley, WORLDS[0])
    assert (found.n, found.n_protected, found.n_accepted) == (4_526, 1_835, 1_755)
    assert berkeley.worlds == WORLDS
    assert berkeley.evidence_settings().n_neighbours == 15


def test_the_mean_is_the_crude_difference_and_hangs_on_no_coupling(berkeley: Case) -> None:
    model, people = berkeley.causal_model(), berkeley.dataset()
    women, men = 1_278 / 1_835, 1_493 / 2_691
    for coupling in ("minimal-change", "independent"):
        chosen = replace(
            model, equations={"department": Equation(node="department", coupling=coupling)}
        )
        found = run_single(people, chosen, attribute="gender")
        mean = cst(berkeley, found).delta.mean()
        assert mean == pytest.approx(women - men, abs=1e-12)
        assert round(mean, 3) == 0.142


def test_single_verdicts_mostly_hang_on_the_coupling(berkeley: Case) -> None:
    found = cst(berkeley, run(berkeley, WORLDS[0]))
    assert found.case_every_coupling is not None
    assert found.coupling_highest is not None
    assert found.case_every_coupling.sum() == 341
    assert (found.coupling_highest <= 1e-9).sum() == 133
    assert found.is_case.sum() == 1_702


def test_where_the_way_to_the_department_is_accepted_cst_is_st(berkeley: Case) -> None:
    found = run(berkeley, WORLDS[1])
    settings = berkeley.evidence_settings()
    cst_wo, st = found.evidence("CST_wo", settings), found.evidence("ST", settings)
    assert cst_wo.delta.tolist() == pytest.approx(st.delta.tolist(), abs=1e-12)
    assert -0.005 < st.delta.mean() < 0, "about zero, and in women's favour"
    departments = found.dataset.frame["department"][found.is_protected].to_numpy()
    in_a = st.delta[departments == "A"]
    assert (in_a < -0.15).all(), "in A women were admitted more often than men"


def test_kruskals_doubt_changes_no_number_and_is_told(berkeley: Case) -> None:
    with pytest.warns(CausalModelWarning, match="department ↔ admission"):
        doubt = run(berkeley, WORLDS[2])
    assert (
        cst(berkeley, doubt).delta.tolist()
        == cst(berkeley, run(berkeley, WORLDS[0])).delta.tolist()
    )


def test_the_sentence_for_a_judge(berkeley: Case) -> None:
    found = run(berkeley, WORLDS[0])
    settings = berkeley.evidence_settings()
    summary = found.summary("CST_wo", settings)
    assert everyone_over_couplings(berkeley.names(), found, summary) == (
        "As a group, women were rejected more often than the men they would have been like, by "
        "14.2 percentage points on average (mean Δp 0.142), whatever is assumed about where each "
        "would have been (Department); of 1,835 women, 341 are cases whatever is assumed "
        "and 133 under no assumption; the other 1,361 hang on the assumption, and no data can "
        "settle it."
    )
    accepted = run(berkeley, WORLDS[1])
    summary = accepted.summary("CST_wo", settings)
    assert everyone_over_couplings(berkeley.names(), accepted, summary) is None
