"""Pictures of how firm a verdict is; plain SVG, pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.complainant.firmness import Ends, Tipping
from dashboard.complainant.numbers import difference
from dashboard.complainant.svg import diamond, line, text, whole
from dashboard.setting_words import INTERVALS
from dashboard.style import Palette
from dashboard.text import number, percent

WIDTH, ROW, LEFT, RIGHT = 860, 30, 190.0, 820.0
NEAR = 70.0
"""Words nearer to each other than this would overlap."""


def intervals_picture(
    ends: Sequence[Ends], delta: float, tau: float, palette: Palette, *, against: bool
) -> str:
    """Return the two-sided interval by every method, with the bound that decides, against τ."""
    height = ROW * len(ends) + 62
    low = min(-0.05, tau, delta, *(one.lower for one in ends))
    high = max(0.05, tau, delta, *(one.upper for one in ends))

    def place(value: float) -> float:
        return LEFT + (value - low) / (high - low) * (RIGHT - LEFT)

    bottom = 16 + ROW * len(ends)
    body = [
        line(place(tau), 8, place(tau), bottom, palette.text, extra='stroke-dasharray="5 3"'),
        line(place(delta), 8, place(delta), bottom, palette.grid),
    ]
    for number_of, one in enumerate(ends):
        y = 24 + ROW * number_of
        name = INTERVALS[one.method]
        body += [
            text(LEFT - 12, y + 5, name, anchor="end"),
            line(place(one.lower), y, place(one.upper), y, palette.counterfactual,
                 extra='stroke-width="3"'),
            line(place(one.bound), y - 8, place(one.bound), y + 8, palette.text,
                 extra='stroke-width="3"'),
            diamond(place(delta), y, 5, palette.counterfactual),
        ]  # fmt: skip
    muted, side = f'fill="{palette.muted}"', "lower" if against else "upper"
    body += [
        line(LEFT, bottom, RIGHT, bottom, palette.muted),
        *(
            text(place(value), bottom + 18, difference(value), extra=muted)
            for value in (low, high)
            if abs(place(value) - place(tau)) > NEAR
        ),
        text(place(tau), bottom + 18, f"τ = {number(tau, 3)}"),
        text(
            (LEFT + RIGHT) / 2, bottom + 38,
            f"◆ Δp; thick line: two-sided interval; upright mark: the {side} bound, which decides",
            extra=muted,
        ),
    ]  # fmt: skip
    return whole(WIDTH, height, body, palette)


def tipping_picture(found: Tipping, palette: Palette) -> str:
    """Return from none to twice the assumed effect, where she is a significant case."""
    height, y, left, right = 106, 54, 40.0, WIDTH - 40.0

    def place(gamma: float) -> float:
        return left + gamma / 2 * (right - left)

    stretch = (found.below or 0.0, 2.0 if found.above is None else found.above)
    body = [line(left, y, right, y, palette.muted)]
    kinds = ((palette.counterfactual, "12"), (palette.muted, "4"))
    inside, outside = kinds if found.is_significant else kinds[::-1]
    for start, stop, (colour, width) in (
        (0.0, stretch[0], outside), (stretch[0], stretch[1], inside), (stretch[1], 2.0, outside),
    ):  # fmt: skip
        if stop - start > 1e-9:
            body.append(
                line(place(start), y, place(stop), y, colour, extra=f'stroke-width="{width}"')
            )
    for gamma in (0.0, 0.5, 1.0, 1.5, 2.0):
        body.append(line(place(gamma), y - 8, place(gamma), y + 8, palette.muted))
        body.append(text(place(gamma), y + 28, percent(gamma), extra=f'fill="{palette.muted}"'))
    body += [
        line(place(1), y - 26, place(1), y + 12, palette.text, extra='stroke-width="2"'),
        text(place(1), y - 32, "as assumed"),
        text(left, y - 32, "no effect", anchor="start", extra=f'fill="{palette.muted}"'),
        text(
            WIDTH / 2, y + 46, "share of the assumed effect, γ; thick: significant",
            extra=f'fill="{palette.muted}"',
        ),
    ]  # fmt: skip
    for gamma in (found.below, found.above):
        if gamma is not None:
            body.append(diamond(place(gamma), y, 8, palette.text))
            body.append(
                text(
                    place(gamma) + (-12 if gamma < 1 else 12),
                    y - 13,
                    percent(gamma),
                    anchor="end" if gamma < 1 else "start",
                    extra='font-weight="700"',
                )
            )
    return whole(WIDTH, height, body, palette)
