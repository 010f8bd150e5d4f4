"""Calibrated verdicts: her own difference among those of worlds in which the label means nothing.

She stays as she is; the labels of all others are dealt out anew, the causal model is fitted to
them, her counterfactual and both her groups are taken again. Those of whom few deals reach the
difference get more of them, as a small chance is told apart only by many: a tenth of the deals for
everyone, then all of them, then ten times as many.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from cst_core.data import BoolArray, FloatArray
from cst_core.errors import CancelledError, SettingsError
from cst_core.evidence import GUARD, EvidenceSettings, Method, one_sided_p
from cst_core.results import BINS, Calibration, Null, Result, SingleResult
from cst_core.similarity import IntArray, in_threads
from cst_core.testing.deals import Dealer, null_of
from cst_core.testing.relabelling import Readings, Relabelling
from cst_core.testing.several_cores import Progress, workers

AT_ONCE = 32
"""So many deals are read together."""
FIRST = 10
"""A tenth of the deals comes first; it is enough for people whom chance explains so easily:"""
EXPLAINED = 0.2
"""whose p-value is then above this."""
NEAR = 20
"""Fewer deals than this reach a difference near the line, and it gets more of them."""
MORE = 10
"""How many times as many deals people near the line have."""
HOPELESS = 0.1
"""Whom chance within the groups alone may explain so easily needs no more deals (Agresti–Caffo)."""
ROOM = 60
"""So many calibrations are kept in memory before those of other settings are forgotten."""
NOBODY = -2.0
"""Stands for Δp where a group is empty: below every other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One question: by which method, at which settings; what else is set does not matter."""

    method: Method
    settings: EvidenceSettings

    @property
    def key(self) -> tuple[Any, ...]:
        """What two questions with the same answer share."""
        one = self.settings
        method = "CST_w" if self.method == "CF" else self.method
        return (
            *(method, one.n_neighbours, one.balance_radii, one.accepted_deviation),
            *(one.direction, one.relabellings, one.relabelling_seed),
        )


@dataclass(slots=True, eq=False)
class KeepingCalibrator:
    """Computes calibrations and keeps them, by run and question. Safe to use from threads.

    Where it does not compute, a verdict whose calibration is not there yet goes without.
    """

    computes: bool = True
    _kept: dict[tuple[Any, ...], tuple[Any, Calibration]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def known(
        self, run: SingleResult, method: Method, settings: EvidenceSettings
    ) -> Calibration | None:
        """Return the calibration if it is there already."""
        found = self._kept.get(_place(run, Ask(method=method, settings=settings)))
        return None if found is None else replace(found[1], method=method)

    def calibrate(
        self, run: SingleResult, method: Method, settings: EvidenceSettings
    ) -> Calibration | None:
        """Return the calibration, computed where it is not there yet."""
        with self._lock:
            found = self.known(run, method, settings)
            if found is None and not self.computes:
                return None
            if found is None:
                (found,) = calibrate(run, [Ask(method=method, settings=settings)])
                self.keep(run, settings, found)
        return replace(found, method=method)

    def keep(self, run: SingleResult, settings: EvidenceSettings, calibration: Calibration) -> None:
        """Take one that was computed elsewhere.

        Beyond `ROOM` of them the oldest go; of the settings in use, those of every k stay.
        """
        place = _place(run, Ask(method=calibration.method, settings=settings))
        self._kept[place] = (run.counterfactuals, calibration)
        for old in list(self._kept):
            if len(self._kept) <= ROOM:
                break
            if _settings_of(old) != _settings_of(place):
                self._kept.pop(old, None)


def _settings_of(place: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a place without its method and k."""
    return place[:2] + place[4:]


def _place(run: SingleResult, ask: Ask) -> tuple[Any, ...]:
    # a run under another causal model has other counterfactuals; they are kept, so no id recurs
    return (id(run.counterfactuals), run.name, *ask.key)


def calibrate(
    run: SingleResult,
    asked: Sequence[Ask],
    *,
    null: Null | None = None,
    progress: Progress | None = None,
) -> list[Calibration]:
    """Answer several questions about one run with the same deals.

    Parameters
    ----------
    run
        A test's run.
    asked
        Methods and settings; their numbers of relabellings and seeds must be the same.
    null
        How labels are dealt out, for studies of that; by default what fits the method (`null_of`).
    progress
        Told how many deals are done; returning False cancels (`CancelledError`).

    Raises
    ------
    SettingsError
        Where ties are broken by the order of rows, which relabelling cannot follow.
    """
    if run.search.ties not in ("expected", "all"):
        raise SettingsError(
            f"calibration: needs ties 'expected' or 'all', got {run.search.ties!r}: the order of "
            "rows says nothing once labels are dealt out anew."
        )
    found: dict[tuple[Any, ...], Calibration] = {}
    for usual in ("permutation", "conditional"):
        some = {ask.key: ask for ask in asked if null_of(run, ask.method) == usual}
        if some:
            answers = _answer(run, null or usual, list(some.values()), progress)
            found |= dict(zip(some, answers, strict=True))
    return [replace(found[ask.key], method=ask.method) for ask in asked]


def calibrate_result(
    result: Result,
    methods: Sequence[Method],
    settings: Sequence[EvidenceSettings],
    *,
    progress: Progress | None = None,
) -> None:
    """Compute what calibrated evidence of a test needs, all of it with the same deals.

    `Result.evidence` would compute it one by one, where it is not there yet.
    """
    wanted = [result.settings_each(one) for one in settings if one.calibration != "none"]
    for run in result.runs:
        asked = {
            ask.key: ask
            for one in wanted
            for ask in (Ask(method=method, settings=one) for method in methods)
            if run.calibration(ask.method, one) is None
        }
        if not asked or run.calibrator is None:
            continue
        some = list(asked.values())
        for ask, found in zip(some, calibrate(run, some, progress=progress), strict=True):
            run.calibrator.keep(run, ask.settings, found)


class _Tally:
    """What the deals say about one question, added up."""

    def __init__(self, run: SingleResult, ask: Ask) -> None:
        plain = replace(ask.settings, calibration="none", correction="none")
        evidence = run.evidence("CST_w" if ask.method == "CF" else ask.method, plain)
        against = ask.settings.direction == "against"
        self.ask, self.sign = ask, 1.0 if against else -1.0
        self.observed = self.sign * (evidence.delta - ask.settings.accepted_deviation)
        self.observed[~evidence.has_evidence] = NOBODY  # every deal reaches it: no finding
        rough = replace(plain, interval="agresti-caffo")
        self.may_be_found = one_sided_p(evidence.counts, rough) <= HOPELESS
        n = len(self.observed)
        self.reached, self.drawn = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        self.total, self.squares, self.counted = np.zeros(n), np.zeros(n), np.zeros(n)
        self.histogram = np.zeros((n, BINS), dtype=np.int32)

    def wants(self, numbers: range, times: int) -> BoolArray:
        """Return who needs these deals; those beyond `times` are for people near the line."""
        so_far: BoolArray = self.drawn == numbers.start
        if numbers.start == 0:
            return so_far
        if numbers.stop <= times:
            so_far &= (1 + self.reached) / (1 + self.drawn) <= EXPLAINED
        else:
            so_far &= (self.reached < NEAR) & (self.observed > 0) & self.may_be_found
        return so_far

    def add(self, deltas: FloatArray, people: IntArray, *, is_shown: bool) -> None:
        reached = self.sign * deltas >= self.observed[people] - GUARD
        reached &= deltas > NOBODY
        reached |= self.observed[people] <= NOBODY
        self.reached[people] += reached.sum(axis=0)
        self.drawn[people] += len(deltas)
        if is_shown:
            known = deltas > NOBODY  # an empty group has no Δp to draw
            values = np.where(known, deltas, 0.0)
            self.counted[people] += known.sum(axis=0)
            self.total[people] += values.sum(axis=0)
            self.squares[people] += (values**2).sum(axis=0)
            bins = np.rint((values + 1) * ((BINS - 1) / 2)).astype(np.int64)
            cells = (np.arange(len(people)) * BINS)[None, :] + bins
            counts = np.bincount(cells[known], minlength=len(people) * BINS)
            self.histogram[people] += counts.reshape(len(people), BINS).astype(np.int32)

    def result(self, null: Null, dealer: Dealer) -> Calibration:
        settings = self.ask.settings
        counted = np.where(self.counted > 0, self.counted, np.nan)
        mean = self.total / counted
        return Calibration(
            method=self.ask.method,
            n_neighbours=settings.n_neighbours,
            accepted_deviation=settings.accepted_deviation,
            direction=settings.direction,
            null=null,
            relabellings=settings.relabellings,
            seed=settings.relabelling_seed,
            reached=self.reached,
            drawn=self.drawn,
            mean=mean,
            spread=np.sqrt(np.maximum(self.squares / counted - mean**2, 0.0)),
            histogram=self.histogram,
            within=dealer.within,
            notes=dealer.notes,
        )


def _answer(
    run: SingleResult, null: Null, asked: Sequence[Ask], progress: Progress | None
) -> list[Calibration]:
    first = asked[0].settings
    times = first.relabellings
    sizes = sorted({size for ask in asked for size in _sizes(run, ask)})
    decides = any(ask.method in ("CST_w", "CF") for ask in asked)
    deals = Relabelling.of(
        run,
        null,
        seed=first.relabelling_seed,
        ks=np.array(sizes),
        decides=decides,
        follows=any(null_of(run, ask.method) == "permutation" for ask in asked),
    )
    tallies = [_Tally(run, ask) for ask in asked]
    few, many = (times + 1) // FIRST - 1, MORE * (times + 1) - 1
    stages = [range(times), range(times, many)]
    if few >= NEAR:
        stages[:1] = [range(few), range(few, times)]
    for numbers in stages:
        is_shown = numbers.stop <= times
        wanted = [tally.wants(numbers, times) for tally in tallies]
        if np.any(wanted):
            _deal_out(run, deals, tallies, numbers, wanted, progress=progress, is_shown=is_shown)
    return [tally.result(null, deals.dealer) for tally in tallies]


def _deal_out(
    run: SingleResult,
    deals: Relabelling,
    tallies: Sequence[_Tally],
    numbers: range,
    wanted: Sequence[BoolArray],
    *,
    progress: Progress | None,
    is_shown: bool,
) -> None:
    """Read some deals: for each question of those people alone who need more deals for it.

    So an answer does not depend on what else is asked.
    """
    people = np.flatnonzero(np.any(wanted, axis=0))
    reader = deals.of_some(people)
    batches = [
        range(start, min(start + AT_ONCE, numbers.stop))
        for start in range(numbers.start, numbers.stop, AT_ONCE)
    ]
    label = f"{run.name}: dealing out the label"
    if numbers.start:
        label += ", for those whom chance does not explain" if is_shown else ", near the line"
    done = 0
    with (  # the threads are ours: those of the linear algebra would only stand in the way
        threadpool_limits(1, user_api="blas"),
        closing(in_threads(reader.read, batches, workers())) as answers,
    ):
        for place, readings in answers:
            for tally, own in zip(tallies, wanted, strict=True):
                deltas = _deltas(run, tally.ask, readings, people)
                tally.add(deltas[:, own[people]], np.flatnonzero(own), is_shown=is_shown)
            done += len(batches[place])
            if progress is not None and progress(label, done, len(numbers)) is False:
                raise CancelledError(f"Cancelled after {done} of {len(numbers)} deals.")


def _sizes(run: SingleResult, ask: Ask) -> tuple[int, int]:
    return run.group_sizes(ask.settings)


def _deltas(run: SingleResult, ask: Ask, readings: Readings, people: IntArray) -> FloatArray:
    """Return Δp of some people in each deal; `NOBODY` where a group is empty."""
    k_control, k_test = _sizes(run, ask)
    control, control_size = readings.at("control", k_control)
    test, test_size = readings.at("test", k_test)
    known = (control_size > 0) & (test_size > 0)
    if ask.method in ("CST_w", "CF"):
        assert readings.there is not None
        control, control_size = control + run.centre_refused[people], control_size + 1
        test, test_size = test + readings.there, test_size + 1
    found = control / np.maximum(control_size, 1.0) - test / np.maximum(test_size, 1.0)
    return np.where(known, found, NOBODY)
