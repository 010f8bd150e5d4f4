"""What a placebo found: counts with the label permuted, beside the observed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.errors import SettingsError
from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method
from cst_core.results import Null
from cst_core.robustness.check import CheckResult, plain_rows

DEALT: Mapping[Null, str] = {
    "permutation": "with the protected label dealt out at random",
    "conditional": "with everyone's label drawn by her or his fitted chance of having it",
}
RELATED: Mapping[Null, str] = {
    "permutation": "it speaks for the label being related to the decisions, or to what they rest "
    "on.",
    "conditional": "it speaks for the label being related to the decisions beyond the attributes "
    "compared, or to something that was not measured.",
}
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
Counts = npt.NDArray[np.int64]


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
    null
        How the labels were dealt out there.
    """

    method: Method
    settings: EvidenceSettings
    observed_cases: int
    observed_significant: int
    cases: Counts
    significant: Counts
    null: Null = "permutation"

    @property
    def p_cases(self) -> float:
        """(1 + permutations with at least as many cases as observed) ÷ (1 + permutations)."""
        return _p_value(self.cases, self.observed_cases)

    @property
    def p_significant(self) -> float:
        """The same for significant cases."""
        return _p_value(self.significant, self.observed_significant)

    def summary(self) -> tuple[str, ...]:
        """Return what the permuted labels say about the number of significant cases."""
        drawn, observed, p = self.significant, self.observed_significant, self.p_significant
        times, typical = len(drawn), float(np.median(drawn))
        return (
            f"{METHOD_LABELS[self.method]}, k = {self.settings.n_neighbours}: {DEALT[self.null]} "
            f"{times:,} time{'s' * (times != 1)}, the same test finds {typical:,g} significant "
            f"{'case' if typical == 1 else 'cases'} in the middle, {drawn.max():,} at most; with "
            f"the real label it finds {observed:,}. As many or more came about in "
            f"{(drawn >= observed).sum():,} of the {times:,} (p = {p:.2g}).",
            f"Chance and the sizes of the groups alone seldom give so many: {RELATED[self.null]}"
            if p <= 0.05
            else "As many cases come about without any meaning of the label: the number of "
            "findings is no evidence by itself. This clears nobody.",
        )


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
        """Return the counts as observed beside those with the label permuted.

        One method at one k is told at length, several in a line each.
        """
        if len(self.counts) == 1:
            return self.counts[0].summary()
        return tuple(
            f"{METHOD_LABELS[item.method]}, k = {item.settings.n_neighbours}: "
            f"{item.observed_significant} significant of {item.observed_cases} cases; with the "
            f"label permuted {item.significant.mean():.1f} of {item.cases.mean():.1f} on "
            f"average (p = {item.p_significant:.3f} and {item.p_cases:.3f})."
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


def _p_value(drawn: Counts, observed: int) -> float:
    return float((1 + (drawn >= observed).sum()) / (1 + len(drawn)))


def _settings_columns(item: PlaceboCounts) -> dict[str, object]:
    return {"method": item.method, "k": item.settings.n_neighbours, **item.settings.by_name}
