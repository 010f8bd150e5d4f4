"""What a setting is: its names, its words, what it may be, and how it is refused."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, NamedTuple

from cst_core.errors import SettingsError

SettingPart = Literal["evidence", "search", "test"]


class Bounds(NamedTuple):
    """The numbers that a setting may have; with `is_open`, the two ends are left out."""

    low: float
    high: float = math.inf
    is_open: bool = False

    @property
    def ends(self) -> tuple[float, float | None]:
        """The smallest and the largest number allowed; None where there is no largest."""
        if self.is_open:
            return math.nextafter(self.low, self.high), math.nextafter(self.high, self.low)
        return self.low, None if self.high == math.inf else self.high

    @property
    def words(self) -> str:
        """What is expected, to follow the word."""
        if self.is_open:
            return f"a number above {self.low:g} and below {self.high:g}"
        if self.high == math.inf:
            return f"a number of {self.low:g} or more"
        return f"a number from {self.low:g} to {self.high:g}"

    def hold(self, value: object) -> bool:
        """Return whether a value is a finite number within them."""
        if not isinstance(value, Real) or not math.isfinite(value):
            return False
        number, (low, high) = float(value), self.ends
        return low <= number and (high is None or number <= high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting; it has bounds, or choices in words, or it is a switch.

    Attributes
    ----------
    name
        What scenario files, flags (with hyphens) and links call it.
    part, field
        The object that holds it, and its name there.
    label, symbol, help
        What it is called on screen and in files, its symbol in the paper, and what it does.
    default
        What it is where nobody says otherwise.
    bounds, is_whole
        Of a number; None is allowed too where it is the default. Whether it must be a whole one.
    words, remarks
        Of a choice: each option in words, and what a list of options says behind some of them.
    advice
        A sentence behind the refusal of a value.
    mark
        What a short line of settings says of it; by default its name and value.
    is_always_said
        Whether such a line says it even where it is the default.
    is_in_presets
        Whether every preset fixes it, at the default unless the preset says otherwise.
    is_for_several
        Whether it matters only to tests of several attributes.
    takes_long
        Whether what it asks for is computed beside a page, as a search is.
    unless
        Another setting's name and the value with which this one must stay at its default.
    """

    name: str
    part: SettingPart
    field: str
    label: str
    help: str
    default: Any
    symbol: str = ""
    bounds: Bounds | None = None
    words: Mapping[str, str] = dataclasses.field(default_factory=dict)
    remarks: Mapping[str, str] = dataclasses.field(default_factory=dict)
    advice: str = ""
    mark: str = ""
    is_always_said: bool = False
    is_in_presets: bool = False
    is_for_several: bool = False
    unless: tuple[str, object] | None = None
    is_whole: bool = False
    takes_long: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off."""
        return not self.words and self.bounds is None

    @property
    def title(self) -> str:
        """Its label and symbol."""
        return f"{self.label} {self.symbol}".strip()

    @property
    def expected(self) -> str:
        """What it may be, to follow the word."""
        if self.bounds is not None:
            whole = "a whole number" if self.is_whole else "a number"
            return self.bounds.words.replace("a number", whole)
        quoted = [repr(name) for name in self.words] or ["True", "False"]
        return f"{', '.join(quoted[:-1])} or {quoted[-1]}"

    def check(self, value: object) -> None:
        """Raise unless it may be this."""
        if self.bounds is not None:
            fits = (value is None and self.default is None) or self.bounds.hold(value)
            fits &= not self.is_whole or isinstance(value, int)
        else:
            fits = value in self.words if self.words else isinstance(value, bool)
        if not fits:
            symbol = f" ({self.symbol})" if self.symbol else ""
            raise SettingsError(
                f"{self.field}{symbol}: expected {self.expected}, got {value!r}. "
                f"{self.advice}".rstrip()
            )

    def is_free(self, values: Mapping[str, object]) -> bool:
        """Return whether it may be moved beside these values of the others."""
        return self.unless is None or values[self.unless[0]] != self.unless[1]

    def in_words(self, value: Any) -> str:
        """Return a value for people.

        Examples
        --------
        >>> from cst_core.evidence import SETTINGS
        >>> SETTINGS["interval"].in_words("score"), SETTINGS["tie_robust"].in_words(True)
        ('Miettinen–Nurminen', 'yes')
        """
        if self.is_switch:
            return "yes" if value else "no"
        if self.words:
            return self.words[value]
        return "none" if value is None else f"{value:g}".replace("-", "\N{MINUS SIGN}")

    def in_short(self, value: Any) -> str:
        """Return what a line of settings says of it; empty where that is nothing.

        Examples
        --------
        >>> from cst_core.evidence import SETTINGS
        >>> [SETTINGS[name].in_short(value) for name, value in
        ...  (("tau", 0.05), ("ties", "last"), ("ties", "expected"), ("balance_radii", True))]
        ['τ = 0.05', 'ties last', '', 'balanced']
        """
        if value == self.default and not self.is_always_said:
            return ""
        if self.mark:
            return self.mark
        return f"{self.symbol} = {value:g}" if self.symbol else self._spoken(value)

    def _spoken(self, value: Any) -> str:
        name = self.name.replace("_", " ")
        return name if self.is_switch else f"{name} {value}"


def setting(default: Any, **about: Any) -> Any:
    """Return a field of a dataclass that is a setting; `about` are the attributes of `Setting`.

    The name is the field's own unless `about` gives another.
    """
    return dataclasses.field(default=default, metadata=about)
