"""A model of the decisions is asked in both worlds: brute force with scikit-learn used directly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

from cst_core import (
    CausalGraph,
    CausalModel,
    Classifier,
    Dataset,
    Decision,
    EvidenceSettings,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    run_single,
)
from cst_core.cli.app import app
from cst_core.decisions import FittedClassifier, fit_classifier
from cst_core.explain import (
    CaseNames,
    GroupNames,
    explain_person,
    explanation_content,
    headline,
    what_if,
)
from cst_core.results import SingleResult, Sweeper, flips
from cst_core.robustness import placebo, under_model

N = 300
K = 7
SETTINGS = EvidenceSettings(n_neighbours=K)
pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.DataWarning")


def table() -> pd.DataFrame:
    """Return people whose record is noisy: a fifth were decided against their score."""
    random = np.random.default_rng(5)
    woman = random.random(N) < 0.5
    score = (50 + 4 * ~woman + random.normal(0, 6, N)).round(1)
    refused = (score < 53) ^ (random.random(N) < 0.2)
    return pd.DataFrame(
        {
            "gender": np.where(woman, "f", "m"),
            "score": score,
            "hired": np.where(refused, "no", "yes"),
        }
    )


def dataset() -> Dataset:
    roles = Roles(
        protected=(ProtectedAttribute(column="gender", protected="f", reference="m"),),
        relevant=(RelevantAttribute(column="score"),),
        decision=Decision(column="hired", negative="no"),
    )
    return Dataset.from_frame(table(), roles)


MODEL = CausalModel(
    graph=CausalGraph(
        nodes=("gender", "score"), edges=(("gender", "score"),), protected=("gender",)
    )
)


def run(maker: Any) -> SingleResult:
    return run_single(dataset(), MODEL, attribute="gender", decision_maker=maker)


@pytest.fixture(scope="module")
def found() -> SingleResult:
    with pytest.warns(match="model of the recorded decisions"):
        return run(fit_classifier(dataset(), kind="logistic", columns=["score"]))


def asked_by_hand() -> tuple[Any, Any, Any, Any]:
    """Return who is a woman, the record, and what the model says here and there, by hand."""
    frame = table()
    woman = (frame["gender"] == "f").to_numpy()
    record = (frame["hired"] == "no").to_numpy()
    score = frame["score"].to_numpy()
    there = score + np.where(woman, score[~woman].mean() - score[woman].mean(), 0)
    scaler = StandardScaler().fit(score[:, None])
    model = LogisticRegression().fit(scaler.transform(score[:, None]), record)
    here = model.predict(scaler.transform(score[:, None]))
    return woman, record, here, model.predict(scaler.transform(there[:, None]))


def test_cf_asks_the_model_in_both_worlds(found: SingleResult) -> None:
    woman, record, here, there = asked_by_hand()
    wanted = (here & ~there)[woman]
    record_against_model = (record & ~there)[woman]
    false = record_against_model & ~here[woman]
    assert false.sum() > 5, "the record alone would make cases of people whom the model accepts"
    assert wanted.sum() > 5
    np.testing.assert_array_equal(found.evidence("CF", SETTINGS).is_case, wanted)
    np.testing.assert_array_equal(found.refused, record[woman])
    np.testing.assert_array_equal(found.centre_refused, here[woman])
    turned = flips(found)
    assert turned.refused_to_accepted == wanted.sum()
    assert turned.stays_refused == (here & there)[woman].sum()
    favour = found.evidence("CF", replace(SETTINGS, direction="favour"))
    np.testing.assert_array_equal(favour.is_case, (~here & there)[woman])
    summary = found.summary("CF", SETTINGS)
    assert (summary.cases, summary.refused_cases) == (wanted.sum(), (wanted & record[woman]).sum())


def test_cst_w_counts_the_models_decision_on_both_centres(found: SingleResult) -> None:
    woman, _, here, there = asked_by_hand()
    alone, joined = (found.evidence(method, SETTINGS) for method in ("CST_wo", "CST_w"))
    np.testing.assert_allclose(joined.p_control, (alone.p_control * K + here[woman]) / (K + 1))
    np.testing.assert_allclose(joined.p_test, (alone.p_test * K + there[woman]) / (K + 1))
    for method in found.methods:
        sweep = Sweeper.of(found).sweep(method, SETTINGS, [K])
        summary = found.summary(method, SETTINGS)
        assert (sweep.cases[0], sweep.significant[0]) == (summary.cases, summary.significant)


def test_another_causal_model_asks_the_same_way(found: SingleResult) -> None:
    nothing = under_model(found, found.model, effect_scale=0.0)
    assert not nothing.evidence("CF", SETTINGS).is_case.any(), "nobody differs from herself"
    same = under_model(found, found.model)
    np.testing.assert_array_equal(
        same.evidence("CST_w", SETTINGS).delta, found.evidence("CST_w", SETTINGS).delta
    )


def test_a_placebo_asks_the_model_about_the_dealt_out_label() -> None:
    """A model that reads gender alone turns for every woman, in every permutation as well."""
    women = table().assign(hired=np.where(table()["gender"] == "f", "no", "yes"))
    people = Dataset.from_frame(women, dataset().roles)
    reads = fit_classifier(people, kind="tree", columns=["gender"])
    result = run_single(people, MODEL, attribute="gender", decision_maker=reads)
    everyone = result.n_protected
    assert result.summary("CF", SETTINGS).cases == everyone
    again = placebo(result, settings=SETTINGS, methods=("CF",), repeats=3, seed=1)
    assert {count for row in again.counts for count in np.ravel(row.cases)} == {everyone}


def test_the_split_between_record_and_model_is_told(found: SingleResult) -> None:
    woman, record, here, _ = asked_by_hand()
    own, made = record[woman], here[woman]
    (split,) = (note for note in found.notes if "refused on record" in note)
    assert split.startswith(
        f"Of {own.sum()} people refused on record the model refuses {(own & made).sum()} as "
        f"they are; of {(~own).sum()} accepted on record it refuses {(~own & made).sum()}."
    )


def test_agreement_is_cross_validated(found: SingleResult) -> None:
    frame, record = table(), (table()["hired"] == "no").to_numpy()
    score = frame[["score"]].to_numpy()
    unseen = np.zeros(N, dtype=bool)
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(score, record):
        scaler = StandardScaler().fit(score[train])
        model = LogisticRegression().fit(scaler.transform(score[train]), record[train])
        unseen[test] = model.predict(scaler.transform(score[test]))
    maker = found.decision_maker
    assert isinstance(maker, FittedClassifier)
    told = maker.agreement()
    assert told is maker.agreement(), "worked out once"
    assert told.everyone.cross_validated == pytest.approx((unseen == record).mean())
    assert told.everyone.in_sample == pytest.approx((asked_by_hand()[2] == record).mean())
    assert told.everyone.base_rate == pytest.approx(max(record.mean(), 1 - record.mean()))
    for group, value in zip(told.groups, "fm", strict=True):
        inside = (frame["gender"] == value).to_numpy()
        assert (group.group, group.people) == (f"gender {value}", inside.sum())
        assert group.cross_validated == pytest.approx((unseen == record)[inside].mean())
    assert told.sentences()[0] in found.notes
    assert f"{(unseen == record).mean():.1%} of people it had not seen" in told.sentences()[0]


def test_a_model_that_learns_nothing_is_called_out() -> None:
    random = np.random.default_rng(1)
    frame = table().assign(score=random.normal(size=N), hired=random.choice(["yes", "no"], N))
    maker = fit_classifier(
        Dataset.from_frame(frame, dataset().roles), kind="tree", columns=["score"], max_depth=20
    )
    told = maker.agreement()
    assert told.everyone.in_sample > 0.9, "learnt by heart"
    assert (told.everyone.cross_validated or 1) < 0.65
    rare = table().assign(hired=["no"] + ["yes"] * (N - 1))
    alone = fit_classifier(
        Dataset.from_frame(rare, dataset().roles), kind="logistic", columns=["score"]
    ).agreement()
    assert alone.everyone.cross_validated is None
    assert "too rare" in alone.sentences()[0]


def test_her_page_has_record_and_model(found: SingleResult) -> None:
    woman, record, here, there = asked_by_hand()
    names = CaseNames(
        groups={"gender": GroupNames(protected="f", reference="m", people=("women", "men"))},
        attributes=("score",),
        labels={},
        negative="refused",
        positive="hired",
    )
    for own, made in ((True, True), (True, False), (False, True)):
        row = int(np.flatnonzero(woman & (record == own) & (here == made) & ~there)[0])
        case = explain_person(found, row, "CF", SETTINGS).cases[0]
        assert (case.refused, case.centre_refused, case.refused_there) == (own, made, False)
        assert case.finding.is_case == made
        told = headline(names, case)
        record_word, model_word = ("refused" if one else "hired" for one in (own, made))
        too = " too" if own == made else ""
        assert told.startswith(
            f"The record says {record_word}; by the model of the decisions she is {model_word}{too}"
        )
        content = explanation_content(names, explain_person(found, row, "CST_w", SETTINGS))
        (attribute,) = content["attributes"]
        assert attribute["decision"] == {
            "refused": own,
            "recorded": True,
            "by_model": True,
            "centre_refused": made,
            "counterfactual_refused": False,
        }
        other = what_if(case, {})
        assert (other.refused, other.centre_refused) == (own, made)
        assert (other.finding.delta, other.finding.is_case) == (case.finding.delta, made)


def test_a_given_classifier_is_the_decision_maker_itself(found: SingleResult) -> None:
    """The record is then what it decided, and stays what CF and CST w/ take."""
    fitted = found.decision_maker
    assert isinstance(fitted, FittedClassifier)
    given = run(Classifier(model=fitted.model, columns=fitted.columns, negative=True))
    np.testing.assert_array_equal(given.centre_refused, given.refused)
    woman, record, _, there = asked_by_hand()
    np.testing.assert_array_equal(given.evidence("CF", SETTINGS).is_case, (record & ~there)[woman])
    assert any("disagrees with the recorded decision" in note for note in given.notes)


def test_the_command_prints_and_writes_the_split(tmp_path: Path, found: SingleResult) -> None:
    table().to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "scenario.yaml").write_text(
        """
format: 1
name: noisy
data: {file: people.csv}
roles:
  protected: [{column: gender, protected: f, reference: m}]
  relevant: [{column: score}]
  decision: {column: hired, negative: "no"}
decision_maker: {type: model, kind: logistic, columns: [score]}
worlds: [{name: plain, nodes: [{name: gender}, {name: score}], edges: [{from: gender, to: score}]}]
settings: {k: [7]}
""",
        encoding="utf-8",
    )
    out = tmp_path / "out"
    told = CliRunner().invoke(app, ["audit", str(tmp_path), "--out", str(out)])
    assert told.exit_code == 0, told.output
    words = " ".join(told.output.split())
    summary = found.summary("CF", SETTINGS)
    assert f"Of {summary.cases} CF cases, {summary.refused_cases} were refused on record" in words
    assert "of people it had not seen (5 folds, seed 0)" in words
    people = pd.read_csv(out / "gender_k7.csv", comment="#")
    woman, record, here, _ = asked_by_hand()
    np.testing.assert_array_equal(people["decision: refused"], record[woman])
    np.testing.assert_array_equal(people["decision: refused by the model"], here[woman])
    target = tmp_path / "there.csv"
    told = CliRunner().invoke(
        app, ["counterfactuals", str(tmp_path), "--do", "gender=m", "--out", str(target)]
    )
    assert told.exit_code == 0, told.output
    everyone = pd.read_csv(target, comment="#")
    np.testing.assert_array_equal(everyone["refused by the model"], here)
    np.testing.assert_array_equal(everyone["counterfactual refused"], asked_by_hand()[3])
