"""Mechanisms: objects that can be fitted, abducted and used to predict, and say what they are.

What a mechanism is called, takes and needs, it says itself; what else it can do is shown by its
type: see `HasCoefficients`, `HasTable` and `RefitsFast`. The kinds by name are in
`cst_core.causal.kinds`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, runtime_checkable

import numpy as np

from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.terms import Coefficient, Term
from cst_core.data import Value
from cst_core.errors import CausalModelError

if TYPE_CHECKING:
    from cst_core.causal.equations import Equation
    from cst_core.causal.shares import ShareRow

Link = Literal["identity", "log"]
"""The scale on which the causes of a number act: its own, or its logarithm's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStep:
    """One term of an equation: its coefficient, and its value here and in the other world."""

    factors: tuple[tuple[str, str | None], ...]
    coefficient: float
    here: float
    there: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Arithmetic:
    """One person's abduction, action and prediction; `predicted` is what comes out, before limits.

    A mechanism says more by a class of its own.
    """

    predicted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SumArithmetic(Arithmetic):
    """The steps where a sum and her own part make a number.

    Attributes
    ----------
    link
        The scale on which they are added.
    terms
        The sum's terms; None when it is no sum of terms.
    level
        What was observed, on that scale.
    given_here, given_there
        What the equation gives from her causes, and from the changed ones, on that scale.
    noise
        U: her own part, on that scale.
    """

    link: Link
    terms: tuple[TermStep, ...] | None
    level: float
    given_here: float
    noise: float
    given_there: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NodeFacts:
    """What is known of a node and its causes before its equation meets the data.

    Attributes
    ----------
    terms
        The equation's terms.
    groups
        The causes that are protected attributes.
    levels
        The node's own levels, in order, encoded; None for a number.
    is_ordered
        Whether the levels' order means something.
    cause_levels
        By cause, the values it has in the data, encoded.
    shown
        By cause, the same values as people write them.
    encoded
        From a cause and a value as people write it to the encoded value.
    """

    terms: tuple[Term, ...]
    groups: tuple[str, ...] = ()
    levels: tuple[Any, ...] | None = None
    is_ordered: bool = False
    cause_levels: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    shown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    encoded: Callable[[str, Value], Any] = lambda _, value: value


class Mechanism(ABC):
    """How a node follows from its parents and a noise of its own.

    Attributes
    ----------
    kind
        Its name in scenario files and tables.
    title
        What it is called in messages.
    label
        How the node follows from its causes, in a few words.
    clause
        The same as a clause, for sentences about what follows from it.
    takes_coefficients
        Whether coefficients and products of causes can be given.
    takes_regressor
        Whether a regressor can be given.
    takes_shares
        Whether rows of shares can be given in its equation: it is a table of them, or becomes one
        where the effect has levels.
    is_table
        Whether it is a table with a row for each combination of its causes; see `HasTable`.
    needs_groups
        Whether it must know which causes are protected.
    has_r_squared
        Whether its noise is what is left unexplained, so that there is an R².
    """

    __slots__ = ()
    kind: ClassVar[str]
    title: ClassVar[str]
    label: ClassVar[str]
    clause: ClassVar[str]
    takes_coefficients: ClassVar[bool] = False
    takes_regressor: ClassVar[bool] = False
    takes_shares: ClassVar[bool] = False
    is_table: ClassVar[bool] = False
    needs_groups: ClassVar[bool] = False
    has_r_squared: ClassVar[bool] = True

    @classmethod
    @abstractmethod
    def of(cls, equation: Equation, facts: NodeFacts) -> Self:
        """Return what an equation says of this node, before it meets data."""

    @abstractmethod
    def fit(self, parents: NodeValues, child: Array) -> Self:
        """Return the same mechanism with its unknowns estimated."""

    @abstractmethod
    def fitted_alike(self, other: Self, parents: NodeValues) -> bool:
        """Return whether what is estimated but is no coefficient is the same."""


class NumericMechanism(Mechanism):
    """A mechanism whose effect is a number: causes and a noise of one's own make it."""

    __slots__ = ()

    @abstractmethod
    def abduct(self, parents: NodeValues, child: FloatArray) -> FloatArray:
        """Return the noise U that explains each observed value."""

    @abstractmethod
    def predict(self, parents: NodeValues, noise: FloatArray) -> FloatArray:
        """Return the node's values for these parents and this noise."""

    @abstractmethod
    def level(self, child: FloatArray) -> FloatArray:
        """Return values on the scale on which the causes act."""

    @abstractmethod
    def between(self, none: FloatArray, whole: FloatArray, part: FloatArray) -> FloatArray:
        """Return the values where only a part (γ) of an effect takes place."""

    @abstractmethod
    def arithmetic(
        self, here: NodeValues, there: NodeValues, observed: float, noise: float
    ) -> Arithmetic:
        """Return one person's steps, from her causes here and in the other world."""


@runtime_checkable
class HasCoefficients(Protocol):
    """A mechanism with a number before each term, which can be moved."""

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms."""

    @property
    def coefficients(self) -> Mapping[str, Coefficient]:
        """By term."""

    def with_coefficient(self, term: str, value: float) -> Mechanism:
        """Return it with one coefficient at another value."""


@runtime_checkable
class HasTable(Protocol):
    """A mechanism that is a table: a row for each combination of its causes' values."""

    @property
    def by_hand(self) -> Mapping[tuple[Any, ...], FloatArray]:
        """The rows that experts set, by the causes' values."""

    def combinations(self) -> list[tuple[Any, ...]]:
        """Return every combination of the causes' values."""

    def rows_by_hand(self, parents: NodeValues, n: int) -> tuple[ShareRow, ...]:
        """Return the rows set by hand that people with these causes take."""


@runtime_checkable
class FitsWeighted(Protocol):
    """A mechanism that can be fitted to people who count differently."""

    def fit_weighted(
        self, parents: NodeValues, child: FloatArray, weights: FloatArray
    ) -> Mechanism:
        """Estimate it from people with these weights."""


@runtime_checkable
class LearnsByHeart(Protocol):
    """A mechanism so flexible that it may know single people by heart: their noise is too small."""

    def unseen_noise(self, parents: NodeValues, child: FloatArray) -> FloatArray | None:
        """Return what is left of each person by one fitted without her; None with too few."""


@runtime_checkable
class RefitsFast(Protocol):
    """A mechanism that is prepared once and then fitted to many samples of the same people."""

    def refitter(self, parents: NodeValues, child: Array) -> Callable[[FloatArray], Mechanism]:
        """Return what fits it, given how often each person was drawn."""


@runtime_checkable
class FitsRelabelled(Protocol):
    """A mechanism that is prepared once and then fitted while some causes are dealt out anew."""

    def relabeller(
        self,
        parents: NodeValues,
        child: Array,
        dealt: tuple[str, ...],
        weights: FloatArray | None,
    ) -> Callable[[IntArray], Mechanism]:
        """Return what fits it, given whose values of the causes in `dealt` each person has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnLinkScale(NumericMechanism):
    """A number whose causes act on the scale of a link."""

    node: str
    link: Link = "identity"

    def level(self, child: FloatArray) -> FloatArray:
        """Return X or log X; raises when there is no logarithm."""
        if self.link == "identity":
            return child
        if (child <= 0).any():
            raise CausalModelError(
                f"Equation for '{self.node}': the log link needs values above 0, and "
                f"{int((child <= 0).sum())} row(s) are not (smallest {child.min():g}). Use the "
                "identity link or correct these rows."
            )
        return np.log(child)

    def off_level(self, level: FloatArray) -> FloatArray:
        """Return the values whose identity or logarithm is given."""
        if self.link == "identity":
            return level
        with np.errstate(over="ignore"):  # what is not finite is refused by the caller, by name
            return np.exp(level)

    def between(self, none: FloatArray, whole: FloatArray, part: FloatArray) -> FloatArray:
        """Return (1 − γ) · none + γ · whole, on the link scale; exact at 0 and 1."""
        between = self.off_level((1 - part) * self.level(none) + part * self.level(whole))
        return np.where(part == 0, none, np.where(part == 1, whole, between))


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditiveNoise(OnLinkScale):
    """X = f + U, or X = exp(f + U) with the log link; a subclass says what f is."""

    terms: tuple[Term, ...]

    @abstractmethod
    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents), on the link scale."""

    def abduct(self, parents: NodeValues, child: FloatArray) -> FloatArray:
        """U = X − f, or log X − f."""
        return self.level(child) - self.systematic(parents, len(child))

    def predict(self, parents: NodeValues, noise: FloatArray) -> FloatArray:
        """X = f + U, or exp(f + U)."""
        return self.off_level(self.systematic(parents, len(noise)) + noise)

    def arithmetic(
        self, here: NodeValues, there: NodeValues, observed: float, noise: float
    ) -> SumArithmetic:
        """Return what f gives here and there, and U between."""
        return SumArithmetic(
            link=self.link,
            terms=self.term_steps(here, there),
            level=float(self.level(np.array([observed]))[0]),
            given_here=float(self.systematic(here, 1)[0]),
            noise=noise,
            given_there=float(self.systematic(there, 1)[0]),
            predicted=float(self.predict(there, np.array([noise]))[0]),
        )

    def term_steps(self, here: NodeValues, there: NodeValues) -> tuple[TermStep, ...] | None:
        """Return f's terms with one person's values, where f is a sum."""
        return None


def steps_of(
    terms: Sequence[Term], numbers: Mapping[str, float], here: NodeValues, there: NodeValues
) -> tuple[TermStep, ...]:
    """Return the terms of a sum with one person's values."""
    return tuple(
        TermStep(
            factors=term.factors,
            coefficient=float(numbers[term.name]),
            here=float(term.values(here, 1)[0]),
            there=float(term.values(there, 1)[0]),
        )
        for term in terms
    )
