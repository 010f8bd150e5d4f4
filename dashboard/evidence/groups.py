"""Which cases the Groups page looks at, and the people around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from cst_core.data.matching import as_text
from cst_core.errors import CancelledError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import FloatArray
from cst_core.results import GroupName, SingleResult
from cst_core.similarity.embedding import IntArray
from cst_core.testing.group_summaries import (
    GROUPS,
    CentreSlice,
    Slice,
    all_slices,
    centre_slices,
    slice_cases,
)
from cst_core.testing.neighbourhoods import (
    Centres,
    GroupTable,
    Nearest,
    group_table,
    level_shares,
    nearest,
    scaled_values,
)
from dashboard import background
from dashboard.background import Tell
from dashboard.draft.document import Draft
from dashboard.evidence import results

SAMPLE = 50
"""At most as many cases of a slice are averaged."""
HANDFUL = 5
SEED = 20250
CELLS = 1_500_000
"""About as many people around complainants are remembered."""
LEVELS = 50
"""Values of a nominal attribute that are told apart; the rarer ones are one together."""
OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Levels:
    """Everyone's value of a nominal attribute in both worlds, as places in `names`."""

    names: tuple[str, ...]
    here: IntArray
    there: IntArray

    @classmethod
    def of(cls, here: pd.Series[Any], there: pd.Series[Any]) -> Levels:
        """Return the values, the most frequent first."""
        own, other = here.map(as_text), there.map(as_text)
        counts = own.value_counts()
        names = [str(name) for name in counts.index[: LEVELS - (len(counts) > LEVELS)]]
        place = {name: code for code, name in enumerate(names)}
        codes = [series.map(place).fillna(len(names)).to_numpy(int) for series in (own, other)]
        if any((code == len(names)).any() for code in codes):
            names.append(OTHER)
        return cls(names=tuple(names), here=codes[0], there=codes[1])


@dataclass(slots=True, eq=False)
class Around:
    """The people around complainants that were looked at, by row and kind of group."""

    names: tuple[str, ...]
    here: FloatArray
    there: FloatArray
    levels: dict[str, Levels] = field(default_factory=dict)
    known: dict[int, dict[GroupName, Nearest]] = field(default_factory=dict)

    @classmethod
    def of(cls, run: SingleResult) -> Around:
        """Return an empty memory with everyone's attributes in both worlds."""
        here, there = run.dataset.frame, run.counterfactuals.frame
        levels = {
            item.column: Levels.of(here[item.column], there[item.column])
            for item in run.dataset.roles.relevant
            if item.kind == "nominal"
        }
        return cls(*scaled_values(run), levels=levels)

    def look(
        self, run: SingleResult, rows: Sequence[int], tell: Tell
    ) -> list[dict[GroupName, Nearest]]:
        """Return the people around some complainants; search where nobody looked yet.

        Other tabs share this memory and may make it forget at any time, so what is returned is not
        read from it twice.
        """
        found = []
        for done, row in enumerate(rows):
            one = self.known.get(row)
            if one is None:
                one = self.known[row] = {group: nearest(run, row, group) for group in GROUPS}
            found.append(one)
            if not done % 20 and not tell("Looking at the groups", done, len(rows)):
                raise CancelledError("Cancelled. Nothing was changed.")
        return found

    def forget(self, needed: set[int]) -> None:
        """Forget those looked at first when they are too many."""
        held = sum(len(item) for found in list(self.known.values()) for item in found.values())
        for row in list(self.known):
            if held <= CELLS:
                return
            if row not in needed:
                held -= sum(len(item) for item in self.known.pop(row, {}).values())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Described:
    """Some complainants with their three groups at one k.

    Attributes
    ----------
    people
        Their ids.
    names
        The attributes with a scale.
    own, counterfactual
        Their attributes in both worlds, a column each.
    groups
        Their groups.
    n
        How many there are in all, when these are a sample of them.
    shares
        By nominal attribute, its values and each group's shares of them: a row a complainant.
    """

    people: pd.Index[Any]
    names: tuple[str, ...]
    own: FloatArray
    counterfactual: FloatArray
    groups: dict[GroupName, GroupTable]
    n: int
    shares: dict[str, tuple[tuple[str, ...], dict[GroupName, FloatArray]]] = field(
        default_factory=dict
    )


def sample_slices(
    run: SingleResult, settings: EvidenceSettings
) -> dict[Slice, tuple[pd.Index[Any], int]]:
    """Return at most `SAMPLE` cases of each slice, and how many it holds."""
    order = _order(run)
    return {
        which: (_sample(run, cases, order), len(cases))
        for which, cases in all_slices(run, settings).items()
    }


def sample_centre_slices(
    run: SingleResult, settings: EvidenceSettings
) -> dict[CentreSlice, tuple[pd.Index[Any], int]]:
    """Return the same of the cases of CST w/ and CF; nothing without a decision maker."""
    order = _order(run)
    return {
        which: (_sample(run, cases, order), len(cases))
        for which, cases in centre_slices(run, settings).items()
    }


def sample_cases(run: SingleResult, settings: EvidenceSettings) -> tuple[pd.Index[Any], int]:
    """Return at most `SAMPLE` of all cases, and how many there are."""
    cases = run.index[run.evidence("CST_wo", settings).is_case]
    return _sample(run, cases, _order(run)), len(cases)


def _order(run: SingleResult) -> IntArray:
    """Return who comes first: drawn once for everyone, so that another k keeps most of them."""
    return np.random.default_rng(SEED).permutation(run.n_protected)


def _sample(run: SingleResult, cases: pd.Index[Any], order: IntArray) -> pd.Index[Any]:
    places = order[run.index.get_indexer(cases)]
    return cases[np.sort(np.argsort(places)[:SAMPLE])]


def cases_of(run: SingleResult, which: Slice, settings: EvidenceSettings) -> pd.Index[Any]:
    """Return all cases of a slice."""
    return slice_cases(run, which, settings)


def draw(cases: pd.Index[Any], turn: int) -> pd.Index[Any]:
    """Return a handful of cases; another turn gives other ones."""
    if len(cases) <= HANDFUL:
        return cases
    order = np.random.default_rng(SEED).permutation(len(cases))
    start = turn * HANDFUL % len(cases)
    return cases[np.sort(np.take(order, range(start, start + HANDFUL), mode="wrap"))]


def find_people(run: SingleResult, typed: str) -> tuple[pd.Index[Any], list[str]]:
    """Return the complainants whose ids were typed, and what was typed that is nobody's."""
    texts = list(dict.fromkeys(part.strip() for part in typed.split(",") if part.strip()))
    by_text = {str(person): place for place, person in enumerate(run.index)}
    places = [by_text[text] for text in texts if text in by_text][:HANDFUL]
    return run.index[places], [text for text in texts if text not in by_text]


def look_around(
    draft: Draft, test: str, run: SingleResult, wanted: Sequence[pd.Index[Any]]
) -> Around | None:
    """Return the people around all these complainants; None while they are searched."""
    around = results.derived(draft, test, "around", lambda: Around.of(run))
    rows = [int(row) for people in wanted for row in run.rows_of(people)]
    missing = [row for row in dict.fromkeys(rows) if row not in around.known]
    if missing:
        around.forget(set(rows))
        key = f"around {hash(tuple(missing))} {results.key_of(draft, test)}"

        def work(tell: Tell) -> bool:
            around.look(run, missing, tell)
            return True

        if background.run(key, "Looking at the groups", work) is None:
            return None
    return around


def describe(
    run: SingleResult,
    around: Around,
    people: pd.Index[Any],
    settings: EvidenceSettings,
    n: int | None = None,
    *,
    with_centres: bool = False,
) -> Described:
    """Return the groups around some complainants, of the sizes that the settings give them.

    With the centres (CST w/), each complainant is one more member of her control group, and her
    counterfactual of the CST test group.
    """
    k_control, k_test = run.group_sizes(settings.n_neighbours, balance_radii=settings.balance_radii)
    sizes = {group: k_control if group == "control" else k_test for group in GROUPS}
    rows = run.rows_of(people)
    negative, ties = run.decisions.negative, run.search.ties
    near = around.look(run, [int(row) for row in rows], lambda *_: True)
    centres: dict[GroupName, Centres] = {}
    if with_centres:
        assert run.counterfactual_negative is not None
        there = run.counterfactual_negative[rows]
        centres["control"] = Centres(values=around.here[rows], negative=negative[rows])
        centres["test_cst"] = Centres(values=around.there[rows], negative=there)
    groups = {
        group: group_table(
            [item[group] for item in near], sizes[group], around.here, negative, ties,
            centres=centres.get(group),
        )
        for group in GROUPS
    }  # fmt: skip
    shares = {}
    for column, levels in around.levels.items():
        shares[column] = (
            levels.names,
            {
                group: level_shares(
                    [item[group] for item in near],
                    sizes[group],
                    levels.here,
                    len(levels.names),
                    ties,
                )
                for group in GROUPS
            },
        )
        for group in centres:
            own = (levels.here if group == "control" else levels.there)[rows]
            _count_in(shares[column][1][group], own, groups[group].size)
    return Described(
        people=people,
        names=around.names,
        own=around.here[rows],
        counterfactual=around.there[rows],
        groups=groups,
        n=len(people) if n is None else n,
        shares=shares,
    )


def _count_in(shares: FloatArray, own: IntArray, size: FloatArray) -> None:
    """Add each centre's own value to her group's shares; `size` is that with the centre."""
    shares[:] = np.nan_to_num(shares) * (size - 1)[:, None]
    shares[np.arange(len(own)), own] += 1
    shares /= size[:, None]
