"""The overview's curves over k."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cst_core.evidence import METHOD_LABELS, Method
from cst_core.results import Sweep
from dashboard.shared.figure import Across, Axis, Dash, Figure, Line, Mark, Role, values

LOOKS: dict[Method, tuple[Role, Dash]] = {
    "CST_wo": ("counterfactual", "solid"),
    "CST_w": ("action", "dash"),
    "ST": ("reference", "dot"),
    "CF": ("protected", "dashdot"),
}


def cases_over_k(sweeps: Sequence[Sweep], k: int, *, significant: bool) -> Figure:
    """Return the number of cases against k for several methods, the present k marked."""
    lines = (_curve(one, one.significant if significant else one.cases) for one in sweeps)
    title = "Significant cases" if significant else "Differences to examine"
    return Figure(
        marks=(*lines, Across(at=k, words=f"k = {k}")),
        alt="The number of cases against k, by method",
        x=Axis(title="k"),
        y=Axis(title=title, from_zero=True),
    )


def delta_over_k(sweeps: Sequence[Sweep], k: int, parity: float, tau: float) -> Figure:
    """Return mean Δp against k, with τ and the value that Δp tends to."""
    parts: list[Mark] = [
        *(_curve(sweep, sweep.mean_delta) for sweep in sweeps if sweep.method != "CF"),
        Across(at=k, words=f"k = {k}"),
        Across(at=parity, words="demographic parity", role="muted", axis="y", dash="longdash"),
    ]
    if tau:
        parts.append(Across(at=tau, words="τ", axis="y"))
    return Figure(
        marks=tuple(parts),
        alt="Mean difference in refusal rates against k, by method",
        x=Axis(title="k"),
        y=Axis(title="Mean Δp", from_zero=True),
    )


def _curve(sweep: Sweep, numbers: np.ndarray) -> Line:
    role, dash = LOOKS[sweep.method]
    name = METHOD_LABELS[sweep.method]
    return Line(x=values(sweep.k), y=values(numbers), name=name, role=role, dash=dash)
