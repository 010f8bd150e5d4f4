"""A small drawing of a causal model, from where its nodes stand."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator

from cst_core.explain import listed, short
from cst_core.scenario import NodePart, WorldPart
from dashboard.shared.colours import Palette
from dashboard.shared.text import markup

Place = tuple[float, float]
HALF: Place = (92.0, 26.0)
"""Half of a node's width and height, in the units of the drawing."""
LETTERS = 16
"""As many of a name as a node has room for."""
MARGIN = 8.0
SIZE = (720, 400)
"""Every picture is as large, so that cards side by side agree."""


def model_picture(
    world: WorldPart, protected: Collection[str], decision: str, palette: Palette
) -> str | None:
    """Return a causal model as an image element; None where a node has no place.

    Its text cannot become markup of the page.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> from dashboard.shared.colours import PRINT
    >>> loan = load_scenario("loan").scenario
    >>> (model_picture(loan.worlds[0], ["Gender"], loan.decision_node, PRINT) or "")[:60]
    '<img class="cst-picture" alt="Drawing of the causal model: G'
    """
    places = {
        node.name: (node.x, node.y)
        for node in world.nodes
        if node.x is not None and node.y is not None
    }
    if len(places) < len(world.nodes):
        return None
    drawn = "".join(_parts(world, {*protected}, decision, places, palette))
    left, right = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    top, bottom = min(y for _, y in places.values()), max(y for _, y in places.values())
    corner = (left - HALF[0] - MARGIN, top - HALF[1] - MARGIN)
    size = (right - left + 2 * (HALF[0] + MARGIN), bottom - top + 2 * (HALF[1] + MARGIN))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{corner[0]:g} {corner[1]:g} '
        f'{size[0]:g} {size[1]:g}" width="{SIZE[0]}" height="{SIZE[1]}" '
        f'font-family="sans-serif" font-size="20">'
        '<defs><marker id="head" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="9" '
        'markerHeight="9" orient="auto-start-reverse" markerUnits="userSpaceOnUse">'
        f'<path d="M0,0 10,5 0,10 z" fill="{palette.muted}"/></marker></defs>{drawn}</svg>'
    )
    data = base64.b64encode(svg.encode()).decode()
    return (
        f'<img class="cst-picture" alt="{markup(_in_words(world))}" '
        f'src="data:image/svg+xml;base64,{data}">'
    )


def _in_words(world: WorldPart) -> str:
    called = {node.name: _label(node) for node in world.nodes}
    arrows = [f"{called[edge.cause]} → {called[edge.effect]}" for edge in world.edges]
    arrows += [f"{called[one]} ↔ {called[two]}" for one, two in _joined(world)]
    return f"Drawing of the causal model: {listed(arrows)}"


def _joined(world: WorldPart) -> list[tuple[str, str]]:
    return [item.between for item in world.bidirected]


def _label(node: NodePart) -> str:
    return node.label or node.name


def _parts(
    world: WorldPart,
    protected: Collection[str],
    decision: str,
    places: dict[str, Place],
    palette: Palette,
) -> Iterator[str]:
    """Yield the arrows, then the nodes over them."""
    for edge in world.edges:
        dash = ' stroke-dasharray="6 5"' if edge.accepted else ""
        yield _arrow(places[edge.cause], places[edge.effect], palette, dash)
    for one, two in _joined(world):
        both = ' stroke-dasharray="2 4" marker-start="url(#head)"'
        yield _arrow(places[one], places[two], palette, both)
    colours = dict.fromkeys(protected, palette.protected) | {decision: palette.action}
    for node in world.nodes:
        x, y = places[node.name]
        colour = colours.get(node.name, palette.text)
        yield (
            f'<rect x="{x - HALF[0]:g}" y="{y - HALF[1]:g}" width="{2 * HALF[0]:g}" '
            f'height="{2 * HALF[1]:g}" rx="8" fill="{palette.page}" stroke="{colour}" '
            f'stroke-width="2"/><text x="{x:g}" y="{y + 7:g}" text-anchor="middle" '
            f'fill="{colour}">{markup(short(_label(node), LETTERS))}</text>'
        )


def _arrow(start: Place, end: Place, palette: Palette, more: str) -> str:
    (x, y), (to_x, to_y) = _at_edge(end, start), _at_edge(start, end)
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" '
        f'stroke="{palette.muted}" stroke-width="2" marker-end="url(#head)"{more}/>'
    )


def _at_edge(start: Place, end: Place) -> Place:
    """Return where a line from the middle of one node to that of another meets the other."""
    across, down = start[0] - end[0], start[1] - end[1]
    parts = [half / abs(way) for half, way in zip(HALF, (across, down), strict=True) if way]
    share = min(parts, default=0.0)
    return end[0] + share * across, end[1] + share * down
