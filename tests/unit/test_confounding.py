"""Confounding: arrows against statsmodels, endings against whole tests, warnings by the drawing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from level_cases import berkeley
from robust_cases import (
    ASKED,
    GRAPH,
    LINEAR,
    LOG,
    RANK,
    by_hand,
    dataset,
    people,
    run,
    two_attributes,
)
from sklearn.tree import DecisionTreeRegressor

import cst_core
from cst_core.errors import CausalModelWarning, SettingsError
from cst_core.results import SingleResult
from cst_core.robustness import (
    CHECKS,
    ArrowStrength,
    CheckRequest,
    Confounding,
    arrow_strengths,
    confounding,
    evidence_odds,
    robustness_value,
    unmeasured_arrows,
    unseen_odds,
)

PRODUCT = cst_core.CausalModel(
    graph=GRAPH,
    equations={"pay": cst_core.Equation(node="pay", interactions=(("sex", "age"),))},
)
LEARNT = cst_core.CausalModel(
    graph=GRAPH,
    equations={
        "pay": cst_core.Equation(node="pay", regressor=DecisionTreeRegressor(max_depth=2)),
    },
)


def by_term(model: cst_core.CausalModel, node: str, term: str, value: float) -> Any:
    """Return the model with one coefficient by hand."""
    equation = model.equation(node)
    number = cst_core.Coefficient(value=value, source="by hand")
    changed = replace(equation, coefficients={**equation.coefficients, term: number})
    return replace(model, equations={**model.equations, node: changed})


def drawn(*arrows: tuple[str, str]) -> cst_core.CausalModel:
    return replace(LINEAR, graph=replace(GRAPH, bidirected=arrows))


@pytest.mark.parametrize("model", [LINEAR, LOG])
def test_arrows_are_those_of_least_squares(model: cst_core.CausalModel) -> None:
    frame = people()
    woman = (frame["sex"] == "f").astype(float)
    pay = np.log(frame["pay"]) if model is LOG else frame["pay"]
    fits = {
        "sex → pay": sm.OLS(pay, sm.add_constant(np.column_stack([woman, frame["age"]]))).fit(),
        "sex → saved": sm.OLS(
            frame["saved"], sm.add_constant(np.column_stack([woman, frame["pay"]]))
        ).fit(),
    }
    found = {arrow.arrow: arrow for arrow in arrow_strengths(run(model))}
    assert list(found) == ["sex → pay", "sex → saved"]
    for name, fit in fits.items():
        arrow = found[name]
        assert arrow.estimate == pytest.approx(fit.params.iloc[1])
        assert arrow.standard_error == pytest.approx(fit.bse.iloc[1])
        assert arrow.t == pytest.approx(fit.tvalues.iloc[1])
        assert arrow.df == fit.df_resid
        f = abs(arrow.t) / np.sqrt(arrow.df)
        assert arrow.value() == pytest.approx((np.sqrt(f**4 + 4 * f**2) - f**2) / 2)
        np.testing.assert_allclose(
            arrow.values(np.array([0.0, 0.3])), [arrow.value(), arrow.value(remaining=0.3)]
        )
        assert arrow.remaining(arrow.value(remaining=0.3)) == pytest.approx(0.3)
        assert arrow.remaining(0.99999) == 0 == arrow.remaining(1.0)


def test_a_level_against_the_reference() -> None:
    frame = people()
    random = np.random.default_rng(2)
    origin = random.choice(["here", "near", "far"], len(frame))
    frame["origin"] = origin
    frame["pay"] = frame["pay"] - 0.7 * (origin == "far") - 0.2 * (origin == "near")
    roles = replace(
        dataset().roles,
        protected=(
            cst_core.ProtectedAttribute(column="origin", protected="far", reference="here"),
        ),
    )
    graph = cst_core.CausalGraph(
        nodes=("origin", "age", "pay"),
        edges=(("origin", "pay"), ("age", "pay")),
        protected=("origin",),
    )
    result = cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(graph=graph),
        attribute="origin",
        decision_maker=cst_core.ThresholdRule(weights={"pay": 1.0}, cutoff=5.5),
        search=cst_core.SearchSettings(max_neighbours=20),
    )
    design = np.column_stack([origin == "near", origin == "far", frame["age"]]).astype(float)
    fit = sm.OLS(frame["pay"], sm.add_constant(design)).fit()
    (arrow,) = arrow_strengths(result)
    assert arrow.estimate == pytest.approx(fit.params.iloc[2])
    assert (arrow.t, arrow.df) == (pytest.approx(fit.tvalues.iloc[2]), fit.df_resid)
    found = confounding(result, settings=ASKED)
    ends = ~np.isnan(found.effect_needed)
    assert ends.any()
    joined = arrow.values(found.effect_needed[ends])
    np.testing.assert_allclose(found.needed[0, ends], joined, atol=arrow.value() * 1.5 / 40)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (RANK, "does not follow from a sum fitted by least squares, but by quantile transport"),
        (PRODUCT, "differs with other attributes"),
        (LEARNT, "does not follow from a sum fitted by least squares, but by"),
        (by_term(LINEAR, "pay", "sex", -0.4), "set by hand"),
    ],
)
def test_arrows_without_a_value_say_why(model: cst_core.CausalModel, words: str) -> None:
    arrow = arrow_strengths(run(model))[0]
    assert arrow.undefined.startswith("sex → pay has no robustness value:")
    assert words in arrow.undefined
    assert np.isnan(arrow.value())
    found = confounding(run(model), settings=ASKED)
    assert arrow.undefined in found.summary()
    assert Confounding.from_json(found.to_json()).summary() == found.summary()


def test_effects_with_levels_have_none() -> None:
    (arrow,) = arrow_strengths(berkeley())
    assert arrow.undefined == (
        "gender → department has no robustness value: department has levels, and the value is "
        "defined for numbers only."
    )


def test_survey_weights_have_none() -> None:
    frame = people().assign(wt=1.5)
    weighted = cst_core.Dataset.from_frame(frame, replace(dataset().roles, weight_column="wt"))
    result = replace(run(), dataset=weighted)
    assert all("survey weights" in arrow.undefined for arrow in arrow_strengths(result))


def test_arguments_are_checked() -> None:
    with pytest.raises(SettingsError, match="remaining: expected a share from 0 to 1, got"):
        robustness_value(2.0, 10, remaining=1.5)
    with pytest.raises(SettingsError, match="df: expected a number above 0, got 0"):
        robustness_value(2.0, 0)
    with pytest.raises(SettingsError, match="significance_level: expected a number between"):
        robustness_value(2.0, 10, significance_level=0.0)
    with pytest.raises(SettingsError, match="significance_level: expected a number between"):
        unseen_odds(1, 2, 0, 2, significance_level=1.0)


@pytest.fixture(scope="module")
def found() -> Confounding:
    return confounding(run(), settings=ASKED)


def significant(numbers: dict[str, float]) -> np.ndarray:
    """Return a whole test's findings with these coefficients of sex, by effect, all by hand."""
    fitted = run().model
    each = {
        node: {
            name: number.value * 1.0
            for name, number in fitted.equation(node).coefficients.items()
            if number.value is not None
        }
        for node in ("pay", "saved")
    }
    for node, value in numbers.items():
        each[node]["sex"] = value
    return np.asarray(run(by_hand(each)).evidence("CST_wo", ASKED).is_significant)


def test_findings_end_where_whole_tests_lose_them(found: Confounding) -> None:
    """Each arrow alone: the same test with its coefficient set by hand a step before and after."""
    step = 1 / 40
    for row, arrow in enumerate(found.arrows):
        ends = found.alone[row]
        some = [float(value) for value in np.unique(ends[~np.isnan(ends)])[:3]]
        assert some
        for share in some:
            before, after = (
                significant({arrow.effect: at * arrow.estimate})
                for at in (share + step / 2, share - step / 2)
            )
            here = ends == share
            assert before[here].all()
            assert not after[here].any()
            assert (found.is_significant & before)[here].all()


def test_one_cause_behind_all_leaves_what_it_explains(found: Confounding) -> None:
    strengths = found.together
    some = np.unique(strengths[~np.isnan(strengths)])[[0, -1]]
    step = max(arrow.value() for arrow in found.arrows) / 40
    for strength in some:
        for at, stays in ((strength - step / 2, True), (strength + step / 2, False)):
            numbers = {}
            for arrow in found.arrows:
                f = abs(arrow.t) / np.sqrt(arrow.df)
                numbers[arrow.effect] = max(0.0, 1 - at / np.sqrt(1 - at) / f) * arrow.estimate
            assert (significant(numbers)[strengths == strength] == stays).all()


def test_the_weakest_cause_counts(found: Confounding) -> None:
    each = np.vstack([found.needed, found.together[None]])
    for place in np.flatnonzero(found.is_significant):
        known = each[:, place][~np.isnan(each[:, place])]
        if len(known):
            assert found.weakest[place] == known.min()
        else:
            assert np.isnan(found.weakest[place])
    assert np.isnan(found.weakest[~found.is_significant]).all()
    assert found.ended_by(1.0) == (~np.isnan(found.weakest)).sum()
    assert found.ended_by(0.0) == 0
    (standing,) = found.stands()
    assert standing.stand == standing.of - found.ended_by(0.1)


def test_one_arrow_needs_the_value_of_its_tipping_point() -> None:
    """With one arrow, all three ways to shrink the effect are one."""
    graph = replace(GRAPH, edges=tuple(edge for edge in GRAPH.edges if edge != ("sex", "saved")))
    found = confounding(run(cst_core.CausalModel(graph=graph)), settings=ASKED)
    (arrow,) = found.arrows
    ends = ~np.isnan(found.effect_needed)
    assert ends.any()
    joined = arrow.values(found.effect_needed[ends])
    reach = arrow.value() * 1.5 / 40
    np.testing.assert_allclose(found.needed[0, ends], joined, atol=reach)
    np.testing.assert_allclose(found.together[ends], joined, atol=reach)


def test_odds_are_those_of_the_counts(found: Confounding) -> None:
    evidence = run().evidence("CST_wo", ASKED)
    for place in range(0, len(found.index), 7):
        wanted = unseen_odds(
            np.floor(evidence.p_control[place] * 7 + 1e-9),
            7,
            np.ceil(evidence.p_test[place] * 7 - 1e-9),
            7,
            significance_level=0.05,
        )
        assert found.odds[place] == pytest.approx(float(wanted))
    favour = replace(ASKED, direction="favour")
    other = evidence_odds(run().evidence("CST_wo", favour))
    assert ((other == 1) | (found.odds == 1)).all()  # no difference is significant both ways


def test_one_person(found: Confounding) -> None:
    place = int(np.flatnonzero(~np.isnan(found.needed).all(axis=0))[0])
    hers = found.of(found.index[place])
    assert hers is not None
    assert hers.is_significant
    assert [(one.cause, one.effect) for one in hers.needed] == [("sex", "pay"), ("sex", "saved")]
    for row, one in enumerate(hers.needed):
        if one.remaining is not None:
            assert one.value == pytest.approx(found.arrows[row].value(remaining=one.remaining))
    assert hers.odds == found.odds[place]
    assert hers.unmeasured == ()
    assert found.of("nobody") is None
    none = found.of(found.index[np.flatnonzero(~found.is_significant)[0]])
    assert none is not None
    assert (none.needed, none.together, none.is_significant) == ((), None, False)


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_what_rests_on_something_unmeasured_is_named_first() -> None:
    found = confounding(run(drawn(("sex", "pay"))), settings=ASKED)
    (arrow,) = found.unmeasured
    assert (arrow.ends, arrow.arrows, arrow.comparison) == ("sex ↔ pay", ("sex → pay",), False)
    resting = found.resting_on(arrow)
    assert 0 < resting.sum() <= found.is_significant.sum()
    first = found.summary()[0]
    assert first.startswith("sex ↔ pay: the drawing says that something unmeasured moves both. ")
    assert f"{resting.sum():,} of {found.is_significant.sum():,} findings rest on" in first
    hers = found.of(found.index[np.flatnonzero(resting)[0]])
    assert hers is not None
    assert hers.unmeasured == (arrow,)
    people_ = found.tables()["k7"]
    assert (people_["rests_on_unmeasured"] == "sex ↔ pay").sum() == resting.sum()
    elsewhere = confounding(run(drawn(("age", "saved"))), settings=ASKED).unmeasured[0]
    assert elsewhere.arrows == ("pay → saved", "sex → saved")  # through pay, which age moves
    untouched = confounding(run(drawn(("sex", "age"))), settings=ASKED)
    assert not untouched.unmeasured[0].touches
    assert "touches nothing that these findings rest on" in untouched.summary()[0]


def test_a_cause_of_the_decision_touches_the_comparison() -> None:
    graph = replace(
        GRAPH,
        nodes=(*GRAPH.nodes, "decision"),
        edges=(*GRAPH.edges, ("pay", "decision")),
        decision="decision",
        bidirected=(("pay", "decision"),),
    )
    with pytest.warns(CausalModelWarning, match="something unmeasured"):
        result = run(cst_core.CausalModel(graph=graph))
    for method in ("CST_wo", "ST"):
        (arrow,) = unmeasured_arrows(result.runs, method)
        assert arrow.comparison  # pay is moved by sex and held alike: the two go together
        assert arrow.arrows == ()
    found = confounding(result, settings=ASKED)
    np.testing.assert_array_equal(found.resting_on(found.unmeasured[0]), found.is_significant)
    assert "the comparison of decisions itself" in found.summary()[0]


def test_nothing_leads_on() -> None:
    accepted = dict.fromkeys([("sex", "pay"), ("sex", "saved")], "justified")
    model = replace(LINEAR, graph=replace(GRAPH, accepted=accepted))
    found = confounding(run(model), settings=ASKED)
    assert found.arrows == ()
    assert "No arrow that is not accepted leads on from what is tested." in found.summary()
    assert found.stands() == ()
    assert Confounding.from_json(found.to_json()).numbers() == found.numbers()


def test_several_attributes_and_a_sample() -> None:
    data, model = two_attributes()
    result = cst_core.run_multiple(
        data,
        model,
        attributes=("sex", "origin"),
        decision_maker=cst_core.ThresholdRule(weights={"pay": 1.0, "saved": 0.5}, cutoff=8.5),
        search=cst_core.SearchSettings(max_neighbours=20),
    )
    found = confounding(result, settings=ASKED, max_complainants=30, seed=3)
    assert [arrow.arrow for arrow in found.arrows] == ["sex → pay", "sex → saved", "origin → pay"]
    assert len(found.index) == 30 < found.n_complainants
    evidence = result.evidence("CST_wo", ASKED)
    each = [evidence_odds(one) for one in evidence.runs.values()]
    chosen = result.index.isin(found.index)
    np.testing.assert_array_equal(found.odds, np.min(each, axis=0)[chosen])


def test_the_check_needs_a_causal_method() -> None:
    check = CHECKS["confounding"]
    result: SingleResult = run()
    assert check.missing(CheckRequest(result=result, settings=(ASKED,), method="ST"))
    report = check.report(CheckRequest(result=result, settings=(ASKED,), seed=1))
    assert report.numbers()["results"][0]["arrows"][0]["cause"] == "sex"
    assert list(report.tables()) == ["k7", ""]


def test_an_exact_fit_leaves_nothing_to_explain() -> None:
    arrow = ArrowStrength(cause="a", effect="b", undefined="a → b has no robustness value: …")
    assert np.isnan(arrow.values(np.array([0.5]))).all()
