"""Operations on accepted arrows: influences that are taken to be justified, with the reason."""

from __future__ import annotations

from typing import Literal

from dashboard.draft.document import Draft
from dashboard.draft.refusals import Operation, Refused, about_edge, require_edge


class AcceptEdge(Operation):
    """Accept an arrow's influence as justified, or give another reason for it."""

    op: Literal["accept_edge"] = "accept_edge"
    cause: str
    effect: str
    reason: str

    def apply_to(self, draft: Draft) -> Draft:
        if not self.reason.strip():
            raise Refused(
                f"Say why the arrow {self.cause} → {self.effect} is accepted: what makes this "
                "influence justified.",
                about_edge(self.cause, self.effect),
            )
        return _accepted(draft, self.cause, self.effect, self.reason.strip())

    def summary(self, draft: Draft) -> str:
        edge, arrow = draft.world.edge(self.cause, self.effect), f"{self.cause} → {self.effect}"
        if edge is not None and edge.accepted is not None:
            return f"Changed why the arrow {arrow} is accepted: {self.reason.strip()}"
        return f"Accepted the arrow {arrow}: {self.reason.strip()}"


class TakeBackAcceptance(Operation):
    """No longer accept an arrow's influence."""

    op: Literal["take_back_acceptance"] = "take_back_acceptance"
    done = "Took back that the arrow {cause} → {effect} is accepted"
    cause: str
    effect: str

    def apply_to(self, draft: Draft) -> Draft:
        return _accepted(draft, self.cause, self.effect, None)


def _accepted(draft: Draft, cause: str, effect: str, reason: str | None) -> Draft:
    found = require_edge(draft.world, cause, effect)
    after = found.model_copy(update={"accepted": reason})
    return draft.redrawn(
        edges=tuple(after if edge is found else edge for edge in draft.world.edges)
    )
