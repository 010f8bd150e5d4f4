"""The two worlds as plotly figures; pure functions, binned before they reach the browser."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from cst_core.results.worlds import AttributeWorlds, Distribution
from dashboard.figures import apply_theme
from dashboard.style import Palette
from dashboard.text import short, signed

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT = 380


def worlds_figure(
    found: Distribution,
    attribute: AttributeWorlds,
    words: tuple[str, str, str],
    label: str,
    palette: Palette,
) -> go.Figure:
    """Return one attribute in both worlds, with the people compared with as a backdrop.

    `words` name the complainants, their counterfactuals and the people they are compared with.
    """
    names = [html.escape(short(word, 50), quote=False) for word in words]  # plotly reads tags
    title = html.escape(short(label, 60), quote=False)
    draw = _bars if found.edges is None else _outlines
    figure = draw(found, names, palette)
    shift = attribute.mean_shift
    if found.edges is not None and shift:
        _mark_means(figure, attribute, palette)
    apply_theme(figure, palette, x_title=title, y_title="Share of the group", height=HEIGHT)
    figure.update_layout(margin_t=88, legend={"y": 1.12, "yanchor": "bottom"})
    figure.update_xaxes(title={"font": {"size": 13}, "standoff": 4})
    figure.update_yaxes(title={"font": {"size": 13}})
    return figure


def _outlines(found: Distribution, names: list[str], palette: Palette) -> go.Figure:
    import plotly.graph_objects as go  # noqa: PLC0415

    assert found.edges is not None
    x = np.concatenate([found.edges[:1], found.edges])
    looks = (
        (found.reference, palette.reference, "dot", 2, {}),
        (found.factual, palette.protected, "solid", 2,
         {"fill": "tozeroy", "fillcolor": _faint(palette.protected)}),
        (found.counterfactual, palette.counterfactual, "dash", 2.5,
         {"fill": "tozeroy", "fillcolor": "rgba(0,0,0,0)",
          "fillpattern": {"shape": "/", "fgcolor": palette.counterfactual, "fgopacity": 0.45,
                          "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.12}}),
    )  # fmt: skip
    figure = go.Figure()
    for name, (shares, colour, dash, width, fill) in zip(
        (names[2], names[0], names[1]), looks, strict=True
    ):
        figure.add_scatter(
            x=x,
            y=np.concatenate([[0.0], shares, [0.0]]),
            name=name,
            mode="lines",
            line={"color": colour, "dash": dash, "width": width, "shape": "hv"},
            hovertemplate="%{y:.1%}",
            **fill,
        )
    return figure


def _bars(found: Distribution, names: list[str], palette: Palette) -> go.Figure:
    import plotly.graph_objects as go  # noqa: PLC0415

    levels = [html.escape(short(level, 24), quote=False) for level in found.levels]
    figure = go.Figure()
    looks = (
        (names[0], found.factual, palette.protected, ""),
        (names[1], found.counterfactual, palette.counterfactual, "/"),
        (names[2], found.reference, "rgba(0,0,0,0)", ""),
    )
    for name, shares, colour, pattern in looks:
        outline = palette.reference if name == names[2] else colour
        figure.add_bar(
            x=np.arange(len(levels)),
            y=shares,
            name=name,
            marker={
                "color": colour,
                "pattern": {"shape": pattern, "solidity": 0.3},
                "line": {"color": outline, "width": 2},
            },
            hovertemplate="%{y:.1%}",
        )
    figure.update_xaxes(tickvals=list(range(len(levels))), ticktext=levels)
    figure.update_layout(barmode="group", bargap=0.25)
    return figure


def _mark_means(figure: go.Figure, attribute: AttributeWorlds, palette: Palette) -> None:
    """Draw both means, and an arrow from one to the other."""
    assert attribute.factual is not None
    assert attribute.counterfactual is not None
    before, after = attribute.factual.mean, attribute.counterfactual.mean
    for place, colour, dash in (
        (before, palette.protected, "solid"),
        (after, palette.counterfactual, "dash"),
    ):
        figure.add_vline(x=place, line={"color": colour, "width": 1.5, "dash": dash})
    figure.add_annotation(
        x=after, ax=before, y=1.02, ay=1.02, xref="x", axref="x", yref="y domain", ayref="y domain",
        showarrow=True, arrowhead=2, arrowsize=1.1, arrowwidth=2, arrowcolor=palette.text, text="",
    )  # fmt: skip
    figure.add_annotation(
        x=(before + after) / 2, y=1.0, xref="x", yref="paper", yanchor="bottom", showarrow=False,
        text=f"mean {signed(after - before, 3)}", font={"size": 12, "color": palette.text},
        yshift=4,
    )  # fmt: skip


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.28)"
