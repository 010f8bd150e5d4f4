"""What must hold of every coupling: its margins, its limits, and a group's mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from discrete_oracle import COUPLED, corners, some_coupling
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import cst_core
from cst_core.causal import COUPLINGS
from cst_core.causal.couplings import limits

KINDS = sorted(COUPLINGS)


@st.composite
def chances(draw: st.DrawFn, size: int) -> list[float]:
    """Draw shares that add up to 1; some may be none at all."""
    parts = draw(st.lists(st.sampled_from([0, 0, 1, 2, 3, 5, 8, 13]), min_size=size, max_size=size))
    assume(sum(parts))
    return [part / sum(parts) for part in parts]


@st.composite
def people(draw: st.DrawFn) -> tuple[list[float], list[float], int]:
    """Draw both worlds' chances and someone's level."""
    size = draw(st.integers(2, 5))
    here, there = draw(chances(size)), draw(chances(size))
    return here, there, draw(st.integers(0, size - 1))


def weights_of(kind: Any, here: list[float], there: list[float], seen: int) -> np.ndarray:
    return COUPLINGS[kind](np.array([here]), np.array([there]), np.array([seen]))[0]


@given(person=people(), kind=st.sampled_from(KINDS))
@example(person=([1.0, 0.0, 0.0], [0.5, 0.0, 0.5], 1), kind="minimal-change")
@example(person=([1.0, 0.0, 0.0], [0.5, 0.5, 0.0], 2), kind="rank-preserving")
@settings(max_examples=60)
def test_weights_add_up_within_the_limits_also_for_levels_that_could_not_be(
    person: tuple[list[float], list[float], int], kind: str
) -> None:
    here, there, seen = person
    found = weights_of(kind, here, there, seen)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    if here == there and here[seen] == 0:
        return  # nothing changes, and she is where nobody could be
    least, most = limits(np.array([here]), np.array([there]), np.array([seen]))
    assert (found >= least[0] - 1e-9).all()
    assert (found <= most[0] + 1e-9).all()
    if here[seen] > 0:
        expected = COUPLED[kind](here, there, seen)
        np.testing.assert_allclose(found, expected, atol=1e-12)
        if here == there and kind != "independent":
            assert found[seen] == pytest.approx(1)


@given(person=people())
@settings(max_examples=25)
def test_keeping_her_rank_is_what_a_fine_simulation_of_it_finds(
    person: tuple[list[float], list[float], int],
) -> None:
    here, there, seen = person
    assume(here[seen] > 0)
    ranks = sum(here[:seen]) + here[seen] * (np.arange(20_000) + 0.5) / 20_000
    levels = np.searchsorted(np.cumsum(there)[:-1], ranks, side="right")
    simulated = np.bincount(levels, minlength=len(there)) / 20_000
    np.testing.assert_allclose(
        weights_of("rank-preserving", here, there, seen), simulated, atol=2e-4
    )


@given(person=people(), seed=st.integers(0, 1000))
@settings(max_examples=25)
def test_limits_hold_every_coupling_and_each_corner_is_one(
    person: tuple[list[float], list[float], int], seed: int
) -> None:
    here, there, seen = person
    assume(here[seen] > 0)
    least, most = limits(np.array([here]), np.array([there]), np.array([seen]))
    joint = some_coupling(np.random.default_rng(seed), here, there)
    np.testing.assert_allclose(joint.sum(axis=1), here, atol=1e-12)
    np.testing.assert_allclose(joint.sum(axis=0), there, atol=1e-12)
    assert (joint[seen] / here[seen] >= least[0] - 1e-9).all()
    assert (joint[seen] / here[seen] <= most[0] + 1e-9).all()
    found = np.array(list(corners(here, there, seen)))
    np.testing.assert_allclose(found.min(axis=0), least[0], atol=1e-9)
    np.testing.assert_allclose(found.max(axis=0), most[0], atol=1e-9)
    for corner in found:  # the coupling that has it: her row, and the others by what is left
        whole = np.zeros((len(here), len(there)))
        whole[seen] = here[seen] * corner
        left = np.array(there) - whole[seen]
        for level in range(len(here)):
            if level != seen and here[seen] < 1:
                whole[level] = here[level] * left / (1 - here[seen])
        assert (whole >= -1e-9).all()
        np.testing.assert_allclose(whole.sum(axis=0), there, atol=1e-9)


@pytest.mark.parametrize("other_cause", [False, True], ids=["alone", "with another cause"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_groups_mean_is_the_same_under_every_coupling(seed: int, other_cause: bool) -> None:
    """With counted shares, where all else people are compared on is a cause of the level."""
    random = np.random.default_rng(seed)
    n = 400
    woman, north = random.random(n) < 0.5, random.random(n) < 0.5
    level = np.where(
        woman ^ (other_cause & north),
        random.choice(4, n, p=[0.4, 0.3, 0.2, 0.1]),
        random.choice(4, n, p=[0.1, 0.3, 0.1, 0.5]),
    )
    frame = pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "region": np.where(north & other_cause, "n", "s"),
            "level": np.array(list("abcd"))[level],
            "refused": np.where(random.random(n) < 0.2 + 0.15 * level, "yes", "no"),
        }
    )
    columns = ("region", "level") if other_cause else ("level",)
    data = cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=tuple(
                cst_core.RelevantAttribute(
                    column=name,
                    kind="ordinal" if name == "level" else "nominal",
                    order=tuple("abcd") if name == "level" else None,
                )
                for name in columns
            ),
            decision=cst_core.Decision(column="refused", negative="yes"),
        ),
    )
    means, found = [], []
    for coupling in KINDS:
        model = cst_core.CausalModel(
            graph=cst_core.CausalGraph(
                nodes=("sex", *columns),
                edges=tuple((cause, "level") for cause in ("sex", *columns[:-1])),
                protected=("sex",),
            ),
            equations={"level": cst_core.Equation(node="level", coupling=coupling)},
        )
        result = cst_core.run_single(data, model, attribute="sex")
        found.append(result.evidence("CST_wo", cst_core.EvidenceSettings(n_neighbours=9)).delta)
        means.append(found[-1].mean())
    assert np.ptp(means) < 1e-9
    assert max(np.abs(found[0] - found[1]).max(), np.abs(found[0] - found[2]).max()) > 0.01
