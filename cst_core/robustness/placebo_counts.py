"""What a placebo found: counts with the label permuted, beside the observed ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from cst_core.errors import SettingsError
from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method
from cst_core.results import Null, NullWords, null_words
from cst_core.robustness.check import CheckResult, plain_rows

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
SURELY = 0.05
"""Where p cannot be as small as α, a label without meaning is taken to find as many when so many
deals that did are rarer than this under a chance of α."""
Counts = npt.NDArray[np.int64]
ChanceAnswer = Literal["nothing found", "more", "as many", "too few deals"]
"""Whether a count is more than a label without meaning gives, or cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlaceboCounts:
    """One method at one group of settings: what was observed, and what chance alone gives.

    Attributes
    ----------
    method, settings
        How the evidence was computed.
    observed_cases, observed_significant
        Counts of the test as it is, among the complainants that were evaluated.
    cases, significant
        The same counts in every permutation, in the order of the permutations.
    null, within
        How the labels were dealt out there, and among people alike in what.
    """

    method: Method
    settings: EvidenceSettings
    observed_cases: int
    observed_significant: int
    cases: Counts
    significant: Counts
    null: Null = "permutation"
    within: tuple[str, ...] = ()

    @property
    def words(self) -> NullWords:
        """How the labels were dealt out, in words."""
        return null_words(self.null, self.within)

    @property
    def p_cases(self) -> float:
        """(1 + permutations with at least as many cases as observed) ÷ (1 + permutations)."""
        return _p_value(self.cases, self.observed_cases)

    @property
    def p_significant(self) -> float:
        """The same for significant cases."""
        return _p_value(self.significant, self.observed_significant)

    @property
    def as_many(self) -> int:
        """In how many deals there were as many significant cases as observed, or more."""
        return int((self.significant >= self.observed_significant).sum())

    @property
    def answer(self) -> ChanceAnswer:
        """Whether so many significant cases are rare, at α, where the label means nothing.

        With R deals p is never below 1 ÷ (R + 1). Where that is above α, no count could be called
        more than chance, so that few deals with as many say nothing either.
        """
        times, alpha = len(self.significant), self.settings.significance_level
        if not self.observed_significant:
            return "nothing found"
        if self.p_significant <= alpha + 1e-12:
            return "more"
        if times >= needed_repeats(alpha):
            return "as many"
        by_chance = float(stats.binom.sf(self.as_many - 1, times, alpha))
        return "as many" if by_chance <= SURELY else "too few deals"

    def summary(self) -> tuple[str, ...]:
        """Return what labels without meaning say about the number of significant cases."""
        drawn, observed, p = self.significant, self.observed_significant, self.p_significant
        times, typical = len(drawn), float(np.median(drawn))
        dealt = self.words.dealt(f"{times:,} time{'s' * (times != 1)}")
        said = (
            f"{METHOD_LABELS[self.method]}, k = {self.settings.n_neighbours}: with the protected "
            f"label {dealt}, the same test finds {typical:,g} significant "
            f"{'case' if typical == 1 else 'cases'} in the middle, {drawn.max():,} at most; with "
            f"the real label it finds {observed:,}. As many or more came about in "
            f"{self.as_many:,} of the {times:,} (p = {p:.2g})."
        )
        meaning: dict[ChanceAnswer, str] = {
            "nothing found": "Nothing was found, so there is no count to explain.",
            "more": "Chance and the sizes of the groups alone seldom give so many: "
            f"{self.words.related}.",
            "as many": "As many cases come about without any meaning of the label: the number of "
            "findings is no evidence by itself. This clears nobody.",
            "too few deals": "These are too few deals to tell whether that is more than chance "
            f"gives: at α = {self.settings.significance_level:.2g} it takes "
            f"{needed_repeats(self.settings.significance_level):,} or more.",
        }
        return said, meaning[self.answer]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Placebo(CheckResult):
    """The counts of a test beside those with A permuted; see `placebo`.

    Attributes
    ----------
    name
        The test.
    permuted
        The columns whose rows were permuted, jointly.
    repeats
        How often.
    n_complainants, n_evaluated
        How many complainants there are, and over how many the counts were taken: all, or a random
        sample (drawn anew in every permutation; the observed counts are over one too).
    counts
        One entry a method and settings.
    """

    name: str
    permuted: tuple[str, ...]
    repeats: int
    n_complainants: int
    n_evaluated: int
    counts: tuple[PlaceboCounts, ...]

    @property
    def is_sample(self) -> bool:
        """Whether the counts are over a sample of the complainants."""
        return self.n_evaluated < self.n_complainants

    def of(self, method: Method, k: int) -> PlaceboCounts:
        """Return the counts of a method at k, by the first settings that have this k."""
        for item in self.counts:
            if item.method == method and item.settings.n_neighbours == k:
                return item
        known = ", ".join(f"{item.method} k = {item.settings.n_neighbours}" for item in self.counts)
        raise SettingsError(f"placebo: nothing was counted for {method} k = {k}; only {known}.")

    def nearest(self, method: Method, k: int) -> PlaceboCounts:
        """Return the counts of a method at the k that was asked nearest to this one."""
        asked = {item.settings.n_neighbours for item in self.counts if item.method == method}
        return self.of(method, min(asked, key=lambda one: (abs(one - k), one), default=k))

    def to_frame(self) -> pd.DataFrame:
        """Return two rows a method and settings: all cases, and significant ones."""
        rows = []
        for item in self.counts:
            for kind, observed, drawn, p in (
                ("all", item.observed_cases, item.cases, item.p_cases),
                ("significant", item.observed_significant, item.significant, item.p_significant),
            ):
                quantiles = np.quantile(drawn, QUANTILES).tolist()
                rows.append(
                    {
                        **_settings_columns(item),
                        "cases": kind,
                        "observed": observed,
                        "placebo_mean": float(drawn.mean()),
                        **{
                            f"placebo_q{round(100 * share):02d}": value
                            for share, value in zip(QUANTILES, quantiles, strict=True)
                        },
                        "placebo_most": int(drawn.max()),
                        "p_value": p,
                    }
                )
        return pd.DataFrame(rows)

    def draws(self) -> pd.DataFrame:
        """Return one row a permutation, method and settings, with its two counts."""
        parts = [
            pd.DataFrame(
                {
                    "permutation": np.arange(1, self.repeats + 1),
                    **_settings_columns(item),
                    "all": item.cases,
                    "significant": item.significant,
                }
            )
            for item in self.counts
        ]
        return pd.concat(parts, ignore_index=True)

    def summary(self) -> tuple[str, ...]:
        """Return the counts as observed beside those with a label without meaning.

        One method at one k is told at length, several in a line each.
        """
        if len(self.counts) == 1:
            return self.counts[0].summary()
        return tuple(
            f"{METHOD_LABELS[item.method]}, k = {item.settings.n_neighbours}: "
            f"{item.observed_significant} significant of {item.observed_cases} cases; "
            f"{item.words.on_average} {item.significant.mean():.1f} of "
            f"{item.cases.mean():.1f} on average (p = {item.p_significant:.3f} and "
            f"{item.p_cases:.3f})."
            for item in self.counts
        )

    def numbers(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        same = list(self.counts[0].settings.by_name)
        return {
            "repeats": self.repeats,
            "permuted": list(self.permuted),
            "complainants": self.n_complainants,
            "evaluated": self.n_evaluated,
            "results": plain_rows(self.to_frame().drop(columns=same)),
            "notes": list(self.notes),
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the counts, and every permutation's."""
        return {"": self.to_frame(), "draws": self.draws()}


def needed_repeats(significance_level: float) -> int:
    """Return how many deals it takes before p can be as small as α.

    Examples
    --------
    >>> needed_repeats(0.05), needed_repeats(0.05 / 6)
    (19, 119)
    """
    return max(math.ceil(1 / significance_level - 1e-9) - 1, 1)


def _p_value(drawn: Counts, observed: int) -> float:
    return float((1 + (drawn >= observed).sum()) / (1 + len(drawn)))


def _settings_columns(item: PlaceboCounts) -> dict[str, object]:
    return {"method": item.method, "k": item.settings.n_neighbours, **item.settings.by_name}
