"""When many complainants turn at once from one k to the next, because they are equal people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method
from cst_core.explain.names import CaseNames
from cst_core.explain.text import difference, listed, value_of
from cst_core.results import Result, SingleResult

FEW = 3
"""So many different people at most are told of as what they are: a few, seen many times."""
MANY_AT_ONCE = 0.05
"""What share of the complainants must turn together to be told."""
WIDEST = 3
"""Over so many neighbouring k a jump may stretch."""
NEARLY = 0.9
"""A jump is told over fewer k where they have this share of it."""


def jump_sentence(
    names: CaseNames,
    result: Result,
    method: Method,
    settings: EvidenceSettings,
    counts: Sequence[tuple[int, int]],
) -> str | None:
    """Return where the number of significant cases jumps because equal people turn together.

    Parameters
    ----------
    settings
        How they were judged; its k does not matter.
    counts
        By k, in order, how many significant cases there are.

    Returns
    -------
    str | None
        The largest jump; None where there is none that many people make who are equal in all that
        is compared, or where several tests must agree.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> case = load_scenario("berkeley")
    >>> found, settings = case.run("gender"), case.evidence_settings()
    >>> counts = [(k, found.summary("CST_wo", case.evidence_settings(k)).significant)
    ...           for k in (15, 24)]
    >>> jump_sentence(case.names(), found, "CST_wo", settings, counts).split(": ")[0]
    'By CST w/o the number of significant cases goes from 0 at k = 15 to 393 at k = 24'
    """
    if len(result.runs) != 1 or len(counts) < 2:
        return None
    (k, before), (next_k, after) = _largest(counts)
    if abs(after - before) < max(2, MANY_AT_ONCE * result.n_protected):
        return None
    one, other = (
        result.evidence(method, replace(settings, n_neighbours=size)) for size in (k, next_k)
    )
    turned = one.is_significant != other.is_significant
    people = _compared(result.runs[0])[turned]
    different = people.drop_duplicates()
    if len(different) > FEW:
        return None
    values = "; ".join(_words(names, row) for _, row in different.iterrows())
    if len(different) == 1:
        why = f"all are equal in what is compared ({values}), so that they turn together"
    else:
        why = (
            f"they are only {len(different)} different people in what is compared ({values}), and "
            "equal people turn together"
        )
    deltas = np.concatenate([one.delta[turned], other.delta[turned]])
    if np.ptp(deltas) < 0.01:
        about = difference(float(deltas.mean()))
        why += f"; their Δp is about {about} all the time, and only k has grown"
    return (
        f"By {METHOD_LABELS[method]} the number of significant cases goes from {before:,} at "
        f"k = {k} to {after:,} at k = {next_k}: {int(turned.sum()):,} "
        f"{names.complainants(result.name)} turn at once. {why[0].upper()}{why[1:]}. Do not read "
        "them as so many findings that confirm each other."
    )


def _largest(counts: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ends of the largest jump, over as few neighbouring k as show nearly all of it."""
    found = np.array([count for _, count in counts])
    sizes, places = [], []
    for width in range(1, min(WIDEST, len(counts) - 1) + 1):
        steps = np.abs(found[width:] - found[:-width])
        places.append(int(steps.argmax()))
        sizes.append(int(steps.max()))
    width = next(place for place, size in enumerate(sizes) if size >= NEARLY * max(sizes))
    return counts[places[width]], counts[places[width] + width + 1]


def _compared(run: SingleResult) -> pd.DataFrame:
    """Return what the complainants are compared on."""
    columns = [item.column for item in run.dataset.roles.relevant if item.weight > 0]
    return run.dataset.frame.loc[:, columns].iloc[np.flatnonzero(run.is_protected)]


def _words(names: CaseNames, row: pd.Series[Any]) -> str:
    return listed([f"{names.label(str(name))} {value_of(value)}" for name, value in row.items()], 3)
