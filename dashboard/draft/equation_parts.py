"""What the operations on an equation have in common, and how they speak of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cst_core.causal import INTERCEPT, split_name
from cst_core.data import as_text
from cst_core.scenario import EquationPart, SharesPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.refusals import Refused, about_node, require_node, shown
from dashboard.draft.rules import put_equation


def equation_of(draft: Draft, node: str) -> EquationPart:
    """Return a node's equation, or refuse a node that has none."""
    world: DraftWorld = draft.world
    require_node(world, node)
    if node == draft.decision_node:
        raise Refused(
            f"'{node}' is the decision: it follows from the decision maker and has no equation.",
            about_node(node),
        )
    if not world.parents(node):
        raise Refused(
            f"No arrow leads to '{node}', so it has no equation. Draw an arrow first.",
            about_node(node),
        )
    return world.equation(node)


def put(draft: Draft, equation: EquationPart, **update: object) -> Draft:
    """Return the draft with fields of one equation replaced."""
    return draft.with_world(put_equation(draft.world, equation.model_copy(update=update)))


def signed_note(note: str, author: str) -> str:
    """Return why something was set by hand, with by whom."""
    note, author = note.strip(), author.strip()
    if not author:
        return note
    return f"{note} ({author})" if note else f"Set by {author}."


def rows_by_hand(equation: EquationPart) -> list[SharesPart]:
    """Return the rows of shares that were set by hand."""
    return [row for row in equation.shares if row.source == "by hand"]


def same_causes(when: Mapping[str, object]) -> frozenset[tuple[str, str]]:
    """Return a row's causes to compare, however their values are written."""
    return frozenset((name, as_text(value)) for name, value in when.items())


def when_in_words(when: Mapping[str, object]) -> str:
    """Return the causes of a row of shares for a sentence.

    Examples
    --------
    >>> when_in_words({"gender": "female", "race": 1})
    'gender = female, race = 1'
    """
    return ", ".join(f"{name} = {as_text(value)}" for name, value in when.items())


def of_100(shares: Mapping[str, float]) -> str:
    """Return shares for a sentence, as so many of 100; levels that nobody has are left out.

    Examples
    --------
    >>> of_100({"A": 0.12, "B": 0.88, "C": 0.0})
    'A 12, B 88'
    """
    return ", ".join(f"{level} {shown(100 * part)}" for level, part in shares.items() if part)


def bounds_in_words(bounds: tuple[float | None, float | None]) -> str:
    """Return bounds for a sentence.

    Examples
    --------
    >>> bounds_in_words((0, 4)), bounds_in_words((None, 4)), bounds_in_words((None, None))
    ('0 to 4', '4 at most', 'none')
    """
    low, high = bounds
    if low is not None and high is not None:
        return f"{shown(low)} to {shown(high)}"
    if low is not None:
        return f"{shown(low)} at least"
    return "none" if high is None else f"{shown(high)} at most"


def products_in_words(groups: Iterable[Iterable[str]]) -> str:
    """Return products of causes for a sentence."""
    return ", ".join(" × ".join(group) for group in groups) or "none"


def the_coefficient(term: str) -> str:
    """Return what a term's coefficient is called in a sentence."""
    if term == INTERCEPT:
        return "the intercept"
    return f"the coefficient of {':'.join(split_name(term))}"
