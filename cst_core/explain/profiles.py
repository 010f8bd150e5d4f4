"""How much is really there: different profiles, and how often the same people are compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from cst_core.data import BoolArray
from cst_core.evidence import EvidenceSettings, Method
from cst_core.explain.text import count
from cst_core.results import GroupName, Result, SingleResult
from cst_core.similarity import Curves, IntArray

MOST = 3000
"""Findings whose groups are looked at; of more, the first so many in the data."""
AT_ONCE = 1_500_000
"""Distances that are measured without being asked for: some hundredths of a second."""


def count_profiles(run: SingleResult, rows: IntArray) -> int:
    """Return how many different people some are, by the relevant attributes."""
    columns = [item.column for item in run.dataset.roles.relevant]
    return len(run.dataset.frame.iloc[rows][columns].drop_duplicates())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reuse:
    """What a number of findings rests on.

    Attributes
    ----------
    found, looked_at
        How many findings there are, and the groups of how many were looked at.
    profiles
        How many of the findings differ in a relevant attribute.
    people
        How many people are in the groups looked at.
    uses
        How often one of these is in a group, on average.
    fewest
        For each finding looked at, the different profiles of the smaller variety of her two
        groups.
    """

    found: int
    looked_at: int
    profiles: int
    people: int
    uses: float
    fewest: npt.NDArray[np.int64]

    @property
    def one_profile(self) -> int:
        """How many findings have a group that is one profile over and over."""
        return int((self.fewest == 1).sum())


def reuse(
    result: Result,
    method: Method,
    settings: EvidenceSettings,
    among: BoolArray,
    *,
    most_distances: float = np.inf,
) -> Reuse | None:
    """Return what findings rest on; None where there are none or several attributes are joined.

    People at the same place have the same groups, but that nobody is in her own; so they are
    searched for once.

    Parameters
    ----------
    among
        Who of the protected people is a finding.
    most_distances
        With more distances than this to be measured, no groups are looked at.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> found = result.evidence("CST_wo", settings).is_significant
    >>> told = reuse(result, "CST_wo", settings, found)
    >>> told.found == int(found.sum()), told.people <= len(result.runs[0].dataset.frame)
    (True, True)
    """
    places = np.flatnonzero(among)
    if len(result.runs) != 1 or not len(places):
        return None
    (run,) = result.runs
    rows = np.flatnonzero(run.is_protected)[places]
    names: tuple[GroupName, GroupName] = ("control", "test_st" if method == "ST" else "test_cst")
    searches = {name: _searches(run, name, places[:MOST]) for name in names}
    distances = sum(len(set(each)) for each in searches.values()) * run.n
    told = Reuse(
        found=len(rows),
        looked_at=0,
        profiles=count_profiles(run, rows),
        people=0,
        uses=0.0,
        fewest=np.empty(0, dtype=np.int64),
    )
    if distances > most_distances:
        return told
    seen: list[IntArray] = []
    uses, fewest = 0, []
    for name, each in searches.items():
        groups = {
            search: run.members(int(row), name, settings).rows
            for search, row in zip(each, rows, strict=False)
        }
        seen += groups.values()
        if name == "control":  # who shares a place with another is in the other's group
            often = Counter(each)
            alike = [row for search, row in zip(each, rows, strict=False) if often[search] > 1]
            seen.append(np.array(alike, dtype=np.int64))
        varieties = {search: count_profiles(run, group) for search, group in groups.items()}
        uses += sum(len(groups[search]) for search in each)
        fewest.append([varieties[search] for search in each])
    people = len(np.unique(np.concatenate(seen)))
    return replace(
        told,
        looked_at=len(each),
        people=people,
        uses=uses / people,
        fewest=np.min(fewest, axis=0),
    )


def _searches(run: SingleResult, name: GroupName, places: IntArray) -> list[int]:
    """Return for each of some people which search finds her group, the same for those alike.

    Where the order of the rows decides between people equally far away, everyone has her own.
    """
    if run.search.ties not in ("expected", "all"):
        return [int(place) for place in places]
    curves: Curves = getattr(run, name)
    return [curves.column_of(place) for place in places.tolist()]


def reuse_sentence(found: Reuse) -> str:
    """Return how much is really there, in a sentence or two."""
    start = count(found.found, "finding")
    alike = count(found.profiles, "different profile") if found.profiles > 1 else "1 profile"
    if not found.looked_at:
        return f"{start}: {alike}."
    if found.found == 1:
        said = f"{start}: {found.people:,} people in its two groups"
    else:
        if found.looked_at < found.found:
            start += f", of which the first {found.looked_at:,} were looked at"
        said = (
            f"{start}: {alike}, compared with {found.people:,} people, each used about "
            f"{found.uses:.0f} times"
        )
    if not found.one_profile:
        return f"{said}."
    if found.found == 1:
        return f"{said}. One of them is one profile over and over."
    return (
        f"{said}. In {found.one_profile:,} of them one of the two groups is a single profile over "
        "and over, which says little more than one person would."
    )
