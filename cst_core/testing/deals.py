"""Labels dealt out anew: to anyone alike, or by each person's fitted chance of having them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from cst_core.data import FloatArray, scale_values
from cst_core.evidence import Method
from cst_core.results import Null, Result, SingleResult
from cst_core.similarity import CONTROL, NEITHER, TEST, IntArray
from cst_core.testing.strata import Strata

Labels = npt.NDArray[np.uint8]
MANY_TERMS = 60
"""Up to so many squares and products are fitted beside the attributes themselves."""
BANDS = 10
MISFIT = 0.01
"""A smaller p-value of the check of fitted chances is told."""


class Deal(NamedTuple):
    """One deal: everyone's label, who got whose (None where each was drawn), and her partner's row.

    `partners` has, for each row of the data, who was dealt that person's own label, or −1.
    """

    labels: Labels
    order: IntArray | None
    partners: IntArray


class Dealer(Protocol):
    """Deals out labels, the same for the same number."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know about it."""

    @property
    def within(self) -> tuple[str, ...]:
        """In what those who change labels are alike; empty where that is nothing."""

    def deal(self, number: int) -> Deal:
        """Return one deal."""


def null_of(result: Result, method: Method) -> Null:
    """Return how labels are dealt out for a method: for one person, and for counts.

    Where nothing follows from the label (ST, or every influence accepted), people are compared
    with others of the same attributes, and the question is whether the label means something given
    these; else whether it means anything at all. Chances are fitted for one label, so the labels of
    several attributes together are permuted; each of the runs alone asks for itself.
    """
    if len(result.runs) > 1:
        return "permutation"
    (run,) = result.runs
    moved = run.model.model.graph.moved_by(run.intervention) & set(run.counterfactuals.changed)
    return "conditional" if method == "ST" or not moved else "permutation"


def labels_of(run: SingleResult) -> Labels:
    """Return everyone's label as it is."""
    found = np.full(run.n, NEITHER, dtype=np.uint8)
    found[run.is_protected], found[run.is_reference] = CONTROL, TEST
    return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permuted:
    """Labels permuted within strata: the null is that there the label means nothing at all."""

    labels: Labels
    strata: Strata
    seed: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: SingleResult, seed: int) -> Permuted:
        """Find among whom a run's label may be permuted."""
        strata = Strata.of(run, (*run.intervention, *run.also_set))
        return cls(labels=labels_of(run), strata=strata, seed=seed, notes=strata.notes(run))

    @property
    def within(self) -> tuple[str, ...]:
        """In what those who change labels are alike."""
        return self.strata.names

    def deal(self, number: int) -> Deal:
        """Return one permutation."""
        order = self.strata.permutation(np.random.default_rng([self.seed, number]))
        partners = np.empty(len(order), dtype=np.int64)
        partners[order] = np.arange(len(order))
        return Deal(self.labels[order], order, partners)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Redrawn:
    """Labels drawn by fitted chances P(A | X): the null is that, given X, the label means nothing.

    Who is in neither group stays there.
    """

    labels: Labels
    chance: FloatArray
    seed: int
    within: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: SingleResult, seed: int) -> Redrawn:
        """Fit everyone's chance of having the protected value, from the relevant attributes."""
        labels = labels_of(run)
        inside = labels != NEITHER
        protected = labels[inside] == CONTROL
        design = _design(run)
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 heavy, seldom asked

        model = LogisticRegression(C=10.0, max_iter=2000)
        chance = np.zeros(run.n)
        if design.shape[1]:
            model.fit(design[inside], protected)
            chance[inside] = model.predict_proba(design[inside])[:, 1]
        else:
            chance[inside] = protected.mean()
        return cls(
            labels=labels,
            chance=chance,
            seed=seed,
            notes=_fit_notes(run, chance[inside], protected),
        )

    def deal(self, number: int) -> Deal:
        """Return one draw."""
        random = np.random.default_rng([self.seed, number])
        drawn = np.where(random.random(len(self.labels)) < self.chance, CONTROL, TEST)
        labels = np.where(self.labels == NEITHER, NEITHER, drawn).astype(np.uint8)
        return Deal(labels, None, np.full(len(labels), -1, dtype=np.int64))


def _design(run: SingleResult) -> FloatArray:
    """Return the relevant attributes as columns, with squares and products where they are few."""
    frame, numeric, levels = run.dataset.frame, [], []
    for attribute in run.dataset.roles.relevant:
        if attribute.kind == "nominal":
            shown = pd.get_dummies(frame[attribute.column].astype(str), drop_first=True)
            levels += [shown[name].to_numpy(dtype=float) for name in shown]
        else:
            values = np.asarray(scale_values(frame[attribute.column], attribute), dtype=float)
            spread = float(values.std())
            if spread > 0:
                numeric.append((values - values.mean()) / spread)
    columns = [*numeric, *levels]
    products = [
        first * second
        for place, first in enumerate(columns)
        for second in (columns[place:] if place < len(numeric) else columns[place + 1 :])
    ]
    if len(products) <= MANY_TERMS:
        columns += products
    return np.column_stack(columns) if columns else np.empty((run.n, 0))


def _fit_notes(
    run: SingleResult, chance: FloatArray, protected: npt.NDArray[np.bool_]
) -> tuple[str, ...]:
    """Return whether fitted chances agree with who has the label (Hosmer and Lemeshow)."""
    bands = np.array_split(np.argsort(chance, kind="stable"), min(BANDS, max(len(chance) // 10, 1)))
    misfit, widest = 0.0, 0.0
    for band in bands:
        expected, seen, size = float(chance[band].sum()), float(protected[band].sum()), len(band)
        spread = expected * (1 - expected / size)
        misfit += (seen - expected) ** 2 / max(spread, 1e-9)
        widest = max(widest, abs(seen - expected) / size)
    p = float(stats.chi2.sf(misfit, max(len(bands) - 2, 1)))
    said = (
        f"{run.name}: each person's chance of having the label was fitted from the relevant "
        f"attributes (logistic regression). In {len(bands)} bands of that chance, who has it "
        f"differs from what was fitted by at most {100 * widest:.1f} percentage points (Hosmer and "
        f"Lemeshow p = {p:.2g})."
    )
    if p < MISFIT:
        said += " The chances do not fit: take what is said here of chance as a rough guide only."
    return (said,)
