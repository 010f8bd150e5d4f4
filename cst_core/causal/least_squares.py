"""Ordinary least squares, with standard errors that need no equal spread, for named columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cst_core.causal.encoding import FloatArray
from cst_core.causal.terms import INTERCEPT
from cst_core.errors import CausalModelError

SINGULAR = 1e-9
"""A smaller eigenvalue means that the people drawn cannot tell two terms apart."""
UNTOLD = 1e-12
"""The same of labels dealt out, for terms of length 1."""
ALONE = 1e-9
"""Nearer to a leverage of 1, the line passes through a person: she shows nothing about spread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What least squares say of one column.

    Attributes
    ----------
    value
        The coefficient.
    standard_error
        How sure it is, whatever the spread is for whom: HC3 or, with survey weights, the sandwich.
    classical_error
        The same if everyone's noise had the same spread; None with survey weights.
    """

    value: float
    standard_error: float
    classical_error: float | None


def least_squares(
    node: str,
    columns: Mapping[str, FloatArray],
    target: FloatArray,
    weights: FloatArray | None = None,
) -> dict[str, Estimate]:
    """Return what is estimated of each column.

    The standard errors hold whatever the spread is for whom (MacKinnon and White's HC3): each
    residual e counts as e / (1 − h), h being how far her own value draws the line to her. A
    coefficient that rests on one person alone (h = 1, so that she has no residual) has no such
    error, and gets the classical one.

    With weights, squares count by them, and the errors are those that hold whatever the weights
    have to do with the spread (the sandwich, with the factor n / (n - coefficients)).

    Raises
    ------
    CausalModelError
        When there are too few rows, or a column is a combination of the others.

    Examples
    --------
    >>> ones, x = np.ones(4), np.array([0.0, 1.0, 2.0, 3.0])
    >>> fit = least_squares("y", {"intercept": ones, "x": x}, 1 + 2 * x)
    >>> round(fit["x"].value, 9)
    2.0
    >>> fit = least_squares("y", {"intercept": ones, "x": x}, np.array([0.0, 0.0, 0.0, 3.0]))
    >>> round(fit["x"].standard_error, 3), round(fit["x"].classical_error, 3)
    (1.096, 0.52)
    """
    names = list(columns)
    design = np.column_stack([columns[name] for name in names])
    rows, width = design.shape
    if rows <= width:
        raise CausalModelError(
            f"Equation for '{node}': {rows} rows are too few to fit {width} coefficients."
        )
    back = np.eye(width)  # from the coefficients of centred columns to those asked for
    if INTERCEPT in columns:  # columns far from zero lose no digits to the intercept
        means = np.average(design, axis=0, weights=weights)
        means[names.index(INTERCEPT)] = 0.0
        design = design - means
        back[names.index(INTERCEPT)] -= means
    if weights is not None:
        design, target = design * np.sqrt(weights)[:, None], target * np.sqrt(weights)
    norms = np.linalg.norm(design, axis=0)
    norms[norms == 0] = 1.0
    scaled = design / norms
    _check_independent(node, names, scaled)
    left, singular, right = np.linalg.svd(scaled, full_matrices=False)
    scaled_estimates = right.T @ ((left.T @ target) / singular)
    residuals = target - scaled @ scaled_estimates
    spread = back @ ((right.T / singular) / norms[:, None])
    estimates = back @ (scaled_estimates / norms)
    classical: list[float] | list[None] = [None] * width
    if weights is None:
        variance = float(residuals @ residuals) / (rows - width)
        equal = np.sqrt(variance * np.sum(spread**2, axis=1))
        errors = _robust_errors(left, residuals, spread, equal)
        classical = equal.tolist()
    else:
        parts = (left * residuals[:, None]) @ spread.T
        errors = np.sqrt(np.sum(parts**2, axis=0) * rows / (rows - width))
    return {
        name: Estimate(value=value, standard_error=error, classical_error=old)
        for name, value, error, old in zip(
            names, estimates.tolist(), errors.tolist(), classical, strict=True
        )
    }


def _robust_errors(
    left: FloatArray, residuals: FloatArray, spread: FloatArray, equal: FloatArray
) -> FloatArray:
    """Return HC3's errors: √Σ (aᵢ eᵢ / (1 − hᵢ))², aᵢ being what person i's value adds."""
    free = 1.0 - np.sum(left**2, axis=1)
    alone = free < ALONE
    counted = np.where(alone, 0.0, residuals / np.where(alone, 1.0, free))
    errors: FloatArray = np.sqrt(np.sum(((left * counted[:, None]) @ spread.T) ** 2, axis=0))
    if alone.any():
        share = np.max(np.abs(left[alone] @ spread.T), axis=0) / np.linalg.norm(spread, axis=1)
        errors = np.where(share > ALONE**0.5, equal, errors)
    return errors


def _check_independent(node: str, names: list[str], scaled: FloatArray) -> None:
    triangle = np.linalg.qr(scaled, mode="r")
    dependent = [
        name for name, pivot in zip(names, np.abs(np.diag(triangle)), strict=True) if pivot < 1e-9
    ]
    if dependent:
        raise CausalModelError(
            f"Equation for '{node}': the effect of {', '.join(map(repr, dependent))} cannot be "
            "told apart from the other terms (it is constant, or a combination of them). Remove "
            "the arrow or interaction, or set its coefficient by hand."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reweighted:
    """Least squares prepared once, then solved with any weights; make one with `of`.

    With the design D = QR decomposed once, the weighted estimate solves (QᵀWQ) Rβ = QᵀW y; QᵀWQ is
    near the identity, so no digits are lost.
    """

    node: str
    names: tuple[str, ...]
    orthogonal: FloatArray
    triangle: FloatArray
    target: FloatArray

    @classmethod
    def of(cls, node: str, columns: Mapping[str, FloatArray], target: FloatArray) -> Reweighted:
        """Decompose the design."""
        design = np.column_stack(list(columns.values())) if columns else np.empty((len(target), 0))
        orthogonal, triangle = np.linalg.qr(design)
        return cls(
            node=node,
            names=tuple(columns),
            orthogonal=orthogonal,
            triangle=triangle,
            target=target,
        )

    def estimates(self, weights: FloatArray) -> dict[str, float]:
        """Return the estimates by column."""
        if not self.names:
            return {}
        weighted = self.orthogonal * weights[:, None]
        square = weighted.T @ self.orthogonal
        if np.linalg.eigvalsh(square)[0] < SINGULAR:
            raise CausalModelError(
                f"Equation for '{self.node}': the people drawn cannot tell its terms apart."
            )
        values = np.linalg.solve(self.triangle, np.linalg.solve(square, weighted.T @ self.target))
        return dict(zip(self.names, values.tolist(), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PartlyFixed:
    """Least squares of which most columns never change; make one with `of`.

    With the fixed columns F = QR decomposed once, the others are freed of F (Frisch, Waugh and
    Lovell) and solved for alone; what F explains of the rest follows.
    """

    node: str
    names: tuple[str, ...]
    orthogonal: FloatArray
    triangle: FloatArray
    target: FloatArray
    root_weights: FloatArray | None

    @classmethod
    def of(
        cls,
        node: str,
        columns: Mapping[str, FloatArray],
        target: FloatArray,
        weights: FloatArray | None = None,
    ) -> PartlyFixed:
        """Decompose the fixed columns."""
        roots = None if weights is None else np.sqrt(weights)
        design = np.column_stack(list(columns.values())) if columns else np.empty((len(target), 0))
        if roots is not None:
            design, target = design * roots[:, None], target * roots
        orthogonal, triangle = np.linalg.qr(design)
        return cls(
            node=node,
            names=tuple(columns),
            orthogonal=orthogonal,
            triangle=triangle,
            target=target,
            root_weights=roots,
        )

    def estimates(
        self, columns: Mapping[str, FloatArray], offset: FloatArray | None
    ) -> dict[str, FloatArray]:
        """Return all estimates by column, one a deal.

        Parameters
        ----------
        columns
            The changing columns, a row a deal.
        offset
            What is known of f, likewise; None for nothing.

        Raises
        ------
        CausalModelError
            When a changing column is a combination of the others.
        """
        target = self.target[None]
        if offset is not None:
            target = target - (offset if self.root_weights is None else offset * self.root_weights)
        explained = target @ self.orthogonal
        values: FloatArray = np.empty((len(explained), 0))
        if columns:
            changing = np.stack(list(columns.values()), axis=1)  # deals × columns × people
            if self.root_weights is not None:
                changing = changing * self.root_weights
            shared = changing @ self.orthogonal
            freed = changing - shared @ self.orthogonal.T
            square = freed @ freed.swapaxes(1, 2)
            norms = np.maximum(np.sqrt(np.einsum("dcn,dcn->dc", changing, changing)), 1e-150)
            alike = np.linalg.eigvalsh(square / (norms[:, :, None] * norms[:, None, :]))
            if (alike[:, 0] < UNTOLD).any():
                raise CausalModelError(
                    f"Equation for '{self.node}': the labels dealt out cannot tell its terms apart."
                )
            right = freed @ np.broadcast_to(target, (len(freed), freed.shape[2]))[:, :, None]
            values = np.asarray(np.linalg.solve(square, right)[:, :, 0], dtype=np.float64)
            explained = explained - np.einsum("dc,dcp->dp", values, shared)
        fixed = np.linalg.solve(self.triangle, explained.T)
        return dict(zip((*columns, *self.names), [*values.T, *fixed], strict=True))
