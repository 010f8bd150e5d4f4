"""The one way to put a plot on a page."""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from dashboard.figures import Plot
from dashboard.style import palette


def show_plot(plot: Plot, *, key: str, alt: str, config: dict[str, Any], **more: Any) -> None:
    """Show a plot as it is; `more` goes to Streamlit."""
    colours = palette()
    hover = {"bgcolor": colours.grid, "font": {"color": colours.text}}  # else white on white
    plot = {**plot, "layout": {"hoverlabel": hover, **plot["layout"]}}
    st.plotly_chart(_checked()(plot), key=key, theme=None, alt=alt, config=config, **more)


@cache
def _checked() -> type:
    """Return a wrapper that Streamlit takes for a figure that was checked already.

    Given a plain dictionary it would build plotly's objects to check it, ten times the work of
    making the plot.
    """
    from plotly.basedatatypes import BaseFigure  # noqa: PLC0415  (half a second; only when drawn)

    class Checked(BaseFigure):
        def __init__(self, plot: Plot) -> None:
            object.__setattr__(self, "_plot", plot)

        def to_dict(self) -> Plot:
            found: Plot = self._plot
            return found

    return Checked
