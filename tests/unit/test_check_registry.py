"""Every check of the registry: its result reads itself back, and its needs are said."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from typing import Any

import pytest
from robust_cases import ASKED, LINEAR, LOG, run

import cst_core
from cst_core.errors import DataError
from cst_core.evidence import Method
from cst_core.robustness import CHECKS, CheckRequest, RivalWorlds

SETTINGS = (ASKED, replace(ASKED, n_neighbours=5))


@pytest.fixture(scope="module")
def request_() -> CheckRequest:
    worlds = {"linear": LINEAR, "log": LOG}
    return CheckRequest(result=run(), settings=SETTINGS, worlds=worlds, seed=3, repeats=4)


@pytest.fixture(scope="module")
def reports(request_: CheckRequest) -> dict[str, Any]:
    return {name: check.report(request_) for name, check in CHECKS.items()}


@pytest.mark.parametrize("name", CHECKS)
def test_a_result_reads_itself_back(name: str, reports: dict[str, Any]) -> None:
    for result in reports[name].results:
        assert type(result) is CHECKS[name].kind
        text = result.to_json()
        json.loads(text, parse_constant=pytest.fail)  # no NaN, no Infinity
        again = type(result).from_json(text)
        assert again.to_json() == text
        assert again.summary() == result.summary()
        assert again.numbers() == result.numbers()
        for key, table in result.tables().items():
            assert again.tables()[key].to_csv() == table.to_csv()


@pytest.mark.parametrize("name", CHECKS)
def test_a_report_has_a_row_for_each_settings_and_a_sentence(
    name: str, reports: dict[str, Any]
) -> None:
    found = reports[name]
    assert {row["k"] for row in found.numbers()["results"]} == {7, 5}
    assert found.numbers().get("seed") == (3 if "seed" in CHECKS[name].needs else None)
    said = " ".join(found.summary())
    assert "k = 7:" in said
    assert "k = 5:" in said
    assert found.tables()


@pytest.mark.parametrize("name", CHECKS)
def test_what_is_not_written_by_it_is_refused(name: str, reports: dict[str, Any]) -> None:
    kind, result = CHECKS[name].kind, reports[name].results[0]
    whole = json.loads(result.to_json())
    first = next(iter(whole))
    texts = ["", "null", "[]", "{", "{}", "3", '{"method": "CST_wo", "seed": 1}']
    texts += [json.dumps(whole | {first: [1]}), json.dumps(whole | {"more": 1})]
    texts.append(json.dumps({key: value for key, value in whole.items() if key != first}))
    for text in texts:
        with pytest.raises(DataError, match="Compute it again"):
            kind.from_json(text)


def test_arrays_of_another_kind_are_refused(reports: dict[str, Any]) -> None:
    found = reports["bootstrap"].results[0]
    whole = json.loads(found.to_json())
    for other in (whole["delta"], "<f8 3 AAAA", "|O 1 AAAA", "<f8 x", 7, None):
        with pytest.raises(DataError):
            type(found).from_json(json.dumps(whole | {"is_case": other}))


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
def test_worlds_are_compared_by_the_method_asked_for(
    request_: CheckRequest, method: Method
) -> None:
    for found in CHECKS["worlds"].run(replace(request_, method=method)):
        assert isinstance(found, RivalWorlds)
        assert found.method == method
        assert {one.method for one in found.evidence.values()} == {method}


def test_needs_that_are_not_met_are_said(request_: CheckRequest) -> None:
    alone = replace(request_, worlds={"linear": LINEAR})
    report = CHECKS["worlds"].report(alone)
    assert report.numbers() == {"unavailable": report.unavailable}
    assert report.summary() == (report.unavailable,)
    assert report.tables() == {}
    assert "one causal model only" in report.unavailable
    for name in ("bootstrap", "tornado", "tipping", "worlds"):
        classical = CHECKS[name].report(replace(request_, method="ST"))
        assert "does not use the causal model" in classical.unavailable
    case = cst_core.load_scenario("law-school")
    with warnings.catch_warnings(action="ignore"):
        several = cst_core.run_multiple(
            case.dataset(), case.causal_model(), decision_maker=case.decision_maker()
        )
    assert "one attribute" in CHECKS["balance"].missing(replace(request_, result=several))
