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
from cst_core.causal import Counterfactuals
from cst_core.explain import describe_groups
from cst_core.results import SingleResult

METHODS = ("ST", "CST_wo", "CST_w", "CF")
NOMINAL = ("a", "b", "c")
ORDERED = ("low", "mid", "high")
EFFECTS = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
SMALL_EFFECTS = (-0.25, 0.0, 0.125, 0.25)
NAMES = ("w", "x", "y", "z")
KINDS = ("continuous", "continuous", "ordinal", "ordered", "nominal")


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
        protected=(case.frame[attribute] == "yes").to_numpy(),
        negative=negative,
        negative_elsewhere=oracle.threshold(elsewhere, **rule) if case.weights else None,
        ties=ties,
        epsilon=epsilon,
    )


# --------------------------------------------------------------------------- strategies
#
# Hypothesis draws the shape of a case: how many people and columns, of which kinds, and a seed.
# The cells, arrows and numbers come from that seed, which spreads them better and costs less.


def relevant_columns(
    random: np.random.Generator, kinds: list[str], rows: int
) -> tuple[list[Attribute], dict[str, list[Any]]]:
    """Make columns on coarse grids, so that equal values and distances abound."""
    attributes, columns = [], {}
    for name, kind in zip(NAMES, kinds, strict=False):
        steps = random.integers(0, random.integers(1, 6), size=rows).tolist()
        columns[name] = {
            "continuous": [1.0 + step / 2 for step in steps],
            "ordinal": [1 + step for step in steps],
            "ordered": [ORDERED[step % 3] for step in steps],
            "nominal": [NOMINAL[step % 3] for step in steps],
        }[kind]
        attributes.append(
            Attribute(
                name,
                kind="ordinal" if kind == "ordered" else kind,
                order=ORDERED if kind == "ordered" else None,
                weight=float(random.choice([1.0, 1.0, 1.0, 0.5, 2.0, 0.0])),
            )
        )
    if all(item.weight == 0 for item in attributes):
        attributes[0] = replace(attributes[0], weight=1.0)
    return attributes, columns


def equations_for(
    random: np.random.Generator, case: RandomCase, *, effect: bool
) -> tuple[Equation, ...]:
    """Make a DAG along a random order, and an equation for each column with causes."""
    names = [item.name for item in case.attributes]
    before = list(case.protected) if effect else []
    equations = []
    for name in random.permutation(names).tolist():
        if name not in case.nominal():
            parents = tuple(
                parent
                for parent in (*case.protected, *names)
                if parent in before and random.random() < 0.6
            )
            if parents:
                equations.append(equation_for(random, case, name, parents))
        before.append(name)
    return tuple(equations)


def equation_for(
    random: np.random.Generator, case: RandomCase, name: str, parents: tuple[str, ...]
) -> Equation:
    """Make an equation that can be fitted to the data, set by hand where it cannot."""
    bounds = [(None, None), (None, None), (0.5, 4.0), (None, 2.5)][random.integers(4)]
    products = (parents[:2],) if len(parents) > 1 and random.random() < 0.3 else ()
    equation = Equation(name, parents, products, log=random.random() < 0.3, bounds=bounds)
    columns = columns_of(case)
    levels = {item: sorted(set(columns[item].tolist())) for item in case.nominal()}
    terms = oracle.design(equation, columns, levels)
    matrix = np.column_stack(list(terms.values()))
    is_binary = len(set(columns[name].tolist())) == 2  # fitted, it would have log-odds
    can_be_fitted = not is_binary and len(matrix) > matrix.shape[1] and np.linalg.cond(matrix) < 1e3
    some_by_hand = random.random() < 0.3
    effects = SMALL_EFFECTS if equation.log else EFFECTS
    chosen = {
        term: float(random.choice(effects))
        for term in terms
        if not can_be_fitted or (some_by_hand and random.random() < 0.5)
    }
    return replace(equation, by_hand=chosen)


def with_rule(random: np.random.Generator, case: RandomCase) -> RandomCase:
    """Add a threshold rule over the numeric columns; the first becomes one if there is none."""
    numeric = [item.name for item in case.attributes if item.name not in case.nominal()]
    if not numeric:
        numeric = ["w"]
        numbers = {value: 1.0 + step for step, value in enumerate((*NOMINAL, *ORDERED))}
        case = replace(
            case,
            frame=case.frame.assign(w=case.frame["w"].map(numbers)),
            attributes=(Attribute("w"), *case.attributes[1:]),
            equations=(),
        )
    weights = {name: float(random.choice([1.0, 0.5, -0.5])) for name in numeric}
    scores = sum(weight * case.frame[name].astype(float) for name, weight in weights.items())
    return replace(
        case,
        weights=weights,
        cutoff=float(random.choice(scores)) - float(random.choice([0.0, 0.1])),
        inclusive=bool(random.random() < 0.5),
        recorded=bool(random.random() < 0.5),
    )


@st.composite
def cases(
    draw: st.DrawFn, *, two: bool = False, rule: bool | None = None, effect: bool = True
) -> RandomCase:
    """Draw a case.

    `two` adds a second protected attribute B, with two people at least who have both; `rule`
    asks for a decision maker; without `effect` nothing follows from the protected attributes.
    """
    n_protected, n_others = draw(st.integers(2, 14)), draw(st.integers(1, 16))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    has_rule = draw(st.booleans()) if rule is None else rule
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    rows = n_protected + n_others
    attributes, columns = relevant_columns(random, kinds, rows)
    columns["A"] = ["yes"] * n_protected + ["no"] * n_others
    if two:
        middle = random.choice(["yes", "no"], size=rows - 3).tolist()
        columns["B"] = ["yes", "yes", *middle, "no"]
    decisions = random.choice(["refused", "accepted"], size=rows).tolist()
    columns["decision"] = ["refused", *decisions[1:]]  # one at least
    frame = pd.DataFrame(columns, index=[f"p{row}" for row in range(rows)])
    case = RandomCase(
        frame=frame.iloc[random.permutation(rows)],
        attributes=tuple(attributes),
        protected=("A", "B") if two else ("A",),
        equations=(),
        weights={},
        cutoff=0.0,
        inclusive=False,
        recorded=True,
    )
    case = replace(case, equations=equations_for(random, case, effect=effect))
    return with_rule(random, case) if has_rule else case


def evidence_settings(k: st.SearchStrategy[int] | None = None) -> st.SearchStrategy[Any]:
    """Settings over their whole range, the edges among them."""
    return st.builds(
        cst_core.EvidenceSettings,
        n_neighbours=k or (st.integers(1, 4) | st.integers(1, 24)),
        accepted_deviation=st.sampled_from([0.0, 0.05, -0.05, 0.25, -0.5, 1.0, -1.0]),
        significance_level=st.sampled_from([0.05, 0.01, 0.2, 0.5, 0.9]),
        direction=st.sampled_from(["against", "favour"]),
    )


def assert_described_as_judged(result: SingleResult, asked: cst_core.EvidenceSettings) -> None:
    """Compare the groups as they are described with the evidence that was found in them."""
    for with_centres in (False, True):
        if with_centres and "CST_w" in result.unavailable:
            continue
        described = describe_groups(result, result.index, asked, with_centres=with_centres)
        evidence = result.evidence("CST_w" if with_centres else "CST_wo", asked)
        for group, share in (("control", evidence.p_control), ("test_cst", evidence.p_test)):
            found = described[group]["share of negatives"].to_numpy()
            np.testing.assert_allclose(
                found[evidence.has_evidence], share[evidence.has_evidence], atol=1e-9, err_msg=group
            )
