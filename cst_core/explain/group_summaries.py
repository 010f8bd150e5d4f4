"""The paper's summary tables: what the control and test groups of some cases look like."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.errors import UnavailableError
from cst_core.evidence import EvidenceSettings
from cst_core.explain.groups import Centres, group_table, scaled_columns, scaled_values
from cst_core.results import GROUP_NAMES, SingleResult

Slice = Literal["significant", "not significant", "ST and CST w/o", "CST w/o only"]
CentreSlice = Literal[
    "CST w/ and CF", "CST w/ only", "CST w/ significant", "CST w/ not significant"
]
AT_ONCE = 1000
"""As many complainants' nearest people are held at once."""


def describe_groups(
    result: SingleResult,
    complainants: Iterable[Any],
    settings: EvidenceSettings,
    *,
    with_centres: bool = False,
) -> dict[str, pd.DataFrame]:
    """Return, for each group, one row a complainant with its statistics.

    Averaged over some cases they are the paper's tables 2 to 8.

    Parameters
    ----------
    complainants
        Their ids.
    settings
        What gives the groups their sizes.
    with_centres
        Add the complainant to the control group and her counterfactual to the CST test group, as
        CST w/ does; needs a decision maker.

    Returns
    -------
    dict
        By group: number and share of negative decisions, mean distance, mean and spread (standard
        deviation with n − 1) of each attribute that has a scale; NaN where a group is empty.
    """
    if with_centres and result.counterfactual_negative is None:
        raise UnavailableError(f"CST_w: {result.unavailable['CST_w']}")
    people = pd.Index(list(complainants))
    rows = result.rows_of(people)
    names, here, _ = scaled_values(result)
    refused = result.decisions.negative
    sizes = result.group_sizes(settings)
    columns = ["negatives", "share of negatives", "mean distance"]
    columns += [f"{what} {name}" for name in names for what in ("mean", "spread")]
    found: dict[str, pd.DataFrame] = {}
    for name in GROUP_NAMES:
        size = sizes[0] if name == "control" else sizes[1]
        centred = with_centres and name != "test_st"
        searches = rows if centred else np.array([result.search_of(int(row), name) for row in rows])
        _, first, place = np.unique(searches, return_index=True, return_inverse=True)
        parts = []
        for start in range(0, len(first), AT_ONCE):
            own = rows[first[start : start + AT_ONCE]]
            groups = [result.around(int(row), name, size).at(size) for row in own]
            values, negative = here, refused
            centres = Centres.of(result, own, name) if centred else None
            if centres is not None:
                groups = centres.added_to(groups, result.n)
                values = np.vstack([here, scaled_columns(result, centres.frame)])
                negative = np.append(refused, centres.negative)
            table = group_table(groups, values, negative)
            both = np.stack([table.means, table.spreads], axis=2).reshape(len(own), -1)
            parts.append(
                np.column_stack([table.share * table.size, table.share, table.mean_distance, both])
            )
        numbers = np.concatenate(parts)[place] if parts else np.empty((0, len(columns)))
        found[name] = pd.DataFrame(numbers, index=people, columns=columns)
    return found


def all_slices(result: SingleResult, settings: EvidenceSettings) -> dict[Slice, pd.Index[Any]]:
    """Return the cases of each of the paper's tables of CST w/o."""
    wo, st = (result.evidence(method, settings) for method in ("CST_wo", "ST"))
    return {
        "ST and CST w/o": wo.index[wo.is_case & st.is_case],
        "CST w/o only": wo.index[wo.is_case & ~st.is_case],
        "significant": wo.index[wo.is_significant],
        "not significant": wo.index[wo.is_case & ~wo.is_significant],
    }


def centre_slices(
    result: SingleResult, settings: EvidenceSettings
) -> dict[CentreSlice, pd.Index[Any]]:
    """Return the cases of the paper's tables of CST w/ and CF; none without a decision maker.

    Cases of CST w/ that CF finds too and those that it does not, and cases of CST w/ that are
    significant and those that are not.
    """
    if "CST_w" in result.unavailable:
        return {}
    joined, fairness = (result.evidence(method, settings) for method in ("CST_w", "CF"))
    return {
        "CST w/ and CF": joined.index[joined.is_case & fairness.is_case],
        "CST w/ only": joined.index[joined.is_case & ~fairness.is_case],
        "CST w/ significant": joined.index[joined.is_significant],
        "CST w/ not significant": joined.index[joined.is_case & ~joined.is_significant],
    }
