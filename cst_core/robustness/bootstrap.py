"""Bootstrap: the causal model fitted again and again to people drawn from the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.causal import FittedCausalModel, FloatArray, HasCoefficients
from cst_core.data import BoolArray, ids_of, place_among
from cst_core.errors import CausalModelError
from cst_core.evidence import EvidenceSettings, check_whole
from cst_core.results import Result
from cst_core.robustness.check import Check, CheckRequest, CheckResult, StandingCount, people_table
from cst_core.robustness.other_model import CausalMethod, prepare
from cst_core.robustness.parallel import repeat
from cst_core.robustness.refits import Refitter
from cst_core.robustness.sampling import (
    MAX_COMPLAINANTS,
    check_seed,
    choose_complainants,
    number_or_none,
    sample_words,
)
from cst_core.testing import Progress

Counts = npt.NDArray[np.int64]
FIRM = 0.95
"""In so many refits a verdict must come out to be called firm."""
VARIES = (
    "This varies the fit of the equations only; who is in the data, and with it who is compared "
    "with whom, and the drawing stay as they are."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRefits:
    """How often one person is a case and a significant one over refits, and where Δp then lies.

    The ends are None where no refit leaves her evidence.
    """

    n: int
    share_case: float
    share_significant: float
    level: float
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(CheckResult):
    """How often each verdict comes out when the causal model is fitted to other samples.

    Arrays have one entry a complainant, in the order of `index`, but for `cases` and
    `significant`, which have one a refit.

    Attributes
    ----------
    name, method, settings
        What was repeated.
    n_refits, n_failed
        Refits asked for, and those in which an equation could not be fitted (a group or a level
        was not drawn); shares and intervals are over the others.
    index, n_complainants
        The complainants examined, and how many there are in all.
    is_case, is_significant, delta
        The verdicts and Δp as observed.
    share_case, share_significant
        The share of refits with that verdict; a refit that leaves her no evidence has neither.
    share_evidence
        The share of refits in which evidence is possible: with a maximum distance ε, one may move
        her counterfactual away from everybody.
    delta_mean, delta_lower, delta_upper
        Mean of Δp over the refits in which evidence is possible, and the ends of its percentile
        interval at level 1 − α; NaN where there is no such refit.
    cases, significant
        The counts of each refit.
    coefficients
        One row a refit, one column ``"node: term"`` a coefficient.
    """

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    n_refits: int
    n_failed: int
    index: pd.Index[Any]
    n_complainants: int
    is_case: BoolArray
    is_significant: BoolArray
    delta: FloatArray
    share_case: FloatArray
    share_significant: FloatArray
    share_evidence: FloatArray
    delta_mean: FloatArray
    delta_lower: FloatArray
    delta_upper: FloatArray
    cases: Counts
    significant: Counts
    coefficients: pd.DataFrame

    def standing(self) -> BoolArray:
        """Return who is a significant case as observed, and in `FIRM` of the refits too."""
        return np.asarray(self.is_significant & (self.share_significant >= FIRM - 1e-12))

    def count_interval(self) -> tuple[float, float]:
        """Return the percentile interval of the number of significant cases, at `level`."""
        alpha = self.settings.significance_level
        low, high = np.quantile(self.significant, [alpha / 2, 1 - alpha / 2]).tolist()
        return low, high

    @property
    def level(self) -> float:
        """The level of all intervals over the refits, 1 − α."""
        return 1 - self.settings.significance_level

    @property
    def n_done(self) -> int:
        """How many refits could be made."""
        return self.n_refits - self.n_failed

    def of(self, person: object) -> PersonRefits | None:
        """Return one person's refits; None when she was not among those examined."""
        place = place_among(ids_of(self.index), person)
        if place is None:
            return None
        return PersonRefits(
            n=self.n_done,
            share_case=float(self.share_case[place]),
            share_significant=float(self.share_significant[place]),
            level=self.level,
            lower=number_or_none(self.delta_lower[place]),
            upper=number_or_none(self.delta_upper[place]),
        )

    def stands(self) -> tuple[StandingCount, ...]:
        """Return how many findings are firm: there in `FIRM` of the refits."""
        sample = sample_words(len(self.index), self.n_complainants)
        return (
            StandingCount(
                what=f"In {FIRM:.0%} of {self.n_done} refits of the causal model{sample}",
                stand=int(self.standing().sum()),
                of=int(self.is_significant.sum()),
            ),
        )

    def summary(self) -> tuple[str, ...]:
        """Return how many findings are firm, and between which numbers their number lies."""
        low, high = self.count_interval()
        findings, firm = int(self.is_significant.sum()), int(self.standing().sum())
        said = [
            f"k = {self.settings.n_neighbours}: the causal model was fitted again to "
            f"{self.n_done:,} random sample{'s' * (self.n_done != 1)} of the people. The number of "
            f"significant cases then lies between {low:,.0f} and {high:,.0f} in "
            f"{100 * self.level:g} % of them."
        ]
        if findings:
            said.append(
                f"Of the {findings:,} finding{'s' * (findings != 1)}, {firm:,} "
                f"{'comes' if firm == 1 else 'come'} out in at least {FIRM:.0%} of the refits."
            )
        if self.n_failed:
            one = self.n_failed == 1
            said.append(
                f"{self.n_failed:,} {'refit' if one else 'refits'} could not be made and "
                f"{'is' if one else 'are'} left out."
            )
        return (" ".join([*said, VARIES]),)

    def numbers(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        low, high = self.count_interval()
        row = {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "refits": self.n_refits,
            "failed": self.n_failed,
            "evaluated": len(self.index),
            "cases": int(self.is_case.sum()),
            "significant": int(self.is_significant.sum()),
            "significant_mean": float(self.significant.mean()),
            "significant_low": low,
            "significant_high": high,
            "standing": int(self.standing().sum()),
            "notes": list(self.notes),
        }
        return {"results": [row]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return one row a complainant."""
        return {f"k{self.settings.n_neighbours}": people_table(self.to_frame())}

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant."""
        names = (
            *("is_case", "is_significant", "delta", "share_case", "share_significant"),
            *("share_evidence", "delta_mean", "delta_lower", "delta_upper"),
        )
        return pd.DataFrame({name: getattr(self, name) for name in names}, index=self.index)


def bootstrap(
    result: Result,
    *,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    refits: int = 200,
    seed: int,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Bootstrap:
    """Fit the causal model to people drawn anew from the data, and test everyone again.

    Parameters
    ----------
    result
        The test as observed: of one attribute, multiple, or intersectional.
    settings, method
        How the evidence is judged.
    refits
        How often to draw and fit.
    seed
        Where the random numbers start. Each refit has its own stream, so the answer does not
        depend on the number of workers.
    max_complainants
        With more complainants than this, a random sample of this size is examined.
    workers
        Threads; all cores by default.
    progress
        Told how far it is; returning False cancels (`CancelledError`).

    Notes
    -----
    As many people as the data hold are drawn with replacement, and every coefficient that is
    fitted is fitted to them; those set by hand stay. Then the counterfactuals of the complainants
    *as they are* follow from these equations, and they are compared with the people in the data as
    they are. So what varies is the estimate of the causal model alone: neither the sampling of the
    neighbours (the interval of Δp is for that) nor whether the equations have the right shape
    (rival worlds are).

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = bootstrap(result, settings=EvidenceSettings(n_neighbours=15), refits=20, seed=1)
    >>> low, high = found.count_interval()
    >>> low <= high
    True
    """
    check_whole(refits, "refits")
    check_seed(seed)
    streams = np.random.SeedSequence(seed).spawn(refits + 1)
    chosen, notes = choose_complainants(result, max_complainants, np.random.default_rng(streams[0]))
    around = prepare(result, method=method, settings=settings, chosen=chosen)
    first = result.runs[0]
    refitter = Refitter.of(first.model, first.dataset)
    observed = around.evidence(first.model)

    def refit(number: int) -> tuple[dict[str, float], BoolArray, BoolArray, FloatArray] | None:
        random = np.random.default_rng(streams[number])
        drawn = random.integers(0, result.n, size=result.n)
        try:
            again = refitter.refit(drawn)
            found = around.evidence(again)
        except CausalModelError:
            return None
        delta = np.where(found.has_evidence, found.delta, np.nan)
        return coefficient_values(again), found.is_case, found.is_significant, delta

    answers = repeat(
        refit,
        range(1, refits + 1),
        label=f"{result.name}: bootstrap",
        workers=workers,
        progress=progress,
    )
    kept = [answer for answer in answers if answer is not None]
    if not kept:
        raise CausalModelError(
            "bootstrap: the causal model could not be fitted to any of the samples drawn. Some "
            "group or level is too small; set its coefficients by hand or leave it out."
        )
    is_case, significant = (np.array([item[place] for item in kept]) for place in (1, 2))
    delta = np.array([item[3] for item in kept])
    share_evidence = 1 - np.isnan(delta).mean(axis=0)
    notes += _evidence_notes(observed.has_evidence, share_evidence)
    mean, lower, upper = _spread(delta, settings.significance_level)
    return Bootstrap(
        name=result.name,
        method=method,
        settings=settings,
        seed=seed,
        n_refits=int(refits),
        n_failed=int(refits) - len(kept),
        index=around.index,
        n_complainants=result.n_protected,
        is_case=observed.is_case,
        is_significant=observed.is_significant,
        delta=np.where(observed.has_evidence, observed.delta, np.nan),
        share_case=is_case.mean(axis=0),
        share_significant=significant.mean(axis=0),
        share_evidence=share_evidence,
        delta_mean=mean,
        delta_lower=lower,
        delta_upper=upper,
        cases=is_case.sum(axis=1).astype(np.int64),
        significant=significant.sum(axis=1).astype(np.int64),
        coefficients=pd.DataFrame([item[0] for item in kept]),
        notes=notes,
    )


def _spread(delta: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean and percentile interval of each column, over what is not NaN."""
    ends = [alpha / 2, 1 - alpha / 2]
    missing = np.isnan(delta)
    found = np.full((3, delta.shape[1]), np.nan)
    whole, part = ~missing.any(axis=0), missing.any(axis=0) & ~missing.all(axis=0)
    found[0, whole] = delta[:, whole].mean(axis=0)
    found[1:, whole] = np.quantile(delta[:, whole], ends, axis=0)
    if part.any():
        found[0, part] = np.nanmean(delta[:, part], axis=0)
        found[1:, part] = np.nanquantile(delta[:, part], ends, axis=0)
    return found[0], found[1], found[2]


def _evidence_notes(observed: BoolArray, share: FloatArray) -> tuple[str, ...]:
    notes = []
    lost = int((observed & (share < 1)).sum())
    if lost:
        notes.append(
            "People whom some refits leave without neighbours within the maximum distance, "
            f"so that no evidence is possible there: {lost}. Such a refit counts as not found in "
            "the shares, and Δp is over the others."
        )
    gained = int((~observed & (share > 0)).sum())
    if gained:
        notes.append(
            "People for whom no evidence is possible as observed, but in some refits: "
            f"{gained}. Their Δp is over these."
        )
    return tuple(notes)


def coefficient_values(fitted: FittedCausalModel) -> dict[str, float]:
    """Return every coefficient's value, by ``"node: term"``."""
    found: dict[str, float] = {}
    for node, mechanism in fitted.mechanisms.items():
        if isinstance(mechanism, HasCoefficients):
            terms: Mapping[str, Any] = mechanism.coefficients
            found |= {f"{node}: {term}": float(item.value) for term, item in terms.items()}
    return found


def _run(request: CheckRequest) -> list[Bootstrap]:
    assert request.repeats is not None
    common = {**request.common, "refits": request.repeats}
    return [bootstrap(request.result, settings=each, **common) for each in request.settings]


BOOTSTRAP = Check(
    name="bootstrap",
    kind=Bootstrap,
    run=_run,
    needs=("causal method", "seed"),
    repeats=200,
    repeats_label="Refits",
    title="How sure are the coefficients? The causal model fitted to other samples",
    doing="Fitting the causal model again",
    takes="{repeats:,} refits to people drawn anew from the data, for everyone at once.",
)
