"""Why two worlds disagree: which equation, taken from one into the other, turns a verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal import CausalModel, Equation, FittedCausalModel, Mechanism, encode
from cst_core.data import BoolArray, Dataset
from cst_core.errors import CausalModelError, SettingsError
from cst_core.evidence import EvidenceSettings
from cst_core.results import JsonResult, Result
from cst_core.robustness.other_model import CausalMethod, prepare
from cst_core.robustness.parallel import repeat
from cst_core.testing import Progress

ONLY_TOGETHER = "only together"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disagreement(JsonResult):
    """The complainants whose verdict differs between two worlds, and what turns it.

    Attributes
    ----------
    one, two
        The worlds' names.
    method, settings, significant
        Which verdict was compared.
    index
        Those whose verdict differs.
    was, becomes
        Their verdict in the first and in the second world.
    differences
        By node whose equation differs: how, in sentences.
    turned_by
        A row a complainant, a column a node: whether taking only this node's equation (its arrows,
        link, coefficients, bounds) from the second world into the first turns her verdict.
    impossible
        By node that could not be swapped alone: why (its arrows would close a cycle).
    """

    one: str
    two: str
    method: CausalMethod
    settings: EvidenceSettings
    significant: bool
    index: pd.Index[Any]
    was: BoolArray
    becomes: BoolArray
    differences: Mapping[str, tuple[str, ...]]
    turned_by: pd.DataFrame
    impossible: Mapping[str, str]

    def nodes_that_turn(self) -> list[tuple[str, ...]]:
        """Return for each complainant the nodes that turn her verdict alone."""
        names = self.turned_by.columns.to_numpy()
        turns = self.turned_by.to_numpy(dtype=bool).reshape(len(self.index), len(names))
        return [tuple(names[row].tolist()) for row in turns]

    def because(self) -> pd.Series[str]:
        """Return the same in words: "only together" where none does."""
        words = [", ".join(nodes) or ONLY_TOGETHER for nodes in self.nodes_that_turn()]
        return pd.Series(words, index=self.index, name="because of", dtype=object)

    def counts(self) -> pd.Series[int]:
        """Return how many changes have each reason; several nodes may each be one."""
        return self.because().value_counts()

    def numbers(self) -> dict[str, Any]:
        """Return how many changes have each reason, as plain data."""
        return {
            "first": self.one,
            "second": self.two,
            "changed": len(self.index),
            "because_of": {str(name): int(n) for name, n in self.counts().items()},
            "differences": {node: list(text) for node, text in self.differences.items()},
            "impossible": dict(self.impossible),
        }


def disagreement(
    one: Result,
    two: Result,
    *,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    significant: bool = True,
    names: tuple[str, str] = ("first", "second"),
    progress: Progress | None = None,
) -> Disagreement:
    """Find which equation makes two worlds disagree about a person.

    Parameters
    ----------
    one, two
        The same test in two worlds, as `in_worlds` gives them.
    settings, method, significant
        Which verdict is compared.
    names
        The worlds' names.
    progress
        As in `bootstrap`.

    Notes
    -----
    Node by node, the equation of the second world (arrows into the node, mechanism, coefficients,
    bounds) takes the place of the first's, and everyone is tested again. Who then has the second
    world's verdict changed because of this node, as far as one node can say: a verdict may be
    turned by each of several nodes alone, or by none of them but all together. An equation's
    coefficients are estimated jointly, so an arrow that exists in one world only is swapped with
    the rest of its equation; `differences` names such arrows.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from cst_core import CausalGraph, CausalModel, EvidenceSettings, load_scenario
    >>> from cst_core.robustness import in_worlds
    >>> case = load_scenario("loan")
    >>> drawn = case.causal_model()
    >>> fewer = replace(drawn, graph=replace(drawn.graph, edges=tuple(
    ...     edge for edge in drawn.graph.edges if edge != ("Gender", "AccountBalance"))))
    >>> worlds = in_worlds(case.open().run("Gender"), {"drawn": drawn, "fewer": fewer})
    >>> found = disagreement(worlds["drawn"], worlds["fewer"], settings=EvidenceSettings())
    >>> found.differences["AccountBalance"][0]
    'The arrow Gender → AccountBalance is only in the first world.'
    """
    if not one.index.equals(two.index) or _done(one) != _done(two):
        raise SettingsError(
            "one, two: expected the same people and the same do() in both worlds (the two "
            "forms of an intersectional test differ in it and cannot be taken apart)."
        )
    first, second = one.runs[0].model, two.runs[0].model
    dataset = one.runs[0].dataset
    around = prepare(one, method=method, settings=settings)
    field = "is_significant" if significant else "is_case"
    was = np.asarray(getattr(around.evidence(first), field), dtype=bool)
    becomes = np.asarray(getattr(around.evidence(second), field), dtype=bool)
    differences = {
        node: found
        for node in dict.fromkeys([*first.mechanisms, *second.mechanisms])
        if (found := equation_differences(first, second, node, dataset, names))
    }
    swapped: dict[str, FittedCausalModel] = {}
    impossible: dict[str, str] = {}
    for node in differences:
        try:
            swapped[node] = with_equation_of(first, second, node)
        except CausalModelError as error:
            impossible[node] = str(error)
    verdicts = repeat(
        lambda node: np.asarray(getattr(around.evidence(swapped[node]), field), dtype=bool),
        list(swapped),
        label=f"{one.name}: reasons",
        progress=progress,
    )
    changed = was != becomes
    index = one.index[changed]
    return Disagreement(
        one=names[0],
        two=names[1],
        method=method,
        settings=settings,
        significant=significant,
        index=index,
        was=was[changed],
        becomes=becomes[changed],
        differences=differences,
        turned_by=pd.DataFrame(
            {
                node: found[changed] == becomes[changed]
                for node, found in zip(swapped, verdicts, strict=True)
            },
            index=index,
        ),
        impossible=impossible,
    )


def _done(result: Result) -> list[Mapping[str, Any]]:
    """Return the do() of each run."""
    return [run.intervention for run in result.runs]


def with_equation_of(
    first: FittedCausalModel, second: FittedCausalModel, node: str
) -> FittedCausalModel:
    """Return the first model with one node's causes and equation taken from the second.

    Two-headed arrows stay the first's.
    """
    graph, other = first.model.graph, second.model.graph
    edges = tuple(edge for edge in graph.edges if edge[1] != node)
    edges += tuple(edge for edge in other.edges if edge[1] == node)
    ends = {end for edge in edges for end in edge}
    added = tuple(name for name in (node, *other.nodes) if name in ends | {node})
    nodes = tuple(dict.fromkeys((*graph.nodes, *added)))
    equations: dict[str, Equation] = dict(first.model.equations)
    mechanisms: dict[str, Mechanism] = dict(first.mechanisms)
    equations.pop(node, None)
    mechanisms.pop(node, None)
    if node in second.mechanisms:
        equations[node] = second.model.equation(node)
        mechanisms[node] = second.mechanisms[node]
    accepted = {edge: why for edge, why in graph.accepted.items() if edge[1] != node}
    accepted |= {edge: why for edge, why in other.accepted.items() if edge[1] == node}
    model = CausalModel(
        graph=replace(graph, nodes=nodes, edges=edges, accepted=accepted),
        equations=equations,
        name=first.model.name,
    )
    return FittedCausalModel(model=model, mechanisms=mechanisms)


def equation_differences(
    first: FittedCausalModel,
    second: FittedCausalModel,
    node: str,
    dataset: Dataset,
    names: tuple[str, str] = ("first", "second"),
) -> tuple[str, ...]:
    """Return how a node's equation differs between two models, in sentences; empty when equal.

    Trained regressors are equal when they predict the same for the people of `dataset`, as they are
    and with the other protected value.
    """
    here, there = first.model.graph.parents(node), second.model.graph.parents(node)
    found = [
        f"The arrow {cause} → {node} is only in the {name} world."
        for name, causes, others in ((names[0], here, there), (names[1], there, here))
        for cause in causes
        if cause not in others
    ]
    both = (first.model.graph, second.model.graph)
    found += [
        f"The arrow {cause} → {node} is accepted only in the {name} world."
        for name, graph, other in ((names[0], *both), (names[1], *both[::-1]))
        for cause, effect in graph.accepted
        if effect == node and (cause, node) in other.edges and (cause, node) not in other.accepted
    ]
    if not here or not there:
        return tuple(found)
    one, two = first.equation(node), second.equation(node)
    for what, left, right in (
        ("link", one.link, two.link),
        ("mechanism", one.mechanism_class.kind, two.mechanism_class.kind),
        ("bounds", one.bounds, two.bounds),
        ("interactions", set(one.interactions), set(two.interactions)),
        ("coupling", one.coupling or "the usual one", two.coupling or "the usual one"),
    ):
        if left != right:
            shown = [_shown(item) for item in (left, right)]
            found.append(f"The {what} of {node}: {shown[0]} against {shown[1]}.")
    for term in dict.fromkeys([*one.coefficients, *two.coefficients]):
        values = [
            equation.coefficients[term].value if term in equation.coefficients else None
            for equation in (one, two)
        ]
        before, after = values
        if before is None or after is None or one.link != two.link:
            continue
        if not math.isclose(before, after, rel_tol=1e-9, abs_tol=1e-12):
            found.append(f"The coefficient of {term} in {node}: {before:.6g} against {after:.6g}.")
    if not found:
        people = encode(dataset, here)
        protected = {item.column for item in dataset.roles.protected}
        turned = {
            name: 1 - part if name in protected and _is_yes_or_no(part) else part
            for name, part in people.items()
        }
        mechanism, other = first.mechanisms[node], second.mechanisms[node]
        if not all(mechanism.fitted_alike(other, parents) for parents in (people, turned)):
            found.append(f"The equation of {node} was fitted to something else.")
    return tuple(found)


def _is_yes_or_no(codes: np.ndarray[Any, Any]) -> bool:
    """Return whether a protected attribute is encoded as 1 and 0, not as levels or a number."""
    return bool(np.isin(codes, [0.0, 1.0]).all()) if codes.dtype != object else False


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        low, high = value
        return f"{'no limit' if low is None else low} to {'no limit' if high is None else high}"
    if isinstance(value, set):
        return ", ".join(sorted(" × ".join(group) for group in value)) or "none"
    return str(value)
