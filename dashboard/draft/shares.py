"""Operations on a table of shares: how often people with equal causes have each value."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from cst_core.causal import MECHANISMS, SUM_GUARD
from cst_core.scenario import Cell, SharesPart
from dashboard.draft.document import Draft
from dashboard.draft.equation_parts import (
    equation_of,
    of_100,
    put,
    rows_by_hand,
    same_causes,
    signed_note,
    when_in_words,
)
from dashboard.draft.refusals import Operation, Refused, about_node, shown


class SetShares(Operation):
    """Set a row of shares by hand, with why and by whom; they add up to 1."""

    op: Literal["set_shares"] = "set_shares"
    node: str
    when: dict[str, Cell]
    shares: dict[str, float]
    note: str = ""
    author: str = ""

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
        causes = draft.world.parents(self.node)
        if set(self.when) != set(causes):
            raise Refused(
                f"A row of shares of {self.node} is for a value of each cause "
                f"({', '.join(causes)}); {', '.join(self.when) or 'none'} was given.",
                about_node(self.node),
            )
        by_hand = [term for term, item in equation.coefficients.items() if item.source == "by hand"]
        takes_shares = MECHANISMS[equation.mechanism].takes_shares
        if by_hand or equation.interactions or not takes_shares:
            raise Refused(
                f"{self.node} has coefficients, products or another mechanism, and beside them "
                "there are no shares. Leave them to the data first, and take shares.",
                about_node(self.node),
            )
        _require_whole(self)
        row = SharesPart(
            when=self.when, shares=self.shares, note=signed_note(self.note, self.author)
        )
        others = _others(draft, self.node, self.when)
        return put(
            draft,
            equation,
            shares=(*others, row),
            coefficients={},
            link="identity",
        )

    def summary(self, draft: Draft) -> str:
        where = when_in_words(self.when)
        return f"Set the shares of {self.node} for {where} by hand, of 100: {of_100(self.shares)}"


class ResetShares(Operation):
    """Leave a row of shares to the data again."""

    op: Literal["reset_shares"] = "reset_shares"
    node: str
    when: dict[str, Cell]

    def apply_to(self, draft: Draft) -> Draft:
        return put(
            draft, equation_of(draft, self.node), shares=_others(draft, self.node, self.when)
        )

    def summary(self, draft: Draft) -> str:
        return f"Left the shares of {self.node} for {when_in_words(self.when)} to the data again"


def _require_whole(row: SetShares) -> None:
    """Refuse shares that are no shares, or do not add up to 1."""
    wrong = [level for level, part in row.shares.items() if not isfinite(part) or part < 0]
    if wrong:
        raise Refused(
            f"Of 100 people with {when_in_words(row.when)} there cannot be "
            f"{shown(100 * row.shares[wrong[0]])} with {wrong[0]}.",
            about_node(row.node),
        )
    total = sum(row.shares.values())
    if abs(total - 1) > SUM_GUARD:
        gap = 100 * (1 - total)
        rest = f"{shown(gap)} are missing" if gap > 0 else f"{shown(-gap)} are too many"
        raise Refused(
            f"Of 100 people with {when_in_words(row.when)} each has one value of {row.node}, so "
            f"the numbers must add up to 100. They add up to {shown(100 * total)}: {rest}.",
            about_node(row.node),
        )


def _others(draft: Draft, node: str, when: dict[str, Cell]) -> tuple[SharesPart, ...]:
    rows = rows_by_hand(draft.world.equation(node))
    return tuple(row for row in rows if same_causes(row.when) != same_causes(when))
