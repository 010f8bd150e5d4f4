"""Small random cases, full of ties: data, a causal model that fits them, a rule, settings.

A `RandomCase` holds plain values only, so that both the library and the oracle can read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import oracle
import pandas as pd
from hypothesis import strategies as st
from oracle import Attribute, Equation, Oracle

import cst_core
from cst_core.causal.counterfactuals import Counterfactuals
from cst_core.results import SingleResult

METHODS = ("ST", "CST_wo", "CST_w", "CF")
NOMINAL = ("a", "b", "c")
ORDERED = ("low", "mid", "high")
EFFECTS = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
SMALL_EFFECTS = (-0.25, 0.0, 0.125, 0.25)
NAMES = ("w", "x", "y", "z")


@dataclass(frozen=True)
class RandomCase:
    """A case in plain values.

    Protected attributes hold "yes" and "no"; "decision" holds "refused" and "accepted" where
    `recorded`; `equations` stand in causal order.
    """

    frame: pd.DataFrame
    attributes: tuple[Attribute, ...]
    protected: tuple[str, ...]
    equations: tuple[Equation, ...]
    weights: Mapping[str, float]
    cutoff: float
    inclusive: bool
    recorded: bool

    def nominal(self) -> list[str]:
        """Return the columns that hold names: nominal, and ordinal with an order."""
        return [
            item.name
            for item in self.attributes
            if item.kind == "nominal" or item.order is not None
        ]


# --------------------------------------------------------------------------- for the library


def make_dataset(case: RandomCase) -> cst_core.Dataset:
    return cst_core.Dataset.from_frame(
        case.frame,
        cst_core.Roles(
            protected=tuple(
                cst_core.ProtectedAttribute(column=name, protected="yes", reference="no")
                for name in case.protected
            ),
            relevant=tuple(
                cst_core.RelevantAttribute(
                    column=item.name,
                    kind=item.kind,  # type: ignore[arg-type]
                    order=item.order,
                    weight=item.weight,
                )
                for item in case.attributes
            ),
            decision=(
                cst_core.Decision(column="decision", negative="refused") if case.recorded else None
            ),
        ),
    )


def make_model(case: RandomCase) -> cst_core.CausalModel:
    edges = tuple(
        (parent, equation.node) for equation in case.equations for parent in equation.parents
    )
    return cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=(*case.protected, *(item.name for item in case.attributes)),
            edges=edges,
            protected=case.protected,
        ),
        equations={
            item.node: cst_core.Equation(
                node=item.node,
                link="log" if item.log else "identity",
                interactions=item.interactions,
                bounds=item.bounds,
                coefficients={
                    term: cst_core.Coefficient(value=value, source="by hand")
                    for term, value in item.by_hand.items()
                },
            )
            for item in case.equations
        },
    )


def make_rule(case: RandomCase) -> cst_core.ThresholdRule | None:
    if not case.weights:
        return None
    return cst_core.ThresholdRule(
        weights=case.weights, cutoff=case.cutoff, inclusive=case.inclusive
    )


def run(case: RandomCase, attribute: str = "A", **search: Any) -> SingleResult:
    return cst_core.run_single(
        make_dataset(case),
        make_model(case),
        attribute=attribute,
        decision_maker=make_rule(case),
        search=cst_core.SearchSettings(**search),
    )


def library_counterfactuals(case: RandomCase, do: Mapping[str, Any]) -> Counterfactuals:
    dataset = make_dataset(case)
    return cst_core.counterfactuals(make_model(case).fit(dataset), dataset, do)


# --------------------------------------------------------------------------- for the oracle


def columns_of(case: RandomCase) -> dict[str, np.ndarray]:
    columns = {name: (case.frame[name] == "yes").to_numpy(dtype=float) for name in case.protected}
    for item in case.attributes:
        as_is = item.name not in case.nominal()
        columns[item.name] = case.frame[item.name].to_numpy(dtype=float if as_is else object)
    return columns


def make_oracle(
    case: RandomCase, attribute: str = "A", *, ties: str = "expected", epsilon: float | None = None
) -> Oracle:
    elsewhere = pd.DataFrame(
        oracle.counterfactual(columns_of(case), case.equations, {attribute: 0.0}, case.nominal())
    )
    rule = {"weights": case.weights, "cutoff": case.cutoff, "inclusive": case.inclusive}
    if case.recorded:
        negative = (case.frame["decision"] == "refused").to_numpy()
    else:
        negative = oracle.threshold(case.frame, **rule)
    return Oracle(
        case.frame,
        elsewhere,
        case.attributes,
        (case.frame[attribute] == "yes").to_numpy(),
        negative,
        oracle.threshold(elsewhere, **rule) if case.weights else None,
        ties=ties,
        epsilon=epsilon,
    )


# --------------------------------------------------------------------------- strategies


@st.composite
def relevant_columns(draw: st.DrawFn, rows: int) -> tuple[list[Attribute], dict[str, list[Any]]]:
    """Draw one to four columns on coarse grids, so that equal values and distances abound."""
    attributes, columns = [], {}
    for name in NAMES[: draw(st.integers(1, 4))]:
        kind = draw(st.sampled_from(["continuous", "continuous", "ordinal", "ordered", "nominal"]))
        values: st.SearchStrategy[Any] = {
            "continuous": st.integers(0, 4).map(lambda step: 1.0 + step / 2),
            "ordinal": st.integers(1, 4),
            "ordered": st.sampled_from(ORDERED),
            "nominal": st.sampled_from(NOMINAL),
        }[kind]
        columns[name] = draw(st.lists(values, min_size=rows, max_size=rows))
        attributes.append(
            Attribute(
                name,
                kind="ordinal" if kind == "ordered" else kind,
                order=ORDERED if kind == "ordered" else None,
                weight=draw(st.sampled_from([1.0, 1.0, 1.0, 0.5, 2.0, 0.0])),
            )
        )
    if all(item.weight == 0 for item in attributes):
        attributes[0] = replace(attributes[0], weight=1.0)
    return attributes, columns


@st.composite
def equations_for(
    draw: st.DrawFn, case: RandomCase, *, effect_of: tuple[str, ...]
) -> tuple[Equation, ...]:
    """Draw a DAG along a random order, and an equation for each column with causes."""
    numeric = [item.name for item in case.attributes if item.name not in case.nominal()]
    order = draw(st.permutations([item.name for item in case.attributes]))
    before = list(effect_of)
    equations = []
    for name in order:
        if name in numeric:
            parents = tuple(
                parent
                for parent in (*case.protected, *(item.name for item in case.attributes))
                if parent in before and draw(st.booleans())
            )
            if parents:
                equations.append(draw(equation_for(case, name, parents)))
        before.append(name)
    return tuple(equations)


@st.composite
def equation_for(
    draw: st.DrawFn, case: RandomCase, name: str, parents: tuple[str, ...]
) -> Equation:
    """Draw an equation that the data can be fitted to, or one set by hand."""
    bounds = draw(st.sampled_from([(None, None), (None, None), (0.5, 4.0), (None, 2.5)]))
    products = (parents[:2],) if len(parents) > 1 and draw(st.booleans()) else ()
    equation = Equation(name, parents, products, log=draw(st.booleans()), bounds=bounds)
    columns = columns_of(case)
    levels = {item: sorted(set(columns[item].tolist())) for item in case.nominal()}
    terms = oracle.design(equation, columns, levels)
    matrix = np.column_stack(list(terms.values()))
    can_be_fitted = len(matrix) > matrix.shape[1] and np.linalg.cond(matrix) < 1e3
    effects = st.sampled_from(SMALL_EFFECTS if equation.log else EFFECTS)
    chosen = {
        term: draw(effects) for term in terms if not can_be_fitted or draw(st.integers(0, 3)) == 0
    }
    return replace(equation, by_hand=chosen)


@st.composite
def cases(
    draw: st.DrawFn, *, two: bool = False, rule: bool | None = None, effect: bool = True
) -> RandomCase:
    """Draw a case.

    `two` adds a second protected attribute B, with two people at least who have both; `rule`
    asks for a decision maker; without `effect` nothing follows from the protected attributes.
    """
    n_protected, n_others = draw(st.integers(2, 9)), draw(st.integers(1, 10))
    rows = n_protected + n_others
    attributes, columns = draw(relevant_columns(rows))
    columns["A"] = ["yes"] * n_protected + ["no"] * n_others
    protected: tuple[str, ...] = ("A",)
    if two:
        protected = ("A", "B")
        free = draw(st.lists(st.sampled_from(["yes", "no"]), min_size=rows, max_size=rows))
        columns["B"] = ["yes", "yes", *free[2:-1], "no"]
    columns["decision"] = draw(
        st.lists(st.sampled_from(["refused", "accepted"]), min_size=rows, max_size=rows)
    )
    order = draw(st.permutations(range(rows)))
    frame = pd.DataFrame(columns, index=[f"p{row}" for row in range(rows)]).iloc[list(order)]
    case = RandomCase(
        frame=frame,
        attributes=tuple(attributes),
        protected=protected,
        equations=(),
        weights={},
        cutoff=0.0,
        inclusive=draw(st.booleans()),
        recorded=True,
    )
    case = replace(
        case, equations=draw(equations_for(case, effect_of=protected if effect else ()))
    )
    numeric = [item.name for item in attributes if item.name not in case.nominal()]
    if rule is None:
        rule = draw(st.booleans())
    if rule and not numeric:  # a rule needs something to weigh
        frame = frame.assign(w=[float(NOMINAL.index(v)) if v in NOMINAL else 1.0 for v in frame.w])
        attributes[0] = Attribute("w")
        numeric = ["w"]
        case = replace(case, frame=frame, attributes=tuple(attributes), equations=())
    if rule:
        weights = {name: draw(st.sampled_from([1.0, 0.5, -0.5])) for name in numeric}
        scores = sum(weight * frame[name].astype(float) for name, weight in weights.items())
        cutoff = float(draw(st.sampled_from(sorted(set(scores))))) - draw(st.sampled_from([0, 0.1]))
        case = replace(case, weights=weights, cutoff=cutoff, recorded=draw(st.booleans()))
    if case.recorded and not (frame["decision"] == "refused").any():
        changed = frame["decision"].copy()
        changed.iloc[0] = "refused"
        case = replace(case, frame=case.frame.assign(decision=changed))
    return case


def evidence_settings(k: st.SearchStrategy[int] | None = None) -> st.SearchStrategy[Any]:
    """Settings over their whole range, the edges among them."""
    return st.builds(
        cst_core.EvidenceSettings,
        n_neighbours=k or st.integers(1, 24),
        accepted_deviation=st.sampled_from([0.0, 0.05, -0.05, 0.25, -0.5, 1.0, -1.0]),
        significance_level=st.sampled_from([0.05, 0.01, 0.2, 0.5, 0.9]),
        direction=st.sampled_from(["against", "favour"]),
    )
