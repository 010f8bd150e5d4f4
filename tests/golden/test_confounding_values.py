"""Robustness values against PySensemakr, Γ against R; the scripts beside made the numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cst_core import EvidenceSettings, load_scenario
from cst_core.robustness import ArrowStrength, arrow_strengths, robustness_value, unseen_odds
from cst_core.scenario import OpenCase


def golden(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return content


def test_the_published_example() -> None:
    found = {row["covariate"]: row for row in golden("robustness_values.json")["darfur"]}
    harmed = found["directlyharmed"]  # Cinelli and Hazlett (2020), table 1: 13.9, 7.6 and 2.2 %
    own = ArrowStrength(cause="harm", effect="peace", t=harmed["t"], df=harmed["df"])
    assert round(own.value(), 3) == 0.139
    assert round(own.value(significance_level=0.05), 3) == 0.076
    assert round(own.partial_r2, 3) == 0.022
    for row in found.values():
        one = ArrowStrength(cause="a", effect="b", t=row["t"], df=row["df"])
        assert one.partial_r2 == pytest.approx(row["partial_r2"], rel=1e-12)
        for each in row["values"]:
            value = one.value(remaining=each["remaining"], significance_level=each["alpha"])
            assert value == pytest.approx(each["value"], rel=1e-9)


def test_the_function_over_a_grid() -> None:
    rows = golden("robustness_values.json")["grid"]
    assert len(rows) == 384
    for row in rows:
        value = robustness_value(
            row["t"], row["df"], remaining=row["remaining"], significance_level=row["alpha"]
        )
        assert value == pytest.approx(row["value"], rel=1e-7, abs=1e-12), row


def test_unseen_odds_as_in_r() -> None:
    rows = golden("unseen_odds.json")["tables"]
    for row in rows:
        found = unseen_odds(*row["counts"], significance_level=row["alpha"])
        assert float(found) == pytest.approx(row["odds"], rel=1e-8), row
    for odds, alpha in (("p", 1.0), ("p_at_2", 2.0)):  # its p-values are the levels that turn there
        for row in rows:
            if 0 < row[odds] < 1:
                found = unseen_odds(*row["counts"], significance_level=row[odds])
                assert float(found) == pytest.approx(alpha, rel=1e-8), row


@pytest.fixture(scope="module")
def law_school() -> OpenCase:
    return load_scenario("law-school").open()


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_law_school(law_school: OpenCase) -> None:
    found = {
        each.arrow: each
        for test in ("race", "gender")
        for each in arrow_strengths(law_school.run(test))
    }
    values = {arrow: each.value() for arrow, each in found.items()}
    assert values["race → LSAT"] == pytest.approx(0.28, abs=0.005)
    assert values["race → UGPA"] == pytest.approx(0.18, abs=0.005)
    assert values["gender → LSAT"] == pytest.approx(0.057, abs=0.0005)
    equation = law_school.run("race").model.equation("LSAT").coefficients["race"]
    assert found["race → LSAT"].estimate == pytest.approx(equation.value, rel=1e-9)


@pytest.mark.parametrize(
    ("counts", "odds"),
    [((15, 15, 0, 15), 37), ((10, 15, 3, 15), 1.5), ((45, 50, 30, 50), 2.2)],
)
def test_three_tables(counts: tuple[int, ...], odds: float) -> None:
    level = EvidenceSettings(n_neighbours=15).significance_level
    found = float(unseen_odds(*counts, significance_level=level))
    assert np.isclose(found, odds, rtol=0.03)
