"""Text from files and people, made safe to show; numbers as people read them."""

from __future__ import annotations

import html
import math
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=\"'@/])")
_LABEL = re.compile(r"([\\`*\[\]<~$&]|(?<!\w)_|_(?!\w))")
_BLANK = re.compile(r"\s+")
# Streamlit looks for addresses, short names of symbols and arrows made of signs in the finished
# text, where an escape is no longer seen. Something invisible between the signs keeps them apart.
_ENLIVENED = re.compile(r"(?<=[:@])(?=[\w+\-/])|(?<=[wW]{3})(?=\.)|(?<=[-<>~=])(?=[-<>=])")
JOINER = "\N{WORD JOINER}"
# Text that runs from right to left turns the order of what follows it: "of <name> 12 of 30" would
# read "of 30 12 <name>". So signs that steer the direction are left out, and each piece of such a
# script is set apart, which orders it within itself only.
ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_STEERING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LEFTWARD = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_LEFTWARDS = re.compile(f"[{_LEFTWARD}]+(?:[ \u00a0]+[{_LEFTWARD}]+)*")
MINUS = "\N{MINUS SIGN}"


def set_apart(text: object) -> str:
    """Return text in which no script turns the order of what stands beside it.

    For the screen only: files keep what people wrote.
    """
    return _LEFTWARDS.sub(rf"{ISOLATE}\g<0>{END}", _STEERING.sub("", str(text)))


def markdown(text: object) -> str:
    """Return text for a Markdown place in which nothing of it is markup, a link or an image."""
    apart = _ENLIVENED.sub(JOINER, set_apart(_BLANK.sub(" ", str(text))))
    return _MARKDOWN.sub(r"\\\1", apart)


def label(text: object) -> str:
    """Return text for the label of a field, in which nothing of it is markup, a link or an image.

    A label is Markdown, but a screen reader is given it as it is written. So only those signs are
    escaped that would be taken for markup inside a sentence.

    Examples
    --------
    >>> label("annual_salary (€/month)")
    'annual_salary (€/month)'
    """
    apart = _ENLIVENED.sub(JOINER, set_apart(_BLANK.sub(" ", str(text))))
    return _LABEL.sub(r"\\\1", apart)


def markup(text: object) -> str:
    """Return text for an HTML place in which nothing of it is markup."""
    return html.escape(set_apart(text), quote=True)


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


def count(number_of: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{number_of:,} {one if number_of == 1 else many or one + 's'}"


def listed(names: list[str] | tuple[str, ...], limit: int = 6) -> str:
    """Return names as a list in a sentence."""
    shown = [short(name) for name in names[:limit]]
    if len(names) > limit:
        shown.append(f"{len(names) - limit} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
