"""Nodes on which no verdict hangs: left out of the states, and shown all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core.causal import LevelArithmetic
from cst_core.explain import explain_person
from cst_core.results import SingleResult

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
K15 = cst_core.EvidenceSettings(n_neighbours=15)
LEVELS = np.array([f"L{level:02d}" for level in range(12)])


def people(n: int = 1200) -> cst_core.Dataset:
    """Make people whose sex moves B, on which they are decided, and M and N, which do nothing."""
    random = np.random.default_rng(0)
    woman = random.random(n) < 0.5

    def drawn() -> Any:
        chances = np.where(woman[:, None], np.linspace(1, 3, 12), np.linspace(3, 1, 12))
        upto = (chances / chances.sum(axis=1, keepdims=True)).cumsum(axis=1)
        return LEVELS[(random.random((n, 1)) > upto).sum(axis=1).clip(0, 11)]

    frame = pd.DataFrame({name: drawn() for name in "BMN"})
    share = 0.2 + 0.05 * frame["B"].str[1:].astype(int)
    frame["refused"] = np.where(random.random(n) < share, "yes", "no")
    frame["sex"] = np.where(woman, "f", "m")
    frame["wage"] = random.normal(size=n) + 0.5 * woman
    return cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=(cst_core.RelevantAttribute(column="B", kind="nominal"),),
            context=(
                *(cst_core.ContextAttribute(column=name, kind="nominal") for name in "MN"),
                cst_core.ContextAttribute(column="wage"),
            ),
            decision=cst_core.Decision(column="refused", negative="yes"),
        ),
    )


def run(*edges: tuple[str, str], **more: Any) -> SingleResult:
    nodes = tuple(dict.fromkeys(name for edge in edges for name in edge))
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(nodes=nodes, edges=edges, protected=("sex",)), equations={}
    )
    search = cst_core.SearchSettings(max_neighbours=15)
    return cst_core.run_single(people(), model, attribute="sex", search=search, **more)


PLAIN = (("sex", "B"),)
LEAVES = (("sex", "M"), ("sex", "N"), ("sex", "wage"))


def test_leaves_change_no_verdict_and_cost_no_state() -> None:
    plain, more = run(*PLAIN), run(*LEAVES, *PLAIN)
    pd.testing.assert_frame_equal(
        plain.evidence("CST_wo", K15).to_frame(), more.evidence("CST_wo", K15).to_frame()
    )
    assert more.counterfactuals.changed == ("sex", "B")
    assert len(more.counterfactuals.states.frame) == len(plain.counterfactuals.states.frame)


def test_her_page_shows_the_steps_of_what_no_verdict_needs() -> None:
    result = run(*LEAVES, *PLAIN)
    steps = {
        step.node: step
        for step in explain_person(result, result.index[0], "CST_wo", K15).cases[0].steps
    }
    assert set(steps) == {"B", "M", "N", "wage"}
    row = int(result.rows_of(result.index[:1])[0])
    full = cst_core.counterfactuals(result.model, result.dataset, {"sex": "m"})
    assert steps["wage"].counterfactual == pytest.approx(full.frame["wage"].iloc[row])
    assert steps["wage"].counterfactual != steps["wage"].observed
    levels = steps["M"].arithmetic
    assert isinstance(levels, LevelArithmetic)
    assert steps["M"].counterfactual == levels.levels[int(np.argmax(levels.weights))]


def test_everything_is_needed_by_a_maker_that_does_not_say_what_it_reads() -> None:
    class Secret:
        def is_negative(self, frame: pd.DataFrame) -> Any:
            return (frame["M"] > "L05").to_numpy()

    result = run(*LEAVES, *PLAIN, decision_maker=Secret())
    assert set(result.counterfactuals.changed) == {"sex", "B", "M", "N", "wage"}
    assert result.there is not None
    assert 0 < result.there.share.mean() < 1


def test_a_mediator_is_walked_through_and_its_states_meet_again() -> None:
    result = run(("sex", "M"), ("M", "B"))
    mixture = result.counterfactuals.states.mixture
    assert mixture is not None
    assert np.bincount(mixture.owner).max() <= 12
    assert mixture.whole.all()
    assert not mixture.lost.any()
    whole = cst_core.counterfactuals(result.model, result.dataset, {"sex": "m"}).states
    assert whole.mixture is not None
    assert np.bincount(whole.mixture.owner).max() > 100
    for level in LEVELS:
        np.testing.assert_allclose(
            mixture.mean((result.counterfactuals.states.frame["B"] == level).to_numpy()),
            whole.mixture.mean((whole.frame["B"] == level).to_numpy()),
            atol=1e-12,
        )


def test_where_nothing_that_matters_follows_it_is_said() -> None:
    result = run(*LEAVES)
    assert "M, N, wage would follow from it, but nothing that people are" in " ".join(result.notes)
    np.testing.assert_array_equal(
        result.evidence("CST_wo", K15).delta, result.evidence("ST", K15).delta
    )
