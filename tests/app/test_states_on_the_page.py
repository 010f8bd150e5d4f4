"""People who might have been several others: their page, the overview and the people's table."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import numpy as np
import pytest
from app_user import User

from cst_core import EvidenceSettings, load_scenario
from cst_core.explain import (
    everyone_over_couplings,
    explain_person,
    explanation_content,
    state_rows,
)
from cst_core.results import Result
from dashboard.pages.person.finder import PARAMETER
from dashboard.pages.person.people_table import HIGHEST, HOLDS, LOWEST

Visit = Callable[..., User]
K15 = EvidenceSettings(n_neighbours=15)
HER = "r16-5"


@pytest.fixture(scope="module")
def admissions() -> Result:
    return load_scenario("berkeley").open().run("gender")


def plain(text: str) -> str:
    return " ".join(unescape(text).split())


def test_a_woman_of_berkeley(visit: Visit, admissions: Result) -> None:
    user = visit().open_sample("berkeley")
    user.at.query_params[PARAMETER] = HER
    user.go("complainant")
    shown = plain(user.text)
    names = load_scenario("berkeley").names()
    found = explain_person(admissions, HER, "CST_wo", K15)
    said = explanation_content(names, found)["attributes"][0]["sentences"]
    assert said["states"]
    assert said["against"][0].startswith("The finding hangs on an assumption that no data can test")
    for sentence in (*said["states"], *said["against"], *said["methods"], *said["firmness"]):
        assert plain(sentence) in shown
    headline, objection = plain(said["headline"]), plain(said["against"][0])
    between = shown[shown.index(headline) + len(headline) : shown.index(objection)]
    assert plain(said["decision"]) in between
    assert between.rstrip().endswith("Against it:")
    for row in state_rows(names, found.cases[0]):
        assert " ".join(row) in shown
    assert "Department D: in 76 of 100" in shown


def test_the_table_of_people_has_the_range_over_couplings(visit: Visit, admissions: Result) -> None:
    user = visit().open_sample("berkeley").go("complainant")
    (table,) = [item.value for item in user.at.dataframe if "Person" in item.value]
    evidence = admissions.evidence("CST_wo", K15)
    places = admissions.index.get_indexer(table["Person"])
    assert evidence.coupling_lowest is not None
    assert evidence.coupling_highest is not None
    assert table[LOWEST].to_numpy() == pytest.approx(evidence.coupling_lowest[places])
    assert table[HIGHEST].to_numpy() == pytest.approx(evidence.coupling_highest[places])
    every = evidence.case_every_coupling
    assert every is not None
    case, every = evidence.is_case[places], every[places]
    told = np.where(case, np.where(every, "holds", "may turn"), "")
    assert (table[HOLDS].to_numpy() == told).all()
    assert {"holds", "may turn"} <= set(told)
    user.at.text_input(key="complainant-search").set_value("r24-")
    user.run()
    (women_of_f,) = [item.value for item in user.at.dataframe if "Person" in item.value]
    assert set(women_of_f[HOLDS]) == {"holds"}
    loan = visit().open_sample("loan").go("complainant")
    assert not any(HOLDS in item.value for item in loan.at.dataframe)


def test_what_if_she_had_applied_elsewhere(visit: Visit) -> None:
    user = visit().open_sample("berkeley")
    user.at.query_params[PARAMETER] = HER
    user.at.session_state["open-what-if"] = True
    user.go("complainant")
    (chosen,) = [item for item in user.at.selectbox if item.label == "Department"]
    chosen.set_value("C")
    user.run()
    shown = plain(user.text)
    assert "Hypothetical: not the case itself" in shown
    assert "D in 76 of 100, A in 14 and B in 11 C in 37 of 100, A in 35 and B in 28" in shown


def test_the_overview_says_what_hangs_on_the_coupling(visit: Visit, admissions: Result) -> None:
    user = visit().open_sample("berkeley").go("overview")
    names = load_scenario("berkeley").names()
    said = everyone_over_couplings(names, admissions, admissions.summary("CST_wo", K15))
    assert said is not None
    assert plain(said) in plain(user.text)
    assert "mean Δp 0.142" in said
    assert "coupling" not in plain(visit().open_sample("loan").go("overview").text)


def test_overview_says_where_a_whole_department_turns_at_once(visit: Visit) -> None:
    user = visit().open_sample("berkeley").go("overview")
    assert "the number of significant cases goes from" in user.text
    assert "All are equal in what is compared (Department" in user.text
