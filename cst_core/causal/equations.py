"""What an equation says, before or after it meets data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cst_core.causal.couplings import COUPLINGS, CouplingKind
from cst_core.causal.kinds import MECHANISMS, MechanismKind
from cst_core.causal.mechanisms import Link, Mechanism
from cst_core.causal.shares import SEEN_OFTEN, ShareRow
from cst_core.causal.terms import Coefficient
from cst_core.errors import CausalModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    r"""A structural equation X := f(parents) + U, or exp(f(parents) + U) with the log link.

    The parents come from the graph. What is not given is fitted.

    Parameters
    ----------
    node
        The effect.
    link
        ``"identity"`` or ``"log"`` (needs X > 0).
    interactions
        Products of parents to add as terms, e.g. ``(("gender", "race"),)``.
    coefficients
        By term: ``"intercept"``, a parent's name, ``"region=north"`` for one level of a nominal
        parent, ``"gender:race"`` for a product. A ``:`` in a name is written ``\:``.
    bounds
        The domain [lo, hi]; either end may be None. A counterfactual outside is clipped and
        counted.
    regressor
        In place of the linear f, a `Learner` or an object with ``fit(X, y)`` and ``predict(X)``;
        the mechanism is then ``"regressor"``.
    mechanism
        ``"linear"``; ``"quantile"``: the person keeps her rank within the group, whatever the
        shape of its distribution, see `QuantileMechanism`; or ``"regressor"``, by default a tree.
        For an effect with levels, ``"linear"`` means ``"shares"`` where every combination of its
        causes is seen often enough, else ``"logit"``; both can be asked for. See
        `SharesMechanism` and `LogitMechanism`.
    shares
        With ``"shares"``, the rows that are set by hand.
    coupling
        For an effect with levels, how someone's level here and there hang together; ranks kept
        where the levels have an order, else as little change as can be. See `CouplingKind`.
    seen_often
        So many people with equal causes make their shares worth taking as they are.
    note
        Why the equation is as it is.
    """

    node: str
    link: Link = "identity"
    interactions: tuple[tuple[str, ...], ...] = ()
    coefficients: Mapping[str, Coefficient] = field(default_factory=dict)
    bounds: tuple[float | None, float | None] = (None, None)
    regressor: Any = None
    mechanism: MechanismKind = "linear"
    shares: tuple[ShareRow, ...] = ()
    coupling: CouplingKind | None = None
    seen_often: int = SEEN_OFTEN
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "interactions", tuple(tuple(item) for item in self.interactions))
        object.__setattr__(self, "shares", tuple(self.shares))
        if self.link not in ("identity", "log"):
            raise CausalModelError(
                f"Equation for '{self.node}': expected link 'identity' or 'log', got {self.link!r}."
            )
        low, high = self.bounds
        if low is not None and high is not None and not low < high:
            raise CausalModelError(
                f"Equation for '{self.node}': the lower bound {low:g} is not below the upper "
                f"bound {high:g}."
            )
        if self.regressor is not None and self.mechanism == "linear":
            object.__setattr__(self, "mechanism", "regressor")
        if self.mechanism not in MECHANISMS:
            raise CausalModelError(
                f"Equation for '{self.node}': expected mechanism "
                f"{' or '.join(map(repr, MECHANISMS))}, got {self.mechanism!r}."
            )
        if self.coupling is not None and self.coupling not in COUPLINGS:
            raise CausalModelError(
                f"Equation for '{self.node}': expected coupling "
                f"{' or '.join(map(repr, COUPLINGS))}, got {self.coupling!r}."
            )
        if self.shares and (self.mechanism not in ("linear", "shares") or self.coefficients):
            raise CausalModelError(
                f"Equation for '{self.node}': a table of shares goes with the mechanism 'shares' "
                "alone. Remove it, or the coefficients."
            )
        kind = self.mechanism_class
        numbers = bool(self.interactions or self.coefficients) and not kind.takes_coefficients
        if numbers or (self.regressor is not None and not kind.takes_regressor):
            raise CausalModelError(
                f"Equation for '{self.node}': {kind.title} takes no coefficients, "
                "interactions or regressor beside it. Give one or the other."
            )

    @property
    def mechanism_class(self) -> type[Mechanism]:
        """The class of its mechanism."""
        return MECHANISMS[self.mechanism]
