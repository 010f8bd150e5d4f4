"""Tipping points: a verdict along a range of assumed effects, and where it turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal import FloatArray
from cst_core.data import BoolArray, ids_of, place_among
from cst_core.evidence import EvidenceSettings
from cst_core.robustness.check import CheckResult, StandingCount, people_table, plain_rows
from cst_core.robustness.other_model import CausalMethod
from cst_core.robustness.sampling import sample_words
from cst_core.robustness.stretches import (
    AS_ASSUMED,
    PersonTipping,
    Stretch,
    held_at,
    nearest,
    stretches_of,
)

NO_EFFECT: Mapping[CausalMethod, str] = {
    "CST_wo": ", which is classical situation testing around each one's own point",
    "CST_w": ", where the counterfactual is as the person is: situation testing with both counted "
    "in",
    "CF": ", where the counterfactual is as the person is in all that people are compared on",
}
"""What the test is at γ = 0, by method."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tipping(CheckResult):
    """Every complainant's verdict along a range of assumed effects, and where it turns.

    Arrays with one entry a complainant are in the order of `index`; those with a row a grid value
    are in the order of `grid`.

    Attributes
    ----------
    name, method, settings
        What was judged.
    grid
        The γ examined, ascending; 1 is among them.
    index, n_complainants
        The complainants examined, and how many there are in all.
    is_case, is_significant
        The verdicts: a row a grid value, a column a complainant.
    delta
        Δp, likewise; NaN where no evidence is possible.
    has_evidence
        Whether evidence is possible, likewise; only a maximum distance ε makes it depend on γ.
    case_turns, significant_turns
        Every γ at which she stops to be or starts to be a case, or a significant one: a row a
        complainant, ascending, NaN after the last.
    case_turns_for_lack, significant_turns_for_lack
        Whether the verdict turns there because no evidence is possible on one side: it ends (or
        starts) for lack of people within ε, not because Δp gets too small (or large enough). False
        where nothing turns.
    tolerance, significant_tolerance
        How exact the turns are: those of `case_…` and of `significant_…`. With a correction for
        many tests the second is the widest step of the grid. A verdict that turns twice within one
        step of the grid is not seen.
    """

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    grid: FloatArray
    index: pd.Index[Any]
    n_complainants: int
    is_case: BoolArray
    is_significant: BoolArray
    delta: FloatArray
    has_evidence: BoolArray
    case_turns: FloatArray
    significant_turns: FloatArray
    case_turns_for_lack: BoolArray
    significant_turns_for_lack: BoolArray
    tolerance: float
    significant_tolerance: float

    @property
    def case_below(self) -> FloatArray:
        """The γ nearest 1 below it at which she stops or starts to be a case; NaN where none."""
        return nearest(self.case_turns, up=False)[0]

    @property
    def case_above(self) -> FloatArray:
        """The same above 1."""
        return nearest(self.case_turns, up=True)[0]

    @property
    def significant_below(self) -> FloatArray:
        """The γ nearest 1 below it at which she stops or starts to be a finding; NaN where none."""
        return nearest(self.significant_turns, up=False)[0]

    @property
    def significant_above(self) -> FloatArray:
        """The same above 1."""
        return nearest(self.significant_turns, up=True)[0]

    def for_lack(self, verdict: Literal["case", "significant"], *, up: bool) -> BoolArray:
        """Return whether the turn nearest 1 is for lack of people; False where nothing turns."""
        _, there = nearest(getattr(self, f"{verdict}_turns"), up=up)
        lack: BoolArray = getattr(self, f"{verdict}_turns_for_lack")
        return np.asarray((there & lack).any(axis=1), dtype=bool)

    @property
    def step(self) -> float:
        """The widest step of the grid."""
        return float(np.diff(self.grid).max(initial=0.0))

    @property
    def span(self) -> tuple[float, float]:
        """The smallest and the largest γ that were looked at."""
        return float(self.grid[0]), float(self.grid[-1])

    @property
    def findings(self) -> BoolArray:
        """Who is a finding as assumed."""
        return np.asarray(self.is_significant[self.place_of_origin], dtype=bool)

    def findings_at(self, share: float) -> BoolArray:
        """Return who is a finding at a γ within the span, on the grid or between its values."""
        return held_at(self.is_significant[0], self.significant_turns, share)

    @property
    def holds_throughout(self) -> BoolArray:
        """Whose finding holds at every γ from the smallest looked at to 1."""
        return self.findings & np.isnan(self.significant_below)

    @property
    def comes_back(self) -> BoolArray:
        """Whose finding ends with a smaller effect, and comes back with a still smaller one."""
        again = np.sum(self.significant_turns < AS_ASSUMED, axis=1) > 1
        return np.asarray(self.findings & again, dtype=bool)

    @property
    def comes_back_at_none(self) -> BoolArray:
        """Those of them who come back at the smallest γ alone."""
        least = self.span[0] + self.significant_tolerance
        between = (self.significant_turns > least) & (self.significant_turns < AS_ASSUMED)
        return np.asarray(self.comes_back & (between.sum(axis=1) == 1), dtype=bool)

    def stretches(self) -> pd.DataFrame:
        """Return one row a stretch of γ in which someone is a finding, by complainant."""
        rows = [
            (person, one.low, one.high)
            for place, person in enumerate(self.index)
            for one in self._stretches(place)
        ]
        return pd.DataFrame(rows, columns=["person", "from", "to"])

    def _stretches(self, place: int) -> tuple[Stretch, ...]:
        return stretches_of(
            bool(self.is_significant[0, place]),
            self.significant_turns[place],
            self.significant_turns_for_lack[place],
            self.span,
        )

    def counts(self) -> pd.DataFrame:
        """Return the cases, significant cases and mean Δp at every grid value.

        The mean is over those for whom evidence is possible at that value (`with_evidence`); NaN
        when that is nobody.
        """
        with_evidence = self.has_evidence.sum(axis=1)
        total = np.where(self.has_evidence, self.delta, 0.0).sum(axis=1)
        return pd.DataFrame(
            {
                "cases": self.is_case.sum(axis=1),
                "significant": self.is_significant.sum(axis=1),
                "mean_delta": np.where(with_evidence, total / np.maximum(with_evidence, 1), np.nan),
                "with_evidence": with_evidence,
            },
            index=pd.Index(self.grid, name="γ"),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant: her verdict as assumed, and where it turns."""
        at = self.place_of_origin
        columns: dict[str, Any] = {
            "is_case": self.is_case[at],
            "is_significant": self.is_significant[at],
            "delta": self.delta[at],
        }
        verdicts: tuple[Literal["case", "significant"], ...] = ("case", "significant")
        for verdict in verdicts:
            for side in ("below", "above"):
                columns[f"{verdict}_{side}"] = getattr(self, f"{verdict}_{side}")
                columns[f"{verdict}_{side}_for_lack"] = self.for_lack(verdict, up=side == "above")
            columns[f"{verdict}_crossings"] = (~np.isnan(getattr(self, f"{verdict}_turns"))).sum(1)
        columns["holds_throughout"] = self.holds_throughout
        columns["comes_back"] = self.comes_back
        columns["significant_for"] = [
            "; ".join(f"{one.low:.4g} to {one.high:.4g}" for one in self._stretches(place))
            for place in range(len(self.index))
        ]
        return pd.DataFrame(columns, index=self.index)

    @property
    def place_of_origin(self) -> int:
        """Where on the grid γ is 1."""
        return int(np.flatnonzero(self.grid == AS_ASSUMED)[0])

    def of(self, person: object) -> PersonTipping | None:
        """Return where one person's finding turns; None when she was not among those examined."""
        place = place_among(ids_of(self.index), person)
        if place is None:
            return None
        return PersonTipping(
            stretches=self._stretches(place),
            span=self.span,
            step=self.step,
            tolerance=self.significant_tolerance,
            method=self.method,
        )

    def stands(self) -> tuple[StandingCount, ...]:
        """Return how many findings are there with half of the effect, with none, and throughout."""
        sample = sample_words(len(self.index), self.n_complainants)
        findings, total = self.findings, int(self.findings.sum())
        classical = ": classical situation testing" if self.method == "CST_wo" else ""
        changes = {
            "If only half of the assumed effect is there": 0.5,
            f"Without any effect (γ = 0){classical}": 0.0,
        }
        found = [
            StandingCount(
                what=f"{words}{sample}",
                stand=int((findings & there).sum()),
                of=total,
                more=int((there & ~findings).sum()),
            )
            for words, share in changes.items()
            if self.span[0] <= share
            for there in (self.findings_at(share),)
        ]
        throughout = StandingCount(
            what=f"Whatever part of the assumed effect is there, from none to all{sample}",
            stand=int(self.holds_throughout.sum()),
            of=total,
        )
        return (*found, throughout) if self.span[0] <= 0 else tuple(found)

    def summary(self) -> tuple[str, ...]:
        """Return the counts at some γ, and how many findings end with a smaller effect."""
        start, row = f"k = {self.settings.n_neighbours}:", self._numbers()
        counts = self.is_significant.sum(axis=1)
        total = row["significant"]
        verb, cases = ("is", "case") if total == 1 else ("are", "cases")
        found = f"{start} as assumed there {verb} {total:,} significant {cases}"
        for words, share in ((", with half of the effect", 0.5), (", without it", 0.0)):
            for there in counts[np.abs(self.grid - share) < 1e-9]:
                found += f"{words} {there:,}"
        said = [
            "γ is the share of the assumed effect of the protected attribute that is really its "
            "effect: 100 % as in the causal model, 0 % none at all"
            f"{NO_EFFECT[self.method]}.",
            f"{found}.",
        ]
        if total and self.span[0] <= 0:
            said.append(
                f"{start} of the {total:,} findings {row['found_without_effect']:,} are also found "
                f"without any effect; {row['hold_throughout']:,} hold throughout, whatever part of "
                "the effect is there, from none to all."
            )
        if row["disappear_below"]:
            said.append(
                f"{start} {row['disappear_below']} of {total} findings disappear with "
                f"a smaller effect; half of these only when less than {row['median_below']:.0%} of "
                "it is real."
            )
        if row["come_back"]:
            alone = row["come_back_at_none"]
            only = f", {alone} of them only without any effect at all" if alone else ""
            said.append(
                f"{start} {row['come_back']} of {total} findings disappear with a smaller effect "
                f"and come back with a still smaller one{only}."
            )
        if row["lack_people_below"]:
            said.append(
                f"{start} {row['lack_people_below']} of {total} findings end with a "
                "smaller effect for lack of people within the maximum distance, whatever Δp would "
                "be."
            )
        said.append(f"{start} {self.exactness}")
        return tuple(said)

    @property
    def exactness(self) -> str:
        """How exact the turns are, in a sentence."""
        return (
            f"γ was looked at in steps of {self.step:.2g} from {self.span[0]:g} to "
            f"{self.span[1]:g}; where a verdict turns is known to "
            f"{self.significant_tolerance:.2g}, and one that turns twice within a step is not seen."
        )

    def numbers(self) -> dict[str, Any]:
        """Return the counts along the grid, and how many findings end below 1, as plain data."""
        return {"results": [self._numbers()]}

    def _numbers(self) -> dict[str, Any]:
        held = self.is_significant[self.place_of_origin]
        ends = held & ~np.isnan(self.significant_below)
        below = self.significant_below[ends & ~self.for_lack("significant", up=False)]
        return {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "evaluated": len(self.index),
            "significant": int(held.sum()),
            "disappear_below": len(below),
            "lack_people_below": int(ends.sum()) - len(below),
            "median_below": float(np.median(below)) if len(below) else None,
            "come_back": int(self.comes_back.sum()),
            "come_back_at_none": int(self.comes_back_at_none.sum()) if self.span[0] == 0 else None,
            "hold_throughout": int(self.holds_throughout.sum()),
            "found_without_effect": int((held & self.findings_at(0.0)).sum())
            if self.span[0] <= 0
            else None,
            "step": self.step,
            "exact_to": self.significant_tolerance,
            "counts": plain_rows(self._counts_table()),
            "notes": list(self.notes),
        }

    def _counts_table(self) -> pd.DataFrame:
        return self.counts().rename_axis("effect_scale").reset_index()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return one row a complainant, and one a value of the grid."""
        k = self.settings.n_neighbours
        return {
            f"k{k}": people_table(self.to_frame()),
            f"k{k}_stretches": self.stretches(),
            "": self._counts_table().assign(k=k),
        }
