"""Robustness: the numbers on the page are the library's, kept with the case, and stale when due."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest
from app_user import User

from cst_core import EvidenceSettings, load_scenario, run_single
from cst_core.robustness.bootstrap import bootstrap
from cst_core.robustness.placebo import placebo
from cst_core.robustness.tipping import tipping
from cst_core.robustness.tornado import tornado

K = 30
SETTINGS = EvidenceSettings(n_neighbours=K)


@pytest.fixture(scope="module")
def loan():
    case = load_scenario("loan")
    with warnings.catch_warnings(action="ignore"):
        return run_single(
            case.dataset(),
            case.causal_model(),
            attribute="Gender",
            decision_maker=case.decision_maker(),
        )


def opened(visit) -> User:
    user = visit().open_sample("loan").go("robustness")
    user.at.slider[0].set_value(K)
    return user.run()


def test_findings_that_stand_are_the_librarys(visit, loan):
    user = opened(visit)
    said = user.text
    here = loan.evidence("CST_wo", SETTINGS).is_significant
    assert f"There are {here.sum():,} significant findings about women." in said
    chart = next(item for item in user.at.get("plotly_chart") if "standing" in item.proto.id)
    stands = dict(zip(*bars(chart, 0), strict=True))
    for words, other in {
        "With Agresti–Caffo intervals": replace(SETTINGS, interval="agresti-caffo"),
        "With Miettinen–Nurminen intervals": replace(SETTINGS, interval="score"),
        "Corrected for many complainants (Benjamini–Hochberg, Agresti–Caffo intervals)": replace(
            SETTINGS, interval="agresti-caffo", correction="bh"
        ),
        "With balanced neighbourhoods": replace(SETTINGS, balance_radii=True),
        "However ties are broken": replace(SETTINGS, tie_robust=True),
    }.items():
        found = loan.evidence("CST_wo", other).is_significant
        assert stands[words] == (here & found).sum(), words


def bars(chart, trace: int) -> tuple[list[str], list[int]]:
    data = json.loads(chart.proto.spec)["data"][trace]
    return data["y"], data["x"]


def test_what_was_computed_is_shown_kept_and_marked_when_it_is_stale(visit, loan):
    user = opened(visit)
    user.press("Compute everything")
    said = user.text
    drawn = placebo(loan, settings=SETTINGS, methods=["CST_wo"], repeats=100, seed=1).counts[0]
    middle, most = np.median(drawn.significant), drawn.significant.max()
    assert f"finds {middle:g} significant cases in the middle, {most:,} at most" in said
    refit = bootstrap(loan, settings=SETTINGS, refits=200, seed=1)
    firm = int(refit.standing(0.95).sum())
    assert f"findings, {firm:,} come out in at least 95% of the refits" in said
    counts = tipping(loan, settings=SETTINGS).counts()["significant"]
    assert f"with half of the effect {counts.loc[0.5]:,}, without it {counts.loc[0.0]:,}" in said
    widest = tornado(loan, settings=SETTINGS).bars[0]
    low, high = sorted((widest.at_low.significant, widest.at_high.significant))
    assert f"between {low:,} and {high:,} significant cases" in said
    assert "Computed before something changed" not in said

    other = visit(user.link).go("robustness")  # another browser, another day
    assert f"findings, {firm:,} come out in at least 95% of the refits" in other.text
    assert "Computed before something changed" not in other.text
    other.at.slider[0].set_value(K + 1)
    assert "Computed before something changed: k, τ, α or another setting." in other.run().text
    other.at.slider[0].set_value(K)
    assert "Computed before something changed" not in other.run().text


def test_the_placebo_is_all_there_is_for_situation_testing(visit):
    user = visit().open_sample("loan")
    user.at.query_params["method"] = "ST"
    user.go("robustness")
    assert "does not use the causal model" in user.text
    keys = {item.key for item in user.at.button}
    assert "compute-placebo" in keys
    assert not {"compute-bootstrap", "compute-effect"} & keys


def test_no_finding_is_said_so(visit):
    user = visit().open_sample("loan")
    user.at.query_params["tau"] = "1"
    user.go("robustness")
    assert "There is no significant finding about women" in user.text


def test_her_page_says_what_would_turn_the_verdict(visit, loan):
    significant = loan.evidence("CST_wo", SETTINGS).is_significant
    turned = tipping(loan, settings=SETTINGS).to_frame()
    refit = bootstrap(loan, settings=SETTINGS, refits=200, seed=1).to_frame()
    person = turned.index[significant & turned["significant_below"].notna()][0]
    user = visit().open_sample("loan")
    user.at.query_params["person"] = str(person)
    user.at.query_params["k"] = str(K)
    user.go("complainant")
    assert "How much of the measured gap must be due to the protected attribute" in user.text
    user.at.button(key="compute-effect").click()
    user.run()
    user.at.button(key="compute-bootstrap").click()
    said = user.run().text
    below = turned.at[person, "significant_below"]
    assert f"only if less than {100 * below:.0f} % of the measured gap were due to Gender" in said
    assert said.count("of the measured gap were due to Gender") == 2  # on the page, and on paper
    share = refit.at[person, "share_significant"]
    assert f"In {100 * share:.0f} % of 200 refits" in said
    evidence = loan.evidence("CST_wo", SETTINGS)
    place = loan.index.get_loc(person)
    names = {"wald": "Wald", "agresti-caffo": "Agresti–Caffo", "newcombe": "Newcombe",
             "score": "Miettinen–Nurminen"}  # fmt: skip
    yes = [
        words
        for name, words in names.items()
        if loan.evidence("CST_wo", replace(SETTINGS, interval=name)).bound[place] > 1e-9
    ]
    assert evidence.is_significant[place]
    assert yes == list(names.values()), "this person shows less than the test thinks"
    assert "Intervals. τ = 0 is excluded by all 4 ways to compute the interval." in said


def test_strict_settings_are_said_to_need_a_placebo_and_give_the_balance(visit, loan):
    user = visit().open_sample("loan").go("overview")
    assert "With the strict preset" not in user.text
    user.choose("set-preset", "strict")
    settings = replace(
        EvidenceSettings(), interval="agresti-caffo", correction="bh", tie_robust=True
    )
    found = loan.summary("CST_wo", settings)
    assert f"{found.significant:,} of them statistically significant" in user.text
    assert "Placebo: not computed for these settings yet" in user.text
    assert f"Mean distance over the {loan.n_protected:,} complainants by Gender:" in user.text
    assert user.button("Go to Robustness")
    user.go("robustness").press("Compute everything")
    user.go("overview")
    assert "dealt out at random 100 times" in user.text
    user.choose("set-preset", "paper")
    assert "With the strict preset" not in user.text
    assert user.session.draft.settings.interval == "wald"


def test_her_page_says_how_exact_the_tipping_point_is(visit, loan):
    settings = replace(SETTINGS, interval="agresti-caffo", correction="bh")
    found = tipping(loan, settings=settings)
    assert any("only as exact as the steps" in note for note in found.notes)
    user = visit().open_sample("loan")
    user.at.query_params["person"] = str(loan.index[0])
    user.at.query_params["k"] = str(K)
    user.at.query_params["interval"] = "agresti-caffo"
    user.at.query_params["correction"] = "bh"
    user.go("complainant")
    assert "only as exact as the steps" not in user.text
    user.at.button(key="compute-effect").click()
    said = user.run().text
    for note in found.notes:
        assert note in said
