"""Operations on how a node follows from its causes: its mechanism and its coupling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cst_core.causal import COUPLING_WORDS, MECHANISMS, CouplingKind, MechanismKind
from cst_core.scenario import EquationPart
from dashboard.draft.document import Draft
from dashboard.draft.equation_parts import equation_of, put, rows_by_hand, when_in_words
from dashboard.draft.refusals import Operation, Refused, about_node
from dashboard.draft.rules import holds_names, put_equation


class SetMechanism(Operation):
    """Choose how a node follows from its causes, by kind of mechanism."""

    op: Literal["set_mechanism"] = "set_mechanism"
    node: str
    mechanism: MechanismKind
    drop: bool = False

    def apply_to(self, draft: Draft) -> Draft:
        equation = equation_of(draft, self.node)
        if equation.mechanism == self.mechanism:
            return draft
        after = after_mechanism(draft, equation, self.mechanism)
        if after.lost and not self.drop:
            raise Refused(
                f"Where {MECHANISMS[self.mechanism].clause}, what was set by hand for {self.node} "
                f"means nothing. This drops {', '.join(after.lost)}; confirm this first.",
                about_node(self.node),
            )
        return draft.with_world(put_equation(draft.world, after.equation))

    def summary(self, draft: Draft) -> str:
        how = MECHANISMS[self.mechanism].label
        return f"Set how {self.node} follows from its causes to {how}"


class SetCoupling(Operation):
    """Choose how someone's value here and in the other world hang together; None for the usual."""

    op: Literal["set_coupling"] = "set_coupling"
    node: str
    coupling: CouplingKind | None

    def apply_to(self, draft: Draft) -> Draft:
        return put(draft, equation_of(draft, self.node), coupling=self.coupling)

    def summary(self, draft: Draft) -> str:
        what = f"what is assumed of the same person's {self.node} in the other world"
        if self.coupling is None:
            return f"Left {what} as usual"
        return f"Set {what}: {COUPLING_WORDS[self.coupling]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterMechanism:
    """An equation with another mechanism, and what was said by hand that it drops."""

    equation: EquationPart
    lost: tuple[str, ...]


def after_mechanism(draft: Draft, equation: EquationPart, kind: MechanismKind) -> AfterMechanism:
    """Return an equation with another mechanism; numbers by hand stay where they mean the same.

    Of names a sum is one of log-odds anyway, so its coefficients stay with the log-odds.
    """
    takes = MECHANISMS[kind].takes_coefficients
    by_hand = {
        term: item for term, item in equation.coefficients.items() if item.source == "by hand"
    }
    coefficients = by_hand if takes and holds_names(draft, equation.node) else {}
    products = equation.interactions if takes else ()
    rows = rows_by_hand(equation) if MECHANISMS[kind].is_table else []
    lost = [term for term in by_hand if term not in coefficients]
    lost += [" × ".join(group) for group in equation.interactions if group not in products]
    lost += [
        f"the shares for {when_in_words(row.when)}"
        for row in rows_by_hand(equation)
        if row not in rows
    ]
    return AfterMechanism(
        equation=equation.model_copy(
            update={
                "mechanism": kind,
                "coefficients": coefficients,
                "interactions": products,
                "shares": tuple(rows),
                "regressor": None,
            }
        ),
        lost=tuple(lost),
    )
