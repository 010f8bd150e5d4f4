"""Numbers of one case as people read them and can compute with them."""

from __future__ import annotations

import math

from dashboard.text import MINUS, number, percent, short

DIGITS = 7
"""As many are shown that a reader with a calculator gets the same result."""


def exact(value: float) -> str:
    """Return a number with as many digits as a calculation needs."""
    value = value or 0.0
    size = abs(value)
    if size >= 10**DIGITS and size < 1e15:
        shown = f"{value:,.0f}"
    else:
        shown = f"{value:,.{DIGITS}g}"
        if "e" in shown:
            digits, power = shown.split("e")
            shown = f"{digits} × 10^{int(power)}"
    return shown.replace("-", MINUS)


def in_brackets(value: float) -> str:
    """Return a number to be added to others: in brackets when it is negative."""
    return f"({exact(value)})" if value < 0 else exact(value)


def difference(value: float) -> str:
    """Return a difference of shares, always with as many digits."""
    return f"{value + 0.0:.3f}".replace("-", MINUS) if abs(value) >= 5e-4 else "0.000"


def value_of(value: object) -> str:
    """Return an attribute's value as people read it."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        try:
            value = value.item()  # type: ignore[attr-defined]
        except AttributeError:
            return short(value, 60)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return exact(float(value)) if math.isfinite(value) else str(value)
    return short(value, 60)


def number_of_people(value: float) -> str:
    """Return how many people, in parts where places are shared."""
    whole = round(value)
    return f"{whole:,}" if abs(value - whole) < 1e-6 else number(value, 4)


def share(value: float) -> str:
    """Return a share as a percentage, with a decimal only where there is one."""
    return percent(value, 1).replace(".0 %", " %")
