"""The tests' results for the workspace that is open: run once, then asked for any k, τ and α.

A run takes from half a second to minutes, so it happens beside the page, with progress and a way
to cancel. Its key is all that a search depends on: data, roles, causal model, decision maker, ties
and ε; moving k, τ, α or the method never searches again.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from cst_core.data import Dataset
from cst_core.decisions import DecisionMaker
from cst_core.errors import CSTWarning
from cst_core.evidence import EvidenceSettings, Method
from cst_core.results import MultipleResult, Result, SingleResult, Summary, Sweep, Sweeper
from cst_core.scenario import OpenCase
from cst_core.testing import (
    K_MAX,
    DiscriminationTest,
    KeepingCalibrator,
    allowed_tests,
    paired_tests,
    parse_test,
)
from cst_core.testing import largest_k as largest_k_of
from dashboard.draft.document import Draft
from dashboard.session import background, computing
from dashboard.session.background import Tell
from dashboard.session.caches import Cache
from dashboard.session.computing import Fit

Thing = TypeVar("Thing")


def _size(run: SingleResult) -> int:
    return run.control.nbytes + run.test_st.nbytes + run.test_cst.nbytes


_AT_MOST = 1_000_000_000
_RESULTS: Cache[SingleResult] = Cache(24, size=_size, limit=_AT_MOST)
_SWEEPERS: Cache[Sweeper] = Cache(24, size=lambda item: _size(item.result), limit=_AT_MOST)
_DERIVED: Cache[Any] = Cache(24)
_SWEEPS: Cache[Sweep] = Cache(64)
_SUMMARIES: Cache[Summary] = Cache(2000)


def tests(draft: Draft) -> list[str]:
    """Return the tests that this case allows, single ones first, those of two attributes last."""
    return [test.name for test in (*allowed_tests(draft.tests), *paired_tests(draft.tests))]


def largest_k(draft: Draft, test: str) -> int:
    """Return the largest k that is worth asking for."""
    asked = parse_test(test, draft.tests)
    people = computing.dataset(draft)
    return largest_k_of(asked.complainants(people), asked.reference(people))


def key_of(draft: Draft, test: str) -> str:
    """Return all that a test's search depends on."""
    settings = draft.settings
    crossed = draft.names.test(test).kind == "intersectional"
    form = settings.intersectional_form if crossed else ""
    return " ".join(
        (
            computing.model_key(draft),
            draft.decision_maker.model_dump_json(exclude={"note"}),
            str(settings.search_settings(K_MAX)),
            test,
            form,
        )
    )


def result(draft: Draft, test: str) -> Result | None:
    """Return a test's result; while it is computed, show how far it is and return None.

    Raises
    ------
    CSTError
        Saying why this case cannot be tested so.
    """
    asked = parse_test(test, draft.tests)
    return multiple(draft, asked) if asked.kind == "multiple" else single(draft, test)


def multiple(draft: Draft, test: DiscriminationTest) -> MultipleResult | None:
    """Return the result for several attributes at once; None while a run of it is made."""
    made: dict[str, Result] = {}
    for name in test.attributes:
        run = single(draft, name)
        if run is not None:
            made[name] = run
    if len(made) < len(test.attributes):
        return None
    people = computing.dataset(draft)
    maker = computing.decision_maker(computing.maker_key(draft), draft.decision_maker, people)
    found = open_case(draft, people, computing.fit(draft), maker).run(test.name, done=made)
    assert isinstance(found, MultipleResult)
    return found


def single(draft: Draft, test: str) -> SingleResult | None:
    """Return the result for one protected attribute or the intersection; None while it is made."""
    key = key_of(draft, test)
    found = _RESULTS.get(key)
    if found is not None:
        return found
    people, fit = computing.dataset(draft), computing.fit(draft)
    crossed = draft.names.test(test).kind == "intersectional"
    words = "Comparing groups" if crossed else f"Comparing groups by {test}"
    maker = computing.maker_key(draft)
    found = background.run(
        f"test {key}", words, lambda tell: _run(draft, test, people, fit, tell, maker_key=maker)
    )
    return None if found is None else _RESULTS.put(key, found)


def runner(draft: Draft) -> Callable[[str], Result]:
    """Return what makes any test's result away from a page, in a thread that knows no session."""
    people, fit, key = computing.dataset(draft), computing.fit(draft), computing.maker_key(draft)

    def run(test: str) -> Result:
        with warnings.catch_warnings(action="ignore", category=CSTWarning):
            maker = computing.decision_maker(key, draft.decision_maker, people)
            return open_case(draft, people, fit, maker).run(test)

    return run


def _run(
    draft: Draft, test: str, people: Dataset, fit: Fit, tell: Tell, *, maker_key: str
) -> SingleResult:
    with warnings.catch_warnings(action="ignore", category=CSTWarning):  # the notes say the same
        maker = computing.decision_maker(maker_key, draft.decision_maker, people)
        run = open_case(draft, people, fit, maker).run(test, progress=tell).runs[0]
        return replace(run, calibrator=KeepingCalibrator(computes=False))  # never within a page


def open_case(draft: Draft, people: Dataset, fit: Fit, maker: DecisionMaker | None) -> OpenCase:
    """Return the case in the causal model that is open, searching for the largest k of all."""
    return OpenCase(
        dataset=people,
        model=fit.model,
        decision_maker=maker,
        search=draft.settings.search_settings(K_MAX),
        form=draft.settings.intersectional_form,
    )


def at_k(settings: EvidenceSettings, k: int) -> EvidenceSettings:
    """Return the same settings with another k."""
    return replace(settings, n_neighbours=k)


def k_grid(found: SingleResult) -> list[int]:
    """Return the k at which curves are drawn: each at first, then wider apart."""
    most = largest_k_of(found.is_protected, found.is_reference)
    grid = {*range(1, 51), *range(50, 251, 5), *range(250, K_MAX + 1, 10), most}
    return sorted(k for k in grid if k <= most)


def sweep(
    draft: Draft, found: SingleResult, method: Method, settings: EvidenceSettings, ks: list[int]
) -> Sweep:
    """Return a method's counts at many k; see `EvidenceSettings.over_k`."""
    settings = settings.over_k
    key = key_of(draft, found.name)
    full = f"{key} {method} {_settings_key(settings)} {ks}"
    sweeper = _SWEEPERS.once(key, lambda: Sweeper.of(found))
    return _SWEEPS.once(full, lambda: sweeper.sweep(method, settings, ks))


def summary(draft: Draft, found: Result, method: Method, settings: EvidenceSettings) -> Summary:
    """Return the counts of one method at one k."""
    key = f"{key_of(draft, found.name)} {method} {settings.n_neighbours} {_settings_key(settings)}"
    with warnings.catch_warnings(action="ignore", category=CSTWarning):  # fields say the same
        return _SUMMARIES.once(key, lambda: found.summary(method, settings))


def _settings_key(settings: EvidenceSettings) -> str:
    """Return the settings but for k."""
    return str(at_k(settings, 1))


def derived(draft: Draft, test: str, name: str, make: Callable[[], Thing]) -> Thing:
    """Return what follows from a test's result alone, whatever k, τ and α; made once."""
    key = f"{name} {key_of(draft, test)}"
    found: Thing = _DERIVED.once(key, make)
    return found
