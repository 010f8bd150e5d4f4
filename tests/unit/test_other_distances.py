"""Likeness measured otherwise: the check equals whole tests under each distance."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from robust_cases import ASKED, LINEAR, dataset, run

import cst_core
from cst_core.errors import CancelledError
from cst_core.robustness import CHECKS, CheckRequest, other_distances
from cst_core.similarity import DISTANCES


@pytest.fixture(scope="module", params=["single", "multiple", "intersectional"])
def tested(request: pytest.FixtureRequest) -> tuple[Any, dict[str, Any]]:
    """Return a test of law school by the default distance, and the same under each."""
    case = cst_core.load_scenario("law-school")
    frame = case.dataset().frame.iloc[::40].reset_index(drop=True)
    data = cst_core.Dataset.from_frame(frame, case.dataset().roles)
    model, maker = case.causal_model(), case.decision_maker()

    def again(kind: Any) -> Any:
        asked = {"decision_maker": maker, "search": cst_core.SearchSettings(distance=kind)}
        if request.param == "single":
            return cst_core.run_single(data, model, attribute="race", **asked)
        if request.param == "multiple":
            return cst_core.run_multiple(data, model, **asked)
        return cst_core.run_intersectional(data, model, **asked)

    with warnings.catch_warnings(action="ignore"):
        found = {kind: again(kind) for kind in DISTANCES}
    return found["gower"], found


def test_equal_to_whole_tests(tested: tuple[Any, dict[str, Any]]) -> None:
    result, whole = tested
    asked = tuple(cst_core.EvidenceSettings(n_neighbours=k) for k in (5, 15))
    for method in ("ST", "CST_wo", "CST_w"):
        both = other_distances(result, settings=asked, method=method)  # type: ignore[arg-type]
        for found, settings in zip(both, asked, strict=True):
            assert list(found.beside.is_case) == list(DISTANCES)
            own = result.evidence(method, settings).is_significant
            for kind, row in zip(DISTANCES, found.counts().to_dict("records"), strict=True):
                wanted = whole[kind].evidence(method, settings)
                np.testing.assert_array_equal(found.beside.is_case[kind], wanted.is_case)
                np.testing.assert_array_equal(
                    found.beside.is_significant[kind], wanted.is_significant
                )
                known = wanted.has_evidence
                np.testing.assert_array_equal(found.beside.delta[kind][known], wanted.delta[known])
                assert row["stand"] == (wanted.is_significant & own).sum()
                assert row["more"] == (wanted.is_significant & ~own).sum()
            assert {item.of for item in found.stands()} == {own.sum()}
            assert len(found.stands()) == len(DISTANCES) - 1


def test_the_distance_in_use_comes_first_and_notes_say_what_was_done() -> None:
    result = replace_search(run(), distance="rank", max_distance=0.4)
    (found,) = other_distances(result, settings=(ASKED,))
    assert found.in_use == next(iter(found.beside.is_case)) == "rank"
    said = " ".join(found.notes)
    assert "The largest distance ε is taken as it is" in said
    assert "fitted chance of a negative decision: Likeness uses the decisions" in said
    assert "with likeness measured by ranks" in found.summary()[0]
    assert f"Under every one of these distances: {found.everywhere:,}" in found.summary()[0]


def test_a_distance_that_cannot_be_had_is_left_out_with_its_reason() -> None:
    nobody = cst_core.ThresholdRule(weights={"pay": 1.0}, cutoff=1e9)
    everyone = cst_core.run_single(dataset(), LINEAR, attribute="sex", decision_maker=nobody)
    (found,) = other_distances(everyone, settings=(ASKED,))
    assert "propensity" not in found.beside.is_case
    assert any("everyone has the same decision" in note for note in found.notes)


def test_it_can_be_cancelled() -> None:
    request = CheckRequest(result=run(), settings=(ASKED,), progress=lambda *_: False)
    with pytest.raises(CancelledError, match="1 of 4 distances"):
        CHECKS["distances"].report(request)


def replace_search(result: Any, **search: Any) -> Any:
    """Return the same test with another search."""
    return cst_core.run_single(
        result.dataset,
        result.model,
        attribute=result.name,
        decision_maker=result.decision_maker,
        search=replace(result.search, **search),
    )
