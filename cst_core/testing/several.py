"""More than one protected attribute: multiple and intersectional discrimination."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal import CausalModel, FittedCausalModel, encode_intervention
from cst_core.data import BoolArray, Dataset, Groups, ProtectedAttribute, Value
from cst_core.decisions import DecisionMaker
from cst_core.errors import DataError
from cst_core.evidence import SETTINGS, EvidenceSettings, IntersectionalForm, Method, SearchSettings
from cst_core.results import MultipleResult, Result, SingleResult, evidence_each
from cst_core.testing.kinds import (
    INTERSECTIONAL,
    MULTIPLE,
    DiscriminationTest,
    has_all,
    joined_test,
    others_of,
    parse_test,
)
from cst_core.testing.several_cores import Progress
from cst_core.testing.single import ExecutorChoice, run_intervention, run_single


def run_multiple(
    dataset: Dataset,
    model: CausalModel | FittedCausalModel,
    *,
    attributes: Sequence[str] | None = None,
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> MultipleResult:
    """Test for multiple discrimination: one run an attribute, all of which must find it.

    Each run is at α ÷ (number of attributes), the Bonferroni correction of the paper's
    section 4.5. `attributes` defaults to all protected ones; the rest is as in `run_single`.
    """
    test = _chosen(dataset, MULTIPLE, attributes)
    fitted = model.fit(dataset) if isinstance(model, CausalModel) else model
    runs = (
        run_single(
            dataset,
            fitted,
            attribute=name,
            decision_maker=decision_maker,
            search=search,
            executor=executor,
            progress=progress,
        )
        for name in test.attributes
    )
    return multiple_from(runs, name=test.name)


def multiple_from(runs: Iterable[SingleResult], *, name: str = MULTIPLE) -> MultipleResult:
    """Combine single runs that were already done; `name` is the test's."""
    parts = tuple(runs)
    everyone = np.asarray(np.logical_and.reduce([run.is_protected for run in parts]))
    if not everyone.any():
        names = ", ".join(run.name for run in parts)
        raise DataError(f"Test '{name}': nobody has the protected value of all of {names}.")
    return MultipleResult(name=name, runs=parts, is_protected=everyone)


def run_intersectional(
    dataset: Dataset,
    model: CausalModel,
    *,
    attributes: Sequence[str] | None = None,
    form: IntersectionalForm = "paper",
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> SingleResult:
    """Test for intersectional discrimination: one run on A* = all protected values at once.

    Parameters
    ----------
    dataset, model, decision_maker, search, executor, progress
        As in `run_single`; the model must not be fitted yet, as its equations change.
    attributes
        The protected attributes to intersect; all by default. Or one protected value of each, such
        as ``"race=Black"``, where every value is tested by itself.
    form
        ``"paper"``: A* takes the place of the attributes in every equation, as the authors did.
        Who is in neither group of some attribute is in no search space, and has a term of its own.
        ``"full"``: the attributes keep their own effects, every product of them is added, and
        all are set to their reference values.
    """
    SETTINGS["intersectional_form"].check(form)
    test = _chosen(dataset, INTERSECTIONAL, attributes)
    names = test.attributes
    columns = tuple(dataset.roles.protected_attribute(name).column for name in names)
    everyone, others = has_all(dataset, names), others_of(dataset, names)
    shared: dict[str, Any] = {
        "name": test.name,
        "is_protected": everyone,
        "is_reference": others,
        "decision_maker": decision_maker,
        "search": search,
        "executor": executor,
        "progress": progress,
    }
    if form == "full":
        do = {name: dataset.groups[name].attribute.reference_label for name in columns}
        return run_intervention(dataset, model.with_interactions(columns), do=do, **shared)
    merged = " × ".join(names)
    combined = _with_intersection(dataset, columns, merged, everyone, others)
    drawn = tuple(name for name in columns if name in model.graph.nodes)
    replaced = model.with_merged(drawn, merged) if drawn else model
    also_set = {name: _reference_cell(dataset, name) for name in columns}
    return run_intervention(
        combined,
        replaced,
        do={merged: "no"},
        also_set=also_set,
        extra_notes=[*_lost_by_hand(model, replaced), *_joined_within(model, columns)],
        **shared,
    )


def _lost_by_hand(before: CausalModel, after: CausalModel) -> list[str]:
    """Return which numbers and rows of shares that experts set are not used."""
    lost, rows = [], []
    for node, equation in before.equations.items():
        now = after.equation(node)
        lost += [
            f"{term} → {node}"
            for term, number in equation.coefficients.items()
            if number.source == "by hand" and term not in now.coefficients
        ]
        gone = sum(row.source == "by hand" for row in equation.shares if row not in now.shares)
        rows += [f"{gone} of '{node}'"] if gone else []
    notes = []
    if lost:
        notes.append(
            "The intersection takes the place of the protected attributes in the equations and is "
            f"fitted; these coefficients set by hand are not used here: {', '.join(lost)}."
        )
    if rows:
        notes.append(
            "The intersection takes the place of the protected attributes in the equations, so "
            f"these rows of shares set by hand are not used here: {', '.join(rows)}. They are "
            "counted or fitted from the data; the full form keeps them."
        )
    return notes


def _joined_within(model: CausalModel, names: Sequence[str]) -> list[str]:
    inside = [" ↔ ".join(ends) for ends in model.graph.bidirected if set(ends) <= set(names)]
    if not inside:
        return []
    return [
        f"{', '.join(inside)}: something unmeasured moves both ends, which the intersection takes "
        "as one attribute: no arrow of its causal model is touched by it."
    ]


def _chosen(dataset: Dataset, kind: str, attributes: Sequence[str] | None) -> DiscriminationTest:
    known = dataset.roles.tests
    if attributes is None and len(known) > 1:
        return parse_test(kind, known)
    names = tuple(dict.fromkeys(attributes or (name for names in known for name in names)))
    for name in names:
        dataset.roles.protected_attribute(name)  # which says what there is
    if len(names) < 2:
        raise DataError(
            f"Multiple and intersectional tests need two or more protected attributes; this case "
            f"has {len(names)}: {', '.join(names)}."
        )
    return joined_test(kind, names, known)


def _reference_cell(dataset: Dataset, column: str) -> Value:
    """Return what a cell shows when an attribute is set to its reference."""
    groups = dataset.groups[column]
    if groups.attribute.set_to == "rank":
        raise DataError(
            f"Test '{INTERSECTIONAL}': '{column}' is set to another number for each person "
            "(set_to: rank), which the paper's form cannot do. Give set_to a number, or use the "
            "full form."
        )
    if groups.attribute.set_to is not None:
        return groups.attribute.set_to
    shown: Value = encode_intervention(dataset, column, groups.attribute.reference_label)[1]
    return shown


def _with_intersection(
    dataset: Dataset,
    columns: Sequence[str],
    merged: str,
    everyone: BoolArray,
    others: BoolArray,
) -> Dataset:
    frame = dataset.frame.copy()
    frame[merged] = np.select([everyone, others], ["yes", "no"], default="neither")
    attribute = ProtectedAttribute(column=merged, protected="yes", reference="no")
    rest = tuple(item for item in dataset.roles.protected if item.column not in columns)
    return replace(
        dataset,
        frame=frame,
        roles=replace(dataset.roles, protected=(attribute, *rest)),
        groups={
            merged: Groups.of(frame[merged], attribute),
            **{item.column: dataset.groups[item.column] for item in rest},
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overlap:
    """Multiple beside intersectional discrimination.

    Attributes
    ----------
    parts
        Everyone who has all protected values, each in one part: ``"both"``,
        ``"intersectional only"``, ``"multiple only"`` or ``"neither"``.
    shares
        For each part, its size and the mean p_control and p_test of every run.
    """

    parts: pd.Series[str]
    shares: pd.DataFrame


def overlap(
    multiple: Result,
    intersectional: Result,
    *,
    method: Method,
    settings: EvidenceSettings,
    significant: bool = False,
) -> Overlap:
    """Compare the two verdicts person by person (paper, table 9).

    With `significant`, only statistically significant cases count.
    """
    runs, single = (
        evidence_each(result, multiple.is_protected, method, settings)
        for result in (multiple, intersectional)
    )
    several = multiple.joined(runs, settings)
    crossed = intersectional.joined(single, settings)
    field = "is_significant" if significant else "is_case"
    in_multiple, in_crossed = getattr(several, field), getattr(crossed, field)
    words = np.select(
        [in_multiple & in_crossed, in_crossed, in_multiple],
        ["both", "intersectional only", "multiple only"],
        default="neither",
    )
    parts = pd.Series(words, index=multiple.index, name="part")
    rows = {}
    for part in ("both", "intersectional only", "multiple only", "neither"):
        inside = words == part
        row: dict[str, float | int | None] = {"people": int(inside.sum())}
        for name, evidence in (runs | single).items():
            for share in ("p_control", "p_test"):
                values = getattr(evidence, share)[inside & evidence.has_evidence]
                row[f"{name}: {share}"] = float(values.mean()) if len(values) else None
        rows[part] = row
    return Overlap(parts=parts, shares=pd.DataFrame.from_dict(rows, orient="index"))
