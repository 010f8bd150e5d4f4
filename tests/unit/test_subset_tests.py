"""Tests of each protected value, and of some attributes together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core import CausalGraph, CausalModel, Decision, RelevantAttribute, Roles, SearchSettings
from cst_core.data import Dataset, ProtectedAttribute
from cst_core.errors import DataError, SettingsError
from cst_core.robustness import bootstrap, in_worlds, placebo
from cst_core.scenario import OpenCase
from cst_core.testing import allowed_tests, parse_test

LEVELS = (("race=Black", "race=Asian"), ("sex",))


def people(n: int = 120) -> pd.DataFrame:
    random = np.random.default_rng(3)
    race = np.array(["Black", "White", "Asian", "Red"])[random.integers(0, 4, n)]
    sex, old = (np.array(pair)[random.integers(0, 2, n)] for pair in (["f", "m"], ["o", "y"]))
    pay = np.round(random.normal(40, 6, n) - 6 * (race == "Black") - 3 * (sex == "f"), 1)
    hired = np.where(pay > 38, "yes", "no")
    return pd.DataFrame({"race": race, "sex": sex, "old": old, "pay": pay, "hired": hired})


RACE = ProtectedAttribute(column="race", protected=["Black", "Asian"], reference="White", each=True)
SEX = ProtectedAttribute(column="sex", protected="f", reference="m")
OLD = ProtectedAttribute(column="old", protected="o", reference="y")


def opened(*protected: ProtectedAttribute, form: str = "paper") -> OpenCase:
    roles = Roles(
        protected=protected,
        relevant=(RelevantAttribute(column="pay"),),
        decision=Decision(column="hired", negative="no"),
    )
    names = tuple(item.column for item in protected)
    graph = CausalGraph(
        nodes=(*names, "pay"), edges=tuple((name, "pay") for name in names), protected=names
    )
    return OpenCase(
        dataset=Dataset.from_frame(people(), roles),
        model=CausalModel(graph=graph),
        search=SearchSettings(max_neighbours=9),
        form=form,
    )


def test_one_test_a_value() -> None:
    case = opened(RACE)
    assert [test.name for test in allowed_tests(case.dataset.roles.tests)] == list(LEVELS[0])
    race = people()["race"]
    for level in ("Black", "Asian"):
        result = case.run(f"race={level}")
        assert result.name == f"race={level}"
        assert result.is_protected.tolist() == (race == level).tolist()
        assert result.is_reference.tolist() == (race == "White").tolist()
        alone = opened(ProtectedAttribute(column="race", protected=level, reference="White"))
        settings = cst_core.EvidenceSettings(n_neighbours=9)
        left = result.evidence("CST_wo", settings).to_frame()
        pd.testing.assert_frame_equal(
            left, alone.run("race").evidence("CST_wo", settings).to_frame()
        )


def test_values_are_corrected_across_levels() -> None:
    assert parse_test("race=Black", LEVELS).n_levels == 2
    assert parse_test("sex", LEVELS).n_levels == 1
    assert parse_test("race=Black+sex", LEVELS).n_levels == 2
    part = cst_core.load_scenario("loan").scenario.settings
    whole, half = (part.evidence_settings(5, n_levels=n).significance_level for n in (1, 2))
    assert half == whole / 2


@pytest.mark.parametrize("form", ["paper", "full"])
def test_any_attributes_together(form: str) -> None:
    whole, part = opened(SEX, OLD, RACE, form=form), opened(SEX, OLD, form=form)
    frame = people()
    crossed = whole.run("old+sex")
    assert crossed.name == "sex+old"
    both = (frame["sex"] == "f") & (frame["old"] == "o")
    assert crossed.is_protected.tolist() == both.tolist()
    assert crossed.is_reference.tolist() == (~both).tolist()
    assert (crossed.is_reference == part.run("intersectional").is_reference).all()
    several = whole.run("sex, old")
    assert (several.name, [run.name for run in several.runs]) == ("sex,old", ["sex", "old"])
    assert several.is_protected.tolist() == both.tolist()


@pytest.mark.parametrize("form", ["paper", "full"])
def test_who_is_in_neither_group_of_an_attribute_is_in_no_space(form: str) -> None:
    frame = people()
    result = opened(SEX, RACE, form=form).run("race=Black+sex")
    known = frame["race"].isin(["Black", "White"])
    both = (frame["race"] == "Black") & (frame["sex"] == "f")
    assert result.is_protected.tolist() == both.tolist()
    assert result.is_reference.tolist() == (known & ~both).tolist()
    terms = list(result.model.equation("pay").coefficients)
    if form == "paper":
        merged = "sex × race=Black"
        assert terms == ["intercept", f"{merged}=yes", f"{merged}=neither"]
        means = frame["pay"].groupby(np.select([both, known], ["yes", "no"], "neither")).mean()
        yes = result.model.equation("pay").coefficients[f"{merged}=yes"].value
        assert yes == pytest.approx(means["yes"] - means["no"])
    else:
        levels = [f"race={level}" for level in ("Black", "Asian", "Red")]
        assert terms == ["intercept", "sex", *levels, *(f"sex:{level}" for level in levels)]


def test_all_attributes_by_name_are_the_whole_test() -> None:
    case = opened(SEX, OLD)
    assert case.test("old,sex") == case.test("multiple")
    assert case.test("sex+old") == case.test("intersectional")


def test_a_column_with_a_mark_in_its_name() -> None:
    names = ["a+b", "a", "b", "c,d"]
    assert parse_test("a+b", names).kind == "single"
    assert parse_test("a+b+c,d", ["a+b", "a", "c,d"]).attributes == ("a+b", "c,d")
    assert parse_test("a+b", ["a", "b", "c"]).kind == "intersectional"
    assert parse_test("c,d,a", names).attributes == ("a", "c,d")
    with pytest.raises(SettingsError, match="may be read in 2 ways"):
        parse_test("a+b+x", ["a+b", "x", "a", "b+x"])


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("race=Black+race=Asian", DataError, "values of one attribute, and nobody has both"),
        ("multiple", DataError, "Say which are meant, e.g. race=Black,sex"),
        ("intersectional", DataError, r"e.g. race=Black\+sex"),
        ("race", SettingsError, "expected one of race=Black, race=Asian, sex"),
        ("race=Black+", SettingsError, "got 'race=Black"),
        ("sex+sex", SettingsError, r"got 'sex\+sex'"),
    ],
)
def test_tests_that_cannot_be(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_test(name, LEVELS)
    assert parse_test("race=Asian,sex", LEVELS).name == "race=Asian,sex"


def test_a_test_of_some_is_repeated_and_checked() -> None:
    """Other causal models, permutations and refits take levels and subsets as they are."""
    case = opened(SEX, RACE)
    settings = cst_core.EvidenceSettings(n_neighbours=9)
    for name in ("race=Black", "race=Black+sex", "race=Black,sex"):
        result = case.run(name)
        again = in_worlds(result, {"same": case.model})["same"]
        left, right = (r.evidence("CST_wo", settings).to_frame() for r in (result, again))
        pd.testing.assert_frame_equal(left, right)
        found = placebo(result, settings=settings, repeats=3, seed=1)
        assert found.n_complainants == result.n_protected
        refits = bootstrap(result, settings=settings, refits=3, seed=1)
        assert refits.n_complainants == result.n_protected
