"""Worlds whose truth is known, small enough for every run; the full tables are in `make validate`.

Seeds are fixed, so nothing here is left to chance; the bounds are wide of what was measured.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cst_core
from benchmarks.simulation.people import CUTOFF, SLOPE, World, run, simulate
from benchmarks.simulation.study import EFFECT, false_findings, true_findings
from cst_core.robustness import placebo

ALPHA = 0.05


def test_the_truth_is_that_of_the_known_equations() -> None:
    """The library, given the true coefficients, comes to the same truth."""
    world = World(share=0.3, effect=EFFECT, direct=0.4)
    drawn = simulate(world, 400, np.random.default_rng(5))
    known = {"x1": {"group": EFFECT}, "x2": {"group": EFFECT, "x1": SLOPE}}
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("group", "x1", "x2"),
            edges=(("group", "x1"), ("group", "x2"), ("x1", "x2")),
            protected=("group",),
        ),
        equations={
            node: cst_core.Equation(
                node=node,
                coefficients={
                    name: cst_core.Coefficient(value=value, source="by hand")
                    for name, value in terms.items()
                },
            )
            for node, terms in known.items()
        },
    )
    other = cst_core.counterfactuals(
        model.fit(drawn.dataset), drawn.dataset, {"group": "other"}
    ).frame
    frame, inside = drawn.dataset.frame, drawn.dataset.is_protected("group")
    refused_here = frame["x1"] + frame["x2"] < CUTOFF + 0.4
    refused_there = other["x1"] + other["x2"] < CUTOFF
    delta = (refused_here.astype(float) - refused_there).to_numpy()[inside]
    np.testing.assert_array_equal(drawn.true_delta, delta)
    assert (frame["decision"] == "refused").to_numpy()[inside].tolist() == (
        refused_here.to_numpy()[inside].tolist()
    )
    assert 0.05 < delta.mean() < 0.5


@pytest.mark.parametrize("rule", ["threshold", "logistic"])
def test_a_label_without_effect_has_no_true_difference(rule: str) -> None:
    world = World(share=0.2, rule=rule)  # type: ignore[arg-type]
    assert not simulate(world, 300, np.random.default_rng(1)).true_delta.any()
    there = simulate(replace(world, effect=-1.0), 300, np.random.default_rng(1))
    assert (there.true_delta >= 0).all()
    assert there.true_delta.any()


def test_false_findings_grow_with_imbalance_and_balance_takes_them_away() -> None:
    table = false_findings(n=2000, repeats=6, seed=1, shares=(0.05, 0.5), sizes=(50,))
    table = table.set_index(["rule", "protected"])
    for rule in ("threshold", "logistic"):
        few, half = table.loc[(rule, 0.05)], table.loc[(rule, 0.5)]
        assert few["control / test"] > 2.5
        assert half["control / test"] == pytest.approx(1, abs=0.1)
        assert few["significant, wald"] > 2 * ALPHA
        assert few["significant, agresti-caffo"] > 2 * ALPHA  # no interval mends a wide group
        assert few["significant, agresti-caffo, balanced"] < ALPHA
        assert half["significant, wald"] < ALPHA
    # three people in a group leave Wald's interval without width: balanced, it is still wrong
    assert table.loc[("logistic", 0.05), "significant, wald, balanced"] > 2 * ALPHA


def test_cst_finds_what_runs_through_the_attributes_and_st_does_not() -> None:
    table = true_findings(n=2000, repeats=4, seed=1, shares=(0.2,), sizes=(15, 50))
    for row in table.to_dict("records"):
        sharp = row["rule"] == "threshold"
        assert row["CST w/o, cases: recall"] > (0.95 if sharp else 0.8)
        assert row["CST w/o, significant: precision"] > (0.5 if sharp else 0.85)
        assert row["CST w/o, significant: recall"] > (0.9 if sharp else 0.4)
        assert row["ST, significant: recall"] < 0.15
        strict = "CST w/o, agresti-caffo, balanced"
        assert row[f"{strict}: precision"] > row["CST w/o, significant: precision"]


def test_placebo_p_values_are_valid_where_the_label_means_nothing() -> None:
    settings = cst_core.EvidenceSettings(n_neighbours=10)
    p_values = []
    for number in range(40):
        random = np.random.default_rng([7, number])
        result = run(simulate(World(share=0.2, rule="logistic"), 250, random), 10)
        found = placebo(result, settings=settings, methods=["CST_wo"], repeats=9, seed=number)
        p_values.append(found.of("CST_wo", 10).p_cases)
    # each of 0.1, 0.2, … is due to at most that share: binomial, 40 draws, beyond 3 deviations
    for level in (0.1, 0.2, 0.5):
        share = np.mean(np.array(p_values) <= level + 1e-12)
        assert share <= level + 3 * np.sqrt(level * (1 - level) / 40)
    assert min(p_values) < 0.5 < max(p_values)


def test_placebo_sees_an_effect() -> None:
    drawn = simulate(World(share=0.3, effect=-1.0), 800, np.random.default_rng(3))
    found = placebo(
        run(drawn, 15), settings=cst_core.EvidenceSettings(n_neighbours=15), repeats=19, seed=1
    )
    assert found.of("CST_wo", 15).p_significant == 1 / 20
