"""Ordinary least squares with standard errors, for named columns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cst_core.causal.encoding import FloatArray
from cst_core.causal.equations import INTERCEPT
from cst_core.errors import CausalModelError


def least_squares(
    node: str, columns: Mapping[str, FloatArray], target: FloatArray
) -> dict[str, tuple[float, float]]:
    """Return {column: (estimate, standard error)}.

    Raises
    ------
    CausalModelError
        When there are too few rows, or a column is a combination of the others.

    Examples
    --------
    >>> ones, x = np.ones(4), np.array([0.0, 1.0, 2.0, 3.0])
    >>> fit = least_squares("y", {"intercept": ones, "x": x}, 1 + 2 * x)
    >>> round(fit["x"][0], 9)
    2.0
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
        means = design.mean(axis=0)
        means[names.index(INTERCEPT)] = 0.0
        design = design - means
        back[names.index(INTERCEPT)] -= means
    norms = np.linalg.norm(design, axis=0)
    norms[norms == 0] = 1.0
    scaled = design / norms
    _check_independent(node, names, scaled)
    left, singular, right = np.linalg.svd(scaled, full_matrices=False)
    scaled_estimates = right.T @ ((left.T @ target) / singular)
    residuals = target - scaled @ scaled_estimates
    variance = float(residuals @ residuals) / (rows - width)
    spread = back @ ((right.T / singular) / norms[:, None])
    estimates = back @ (scaled_estimates / norms)
    errors = np.sqrt(variance * np.sum(spread**2, axis=1))
    return {
        name: (float(estimate), float(error))
        for name, estimate, error in zip(names, estimates, errors, strict=True)
    }


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
