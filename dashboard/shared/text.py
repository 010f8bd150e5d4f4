"""Text from files and people, made safe to show."""

from __future__ import annotations

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&^=\"'@/])")
_LABEL = re.compile(r"([\\`*\[\]<~$&]|(?<!\w)_|_(?!\w))")
_BLANK = re.compile(r"\s+")
# Signs that are markup only with a partner, and those that are it only before certain others.
_PAIRED = ("`", "*", "~", "$")
_EDGE = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_LINKED = re.compile(r"\][(\[:]|!\[")
_LEADING = re.compile(r"\\(?=[!-/:-@\[-`{-~])|<(?=[a-zA-Z/!?])|&(?=#?\w+;)")
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


def whole_label(text: object) -> str:
    r"""Return the whole label of a field, with as few escapes as it takes.

    A screen reader says a label as it is written, and most signs are markup only in pairs: what
    stands alone needs no escape. It must be the whole label, since a partner may come later in it.

    Examples
    --------
    >>> whole_label("Coefficient of k$ in a*b [m]")
    'Coefficient of k$ in a*b [m]'
    >>> print(whole_label("Coefficient of k$ in m$"))
    Coefficient of k\$ in m\$
    """
    apart = _ENLIVENED.sub(JOINER, set_apart(_BLANK.sub(" ", str(text))))
    signs = {sign for sign in _PAIRED if apart.count(sign) > 1}
    if _LINKED.search(apart):
        signs |= {"[", "]"}
    if len(_EDGE.findall(apart)) > 1:
        signs |= {"_"}
    escaped = _LEADING.sub(r"\\\g<0>", apart)
    return "".join(f"\\{sign}" if sign in signs else sign for sign in escaped)


def capital(text: str) -> str:
    """Return text that begins with a capital letter; the rest stays as it is, and so do symbols.

    Examples
    --------
    >>> capital("a number"), capital("τ must be")
    ('A number', 'τ must be')
    """
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def markup(text: object) -> str:
    """Return text for an HTML place in which nothing of it is markup."""
    return html.escape(set_apart(text), quote=True)
