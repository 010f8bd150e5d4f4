"""Rival worlds in a browser: the law school by race, in three causal models."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import fresh
from playwright.sync_api import expect

from cst_core import Equation, EvidenceSettings, SearchSettings, load_scenario, run_single
from cst_core.errors import CSTWarning
from cst_core.explain import percent
from cst_core.robustness import disagreement, in_worlds, rival_worlds

if TYPE_CHECKING:
    from app_driver import Person

RANK = "linear keeping ranks"
SETTINGS = EvidenceSettings(n_neighbours=50)


def library():
    """Return the tests in the two causal models of the sample, and with ranks kept."""
    case = load_scenario("law-school")
    linear = case.causal_model("linear")
    ranks = {
        node: Equation(node=node, mechanism="quantile", bounds=linear.equation(node).bounds)
        for node in ("UGPA", "LSAT")
    }
    worlds = {
        "linear": linear,
        "log-link": case.causal_model("log-link"),
        RANK: replace(linear, equations=ranks),
    }
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        result = run_single(
            case.dataset(),
            linear,
            attribute="race",
            decision_maker=case.decision_maker(),
            search=SearchSettings(max_neighbours=50),
        )
        return in_worlds(result, worlds)


def test_three_worlds_of_the_law_school(person: Person) -> None:
    results = library()
    found = rival_worlds(results, settings=SETTINGS)
    link = person.server.workspace("law-school")
    person.page.goto(f"{person.server.address}/rival-worlds?w={link}&test=race&k=50")
    person.open("Add a rival world")
    person.says("Already here: log-link says the same.")
    person.button("Add it", within=person.main.locator(".st-key-rival-rank")).click()

    sizes = found.flagged().value_counts()
    expect(fresh(person.main.locator(".cst-headline"))).to_have_text(
        f"Of {len(found.index):,} non-white people, {sizes['all']:,} are significant cases in each "
        f"of the 3 causal models, {sizes['some']:,} in some only, and {sizes['none']:,} in none."
    )
    assert [world.name for world in person.server.draft(link).worlds] == list(found.names)
    n = len(found.index)
    for name, row in found.counts().iterrows():
        line = person.main.get_by_role("row").filter(has_text=f"{row['mean_delta']:.3f}")
        counted = int(row["significant"])
        expect(fresh(line.filter(has_text=name))).to_contain_text(
            f"{counted:,} ({percent(counted / n, 1)})"
        )
    cell = found.pairs().set_index(["first", "second"]).loc[("linear", RANK)]
    differ = cell["first_only"] + cell["second_only"]
    expect(fresh(person.main.locator(".cst-agree"))).to_contain_text(f"{differ:,} differ")

    person.quiet()
    person.choose("Second causal model", RANK)
    person.says(f"The verdict of {differ:,} people changes: ")
    drawings = person.main.locator(".react-flow")
    expect(drawings).to_have_count(2)
    expect(drawings.first.get_by_text("0.125 · differs")).to_be_visible()
    expect(drawings.last.get_by_text("keeps ranks · differs").first).to_be_visible()

    person.button("Compute").click()
    wanted = disagreement(results["linear"], results[RANK], settings=SETTINGS)
    for node, turned in wanted.turned_by.sum().items():
        told = person.main.get_by_text(f"Taking only the equation of {node} ")
        expect(fresh(told)).to_contain_text(f"turns the verdict of {turned:,} of these {differ:,}.")
    person.quiet()


def test_a_person_is_opened_from_the_table(person: Person) -> None:
    person.follow(person.server.workspace("law-school"), "rival-worlds")
    table = person.main.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    expect(table.locator("canvas").first).to_be_visible()
    person.quiet()
    table.click(position={"x": 18, "y": 54})
    button = person.main.get_by_role("button", name=re.compile(r"Open \d")).first
    chosen = (button.inner_text()).split()[-1]
    button.click()
    expect(person.heading(f"Person {chosen}")).to_be_visible()
