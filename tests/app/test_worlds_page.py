"""Rival worlds: numbers on the page against the library, made by one click, stale when due."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest
from app_user import User
from own_cases import draft as own_draft
from own_cases import library, table

from cst_core import (
    CausalModel,
    Equation,
    EvidenceSettings,
    load_scenario,
    run_intersectional,
    run_multiple,
    run_single,
)
from cst_core.errors import CSTWarning
from cst_core.explain import percent
from cst_core.robustness import RivalWorlds, disagreement, in_worlds, rival_worlds
from cst_core.scenario import EdgePart, EquationPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.session import caches
from dashboard.session.state import store

Visit = Callable[..., User]
LOG, RANK = "linear with log links", "linear keeping ranks"


def with_equations(model: CausalModel, *equations: Equation) -> CausalModel:
    return replace(model, equations=dict(model.equations) | {one.node: one for one in equations})


@pytest.fixture(scope="module")
def loan():
    """The three worlds of the loan sample, without the dashboard."""
    case = load_scenario("loan")
    linear = case.causal_model()
    nodes = ("AnnualSalary", "AccountBalance")
    worlds = {
        "linear": linear,
        LOG: with_equations(linear, *(Equation(node=node, link="log") for node in nodes)),
        RANK: with_equations(linear, *(Equation(node=n, mechanism="quantile") for n in nodes)),
    }
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        result = run_single(
            case.dataset(), linear, attribute="Gender", decision_maker=case.decision_maker()
        )
        return in_worlds(result, worlds)


def shown(user: User, **query: object) -> User:
    for name, value in query.items():
        user.at.query_params[name] = str(value)
    return user.go("rival-worlds")


def with_rivals(visit: Visit) -> User:
    """The loan sample with both usual rivals, made by their buttons."""
    user = shown(visit().open_sample("loan"))
    for key in ("rival-log", "rival-rank"):
        user.at.button(key=key).click()
        user.run()
    return user.enter("k as a number", 50)


def check(user: User, found: RivalWorlds, test: str, *, significant: bool = True) -> None:
    who = user.session.draft.names.complainants(test)
    kind = "significant cases" if significant else "cases"
    sizes = found.flagged(significant=significant).value_counts()
    every, some, none = (sizes.get(part, 0) for part in ("all", "some", "none"))
    said = re.search(r"Of [\d,]+ .* in none\.", user.text)
    assert said, user.text[:2000]
    assert f"Of {len(found.index):,} {who}, {every:,} are {kind} in " in said.group()
    assert re.search(rf"{some:,} in (some|one) only, and {none:,} in none\.", user.text)
    n = len(found.index)
    for name, row in found.counts().iterrows():
        cases, counted = int(row["cases"]), int(row["significant"])
        assert re.search(
            rf"{re.escape(name)} (\(open\) )?{cases:,} \({percent(cases / n, 1)}\) "
            rf"{counted:,} \({percent(counted / n, 1)}\) ",
            user.text,
        ), name
    shares = found.agreement(significant=significant)
    for row in found.pairs(significant=significant).itertuples():
        share = float(shares.loc[row.first, row.second])
        assert f"{percent(share, 1)} {row.first_only + row.second_only:,} differ" in user.text


def people(user: User, key: str) -> pd.DataFrame:
    found = [item for item in user.at.dataframe if key in item.proto.id]
    assert len(found) == 1
    return found[0].value


def test_one_causal_model_says_what_a_rival_is_good_for_and_offers_the_usual(visit: Visit) -> None:
    user = shown(visit().open_sample("loan"))
    assert "There is one causal model, so nothing to compare it with." in user.text
    assert "whoever is found in one only hangs on what it assumes" in user.text
    before = user.saved
    user.at.button(key="rival-log").click()
    user.run()
    assert user.last_change == f"Added the rival causal model {LOG}"
    after = user.saved
    assert (after.active, [world.name for world in after.worlds]) == ("linear", ["linear", LOG])
    assert {item.node: item.link for item in after.worlds[1].equations} == {
        "AnnualSalary": "log",
        "AccountBalance": "log",
    }
    assert after.worlds[1].edges == before.world.edges
    assert f"Already here: {LOG} says the same." in user.text
    user.press("Undo")
    assert user.saved == before


def test_a_rival_without_an_arrow(visit: Visit) -> None:
    user = shown(visit().open_sample("loan"))
    edges = [(edge.cause, edge.effect) for edge in user.saved.world.edges]
    inner = [edge for edge in edges if edge[1] != user.saved.decision_node]
    user.choose("rival-arrow", 1)
    user.at.button(key="rival-without").click()
    user.run()
    made = user.saved.worlds[1]
    assert [(edge.cause, edge.effect) for edge in made.edges] == [
        edge for edge in edges if edge != inner[1]
    ]
    assert f"Only linear has the arrow {inner[1][0]} → {inner[1][1]}." in user.text


@pytest.mark.parametrize("significant", [True, False])
def test_the_numbers_are_the_librarys(visit: Visit, loan, significant: bool) -> None:
    found = rival_worlds(loan, settings=EvidenceSettings(n_neighbours=50))
    user = with_rivals(visit)
    if not significant:
        user.at.segmented_control(key=user.key("worlds-kind")).set_value(False)
        user.run()
    check(user, found, "Gender", significant=significant)
    assert "discriminated" not in user.text
    flagged = found.flagged(significant=significant)
    some = people(user, "people some")
    assert set(some["id"]) == set(flagged.index[flagged == "some"].astype(str)[:500])
    person = some["id"].iloc[0]
    deltas = found.deltas().loc[person]
    for name in found.names:
        assert some[f"Δp, {name}"].iloc[0] == pytest.approx(deltas[name])
        one = found.evidence[name]
        place = list(found.index).index(person)
        word = "significant" if one.is_significant[place] else "to examine"
        wanted = word if one.is_case[place] else "none"
        assert some[f"verdict, {name}"].iloc[0] == wanted


def test_who_changes_and_because_of_which_equation(visit: Visit, loan) -> None:
    settings = EvidenceSettings(n_neighbours=50)
    found = rival_worlds(loan, settings=settings)
    user = with_rivals(visit)
    user.choose(f"world-two-linear-{len(found.names) - 1}", RANK)
    pair = found.pairs().set_index(["first", "second"]).loc[("linear", RANK)]
    assert (
        f"{pair['first_only']:,} are significant cases in linear only, {pair['second_only']:,} in "
        f"{RANK} only. {pair['both']:,} are in both." in user.text
    )
    assert "how it follows from its causes: a sum in linear, keeping the rank in" in user.text
    user.press("Compute")
    wanted = disagreement(loan["linear"], loan[RANK], settings=settings)
    turned = wanted.turned_by.sum()
    assert len(wanted.index) == pair["first_only"] + pair["second_only"] > 0
    for node, number in turned.items():
        assert (
            f"Taking only the equation of {node} (its arrows included) from {RANK} into linear "
            f"turns the verdict of {number:,} of these {len(wanted.index):,}." in user.text
        )
    rows = people(user, "changed both").set_index("id")["because of"]
    said = wanted.because()
    for person, words in rows.items():
        assert set(re.split(", | and ", words)) == set(
            said[person].replace("only together", "only several together").split(", ")
        )
    node = turned.idxmax()
    user.at.multiselect(key=user.key(f"world-because-linear-{RANK}")).set_value([node])
    user.run()
    assert len(people(user, "changed both")) == min(turned[node], 500)


def test_reasons_are_kept_and_stale_when_any_causal_model_changes(visit: Visit) -> None:
    user = with_rivals(visit)
    user.press("Compute")
    assert "Computed before something changed" not in user.text
    again = shown(visit(user.link))
    assert "Taking only the equation of" in again.text  # kept with the workspace
    draft = again.saved
    world = draft.worlds[2]  # neither of the two that are compared
    edges = tuple(edge for edge in world.edges if edge.cause != "Gender")
    changed = world.model_copy(update={"edges": edges, "equations": ()})
    put(again, draft.with_world(changed))
    later = shown(visit(user.link))
    assert "Computed before something changed: one of the causal models." in later.text


def put(user: User, draft: Draft) -> None:
    store().save(
        user.workspace.id,
        draft.to_json(),
        expected_version=user.workspace.version,
        author="",
        summary="changed",
        reason="",
        title=draft.title,
        blobs=(draft.source.sha256,) if draft.source else (),
    )


def test_situation_testing_is_the_same_in_every_world(visit: Visit, loan) -> None:
    user = with_rivals(visit)
    user.at.segmented_control(key=user.key("set-method")).set_value("ST")
    user.run()
    found = rival_worlds(loan, settings=EvidenceSettings(n_neighbours=50), method="ST")
    check(user, found, "Gender")
    assert set(found.agreement().to_numpy().ravel()) == {1.0}
    assert "does not use a causal model" in user.text


def own_case(*worlds: DraftWorld, active: str = "Model 1") -> str:
    data = table(2).to_csv(index=False).encode()
    case = own_draft(2, data)
    case = case.model_copy(update={"worlds": (*case.worlds, *worlds), "active": active})
    assert case.source is not None
    made = store().create(
        case.to_json(), title=case.title, author="", summary="made", blobs=(case.source.sha256,)
    )
    return made.token


def own_world(name: str, **update: object) -> DraftWorld:
    first = own_draft(2, b"x").worlds[0]
    return first.model_copy(update={"name": name, **update})


def test_a_causal_model_that_cannot_be_fitted_says_why_and_the_others_show(visit: Visit) -> None:
    income = own_draft(2, b"x").worlds[0].edges
    circle = own_world("in a circle", edges=(*income, EdgePart(cause="income", effect="sex")))
    negative = own_world("two <b>logs</b>", nodes=())
    rank = own_world("ranks", equations=(EquationPart(node="income", mechanism="quantile"),))
    user = shown(visit(own_case(circle, negative, rank)), test="sex")
    assert "in a circle cannot be tested, so it is left out: " in user.text
    assert "two <b>logs</b> cannot be tested, so it is left out: " in user.text
    assert "still empty" in user.text
    data, model = library(2)
    model = replace(model, graph=replace(model.graph, protected=("sex", "origin")))
    ranks = with_equations(model, Equation(node="income", mechanism="quantile"))
    result = run_single(data, model, attribute="sex")
    results = in_worlds(result, {"Model 1": model, "ranks": ranks})
    found = rival_worlds(results, settings=EvidenceSettings(n_neighbours=15))
    check(user, found, "sex")


def test_a_broken_open_causal_model_does_not_hide_the_others(visit: Visit) -> None:
    rank = own_world("ranks", equations=(EquationPart(node="income", mechanism="quantile"),))
    broken = own_world("<i>empty</i>", nodes=())
    user = shown(visit(own_case(rank, broken, active="<i>empty</i>")), test="sex")
    said = "<i>empty</i>, the causal model that is open, cannot be tested, so Model 1 is shown."
    assert said in user.text
    assert "still empty" in user.text
    assert "<i>empty</i> cannot be tested, so it is left out: " in user.text
    data, model = library(2)
    model = replace(model, graph=replace(model.graph, protected=("sex", "origin")))
    ranks = with_equations(model, Equation(node="income", mechanism="quantile"))
    result = run_single(data, model, attribute="sex")
    results = in_worlds(result, {"Model 1": model, "ranks": ranks})
    found = rival_worlds(results, settings=EvidenceSettings(n_neighbours=15))
    check(user, found, "sex")
    user.go("overview")
    assert said in user.text
    expected = results["Model 1"].summary("CST_wo", EvidenceSettings(n_neighbours=15))
    assert f"{expected.cases:,} (" in user.text
    user.go("rival-worlds").at.button(key="rival-log").click()
    user.run()
    assert user.saved.active == "<i>empty</i>"
    assert len(user.saved.worlds) == 4


def test_multiple_and_intersectional_tests(visit: Visit) -> None:
    fewer = own_draft(2, b"x").worlds[0].edges[:1]
    link = own_case(own_world("fewer", edges=fewer))
    data, model = library(2)
    less = replace(model, graph=replace(model.graph, edges=model.graph.edges[:1]))
    worlds = {"Model 1": model, "fewer": less}
    settings = EvidenceSettings(n_neighbours=15)
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        several = {name: run_multiple(data, one) for name, one in worlds.items()}
        crossed = {
            f"{name}, {words}": run_intersectional(data, one, form=form)
            for name, one in worlds.items()
            for form, words in (("paper", "as in the paper"), ("full", "in full"))
        }
    user = shown(visit(link), test="multiple")
    found = rival_worlds(several, settings=settings)
    check(user, found, "multiple")
    user.press("Compute")
    wanted = disagreement(several["Model 1"], several["fewer"], settings=settings)
    number = int(wanted.turned_by["income"].sum())
    assert number
    assert f"turns the verdict of {number:,} of these {len(wanted.index):,}." in user.text
    user = shown(visit(link), test="intersectional")
    user.at.toggle(key=user.key("worlds-forms")).set_value(True)
    user.run()
    check(user, rival_worlds(crossed, settings=settings), "intersectional")
    user.choose("world-one", "Model 1, as in the paper")
    user.choose("world-two-Model 1, as in the paper-3", "Model 1, in full")
    assert "They are drawn alike and differ in the form" in user.text
    assert "The two forms of an intersectional test set different things" in user.text


def test_worlds_tested_once_are_known_on_the_other_pages(visit: Visit, loan) -> None:
    """Known on Robustness and on her page only after the test, and then the library's."""
    user = with_rivals(visit)
    caches.forget_all()  # as after a new start of the server
    settings = EvidenceSettings(n_neighbours=50)
    compared = rival_worlds(loan, settings=settings, method="CST_wo")
    table = compared.verdicts(significant=True)
    person = str(table.index[table["linear"] & ~table.all(axis=1)][0])
    user.at.query_params["person"] = person
    every_one = "In every one of the 3 causal models"
    assert every_one not in standing(user.go("robustness"))
    user.go("complainant")
    assert "Is it the same in the other causal models of the case?" in user.text
    user.at.button(key="her-worlds").click()
    said = user.run().text
    yes = [name for name in table.columns if table[name][person]]
    assert f"She is a significant case in {len(yes)} of 3 causal models: " in said
    assert "The one that is open is linear." in said
    every = int(table.all(axis=1).sum())
    assert standing(user.go("robustness"))[every_one] == every
    user.go("complainant")
    assert "Is it the same in the other causal models" not in user.text  # nothing is asked again


def standing(user: User) -> dict[str, int]:
    chart = next(item for item in user.at.get("plotly_chart") if "standing" in item.proto.id)
    spec = json.loads(chart.proto.spec)
    bars, axis = spec["data"][0], spec["layout"]["yaxis"]
    names = dict(zip(axis["tickvals"], axis["ticktext"], strict=True))
    return dict(zip([names[place] for place in bars["y"]], bars["x"], strict=True))
