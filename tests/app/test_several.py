"""The page of several attributes: its numbers against the library, for two to four of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from app_user import User
from own_cases import PROTECTED, library, open_link

from cst_core import EvidenceSettings, load_scenario, run_intersectional, run_multiple
from cst_core.errors import CSTWarning
from cst_core.evidence import SearchSettings
from cst_core.explain import number
from cst_core.testing import overlap

Visit = Callable[..., User]
K15 = EvidenceSettings(n_neighbours=15)


def run_all(data, model, maker=None):
    search = SearchSettings(max_neighbours=100)
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        multiple = run_multiple(data, model, decision_maker=maker, search=search)
        forms = {
            form: run_intersectional(data, model, decision_maker=maker, form=form, search=search)
            for form in ("paper", "full")
        }
    return multiple, forms


def check(user: User, multiple, forms) -> None:
    several, crossed = (item.summary("CST_wo", K15) for item in (multiple, forms["paper"]))
    n = multiple.n_protected
    assert f"{n:,} people are at once" in user.text
    assert f"Of these, {several.cases:,} (" in user.text
    assert f"(multiple; {several.significant:,} significant), and {crossed.cases:,} (" in user.text
    assert f"(intersectional; {crossed.significant:,} significant)." in user.text
    for run in multiple.runs:
        single = run.summary("CST_wo", K15)
        assert (
            f"{run.name} alone {run.n_protected:,} people, α 0.05 {single.cases:,} (" in user.text
        )
        assert f"{single.significant:,} significant" in user.text
    found = overlap(multiple, forms["paper"], method="CST_wo", settings=K15)
    sizes = found.parts.value_counts()
    both, only = sizes.get("both", 0), sizes.get("intersectional only", 0)
    assert f"{both:,} are cases by both tests, {only:,} by the intersectional one" in user.text
    assert f"{sizes.get('neither', 0):,} by neither" in user.text
    for part, row in found.shares.iterrows():
        cells = [f"{int(row['people']):,}"] + [
            "–" if np.isnan(value) else number(float(value), 3) for value in row.iloc[1:]
        ]
        assert f"{part[:1].upper()}{part[1:]} {' '.join(cells)}" in user.text
    full = forms["full"].summary("CST_wo", K15)
    if full.cases != crossed.cases:
        assert f"in full {full.cases:,} ({full.significant:,})" in user.text


def test_the_law_school_sample_shows_the_librarys_numbers(visit: Visit) -> None:
    user = visit().open_sample("law-school").go("several")
    case = load_scenario("law-school")
    multiple, forms = run_all(case.dataset(), case.causal_model(), case.decision_maker())
    check(user, multiple, forms)
    assert "α ÷ 2: 0.05 ÷ 2 = 0.025 (Bonferroni)" in user.text
    assert "discriminated" not in user.text
    evidence = multiple.evidence("CST_wo", K15)
    gender, race = (evidence.runs[name].delta for name in ("gender", "race"))
    found = overlap(multiple, forms["paper"], method="CST_wo", settings=K15).parts != "neither"
    more = int(((gender > race + 1e-9) & found.to_numpy()).sum())
    less = int(((race > gender + 1e-9) & found.to_numpy()).sum())
    assert f"from gender for {more} and race for {less}" in user.text


def test_significant_cases_alone_and_the_other_form(visit: Visit) -> None:
    user = visit().open_sample("law-school").go("several")
    user.at.segmented_control(key=user.key("several-kind")).set_value(True)
    user.run()
    user.choose("set-intersectional_form", "full")
    case = load_scenario("law-school")
    multiple, forms = run_all(case.dataset(), case.causal_model(), case.decision_maker())
    found = overlap(multiple, forms["full"], method="CST_wo", settings=K15, significant=True)
    sizes = found.parts.value_counts()
    said = f"{sizes.get('both', 0):,} are significant cases by both tests, "
    assert said + f"{sizes['intersectional only']:,} by" in user.text
    assert "The overlap below uses the form in full" in user.text


@pytest.mark.parametrize("attributes", [2, 3, 4])
def test_two_to_four_attributes_without_a_decision_maker(visit: Visit, attributes: int) -> None:
    rows = 900
    user = visit(open_link(attributes, rows)).go("several")
    check(user, *run_all(*library(attributes, rows)))
    assert f"α ÷ {attributes}" in user.text
    for name in PROTECTED[:attributes]:
        assert name in user.text


def test_small_cells_are_warned_about(visit: Visit) -> None:
    user = visit(open_link(4, 150)).go("several")
    n = run_all(*library(4, 150))[0].n_protected
    assert n < 30
    assert f"Only {n} people are at once" in user.text


def test_an_unavailable_method_explains_itself(visit: Visit) -> None:
    user = visit(open_link(2))
    user.at.query_params["method"] = "CF"
    user.go("several")
    assert "This method is not available, so CST w/o is shown" in user.text


def test_with_one_attribute_it_says_what_it_needs(visit: Visit) -> None:
    user = visit().open_sample("loan").go("several")
    assert "This case has fewer than two." in user.text
    assert user.button("Go to Data")


def test_the_people_of_a_part_are_listed(visit: Visit) -> None:
    user = visit().open_sample("law-school").go("several")
    case = load_scenario("law-school")
    multiple, forms = run_all(case.dataset(), case.causal_model(), case.decision_maker())
    found = overlap(multiple, forms["paper"], method="CST_wo", settings=K15)
    shown = user.at.dataframe[0].value
    assert set(shown["id"]) == {str(one) for one in found.parts.index[found.parts == "both"]}
    deltas = multiple.evidence("CST_wo", K15).runs["race"].to_frame()["delta"]
    for row in shown.to_dict("records"):
        assert row["Δp, race"] == pytest.approx(deltas[int(row["id"])])


def test_two_of_three_attributes_can_be_tested_together(visit: Visit) -> None:
    data, model = library(3)
    user = visit(open_link(3)).go("overview")
    said: set[int] = set()
    for name in ("sex,origin", "sex,age", "origin+age"):
        user.choose("set-test", name)
        run = run_intersectional if "+" in name else run_multiple
        wanted = run(data, model, attributes=name.replace("+", ",").split(","))
        counts = wanted.summary("CST_wo", K15)
        one, two = name.replace("+", ",").split(",")
        who = f"people with {one} = yes who are also people with {two} = yes"
        assert f"Of {wanted.n_protected:,} {who}, {counts.cases:,} (" in user.text
        assert f"{counts.significant:,} of them statistically significant" in user.text
        said.add(counts.cases)
    assert len(said) == 3
    assert (
        "sex and age together (intersectional)"
        in user.at.selectbox(key=user.key("set-test")).options
    )
