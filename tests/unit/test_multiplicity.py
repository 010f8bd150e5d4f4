"""Corrections for many complainants, against statsmodels and scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from cst_core.errors import SettingsError
from cst_core.evidence import EvidenceSettings, GroupCounts, assess, every_coupling, judge
from cst_core.evidence.multiplicity import adjusted

NAMES = {"bh": "fdr_bh", "by": "fdr_by"}
P_VALUES = st.lists(
    st.sampled_from([0.0, 1e-12, 0.001, 0.01, 0.04, 0.05, 0.5, 1.0]) | st.floats(0, 1),
    min_size=1,
    max_size=40,
)
CORRECTIONS = pytest.mark.parametrize("correction", ["bh", "by"])


@CORRECTIONS
@given(p=P_VALUES)
def test_it_is_that_of_statsmodels_and_scipy(correction: str, p: list[float]) -> None:
    got = adjusted(np.array(p), correction)  # type: ignore[arg-type]
    _, wanted, _, _ = multipletests(p, method=NAMES[correction])
    np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(
        got, stats.false_discovery_control(p, method=correction), rtol=1e-12, atol=1e-300
    )


@CORRECTIONS
@given(data=st.data(), rows=st.integers(1, 3), people=st.integers(1, 12))
def test_weights_are_repetitions_and_the_unknown_are_left_out(
    correction: str, data: st.DataObject, rows: int, people: int
) -> None:
    """Each row is a family of its own; the numbers agree to the last digit."""
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    p = random.choice([0.0, 0.001, 0.02, 0.04, 0.3, 1.0, random.random()], size=(rows, people))
    known = random.random((rows, people)) < 0.8
    weights = random.integers(1, 5, size=people)
    got = adjusted(p, correction, known=known, weights=weights.astype(float))  # type: ignore[arg-type]
    for row in range(rows):
        inside = known[row]
        repeated = np.repeat(p[row][inside], weights[inside])
        alone = adjusted(repeated, correction)  # type: ignore[arg-type]
        np.testing.assert_array_equal(np.repeat(got[row][inside], weights[inside]), alone)
        assert (got[row][~inside] == 1).all()


@given(p=P_VALUES, place=st.integers(0, 39), more=st.floats(0, 1))
def test_no_adjusted_value_falls_when_a_p_value_rises(
    p: list[float], place: int, more: float
) -> None:
    """What the verdicts under every tie-breaking rest on."""
    before = np.array(p)
    after = before.copy()
    after[place % len(p)] = max(after[place % len(p)], more)
    for correction in ("bh", "by"):
        grown = adjusted(after, correction) - adjusted(before, correction)
        assert (grown >= -1e-15).all()


def test_none_changes_nothing() -> None:
    assert adjusted(np.array([0.2, 0.01]), "none").tolist() == [0.2, 0.01]
    assert adjusted(np.empty((2, 0)), "bh").shape == (2, 0)


@CORRECTIONS
@pytest.mark.parametrize("direction", ["against", "favour"])
@pytest.mark.parametrize(
    "interval",
    ["agresti-caffo", "newcombe", "score", pytest.param("exact", marks=pytest.mark.slow)],
)
def test_evidence_is_significant_by_the_adjusted_p_value(
    correction: str, direction: str, interval: str
) -> None:
    random = np.random.default_rng(5)
    sizes = np.array([*[15.0] * 30, *[0.0] * 3])
    counts = [np.minimum(random.integers(0, 16, size=33), sizes) for _ in range(2)]
    groups = [GroupCounts(negatives=n, lowest=n, highest=n, size=sizes) for n in counts]
    known = sizes > 0
    settings = EvidenceSettings(
        interval=interval, correction=correction, direction=direction, accepted_deviation=0.05
    )  # type: ignore[arg-type]
    found = assess(pd.RangeIndex(33), "CST_wo", *groups, settings, has_evidence=known)
    reject, wanted, _, _ = multipletests(found.p_value[known], alpha=0.05, method=NAMES[correction])
    assert found.adjusted_p is not None
    np.testing.assert_allclose(found.adjusted_p[known], wanted, rtol=1e-9)
    np.testing.assert_array_equal(found.is_significant[known], reject & found.is_case[known])
    assert 0 < found.is_significant.sum() < found.is_case.sum()
    assert not found.is_significant[~known].any()
    plain = assess(
        pd.RangeIndex(33),
        "CST_wo",
        *groups,
        EvidenceSettings(interval=interval, direction=direction, accepted_deviation=0.05),
        has_evidence=known,
    )  # type: ignore[arg-type]
    assert plain.adjusted_p is None
    assert "adjusted_p" not in plain.to_frame()
    np.testing.assert_array_equal(
        plain.is_significant[known], (plain.p_value <= 0.05)[known] & plain.is_case[known]
    )
    frame = found.to_frame()
    assert frame["adjusted_p"].isna().tolist() == (~known).tolist()
    assert frame["p_value"].isna().tolist() == (~known).tolist()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"correction": "holm"}, ["correction", "'none', 'bh' or 'by'", "'holm'"]),
        ({"correction": "bh"}, ["correction", "'wald'", "agresti-caffo"]),
        ({"several": "all"}, ["several", "intersection-union", "'all'"]),
        ({"tie_robust": "yes"}, ["tie_robust", "True or False", "'yes'"]),
        ({"balance_radii": 1}, ["balance_radii", "True or False", "1"]),
    ],
)
def test_wrong_settings_say_what_was_expected(wrong: dict[str, object], words: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        EvidenceSettings(**wrong)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_another_correction_is_refused() -> None:
    with pytest.raises(SettingsError, match="expected one of none, bh, by, got 'holm'"):
        adjusted(np.array([0.01, 0.2]), "holm")  # type: ignore[arg-type]


def test_under_every_coupling_calibrated_p_values_count_in_the_family() -> None:
    """Nobody is surely found who would not be, were the others' couplings the least favourable."""

    def group(negatives: list[float], **more: Any) -> GroupCounts:
        n = np.array(negatives)
        return GroupCounts(negatives=n, lowest=n, highest=n, size=np.full(2, 15.0), **more)

    control = group([15.0, 15.0])
    test = group([0.0, 0.0], couplings=(np.zeros(2), np.array([0.0, 15.0])))
    settings = EvidenceSettings(
        n_neighbours=15, interval="agresti-caffo", correction="bh", significance_level=0.05
    )
    known = np.ones(2, dtype=bool)
    plain = judge(control, test, settings, known=known)
    assert plain.significant_every_coupling is not None
    assert plain.significant_every_coupling.tolist() == [True, False]
    found = judge(control, test, settings, known=known, calibrated_p=np.array([0.03, 0.04]))
    assert found.significant_found.tolist() == [True, True]
    assert found.significant_every_coupling is not None
    assert found.significant_every_coupling.tolist() == [False, False]  # 0.03 · 2 is above α
    rare = judge(control, test, settings, known=known, calibrated_p=np.array([0.02, 0.04]))
    assert rare.significant_every_coupling is not None
    assert rare.significant_every_coupling.tolist() == [True, False]


def test_under_every_coupling_what_is_not_known_is_at_its_worst() -> None:
    n = np.array([15.0])
    control = GroupCounts(negatives=n, lowest=n, highest=n, size=n)
    zero = np.zeros(1)
    test = GroupCounts(
        negatives=zero, lowest=zero, highest=zero, size=n, couplings=(zero, zero), lost=zero + 0.9
    )
    settings = EvidenceSettings(n_neighbours=15, interval="agresti-caffo", correction="bh")
    over = every_coupling(
        control,
        test,
        settings,
        case_found=np.ones(1, dtype=bool),
        excludes=np.ones(1, dtype=bool),
        known=np.ones(1, dtype=bool),
        weights=None,
    )
    assert over["excludes_every_coupling"].tolist() == [False]
