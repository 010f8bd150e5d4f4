"""Every bad input: which error, and that it names the column or parameter and what to do."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import nullcontext as quiet
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core import (
    CausalGraph,
    CausalModel,
    Classifier,
    Coefficient,
    Dataset,
    Decision,
    Equation,
    EvidenceSettings,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    SearchSettings,
    ThresholdRule,
)
from cst_core.errors import (
    CausalModelError,
    CSTError,
    DataError,
    DataWarning,
    DecisionMakerError,
    EvidenceWarning,
    InputError,
    SettingsError,
    UnavailableError,
)
from cst_core.results import SingleResult


def table(**columns: Any) -> pd.DataFrame:
    """Eight applicants, four of them women; `columns` replaces some."""
    return pd.DataFrame(
        {
            "sex": ["f", "f", "f", "f", "m", "m", "m", "m"],
            "score": [1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 5.0, 6.0],
            "region": ["n", "s", "n", "s", "n", "s", "n", "s"],
            "hired": ["no", "no", "no", "yes", "no", "yes", "yes", "yes"],
            **columns,
        }
    )


SEX = ProtectedAttribute(column="sex", protected="f", reference="m")


def roles(**changed: Any) -> Roles:
    parts: dict[str, Any] = {
        "protected": (SEX,),
        "relevant": (RelevantAttribute(column="score"),),
        "decision": Decision(column="hired", negative="no"),
    }
    return Roles(**{**parts, **changed})


def dataset(frame: pd.DataFrame | None = None, **changed: Any) -> Dataset:
    return Dataset.from_frame(table() if frame is None else frame, roles(**changed))


def graph(edges: Any = (("sex", "score"),), nodes: Any = ("sex", "score"), **more: Any) -> Any:
    return CausalGraph(nodes=nodes, edges=edges, **{"protected": ("sex",), **more})


def run(data: Dataset | None = None, maker: Any = None, **search: Any) -> SingleResult:
    return cst_core.run_single(
        data or dataset(),
        CausalModel(graph=graph()),
        attribute="sex",
        decision_maker=maker,
        search=SearchSettings(**search),
    )


def refused(error: type[InputError], call: Callable[[], object], *words: str) -> str:
    """Return the message of the error, which must hold these words."""
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, CSTError)
    assert isinstance(caught.value, ValueError)  # what callers of Python libraries expect
    message = str(caught.value)
    for word in words:
        assert word in message, f"{word!r} is not in {message!r}"
    return message


def test_the_table_used_here_is_sound() -> None:
    """Or each of the tests below could be refused for a reason of its own."""
    rule = ThresholdRule(weights={"score": 1}, cutoff=3)
    with pytest.warns(DataWarning, match="disagrees with the recorded decision in 1 of 8 rows"):
        result = run(maker=rule)
    assert result.n_protected == 4
    assert result.methods == ("CST_wo", "ST", "CST_w", "CF")


# --------------------------------------------------------------------------- the causal drawing


def test_a_cycle() -> None:
    refused(
        CausalModelError,
        lambda: graph((("x", "y"), ("y", "z"), ("z", "x")), nodes=("sex", "x", "y", "z")),
        "cycle: x → y → z → x",
        "remove or turn one",
    )
    refused(CausalModelError, lambda: graph((("x", "x"),), nodes=("sex", "x")), "x → x", "itself")


def test_an_arrow_into_a_protected_attribute() -> None:
    refused(
        CausalModelError,
        lambda: graph((("score", "sex"),)),
        "score → sex",
        "protected attribute 'sex'",
        "remove the arrow",
    )


def test_an_arrow_into_what_only_the_data_say_is_protected() -> None:
    drawing = graph((("score", "sex"),), protected=())
    refused(
        CausalModelError,
        lambda: CausalModel(graph=drawing).fit(dataset()),
        "'sex' is a protected attribute",
        "Remove the arrow",
    )


def test_an_arrow_out_of_the_decision() -> None:
    refused(
        CausalModelError,
        lambda: graph((("hired", "score"),), nodes=("sex", "score", "hired"), decision="hired"),
        "hired → score",
        "decision 'hired'",
        "remove the arrow",
    )


def test_everything_wrong_with_a_drawing_is_said_at_once() -> None:
    refused(
        CausalModelError,
        lambda: graph(
            (("score", "sex"), ("score", "luck"), ("x", "y"), ("x", "y"), ("y", "x")),
            nodes=("sex", "score", "x", "y", "x"),
        ),
        "score → sex",
        "'luck', which is not among the nodes",
        "x → y is listed twice",
        "cycle: x → y → x",
        "'x' is listed twice",
    )


def test_a_node_that_the_data_do_not_have() -> None:
    model = CausalModel(graph=graph((("sex", "luck"),), nodes=("sex", "luck")))
    refused(CausalModelError, lambda: model.fit(dataset()), "'luck'", "Known: sex, score")


def test_a_nominal_effect_that_asks_for_a_number() -> None:
    data = dataset(relevant=(RelevantAttribute(column="region", kind="nominal"),))
    drawn = graph((("sex", "region"),), nodes=("sex", "region"))
    by_rank = Equation(node="region", mechanism="quantile")
    model = CausalModel(graph=drawn, equations={"region": by_rank})
    refused(CausalModelError, lambda: model.fit(data), "'region'", "needs a number", "Leave it out")


def test_equations_that_do_not_fit_the_drawing() -> None:
    def model(**equations: Equation) -> CausalModel:
        return CausalModel(graph=graph(), equations=equations)

    refused(
        CausalModelError, lambda: model(sex=Equation(node="sex")), "'sex'", "has no causes", "arrow"
    )
    refused(CausalModelError, lambda: model(score=Equation(node="sex")), "'sex'", "'score'")
    refused(
        CausalModelError,
        lambda: model(score=Equation(node="score", interactions=(("sex", "region"),))),
        "'score'",
        "sex:region",
        "two or more different causes",
    )
    wrong = model(score=Equation(node="score", coefficients={"age": Coefficient(value=1.0)}))
    refused(CausalModelError, lambda: wrong.fit(dataset()), "'age'", "intercept, sex")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Equation(node="score", link="probit"), ("'score'", "'identity' or 'log'")),
        (lambda: Equation(node="score", bounds=(4, 0)), ("'score'", "lower bound 4")),
        (lambda: Equation(node="score", bounds=(1, 1)), ("'score'", "not below")),
        (
            lambda: Equation(node="score", regressor=object(), interactions=(("a", "b"),)),
            ("'score'", "Give one or the other"),
        ),
        (lambda: Coefficient(source="by hand"), ("set by hand needs a value",)),
        (lambda: Coefficient(source="guessed"), ("'fitted' or 'by hand'", "'guessed'")),
        (lambda: Coefficient(value=float("nan")), ("finite number", "nan")),
        (lambda: Coefficient(value=float("inf")), ("finite number", "inf")),
    ],
)
def test_bad_equations_and_coefficients(make: Callable[[], object], words: tuple[str, ...]) -> None:
    refused(CausalModelError, make, *words)


@pytest.mark.parametrize(("value", "rows"), [(0.0, 1), (-3.0, 2)])
def test_a_log_link_on_values_that_are_not_positive(value: float, rows: int) -> None:
    scores = table()["score"].to_numpy().copy()
    scores[:rows] = value
    model = CausalModel(graph=graph(), equations={"score": Equation(node="score", link="log")})
    refused(
        CausalModelError,
        lambda: model.fit(dataset(table(score=scores))),
        "'score'",
        "log link needs values above 0",
        f"{rows} row(s)",
        f"smallest {value:g}",
        "Use the identity link",
    )


@pytest.mark.parametrize(
    ("do", "words"),
    [
        ({}, ("no intervention", "Name a node")),
        ({"luck": 1}, ("do(luck", "neither a protected, a relevant nor a context attribute")),
        ({"hired": "yes"}, ("do(hired", "neither a protected, a relevant nor a context attribute")),
        ({"sex": "x"}, ("do(sex := x)", "nobody in the data", "f, m")),
        ({"score": "high"}, ("do(score := high)", "expected a finite number")),
        ({"score": float("inf")}, ("do(score := inf)", "expected a finite number")),
    ],
)
def test_bad_interventions(do: dict[str, Any], words: tuple[str, ...]) -> None:
    drawing = graph(
        (("sex", "score"), ("score", "hired")), nodes=("sex", "score", "hired"), decision="hired"
    )
    data = dataset()
    fitted = CausalModel(graph=drawing).fit(data)
    refused(CausalModelError, lambda: cst_core.counterfactuals(fitted, data, do), *words)


# --------------------------------------------------------------------------- columns and roles


def test_missing_columns_are_all_named() -> None:
    frame = table().drop(columns=["score", "hired"])
    refused(
        DataError,
        lambda: dataset(frame),
        "2 problems in the data",
        "not in the table: 'score'",
        "not in the table: 'hired'",
        "The table has: 'sex', 'region'",
    )


def test_everything_wrong_with_the_data_is_said_at_once() -> None:
    frame = table(score=["1", "2", "three", "4", None, "x", "5", "6"], who=[1, 2, 3, 4, 5, 6, 7, 1])
    frame["hired"] = ["a", "b", "c"] + ["a"] * 5
    wanted = roles(
        protected=(ProtectedAttribute(column="sex", protected="woman"),),
        relevant=(RelevantAttribute(column="score"), RelevantAttribute(column="height")),
        id_column="who",
    )
    found = Dataset.problems(frame, wanted)
    assert [problem.place for problem in found] == [
        *("height", "score", "score", "sex", "hired", "who")
    ]
    message = refused(
        DataError,
        lambda: Dataset.from_frame(frame, wanted),
        "6 problems in the data",
        "Missing values in 'score' (1)",
        "'three' (row 3 of the data, counted from 1)",
    )
    assert all(problem.message in message for problem in found)
    with pytest.raises(DataError) as error:
        Dataset.from_frame(frame, wanted)
    assert error.value.problems == pickle.loads(pickle.dumps(error.value)).problems == found
    assert Dataset.problems(table(), roles()) == ()


def test_rows_are_counted_as_in_the_file_also_when_some_are_dropped() -> None:
    frame = table(score=["1", None, "2", "n/a", "5", "6", "7", "8"])
    (problem,) = Dataset.problems(frame, roles(), missing="drop")
    assert "'n/a' (row 4 of the data, counted from 1)" in problem.message


def test_a_table_without_rows_has_one_problem() -> None:
    (problem,) = Dataset.problems(table().iloc[:0], roles())
    assert problem == ("", "The table has no rows to test. Give at least two people.")
    gone = table(score=None)
    assert [item.place for item in Dataset.problems(gone, roles(), missing="drop")] == [""]
    assert [item.place for item in Dataset.problems(gone, roles())] == ["score"]


def test_a_doubled_column_is_not_looked_at_further() -> None:
    frame = pd.concat([table(), table()[["score"]]], axis=1)
    frame.index = pd.Index([0] * len(frame))
    assert [item.place for item in Dataset.problems(frame, roles())] == ["score", "id"]


def test_a_column_name_used_twice() -> None:
    frame = pd.concat([table(), table()[["score"]]], axis=1)
    refused(DataError, lambda: dataset(frame), "score", "twice", "Rename")


def test_two_roles_for_one_column() -> None:
    refused(
        DataError,
        lambda: roles(relevant=(RelevantAttribute(column="sex"),)),
        "'sex'",
        "protected attribute and relevant attribute",
        "Give it one",
    )
    refused(DataError, lambda: roles(id_column="hired"), "'hired'", "decision and id")


def test_roles_without_anyone_to_play_them() -> None:
    refused(DataError, lambda: roles(protected=()), "no protected attribute", "Name at least one")
    refused(DataError, lambda: roles(relevant=()), "no relevant attribute", "Name at least one")
    idle = (RelevantAttribute(column="score", weight=0),)
    refused(DataError, lambda: roles(relevant=idle), "positive weight", "Name at least one")


def test_an_unknown_attribute() -> None:
    refused(
        DataError,
        lambda: cst_core.run_single(dataset(), CausalModel(graph=graph()), attribute="race"),
        "'race' is not a protected attribute",
        "'sex'",
    )
    refused(DataError, lambda: dataset().relevant_attribute("age"), "'age'", "not a relevant")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: RelevantAttribute(column="score", kind="numeric"),
            ("'score'", "unknown kind 'numeric'", "continuous, ordinal, nominal"),
        ),
        (
            lambda: RelevantAttribute(column="score", order=(1, 2)),
            ("'score'", "kind is continuous", "Set the kind to ordinal or remove the order"),
        ),
        (
            lambda: RelevantAttribute(column="score", kind="ordinal", order=(1, 2, 1)),
            ("'score'", "names a value twice"),
        ),
        (lambda: RelevantAttribute(column="score", weight=-1), ("'score'", "0 or more", "-1")),
        (
            lambda: RelevantAttribute(column="score", weight=float("nan")),
            ("'score'", "0 or more", "nan"),
        ),
        (lambda: ProtectedAttribute(column="sex"), ("'sex'", "got neither", "Name at least one")),
        (
            lambda: ProtectedAttribute(column="sex", protected="f", reference="f"),
            ("'sex'", "both 'f'", "two different values"),
        ),
    ],
)
def test_bad_roles(make: Callable[[], object], words: tuple[str, ...]) -> None:
    refused(DataError, make, *words)


# --------------------------------------------------------------------------- values


def test_text_in_a_numeric_column() -> None:
    frame = table(score=["1", "2", "three", "4", "2", "n/a", "5", "6"])
    frame.index = pd.Index(range(100, 108))
    refused(
        DataError,
        lambda: dataset(frame),
        "'score' is continuous but holds text in 2 row(s)",
        "'three' (row 3 of the data, counted from 1)",
        "set its kind to nominal or ordinal",
    )


def test_ordinal_text_without_an_order_and_with_too_short_a_one() -> None:
    grades = ["low", "mid", "high", "low", "mid", "high", "low", "mid"]
    no_order = RelevantAttribute(column="score", kind="ordinal")
    refused(
        DataError,
        lambda: dataset(table(score=grades), relevant=(no_order,)),
        "'score' is ordinal",
        "Give the order of its values",
    )
    short = RelevantAttribute(column="score", kind="ordinal", order=("low", "mid"))
    refused(
        DataError,
        lambda: dataset(table(score=grades), relevant=(short,)),
        "'score'",
        "order does not name: high",
        "Add them to the order",
    )


def test_missing_values_are_refused_naming_columns_and_counts() -> None:
    frame = table()
    frame.loc[[1, 4], "score"] = np.nan
    frame.loc[2, "sex"] = None
    frame.loc[3, "region"] = None  # has no role, so it does not matter
    message = refused(
        DataError, lambda: dataset(frame), "'score' (2)", "'sex' (1)", 'missing="drop"'
    )
    assert "region" not in message
    kept = Dataset.from_frame(frame, roles(), missing="drop")
    assert kept.n_dropped == 3
    assert kept.index.tolist() == [0, 3, 5, 6, 7]
    assert "3 row(s) with missing values were left out." in run(kept).notes
    refused(
        DataError,
        lambda: Dataset.from_frame(frame, roles(), missing="ignore"),  # type: ignore[arg-type]
        "missing",
        "'refuse' or 'drop'",
        "'ignore'",
    )


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinities(value: float) -> None:
    frame = table()
    frame.loc[[0, 5], "score"] = value
    words = ("'score' holds 2 infinite value(s)", "row 1 of the data, counted from 1", "correct or")
    refused(DataError, lambda: dataset(frame), *words)


def test_both_unknown_values_of_an_attribute_are_named() -> None:
    wanted = ProtectedAttribute(column="sex", protected="woman", reference="man")
    words = "nobody has the protected value 'woman' or the reference value 'man'"
    refused(DataError, lambda: dataset(protected=(wanted,)), words, "f, m")


def test_a_constant_column_is_legal_for_the_distance() -> None:
    relevant = (RelevantAttribute(column="score"), RelevantAttribute(column="same"))
    result = run(dataset(table(same=7.0), relevant=relevant))
    assert "same: everyone has the same value, so it does not tell people apart." in result.notes
    groups = result.groups(0, 3)
    assert groups.control["distance"].tolist() == pytest.approx([0.1, 0.2, 0.3])  # half of 1/5 …
    plain = run()
    settings = EvidenceSettings(n_neighbours=2)
    np.testing.assert_array_equal(
        result.evidence("ST", settings).delta, plain.evidence("ST", settings).delta
    )


def test_a_constant_column_is_refused_as_a_cause() -> None:
    data = dataset(
        table(same=7.0),
        relevant=(RelevantAttribute(column="score"), RelevantAttribute(column="same")),
    )
    model = CausalModel(
        graph=graph((("sex", "score"), ("same", "score")), nodes=("sex", "same", "score"))
    )
    refused(
        CausalModelError,
        lambda: model.fit(data),
        "Equation for 'score'",
        "'same' cannot be told apart",
        "Remove the arrow",
        "set its coefficient by hand",
    )


def test_too_few_rows_for_an_equation() -> None:
    frame = table().iloc[[0, 1, 4]]
    relevant = (RelevantAttribute(column="score"), RelevantAttribute(column="age"))
    model = CausalModel(
        graph=graph((("sex", "score"), ("age", "score")), nodes=("sex", "age", "score"))
    )
    data = dataset(frame.assign(age=[20, 30, 50]), relevant=relevant)
    refused(CausalModelError, lambda: model.fit(data), "'score'", "3 rows are too few", "3 coeff")


def test_one_protected_row() -> None:
    refused(
        DataError,
        lambda: dataset(table().iloc[3:]),
        "'sex': only 1 person has the protected value (f)",
        "At least two are needed",
    )


def test_no_unprotected_row() -> None:
    everyone = ProtectedAttribute(column="sex", protected="f")
    refused(
        DataError,
        lambda: dataset(table().iloc[:4], protected=(everyone,)),
        "'sex': everybody has the protected value (f)",
        "no one to compare with",
    )
    refused(
        DataError, lambda: dataset(table().iloc[:4]), "'sex'", "reference value 'm'", "It holds: f"
    )


def test_a_protected_value_that_nobody_has_and_a_third_value() -> None:
    refused(
        DataError, lambda: dataset(table().iloc[4:]), "'sex'", "protected value 'f'", "It holds: m"
    )
    frame = table(sex=["f", "f", "f", "x", "m", "m", "m", "m"])
    assert dataset(frame).is_reference("sex").sum() == 4  # and one person is in neither group
    against_the_rest = ProtectedAttribute(column="sex", protected="f")
    assert dataset(frame, protected=(against_the_rest,)).is_protected("sex").sum() == 3


def test_an_empty_table() -> None:
    refused(DataError, lambda: dataset(table().iloc[:0]), "no rows", "Give at least two people")
    frame = table(score=np.nan)
    refused(
        DataError, lambda: Dataset.from_frame(frame, roles(), missing="drop"), "no rows to test"
    )


def test_duplicate_ids() -> None:
    ids = ["a", "b", "c", "b", "d", "e", "a", "f"]
    refused(
        DataError,
        lambda: dataset(table(person=ids), id_column="person"),
        "id column 'person'",
        "2 repeated, e.g. 'b'",
        "an id of their own",
    )
    frame = table()
    frame.index = pd.Index(ids)
    refused(DataError, lambda: dataset(frame), "the table's index", "e.g. 'b'")


def test_a_decision_with_three_values_and_one_that_nobody_got() -> None:
    three = ["no", "no", "wait", "yes", "no", "yes", "yes", "yes"]
    refused(
        DataError,
        lambda: dataset(table(hired=three)),
        "'hired' is the decision",
        "it has 3: no, wait, yes",
        "Recode it into two",
    )
    refused(
        DataError,
        lambda: dataset(decision=Decision(column="hired", negative="rejected")),
        "'hired': nobody has the negative outcome 'rejected'",
        "It holds: no, yes",
    )


def test_someone_who_is_not_a_complainant() -> None:
    result = run()
    refused(DataError, lambda: result.groups("nobody", 2), "Nobody in the data", "'nobody'")
    refused(DataError, lambda: result.groups(5, 2), "5", "does not have the protected value")


# --------------------------------------------------------------------------- settings


@pytest.mark.parametrize("k", [0, -1, 1.5, 2.0, "15", None, True, float("nan")])
def test_a_k_that_is_no_whole_number_of_one_or_more(k: Any) -> None:
    words = ("a whole number of 1 or more", repr(k))
    refused(SettingsError, lambda: EvidenceSettings(n_neighbours=k), "n_neighbours (k)", *words)
    refused(SettingsError, lambda: SearchSettings(max_neighbours=k), "max_neighbours", *words)
    refused(SettingsError, lambda: run().groups(0, k), "k: expected", *words)


def test_numpy_whole_numbers_are_whole_numbers() -> None:
    assert EvidenceSettings(n_neighbours=np.int64(3)).n_neighbours == 3


def test_a_k_larger_than_was_searched_for() -> None:
    refused(
        SettingsError,
        lambda: run(max_neighbours=2).evidence("ST", EvidenceSettings(n_neighbours=3)),
        "n_neighbours (k): 3 is more than the 2",
        "larger max_neighbours",
    )


def test_a_k_larger_than_a_group_is_legal_and_said() -> None:
    rule = ThresholdRule(weights={"score": 1}, cutoff=2.5)
    result = run(dataset(decision=None), maker=rule)
    for k, control, test, small in ((2, 2, 2, 0), (4, 3, 4, 4), (100, 3, 4, 4)):
        settings = EvidenceSettings(n_neighbours=k)
        for method, extra in (("ST", 0), ("CST_wo", 0), ("CST_w", 1), ("CF", 1)):
            found = result.evidence(method, settings)  # type: ignore[arg-type]
            assert found.n_control.tolist() == [control + extra] * 4
            assert found.n_test.tolist() == [test + extra] * 4
            with pytest.warns(EvidenceWarning, match=f"sex: k = {k} is more") if small else quiet():
                summary = result.summary(method, settings)  # type: ignore[arg-type]
            assert summary.small_groups == small
    # women 0 and 1 score under 2.5 and are refused; each is left out of her own control group
    everyone = result.evidence("ST", EvidenceSettings(n_neighbours=100))
    assert everyone.p_control.tolist() == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert everyone.p_test.tolist() == [0.25] * 4


@pytest.mark.parametrize("tau", [-1.001, 1.001, 5, float("nan"), float("inf"), "0", None])
def test_tau_outside_its_range(tau: Any) -> None:
    refused(
        SettingsError,
        lambda: EvidenceSettings(accepted_deviation=tau),
        "accepted_deviation (τ)",
        "from -1 to 1",
        repr(tau),
    )


@pytest.mark.parametrize("alpha", [0, 1, -0.05, 1.5, float("nan"), "0.05", None])
def test_alpha_outside_its_range(alpha: Any) -> None:
    refused(
        SettingsError,
        lambda: EvidenceSettings(significance_level=alpha),
        "significance_level (α)",
        "above 0 and below 1",
        repr(alpha),
        "0.05",
    )


@pytest.mark.parametrize("edge", [-1, -1.0, 0, 1, 1.0])
def test_tau_may_be_at_the_edge(edge: float) -> None:
    assert EvidenceSettings(accepted_deviation=edge).accepted_deviation == edge


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: EvidenceSettings(direction="up"), ("direction", "'against' or 'favour'", "'up'")),
        (lambda: EvidenceSettings(interval="exactly"), ("interval", "wald", "'exactly'")),
        (
            lambda: SearchSettings(ties="random"),
            ("ties", "'expected', 'all', 'first' or 'last'", "'random'"),
        ),
        (lambda: SearchSettings(max_distance=-0.1), ("max_distance (ε)", "0 or more", "-0.1")),
        (lambda: SearchSettings(max_distance=float("nan")), ("max_distance (ε)", "nan")),
        (lambda: SearchSettings(max_distance=float("inf")), ("max_distance (ε)", "inf")),
        (lambda: SearchSettings(max_distance="far"), ("max_distance (ε)", "'far'")),
    ],
)
def test_other_settings(make: Callable[[], object], words: tuple[str, ...]) -> None:
    refused(SettingsError, make, *words)


def test_an_unknown_method_and_form() -> None:
    refused(
        SettingsError,
        lambda: run().evidence("KNN", EvidenceSettings()),  # type: ignore[arg-type]
        "method",
        "CST_wo, ST, CST_w, CF",
        "'KNN'",
    )
    frame = table(race=["b", "b", "w", "w", "b", "w", "b", "w"])
    both = (SEX, ProtectedAttribute(column="race", protected="b"))
    data = dataset(frame, protected=both)
    refused(
        SettingsError,
        lambda: cst_core.run_intersectional(
            data,
            CausalModel(graph=graph()),
            form="half",  # type: ignore[arg-type]
        ),
        "form",
        "'paper' or 'full'",
        "'half'",
    )


def test_several_attributes_are_needed_for_multiple_and_intersectional_tests() -> None:
    model = CausalModel(graph=graph())
    for test in (cst_core.run_multiple, cst_core.run_intersectional):
        refused(DataError, lambda test=test: test(dataset(), model), "two or more", "1: sex")


def test_nobody_has_every_protected_value() -> None:
    frame = table(race=["w", "w", "w", "w", "b", "b", "w", "w"])
    both = (SEX, ProtectedAttribute(column="race", protected="b"))
    data, model = dataset(frame, protected=both), CausalModel(graph=graph())
    refused(DataError, lambda: cst_core.run_multiple(data, model), "nobody", "sex, race")
    refused(
        DataError, lambda: cst_core.run_intersectional(data, model), "'intersectional'", "got 0 and"
    )


# --------------------------------------------------------------------------- decision makers


class Predicting:
    """A model whose answer is given."""

    def __init__(self, answer: Callable[[pd.DataFrame], Any]) -> None:
        self.answer = answer

    def predict(self, frame: pd.DataFrame) -> Any:
        return self.answer(frame)


def failing(_: pd.DataFrame) -> Any:
    raise RuntimeError("the server is down")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failing, ("Predicting.predict failed", "RuntimeError: the server is down")),
        (lambda frame: np.zeros(len(frame) + 1), ("one label a person (8)", "shape (9,)")),
        (lambda frame: np.zeros((len(frame), 1)), ("one label a person (8)", "shape (8, 1)")),
        (lambda _: 0, ("one label a person (8)", "shape ()")),
        (lambda frame: np.full(len(frame), np.nan), ("no label",)),
        (lambda frame: np.arange(len(frame)), ("two labels", "got 8")),
    ],
)
def test_a_classifier_that_fails(
    answer: Callable[[pd.DataFrame], Any], words: tuple[str, ...]
) -> None:
    maker = Classifier(model=Predicting(answer), columns=["score"], negative=0)
    refused(DecisionMakerError, lambda: run(maker=maker), "Classifier", *words)


def test_a_classifier_that_never_gives_the_negative_label() -> None:
    maker = Classifier(
        model=Predicting(lambda frame: np.arange(len(frame)) % 2), columns=["score"], negative="no"
    )
    refused(DecisionMakerError, lambda: run(maker=maker), "labels ['0', '1']", "'no'")


def test_a_classifier_that_cannot_predict_or_reads_what_is_not_there() -> None:
    refused(
        DecisionMakerError,
        lambda: Classifier(model=object(), columns=["score"], negative=0),
        "predict method",
        "object",
    )
    maker = Classifier(model=Predicting(failing), columns=["score", "age"], negative=0)
    refused(DecisionMakerError, lambda: run(maker=maker), "'age'", "no role", "Give it one")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ThresholdRule(weights={}, cutoff=1), ("at least one weight",)),
        (
            lambda: ThresholdRule(weights={"score": float("nan")}, cutoff=1),
            ("finite weight for 'score'", "nan"),
        ),
        (
            lambda: ThresholdRule(weights={"score": 1}, cutoff=float("inf")),
            ("finite cut-off", "inf"),
        ),
        (lambda: run(maker=ThresholdRule(weights={"age": 1}, cutoff=1)), ("'age'", "sex, score")),
        (
            lambda: run(maker=ThresholdRule(weights={"sex": 1}, cutoff=1)),
            ("'sex', which holds text", "numeric"),
        ),
    ],
)
def test_a_bad_threshold_rule(make: Callable[[], object], words: tuple[str, ...]) -> None:
    refused(DecisionMakerError, make, "Threshold rule", *words)


def test_no_decisions_at_all() -> None:
    refused(
        DecisionMakerError,
        lambda: run(dataset(decision=None)),
        "no decisions",
        "name the column",
        "decision maker",
    )


def test_without_a_decision_maker_two_methods_say_why_they_cannot() -> None:
    result = run()
    assert result.methods == ("CST_wo", "ST")
    assert set(result.unavailable) == {"CST_w", "CF"}
    for method in ("CST_w", "CF"):
        for ask in (result.evidence, result.summary):
            with pytest.raises(UnavailableError) as caught:
                ask(method, EvidenceSettings(n_neighbours=1))  # type: ignore[arg-type]
            assert str(caught.value).startswith(f"{method}: it needs the decision on the counter")
            assert "Give a threshold rule or a classifier" in str(caught.value)


def test_a_rule_that_disagrees_says_for_how_many() -> None:
    rule = ThresholdRule(weights={"score": 1}, cutoff=3)  # man 5, hired, scores 3: not above
    with pytest.warns(DataWarning, match="disagrees with the recorded decision in 1 of 8 rows"):
        result = run(maker=rule)
    assert result.decisions.disagreements == 1
    # the recorded decisions are used for people
    np.testing.assert_array_equal(result.decisions.negative, (table()["hired"] == "no").to_numpy())


class Deciding:
    """A decision maker of the caller's own."""

    def __init__(self, answer: Callable[[pd.DataFrame], Any]) -> None:
        self.answer = answer

    def is_negative(self, frame: pd.DataFrame) -> Any:
        return self.answer(frame)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failing, ("failed: RuntimeError: the server is down",)),
        (lambda _: np.array([True]), ("for each of 8 people", "shape (1,)")),
        (lambda frame: frame["score"], ("for each of 8 people", "type float64")),
        (lambda _: None, ("for each of 8 people", "shape ()")),
    ],
)
def test_a_decision_maker_of_ones_own_that_fails(
    answer: Callable[[pd.DataFrame], Any], words: tuple[str, ...]
) -> None:
    message = refused(DecisionMakerError, lambda: run(maker=Deciding(answer)), *words)
    assert message.startswith("Deciding: ")


def test_a_decision_maker_that_fails_on_the_counterfactuals_only() -> None:
    def answer(frame: pd.DataFrame) -> Any:
        if (frame["sex"] == "m").all():
            raise RuntimeError("never saw so many men")
        return (frame["score"] < 3).to_numpy()

    maker = Deciding(answer)
    refused(
        DecisionMakerError,
        lambda: run(dataset(decision=None), maker=maker),
        "failed: RuntimeError: never saw so many men",
    )


# --------------------------------------------------------------------------- weak but legal


@pytest.mark.parametrize("ties", ["expected", "first", "last"])
@pytest.mark.parametrize("direction", ["against", "favour"])
def test_an_empty_group_is_no_evidence_and_never_nan(ties: Any, direction: Any) -> None:
    rule = ThresholdRule(weights={"score": 1}, cutoff=2.5)
    result = run(dataset(decision=None), maker=rule, ties=ties, max_distance=0.0)
    settings = EvidenceSettings(n_neighbours=2, accepted_deviation=-1 / 3, direction=direction)
    for method in result.methods:
        found = result.evidence(method, settings)
        assert not found.has_evidence.any()  # no two women have one score
        for name in ("p_control", "p_test", "delta", "bound", "lower", "upper"):
            assert np.isfinite(getattr(found, name)).all(), name
        assert not found.is_significant.any()
        assert not found.tie_dependent.any()
        shown = found.to_frame()
        assert (
            shown[["p_control", "p_test", "delta", "bound", "lower", "upper"]]
            .isna()
            .to_numpy()
            .all()
        )
        summary = result.summary(method, settings)
        assert summary.mean_delta is None
        assert summary.no_evidence == 4
        assert summary.significant == 0
        if method != "CF":  # her own decision can turn without any group
            assert not found.is_case.any()
            assert found.verdicts() == ["no evidence possible"] * 4
    assert len(result.groups(0, 2).control) == 0


def test_only_some_groups_are_empty() -> None:
    frame = table(score=[1.0, 1.0, 3.0, 9.0, 1.0, 3.0, 5.0, 6.0])
    result = run(dataset(frame), max_distance=0.0)
    found = result.evidence("ST", EvidenceSettings(n_neighbours=2))
    assert found.has_evidence.tolist() == [True, True, False, False]
    assert found.n_control.tolist() == [1, 1, 0, 0]
    assert found.n_test.tolist() == [1, 1, 1, 0]
    assert found.delta.tolist() == [0.0, 0.0, 0.0, 0.0]
    summary = result.summary("ST", EvidenceSettings(n_neighbours=2))
    assert (summary.no_evidence, summary.small_groups, summary.mean_delta) == (2, 4, 0.0)
