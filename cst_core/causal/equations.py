"""What an equation says, before or after it meets data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cst_core.errors import CausalModelError

Link = Literal["identity", "log"]
Source = Literal["fitted", "by hand"]
MechanismKind = Literal["linear", "quantile"]
MECHANISM_KINDS: tuple[MechanismKind, ...] = ("linear", "quantile")
INTERCEPT = "intercept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """One number in an equation, and where it comes from.

    Parameters
    ----------
    value
        The number in use; None until it is fitted.
    source
        ``"fitted"`` or ``"by hand"``. A refit never changes one set by hand unless asked.
    fitted_value, standard_error
        What the data say, kept beside a value set by hand.
    note
        Why it was set, and by whom.
    """

    value: float | None = None
    source: Source = "fitted"
    fitted_value: float | None = None
    standard_error: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if self.source not in ("fitted", "by hand"):
            raise CausalModelError(
                f"Coefficient: expected source 'fitted' or 'by hand', got {self.source!r}."
            )
        if self.source == "by hand" and self.value is None:
            raise CausalModelError("Coefficient: one set by hand needs a value.")
        if self.value is not None and not abs(self.value) < float("inf"):
            raise CausalModelError(f"Coefficient: expected a finite number, got {self.value}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """A structural equation X := f(parents) + U, or exp(f(parents) + U) with the log link.

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
        parent, ``"gender:race"`` for a product.
    bounds
        The domain [lo, hi]; either end may be None. A counterfactual outside is clipped and
        counted.
    regressor
        An object with ``fit(X, y)`` and ``predict(X)`` in place of the linear f.
    mechanism
        ``"linear"``, or ``"quantile"``: the person keeps her rank within the group, whatever the
        shape of its distribution; see `QuantileMechanism`.
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
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "interactions", tuple(tuple(item) for item in self.interactions))
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
        if self.regressor is not None and (self.interactions or self.coefficients):
            raise CausalModelError(
                f"Equation for '{self.node}': a regressor has no coefficients or interactions of "
                "its own. Give one or the other."
            )
        if self.mechanism not in MECHANISM_KINDS:
            raise CausalModelError(
                f"Equation for '{self.node}': expected mechanism "
                f"{' or '.join(map(repr, MECHANISM_KINDS))}, got {self.mechanism!r}."
            )
        if self.mechanism == "quantile" and (
            self.interactions or self.coefficients or self.regressor is not None
        ):
            raise CausalModelError(
                f"Equation for '{self.node}': quantile transport follows the groups' own "
                "distributions and takes no coefficients, interactions or regressor. Remove them "
                "or use the linear mechanism."
            )
