"""A DAGitty text as one more causal model of a scenario."""

from __future__ import annotations

from cst_core.errors import Problem, ScenarioError
from cst_core.scenario.checking import check
from cst_core.scenario.dagitty.reading import DagittyGraph, from_dagitty
from cst_core.scenario.dagitty.text import DagittyError
from cst_core.scenario.document import NodePart, Scenario, WorldPart
from cst_core.scenario.layout import layered


def add_dagitty(
    scenario: Scenario, text: str, *, name: str, source: str = "drawing"
) -> tuple[Scenario, tuple[str, ...]]:
    """Return the scenario with a DAGitty text as its last causal model, and what to know.

    Parameters
    ----------
    scenario
        The case; its columns with a role are what nodes may stand for, see `from_dagitty`.
    text
        What dagitty.net shows as model code.
    name
        What the causal model is to be called.
    source
        What messages call the text.

    Raises
    ------
    DagittyError
        When the text cannot be read.
    ScenarioError
        Listing everything in the drawing that does not fit the case. Nothing is left out of it.
    """
    protected = [item.column for item in scenario.roles.protected]
    columns = list(scenario.drawable)
    graph = from_dagitty(text, columns)
    if not graph.nodes:
        raise DagittyError(f"{source}: nothing is drawn. Expected a text such as dag {{ A -> B }}.")
    world = WorldPart(
        name=name,
        nodes=_placed(graph, protected, scenario.decision_node),
        edges=graph.edges,
        bidirected=graph.bidirected,
    )
    problems = [Problem("", message) for message in graph.left_out]
    if graph.unknown:
        problems.append(
            Problem(
                "",
                f"Not columns with a role: {', '.join(graph.unknown)}. Known: "
                f"{', '.join(columns)}. Rename them in the drawing or give their columns a role; "
                "where something was not measured, draw a two-headed arrow (A <-> B) between what "
                "it moves.",
            )
        )
    whole = scenario.model_copy(update={"worlds": (*scenario.worlds, world)})
    place = f"worlds[{len(scenario.worlds)}]."
    try:
        whole = check(whole.model_dump(mode="json", by_alias=True), source)
    except ScenarioError as error:
        problems += [
            Problem("name" if found.place == f"{place}name" else "", found.message)
            for found in error.problems
            if found.place.startswith(place) and not found.place.startswith(f"{place}nodes")
        ]
    if problems:
        raise ScenarioError(source, problems)
    return whole, graph.notes


def _placed(graph: DagittyGraph, protected: list[str], decision: str) -> tuple[NodePart, ...]:
    """Return the nodes, arranged from left to right where one has no place."""
    if all(node.x is not None and node.y is not None for node in graph.nodes):
        return graph.nodes
    arrows = [(edge.cause, edge.effect) for edge in graph.edges]
    places = layered([node.name for node in graph.nodes], arrows, protected, decision)
    return tuple(
        node.model_copy(update=dict(zip("xy", places[node.name], strict=True)))
        for node in graph.nodes
    )
