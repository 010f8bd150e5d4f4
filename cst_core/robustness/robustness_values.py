"""Robustness values: how strong an unseen common cause would have to be to explain an arrow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cst_core.causal import (
    INTERCEPT,
    Coefficient,
    DiscreteMechanism,
    Edge,
    FloatArray,
    HasCoefficients,
    Mechanism,
    NodeValues,
    NumericMechanism,
    Term,
    encode,
    encode_intervention,
)
from cst_core.errors import SettingsError
from cst_core.results import SingleResult

EXACT = (
    "{0} → {1} has no robustness value: its causes fit {1} exactly, and nothing is left to explain."
)


def robustness_value(
    t: float, df: float, *, remaining: float = 0.0, significance_level: float | None = None
) -> float:
    """Return how strong an unseen common cause must be to explain a coefficient away.

    Parameters
    ----------
    t, df
        The coefficient over its classical standard error, and the degrees of freedom left.
    remaining
        γ: the share of the coefficient that would remain; 0 explains it away entirely.
    significance_level
        α: enough that what remains is not significant any more, two-sided; None for the estimate
        itself.

    Returns
    -------
    float
        RV between 0 and 1: the share of what is left of the cause, and likewise of the effect, that
        the unseen one has to explain (their partial R² with it, both alike).

    Notes
    -----
    Cinelli and Hazlett (2020), "Making sense of sensitivity: extending omitted variable bias",
    J. R. Statist. Soc. B 82: f = (1 − γ)|t|/√df, less |t*|/√(df − 1) with t* the critical value at
    α and df − 1; RV = ½(√(f⁴ + 4f²) − f²). Where f is above √(df − 1)/|t*|, a cause tied equally to
    both is not the worst there can be, and RV = (f² − f*²)/(1 + f²).

    Examples
    --------
    >>> round(robustness_value(4.18445, 783), 3)
    0.139
    >>> round(robustness_value(4.18445, 783, significance_level=0.05), 3)
    0.076
    """
    if not df > 0:
        raise SettingsError(f"df: expected a number above 0, got {df!r}.")
    if not 0 <= remaining <= 1:
        raise SettingsError(f"remaining: expected a share from 0 to 1, got {remaining!r}.")
    strength = (1 - remaining) * abs(t) / np.sqrt(df) if remaining < 1 else 0.0
    if significance_level is None:
        return _equal_strength(strength)
    if not 0 < significance_level < 1 or not df > 1:
        raise SettingsError(
            "significance_level: expected a number between 0 and 1, and more than one degree of "
            f"freedom, got {significance_level!r} and {df!r}."
        )
    critical = abs(float(stats.t.ppf(significance_level / 2, df - 1))) / np.sqrt(df - 1)
    if strength <= critical:
        return 0.0
    if strength * critical > 1:
        return _not_binding(strength, critical)
    return _equal_strength(strength - critical)


def _equal_strength(f: float) -> float:
    """Return ½(√(f⁴ + 4f²) − f²), written so that no digits are lost."""
    return 1.0 if np.isinf(f) else float(2 * f / (f + np.hypot(f, 2)))


def _not_binding(f: float, critical: float) -> float:
    """Return (f² − f*²)/(1 + f²), for any size of f."""
    return 1.0 if np.isinf(f) else float((f - critical) / f * (f + critical) / (f + 1 / f))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowStrength:
    """How firmly the data tie an effect to the protected attribute along one arrow.

    Attributes
    ----------
    cause, effect
        The arrow.
    estimate, standard_error, t, df
        Of what changes in the effect, on its equation's scale, from the reference to the protected
        group, or by one unit of a cause that is a number; the error is the classical one. NaN where
        undefined.
    undefined
        Why there is no robustness value, in a sentence; empty where there is one.
    """

    cause: str
    effect: str
    estimate: float = float("nan")
    standard_error: float = float("nan")
    t: float = float("nan")
    df: float = float("nan")
    undefined: str = ""

    @property
    def edge(self) -> Edge:
        """The arrow as (cause, effect)."""
        return self.cause, self.effect

    @property
    def arrow(self) -> str:
        """The arrow in words."""
        return f"{self.cause} → {self.effect}"

    @property
    def partial_r2(self) -> float:
        """The share of what is left of the effect that the cause explains: t²/(t² + df)."""
        return self.t**2 / (self.t**2 + self.df)

    def value(self, *, remaining: float = 0.0, significance_level: float | None = None) -> float:
        """Return the robustness value; NaN where there is none. See `robustness_value`."""
        if self.undefined or np.isnan(remaining):
            return float("nan")
        return robustness_value(
            self.t, self.df, remaining=remaining, significance_level=significance_level
        )

    def values(self, remaining: FloatArray) -> FloatArray:
        """Return the robustness value for each share that would remain; NaN where there is none."""
        if self.undefined:
            return np.full(np.shape(remaining), np.nan)
        f = (1 - remaining) * abs(self.t) / np.sqrt(self.df)
        return np.asarray(2 * f / (f + np.hypot(f, 2)))

    def remaining(self, strength: float) -> float:
        """Return which share of the effect an unseen cause of this strength would leave.

        The inverse of `value`: 1 for a strength of 0, and 0 from the robustness value on.
        """
        if strength >= 1:
            return 0.0
        f = abs(self.t) / np.sqrt(self.df)
        return max(0.0, 1 - float(strength / np.sqrt(1 - strength) / f)) if f > 0 else 0.0


def arrow_strengths(run: SingleResult) -> tuple[ArrowStrength, ...]:
    """Return the strength of every arrow out of what a test intervenes on, those accepted apart.

    Notes
    -----
    A robustness value belongs to one coefficient fitted by least squares, with a log link on the
    logarithm's scale. Other arrows are listed with the reason why they have none.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> found = arrow_strengths(load_scenario("law-school").open().run("gender"))
    >>> [(each.arrow, round(each.value(), 3)) for each in found]
    [('gender → UGPA', 0.142), ('gender → LSAT', 0.057)]
    """
    graph = run.model.model.graph
    return tuple(
        _strength(run, cause, effect)
        for cause, effect in graph.edges
        if cause in run.intervention
        and effect != graph.decision
        and (cause, effect) not in graph.accepted
    )


def _strength(run: SingleResult, cause: str, effect: str) -> ArrowStrength:
    mechanism = run.model.mechanisms[effect]
    why = _undefined(run, mechanism, cause, effect)
    if why:
        return ArrowStrength(cause=cause, effect=effect, undefined=why)
    assert isinstance(mechanism, HasCoefficients)
    assert isinstance(mechanism, NumericMechanism)
    nodes = (*run.model.model.graph.parents(effect), effect)
    values = encode(run.dataset, nodes)
    child = mechanism.level(values.pop(effect))
    columns = {term.name: term.values(values, len(child)) for term in mechanism.terms}
    free = []
    for name, column in columns.items():
        number = mechanism.coefficients[name]
        if number.source == "by hand":
            child = child - (number.value or 0.0) * column
        else:
            free.append(name)
    fit = _Fit.of({name: columns[name] for name in free}, child)
    if fit.variance == 0:
        return ArrowStrength(cause=cause, effect=effect, undefined=EXACT.format(cause, effect))
    contrast = _contrast(run, cause, mechanism.terms, values)
    estimate, error = fit.contrast({name: contrast.get(name, 0.0) for name in free})
    return ArrowStrength(
        cause=cause,
        effect=effect,
        estimate=estimate,
        standard_error=error,
        t=estimate / error,
        df=float(fit.df),
    )


def _undefined(run: SingleResult, mechanism: Mechanism, cause: str, effect: str) -> str:
    """Return why an arrow has no robustness value; empty where it has one."""
    start = f"{cause} → {effect} has no robustness value:"
    if isinstance(mechanism, DiscreteMechanism):
        return f"{start} {effect} has levels, and the value is defined for numbers only."
    if not (isinstance(mechanism, HasCoefficients) and isinstance(mechanism, NumericMechanism)):
        return (
            f"{start} {effect} does not follow from a sum fitted by least squares, but by "
            f"{mechanism.title}."
        )
    terms = [term for term in mechanism.terms if cause in term.nodes]
    if any(_is_by_hand(mechanism.coefficients[term.name]) for term in terms):
        return f"{start} its number was set by hand, and no data stand behind it."
    if any(len(term.factors) > 1 for term in terms):
        return f"{start} its effect differs with other attributes (products), so it is not one."
    if run.dataset.weights is not None:
        return f"{start} people count by survey weights, and the value is for people alike."
    return ""


def _is_by_hand(number: Coefficient) -> bool:
    return number.source == "by hand"


def _contrast(
    run: SingleResult, cause: str, terms: tuple[Term, ...], values: NodeValues
) -> dict[str, float]:
    """Return by term what differs between the complainants' level and the one that do() sets."""
    own = values[cause]
    holding = [term for term in terms if cause in term.nodes]
    if own.dtype != np.dtype(object):  # one number before one column
        return {term.name: 1.0 for term in holding}
    there, _ = encode_intervention(run.dataset, cause, run.intervention[cause])
    (level,) = set(own[run.is_protected].tolist())  # a group is one level of its attribute
    return {
        term.name: float(term.factors[0][1] == level) - float(term.factors[0][1] == there)
        for term in holding
    }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fit:
    """Least squares with classical errors, for contrasts of named columns."""

    names: tuple[str, ...]
    estimates: FloatArray
    root: FloatArray
    variance: float
    df: int

    @classmethod
    def of(cls, columns: Mapping[str, FloatArray], target: FloatArray) -> _Fit:
        """Fit; columns are centred beside a fitted intercept, which no contrast asks for."""
        names = tuple(columns)
        design = np.column_stack(list(columns.values()))
        if INTERCEPT in columns:
            others = [at for at, name in enumerate(names) if name != INTERCEPT]
            design[:, others] -= design[:, others].mean(axis=0)
        orthogonal, triangle = np.linalg.qr(design)
        inverse = np.linalg.inv(triangle)
        estimates = inverse @ (orthogonal.T @ target)
        left = target - design @ estimates
        df = len(target) - len(names)
        return cls(
            names=names,
            estimates=estimates,
            root=inverse,
            variance=float(left @ left) / df,
            df=df,
        )

    def contrast(self, weights: Mapping[str, float]) -> tuple[float, float]:
        """Return a weighted sum of the coefficients, and its standard error."""
        along = np.array([weights[name] for name in self.names])
        error = np.sqrt(self.variance) * float(np.linalg.norm(along @ self.root))
        return float(along @ self.estimates), error
