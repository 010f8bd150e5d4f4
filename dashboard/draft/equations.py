"""Operations on the equations of the world that is open: coefficients, link, bounds, products."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from cst_core.causal import (
    INTERCEPT,
    MECHANISMS,
    Link,
    MechanismKind,
    coefficient_term,
    join_name,
)
from cst_core.scenario import CoefficientPart, EquationPart
from dashboard.draft.document import Draft
from dashboard.draft.equation_parts import (
    bounds_in_words,
    equation_of,
    products_in_words,
    put,
    rows_by_hand,
    signed_note,
    the_coefficient,
)
from dashboard.draft.refusals import Operation, Refused, about_node, shown
from dashboard.draft.rules import holds_names

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
    mechanism: MechanismKind | None = None
    """What the number is meant for, where the equation leaves it open."""

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
        mechanism = self.mechanism or equation.mechanism
        if MECHANISMS[equation.mechanism].takes_coefficients and holds_names(draft, self.node):
            mechanism = equation.mechanism  # of names they can only be log-odds
        _require_coefficients(equation.model_copy(update={"mechanism": mechanism}))
        _require_term(draft, equation, self.term)
        if not isfinite(self.value) or abs(self.value) > LARGEST:
            raise Refused(
                f"The coefficient of {self.term} in {self.node} must be a number between "
                f"−{LARGEST:,.0f} and {LARGEST:,.0f}.",
                about_node(self.node),
            )
        part = CoefficientPart(
            value=self.value, source="by hand", note=signed_note(self.note, self.author)
        )
        coefficients = {**equation.coefficients, self.term: part}
        return put(draft, equation, mechanism=mechanism, coefficients=coefficients, shares=())

    def summary(self, draft: Draft) -> str:
        return f"Set {the_coefficient(self.term)} in {self.node} to {shown(self.value)} by hand"


class ResetCoefficient(Operation):
    """Leave a coefficient to the data again."""

    op: Literal["reset_coefficient"] = "reset_coefficient"
    node: str
    term: str

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
        kept = {term: item for term, item in equation.coefficients.items() if term != self.term}
        return put(draft, equation, coefficients=kept)

    def summary(self, draft: Draft) -> str:
        return f"Left {the_coefficient(self.term)} in {self.node} to the data again"


class ResetEquation(Operation):
    """Leave every coefficient and share of an equation to the data again."""

    op: Literal["reset_equation"] = "reset_equation"
    done = "Left the numbers of {node} to the data again"
    node: str

    def apply_to(self, draft: Draft) -> Draft:
        return put(draft, equation_of(draft, self.node), coefficients={}, shares=())


class ResetAll(Operation):
    """Leave every coefficient and share of the world that is open to the data again."""

    op: Literal["reset_all"] = "reset_all"

    def apply_to(self, draft: Draft) -> Draft:
        for equation in draft.world.equations:
            draft = put(draft, equation, coefficients={}, shares=())
        return draft

    def summary(self, draft: Draft) -> str:
        return f"Left every number of {draft.world.name} to the data again"


class SetLink(Operation):
    """Choose an equation's link; coefficients set by hand meant the other scale."""

    op: Literal["set_link"] = "set_link"
    done = "Set the link of {node} to {link}"
    node: str
    link: Link
    drop_by_hand: bool = False

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
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
        return put(draft, equation, link=self.link, coefficients={})


class SetBounds(Operation):
    """Say between which values a node can lie; either end may be open."""

    op: Literal["set_bounds"] = "set_bounds"
    node: str
    low: float | None = None
    high: float | None = None

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
        if any(end is not None and not isfinite(end) for end in (self.low, self.high)):
            raise Refused(f"The bounds of {self.node} must be numbers.", about_node(self.node))
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise Refused(
                f"The lower bound of {self.node}, {shown(self.low)}, is not below the upper bound, "
                f"{shown(self.high)}.",
                about_node(self.node),
            )
        return put(draft, equation, bounds=(self.low, self.high))

    def summary(self, draft: Draft) -> str:
        if self.low is None and self.high is None:
            return f"Removed the bounds of {self.node}"
        return f"Set the bounds of {self.node} to {bounds_in_words((self.low, self.high))}"


class SetInteractions(Operation):
    """Say which causes of a node act together, as products."""

    op: Literal["set_interactions"] = "set_interactions"
    node: str
    groups: tuple[tuple[str, ...], ...]

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
        if self.groups:
            _require_coefficients(equation)
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
            if (found := coefficient_term(term, causes)[1]) is None
            or len(found.factors) < 2
            or found.nodes in products
        }
        return put(draft, equation, interactions=products, coefficients=kept)

    def summary(self, draft: Draft) -> str:
        if not self.groups:
            return f"Removed the interactions in {self.node}"
        return f"Set the interactions in {self.node} to {products_in_words(self.groups)}"


class NoteEquation(Operation):
    """Write why an equation is as it is; an empty note removes it."""

    op: Literal["note_equation"] = "note_equation"
    node: str
    note: str

    def apply_to(self, draft: Draft) -> Draft:
        return put(draft, equation_of(draft, self.node), note=self.note)

    def summary(self, draft: Draft) -> str:
        return f"{'Wrote' if self.note else 'Removed'} the note of the equation of {self.node}"


def _require_coefficients(equation: EquationPart) -> None:
    """Refuse a coefficient or product of an equation that has none."""
    kind = MECHANISMS[equation.mechanism]
    if not kind.takes_coefficients:
        raise Refused(
            f"In '{equation.node}' {kind.clause}, so its equation has no coefficients and no "
            "products. Let it be a sum first.",
            about_node(equation.node),
        )
    if rows_by_hand(equation):
        raise Refused(
            f"Rows of shares of {equation.node} were set by hand, and beside them there are no "
            "coefficients and no products. Leave the rows to the data first.",
            about_node(equation.node),
        )


def _require_term(draft: Draft, equation: EquationPart, term: str) -> None:
    """Refuse a term that the equation does not have."""
    causes = draft.world.parents(equation.node)
    found = coefficient_term(term, causes)[1]
    if found is None or (len(found.factors) > 1 and found.nodes not in equation.interactions):
        products = [join_name(group) for group in equation.interactions]
        known = ", ".join([INTERCEPT, *causes, *products])
        raise Refused(
            f"The equation of '{equation.node}' has no term '{term}'. Its terms are: {known}.",
            about_node(equation.node),
        )
    bare = [name for name, level in found.factors if level is None and holds_names(draft, name)]
    if bare:
        raise Refused(
            f"'{bare[0]}' holds names, so it has a coefficient for each value, such as "
            f"'{bare[0]}=…', and none of its own.",
            about_node(equation.node),
        )
