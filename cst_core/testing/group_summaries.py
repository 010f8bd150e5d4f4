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
from cst_core.results import GroupName, SingleResult

Slice = Literal["significant", "not significant", "ST and CST w/o", "CST w/o only"]
CentreSlice = Literal[
    "CST w/ and CF", "CST w/ only", "CST w/ significant", "CST w/ not significant"
]
GROUPS: tuple[GroupName, ...] = ("control", "test_st", "test_cst")
SLICES: tuple[Slice, ...] = ("ST and CST w/o", "CST w/o only", "significant", "not significant")


def summarise_groups(
    result: SingleResult,
    complainants: Iterable[Any],
    *,
    k: int,
    with_centres: bool = False,
    balance_radii: bool = False,
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
    balance_radii
        Take fewer people from the smaller search space, as the setting of that name does.

    Returns
    -------
    DataFrame
        A column for each group; rows: number and share of negative decisions, mean distance,
        mean and spread (standard deviation with n − 1) of each attribute that has a scale.
        Averages leave out complainants whose group is empty.
    """
    described = describe_groups(
        result, complainants, k=k, with_centres=with_centres, balance_radii=balance_radii
    )
    return pd.DataFrame({name: table.mean() for name, table in described.items()})


def describe_groups(
    result: SingleResult,
    complainants: Iterable[Any],
    *,
    k: int,
    with_centres: bool = False,
    balance_radii: bool = False,
) -> dict[str, pd.DataFrame]:
    """Return, for each group, one row a complainant with its statistics; see `summarise_groups`."""
    if with_centres and result.counterfactual_negative is None:
        raise UnavailableError(f"CST_w: {result.unavailable['CST_w']}")
    people = pd.Index(list(complainants))
    rows = result.rows_of(people)
    names, factual = _scales(result.dataset, result.dataset.frame)
    _, other = _scales(result.dataset, result.counterfactuals.frame)
    negative = result.decisions.negative.astype(float)
    found: dict[str, list[list[float]]] = {name: [] for name in GROUPS}
    known: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        for name in GROUPS:
            key = (name, result.search_of(row, name))
            if key not in known or with_centres:
                members = result.members(int(row), name, k, balance_radii=balance_radii)
                values, decided = factual[members.rows], negative[members.rows]
                weights, dist = members.weights, members.distances
                if with_centres and name != "test_st":
                    there = name == "test_cst"
                    decision = result.counterfactual_negative if there else negative
                    assert decision is not None
                    values = np.vstack([values, (other if there else factual)[row]])
                    decided = np.append(decided, float(decision[row]))
                    weights, dist = np.append(weights, 1.0), np.append(dist, 0.0)
                known[key] = _statistics(values, decided, weights, dist)
            found[name].append(known[key])
    columns = ["negatives", "share of negatives", "mean distance"]
    columns += [f"{what} {name}" for name in names for what in ("mean", "spread")]
    return {
        name: pd.DataFrame(table, index=people, columns=columns) for name, table in found.items()
    }


def slice_cases(result: SingleResult, which: Slice, settings: EvidenceSettings) -> pd.Index[Any]:
    """Return the cases of one of the paper's tables."""
    return all_slices(result, settings)[which]


def all_slices(result: SingleResult, settings: EvidenceSettings) -> dict[Slice, pd.Index[Any]]:
    """Return the cases of each of the paper's tables, in the order of `SLICES`."""
    wo = result.evidence("CST_wo", settings)
    st = result.evidence("ST", settings)
    chosen: dict[Slice, BoolArray] = {
        "ST and CST w/o": wo.is_case & st.is_case,
        "CST w/o only": wo.is_case & ~st.is_case,
        "significant": wo.is_significant,
        "not significant": wo.is_case & ~wo.is_significant,
    }
    return {which: result.index[chosen[which]] for which in SLICES}


def centre_slices(
    result: SingleResult, settings: EvidenceSettings
) -> dict[CentreSlice, pd.Index[Any]]:
    """Return the cases of the paper's tables of CST w/ and CF; none without a decision maker.

    Parameters
    ----------
    result
        A test's outcome.
    settings
        What counts as a case.

    Returns
    -------
    dict
        Cases of CST w/ that CF finds too and those that it does not, and cases of CST w/ that are
        significant and those that are not.
    """
    if "CST_w" in result.unavailable:
        return {}
    joined = result.evidence("CST_w", settings)
    fairness = result.evidence("CF", settings)
    chosen: dict[CentreSlice, BoolArray] = {
        "CST w/ and CF": joined.is_case & fairness.is_case,
        "CST w/ only": joined.is_case & ~fairness.is_case,
        "CST w/ significant": joined.is_significant,
        "CST w/ not significant": joined.is_case & ~joined.is_significant,
    }
    return {which: result.index[inside] for which, inside in chosen.items()}


def _scales(dataset: Dataset, frame: pd.DataFrame) -> tuple[list[str], FloatArray]:
    """Return the attributes that have a scale, and everyone's values on it."""
    scaled = [attribute for attribute in dataset.roles.relevant if attribute.kind != "nominal"]
    columns = [scale_values(frame[attribute.column], attribute) for attribute in scaled]
    values = np.column_stack(columns) if columns else np.empty((len(frame), 0))
    return [attribute.column for attribute in scaled], values


def _statistics(
    values: FloatArray, negative: FloatArray, weights: FloatArray, dist: FloatArray
) -> list[float]:
    total = float(weights.sum())
    if total == 0:
        return [np.nan] * (3 + 2 * values.shape[1])
    means = weights @ values / total
    squares = weights @ (values - means) ** 2
    spreads = np.sqrt(squares / (total - 1)) if total > 1 else np.zeros(values.shape[1])
    refused = float(weights @ negative)
    both = np.column_stack([means, spreads]).ravel()
    return [refused, refused / total, float(weights @ dist / total), *both.tolist()]
