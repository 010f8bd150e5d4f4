"""Demographic parity: the group-level gap that Δp tends to as k grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, kw_only=True)
class DemographicParity:
    """Acceptance given the group, P(Ŷ = 1 | A).

    The paper prints the joint shares P(Ŷ = 1, A) for the loan data; these are conditional.
    """

    accepted_protected: float
    accepted_reference: float

    @property
    def refused_protected(self) -> float:
        """The refusal rate of the protected group."""
        return 1 - self.accepted_protected

    @property
    def refused_reference(self) -> float:
        """The refusal rate of the reference group."""
        return 1 - self.accepted_reference

    @property
    def gap(self) -> float:
        """Refusal rate of the protected minus that of the reference group."""
        return self.accepted_reference - self.accepted_protected


def demographic_parity(
    is_protected: npt.NDArray[np.bool_],
    is_reference: npt.NDArray[np.bool_],
    negative: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64] | None = None,
) -> DemographicParity:
    """Return the acceptance rates of both groups; who is in neither is left out.

    With survey weights, they are those of the population that the people stand for.

    Examples
    --------
    >>> women, refused = np.array([True, True, False, False]), np.array([True, True, True, False])
    >>> parity = demographic_parity(women, ~women, refused)
    >>> parity.accepted_protected, parity.accepted_reference, parity.gap
    (0.0, 0.5, 0.5)
    """

    def accepted(group: npt.NDArray[np.bool_]) -> float:
        if weights is None:
            return float(1 - negative[group].mean())
        return float(1 - np.average(negative[group], weights=weights[group]))

    return DemographicParity(
        accepted_protected=accepted(is_protected), accepted_reference=accepted(is_reference)
    )
