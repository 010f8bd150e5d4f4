r"""The terms of an equation, how they are written, and the number that stands before each.

A term is written ``intercept``, ``gender`` for a cause, ``region=north`` for one level of a nominal
cause, ``gender:region=north`` for a product. A ``:`` that belongs to a name is written ``\:``, as
in ``shift=12\:30``; backslashes before a ``:`` or at a name's end are doubled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from cst_core.causal.encoding import FloatArray, NodeValues
from cst_core.errors import CausalModelError

Source = Literal["fitted", "by hand"]
INTERCEPT = "intercept"
_BEFORE_COLON_OR_END = re.compile(r"(\\*)(:|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """One number in an equation, and where it comes from.

    Parameters
    ----------
    value
        The number in use; None until it is fitted.
    source
        ``"fitted"`` or ``"by hand"``. A refit never changes one set by hand.
    fitted_value, standard_error
        What the data say, kept beside a value set by hand, and how sure that is. The error of a
        linear equation allows for a spread that differs between people (HC3; with survey weights
        the sandwich), that of log-odds is from the likelihood.
    classical_error
        The textbook error of a linear equation, right only where everyone's noise spreads alike;
        with n − coefficients degrees of freedom it gives the classical t. None where the fit is
        weighted, the effect has levels, or the file is older than this number.
    note
        Why it was set, and by whom.
    """

    value: float | None = None
    source: Source = "fitted"
    fitted_value: float | None = None
    standard_error: float | None = None
    classical_error: float | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if self.source not in ("fitted", "by hand"):
            raise CausalModelError(
                f"Coefficient: expected source 'fitted' or 'by hand', got {self.source!r}."
            )
        if self.source == "by hand" and self.value is None:
            raise CausalModelError("Coefficient: one set by hand needs a value.")
        if self.value is not None and not abs(self.value) < float("inf"):
            raise CausalModelError(f"Coefficient: expected a finite number, got {self.value}.")


@dataclass(frozen=True, slots=True)
class Term:
    """A product of factors; a factor is (node, None) or (node, level of a nominal node)."""

    factors: tuple[tuple[str, str | None], ...]

    @classmethod
    def parse(cls, name: str, causes: Sequence[str]) -> Term | None:
        r"""Return the term of this name in an equation with these causes; None when it has none.

        Examples
        --------
        >>> Term.parse(r"sex:shift=12\:30", ["sex", "shift"])
        Term(factors=(('sex', None), ('shift', '12:30')))
        >>> Term.parse("shift=12:30", ["sex", "shift"]) is None
        True
        """
        if name in causes:
            return cls(((name, None),))
        if name == INTERCEPT:
            return cls(())
        factors: list[tuple[str, str | None]] = []
        for factor in split_name(name):
            if factor in causes:
                factors.append((factor, None))
                continue
            begun = [cause for cause in causes if factor.startswith(f"{cause}=")]
            if not begun:
                return None
            cause = max(begun, key=len)
            factors.append((cause, factor[len(cause) + 1 :]))
        return cls(tuple(factors))

    @property
    def name(self) -> str:
        """The term as it is written; see the module's text."""
        if not self.factors:
            return INTERCEPT
        if len(self.factors) == 1 and self.factors[0][1] is None:
            return self.factors[0][0]
        return join_name(
            node if level is None else f"{node}={level}" for node, level in self.factors
        )

    @property
    def nodes(self) -> tuple[str, ...]:
        """The causes that it multiplies."""
        return tuple(node for node, _ in self.factors)

    def values(self, parents: NodeValues, n: int) -> FloatArray:
        """Return the term's column of the design matrix."""
        column = np.ones(n)
        for node, level in self.factors:
            here = parents[node]
            column = column * (here if level is None else (here == level).astype(float))
        return column


def coefficient_term(name: str, causes: Sequence[str]) -> tuple[str, Term | None]:
    """Return what stands before a coefficient's term, and the term; None when it has none.

    An effect with levels has its coefficients by level, ``"north ~ income"``, or cuts between
    levels, ``"low | middle"``, which belong to no cause.

    Examples
    --------
    >>> coefficient_term("north ~ income", ["income"])
    ('north ~ ', Term(factors=(('income', None),)))
    >>> coefficient_term("low | middle", ["income"])
    ('low | middle', Term(factors=()))
    """
    term = Term.parse(name, causes)
    if term is not None:
        return "", term
    level, tilde, rest = name.rpartition(" ~ ")
    if tilde:
        return level + tilde, Term.parse(rest, causes)
    return (name, Term(())) if " | " in name else ("", None)


def join_name(factors: Iterable[str]) -> str:
    r"""Return a product's name.

    Examples
    --------
    >>> print(join_name(["sex", "shift=12:30"]))
    sex:shift=12\:30
    """
    return ":".join(
        _BEFORE_COLON_OR_END.sub(lambda hit: 2 * hit[1] + ("\\:" if hit[2] else ""), factor)
        for factor in factors
    )


def split_name(name: str) -> list[str]:
    r"""Return the factors that a product's name joins.

    Examples
    --------
    >>> split_name(r"sex:shift=12\:30")
    ['sex', 'shift=12:30']
    """
    factors, start = [""], 0
    for hit in _BEFORE_COLON_OR_END.finditer(name):
        slashes, colon = hit.groups()
        factors[-1] += name[start : hit.start()] + "\\" * (len(slashes) // 2)
        start = hit.end()
        if colon and len(slashes) % 2:
            factors[-1] += ":"
        elif colon:
            factors.append("")
        elif len(slashes) % 2:  # a lone one at the end was never doubled
            factors[-1] += "\\"
    return factors


def make_terms(
    parents: Sequence[str],
    interactions: Sequence[Sequence[str]],
    levels: Mapping[str, Sequence[str]],
) -> tuple[Term, ...]:
    """Return intercept, one term a parent (a nominal one: one a level but the first), products."""

    def factors(node: str) -> list[tuple[str, str | None]]:
        return [(node, level) for level in levels[node][1:]] if node in levels else [(node, None)]

    terms = [Term(())]
    terms += [Term((factor,)) for node in parents for factor in factors(node)]
    for nodes in interactions:
        terms += [Term(combined) for combined in product(*(factors(node) for node in nodes))]
    return tuple(terms)


def given_coefficients(
    node: str, given: Mapping[str, Coefficient], terms: Sequence[Term]
) -> dict[str, Coefficient]:
    """Return an equation's coefficients by their terms' names; raises for one of no term."""
    causes = [name for term in terms if len(term.factors) == 1 for name in term.nodes]
    parsed = {Term.parse(name, causes): name for name in given}
    unknown = [name for term, name in parsed.items() if term not in terms]
    if unknown:
        raise CausalModelError(
            f"Equation for '{node}': no such term as {', '.join(map(repr, unknown))}. "
            f"Its terms are: {', '.join(term.name for term in terms)}."
        )
    return {term.name: given[name] for term, name in parsed.items() if term}
