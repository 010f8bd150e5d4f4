"""Results as plotly figures; pure functions, binned before they reach the browser."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from dashboard.style import Palette

if TYPE_CHECKING:
    import plotly.graph_objects as go

BINS = 18


def noise_by_group(
    noise: np.ndarray,
    is_protected: np.ndarray,
    names: tuple[str, str],
    palette: Palette,
) -> go.Figure:
    """Return the unexplained part of an attribute in both groups, as shares of each group."""
    import plotly.graph_objects as go  # noqa: PLC0415  (half a second, and only drawn on demand)

    low, high = np.quantile(noise, [0.001, 0.999])
    edges = np.linspace(low, high if high > low else low + 1, BINS + 1)
    middle = (edges[:-1] + edges[1:]) / 2
    figure = go.Figure()
    looks = ((palette.protected, "solid"), (palette.reference, "dash"))
    for name, mask, (colour, dash) in zip(names, (is_protected, ~is_protected), looks, strict=True):
        inside = np.clip(noise[mask], edges[0], edges[-1])
        counts, _ = np.histogram(inside, bins=edges)
        figure.add_scatter(
            x=middle,
            y=counts / max(len(inside), 1),
            name=html.escape(name, quote=False),  # plotly reads a few tags
            mode="lines",
            line={"color": colour, "dash": dash, "width": 2.5, "shape": "hvh"},
        )
    return apply_theme(
        figure, palette, x_title="Unexplained part U", y_title="Share of the group", height=260
    )


def apply_theme(
    figure: go.Figure,
    palette: Palette,
    *,
    x_title: str,
    y_title: str,
    height: int,
    as_percent: bool = True,
) -> go.Figure:
    """Return the figure in the house's look."""
    figure.update_layout(
        height=height,
        margin={"l": 60, "r": 12, "t": 30, "b": 48},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": palette.text, "size": 13},
        legend={"orientation": "h", "y": 1.12, "x": 0},
        hovermode="x unified",
    )
    figure.update_xaxes(title=x_title, gridcolor=palette.grid, zerolinecolor=palette.muted)
    figure.update_yaxes(
        title=y_title,
        gridcolor=palette.grid,
        zerolinecolor=palette.muted,
        rangemode="tozero",
        tickformat=".0%" if as_percent else None,
    )
    return figure
