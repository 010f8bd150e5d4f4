"""More than one protected attribute: multiple and intersectional discrimination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal.encoding import encode_intervention
from cst_core.causal.model import CausalModel, FittedCausalModel
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.data.roles import ProtectedAttribute
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import DataError, SettingsError
from cst_core.evidence.combined import select
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.evidence.verdicts import Method
from cst_core.results import MultipleResult, SingleResult
from cst_core.testing.single import ExecutorChoice, Progress, run_intervention, run_single

IntersectionalForm = Literal["paper", "full"]


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
    names = _chosen(dataset, attributes)
    everyone = has_all(dataset, names)
    fitted = model.fit(dataset) if isinstance(model, CausalModel) else model
    runs = tuple(
        run_single(
            dataset,
            fitted,
            attribute=name,
            decision_maker=decision_maker,
            search=search,
            executor=executor,
            progress=progress,
        )
        for name in names
    )
    return multiple_from(runs, everyone)


def multiple_from(runs: Sequence[SingleResult], is_protected: BoolArray) -> MultipleResult:
    """Combine single runs that were already done."""
    if not is_protected.any():
        names = ", ".join(run.name for run in runs)
        raise DataError(f"Test 'multiple': nobody has the protected value of all of {names}.")
    return MultipleResult(name="multiple", runs=tuple(runs), is_protected=is_protected)


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
        The protected attributes to intersect; all by default.
    form
        ``"paper"``: A* takes the place of the attributes in every equation, as the authors did.
        ``"full"``: the attributes keep their own effects, every product of them is added, and
        all are set to their reference values.
    """
    names = _chosen(dataset, attributes)
    everyone = has_all(dataset, names)
    shared: dict[str, Any] = {
        "name": "intersectional",
        "is_protected": everyone,
        "decision_maker": decision_maker,
        "search": search,
        "executor": executor,
        "progress": progress,
    }
    if form == "full":
        do = {name: dataset.roles.protected_attribute(name).reference_label for name in names}
        return run_intervention(dataset, model.with_interactions(names), do=do, **shared)
    if form != "paper":
        raise SettingsError(f"form: expected 'paper' or 'full', got {form!r}.")
    merged = " × ".join(names)
    combined = _with_intersection(dataset, names, merged, everyone)
    drawn = tuple(name for name in names if name in model.graph.nodes)
    replaced = model.with_merged(drawn, merged) if drawn else model
    also_set = {
        name: encode_intervention(
            dataset, name, dataset.roles.protected_attribute(name).reference_label
        )[1]
        for name in names
    }
    return run_intervention(
        combined,
        replaced,
        do={merged: "no"},
        also_set=also_set,
        extra_notes=_lost_by_hand(model, replaced),
        **shared,
    )


def _lost_by_hand(before: CausalModel, after: CausalModel) -> list[str]:
    lost = [
        f"{term} → {node}"
        for node, equation in before.equations.items()
        for term, number in equation.coefficients.items()
        if number.source == "by hand" and term not in after.equation(node).coefficients
    ]
    if not lost:
        return []
    return [
        "The intersection takes the place of the protected attributes in the equations and is "
        f"fitted; these coefficients set by hand are not used here: {', '.join(lost)}."
    ]


def has_all(dataset: Dataset, names: Sequence[str]) -> BoolArray:
    """Return who has the protected value of every one of these attributes."""
    return np.asarray(np.logical_and.reduce([dataset.is_protected(name) for name in names]))


def _chosen(dataset: Dataset, attributes: Sequence[str] | None) -> tuple[str, ...]:
    known = [attribute.column for attribute in dataset.roles.protected]
    names = tuple(known if attributes is None else dict.fromkeys(attributes))
    for name in names:
        dataset.roles.protected_attribute(name)
    if len(names) < 2:
        raise DataError(
            f"Multiple and intersectional tests need two or more protected attributes; this case "
            f"has {len(names)}: {', '.join(names)}."
        )
    return names


def _with_intersection(
    dataset: Dataset, names: Sequence[str], merged: str, everyone: BoolArray
) -> Dataset:
    frame = dataset.frame.copy()
    frame[merged] = np.where(everyone, "yes", "no")
    attribute = ProtectedAttribute(column=merged, protected="yes", reference="no")
    others = tuple(item for item in dataset.roles.protected if item.column not in names)
    return replace(
        dataset, frame=frame, roles=replace(dataset.roles, protected=(attribute, *others))
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
    multiple: MultipleResult,
    intersectional: SingleResult,
    *,
    method: Method,
    settings: EvidenceSettings,
    significant: bool = False,
) -> Overlap:
    """Compare the two verdicts person by person (paper, table 9).

    With `significant`, only statistically significant cases count.
    """
    several = multiple.evidence(method, settings)
    crossed = select(
        intersectional.evidence(method, settings),
        multiple.is_protected[intersectional.is_protected],
    )
    field = "is_significant" if significant else "is_case"
    in_multiple, in_crossed = getattr(several, field), getattr(crossed, field)
    words = np.select(
        [in_multiple & in_crossed, in_crossed, in_multiple],
        ["both", "intersectional only", "multiple only"],
        default="neither",
    )
    parts = pd.Series(words, index=multiple.index, name="part")
    runs = {**several.runs, intersectional.name: crossed}
    rows = {}
    for part in ("both", "intersectional only", "multiple only", "neither"):
        inside = words == part
        row: dict[str, float | int | None] = {"people": int(inside.sum())}
        for name, evidence in runs.items():
            for share in ("p_control", "p_test"):
                values = getattr(evidence, share)[inside & evidence.has_evidence]
                row[f"{name}: {share}"] = float(values.mean()) if len(values) else None
        rows[part] = row
    return Overlap(parts=parts, shares=pd.DataFrame.from_dict(rows, orient="index"))
