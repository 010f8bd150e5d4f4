"""The settings of a test: what needs a search, and what is answered without one."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, get_args

from cst_core.errors import SettingsError
from cst_core.evidence.intervals import METHODS, IntervalMethod
from cst_core.similarity.backends import BACKENDS, BackendChoice
from cst_core.similarity.ties import TieRule

Direction = Literal["against", "favour"]
Correction = Literal["none", "bh", "by"]
SeveralRule = Literal["bonferroni", "intersection-union"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """What a neighbour search depends on.

    Parameters
    ----------
    max_neighbours
        The largest k that will be asked for.
    ties
        ``"expected"``: people tied at the k-th place share the places left, equally.
        ``"first"`` or ``"last"``: by row position.
    max_distance
        ε: only people at most this far count; None for no limit.
    backend
        How neighbours are found: ``"compiled"``, ``"tree"`` or ``"brute"``; ``"auto"`` takes the
        best for the data. The answers are the same.
    """

    max_neighbours: int = 500
    ties: TieRule = "expected"
    max_distance: float | None = None
    backend: BackendChoice = "auto"

    def __post_init__(self) -> None:
        check_whole(self.max_neighbours, "max_neighbours")
        if self.backend not in BACKENDS:
            raise SettingsError(
                f"backend: expected one of {', '.join(BACKENDS)}, got {self.backend!r}."
            )
        if self.ties not in ("expected", "first", "last"):
            raise SettingsError(f"ties: expected 'expected', 'first' or 'last', got {self.ties!r}.")
        if self.max_distance is not None and not (
            isinstance(self.max_distance, Real) and 0 <= self.max_distance < float("inf")
        ):
            raise SettingsError(
                f"max_distance (ε): expected a number of 0 or more, got {self.max_distance!r}. "
                "Distances run from 0 (alike) to 1 (as different as anyone in the data)."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSettings:
    """What the evidence depends on; a change never searches again.

    Parameters
    ----------
    n_neighbours
        k: the size of each group.
    accepted_deviation
        τ in [−1, 1]: the difference in refusal rates that is still accepted.
    significance_level
        α in (0, 1).
    direction
        ``"against"`` the complainant (Δp > τ) or in her ``"favour"`` (Δp < τ).
    interval
        How the confidence interval is computed.
    correction
        For many complainants, who are many tests: ``"bh"`` (Benjamini and Hochberg, assumes
        independence or positive dependence) or ``"by"`` (Benjamini and Yekutieli, any dependence)
        over all complainants of a test with evidence by that method. Not with Wald.
    tie_robust
        Only verdicts that hold under every way to break ties.
    balance_radii
        Search the smaller search space by fewer people, in proportion to its size, so that its
        neighbourhoods are not the wider ones; see `balanced_sizes`.
    several
        For multiple discrimination, each run at α ÷ (number of runs), ``"bonferroni"`` as in the
        paper, or at α, ``"intersection-union"``.
    """

    n_neighbours: int = 15
    accepted_deviation: float = 0.0
    significance_level: float = 0.05
    direction: Direction = "against"
    interval: IntervalMethod = "wald"
    correction: Correction = "none"
    tie_robust: bool = False
    balance_radii: bool = False
    several: SeveralRule = "bonferroni"

    def __post_init__(self) -> None:
        check_whole(self.n_neighbours, "n_neighbours (k)")
        tau, alpha = self.accepted_deviation, self.significance_level
        if not isinstance(tau, Real) or not -1 <= tau <= 1:
            raise SettingsError(
                f"accepted_deviation (τ): expected a number from -1 to 1, got {tau!r}."
            )
        if not isinstance(alpha, Real) or not 0 < alpha < 1:
            raise SettingsError(
                f"significance_level (α): expected a number above 0 and below 1, got {alpha!r}. "
                "The usual choice is 0.05."
            )
        if self.direction not in ("against", "favour"):
            raise SettingsError(
                f"direction: expected 'against' or 'favour', got {self.direction!r}."
            )
        if self.interval not in METHODS:
            raise SettingsError(
                f"interval: expected one of {', '.join(METHODS)}, got {self.interval!r}."
            )
        self._check_doubts()

    def _check_doubts(self) -> None:
        for name, known in (("correction", Correction), ("several", SeveralRule)):
            if getattr(self, name) not in get_args(known):
                raise SettingsError(
                    f"{name}: expected one of {', '.join(get_args(known))}, "
                    f"got {getattr(self, name)!r}."
                )
        for name in ("tie_robust", "balance_radii"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name}: expected True or False, got {getattr(self, name)!r}.")
        if self.correction != "none" and self.interval == "wald":
            raise SettingsError(
                f"correction: {self.correction!r} needs p-values that hold what they promise, and "
                "those of interval 'wald' do not (0 where both shares are 0 or 1). Choose another "
                "interval, such as 'agresti-caffo'."
            )


def balanced_sizes(k: int, n_control: int, n_test: int) -> tuple[int, int]:
    """Return how many people each group takes when radii are balanced.

    k from the larger search space; from the smaller one k · n_small ÷ n_large, rounded up. Then
    both groups are about the same share of their space, and where the two are spread alike,
    about as wide. Usually the control space (the protected) is the smaller one; where it is the
    larger, it is the test group that takes fewer.

    Parameters
    ----------
    k
        The size of the larger group.
    n_control, n_test
        How many people have the protected value, and how many do not.

    Examples
    --------
    >>> balanced_sizes(50, 3506, 18284)
    (10, 50)
    >>> balanced_sizes(50, 600, 400)
    (50, 34)
    """
    small, large = min(n_control, n_test), max(n_control, n_test)
    fewer = max(-(-k * small // max(large, 1)), 1)
    return (fewer, k) if n_control < n_test else (k, fewer)


def check_whole(number: object, name: str) -> None:
    """Raise unless it is a whole number of 1 or more."""
    if not isinstance(number, Integral) or isinstance(number, bool) or number < 1:
        raise SettingsError(f"{name}: expected a whole number of 1 or more, got {number!r}.")
