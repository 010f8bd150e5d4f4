"""Scenario files with lists, conditions, levels, numbers and context, and the command on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from typer.testing import CliRunner

import cst_core
from cst_core.cli.app import app
from cst_core.errors import ScenarioError
from cst_core.scenario import add_dagitty, write_scenario
from dashboard.draft.conversion import from_scenario, to_scenario
from dashboard.draft.document import Draft, SourcePart


def table(n: int = 150) -> pd.DataFrame:
    random = np.random.default_rng(5)
    race = np.array(["Black", "White", "Asian"])[random.integers(0, 3, n)]
    region = np.array(["north", "south"])[random.integers(0, 2, n)]
    age = random.integers(18, 70, n)
    pay = np.round(40 - 5 * (race == "Black") + age / 10 + random.normal(0, 5, n), 1)
    hired = np.where(pay + 2 * (region == "north") > 43, "yes", "no")
    return pd.DataFrame({"race": race, "region": region, "age": age, "pay": pay, "hired": hired})


def content(*protected: dict[str, Any], **more: Any) -> dict[str, Any]:
    nodes = [*(item["column"] for item in protected), "region", "pay"]
    return {
        "format": 1,
        "name": "levels",
        "data": {"file": "people.csv"},
        "roles": {
            "protected": list(protected),
            "relevant": [{"column": "pay"}],
            "context": [{"column": "region", "kind": "nominal", "note": "where they live"}],
            "decision": {"column": "hired", "negative": "no"},
        },
        "worlds": [
            {
                "name": "linear",
                "nodes": [{"name": name} for name in nodes],
                "edges": [{"from": name, "to": "pay"} for name in nodes if name != "pay"],
            }
        ],
        "settings": {"k": [7]},
    } | more


def written(folder: Path, *protected: dict[str, Any]) -> Path:
    table().to_csv(folder / "people.csv", index=False)
    path = folder / "scenario.yaml"
    path.write_text(yaml.safe_dump(content(*protected)))
    return path


EACH = {"column": "race", "protected": ["Black", "Asian"], "reference": "White", "each": True}
YOUNG = {"column": "age", "protected": "<= 25", "reference": "> 40", "set_to": "rank"}


def audit(path: Path, *more: str) -> Any:
    return CliRunner().invoke(app, ["audit", str(path), *more])


def test_levels_from_a_file(tmp_path: Path) -> None:
    done = audit(written(tmp_path, EACH), "--json", "-")
    assert done.exit_code == 0, done.output
    tests = json.loads(done.stdout)["tests"]
    assert [test["test"] for test in tests] == ["race=Black", "race=Asian"]
    black = tests[0]
    assert black["protected"] == int((table()["race"] == "Black").sum())
    notes = " ".join(black["notes"])
    assert "Corrected across levels: each is judged at α ÷ 2 = 0.025." in notes
    assert "in neither group" not in notes  # the other level is a protected one
    case = cst_core.load_scenario(tmp_path)
    result = case.run("race=Black")
    halved = case.scenario.settings.evidence_settings(7, n_levels=2)
    row = next(row for row in black["results"] if row["method"] == "CST_wo")
    assert row["significant"] == result.summary("CST_wo", halved).significant
    terms = list(result.model.equation("pay").coefficients)
    assert terms == ["intercept", "race=Black", "race=Asian", "region=south"]


def test_the_distance_takes_no_context(tmp_path: Path) -> None:
    case = cst_core.load_scenario(written(tmp_path, EACH))
    result = case.run("race=Black")
    assert result.points.numeric.shape[1] + result.points.nominal.shape[1] == 1
    assert case.dataset().attribute("region").kind == "nominal"


def test_a_threshold_from_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, YOUNG)
    done = audit(path, "--json", "-", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    (test,) = json.loads(done.stdout)["tests"]
    assert test["protected"] == int((table()["age"] <= 25).sum())
    assert any("gives each person the value" in note for note in test["notes"])
    person = str(int(table().index[table()["age"] <= 25][0]))
    told = CliRunner().invoke(app, ["person", str(path), person])
    assert told.exit_code == 0, told.output
    assert "age <= 25" in told.output


def test_files_of_two_levels_have_two_names(tmp_path: Path) -> None:
    ages = {"column": "age", "protected": ["<= 25", "> 25"], "each": True}
    path = written(tmp_path, ages | {"protected": ["<= 25", "> 60"]})
    done = audit(path, "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    people = {file.name for file in (tmp_path / "out").glob("age*_k7.csv")}
    assert len(people) == 2


def test_do_in_the_command(tmp_path: Path) -> None:
    def run(path: Path, do: str) -> Any:
        target = str(tmp_path / "there.csv")
        return CliRunner().invoke(app, ["counterfactuals", str(path), "--do", do, "--out", target])

    path = written(tmp_path, {"column": "race", "protected": "Black"})
    for do, words in (
        ("race=Asian", "do not tell Asian apart"),
        ("race=not Black", "this is everyone else"),
    ):
        refused = run(path, do)
        assert refused.exit_code == 1
        assert words in str(refused.exception)
    path = written(tmp_path, {"column": "race", "protected": "Black", "reference": "White"})
    assert run(path, "race=Asian").exit_code == 0
    there = pd.read_csv(tmp_path / "there.csv", comment="#")
    assert set(there["race"]) == {"Asian"}


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"protected": []}, "roles.protected[0].protected: expected at least one value"),
        ({"protected": [["x"]]}, "expected text, a finite number, true or false"),
        ({"protected": ["x", "x"]}, "a protected value stands there twice"),
        ({"protected": "x", "reference": ["x", "y"]}, "both 'x'"),
        ({"reference": "x", "each": True}, "none is named"),
        ({"protected": "x", "set_to": "mean"}, "roles.protected[0].set_to: expected a finite"),
    ],
)
def test_groups_that_cannot_be(part: dict[str, Any], message: str) -> None:
    text = yaml.safe_dump(content({"column": "race", **part}))
    with pytest.raises(ScenarioError) as caught:
        cst_core.scenario.read_scenario(text)
    assert message in str(caught.value)


def test_a_node_without_a_role_is_pointed_to_context() -> None:
    raw = content(EACH)
    del raw["roles"]["context"]
    with pytest.raises(ScenarioError, match=r"can be listed under roles\.context"):
        cst_core.scenario.read_scenario(yaml.safe_dump(raw))
    raw = content(EACH)
    raw["roles"]["context"].append({"column": "pay"})
    with pytest.raises(ScenarioError, match=r"already has a role at roles\.relevant"):
        cst_core.scenario.read_scenario(yaml.safe_dump(raw))


def test_context_is_matched_in_a_drawing_from_elsewhere() -> None:
    scenario = cst_core.scenario.read_scenario(yaml.safe_dump(content(EACH)))
    whole, _ = add_dagitty(scenario, "dag { race -> pay; Region -> pay }", name="rival")
    assert [node.name for node in whole.worlds[1].nodes] == ["race", "pay", "region"]


def test_a_draft_loses_nothing() -> None:
    raw = content(EACH, YOUNG)
    scenario = cst_core.scenario.read_scenario(yaml.safe_dump(raw))
    assert cst_core.scenario.read_scenario(write_scenario(scenario)) == scenario
    source = SourcePart(name="people.csv", sha256="0" * 64)
    draft = Draft.from_json(from_scenario(scenario, source).to_json())
    again = to_scenario(draft, data_file="people.csv")
    assert again.roles == scenario.roles
    assert draft.tests == (("race=Black", "race=Asian"), ("age",))
    assert draft.role_of("region") == "context"
