"""Asking for the long computations, on whichever page they are shown."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from cst_core.evidence.verdicts import Method
from cst_core.results import MultipleResult, SingleResult
from cst_core.robustness.recentred import CAUSAL_METHODS
from dashboard.draft.document import Draft
from dashboard.evidence.exports import source_line
from dashboard.evidence.results import Choice
from dashboard.robustness import reports
from dashboard.robustness.basis import basis_of
from dashboard.robustness.keeping import Kept, compute_button, kept
from dashboard.robustness.reports import BootstrapReport, EffectReport, PlaceboReport, Report
from dashboard.text import markdown

REPEATS, REFITS, SEED = 100, 200, 1
NOT_CAUSAL = (
    "Situation testing (ST) does not use the causal model, so nothing here depends on it. Choose "
    "another method to see this."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be doubted, and how random parts are drawn."""

    draft: Draft
    choice: Choice
    found: SingleResult | MultipleResult
    method: Method
    repeats: int = REPEATS
    refits: int = REFITS
    seed: int = SEED

    @property
    def source(self) -> str:
        """The line that says what it is computed from."""
        return source_line(self.draft, self.choice)

    @property
    def basis(self) -> str:
        """All it depends on."""
        return basis_of(self.draft, self.choice)

    def name(self, kind: str) -> str:
        """Return under which name a computation is kept: each test and method has its own."""
        about = hashlib.sha256(f"{self.choice.test}\0{self.choice.method}".encode()).hexdigest()
        return f"{kind} {about[:24]}"

    def placebo(self) -> Kept[PlaceboReport] | None:
        """Return the placebo that was kept."""
        return kept(self.name("placebo"), PlaceboReport, self.basis)

    def bootstrap(self) -> Kept[BootstrapReport] | None:
        """Return the refits that were kept."""
        return kept(self.name("bootstrap"), BootstrapReport, self.basis)

    def effect(self) -> Kept[EffectReport] | None:
        """Return what was kept on the scaled effect."""
        return kept(self.name("effect"), EffectReport, self.basis)


def ask_placebo(asked: Asked, *, has_one: bool) -> None:
    """Offer to deal out the label at random."""
    _ask(
        asked,
        "placebo",
        "Dealing out the label at random",
        f"{asked.repeats:,} times the whole test, with the causal model fitted anew.",
        has_one=has_one,
        make=partial(
            reports.make_placebo,
            asked.found,
            asked.choice,
            asked.method,
            repeats=asked.repeats,
            seed=asked.seed,
        ),
    )


def ask_bootstrap(asked: Asked, *, has_one: bool) -> None:
    """Offer to fit the causal model to other samples."""
    if not _is_causal(asked.method):
        return
    _ask(
        asked,
        "bootstrap",
        "Fitting the causal model again",
        f"{asked.refits:,} refits to people drawn anew from the data, for everyone at once.",
        has_one=has_one,
        make=partial(
            reports.make_bootstrap,
            asked.found,
            asked.choice,
            asked.method,
            refits=asked.refits,
            seed=asked.seed,
        ),
    )


def ask_effect(asked: Asked, *, has_one: bool) -> None:
    """Offer to scale the assumed effect."""
    if not _is_causal(asked.method):
        return
    _ask(
        asked,
        "effect",
        "Scaling the assumed effect",
        "The effect from none to twice as large, for everyone at once.",
        has_one=has_one,
        make=partial(reports.make_effect, asked.found, asked.choice, asked.method, seed=asked.seed),
    )


def _ask(
    asked: Asked,
    kind: str,
    words: str,
    takes: str,
    *,
    has_one: bool,
    make: Callable[..., Report],
) -> None:
    source = asked.source  # now: the work is done in a thread that knows no session
    compute_button(
        asked.name(kind),
        words,
        asked.basis,
        lambda tell: make(tell=tell).model_copy(update={"source": source}),
        has_one=has_one,
        takes=takes,
    )


def _is_causal(method: Method) -> bool:
    """Return whether a method uses the causal model; where it does not, say so."""
    if method not in CAUSAL_METHODS:
        st.info(NOT_CAUSAL, icon=":material/info:")
    return method in CAUSAL_METHODS


def say_stale(report: Kept[Any]) -> None:
    """Say when a computation is about the case as it was before."""
    if report.stale:
        st.warning(markdown(report.stale), icon=":material/history:")
