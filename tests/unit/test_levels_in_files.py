"""Shares, couplings and accepted arrows in scenario files: what is wrong gets a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discrete_cases as cases
import pytest
import yaml

import cst_core
from cst_core.errors import CSTError, ScenarioError
from cst_core.scenario import read_scenario, write_scenario

F = {"sex": "f"}


def content(**equation: Any) -> dict[str, Any]:
    """Return a scenario of the made table, with one equation."""
    node = equation.get("node", "job")
    equation = {"node": node, **equation}
    return {
        "format": 1,
        "name": "made",
        "data": {"file": "people.csv"},
        "roles": {
            "id": "id",
            "protected": [{"column": "sex", "protected": "f", "reference": "m"}],
            "relevant": [
                {"column": "employed", "kind": "nominal"},
                {
                    "column": "school",
                    "kind": "ordinal",
                    "order": ["none", "low", "middle", "high"],
                },
                {"column": "job", "kind": "nominal"},
                {"column": "grade", "kind": "nominal"},
                {"column": "flag"},
                {"column": "pay"},
            ],
        },
        "decision_maker": {"type": "threshold", "weights": {"pay": 1}, "cutoff": 2.9},
        "worlds": [
            {
                "name": "drawn",
                "nodes": [{"name": "sex"}, {"name": node}],
                "edges": [{"from": "sex", "to": node}],
                "equations": [equation],
            }
        ],
        "settings": {"k": [8]},
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("levels")
    frame = cases.people()
    frame["grade"] = [f"g{row % 61:02}" for row in range(len(frame))]
    frame["flag"] = (frame["pay"] > 3).astype(int)
    frame.rename_axis("id").to_csv(found / "people.csv")
    return found


def run(folder: Path, document: dict[str, Any]) -> cst_core.results.SingleResult:
    path = folder / "case.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return cst_core.load_scenario(path).run("sex")  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("equation", "sentence"),
    [
        (
            {"shares": [{"when": {"sex": "f"}, "shares": {"clerk": 0.5, "sales": 0.6}}]},
            r"shares\[0\]: expected shares that add up to 1, got 1.1\.$",
        ),
        (
            {"shares": [{"when": {"sex": "f"}, "shares": {"clerk": 50, "sales": 50}}]},
            r"shares\.clerk: expected less than or equal to 1; got 50",
        ),
        (
            {"shares": [{"when": {"sex": "f"}, "shares": {"clerk": 0.5, "pilot": 0.5}}]},
            r"'job': a row of shares names the level 'pilot'. The levels are: clerk, sales, tech",
        ),
        (
            {"node": "school", "shares": [{"when": {"sex": "f"}, "shares": {"none": 1}}]},
            r"'school': a row of shares names the level 'none'. The levels are: low, middle, high",
        ),
        (
            {"shares": [{"when": {"race": "b"}, "shares": {"clerk": 1}}]},
            r"shares\[0\]\.when: expected a value of each cause of 'job' \(sex\), got race",
        ),
        (
            {"shares": [{"when": {"sex": "x"}, "shares": {"clerk": 1}}]},
            r"'job': a row of shares is for sex = x, and nobody in the data has that",
        ),
        (
            {
                "shares": [
                    {"when": {"sex": "f"}, "shares": {"clerk": 1}},
                    {"when": {"sex": "f"}, "shares": {"sales": 1}},
                ]
            },
            r"'job': two rows of shares are for sex = f",
        ),
        (
            {
                "shares": [{"when": {"sex": "f"}, "shares": {"clerk": 1}}],
                "coefficients": {"sales ~ sex": {"value": 1, "source": "by hand"}},
            },
            r"a table of shares goes with the mechanism 'shares' alone",
        ),
        (
            {"node": "pay", "shares": [{"when": {"sex": "f"}, "shares": {"3": 1}}]},
            r"'pay': it is a number, and shares set by hand need an effect with levels",
        ),
        ({"coupling": "rank-preserving"}, r"'job': its levels have no order"),
        ({"coupling": "magic"}, r"coupling: expected 'rank-preserving', 'minimal-change' or"),
        (
            {"node": "pay", "coupling": "independent"},
            r"'pay': it is a number, and the coupling 'independent' needs an effect with levels",
        ),
        ({"link": "log"}, r"'job': it has the levels clerk.* the log link needs a number"),
        ({"mechanism": "quantile"}, r"'job': it has the levels .* quantile transport needs a num"),
        ({"mechanism": "regressor"}, r"'job': it has the levels clerk.* needs a number"),
        ({"node": "grade"}, r"'grade': it has 61 levels, and an effect can have at most 60"),
        (
            {"coefficients": {"pilot ~ sex": {"value": 1, "source": "by hand"}}},
            r"'job': no such coefficient as 'pilot ~ sex'. There are: sales ~ intercept",
        ),
        (
            {
                "node": "school",
                "coefficients": {
                    "low | middle": {"value": 2, "source": "by hand"},
                    "middle | high": {"value": -2, "source": "by hand"},
                },
            },
            r"'school': with the coefficients set by hand.* Cuts must rise",
        ),
    ],
)
def test_what_is_wrong_gets_a_sentence(
    folder: Path, equation: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(CSTError, match=sentence):
        run(folder, content(**equation))


def test_an_accepted_arrow_needs_a_reason(folder: Path) -> None:
    document = content()
    document["worlds"][0]["edges"][0]["accepted"] = ""
    with pytest.raises(ScenarioError, match=r"edges\[0\]\.accepted"):
        run(folder, document)


def test_levels_go_round_and_are_used(folder: Path) -> None:
    row = {"when": F, "shares": {"clerk": 0.25, "sales": 0.75}, "note": "census of 2020"}
    document = content(shares=[row], coupling="independent", seen_often=12)
    document["worlds"][0]["edges"][0]["accepted"] = "a requirement"
    path = folder / "round.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    scenario = read_scenario(path.read_text(encoding="utf-8"))
    assert read_scenario(write_scenario(scenario)) == scenario
    graph = cst_core.load_scenario(path).causal_model().graph
    assert graph.accepted == {("sex", "job"): "a requirement"}
    equation = cst_core.load_scenario(path).causal_model().equation("job")
    assert (equation.coupling, equation.seen_often) == ("independent", 12)
    del document["worlds"][0]["edges"][0]["accepted"]
    rows = run(folder, document).model.equation("job").shares
    assert rows[1].when == F
    assert rows[1].shares == {"clerk": 0.25, "sales": 0.75, "technician": 0.0}
    assert (rows[1].source, rows[1].note, rows[0].source) == (
        "by hand",
        "census of 2020",
        "fitted",
    )


def test_a_number_with_two_values_is_binary_whatever_it_was_called(folder: Path) -> None:
    result = run(folder, content(node="flag"))
    assert result.model.mechanisms["flag"].kind == "shares"
    assert set(result.counterfactuals.states.frame["flag"]) == {0, 1}
