"""The bootstrap: against refits done by hand with statsmodels, and its promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from robust_cases import (
    ASKED,
    LINEAR,
    LOG,
    RANK,
    RULE,
    by_hand,
    dataset,
    people,
    run,
    two_attributes,
)

import cst_core
from cst_core.errors import CancelledError, SettingsError, UnavailableError
from cst_core.robustness import bootstrap


def refit_by_hand(number: int, seed: int, refits: int, link: str) -> cst_core.CausalModel:
    """Draw the same people, materialise them, and fit with statsmodels."""
    frame = people()
    stream = np.random.SeedSequence(seed).spawn(refits + 1)[number]
    rows = np.random.default_rng(stream).integers(0, len(frame), size=len(frame))
    drawn = frame.iloc[rows].assign(sex=(frame["sex"].iloc[rows] == "f").astype(float))
    pay = np.log(drawn["pay"]) if link == "log" else drawn["pay"]
    first = sm.OLS(pay, sm.add_constant(drawn[["sex", "age"]])).fit().params
    second = sm.OLS(drawn["saved"], sm.add_constant(drawn[["sex", "pay"]])).fit().params
    return by_hand(
        {
            "pay": {"intercept": first["const"], "sex": first["sex"], "age": first["age"]},
            "saved": {"intercept": second["const"], "sex": second["sex"], "pay": second["pay"]},
        },
        link,
    )


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
@pytest.mark.parametrize(("model", "link"), [(LINEAR, "identity"), (LOG, "log")])
def test_equal_to_refits_by_hand(method: str, model: cst_core.CausalModel, link: str) -> None:
    refits = 6
    found = bootstrap(run(model), settings=ASKED, method=method, refits=refits, seed=3)
    cases, significant, deltas = [], [], []
    for number in range(1, refits + 1):
        hand = refit_by_hand(number, 3, refits, link)
        for node, equation in hand.equations.items():
            for term, item in equation.coefficients.items():
                got = found.coefficients[f"{node}: {term}"][number - 1]
                assert got == pytest.approx(item.value, abs=1e-8)
        evidence = run(hand).evidence(method, ASKED)
        cases.append(evidence.is_case)
        significant.append(evidence.is_significant)
        deltas.append(evidence.delta)
    np.testing.assert_allclose(found.share_case, np.mean(cases, axis=0))
    np.testing.assert_allclose(found.share_significant, np.mean(significant, axis=0))
    np.testing.assert_allclose(found.delta_mean, np.mean(deltas, axis=0), atol=1e-9)
    np.testing.assert_allclose(found.delta_lower, np.quantile(deltas, 0.025, axis=0), atol=1e-9)
    np.testing.assert_allclose(found.delta_upper, np.quantile(deltas, 0.975, axis=0), atol=1e-9)
    assert found.cases.tolist() == [int(item.sum()) for item in cases]
    assert found.significant.tolist() == [int(item.sum()) for item in significant]
    assert 0 < found.share_case.mean() < 1, "the case must be able to tell"


def test_refits_without_neighbours_are_no_evidence_and_no_zero() -> None:
    """With ε, against whole runs one by one: what a refit cannot say is left out of Δp."""
    refits, near = 12, 0.03
    result = run(max_distance=near)
    found = bootstrap(result, settings=ASKED, refits=refits, seed=3)
    known, deltas, cases = [], [], []
    for number in range(1, refits + 1):
        again = run(refit_by_hand(number, 3, refits, "identity"), max_distance=near)
        evidence = again.evidence("CST_wo", ASKED)
        known.append(evidence.has_evidence)
        deltas.append(evidence.delta)
        cases.append(evidence.is_case)
    share = np.mean(known, axis=0)
    observed = result.evidence("CST_wo", ASKED).has_evidence
    np.testing.assert_allclose(found.share_evidence, share)
    np.testing.assert_allclose(found.share_case, np.mean(cases, axis=0))
    np.testing.assert_array_equal(np.isnan(found.delta), ~observed)
    for place in range(len(found.index)):
        own = [row[place] for row, has in zip(deltas, known, strict=True) if has[place]]
        got = [getattr(found, f"delta_{name}")[place] for name in ("mean", "lower", "upper")]
        if own:
            wanted = [np.mean(own), np.quantile(own, 0.025), np.quantile(own, 0.975)]
            np.testing.assert_allclose(got, wanted, atol=1e-9)
        else:
            assert np.isnan(got).all()
    lost, gained = (observed & (share < 1)).sum(), (~observed & (share > 0)).sum()
    assert lost > 3, "the case must be able to tell"
    assert gained > 0
    assert (share == 0).any()
    assert any(f"no evidence is possible there: {lost}." in note for note in found.notes)
    assert any(f"but in some refits: {gained}." in note for note in found.notes)
    assert "share_evidence" in found.to_frame()


def test_without_a_limit_everyone_has_evidence_in_every_refit() -> None:
    found = bootstrap(run(), settings=ASKED, refits=3, seed=1)
    assert set(found.share_evidence) == {1.0}
    assert not found.notes


@pytest.mark.parametrize("method", ["CST_wo", "CST_w"])
@pytest.mark.parametrize("several", ["bonferroni", "intersection-union"])
def test_multiple_equal_to_refits_by_hand(method: str, several: str) -> None:
    """Every attribute's run is moved by the same refit, and all of them must find it."""
    data, model = two_attributes()
    asked = replace(ASKED, significance_level=0.2, several=several)
    result = cst_core.run_multiple(data, model, decision_maker=RULE)
    refits = 5
    found = bootstrap(result, settings=asked, method=method, refits=refits, seed=4)
    cases, significant, deltas = [], [], []
    streams = np.random.SeedSequence(4).spawn(refits + 1)
    frame = data.frame.assign(
        sex=(data.frame["sex"] == "f").astype(float),
        origin=(data.frame["origin"] == "far").astype(float),
    )
    for number in range(1, refits + 1):
        rows = np.random.default_rng(streams[number]).integers(0, len(frame), size=len(frame))
        drawn = frame.iloc[rows]
        hand = {
            node: sm.OLS(drawn[node], sm.add_constant(drawn[causes])).fit().params
            for node, causes in (("pay", ["sex", "age", "origin"]), ("saved", ["pay", "sex"]))
        }
        equations = {
            node: cst_core.Equation(
                node=node,
                coefficients={
                    "intercept" if term == "const" else term: cst_core.Coefficient(
                        value=value, source="by hand"
                    )
                    for term, value in numbers.items()
                },
            )
            for node, numbers in hand.items()
        }
        again = cst_core.run_multiple(
            data, replace(model, equations=equations), decision_maker=RULE
        ).evidence(method, asked)
        cases.append(again.is_case)
        significant.append(again.is_significant)
        deltas.append(again.delta)
    np.testing.assert_allclose(found.share_case, np.mean(cases, axis=0))
    np.testing.assert_allclose(found.share_significant, np.mean(significant, axis=0))
    np.testing.assert_allclose(found.delta_mean, np.mean(deltas, axis=0), atol=1e-9)
    assert found.significant.tolist() == [int(item.sum()) for item in significant]
    assert found.index.equals(result.index)
    assert 0 < np.mean(cases) < 1
    assert np.any(significant), "the case must be able to tell"


def test_the_number_of_workers_changes_nothing_and_the_seed_does() -> None:
    result = run()
    one, two, other = (
        bootstrap(result, settings=ASKED, refits=8, seed=seed, workers=workers)
        for seed, workers in ((1, 1), (1, 3), (2, 2))
    )
    assert one.to_frame().equals(two.to_frame())
    assert one.coefficients.equals(two.coefficients)
    assert not one.coefficients.equals(other.coefficients)


def test_coefficients_set_by_hand_stay() -> None:
    fixed = cst_core.Equation(
        node="pay", coefficients={"sex": cst_core.Coefficient(value=-1.0, source="by hand")}
    )
    model = cst_core.CausalModel(graph=LINEAR.graph, equations={"pay": fixed})
    found = bootstrap(run(model), settings=ASKED, refits=5, seed=1)
    assert set(found.coefficients["pay: sex"]) == {-1.0}
    frame = people()
    for number in range(1, 6):  # the others are fitted around it
        stream = np.random.SeedSequence(1).spawn(6)[number]
        drawn = frame.iloc[np.random.default_rng(stream).integers(0, len(frame), size=len(frame))]
        rest = drawn["pay"] + 1.0 * (drawn["sex"] == "f")
        wanted = sm.OLS(rest, sm.add_constant(drawn[["age"]])).fit().params
        row = found.coefficients.iloc[number - 1]
        assert row["pay: age"] == pytest.approx(wanted["age"], abs=1e-8)
        assert row["pay: intercept"] == pytest.approx(wanted["const"], abs=1e-8)


def test_a_model_wholly_by_hand_gives_the_same_verdicts_in_every_refit() -> None:
    fitted = run().model
    values = {
        node: {term: float(item.value) for term, item in fitted.equation(node).coefficients.items()}
        for node in fitted.mechanisms
    }
    found = bootstrap(run(by_hand(values)), settings=ASKED, refits=4, seed=1)
    np.testing.assert_array_equal(found.share_case, found.is_case.astype(float))
    np.testing.assert_array_equal(found.delta_lower, found.delta_upper)
    assert found.standing().sum() == found.is_significant.sum()


@pytest.mark.slow
def test_spread_of_the_coefficients_is_near_the_standard_errors() -> None:
    """With homoscedastic noise the two estimate the same thing."""
    result = run()
    found = bootstrap(result, settings=ASKED, refits=400, seed=5)
    for term, item in result.model.equation("saved").coefficients.items():
        spread = found.coefficients[f"saved: {term}"].std()
        assert spread == pytest.approx(item.standard_error, rel=0.2)


def test_quantile_transport_is_fitted_again_too() -> None:
    result = run(RANK)
    found = bootstrap(result, settings=ASKED, refits=12, seed=2)
    assert found.coefficients.empty
    assert (found.delta_lower < found.delta_upper).any()


def test_refits_that_cannot_be_fitted_are_left_out_and_counted() -> None:
    frame = people().iloc[:60].copy()
    frame["rare"] = "usual"
    frame.iloc[0, frame.columns.get_loc("rare")] = "odd"
    data = cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f"),),
            relevant=(
                cst_core.RelevantAttribute(column="pay"),
                cst_core.RelevantAttribute(column="rare", kind="nominal"),
            ),
        ),
    )
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("sex", "rare", "pay"),
            edges=(("sex", "pay"), ("rare", "pay")),
            protected=("sex",),
        )
    )
    rule = cst_core.ThresholdRule(weights={"pay": 1.0}, cutoff=5.0)
    result = cst_core.run_single(data, model, attribute="sex", decision_maker=rule)
    found = bootstrap(result, settings=ASKED, refits=40, seed=1)
    assert 0 < found.n_failed < 40  # the odd one out is missing in about 37 % of the samples
    assert len(found.cases) == 40 - found.n_failed
    assert f"{found.n_failed} refits could not be made and are left out" in found.summary()[0]


def test_many_complainants_are_sampled_and_it_says_so() -> None:
    result = run()
    found = bootstrap(result, settings=ASKED, refits=3, seed=1, max_complainants=10)
    whole = bootstrap(result, settings=ASKED, refits=3, seed=1)
    assert len(found.index) == 10
    assert f"Of {result.n_protected} people, a random sample of 10" in found.notes[0]
    assert found.to_frame().equals(whole.to_frame().loc[found.index])


def test_cancelling_and_refusals() -> None:
    result = run()
    told: list[tuple[str, int, int]] = []

    def stop(what: str, done: int, total: int) -> bool:
        told.append((what, done, total))
        return done < 3

    with pytest.raises(CancelledError):
        bootstrap(result, settings=ASKED, refits=50, seed=1, progress=stop)
    assert told == [("sex: bootstrap", done, 50) for done in (1, 2, 3)]
    with pytest.raises(SettingsError, match="depend on the causal model"):
        bootstrap(result, settings=ASKED, seed=1, method="ST")  # type: ignore[arg-type]
    for wrong, words in (
        ({"refits": 0}, "refits: expected a whole number of 1 or more, got 0"),
        ({"seed": -1}, "seed: expected a whole number of 0 or more, got -1"),
        ({"max_complainants": 0}, "max_complainants: expected a whole number of 1 or more"),
        ({"workers": -2}, "workers: expected a whole number of 1 or more, got -2"),
    ):
        with pytest.raises(SettingsError, match=words):
            bootstrap(result, settings=ASKED, **({"seed": 1, "refits": 2} | wrong))
    frame = people().assign(decision=RULE.is_negative(people()))
    recorded = cst_core.run_single(
        cst_core.Dataset.from_frame(
            frame,
            cst_core.Roles(
                protected=dataset().roles.protected,
                relevant=dataset().roles.relevant,
                decision=cst_core.Decision(column="decision", negative=True),
            ),
        ),
        LINEAR,
        attribute="sex",
    )
    with pytest.raises(UnavailableError, match="CST_w"):
        bootstrap(recorded, settings=ASKED, seed=1, method="CST_w")
