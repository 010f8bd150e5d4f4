"""Robustness: the numbers on the page are the library's, kept with the case, and stale when due."""

from __future__ import annotations

import json
import sys
import warnings
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from app_user import User

from cst_core import EvidenceSettings, load_scenario, run_single
from cst_core.cli import main
from cst_core.robustness import (
    Check,
    CheckResult,
    StandingCount,
    bootstrap,
    placebo,
    tipping,
    tornado,
)
from dashboard.pages.doubts.robustness import page

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


@pytest.fixture(scope="module")
def refitted(loan):
    return bootstrap(loan, settings=SETTINGS, refits=200, seed=1)


@pytest.fixture(scope="module")
def turned(loan):
    return tipping(loan, settings=SETTINGS)


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
        "Corrected for many people tested (Benjamini–Hochberg, Agresti–Caffo intervals)": replace(
            SETTINGS, interval="agresti-caffo", correction="bh"
        ),
        "With balanced neighbourhoods": replace(SETTINGS, balance_radii=True),
        "However ties are broken": replace(SETTINGS, tie_robust=True),
    }.items():
        found = loan.evidence("CST_wo", other).is_significant
        assert stands[words] == (here & found).sum(), words


def bars(chart, trace: int) -> tuple[list[str], list[int]]:
    spec = json.loads(chart.proto.spec)
    data, axis = spec["data"][trace], spec["layout"]["yaxis"]
    names = dict(zip(axis["tickvals"], axis["ticktext"], strict=True))
    return [names[place] for place in data["y"]], data["x"]


def test_what_was_computed_is_shown_kept_and_marked_when_it_is_stale(visit, loan, refitted, turned):
    user = opened(visit)
    user.press("Compute everything")
    said = user.text
    drawn = placebo(loan, settings=SETTINGS, methods=["CST_wo"], repeats=100, seed=1).counts[0]
    middle, most = np.median(drawn.significant), drawn.significant.max()
    assert f"finds {middle:g} significant cases in the middle, {most:,} at most" in said
    firm = int(refitted.standing().sum())
    assert f"findings, {firm:,} come out in at least 95% of the refits" in said
    counts = turned.counts()["significant"]
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


def test_the_range_over_refits_is_the_commands(visit, monkeypatch, capsys):
    """With the same seed, settings and repeats, at the level of the settings."""
    user = visit().open_sample("loan")
    user.at.query_params["alpha"] = "0.2"
    user.go("robustness")
    user.at.number_input(key="bootstrap-repeats").set_value(40)
    user.at.button(key="compute-bootstrap").click()
    said = user.run().text
    wanted = ("--k", "15", "--alpha", "0.2", "--robustness", "bootstrap", "--repeats", "40")
    monkeypatch.setattr(
        sys, "argv", ["cst", "audit", "loan", *wanted, "--seed", "1", "--json", "-"]
    )
    with warnings.catch_warnings(action="ignore"), suppress(SystemExit):
        main()
    (test,) = json.loads(capsys.readouterr().out)["tests"]
    (row,) = test["robustness"]["bootstrap"]["results"]
    low, high = round(row["significant_low"]), round(row["significant_high"])
    assert low < high
    assert f"lies between {low:,} and {high:,} in 80 % of them" in said
    assert f"{row['standing']:,} come out in at least 95% of the refits" in said


def test_the_placebo_is_all_there_is_for_situation_testing(visit):
    user = visit().open_sample("loan")
    user.at.query_params["method"] = "ST"
    user.go("robustness")
    assert "does not use the causal model" in user.text
    keys = {item.key for item in user.at.button}
    assert "compute-placebo" in keys
    assert not {"compute-bootstrap", "compute-tipping", "compute-tornado"} & keys


def test_no_finding_is_said_so(visit):
    user = visit().open_sample("loan")
    user.at.query_params["tau"] = "1"
    user.go("robustness")
    assert "There is no significant finding about women" in user.text


def test_her_page_says_what_would_turn_the_verdict(visit, loan, refitted, turned):
    significant = loan.evidence("CST_wo", SETTINGS).is_significant
    turns, refits = turned.to_frame(), refitted.to_frame()
    ends = significant & turns["significant_below"].notna() & (turns["significant_crossings"] == 1)
    person = turns.index[ends][0]
    user = visit().open_sample("loan")
    user.at.query_params["person"] = str(person)
    user.at.query_params["k"] = str(K)
    user.go("complainant")
    assert "How much of the measured gap must be due to the protected attribute" in user.text
    user.at.button(key="compute-tipping").click()
    user.run()
    user.at.button(key="compute-bootstrap").click()
    said = user.run().text
    below = turns.loc[person, "significant_below"]
    assert f"only if less than {100 * below:.0f} % of the measured gap were due to Gender" in said
    assert said.count("of the measured gap were due to Gender") == 2  # on the page, and on paper
    share = refits.loc[person, "share_significant"]
    assert f"In {100 * share:.0f} % of 200 refits" in said
    evidence = loan.evidence("CST_wo", SETTINGS)
    place = loan.index.get_loc(person)
    names = {
        "wald": "Wald",
        "agresti-caffo": "Agresti–Caffo",
        "newcombe": "Newcombe",
        "score": "Miettinen–Nurminen",
        "exact-ratio": "exact (likelihood ratio)",
    }
    yes = [
        words
        for name, words in names.items()
        if loan.evidence("CST_wo", replace(SETTINGS, interval=name)).bound[place] > 1e-9
    ]
    assert evidence.is_significant[place]
    assert yes == list(names.values()), "this person shows less than the test thinks"
    assert "Intervals. τ = 0 is excluded by all 5 ways to compute the interval." in said


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
    user.at.button(key="compute-tipping").click()
    said = user.run().text
    for note in found.notes:
        assert note in said


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(CheckResult):
    """A result of a check that only this test has."""

    n: int

    def summary(self) -> tuple[str, ...]:
        return (f"There are {self.n} complainants.",)

    def numbers(self) -> dict[str, Any]:
        return {"results": [{"n": self.n}]}

    def tables(self) -> dict[str, pd.DataFrame]:
        return {}

    def stands(self) -> tuple[StandingCount, ...]:
        return (StandingCount(what="When counted", stand=1, of=2),)


def test_a_check_without_words_of_its_own_shows_its_summary(visit, loan, monkeypatch):
    added = Check(
        name="counting",
        kind=Counted,
        run=lambda request: [Counted(n=request.result.n_protected)],
    )
    monkeypatch.setattr(page, "ON_REQUEST", [*page.ON_REQUEST, added])
    user = opened(visit)
    assert "Counting" in user.text
    user.at.button(key="compute-counting").click()
    user.run()
    assert f"There are {loan.n_protected} complainants." in user.text
    chart = next(item for item in user.at.get("plotly_chart") if "standing" in item.proto.id)
    assert dict(zip(*bars(chart, 0), strict=True))["When counted"] == 1
