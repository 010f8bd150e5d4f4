"""The tests' results for the workspace that is open: run once, then asked for any k, τ and α.

A run takes from half a second to minutes, so it happens beside the page, with progress and a way
to cancel. Its key is all that a search depends on: data, roles, causal model, decision maker, ties
and ε; moving k, τ, α or the method never searches again.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from cst_core.data.dataset import Dataset
from cst_core.errors import CSTWarning
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.evidence.verdicts import Method
from cst_core.results import MultipleResult, SingleResult, Summary, Sweep, Sweeper
from cst_core.scenario.opening import as_decision_maker
from cst_core.testing.several import has_all, multiple_from, run_intersectional
from cst_core.testing.single import run_single
from dashboard import background, compute
from dashboard.background import Tell
from dashboard.compute import Fit
from dashboard.draft.document import Draft
from dashboard.kept import Kept

Thing = TypeVar("Thing")
K_MAX = 500
MULTIPLE, INTERSECTIONAL = "multiple", "intersectional"


def _size(run: SingleResult) -> int:
    return run.control.nbytes + run.test_st.nbytes + run.test_cst.nbytes


_AT_MOST = 1_000_000_000
_RESULTS: Kept[SingleResult] = Kept(24, size=_size, limit=_AT_MOST)
_SWEEPERS: Kept[Sweeper] = Kept(24, size=lambda item: _size(item.result), limit=_AT_MOST)
_DERIVED: Kept[Any] = Kept(24)
_SWEEPS: Kept[Sweep] = Kept(64)
_SUMMARIES: Kept[Summary] = Kept(2000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What an evidence page shows: a test, a method and the settings."""

    test: str
    method: Method
    settings: EvidenceSettings

    @property
    def k(self) -> int:
        """The number of neighbours."""
        return self.settings.n_neighbours


def tests(draft: Draft) -> list[str]:
    """Return the tests that this case allows, single ones first."""
    names = list(draft.protected_columns)
    return [*names, MULTIPLE, INTERSECTIONAL] if len(names) > 1 else names


def largest_k(draft: Draft, test: str) -> int:
    """Return the largest k that is worth asking for: the smaller group, at most 500."""
    people = compute.dataset(draft)
    inside = _complainants(draft, people, test)
    return int(min(max(inside.sum() - 1, 1), max((~inside).sum(), 1), K_MAX))


def _complainants(draft: Draft, people: Dataset, test: str) -> np.ndarray:
    names = [test] if test in draft.protected_columns else draft.protected_columns
    return np.logical_and.reduce([people.is_protected(name) for name in names])


def key_of(draft: Draft, test: str) -> str:
    """Return all that a test's search depends on."""
    settings = draft.settings
    form = settings.intersectional_form if test == INTERSECTIONAL else ""
    return " ".join(
        (
            compute.model_key(draft),
            draft.decision_maker.model_dump_json(exclude={"note"}),
            settings.ties,
            str(settings.max_distance),
            test,
            form,
        )
    )


def result(draft: Draft, test: str) -> SingleResult | MultipleResult | None:
    """Return a test's result; while it is computed, show how far it is and return None.

    Raises
    ------
    CSTError
        Saying why this case cannot be tested so.
    """
    if test == MULTIPLE:
        runs = [single(draft, name) for name in draft.protected_columns]
        if any(run is None for run in runs):
            return None
        everyone = has_all(compute.dataset(draft), draft.protected_columns)
        return multiple_from([run for run in runs if run is not None], everyone)
    return single(draft, test)


def single(draft: Draft, test: str) -> SingleResult | None:
    """Return the result for one protected attribute or the intersection; None while it is made."""
    key = key_of(draft, test)
    found = _RESULTS.get(key)
    if found is not None:
        return found
    people, fit = compute.dataset(draft), compute.fit(draft)
    words = "Comparing groups" if test == INTERSECTIONAL else f"Comparing groups by {test}"
    found = background.run(f"test {key}", words, lambda tell: _run(draft, test, people, fit, tell))
    return None if found is None else _RESULTS.put(key, found)


def _run(draft: Draft, test: str, people: Dataset, fit: Fit, tell: Tell) -> SingleResult:
    settings = draft.settings
    search = SearchSettings(
        max_neighbours=K_MAX, ties=settings.ties, max_distance=settings.max_distance
    )
    with warnings.catch_warnings(action="ignore", category=CSTWarning):  # the notes say the same
        maker = as_decision_maker(draft.decision_maker, people)
        if test == INTERSECTIONAL:
            return run_intersectional(
                people,
                fit.model.model,
                decision_maker=maker,
                form=settings.intersectional_form,
                search=search,
                progress=tell,
            )
        return run_single(
            people, fit.model, attribute=test, decision_maker=maker, search=search, progress=tell
        )


def at_k(settings: EvidenceSettings, k: int) -> EvidenceSettings:
    """Return the same settings with another k."""
    return replace(settings, n_neighbours=k)


def k_grid(found: SingleResult) -> list[int]:
    """Return the k at which curves are drawn: each at first, then wider apart."""
    most = min(max(found.n_protected - 1, 1), max(found.n - found.n_protected, 1), K_MAX)
    grid = {*range(1, 51), *range(50, 251, 5), *range(250, K_MAX + 1, 10), most}
    return sorted(k for k in grid if k <= most)


def sweep(
    draft: Draft, found: SingleResult, method: Method, settings: EvidenceSettings, ks: list[int]
) -> Sweep:
    """Return a method's counts at many k."""
    key = key_of(draft, found.name)
    full = f"{key} {method} {_settings_key(settings)} {ks}"
    swept = _SWEEPS.get(full)
    if swept is None:
        sweeper = _SWEEPERS.get(key) or _SWEEPERS.put(key, Sweeper.of(found))
        swept = _SWEEPS.put(full, sweeper.sweep(method, settings, ks))
    return swept


def summary(
    draft: Draft, found: SingleResult | MultipleResult, method: Method, settings: EvidenceSettings
) -> Summary:
    """Return the counts of one method at one k."""
    key = f"{key_of(draft, found.name)} {method} {settings.n_neighbours} {_settings_key(settings)}"
    counted = _SUMMARIES.get(key)
    if counted is None:
        with warnings.catch_warnings(action="ignore", category=CSTWarning):  # fields say the same
            counted = _SUMMARIES.put(key, found.summary(method, settings))
    return counted


def _settings_key(settings: EvidenceSettings) -> str:
    """Return the settings but for k."""
    return str(at_k(settings, 1))


def derived(draft: Draft, test: str, name: str, make: Callable[[], Thing]) -> Thing:
    """Return what follows from a test's result alone, whatever k, τ and α; made once."""
    key = f"{name} {key_of(draft, test)}"
    found: Thing | None = _DERIVED.get(key)
    return _DERIVED.put(key, make()) if found is None else found


def forget_all() -> None:
    """Empty the memory: deleted data must not stay in it."""
    for kept in (_RESULTS, _SWEEPERS, _SWEEPS, _SUMMARIES, _DERIVED):
        kept.clear()
