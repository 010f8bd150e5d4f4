"""Numbers and lists as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"
DIGITS = 7
"""As many are shown that a reader with a calculator gets the same result."""


GUARD = 1e-9
"""Shares that differ by less are equal."""


def short(text: object, length: int = 60) -> str:
    """Return the beginning of a long text."""
    plain = str(text)
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def number(value: float | None, digits: int = 4) -> str:
    """Return a number with few digits, thousands separated, and a real minus sign."""
    if value is None:
        return "–"
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else "∞" if value > 0 else f"{MINUS}∞"
    value = value or 0.0  # no minus before zero
    size = abs(value)
    if size >= 10 ** max(digits, 4) or value == int(value):
        shown = f"{value:,.0f}" if size < 1e15 else f"{value:.3g}"
    elif size >= 1e-4:
        before = max(len(str(int(size))), 1) if size >= 1 else 0
        leading = 0 if size >= 1 else _leading_zeros(size)
        shown = f"{value:,.{max(digits - before + leading, 0)}f}"
        shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    else:
        shown = f"{value:.2g}"
    return shown.replace("-", MINUS)


def _leading_zeros(size: float) -> int:
    zeros = 0
    while size < 0.1:
        size *= 10
        zeros += 1
    return zeros


def signed(value: float, digits: int = 4) -> str:
    """Return a number with its sign, also when it is positive."""
    shown = number(value, digits)
    return f"+{shown}" if value > 0 else shown


def percent(share: float, digits: int = 0) -> str:
    """Return a share as a percentage; never 0 % or 100 % unless it is just that."""
    shown = f"{100 * (share or 0.0):.{digits}f}"
    step = 10.0**-digits
    if share > 0 and float(shown) == 0:
        return f"less than {step:.{digits}f} %"
    if share < 1 and float(shown) == 100:
        return f"more than {100 - step:.{digits}f} %"
    return f"{shown} %".replace("-", MINUS)


def of_100(share: float) -> str:
    """Return how many of 100 a share is; never none or all of them unless it is just that.

    Examples
    --------
    >>> of_100(0.713), of_100(0.002), of_100(0.999)
    ('71 of 100', 'fewer than 1 of 100', 'more than 99 of 100')
    """
    return f"{_in_100(share)} of 100"


def _in_100(share: float) -> str:
    whole = round(100 * share)
    if share > GUARD and whole == 0:
        return "fewer than 1"
    if share < 1 - GUARD and whole == 100:
        return "more than 99"
    return str(whole)


def in_100(parts: Sequence[tuple[str, float]], limit: int = 4) -> str:
    """Return what is how often, the rest together.

    Examples
    --------
    >>> in_100([("D", 0.758), ("A", 0.24), ("B", 0.002)])
    'D in 76 of 100, A in 24 and B in fewer than 1'
    """
    shown = list(parts) if len(parts) <= limit else list(parts[: limit - 1])
    left = parts[len(shown) :]
    if left:
        shown.append((f"{len(left)} others", sum(share for _, share in left)))
    said = [
        f"{name} in {_in_100(share)}{'' if place else ' of 100'}"
        for place, (name, share) in enumerate(shown)
    ]
    return _joined(said)


def count(number_of: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{number_of:,} {one if number_of == 1 else many or one + 's'}"


def listed(names: list[str] | tuple[str, ...], limit: int = 6) -> str:
    """Return names as a list in a sentence."""
    shown = [short(name) for name in names[:limit]]
    if len(names) > limit:
        shown.append(f"{len(names) - limit} more")
    return _joined(shown)


def _joined(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def exact(value: float | str) -> str:
    """Return a number with as many digits as a calculation needs; a level as it is."""
    if isinstance(value, str):
        return value
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


def bound_of(value: float) -> str:
    """Return the bound of an interval for a difference of shares; not shown beyond −1 or 1.

    Some intervals (Wald's, Agresti and Caffo's) can pass the ends that no difference can pass. What
    is computed with stays as it is.

    Examples
    --------
    >>> bound_of(-1.043), bound_of(0.25)
    ('−1.000', '0.250')
    """
    return difference(min(max(value, -1.0), 1.0))


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


def part_of(value: float, size: float) -> str:
    """Return a share of so many people in counts and as a percentage.

    Examples
    --------
    >>> part_of(0.2, 15)
    '3 of 15 (20 %)'
    """
    return f"{number_of_people(value * size)} of {number_of_people(size)} ({share(value)})"
