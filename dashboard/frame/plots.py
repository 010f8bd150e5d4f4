"""The one way to put a figure on a page."""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from dashboard.shared.figure import Figure
from dashboard.shared.figure_plotly import Plot, plotly_figure
from dashboard.shared.theme import palette


def show_figure(
    figure: Figure,
    *,
    key: str,
    config: dict[str, Any],
    meta: dict[str, Any] | None = None,
    **more: Any,
) -> None:
    """Show a figure; `meta` says in the page what it was made with, `more` goes to Streamlit."""
    plot = plotly_figure(figure, palette())
    plot["layout"]["meta"] = meta
    if "on_select" in more:
        plot["layout"]["clickmode"] = "event+select"
    st.plotly_chart(_checked()(plot), key=key, theme=None, alt=figure.alt, config=config, **more)


@cache
def _checked() -> type:
    """Return a wrapper that Streamlit takes for a figure that was checked already.

    Given a plain dictionary it would build plotly's objects to check it, ten times the work of
    making the plot.
    """
    from plotly.basedatatypes import BaseFigure  # noqa: PLC0415  (half a second; only when drawn)

    class Checked(BaseFigure):  # type: ignore[misc]
        def __init__(self, plot: Plot) -> None:
            object.__setattr__(self, "_plot", plot)

        def to_dict(self) -> Plot:
            found: Plot = self._plot
            return found

    return Checked
