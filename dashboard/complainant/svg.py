"""Parts of a picture as plain SVG."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from dashboard.style import Palette
from dashboard.text import markup

FONT = "Source Sans Pro, Helvetica, Arial, sans-serif"


def picture(drawn: str, words: str) -> str:
    """Return an SVG as an image element; its text cannot become markup of the page."""
    data = base64.b64encode(drawn.encode()).decode()
    return f'<img class="cst-picture" alt="{markup(words)}" src="data:image/svg+xml;base64,{data}">'


def whole(width: int, height: int, body: Sequence[str], palette: Palette) -> str:
    """Return a whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}" font-size="14" fill="{palette.text}">'
        f"{''.join(body)}</svg>"
    )


def text(x: float, y: float, words: str, *, anchor: str = "middle", extra: str = "") -> str:
    """Return words; they cannot become markup."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{markup(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, *, extra: str = "") -> str:
    """Return a straight line."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {extra}/>'
    )


def diamond(x: float, y: float, size: float, colour: str) -> str:
    """Return a diamond around a point."""
    points = f"{x},{y - size} {x + size},{y} {x},{y + size} {x - size},{y}"
    return f'<polygon points="{points}" fill="{colour}" stroke="#fff" stroke-width="1"/>'
