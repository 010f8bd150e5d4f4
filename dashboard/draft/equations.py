"""Operations on the equations of the world that is open: coefficients, link, bounds, products."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from cst_core.causal.equations import INTERCEPT, Link
from cst_core.scenario.document import CoefficientPart, EquationPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.refusals import Operation, Refused, about_node, require_node, shown
from dashboard.draft.rules import factors, holds_names, put_equation

LARGEST = 1e12
"""A coefficient beyond this is a slip of the keyboard, and sums with it lose all digits."""


class SetCoefficient(Operation):
    """Set a coefficient by hand, with why and by whom."""

    op: Literal["set_coefficient"] = "set_coefficient"
    node: str
    term: str
    value: float
    note: str = ""
    author: str = ""

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with the coefficient set."""
        equation = _equation(draft, self.node)
        _require_linear(equation)
        _require_term(draft, equation, self.term)
        if not isfinite(self.value) or abs(self.value) > LARGEST:
            raise Refused(
                f"The coefficient of {self.term} in {self.node} must be a number between "
                f"−{LARGEST:,.0f} and {LARGEST:,.0f}.",
                about_node(self.node),
            )
        note, author = self.note.strip(), self.author.strip()
        by = f"({author})" if note else f"Set by {author}."
        part = CoefficientPart(
            value=self.value, source="by hand", note=f"{note} {by}".strip() if author else note
        )
        return _put(draft, equation, coefficients={**equation.coefficients, self.term: part})

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        return f"Set {_the(self.term)} in {self.node} to {shown(self.value)} by hand"


class ResetCoefficient(Operation):
    """Leave a coefficient to the data again."""

    op: Literal["reset_coefficient"] = "reset_coefficient"
    node: str
    term: str

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with the coefficient to be fitted."""
        equation = _equation(draft, self.node)
        kept = {term: item for term, item in equation.coefficients.items() if term != self.term}
        return _put(draft, equation, coefficients=kept)

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        return f"Left {_the(self.term)} in {self.node} to the data again"


class ResetEquation(Operation):
    """Leave every coefficient of an equation to the data again."""

    op: Literal["reset_equation"] = "reset_equation"
    node: str

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with the equation to be fitted."""
        return _put(draft, _equation(draft, self.node), coefficients={})

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        return f"Left the coefficients of {self.node} to the data again"


class ResetAll(Operation):
    """Leave every coefficient of the world that is open to the data again."""

    op: Literal["reset_all"] = "reset_all"

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with every equation to be fitted."""
        for equation in draft.world.equations:
            draft = _put(draft, equation, coefficients={})
        return draft

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        return f"Left every coefficient of {draft.world.name} to the data again"


class SetLink(Operation):
    """Choose an equation's link; coefficients set by hand meant the other scale."""

    op: Literal["set_link"] = "set_link"
    node: str
    link: Link
    drop_by_hand: bool = False

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with the link; coefficients on the former scale are gone."""
        equation = _equation(draft, self.node)
        if equation.link == self.link:
            return draft
        by_hand = [term for term, item in equation.coefficients.items() if item.source == "by hand"]
        if by_hand and not self.drop_by_hand:
            raise Refused(
                f"The coefficients of {', '.join(by_hand)} in {self.node} were set by hand for the "
                f"{equation.link} scale and mean nothing on the {self.link} scale. Changing the "
                "link drops them; confirm this first.",
                about_node(self.node),
            )
        return _put(draft, equation, link=self.link, coefficients={})

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        return f"Set the link of {self.node} to {self.link}"


class SetBounds(Operation):
    """Say between which values a node can lie; either end may be open."""

    op: Literal["set_bounds"] = "set_bounds"
    node: str
    low: float | None = None
    high: float | None = None

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with the bounds."""
        equation = _equation(draft, self.node)
        if any(end is not None and not isfinite(end) for end in (self.low, self.high)):
            raise Refused(f"The bounds of {self.node} must be numbers.", about_node(self.node))
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise Refused(
                f"The lower bound of {self.node}, {shown(self.low)}, is not below the upper bound, "
                f"{shown(self.high)}.",
                about_node(self.node),
            )
        return _put(draft, equation, bounds=(self.low, self.high))

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        if self.low is None and self.high is None:
            return f"Removed the bounds of {self.node}"
        return f"Set the bounds of {self.node} to {bounds_in_words((self.low, self.high))}"


class SetInteractions(Operation):
    """Say which causes of a node act together, as products."""

    op: Literal["set_interactions"] = "set_interactions"
    node: str
    groups: tuple[tuple[str, ...], ...]

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with these products; coefficients of others are gone."""
        equation = _equation(draft, self.node)
        if self.groups:
            _require_linear(equation)
        causes = draft.world.parents(self.node)
        present = {frozenset(group): group for group in equation.interactions}
        chosen: dict[frozenset[str], tuple[str, ...]] = {}
        for group in self.groups:
            if len(set(group)) < max(2, len(group)) or not set(group) <= set(causes):
                raise Refused(
                    f"An interaction combines two or more different causes of {self.node} "
                    f"({', '.join(causes)}); {' and '.join(group) or 'nothing'} was given.",
                    about_node(self.node),
                )
            names = frozenset(group)
            chosen.setdefault(names, present.get(names, tuple(group)))
        products = tuple(chosen.values())
        kept = {
            term: item
            for term, item in equation.coefficients.items()
            if len(found := factors(term, causes) or ()) < 2 or found in products
        }
        return _put(draft, equation, interactions=products, coefficients=kept)

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        if not self.groups:
            return f"Removed the interactions in {self.node}"
        products = ", ".join(" × ".join(group) for group in self.groups)
        return f"Set the interactions in {self.node} to {products}"


class NoteEquation(Operation):
    """Write why an equation is as it is; an empty note removes it."""

    op: Literal["note_equation"] = "note_equation"
    node: str
    note: str

    def apply_to(self, draft: Draft) -> Draft:
        """Return the draft with the note."""
        return _put(draft, _equation(draft, self.node), note=self.note)

    def summary(self, draft: Draft) -> str:
        """Return what was done."""
        return f"{'Wrote' if self.note else 'Removed'} the note of the equation of {self.node}"


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


def _the(term: str) -> str:
    return "the intercept" if term == INTERCEPT else f"the coefficient of {term}"


def _equation(draft: Draft, node: str) -> EquationPart:
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


def _require_linear(equation: EquationPart) -> None:
    """Refuse coefficients and products where the groups' own distributions are followed."""
    if equation.mechanism != "linear":
        raise Refused(
            f"The equation of '{equation.node}' keeps each person's rank within her group, so it "
            "has no coefficients or products.",
            about_node(equation.node),
        )


def _require_term(draft: Draft, equation: EquationPart, term: str) -> None:
    """Refuse a term that the equation does not have."""
    causes = draft.world.parents(equation.node)
    found = factors(term, causes)
    if found is None or (len(found) > 1 and found not in equation.interactions):
        products = [":".join(group) for group in equation.interactions]
        known = ", ".join([INTERCEPT, *causes, *products])
        raise Refused(
            f"The equation of '{equation.node}' has no term '{term}'. Its terms are: {known}.",
            about_node(equation.node),
        )
    bare = [name for name in found if name in term.split(":") and holds_names(draft, name)]
    if bare and term != INTERCEPT:
        raise Refused(
            f"'{bare[0]}' holds names, so it has a coefficient for each value, such as "
            f"'{bare[0]}=…', and none of its own.",
            about_node(equation.node),
        )


def _put(draft: Draft, equation: EquationPart, **update: object) -> Draft:
    return draft.with_world(put_equation(draft.world, equation.model_copy(update=update)))
