"""What an equation leaves unexplained, drawn."""

from __future__ import annotations

import numpy as np

from dashboard.shared.figure import Axis, Dash, Figure, Line, Role, values

BINS = 18


def noise_by_group(
    noise: np.ndarray, groups: tuple[np.ndarray, np.ndarray], names: tuple[str, str], alt: str
) -> Figure:
    """Return the unexplained part of an attribute in both groups, as shares of each group."""
    low, high = np.quantile(noise, [0.001, 0.999])
    edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
    looks: tuple[tuple[np.ndarray, Role, Dash], ...] = (
        (groups[0], "protected", "solid"),
        (groups[1], "reference", "dash"),
    )
    lines = []
    for name, (mask, role, dash) in zip(names, looks, strict=True):
        counts, _ = np.histogram(np.clip(noise[mask], edges[0], edges[-1]), bins=edges)
        shares = counts / max(int(mask.sum()), 1)
        x, y = values(edges), values([*shares.tolist(), shares[-1].item()])
        lines.append(Line(x=x, y=y, name=name, role=role, dash=dash, steps=True))
    return Figure(
        marks=tuple(lines),
        alt=alt,
        x=Axis(title="Unexplained part U"),
        y=Axis(title="Share of the group", percent=True, from_zero=True),
        height=260,
    )
