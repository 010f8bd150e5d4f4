"""Tipping points with a maximum distance, for several attributes, and beside what b() reads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from robust_cases import ASKED, LINEAR, RULE, dataset, people, run, two_attributes

import cst_core
from cst_core.results import MultipleResult, SingleResult
from cst_core.robustness import tipping, tornado, under_model

# --------------------------------------------------------------------------- with a limit


NEAR = 0.04
"""ε: so small that some counterfactuals lose everybody as the effect grows or shrinks."""


def whole_runs(result: SingleResult, scales: np.ndarray) -> list:
    return [
        under_model(result, result.model, effect_scale=float(scale)).evidence("CST_wo", ASKED)
        for scale in scales
    ]


def test_with_a_limit_the_mean_is_over_those_with_evidence_at_each_value() -> None:
    result = run(max_distance=NEAR)
    found = tipping(result, settings=ASKED, grid=[0.0, 0.5, 1.0, 1.5, 2.0])
    wanted = whole_runs(result, found.grid)
    known = np.array([item.has_evidence for item in wanted])
    np.testing.assert_array_equal(found.has_evidence, known)
    np.testing.assert_array_equal(np.isnan(found.delta), ~known)
    counts = found.counts()
    assert counts["with_evidence"].tolist() == known.sum(axis=1).tolist()
    assert len(set(counts["with_evidence"])) > 1, "the case must be able to tell"
    for scale, item in zip(found.grid, wanted, strict=True):
        mean = item.delta[item.has_evidence].mean()
        assert counts.loc[scale, "mean_delta"] == pytest.approx(mean)


def test_the_mean_is_missing_only_where_nobody_has_evidence() -> None:
    found = tipping(run(max_distance=NEAR), settings=ASKED, grid=[0.0, 1.0])
    nobody = replace(
        found,
        has_evidence=np.array([[False], [True]]),
        delta=np.array([[np.nan], [0.25]]),
        is_case=np.zeros((2, 1), dtype=bool),
        is_significant=np.zeros((2, 1), dtype=bool),
    )
    first, second = nobody.counts()["mean_delta"]
    assert np.isnan(first)
    assert second == 0.25


@pytest.mark.slow
@pytest.mark.parametrize("verdict", ["case", "significant"])
def test_a_verdict_that_ends_for_lack_of_people_says_so(verdict: str) -> None:
    """One person at a time: on one side of the point her groups are empty, or on neither."""
    result = run(max_distance=NEAR)
    found = tipping(result, settings=ASKED, tolerance=1e-4)
    assert any("for lack of people" in note for note in found.notes)
    assert not any("for lack of people" in n for n in tipping(run(), settings=ASKED).notes)
    kinds = []
    for side in ("below", "above"):
        points = getattr(found, f"{verdict}_{side}")
        lack = found.for_lack(verdict, up=side == "above")
        assert not lack[np.isnan(points)].any()
        for place in np.flatnonzero(~np.isnan(points)):
            around = whole_runs(result, points[place] + np.array([-2e-4, 2e-4]))
            known = [bool(item.has_evidence[place]) for item in around]
            assert lack[place] == (known != [True, True])
            kinds.append(bool(lack[place]))
    assert True in kinds, "the case must be able to tell"
    assert False in kinds
    frame = found.to_frame()
    np.testing.assert_array_equal(
        frame[f"{verdict}_below_for_lack"], found.for_lack(verdict, up=False)
    )


def test_without_a_limit_nothing_turns_for_lack_of_people() -> None:
    found = tipping(run(), settings=ASKED)
    assert found.has_evidence.all()
    assert not any(
        found.for_lack(verdict, up=up).any()
        for verdict in ("case", "significant")
        for up in (False, True)
    )


# --------------------------------------------------------------------------- several attributes


def scaled(model: cst_core.CausalModel, result: MultipleResult, changes: dict) -> MultipleResult:
    """Return a whole run with some coefficients changed by hand and the others as fitted."""
    fitted = result.runs[0].model
    equations = {
        node: cst_core.Equation(
            node=node,
            coefficients={
                term: cst_core.Coefficient(
                    value=changes.get((node, term), lambda value: value)(item.value),
                    source="by hand",
                )
                for term, item in fitted.equation(node).coefficients.items()
            },
        )
        for node in fitted.mechanisms
    }
    data, _ = two_attributes()
    again = replace(model, equations=equations)
    return cst_core.run_multiple(data, again, decision_maker=RULE)


@pytest.mark.parametrize("method", ["CST_wo", "CST_w"])
def test_multiple_tipping_and_tornado_equal_whole_runs(method: str) -> None:
    data, model = two_attributes()
    asked = replace(ASKED, significance_level=0.3)
    result = cst_core.run_multiple(data, model, decision_maker=RULE)
    effects = [("pay", "sex"), ("pay", "origin"), ("saved", "sex")]
    found = tipping(result, settings=asked, method=method, grid=[0.0, 0.6, 1.0, 1.7])
    for place, scale in enumerate(found.grid):
        by = {key: lambda value, scale=scale: value * scale for key in effects}
        wanted = scaled(model, result, by).evidence(method, asked)
        np.testing.assert_allclose(found.delta[place], wanted.delta, atol=1e-9)
        np.testing.assert_array_equal(found.is_case[place], wanted.is_case)
        np.testing.assert_array_equal(found.is_significant[place], wanted.is_significant)
    assert len(set(found.counts()["cases"])) > 1
    assert len(set(found.counts()["significant"])) > 1
    bars = tornado(result, settings=asked, method=method).bars
    assert sorted((bar.node, bar.term) for bar in bars) == [
        *sorted([*effects, ("saved", "pay")]),
    ]
    for bar in bars:
        for end, got in ((bar.low, bar.at_low), (bar.high, bar.at_high)):
            moved = scaled(model, result, {(bar.node, bar.term): lambda _, end=end: end})
            wanted = moved.evidence(method, asked)
            assert (got.cases, got.significant) == (
                wanted.is_case.sum(),
                wanted.is_significant.sum(),
            )


# --------------------------------------------------------------------------- what b() reads


class ReadsSex:
    """A decision maker that looks at the protected column and does not say so."""

    def is_negative(self, frame: pd.DataFrame) -> np.ndarray:
        return (frame["pay"] - 1.5 * (frame["sex"] == "f") < 5.0).to_numpy(dtype=bool)


def test_a_direct_effect_stays_whatever_the_scale_and_a_note_says_so() -> None:
    result = cst_core.run_single(dataset(), LINEAR, attribute="sex", decision_maker=ReadsSex())
    found = tipping(result, settings=ASKED, method="CF", grid=[0.0])
    assert found.is_case[0].any(), "without any effect on pay, only the reading is left"
    assert any(note.startswith("The decision maker itself reads sex.") for note in found.notes)
    assert not tipping(result, settings=ASKED, grid=[0.0]).notes, "CST w/o does not ask b()"


def test_a_rule_that_says_what_it_reads_is_believed() -> None:
    frame = people().assign(sex=(people()["sex"] == "f").astype(int))
    roles = replace(
        dataset().roles,
        protected=(cst_core.ProtectedAttribute(column="sex", protected=1, reference=0),),
    )
    for weights, noted in (({"pay": 1.0, "sex": -1e-6}, True), ({"pay": 1.0, "sex": 0.0}, False)):
        rule = cst_core.ThresholdRule(weights=weights, cutoff=5.0)
        data = cst_core.Dataset.from_frame(frame, roles)
        result = cst_core.run_single(data, LINEAR, attribute="sex", decision_maker=rule)
        notes = tipping(result, settings=ASKED, method="CST_w", grid=[0.0]).notes
        assert any("itself reads sex" in note for note in notes) == noted
