"""`cst person`: the numbers of the library, in sentences; ids, sections, and what is refused."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from cst_core import EvidenceSettings, load_scenario
from cst_core.cli import main
from cst_core.explain import PersonExplanation, difference, explain_person, headline
from cst_core.robustness import tipping

pytestmark = pytest.mark.slow


@pytest.fixture
def cst(monkeypatch, capsys):
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cst", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        got = capsys.readouterr()
        assert "Traceback" not in got.out + got.err
        return code, got.out, got.err

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a case of twelve people with whole numbers as ids and recorded decisions only."""
    sex, origin = ["f", "m"] * 6, ["x", "x", "y", "y", "x", "x"] * 2
    place = ["north", "south", "north", "north", "south", "north"] * 2
    refused = ["no", "yes", "no", "no", "no", "yes", "yes", "yes", "yes", "yes", "no", "yes"]
    frame = pd.DataFrame({"number": range(100, 112), "sex": sex, "origin": origin, "place": place})
    frame = frame.assign(score=[1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.5], hired=refused)
    frame.to_csv(tmp_path / "people.csv", index=False)
    names = ("sex", "origin", "score")
    scenario = {
        "format": 1,
        "name": "small",
        "data": {"file": "people.csv"},
        "roles": {
            "id": "number",
            "protected": [
                {"column": "sex", "protected": "f", "reference": "m"},
                {"column": "origin", "protected": "x"},
            ],
            "relevant": [{"column": "score"}, {"column": "place", "kind": "nominal"}],
            "decision": {"column": "hired", "negative": "no"},
        },
        "outcomes": {"negative": "[bold]turned down", "positive": "hired"},
        "worlds": [
            {
                "name": "only",
                "nodes": [{"name": name} for name in names],
                "edges": [{"from": "sex", "to": "score"}, {"from": "origin", "to": "score"}],
            }
        ],
        "settings": {"k": [2, 3]},
    }
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump(scenario), encoding="utf-8")
    return path


def by_library(name: str, test: str, person: object, **settings: Any) -> PersonExplanation:
    result = load_scenario(name).open().run(test)
    return explain_person(result, person, "CST_wo", EvidenceSettings(**settings))


def test_the_numbers_are_those_of_the_library(cst, tmp_path: Path) -> None:
    target = tmp_path / "her.json"
    code, said, _ = cst("person", "loan", "L0015", "--k", "30", "--json", target)
    assert code == 0
    content = json.loads(target.read_text(encoding="utf-8"))
    found = by_library("loan", "Gender", "L0015", n_neighbours=30)
    case, names = found.cases[0], load_scenario("loan").names()
    hers = content["attributes"][0]
    for method, one in case.findings.items():
        wanted = {name: value for name, value in asdict(one).items() if name != "method"}
        assert hers["findings"][method] == pytest.approx(wanted)
    whole = " ".join(said.split())
    assert " ".join(headline(names, case).split()) in whole
    assert difference(case.finding.delta) in said
    assert hers["values"][0]["there"] == pytest.approx(case.there["AnnualSalary"])
    assert f"{case.steps[0].counterfactual:,.1f}"[:-2] in said
    assert hers["rule"]["there"] == pytest.approx(case.score.there)
    for side, group in case.groups.items():
        shown = hers["groups"][side]
        assert [member["person"] for member in shown["members"]] == list(group.ids)
        assert (shown["size"], shown["refused"]) == (group.size, group.refused)
        for column, boxes in case.boxes.items():
            assert shown["five_numbers"][column] == list(boxes[side])
    assert hers["curve"]["delta"][29] == pytest.approx(case.finding.delta)
    assert len(hers["curve"]["k"]) == 500  # as far as her page draws it
    assert content["verdict"]["tested"] == case.n_tested


def test_the_json_has_the_promised_shape(cst) -> None:
    code, said, _ = cst("person", "law-school", "41", "--test", "multiple", "--json", "-")
    assert code == 0
    content = json.loads(said)
    assert set(content) == {
        *("scenario", "preset", "version", "data", "settings", "k", "person", "test", "method"),
        *("verdict", "headline", "attributes", "tipping", "chance"),
    }
    assert set(content["verdict"]) == {
        *("has_evidence", "is_case", "is_significant", "tie_dependent", "zero_width", "delta"),
        *("bound", "selected_bound", "p_value", "adjusted_p", "worst_adjusted_p"),
        *("tested", "found"),
    }
    assert [one["attribute"] for one in content["attributes"]] == ["gender", "race"]
    for one in content["attributes"]:
        assert set(one) == {
            *("attribute", "alpha", "decision", "findings", "unavailable", "values", "steps"),
            *("states", "rule", "groups", "curve", "unseen", "calibration", "sentences"),
        }
        assert one["alpha"] == 0.025
    found = by_library("law-school", "multiple", 41, n_neighbours=15)
    assert content["verdict"]["delta"] == pytest.approx(found.evidence.delta[found.place])


def test_for_which_effects_the_finding_holds_is_said_and_written(cst) -> None:
    _, said, _ = cst("person", "loan", "L0015")
    _, content, _ = cst("person", "loan", "L0015", "--json", "-")
    told = json.loads(content)["tipping"]
    assert (told["span"], told["tolerance"]) == ([0.0, 2.0], 0.001)
    result = load_scenario("loan").run("Gender")
    settings = EvidenceSettings(n_neighbours=json.loads(content)["k"])
    hers = tipping(result, settings=settings).of("L0015")
    assert [(one["low"], one["high"]) for one in told["stretches"]] == [
        (one.low, one.high) for one in hers.stretches
    ]
    assert (
        told["sentence"].split()
        == [word for word in said.split() if word][-len(told["sentence"].split()) :]
    )
    for more in (("--method", "ST"), ("--preset", "strict", "--relabellings", "19")):
        _, content, _ = cst("person", "loan", "L0015", "--json", "-", *more)
        assert json.loads(content)["tipping"] is None


def test_a_multiple_test_has_a_section_an_attribute(cst) -> None:
    strict = ("--preset", "strict", "--relabellings", "19")
    code, said, _ = cst("person", "law-school", "41", "--test", "multiple", *strict)
    assert code == 0
    assert "Multiple discrimination needs all of them" in said
    assert said.count("Who she is, and who she would have been") == 2
    assert said.index("By gender") < said.index("By race")


def test_what_speaks_against_a_finding_stands_beside_it(cst) -> None:
    result = load_scenario("loan").open().run("Gender")
    one = result.evidence("CST_wo", EvidenceSettings(n_neighbours=15))
    there = result.counterfactual_negative[result.is_protected]
    person = result.index[one.is_case & result.refused & there][0]
    _, said, _ = cst("person", "loan", person)
    plain = " ".join(said.split())
    against = "Against it: She was refused; as one of the men she would also have been refused by"
    assert f"{against} the rule. The decision itself does not turn." in plain
    assert plain.index(against) < plain.index("Who she is, and who she would have been")
    assert "people who were tested, without a correction for that" in plain


def test_recorded_decisions_numbers_as_ids_and_names_without_order(cst, small: Path) -> None:
    code, said, _ = cst("person", small, "104")
    assert code == 0
    assert "person 104: sex" in said
    assert "is not known: no decision rule." in " ".join(said.split())
    assert "Not available" in said
    assert "place: north" in said
    assert "[bold]turned down" in said
    code, said, _ = cst("person", small, "105", "--json", "-")  # a man, of origin x
    assert (code, json.loads(said)["test"]) == (0, "origin")


def test_an_empty_group_is_said_and_is_no_number(cst, small: Path) -> None:
    code, said, _ = cst("person", small, "104", "--max-distance", "0", "--json", "-")
    assert code == 0
    hers = json.loads(said)["attributes"][0]
    assert hers["groups"]["control"]["mean_distance"] is None
    assert hers["sentences"]["headline"].startswith("Nobody is in one of the two groups")
    code, said, _ = cst("person", small, "104", "--max-distance", "0")
    assert code == 0
    assert "nobody" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("loan", "L9"), "Nobody in the data has the id 'L9'. Ids are the column 'id'"),
        (("loan", "L0002"), "does not have the protected value, so there is nothing to test about"),
        (("law-school", "999999"), "Ids are the row numbers, from 0"),
        (("law-school", "0", "--test", "multiple"), "does not have every protected value"),
        (("loan", "L0015", "--method", "CST"), "--method: expected one of CST_wo, ST, CST_w, CF"),
        (("loan", "L0015", "--test", "Age"), "--test: expected one of Gender, got 'Age'."),
        (("loan", "L0015", "--preset", "published"), "has no page of one person"),
    ],
)
def test_what_cannot_be_shown_gets_a_sentence(cst, arguments: tuple, words: str) -> None:
    code, said, error = cst("person", *arguments)
    assert (code, said) == (2, "")
    assert words in error


def test_a_method_that_needs_a_decision_maker_says_so(cst, small: Path) -> None:
    code, _, error = cst("person", small, "104", "--method", "CST w/")
    assert code == 2
    assert "CST_w" in error


def test_what_chance_says_against_her_finding_is_said_when_asked(cst) -> None:
    her = ("person", "law-school", "279", "--test", "gender", "--k", "50")
    said = "This is one of 183 significant cases at k = 50. A meaningless label of the same size"
    code, out, _ = cst(*her, "--chance", "19")
    assert code == 0
    assert f"Against it: {said}" in " ".join(out.split())
    plain = json.loads(cst(*her, "--json", "-")[1])
    assert plain["chance"] is None
