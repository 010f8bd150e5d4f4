"""The straightforward way: one complainant after the other, every distance, one sort each.

Written for comparison, with the same answers as the library (`expected` ties): once in numpy, for
every k, and once with data frames, for one k. Distances are sums over columns in both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.results import SingleResult

TOLERANCE = 1e-9
GROUPS = ("control", "test_st", "test_cst")


@dataclass(frozen=True, kw_only=True, eq=False)
class Work:
    """A test with everything known but the neighbours."""

    here: np.ndarray
    there: np.ndarray
    negative: np.ndarray
    inside: np.ndarray
    outside: np.ndarray

    @classmethod
    def of(cls, result: SingleResult) -> Work:
        assert not result.points.nominal.shape[1]
        return cls(
            here=result.points.numeric,
            there=result.counterfactual_points.numeric,
            negative=result.decisions.negative,
            inside=np.flatnonzero(result.is_protected),
            outside=np.flatnonzero(result.is_reference),
        )

    def searches(self, row: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (centre, rows to search) for the control, ST and CST test groups."""
        yield self.here[row], self.inside[self.inside != row]
        yield self.here[row], self.outside
        yield self.there[row], self.outside


def numpy_loop(work: Work, rows: np.ndarray, ks: np.ndarray) -> np.ndarray:
    """Return the expected negatives, [group, complainant, k]."""
    found = np.empty((len(GROUPS), len(rows), len(ks)))
    for place, row in enumerate(rows):
        for group, (centre, space) in enumerate(work.searches(row)):
            dist = np.abs(work.here[space] - centre).sum(axis=1)
            found[group, place] = expected_curve(dist, work.negative[space], ks)
    return found


def expected_curve(dist: np.ndarray, negative: np.ndarray, ks: np.ndarray) -> np.ndarray:
    order = np.argsort(dist, kind="stable")
    dist, negative = dist[order], negative[order]
    begins = np.flatnonzero(np.r_[True, np.diff(dist) >= TOLERANCE])
    ends = np.r_[begins[1:], len(dist)]
    through = np.r_[0, np.cumsum(negative)]
    k = np.minimum(ks, len(dist))
    tie = np.searchsorted(ends, k)
    first, last = begins[tie], ends[tie]
    share = (through[last] - through[first]) / (last - first)
    return through[first] + (k - first) * share


def pandas_loop(work: Work, rows: np.ndarray, k: int) -> np.ndarray:
    """Return the expected negatives at one k, [group, complainant, 1], as a data-frame user would.

    Per complainant: a Series of distances column by column, sorted, the first k taken, and those
    tied with the last of them given equal shares of the places left.
    """
    names = [f"x{i}" for i in range(work.here.shape[1])]
    people = pd.DataFrame(work.here, columns=names)
    there = pd.DataFrame(work.there, columns=names)
    people["negative"] = work.negative
    control, test = people.iloc[work.inside], people.iloc[work.outside]
    found = np.empty((len(GROUPS), len(rows), 1))
    for place, row in enumerate(rows):
        for group, (centre, space) in enumerate(
            (
                (people.loc[row], control.drop(index=row)),
                (people.loc[row], test),
                (there.loc[row], test),
            )
        ):
            total = pd.Series(0.0, index=space.index)
            for name in names:
                total += (space[name] - centre[name]).abs()
            total = total.sort_values()
            size = min(k, len(total))
            last = total.iloc[size - 1]
            sure = total[total < last - TOLERANCE]
            tied = total[(total - last).abs() <= TOLERANCE]
            refused = space["negative"]
            share = refused.loc[tied.index].mean()
            found[group, place, 0] = refused.loc[sure.index].sum() + (size - len(sure)) * share
    return found
