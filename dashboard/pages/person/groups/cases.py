"""Which cases the Groups page looks at, and the people around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from cst_core.data import as_text, ids_of, place_among
from cst_core.errors import CancelledError
from cst_core.evidence import EvidenceSettings, FloatArray
from cst_core.explain import (
    Centres,
    GroupTable,
    group_table,
    level_shares,
    scaled_columns,
    scaled_values,
)
from cst_core.results import GROUP_NAMES, GroupName, SingleResult
from cst_core.similarity import IntArray, Surroundings
from dashboard.draft.document import Draft
from dashboard.session import background, results
from dashboard.session.background import Tell

SliceT = TypeVar("SliceT", bound=str)
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
    """Everyone's value of a nominal attribute, as places in `names`."""

    names: tuple[str, ...]
    here: IntArray

    @classmethod
    def of(cls, column: pd.Series[Any]) -> Levels:
        """Return the values, the most frequent first."""
        counts = column.map(as_text).value_counts()
        names = [str(name) for name in counts.index[: LEVELS - (len(counts) > LEVELS)]]
        if len(counts) > LEVELS:
            names.append(OTHER)
        return cls(names=tuple(names), here=_places(column, names))

    def codes(self, column: pd.Series[Any]) -> IntArray:
        """Return the places of other people's values."""
        return _places(column, self.names)


def _places(column: pd.Series[Any], names: Sequence[str]) -> IntArray:
    """Return where each value stands among the names; the last where it has no name."""
    place = {name: code for code, name in enumerate(names)}
    found = [place.get(as_text(value), len(names) - 1) for value in column]
    return np.array(found, dtype=np.int64)


@dataclass(slots=True, eq=False)
class Around:
    """The people around complainants that were looked at, by row and kind of group."""

    names: tuple[str, ...]
    here: FloatArray
    there: FloatArray
    levels: dict[str, Levels] = field(default_factory=dict)
    known: dict[int, dict[GroupName, Surroundings]] = field(default_factory=dict)

    @classmethod
    def of(cls, run: SingleResult) -> Around:
        """Return an empty memory with everyone's attributes in both worlds."""
        levels = {
            item.column: Levels.of(run.dataset.frame[item.column])
            for item in run.dataset.roles.relevant
            if item.kind == "nominal"
        }
        return cls(*scaled_values(run), levels=levels)

    def look(
        self, run: SingleResult, rows: Sequence[int], tell: Tell
    ) -> list[dict[GroupName, Surroundings]]:
        """Return the people around some complainants; search where nobody looked yet.

        Other tabs share this memory and may make it forget at any time, so what is returned is not
        read from it twice.
        """
        found = []
        for done, row in enumerate(rows):
            one = self.known.get(row)
            if one is None:
                one = self.known[row] = {group: run.around(row, group) for group in GROUP_NAMES}
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


def all_cases(run: SingleResult, settings: EvidenceSettings) -> pd.Index[Any]:
    """Return everyone who is a case by CST w/o."""
    return run.index[run.evidence("CST_wo", settings).is_case]


def sample(run: SingleResult, cases: pd.Index[Any]) -> tuple[pd.Index[Any], int]:
    """Return at most `SAMPLE` of some cases, and how many these are.

    Who comes first is drawn once for everyone, so that another k keeps most of them.
    """
    order = np.random.default_rng(SEED).permutation(run.n_protected)
    places = order[run.index.get_indexer(cases)]
    return cases[np.sort(np.argsort(places)[:SAMPLE])], len(cases)


def samples(
    run: SingleResult, slices: Mapping[SliceT, pd.Index[Any]]
) -> dict[SliceT, tuple[pd.Index[Any], int]]:
    """Return a sample of each slice, and how many it holds."""
    return {which: sample(run, cases) for which, cases in slices.items()}


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
    ids = ids_of(run.index)
    found = {text: place_among(ids, text) for text in texts}
    places = [place for place in found.values() if place is not None][:HANDFUL]
    return run.index[places], [text for text, place in found.items() if place is None]


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
    k_control, k_test = run.group_sizes(settings)
    rows = run.rows_of(people)
    near = around.look(run, [int(row) for row in rows], lambda *_: True)
    tables: dict[GroupName, GroupTable] = {}
    shares: dict[str, tuple[tuple[str, ...], dict[GroupName, FloatArray]]] = {
        column: (levels.names, {}) for column, levels in around.levels.items()
    }
    for name in GROUP_NAMES:
        groups = [item[name].at(k_control if name == "control" else k_test) for item in near]
        values, negative = around.here, run.decisions.negative
        centres = Centres.of(run, rows, name) if with_centres else None
        if centres is not None:
            groups = centres.added_to(groups, run.n)
            values = np.vstack([values, scaled_columns(run, centres.frame)])
            negative = np.append(negative, centres.negative)
        tables[name] = group_table(groups, values, negative)
        for column, levels in around.levels.items():
            codes = levels.here
            if centres is not None:
                codes = np.append(codes, levels.codes(centres.frame[column]))
            shares[column][1][name] = level_shares(groups, codes, len(levels.names))
    return Described(
        people=people,
        names=around.names,
        own=around.here[rows],
        counterfactual=around.there[rows],
        groups=tables,
        n=len(people) if n is None else n,
        shares=shares,
    )
