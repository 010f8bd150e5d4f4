"""Two-headed arrows: held, checked, merged, told, and without effect on any number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cst_core import CausalGraph, CausalModel, load_scenario, read_scenario, write_scenario
from cst_core.errors import CausalModelError, CausalModelWarning, ScenarioError
from cst_core.scenario import BidirectedPart, Case

ENDS = ("AnnualSalary", "AccountBalance")


@pytest.fixture(scope="module")
def loan() -> Case:
    return load_scenario("loan")


def with_arrow(case: Case, *ends: tuple[str, str]) -> Case:
    world = case.scenario.worlds[0]
    arrows = tuple(BidirectedPart(between=pair) for pair in ends)
    worlds = (world.model_copy(update={"bidirected": arrows}),)
    return replace(case, scenario=case.scenario.model_copy(update={"worlds": worlds}))


@pytest.mark.parametrize(
    ("arrows", "message"),
    [
        ([("A", "X"), ("X", "A")], "The arrow X ↔ A is listed twice."),
        ([("X", "X")], "The arrow X ↔ X leads from a node to itself."),
        ([("X", "U")], "The arrow X ↔ U names 'U', which is not among the nodes: A, X."),
    ],
)
def test_a_graph_refuses_what_joins_no_two_nodes(
    arrows: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(CausalModelError) as caught:
        CausalGraph(nodes=("A", "X"), edges=(), bidirected=tuple(arrows))
    assert str(caught.value) == message


def test_they_are_no_arrows_from_cause_to_effect() -> None:
    graph = CausalGraph(
        nodes=("A", "X", "D"),
        edges=(("A", "X"),),
        bidirected=(("A", "X"), ("X", "D")),
        protected=("A",),
        decision="D",
    )
    assert graph.parents("D") == ()
    assert graph.descendants(["A"]) == {"X"}
    assert graph.equation_nodes() == ("X",)


def test_an_intersection_keeps_them_at_its_ends() -> None:
    graph = CausalGraph(
        nodes=("A", "B", "X"),
        edges=(("A", "X"), ("B", "X")),
        bidirected=(("A", "B"), ("X", "A"), ("B", "X")),
        protected=("A", "B"),
    )
    merged = CausalModel(graph=graph).with_merged(("A", "B"), "A × B")
    assert merged.graph.bidirected == (("A × B", "X"),)


def test_a_scenario_file_holds_them(loan: Case) -> None:
    scenario = with_arrow(loan, ENDS).scenario
    text = write_scenario(scenario)
    assert "bidirected:\n  - between:\n    - AnnualSalary\n    - AccountBalance" in text
    assert read_scenario(text) == scenario
    with pytest.raises(ScenarioError) as caught:
        read_scenario(text.replace("- between:\n    - AnnualSalary", "- between:\n    - Salary"))
    assert "worlds[0].bidirected[0]: The arrow Salary ↔ AccountBalance names 'Salary'" in str(
        caught.value
    )


def test_no_number_changes_and_the_result_says_so(loan: Case) -> None:
    plain = loan.run("Gender")
    with pytest.warns(CausalModelWarning, match="something unmeasured"):
        one = with_arrow(loan, ENDS).run("Gender")
    settings = loan.evidence_settings()
    for method in ("ST", "CST_wo", "CST_w", "CF"):
        before = plain.evidence(method, settings).to_frame()
        assert one.evidence(method, settings).to_frame().equals(before)
    (note,) = set(one.notes) - set(plain.notes)
    assert note == (
        "AnnualSalary ↔ AccountBalance: this arrow says that something unmeasured moves both ends. "
        "Every number is computed as if nothing unmeasured were there; every result that rests on "
        "an arrow it touches says so. How strong it would have to be: `--robustness confounding` "
        "(command) or the page Robustness (dashboard)."
    )
    with pytest.warns(CausalModelWarning, match="these arrows say"):
        with_arrow(loan, ENDS, ("Gender", "AnnualSalary")).run("Gender")


def test_an_intersection_of_both_ends_still_tells_of_them() -> None:
    case = with_arrow(load_scenario("law-school"), ("race", "gender"))
    (note,) = (note for note in case.run("intersectional").notes if "↔" in note)
    assert note == (
        "race ↔ gender: something unmeasured moves both ends, which the intersection takes as one "
        "attribute: no arrow of its causal model is touched by it."
    )
