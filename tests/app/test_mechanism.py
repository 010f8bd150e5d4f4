"""An attribute in which everyone keeps her rank: edited, shown, followed, exported, merged."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import numpy as np
import pytest
from app_user import EVERY_PAGE, User

from cst_core.explain import number
from cst_core.scenario import as_causal_model, load_scenario, to_dagitty
from dashboard.dag_editor import SelectedNode
from dashboard.draft.conversion import to_scenario
from dashboard.draft.differences import differences
from dashboard.draft.equations import SetBounds, SetCoefficient, SetInteractions
from dashboard.draft.files import export_archive, import_file
from dashboard.draft.mechanisms import SetMechanism
from dashboard.draft.merging import merge
from dashboard.draft.refusals import Refused

Visit = Callable[..., User]
RANKS = SetMechanism(node="AnnualSalary", mechanism="quantile")


@pytest.fixture
def loan(visit: Visit) -> User:
    user = visit().open_sample("loan").go("causal-model")
    return user.choose("mechanism-AnnualSalary-linear", "quantile")


def other_salaries() -> tuple[np.ndarray, np.ndarray]:
    """Return the women's salaries, and those at their ranks among the men, by counting."""
    frame = load_scenario("loan").dataset().frame
    women, men = (
        frame.loc[frame["Gender"] == group, "AnnualSalary"].to_numpy(dtype=float)
        for group in (1, 0)
    )

    def ranks(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        levels = np.array(sorted(set(values.tolist())))
        below = np.array([np.mean(values < level) for level in levels])
        at = np.array([np.mean(values == level) for level in levels])
        return levels, below + at / 2

    own_levels, own_ranks = ranks(women)
    levels, other_ranks = ranks(men)
    mine = own_ranks[np.searchsorted(own_levels, women)]
    return women, np.interp(mine, other_ranks, levels)


def test_it_is_saved_shown_and_felt_in_the_preview(loan: User) -> None:
    part = loan.saved.world.equation("AnnualSalary")
    assert (part.mechanism, part.coefficients) == ("quantile", {})
    assert loan.last_change == ("Set how AnnualSalary follows from its causes to keeping the rank")
    assert "Annual salary = the value at rank U among those with the same Gender" in loan.text
    assert "There are no coefficients here" in loan.text
    women, there = other_salaries()
    shown = f"Annual salary {number(women.mean())} {number(there.mean())}"
    assert shown in loan.text
    loan.press("Undo")
    assert loan.saved.world.equation("AnnualSalary").mechanism == "linear"
    assert "There are no coefficients here" not in loan.text


def test_how_well_it_fits_is_said_in_words_of_ranks(loan: User) -> None:
    loan.session.selection = SelectedNode(node="AnnualSalary")
    loan.at.session_state["fit-shown"] = True
    loan.run()
    assert "In Annual salary everyone keeps their rank" in loan.text


def test_back_to_a_sum_by_the_same_field(loan: User) -> None:
    loan.choose("mechanism-AnnualSalary-quantile", "linear")
    assert loan.saved.world.equation("AnnualSalary").mechanism == "linear"
    assert "− 14,931 · [women]" in loan.text


def test_every_page_shows_it(loan: User) -> None:
    for path in EVERY_PAGE:
        loan.go(path)
        assert not loan.errors, (path, loan.errors)


def test_her_page_counts_her_rank(loan: User) -> None:
    women, there = other_salaries()
    frame = load_scenario("loan").dataset().frame
    ids = frame.index[frame["Gender"] == 1].astype(str)
    loan.at.query_params["person"] = ids[3]
    loan.go("complainant")
    rank = (np.sum(women < women[3]) + np.sum(women == women[3]) / 2) / len(women)
    assert "1 Abduction: the person's rank, U" in unescape(loan.text)
    assert f"share of the person's group below {women[3]:,.0f}" in unescape(loan.text)
    assert f"{rank:.5f}"[:7] in loan.text
    assert f"Annual salary: {women[3]:,.0f} → " in loan.text
    assert f"{there[3]:,.1f}"[:7] in loan.text


def test_what_if_says_that_there_is_no_number_to_change(loan: User) -> None:
    loan.choose("equation-of-", "AccountBalance")
    loan.choose("mechanism-AccountBalance-linear", "quantile")
    loan.at.query_params["person"] = "L0001"
    loan.go("complainant")
    loan.at.session_state["open-what-if"] = True
    loan.run()
    assert "Where everyone keeps their rank, the causal model has no number to change." in loan.text


def test_a_coefficient_or_product_is_refused_and_those_by_hand_are_asked_about(loan: User) -> None:
    draft = loan.saved
    for operation in (
        SetCoefficient(node="AnnualSalary", term="Gender", value=1.0),
        SetInteractions(node="AccountBalance", groups=(("Gender", "AnnualSalary"),)),
    ):
        kept = SetMechanism(node=operation.node, mechanism="quantile").apply_to(draft)
        with pytest.raises(Refused, match="everyone keeps their rank"):
            operation.apply_to(kept)
    plain = SetMechanism(node="AnnualSalary", mechanism="linear").apply_to(draft)
    hand = SetCoefficient(node="AnnualSalary", term="Gender", value=-1.0).apply_to(plain)
    with pytest.raises(Refused, match="This drops Gender; confirm this first"):
        RANKS.apply_to(hand)
    dropped = RANKS.model_copy(update={"drop": True}).apply_to(hand)
    assert dropped.world.equation("AnnualSalary").coefficients == {}


def test_by_hand_numbers_are_dropped_only_after_a_word(visit: Visit) -> None:
    user = visit().open_sample("loan").go("causal-model")
    user.enter("Coefficient of Gender in AnnualSalary", -20_000.0)
    user.choose("mechanism-AnnualSalary-linear", "quantile")
    assert user.saved.world.equation("AnnualSalary").mechanism == "linear"
    user.press("Keep ranks and drop them")
    part = user.saved.world.equation("AnnualSalary")
    assert (part.mechanism, part.coefficients) == ("quantile", {})


def test_it_is_told_merged_and_drawn(loan: User) -> None:
    ranks = loan.saved
    base = SetMechanism(node="AnnualSalary", mechanism="linear").apply_to(ranks)
    assert differences(base, ranks) == [
        "Changed how AnnualSalary follows from its causes from a sum to keeping the rank"
    ]
    theirs = SetBounds(node="AccountBalance", low=0.0).apply_to(base)
    merged = merge(base, ranks, theirs)
    assert merged is not None
    assert merged.world.equation("AnnualSalary").mechanism == "quantile"
    assert merged.world.equation("AccountBalance").bounds == (0.0, None)
    hand = SetCoefficient(node="AnnualSalary", term="Gender", value=-1.0).apply_to(base)
    assert merge(base, ranks, hand) is None  # both changed this equation
    assert "Gender -> AnnualSalary" in to_dagitty(ranks.world)


def test_it_survives_a_scenario_file(loan: User) -> None:
    case = load_scenario("loan")
    draft = loan.saved
    scenario = to_scenario(draft, data_file="loan.csv")
    model = as_causal_model(scenario.worlds[0], scenario.roles, draft.decision_node)
    data = case.data_path.read_bytes()
    archive = export_archive(draft, {"linear": model.fit(case.dataset())}, data)
    back = import_file("case.zip", archive)
    assert back.draft.world.equation("AnnualSalary").mechanism == "quantile"
    assert back.draft.world.equations == draft.world.equations
    assert back.data == data
