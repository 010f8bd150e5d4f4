"""The page of groups: its numbers against the library, and which cases it shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from app_user import User
from own_cases import library, open_link

from cst_core import EvidenceSettings, SearchSettings, load_scenario, run_single
from cst_core.explain import all_slices, count, describe_groups, number, percent
from cst_core.results import SingleResult
from dashboard.pages.person.groups.cases import Around, describe, find_people

Visit = Callable[..., User]
K15 = EvidenceSettings(n_neighbours=15)


@pytest.fixture(scope="module")
def loan() -> SingleResult:
    case = load_scenario("loan")
    return run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=SearchSettings(max_neighbours=500),
    )


def averages(run: SingleResult, people: Any, asked: EvidenceSettings, **how: Any) -> pd.DataFrame:
    """Return the groups' statistics over some complainants: a column a group."""
    described = describe_groups(run, people, asked, **how)
    return pd.DataFrame({name: table.mean() for name, table in described.items()})


def row_of(user: User, head: str, after: str) -> str:
    """Return what follows a row's head in the first table behind a title."""
    rest = user.text[user.text.index(after) :]
    return rest[rest.index(head) : rest.index(head) + 120]


def test_small_slices_are_averaged_whole(visit: Visit, loan: SingleResult) -> None:
    user = visit().open_sample("loan").go("groups")
    for which, words in (
        ("ST and CST w/o", "Found by ST and CST"),
        ("not significant", "Not significant"),
    ):
        people = all_slices(loan, K15)[which]
        assert len(people) <= 50
        wanted = averages(loan, people, EvidenceSettings(n_neighbours=15))
        title = f"{words} ({count(len(people), 'case')})"
        shares = " ".join(percent(value, 1) for value in wanted.loc["share of negatives"])
        assert f"Refused, share {shares}" in row_of(user, "Refused, share", title)
        far = " ".join(number(value, 3) for value in wanted.loc["mean distance"])
        assert f"Mean distance {far}" in row_of(user, "Mean distance", title)
        for label, column in (("Annual salary", "AnnualSalary"),):
            shown = row_of(user, f"{label} ", title)
            for group in wanted.columns:
                assert number(wanted.loc[f"mean {column}", group]) in shown


def test_large_slices_say_how_many_were_drawn(visit: Visit, loan: SingleResult) -> None:
    user = visit().open_sample("loan").go("groups")
    n = len(all_slices(loan, K15)["significant"])
    assert f"Significant: {n:,} (50 of them drawn)" in user.text
    cases = loan.summary("CST_wo", K15).cases
    assert f"On average over 50 of {cases:,} cases" in user.text


def test_people_named_by_id_are_shown(visit: Visit, loan: SingleResult) -> None:
    user = visit().open_sample("loan").go("groups")
    user.choose("groups-kind", "chosen")
    person, other = loan.index[3], loan.index[7]
    user.type("groups-ids", f"{person}, nobody, {other}")
    assert "Nobody in the protected group has the id nobody." in user.text
    evidence = loan.evidence("CST_wo", K15).to_frame()
    described = {one: averages(loan, [one], K15) for one in (person, other)}
    for one, wanted in described.items():
        delta = evidence.loc[one, "delta"]
        assert f"{one} {evidence.loc[one, 'verdict']} {number(delta, 3)}" in user.text
        share, far = wanted.loc["share of negatives"], wanted.loc["mean distance"]
        cells = " ".join(
            f"{percent(share[group], 1)} {number(far[group], 3)} away" for group in wanted.columns
        )
        assert cells in user.text


def test_other_ones_are_others_and_the_same_again_later(visit: Visit, loan: SingleResult) -> None:
    def shown(user: User) -> list[str]:
        rest = user.text[user.text.index("Share refused in each group") :]
        return re.findall(r"L\d{4}", rest)[:5]

    user = visit().open_sample("loan").go("groups")
    first = shown(user)
    user.press("Show other ones")
    second = shown(user)
    cases = pd.Index(loan.index[loan.evidence("CST_wo", K15).is_case])
    assert len(set(first) | set(second)) == 10
    assert set(first) | set(second) <= set(cases)
    assert shown(visit().open_sample("loan").go("groups")) == first


def test_another_k_shows_other_groups(visit: Visit, loan: SingleResult) -> None:
    user = visit().open_sample("loan")
    user.at.query_params["k"] = "40"
    user.go("groups")
    settings = EvidenceSettings(n_neighbours=40)
    people = all_slices(loan, settings)["not significant"]
    assert len(people) <= 50
    wanted = averages(loan, people, EvidenceSettings(n_neighbours=40))
    title = f"Not significant ({count(len(people), 'case')})"
    shares = " ".join(percent(value, 1) for value in wanted.loc["share of negatives"])
    assert shares in row_of(user, "Refused, share", title)


def test_few_people_are_warned_about_and_names_said(visit: Visit) -> None:
    link = open_link(1, rows=60)
    user = visit(link)
    user.at.query_params["k"] = "4"
    user.go("groups")
    assert "Each group has only 4 people" in user.text
    assert "Not drawn, as names have no order: <b>town</b>." in user.text
    assert not any("<b>town" in text for text in user.shown_as_markdown())


def test_names_are_shown_as_shares(visit: Visit) -> None:
    user = visit(open_link(1))
    user.go("groups")
    people, model = library(1)
    run = run_single(people, model, attribute="sex", search=SearchSettings(max_neighbours=500))
    found = all_slices(run, K15)["not significant"]
    assert 0 < len(found) <= 50
    town = people.frame["<b>town</b>"]
    title = f"Not significant ({count(len(found), 'case')})"
    for level in ("north", "south", "<i>east</i>"):
        means = []
        for group in ("control", "test_st", "test_cst"):
            parts = []
            for row in run.rows_of(found):
                members = run.members(int(row), group, K15)
                inside = (town.iloc[members.rows] == level).to_numpy()
                parts.append(members.weights[inside].sum() / members.weights.sum())
            means.append(percent(float(np.mean(parts)), 1))
        head = f"<b>town</b>: {level}".replace("<", "&lt;").replace(">", "&gt;")
        assert f"{head} {' '.join(means)}" in row_of(user, head, title)
    assert "the most frequent values in each group" in user.text
    raw = "".join(item.proto.body for item in user.at.get("html"))
    assert "<i>east" not in raw


@pytest.mark.parametrize("k", [15, 40])
def test_cases_of_cst_with_and_cf(visit: Visit, loan: SingleResult, k: int) -> None:
    user = visit().open_sample("loan")
    user.at.query_params["k"] = str(k)
    user.at.session_state["open-counted-in"] = True
    user.go("groups")
    settings = EvidenceSettings(n_neighbours=k)
    joined, fairness = (loan.evidence(method, settings) for method in ("CST_w", "CF"))
    for words, inside in (
        ("Found by CST w/ and CF", joined.is_case & fairness.is_case),
        ("Found by CST w/, not by CF", joined.is_case & ~fairness.is_case),
        ("Significant by CST w/", joined.is_significant),
        ("Not significant by CST w/", joined.is_case & ~joined.is_significant),
    ):
        title = f"{words} ({count(int(inside.sum()), 'case')}"
        assert title in user.text
        if inside.sum() <= 50:
            wanted = averages(loan, loan.index[inside], settings, with_centres=True)
            shares = " ".join(percent(value, 1) for value in wanted.loc["share of negatives"])
            assert shares in row_of(user, "Refused, share", title)
            people = " ".join(number(value, 3) for value in wanted.loc["negatives"])
            assert people in row_of(user, "Refused, people", title)


def test_without_a_rule_the_tables_of_cst_with_say_why(visit: Visit) -> None:
    user = visit(open_link(1))
    user.at.session_state["open-counted-in"] = True
    user.go("groups")
    assert "Not available: " in user.text


def test_what_other_tabs_make_forget_is_looked_at_again(loan: SingleResult) -> None:
    class Forgetful(dict[int, Any]):
        """Forgets at once what it is given, as another tab may make it do."""

        def __setitem__(self, key: int, value: Any) -> None:
            pass

    around = Around.of(loan)
    people = loan.index[:3]
    wanted = describe(loan, around, people, K15)
    around.known = Forgetful()
    found = describe(loan, around, people, K15)
    for group, table in wanted.groups.items():
        np.testing.assert_array_equal(found.groups[group].means, table.means)


def test_no_case_at_all_is_said(visit: Visit) -> None:
    user = visit().open_sample("loan")
    user.at.query_params["tau"] = "1.0"
    user.go("groups")
    assert "There is no such case under these settings." in user.text
    assert "There are no cases under these settings." in user.text


def test_groups_around_several_states_are_those_of_the_evidence(visit: Visit) -> None:
    user = visit().open_sample("berkeley").go("groups")
    assert "the counterfactual is several states, each with a weight" in user.text
    run = load_scenario("berkeley").open().run("gender").runs[0]
    evidence = run.evidence("CST_wo", K15)
    people = run.index[::200]
    found = describe(run, Around.of(run), people, K15).groups["test_cst"].share
    wanted = evidence.p_test[run.index.get_indexer(people)]
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_one_counterfactual_each_is_not_called_several(visit: Visit) -> None:
    assert "several states" not in visit().open_sample("loan").go("groups").text


def test_people_are_found_by_their_id_as_text() -> None:
    case = load_scenario("loan")
    data = case.dataset()
    numbered = replace(data, frame=data.frame.set_axis(np.arange(len(data), dtype=float), axis=0))
    run = run_single(numbered, case.causal_model(), attribute="Gender")
    first = f"{run.index[0]:.0f}"
    people, unknown = find_people(run, f"{first}, nobody")
    assert people.tolist() == [run.index[0]]
    assert unknown == ["nobody"]
