"""One way from a case and a test's name to a result, against the functions it stands for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from robust_cases import ASKED, RULE, two_attributes

import cst_core
from cst_core.errors import DataError, SettingsError
from cst_core.results import Result
from cst_core.robustness import in_worlds
from cst_core.scenario import OpenCase
from cst_core.testing import K_MAX, allowed_tests, largest_k, parse_test

SEARCH = cst_core.SearchSettings(max_neighbours=20)


def opened(**more: object) -> OpenCase:
    data, model = two_attributes()
    return OpenCase(dataset=data, model=model, decision_maker=RULE, search=SEARCH, **more)


def same(one: Result, two: Result) -> None:
    assert (one.name, one.n_protected, one.notes) == (two.name, two.n_protected, two.notes)
    for method in one.methods:
        assert one.evidence(method, ASKED).to_frame().equals(two.evidence(method, ASKED).to_frame())


@pytest.mark.parametrize("form", ["paper", "full"])
def test_every_test_equals_its_function(form: str) -> None:
    case = opened(form=form)
    shared = {"decision_maker": RULE, "search": SEARCH}
    first, *_ = case.dataset.roles.protected
    wanted = {
        first.column: cst_core.run_single(
            case.dataset, case.model, attribute=first.column, **shared
        ),
        "multiple": cst_core.run_multiple(case.dataset, case.model, **shared),
        "intersectional": cst_core.run_intersectional(
            case.dataset, case.model, form=form, **shared
        ),
    }
    for name, result in wanted.items():
        same(case.run(name), result)


def test_runs_that_were_made_are_used() -> None:
    case = opened()
    names = [item.column for item in case.dataset.roles.protected]
    done = {name: case.run(name) for name in names}
    assert case.run("multiple", done=done).runs == tuple(done[name] for name in names)


def test_a_test_is_repeated_in_another_world() -> None:
    here = opened()
    log = cst_core.CausalModel(
        graph=here.model.graph, equations={"pay": cst_core.Equation(node="pay", link="log")}
    )
    there = replace(here, model=log)
    for test in allowed_tests([item.column for item in here.dataset.roles.protected]):
        for model in (log, log.fit(here.dataset)):
            again = in_worlds(here.run(test.name), {"log": model})["log"]
            same(again, there.run(test.name))


def test_a_scenario_runs_by_itself() -> None:
    case = cst_core.load_scenario("loan")
    wanted = cst_core.run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=case.scenario.settings.search_settings(),
    )
    same(case.run("Gender"), wanted)


def test_names_say_what_is_tested() -> None:
    assert [test.name for test in allowed_tests(["sex"])] == ["sex"]
    for test in allowed_tests(["sex", "race"]):
        assert parse_test(test.name, ["sex", "race"]) == test
    with pytest.raises(DataError, match=r"--test multiple: .*one protected attribute \(sex\)"):
        parse_test("multiple", ["sex"], parameter="--test")
    with pytest.raises(SettingsError, match="test: expected one of sex, got 'age'"):
        parse_test("age", ["sex"])


def test_the_largest_k_is_that_of_the_smaller_group() -> None:
    for inside, outside, wanted in [(5, 90, 4), (90, 5, 5), (1, 0, 1), (2000, 2000, K_MAX)]:
        women = np.repeat([True, False], [inside, outside])
        assert largest_k(women, ~women) == wanted
