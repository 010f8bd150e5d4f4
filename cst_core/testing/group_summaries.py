"""The paper's summary tables: what the control and test groups of some cases look like."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.data.dataset import BoolArray, Dataset, scale_values
from cst_core.errors import UnavailableError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import FloatArray
from cst_core.results import SingleResult

Slice = Literal["significant", "not significant", "ST and CST w/o", "CST w/o only"]
SLICES: tuple[Slice, ...] = ("ST and CST w/o", "CST w/o only", "significant", "not significant")


def summarise_groups(
    result: SingleResult, complainants: Iterable[Any], *, k: int, with_centres: bool = False
) -> pd.DataFrame:
    """Average the groups' statistics over some complainants (paper, tables 2 to 8).

    Parameters
    ----------
    result
        A test's outcome.
    complainants
        Their ids.
    k
        The size of the groups.
    with_centres
        Add the complainant to the control group and her counterfactual to the CST test group, as
        CST w/ does; needs a decision maker.

    Returns
    -------
    DataFrame
        A column for each group; rows: number and share of negative decisions, mean distance,
        mean and spread (standard deviation with n − 1) of each attribute that has a scale.
        Averages leave out complainants whose group is empty.
    """
    if with_centres and result.counterfactual_negative is None:
        raise UnavailableError(f"CST_w: {result.unavailable['CST_w']}")
    tables: dict[str, list[dict[str, float]]] = {"control": [], "test_st": [], "test_cst": []}
    for person in complainants:
        groups = result.groups(person, k)
        for name, collected in tables.items():
            members: pd.DataFrame = getattr(groups, name)
            if with_centres and name != "test_st":
                members = _with_centre(result, person, members, factual=name == "control")
            if len(members):
                collected.append(_describe(result.dataset, members))
    return pd.DataFrame(
        {name: pd.DataFrame(collected).mean() for name, collected in tables.items()}
    )


def slice_cases(result: SingleResult, which: Slice, settings: EvidenceSettings) -> pd.Index[Any]:
    """Return the cases of one of the paper's tables."""
    wo = result.evidence("CST_wo", settings)
    st = result.evidence("ST", settings)
    chosen: dict[Slice, BoolArray] = {
        "ST and CST w/o": wo.is_case & st.is_case,
        "CST w/o only": wo.is_case & ~st.is_case,
        "significant": wo.is_significant,
        "not significant": wo.is_case & ~wo.is_significant,
    }
    return result.index[chosen[which]]


def _with_centre(
    result: SingleResult, person: Any, members: pd.DataFrame, *, factual: bool
) -> pd.DataFrame:
    source = result.dataset.frame if factual else result.counterfactuals.frame
    decided = result.decisions.negative if factual else result.counterfactual_negative
    assert decided is not None
    row = int(result.dataset.index.get_indexer(pd.Index([person]))[0])
    attributes = [attribute.column for attribute in result.dataset.roles.relevant]
    centre = source.iloc[[row]][attributes].copy()
    centre.insert(0, "distance", 0.0)
    centre.insert(1, "weight", 1.0)
    centre.insert(2, "negative", decided[row])
    return pd.concat([members, centre])


def _describe(dataset: Dataset, members: pd.DataFrame) -> dict[str, float]:
    weights = members["weight"].to_numpy(dtype=float)
    negative = members["negative"].to_numpy(dtype=float)
    row = {
        "negatives": float(weights @ negative),
        "share of negatives": float(weights @ negative / weights.sum()),
        "mean distance": float(weights @ members["distance"].to_numpy() / weights.sum()),
    }
    for attribute in dataset.roles.relevant:
        if attribute.kind == "nominal":
            continue
        values = scale_values(members[attribute.column], attribute)
        mean, spread = _mean_and_spread(values, weights)
        row[f"mean {attribute.column}"] = mean
        row[f"spread {attribute.column}"] = spread
    return row


def _mean_and_spread(values: FloatArray, weights: FloatArray) -> tuple[float, float]:
    total = float(weights.sum())
    mean = float(weights @ values / total)
    if total <= 1:
        return mean, 0.0
    return mean, float(np.sqrt(weights @ (values - mean) ** 2 / (total - 1)))
