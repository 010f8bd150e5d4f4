"""Verdicts that return: every stretch of the effect in which someone is a finding.

The oracle is brute force: the whole test run again at each of many effects.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from robust_cases import LINEAR, LOG, RANK

import cst_core
from cst_core.results import SingleResult
from cst_core.robustness import Tipping, tipping, tipping_of, under_model

ASKED = cst_core.EvidenceSettings(n_neighbours=12)
MODELS = {"linear": LINEAR, "log": LOG, "rank": RANK}
TURN = 1e-4


@cache
def run(model: str = "linear") -> SingleResult:
    """Return a test where refusals come and go with pay, so that findings do so with the effect."""
    random = np.random.default_rng(4)
    n = 400
    woman = random.random(n) < 0.4
    age = random.integers(0, 3, n).astype(float)
    pay = 4 + 0.5 * age - 1.6 * woman + random.gamma(2.0, 0.6, n)
    saved = 0.8 * pay - 0.6 * woman + random.normal(0, 0.3, n)
    refused = random.random(n) < 0.5 + 0.45 * np.sin(3.5 * pay)
    frame = pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            **{"age": age, "pay": pay - pay.min() + 1, "saved": saved - saved.min() + 1},
            "decision": np.where(refused, "no", "yes"),
        },
        index=[f"p{row}" for row in range(n)],
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=tuple(cst_core.RelevantAttribute(column=name) for name in ("age", "pay", "saved")),
        decision=cst_core.Decision(column="decision", negative="no"),
    )
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        MODELS[model],
        attribute="sex",
        search=cst_core.SearchSettings(max_neighbours=12),
    )


def whole_run(result: SingleResult, scale: float) -> np.ndarray:
    again = under_model(result, result.model, effect_scale=float(scale))
    return again.evidence("CST_wo", ASKED).is_significant


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_stretches_are_those_of_whole_runs_on_a_fine_grid(model: str) -> None:
    """At 160 effects between those looked at; only visits shorter than a step may be missed."""
    result = run(model)
    found = tipping(result, settings=ASKED, grid=np.linspace(0, 2, 201), tolerance=TURN)
    assert found.comes_back.sum() > 3, "the case must be able to tell"
    everyone = [found.of(person) for person in found.index]
    fine = np.arange(160) * 0.0125 + 0.0023
    missed = 0
    for scale in fine:
        wanted = whole_run(result, scale)
        got = np.array([hers.holds_at(scale) for hers in everyone])
        np.testing.assert_array_equal(got, found.findings_at(scale))
        near = [any(abs(turn - scale) <= TURN for turn in hers.turns) for hers in everyone]
        wrong = (got != wanted) & ~np.array(near)
        step = np.searchsorted(found.grid, scale)
        same = found.is_significant[step - 1] == found.is_significant[step]
        assert not (wrong & ~same).any(), "a turn that was seen lies where it was said"
        missed += int(wrong.sum())
    assert missed <= 0.005 * len(fine) * len(everyone)


def test_every_turn_has_the_two_verdicts_on_its_two_sides() -> None:
    result = run()
    found = tipping(result, settings=ASKED, tolerance=TURN)
    turned = [person for person in found.index if len(found.of(person).turns) > 2][:4]
    assert turned
    for person in turned:
        place = found.index.get_loc(person)
        for one in found.of(person).stretches:
            for end, outward in ((one.low, -1), (one.high, 1)):
                inside = min(max(end - outward * 2 * TURN, 0.0), 2.0)
                assert whole_run(result, inside)[place]
                if end not in found.span:
                    assert not whole_run(result, end + outward * 2 * TURN)[place]


def test_someone_alone_has_the_stretches_she_has_among_all() -> None:
    result = run()
    everyone = tipping(result, settings=ASKED)
    turned = everyone.index[everyone.comes_back]
    assert len(turned)
    for person in (*turned[:3], everyone.index[0]):
        assert tipping_of(result, str(person), settings=ASKED) == everyone.of(person)
    assert tipping_of(result, "nobody", settings=ASKED) is None
    corrected = replace(ASKED, interval="agresti-caffo", correction="bh")
    assert tipping_of(result, str(turned[0]), settings=corrected) is None


def test_tables_counts_and_files_tell_the_same() -> None:
    found = tipping(run(), settings=ASKED)
    table, rows = found.stretches(), found.to_frame()
    each = {person: found.of(person) for person in found.index}
    for person, hers in table.groupby("person"):
        assert [(one.low, one.high) for one in each[person].stretches] == list(
            hers[["from", "to"]].itertuples(index=False, name=None)
        )
    assert set(table["person"]) == {person for person, hers in each.items() if hers.stretches}
    for person, hers in each.items():
        row = rows.loc[person]
        assert row["is_significant"] == hers.is_significant
        assert row["significant_crossings"] == len(hers.turns)
        assert row["comes_back"] == (hers.is_significant and sum(t < 1 for t in hers.turns) > 1)
        assert row["holds_throughout"] == (hers.main is not None and hers.main.low == 0)
    (told,) = found.numbers()["results"]
    assert told["come_back"] == rows["comes_back"].sum() > 0
    assert told["hold_throughout"] == rows["holds_throughout"].sum()
    st = run().evidence("ST", ASKED).is_significant
    assert told["found_without_effect"] == (st & rows["is_significant"]).sum()
    assert told["found_without_effect"] > told["hold_throughout"], "two counts"
    assert set(found.tables()) == {"", "k12", "k12_stretches"}
    again = Tipping.from_json(found.to_json())
    assert [again.of(person) for person in found.index] == list(each.values())


@pytest.mark.slow
def test_law_school_findings_come_back() -> None:
    """Gender, the paper's settings: 15 of 139 at k = 15; each against whole runs."""
    result = cst_core.load_scenario("law-school").run("gender")
    asked = cst_core.EvidenceSettings(n_neighbours=15)
    found = tipping(result, settings=asked)
    (told,) = found.numbers()["results"]
    wanted = {"significant": 139, "come_back": 15, "come_back_at_none": 6}
    wanted |= {"hold_throughout": 4, "found_without_effect": 19}
    assert {name: told[name] for name in wanted} == wanted
    assert found.counts().loc[0.0, "significant"] == 26
    for scale in (0.0, 0.26, 0.51, 0.77, 0.83, 0.99, 1.33):
        again = under_model(result, result.model, effect_scale=scale)
        np.testing.assert_array_equal(
            found.findings_at(scale), again.evidence("CST_wo", asked).is_significant
        )
