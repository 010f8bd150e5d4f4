"""Asking for the robustness checks that take long, on whichever page they are shown."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from cst_core.results import Result
from cst_core.robustness import Check, CheckRequest, Found
from dashboard.draft.document import Draft
from dashboard.frame.computations.source import origin_of
from dashboard.frame.computations.stored import StoredResult, compute_button, stored_result
from dashboard.frame.exports import source_line
from dashboard.shared.choice import Choice
from dashboard.shared.text import markdown

SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedTest:
    """A test whose findings are to be doubted, and how random parts are drawn.

    `repeats` holds by check how often it repeats, where that is not its own number.
    """

    draft: Draft
    choice: Choice
    found: Result
    repeats: Mapping[str, int] = field(default_factory=dict)
    seed: int = SEED

    @property
    def computed_from(self) -> str:
        """All a check depends on."""
        return origin_of(self.draft, self.choice)

    def name(self, check: Check[Any]) -> str:
        """Return under which name a check is kept: each test and method has its own."""
        about = hashlib.sha256(f"{self.choice.test}\0{self.choice.method}".encode()).hexdigest()
        return f"{check.name} {about[:24]}"

    def request(self, check: Check[Any]) -> CheckRequest:
        """Return what a check is given."""
        return CheckRequest(
            result=self.found,
            settings=(self.choice.settings,),
            method=self.choice.method,
            seed=self.seed,
            repeats=self.repeats.get(check.name, check.repeats),
        )

    def stored(self, check: Check[Found]) -> StoredResult[Found] | None:
        """Return what was kept of a check."""
        return stored_result(self.name(check), check.kind, self.computed_from)


def ask_for(check: Check[Any], asked: CheckedTest, *, has_one: bool) -> None:
    """Offer to make a check, or say why it cannot be made."""
    request = asked.request(check)
    why = check.missing(request)
    if why:
        st.info(why, icon=":material/info:")
        return
    compute_button(
        asked.name(check),
        check.doing or f"Computing {check.name}",
        asked.computed_from,
        lambda tell: check.result(replace(request, progress=tell)),
        # now: the work is done in a thread that knows no session
        source=source_line(asked.draft, asked.choice),
        has_one=has_one,
        takes=check.takes.format(repeats=request.repeats),
    )


def say_stale(stored: StoredResult[Any]) -> None:
    """Say when a computation is about the case as it was before."""
    if stored.stale:
        st.warning(markdown(stored.stale), icon=":material/history:")
