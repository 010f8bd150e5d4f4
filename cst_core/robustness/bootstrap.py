"""Bootstrap: the causal model fitted again and again to people drawn from the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.causal.encoding import FloatArray
from cst_core.causal.mechanisms import LinearMechanism
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import BoolArray
from cst_core.errors import CausalModelError
from cst_core.evidence.settings import EvidenceSettings, check_whole
from cst_core.robustness.recentred import CausalMethod, first_run, prepare
from cst_core.robustness.refitting import Refitter
from cst_core.robustness.repeating import repeat
from cst_core.robustness.sampling import MAX_COMPLAINANTS, Result, check_seed, choose_complainants
from cst_core.testing.single import Progress

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap:
    """How often each verdict comes out when the causal model is fitted to other samples.

    Arrays have one entry a complainant, in the order of `index`, but for `cases` and
    `significant`, which have one a refit.

    Attributes
    ----------
    name, method, settings, seed
        What was repeated, and where the random numbers started.
    n_refits, n_failed
        Refits asked for, and those in which an equation could not be fitted (a group or a level
        was not drawn); shares and intervals are over the others.
    index
        The complainants.
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
    notes
        What a reader must know, in sentences.
    """

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    seed: int
    n_refits: int
    n_failed: int
    index: pd.Index[Any]
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
    notes: tuple[str, ...]

    def standing(self, share: float = 0.95, *, significant: bool = True) -> BoolArray:
        """Return who is a (significant) case as observed, and in this share of refits too."""
        observed = self.is_significant if significant else self.is_case
        found = self.share_significant if significant else self.share_case
        return np.asarray(observed & (found >= share - 1e-12), dtype=bool)

    def count_interval(self, *, significant: bool = True) -> tuple[float, float]:
        """Return the percentile interval of the number of (significant) cases, at 1 − α."""
        alpha = self.settings.significance_level
        counts = self.significant if significant else self.cases
        low, high = np.quantile(counts, [alpha / 2, 1 - alpha / 2]).tolist()
        return low, high

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
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender")
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
    first = first_run(result)
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
    if len(kept) < refits:
        notes += (f"{refits - len(kept)} of {refits} refits failed and are left out.",)
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
            "Complainants whom some refits leave without neighbours within the maximum distance, "
            f"so that no evidence is possible there: {lost}. Such a refit counts as not found in "
            "the shares, and Δp is over the others."
        )
    gained = int((~observed & (share > 0)).sum())
    if gained:
        notes.append(
            "Complainants for whom no evidence is possible as observed, but in some refits: "
            f"{gained}. Their Δp is over these."
        )
    return tuple(notes)


def coefficient_values(fitted: FittedCausalModel) -> dict[str, float]:
    """Return every coefficient's value, by ``"node: term"``."""
    found: dict[str, float] = {}
    for node, mechanism in fitted.mechanisms.items():
        if isinstance(mechanism, LinearMechanism):
            terms: Mapping[str, Any] = mechanism.coefficients
            found |= {f"{node}: {term}": float(item.value) for term, item in terms.items()}
    return found
