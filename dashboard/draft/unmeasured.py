"""Operations on two-headed arrows: something that was not measured moves both ends."""

from __future__ import annotations

from typing import Literal

from cst_core.scenario import BidirectedPart
from dashboard.draft.document import Draft
from dashboard.draft.refusals import Operation, Refused, about_bidirected, require_bidirected
from dashboard.draft.rules import bidirected_flaws


class AddBidirected(Operation):
    """Draw a two-headed arrow."""

    op: Literal["add_bidirected"] = "add_bidirected"
    done = "Drew the arrow {one} ↔ {other}"
    one: str
    other: str

    def apply_to(self, draft: Draft) -> Draft:
        target = about_bidirected(self.one, self.other)
        if draft.world.unmeasured(self.one, self.other) is not None:
            raise Refused(f"The arrow {self.one} ↔ {self.other} is already drawn.", target)
        arrow = BidirectedPart(between=(self.one, self.other))
        after = draft.redrawn(bidirected=(*draft.world.bidirected, arrow))
        problem = bidirected_flaws(after.world).get(len(draft.world.bidirected))
        if problem:
            raise Refused(problem, target)
        return after


class DeleteBidirected(Operation):
    """Remove a two-headed arrow."""

    op: Literal["delete_bidirected"] = "delete_bidirected"
    done = "Deleted the arrow {one} ↔ {other}"
    one: str
    other: str

    def apply_to(self, draft: Draft) -> Draft:
        gone = require_bidirected(draft.world, self.one, self.other)
        kept = tuple(arrow for arrow in draft.world.bidirected if arrow is not gone)
        return draft.redrawn(bidirected=kept)


class NoteBidirected(Operation):
    """Write what the unmeasured thing may be; an empty note removes it."""

    op: Literal["note_bidirected"] = "note_bidirected"
    one: str
    other: str
    note: str

    def apply_to(self, draft: Draft) -> Draft:
        noted = require_bidirected(draft.world, self.one, self.other)
        after = noted.model_copy(update={"note": self.note})
        arrows = tuple(after if arrow is noted else arrow for arrow in draft.world.bidirected)
        return draft.redrawn(bidirected=arrows)

    def summary(self, draft: Draft) -> str:
        arrow = f"{self.one} ↔ {self.other}"
        return f"{'Wrote' if self.note else 'Removed'} the note of the arrow {arrow}"
