"""A regression of any kind in place of the linear sum."""

from __future__ import annotations

import copy
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cst_core.causal.encoding import Array, FloatArray, NodeValues
from cst_core.causal.mechanisms import AdditiveNoise, NodeFacts
from cst_core.errors import CausalModelError
from cst_core.learners import SEED, Learner

if TYPE_CHECKING:
    from cst_core.causal.equations import Equation

FOLDS = 5
USUAL = Learner(kind="tree")
"""The regressor where an equation names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressorMechanism(AdditiveNoise):
    """X = f + U or exp(f + U), f any object with ``fit`` and ``predict``.

    A flexible f learns single people by heart: their U is then too small, and what `unseen_noise`
    leaves of them is larger.

    Attributes
    ----------
    regressor
        A `Learner`, or an object of that kind, as the equation gives it.
    trained
        The same after it met data.
    """

    kind: ClassVar[str] = "regressor"
    title: ClassVar[str] = "a regressor"
    label: ClassVar[str] = "a regressor"
    clause: ClassVar[str] = "a regressor predicts it"
    takes_regressor: ClassVar[bool] = True
    regressor: Any
    trained: Any = None

    @classmethod
    def of(cls, equation: Equation, facts: NodeFacts) -> Self:
        """Return the equation's regressor, to be trained on the terms' columns."""
        return cls(
            node=equation.node,
            link=equation.link,
            terms=facts.terms,
            regressor=USUAL if equation.regressor is None else equation.regressor,
        )

    def fit(self, parents: NodeValues, child: FloatArray) -> Self:
        """Train a copy of the regressor on the link scale."""
        return replace(self, trained=self._train(self._design(parents, len(child)), child))

    def _train(self, design: Array, child: FloatArray) -> Any:
        given, target = self.regressor, self.level(child)
        new = given.regressor() if isinstance(given, Learner) else copy.deepcopy(given)
        try:
            with self._running():
                new.fit(design, target)
        except Exception as error:
            raise CausalModelError(
                f"Equation for '{self.node}': the regressor could not be trained: {error}"
            ) from error
        return new

    def _running(self) -> AbstractContextManager[object]:
        return self.regressor.running() if isinstance(self.regressor, Learner) else nullcontext()

    def unseen_noise(self, parents: NodeValues, child: FloatArray) -> FloatArray | None:
        """Return what is left of each person by a regressor trained without her.

        People are dealt into five parts by a fixed seed; None where there are too few of them.
        """
        n = len(child)
        if n < 2 * FOLDS:
            return None
        part = np.random.default_rng(SEED).permutation(n) % FOLDS
        design, left = self._design(parents, n), np.empty(n)
        for fold in range(FOLDS):
            held = part == fold
            trained = self._train(design[~held], child[~held])
            with self._running():
                found = np.asarray(trained.predict(design[held]), dtype=float).reshape(-1)
            left[held] = self.level(child[held]) - found
        return left

    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents), on the link scale."""
        try:
            with self._running():
                found = np.asarray(self.trained.predict(self._design(parents, n)), dtype=float)
        except Exception as error:
            raise CausalModelError(
                f"Equation for '{self.node}': the regressor could not predict: {error}"
            ) from error
        if found.size != n or not np.isfinite(found).all():
            raise CausalModelError(
                f"Equation for '{self.node}': expected one finite prediction a person ({n}), got "
                f"an answer of shape {found.shape}."
            )
        return found.reshape(n)

    def fitted_alike(self, other: Self, parents: NodeValues) -> bool:
        """Return whether both predict the same for these people."""
        n = len(next(iter(parents.values())))
        return np.allclose(self.systematic(parents, n), other.systematic(parents, n))

    def _design(self, parents: NodeValues, n: int) -> Array:
        return np.column_stack([term.values(parents, n) for term in self.terms if term.factors])
