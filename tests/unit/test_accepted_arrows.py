"""Which arrows carry a finding: the check equals whole tests of models with arrows accepted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from robust_cases import ASKED, GRAPH, LINEAR, RULE, run, two_attributes

import cst_core
from cst_core.errors import CancelledError
from cst_core.explain import PRONOUNS, Subject, arrows_sentence
from cst_core.robustness import CHECKS, CheckRequest, accepted_in_turn

DECIDED = cst_core.CausalModel(
    graph=replace(
        GRAPH,
        nodes=(*GRAPH.nodes, "decision"),
        edges=(*GRAPH.edges, ("pay", "decision"), ("age", "decision")),
        decision="decision",
    )
)
ABOUT = Subject(finding="finding", case="a significant case", cause="sex", who=PRONOUNS["she"])


def accepting(model: cst_core.CausalModel, *arrows: tuple[str, str]) -> cst_core.CausalModel:
    return replace(
        model, graph=replace(model.graph, accepted=dict.fromkeys(arrows, "it is justified"))
    )


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
def test_equal_to_whole_tests(method: Any) -> None:
    asked = (ASKED, replace(ASKED, n_neighbours=5))
    both = accepted_in_turn(run(DECIDED), settings=asked, method=method)
    ways = {
        "sex → pay": ("sex", "pay"),
        "pay → saved": ("pay", "saved"),
        "sex → saved": ("sex", "saved"),
    }
    if method != "CST_wo":  # b() is asked
        ways["pay → decision"] = ("pay", "decision")
    for found, settings in zip(both, asked, strict=True):
        assert list(found.beside.ways) == ["as drawn", *ways]
        own = run(DECIDED).evidence(method, settings)
        np.testing.assert_array_equal(found.beside.is_significant["as drawn"], own.is_significant)
        for way, arrow in ways.items():
            wanted = run(accepting(DECIDED, arrow)).evidence(method, settings)
            np.testing.assert_array_equal(found.beside.is_case[way], wanted.is_case)
            np.testing.assert_array_equal(
                found.beside.delta[way][wanted.has_evidence], wanted.delta[wanted.has_evidence]
            )
        for item, way in zip(found.stands(), ways, strict=True):
            assert item.what == f"Without the arrow {way}"
            assert item.of == own.is_significant.sum()
            now = found.beside.is_significant[way].to_numpy()
            assert item.stand == (own.is_significant & now).sum()
            assert item.more == (~own.is_significant & now).sum()


def test_the_last_arrow_out_of_a_leaves_situation_testing() -> None:
    almost = accepting(LINEAR, ("sex", "saved"))
    (found,) = accepted_in_turn(run(almost), settings=(ASKED,))
    assert "sex → saved" not in found.beside.ways
    assert "Accepted in the drawing already, and left so: sex → saved." in found.notes
    classical = run().evidence("ST", ASKED)
    np.testing.assert_allclose(found.beside.delta["sex → pay"], classical.delta)
    np.testing.assert_array_equal(
        found.beside.is_significant["sex → pay"], classical.is_significant
    )
    (none,) = accepted_in_turn(
        run(accepting(LINEAR, ("sex", "pay"), ("sex", "saved"), ("pay", "saved"))),
        settings=(ASKED,),
    )
    assert none.stands() == ()
    assert "no arrow that is not accepted leads on" in none.summary()[0]


def test_in_a_multiple_test_an_arrow_moves_the_runs_it_is_on_the_way_of() -> None:
    data, model = two_attributes()
    result = cst_core.run_multiple(data, model, decision_maker=RULE)
    (found,) = accepted_in_turn(result, settings=(ASKED,))
    assert "origin → pay" in found.beside.ways
    whole = cst_core.run_multiple(data, accepting(model, ("pay", "saved")), decision_maker=RULE)
    np.testing.assert_array_equal(
        found.beside.is_significant["pay → saved"], whole.evidence("CST_wo", ASKED).is_significant
    )


def test_sentences_of_all_and_of_one() -> None:
    result = run()
    (found,) = accepted_in_turn(result, settings=(ASKED,))
    own = int(result.evidence("CST_wo", ASKED).is_significant.sum())
    stand = found.stands()[0].stand
    assert f"of {own:,} significant cases by" in found.summary()[0]
    assert f"without the arrow sex → pay {stand:,} stand" in found.summary()[0]
    for person in found.beside.delta.index:
        hers = found.of(person)
        assert hers is not None
        said = arrows_sentence(ABOUT, hers)
        turned = [
            item for item in hers.accepted if item.is_significant != hers.as_drawn.is_significant
        ]
        assert all(item.arrow in said.split(" is accepted")[0] for item in turned)
        assert ("whichever single arrow" in said) == (not turned)
    assert found.of("nobody") is None


def test_it_can_be_cancelled() -> None:
    request = CheckRequest(result=run(), settings=(ASKED,), progress=lambda *_: False)
    with pytest.raises(CancelledError, match="1 of 3 arrows"):
        CHECKS["arrows"].report(request)
