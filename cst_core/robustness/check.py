"""What a robustness check is: its name, what it needs, how it runs and what it gives back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np
import pandas as pd

from cst_core.causal import CausalModel
from cst_core.evidence import EvidenceSettings, Method
from cst_core.results import JsonResult, Result
from cst_core.robustness.other_model import CAUSAL_METHODS
from cst_core.testing import Progress

Need = Literal["one attribute", "causal method", "several worlds", "seed"]
MISSING: Mapping[Need, str] = {
    "one attribute": "Neighbourhoods belong to one attribute's test: see there.",
    "causal method": "Situation testing (ST) does not use the causal model, so nothing here "
    "depends on it. Choose another method to see this.",
    "several worlds": "The scenario has one causal model only: there is nothing to compare it "
    "with.",
}
"""What to say where a need is not met; a seed always is."""
NOT_CALIBRATED = (
    "Judged here by interval and correction alone, before calibration: labels are not dealt out "
    "anew for each repetition, causal model or k."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingCount:
    """One thing that was changed, and how many of the findings are still there.

    Attributes
    ----------
    what
        What was changed, in words.
    stand, of
        Findings that are still there, of so many.
    more
        Findings there now that were none before; None when that was not looked at.
    """

    what: str
    stand: int
    of: int
    more: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(JsonResult, ABC):
    """What every check gives back, at one group of settings or more.

    Attributes
    ----------
    seed
        Where its random numbers started; None when it drew none.
    notes
        What a reader must know to judge the numbers, in sentences.
    """

    seed: int | None = None
    notes: tuple[str, ...] = ()

    @abstractmethod
    def summary(self) -> tuple[str, ...]:
        """Return what was found, in sentences; not the notes."""

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """Return what was found as plain data: ``"results"`` holds a row a group of settings."""

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """Return what was found as tables for files; "" is the main one."""

    def stands(self) -> tuple[StandingCount, ...]:
        """Return how many findings stand under what it changes; empty when it says nothing."""
        return ()


Found = TypeVar("Found", bound=CheckResult)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CheckRequest:
    """What a check is given.

    Attributes
    ----------
    result
        One test's outcome.
    settings
        At which settings to look.
    method
        By which method to judge; None for the check's own: all of the test's for the placebo, CST
        w/o, which every case supports, for the others.
    worlds
        The causal models of the case, by name.
    seed
        Where random numbers start.
    repeats
        How often to repeat; None for the check's own number.
    progress
        Told how far the check is; returning False cancels (`CancelledError`).
    """

    result: Result
    settings: tuple[EvidenceSettings, ...]
    method: Method | None = None
    worlds: Mapping[str, CausalModel] = field(default_factory=dict)
    seed: int = 0
    repeats: int | None = None
    progress: Progress | None = None

    @property
    def common(self) -> dict[str, Any]:
        """What every check of the causal model is given, by parameter."""
        method = self.method or "CST_wo"
        return {"method": method, "seed": self.seed, "progress": self.progress}

    def meets(self, need: Need) -> bool:
        """Return whether it has what a check may need."""
        if need == "one attribute":
            return len(self.result.runs) == 1
        if need == "causal method":
            return self.method is None or self.method in CAUSAL_METHODS
        return need != "several worlds" or len(self.worlds) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Generic[Found]):
    """One way to doubt a test's findings.

    Attributes
    ----------
    name
        What `--robustness` calls it.
    kind
        The class of its results.
    run
        Does it: one result for each group of settings, or one for all of them.
    needs
        What a request must have.
    repeats, repeats_label
        How often it repeats unless asked otherwise, None where nothing is repeated; what that
        number is called.
    title
        The question it answers.
    doing, takes
        What is being done, and how much that is; ``{repeats}`` stands for how often.
    on_request
        Whether it takes so long that a screen computes it only when asked to.
    is_calibrated
        Whether calibrated settings are judged so; else it repeats so much that labels are not dealt
        out anew each time, and says so.
    """

    name: str
    kind: type[Found]
    run: Callable[[CheckRequest], Sequence[Found]]
    needs: tuple[Need, ...] = ()
    repeats: int | None = None
    repeats_label: str = ""
    title: str = ""
    doing: str = ""
    takes: str = ""
    on_request: bool = True
    is_calibrated: bool = False

    def missing(self, request: CheckRequest) -> str:
        """Return in a sentence what keeps it from being done; empty when nothing does."""
        return next((MISSING[need] for need in self.needs if not request.meets(need)), "")

    def report(self, request: CheckRequest) -> CheckReport:
        """Do it, or say why it cannot be done."""
        why = self.missing(request)
        results = () if why else tuple(self.run(self._complete(request)))
        seed = request.seed if "seed" in self.needs else None
        notes = () if why or not self._leaves_out(request) else (NOT_CALIBRATED,)
        return CheckReport(results=results, seed=seed, unavailable=why, notes=notes)

    def result(self, request: CheckRequest) -> Found:
        """Do it at one group of settings."""
        (found,) = self.run(self._complete(request))
        return found

    def _complete(self, request: CheckRequest) -> CheckRequest:
        if self._leaves_out(request):
            plain = tuple(one.uncalibrated for one in request.settings)
            request = replace(request, settings=plain)
        return replace(request, repeats=self.repeats) if request.repeats is None else request

    def _leaves_out(self, request: CheckRequest) -> bool:
        return not self.is_calibrated and any(one.calibration != "none" for one in request.settings)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CheckReport:
    """What a check found at all settings it was asked for, or why it cannot be done."""

    results: tuple[CheckResult, ...]
    seed: int | None
    unavailable: str = ""
    notes: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        """Return it as plain data, for JSON."""
        if self.unavailable:
            return {"unavailable": self.unavailable}
        each = [result.numbers() for result in self.results]
        rows = [row for numbers in each for row in numbers["results"]]
        start = {} if self.seed is None else {"seed": self.seed}
        return start | each[0] | {"results": rows}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return it as tables; those of the same name are put below each other."""
        each: dict[str, list[pd.DataFrame]] = {}
        for result in self.results:
            for name, table in result.tables().items():
                each.setdefault(name, []).append(table)
        return {
            name: pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
            for name, parts in each.items()
        }

    def summary(self) -> tuple[str, ...]:
        """Return it in sentences, each of them once, with what a reader must know."""
        if self.unavailable:
            return (self.unavailable,)
        said = (text for found in self.results for text in (*found.summary(), *found.notes))
        return tuple(dict.fromkeys((*said, *self.notes)))


def plain_rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table's rows as plain data; what is not a finite number becomes None."""
    return [
        {str(name): _plain(value) for name, value in row.items()}
        for row in table.to_dict("records")
    ]


def people_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with a row a person, whose ids have a name."""
    return table.rename_axis(str(table.index.name or "id"))


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
