"""The `cst` command as a user meets it: output, files, exit codes, sentences."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from cst_core import EvidenceSettings, read_table
from cst_core.cli import main
from cst_core.cli.files import write_csv
from cst_core.errors import CausalModelError
from cst_core.robustness import placebo
from cst_core.scenario import load_scenario, read_scenario, write_scenario


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def cst(monkeypatch, capsys):
    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["cst", *map(str, arguments)])
        code = 0
        with warnings.catch_warnings():
            try:
                main()
            except SystemExit as stop:
                code = int(stop.code or 0)
        got = capsys.readouterr()
        assert "Traceback" not in got.out + got.err
        return Outcome(code, got.out, got.err)

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Make a small case of our own: 12 people, two protected attributes, recorded decisions."""
    table = pd.DataFrame(
        {
            "sex": ["f", "m"] * 6,
            "origin": ["x", "x", "y", "y", "x", "x"] * 2,
            "score": [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.5],
            "hired": [
                "no",
                "yes",
                "no",
                "no",
                "no",
                "yes",
                "yes",
                "yes",
                "yes",
                "yes",
                "no",
                "yes",
            ],
        }
    )
    table.to_csv(tmp_path / "people.csv", index=False)
    scenario = {
        "format": 1,
        "name": "small",
        "data": {"file": "people.csv"},
        "roles": {
            "protected": [
                {"column": "sex", "protected": "f", "reference": "m"},
                {"column": "origin", "protected": "x"},
            ],
            "relevant": [{"column": "score"}],
            "decision": {"column": "hired", "negative": "no"},
        },
        "worlds": [
            {
                "name": "only",
                "nodes": [{"name": "sex"}, {"name": "origin"}, {"name": "score"}],
                "edges": [{"from": "sex", "to": "score"}, {"from": "origin", "to": "score"}],
            }
        ],
        "settings": {"k": [2, 3]},
    }
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump(scenario), encoding="utf-8")
    return path


def test_scenarios_lists_the_samples(cst):
    got = cst("scenarios")
    assert got.code == 0
    assert "loan" in got.out
    assert "law-school" in got.out


def test_audit_json_has_the_promised_shape(cst):
    got = cst("audit", "law-school", "--k", "15", "--json", "-")
    assert got.code == 0
    content = json.loads(got.out)
    assert content["scenario"] == "law-school"
    assert content["preset"] == "paper"
    assert [test["test"] for test in content["tests"]] == [
        *("gender", "race", "multiple", "intersectional")
    ]
    race = content["tests"][1]
    assert (race["n"], race["protected"], race["accepted"]) == (21790, 3506, 505)
    assert {row["method"] for row in race["results"]} == {"ST", "CST_wo", "CST_w", "CF"}
    for row in race["results"]:
        assert set(row) == {
            *("method", "k", "cases", "refused_cases", "significant", "mean_delta"),
            "tie_dependent",
            *("cases_hold", "cases_on_ties", "significant_hold", "significant_on_ties"),
            *("k_control", "k_test", "family", "significant_people", "by_chance"),
        }
        assert row["cases"] == row["cases_hold"] + row["cases_on_ties"]
        assert row["significant"] == row["significant_hold"] + row["significant_on_ties"]
        assert (row["k_control"], row["k_test"], row["family"]) == (15, 15, 3506)
        people = row["significant_people"]
        assert {len(column) for column in people.values()} == {row["significant"]}
        assert all(p < 0.05 for p in people["p_value"])
        assert sum(people["significant_holds"]) == row["significant_hold"]
        assert 0 <= row["significant"] <= row["cases"] <= 3506
        assert -1 <= row["mean_delta"] <= 1


def test_audit_published_preset_on_the_law_school_sample_gives_the_papers_cells(cst):
    got = cst("audit", "law-school", "--preset", "published", "--test", "race", "--k", "15,30")
    assert got.code == 0
    for cell in ("256 (7.3 %)", "244 (7.0 %)", "309 (8.8 %)", "33 (0.9 %)", "231 (6.6 %)"):
        assert cell in got.out


def test_audit_prints_readable_tables(cst):
    got = cst("audit", "loan", "--k", "15", "--direction", "favour")
    assert got.code == 0
    assert "in favour" in got.out
    assert "2,246 people of the protected group among 4,993 people" in got.out
    assert "a difference to examine" in " ".join(got.out.split())


def test_audit_without_decision_maker_says_why_two_methods_are_missing(cst, small):
    got = cst("audit", small, "--json", "-")
    content = json.loads(got.out)
    single = content["tests"][0]
    assert {row["method"] for row in single["results"]} == {"ST", "CST_wo"}
    assert "no decision maker" in single["unavailable"]["CF"]
    printed = cst("audit", small)
    assert "Not available: CST w/ and CF" in printed.out


def test_settings_change_the_answer(cst, small):
    def cases(*flags: object) -> list[int]:
        got = cst("audit", small, "--test", "sex", *flags, "--json", "-")
        assert got.code == 0, got.err
        content = json.loads(got.out)
        return [row["cases"] for row in content["tests"][0]["results"]]

    usual = cases()
    assert cases("--tau", "1") == [0] * len(usual)
    assert sum(cases("--tau", "-1")) > sum(usual)
    assert len(cases("--k", "1,2,3")) == 6
    assert cases("--max-distance", "0") != usual


def test_data_option_puts_another_file_in_place(cst, small, tmp_path):
    other = tmp_path / "other.csv"
    table = pd.read_csv(small.parent / "people.csv").iloc[:8]
    table.to_csv(other, sep=";", index=False)
    content = json.loads(cst("audit", small, "--data", other, "--json", "-").out)
    assert content["tests"][0]["n"] == 8


def test_data_option_reads_excel(cst, small, tmp_path):
    other = tmp_path / "other.xlsx"
    table = pd.read_csv(small.parent / "people.csv")
    table.to_excel(other, index=False)
    own = cst("audit", small, "--json", "-")
    got = json.loads(cst("audit", small, "--data", other, "--json", "-").out)
    assert got["tests"] == json.loads(own.out)["tests"]
    assert got["data"]["file"] == "other.xlsx"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["logistic", "tree"])
def test_a_model_of_the_decisions_makes_all_methods_available(cst, small, tmp_path, kind):
    content = yaml.safe_load(small.read_text(encoding="utf-8"))
    content["decision_maker"] = {"type": "model", "kind": kind, "columns": ["score", "origin"]}
    small.write_text(yaml.safe_dump(content), encoding="utf-8")
    got = cst("audit", small, "--json", "-", "--out", tmp_path / "out")
    assert got.code == 0, got.err
    for test in json.loads(got.out)["tests"][:2]:
        assert {row["method"] for row in test["results"]} == {"ST", "CST_wo", "CST_w", "CF"}
        assert test["unavailable"] == {}
    repeated = cst("audit", tmp_path / "out" / "scenario-used.yaml", "--json", "-")
    assert json.loads(repeated.out) == json.loads(got.out)
    target = tmp_path / "cf.csv"
    got = cst("counterfactuals", small, "--do", "origin=not x", "--out", target)
    assert got.code == 0, got.err
    assert pd.read_csv(target, comment="#")["counterfactual refused"].dtype == bool


def test_a_model_of_decisions_that_are_all_the_same_gets_a_sentence(cst, small):
    content = yaml.safe_load(small.read_text(encoding="utf-8"))
    content["decision_maker"] = {"type": "model", "columns": ["score"]}
    small.write_text(yaml.safe_dump(content), encoding="utf-8")
    people = small.parent / "people.csv"
    pd.read_csv(people).assign(hired="no").to_csv(people, index=False)
    got = cst("audit", small)
    assert got.code == 2
    assert "everyone has the same decision" in got.err


def test_out_writes_readable_files(cst, small, tmp_path):
    folder = tmp_path / "out"
    got = cst("audit", small, "--out", folder)
    assert got.code == 0
    names = {path.name for path in folder.iterdir()}
    assert {
        "results.json",
        "scenario-used.yaml",
        "summary.csv",
        "sex_k2.csv",
        "multiple_k3.csv",
    } <= names
    assert {"overlap_k2.csv", "sex_equations.csv", "sex_groups.csv"} <= names
    people = pd.read_csv(folder / "sex_k2.csv", comment="#")
    assert len(people) == 6
    assert (people["CST_wo: p_control"] - people["CST_wo: p_test"]).to_numpy() == pytest.approx(
        people["CST_wo: delta"].to_numpy()
    )
    used = folder / "scenario-used.yaml"
    repeated = cst("audit", used, "--json", "-")
    assert json.loads(repeated.out) == json.loads((folder / "results.json").read_text("utf-8"))


def test_the_scenario_left_behind_repeats_other_settings_and_data(cst, small, tmp_path):
    other = tmp_path / "other.csv"
    pd.read_csv(small.parent / "people.csv").iloc[:10].to_csv(other, index=False)
    folder = tmp_path / "out"
    flags = ("--k", "1", "--tau", "0.1", "--direction", "favour", "--ties", "last")
    assert cst("audit", small, *flags, "--data", other, "--out", folder).code == 0
    repeated = cst("audit", folder / "scenario-used.yaml", "--json", "-")
    assert json.loads(repeated.out) == json.loads((folder / "results.json").read_text("utf-8"))


@pytest.mark.slow
def test_the_strict_preset_and_what_it_writes(cst, small, tmp_path):
    folder = tmp_path / "out"
    few = ("--relabellings", "19")
    got = cst("audit", small, "--preset", "strict", "--k", "3", *few, "--out", folder)
    assert got.code == 0
    assert "preset strict" in got.out
    assert "Benjamini and Hochberg" in got.out
    content = json.loads((folder / "results.json").read_text("utf-8"))
    settings = content["settings"]
    assert content["preset"] == "strict"
    assert (settings["interval"], settings["correction"]) == ("exact-ratio", "bh")
    assert (settings["tie_robust"], settings["calibration"]) == (True, "relabelling")
    for row in content["tests"][0]["results"]:
        assert row["cases"] == row["cases_hold"]
        assert row["significant"] == row["significant_hold"]
    people = pd.read_csv(folder / "sex_k3.csv", comment="#")
    for name in ("p_value", "adjusted_p", "worst_adjusted_p"):
        assert people[f"CST_wo: {name}"].between(0, 1).all()
    assert (people["CST_wo: adjusted_p"] >= people["CST_wo: p_value"]).all()
    assert {"CST_wo: case_holds", "CST_wo: significant_holds"} <= set(people.columns)
    several = pd.read_csv(folder / "multiple_k3.csv", comment="#")
    assert {"CST_wo: p_value", "CST_wo: adjusted_p", "CST_wo: case_holds"} <= set(several.columns)
    assert (people["CST_wo: p_value"] >= people["CST_wo: calibrated_p"]).all()
    repeated = cst("audit", folder / "scenario-used.yaml", "--json", "-")
    assert json.loads(repeated.out) == content


@pytest.mark.slow
def test_an_option_wins_over_the_preset_and_over_the_scenario(cst, small, tmp_path):
    flags = ("--preset", "strict", "--interval", "score", "--no-tie-robust", "--balance-radii")
    flags += ("--several", "intersection-union", "--k", "3", "--relabellings", "19")
    got = cst("audit", small, *flags, "--out", tmp_path / "out", "--json", "-")
    assert got.code == 0
    content = json.loads(got.out)
    settings = content["settings"]
    assert content["preset"] is None
    assert (settings["interval"], settings["correction"]) == ("score", "bh")
    assert (settings["tie_robust"], settings["balance_radii"]) == (False, True)
    assert settings["several"] == "intersection-union"
    used = tmp_path / "out" / "scenario-used.yaml"
    again = cst("audit", used, "--json", "-")
    assert json.loads(again.out) == content
    back = json.loads(cst("audit", used, "--preset", "paper", "--json", "-").out)
    assert back["preset"] == "paper"
    assert back["settings"]["interval"] == "wald"


def test_beside_every_count_stands_whether_chance_gives_as_many(cst, tmp_path):
    asked = ("audit", "loan", "--k", "15,30", "--chance", "19", "--seed", "3")
    got = cst(*asked, "--out", tmp_path, "--json", tmp_path / "found.json")
    assert got.code == 0
    assert "… a label without meaning finds as many: p" in got.out
    result = load_scenario("loan").open().run("Gender")
    settings = [EvidenceSettings(n_neighbours=k) for k in (15, 30)]
    dealt = placebo(result, settings=settings, methods=result.methods, repeats=19, seed=3)
    (test,) = json.loads((tmp_path / "found.json").read_text("utf-8"))["tests"]
    for row in test["results"]:
        expected = dealt.of(row["method"], row["k"])
        assert row["by_chance"]["p"] == expected.p_significant
        assert row["by_chance"]["most"] == expected.significant.max()
        assert row["by_chance"]["null"] == expected.null
    summary = pd.read_csv(tmp_path / "summary.csv", comment="#")
    assert summary["by_chance_p"].tolist() == [row["by_chance"]["p"] for row in test["results"]]


def test_that_chance_gives_as_many_is_said_before_the_table(cst):
    """By gender, CST w/o finds no more on the law school at k = 50 than a label without meaning."""
    got = cst("audit", "law-school", "--test", "gender", "--k", "50", "--chance", "99")
    first, table, _ = got.out.partition("Method")
    assert "A meaningless label of the same size would find as many" in first
    assert table


@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
def test_what_was_not_measured_is_said_before_the_table(cst):
    asked = ("audit", "berkeley", "--world", "with Kruskal's doubt", "--k", "30", "--chance", "0")
    first, table, _ = cst(*asked).out.partition("Method")
    assert table
    said = (
        "All findings, which rest on the comparison of decisions itself, may be the doing of "
        "something unmeasured, which the drawing says moves both Department and Admission."
    )
    assert said in " ".join(first.split())
    (test,) = json.loads(cst(*asked, "--json", "-").out)["tests"]
    assert test["unmeasured"] == [f"{said} No data here can tell."]


def test_a_strict_audit_says_what_the_papers_rule_finds_beside_it(cst):
    asked = ("audit", "loan", "--preset", "strict", "--relabellings", "19", "--k", "15")
    said = " ".join(cst(*asked).out.split())
    assert "Note: CST w/o, k = 15. By the strict rule " in said
    assert "by the rule of the paper" in said
    assert "By the strict rule" not in cst("audit", "loan", "--k", "15").out


def test_chance_that_cannot_be_asked_is_a_note_and_ends_nothing(cst, monkeypatch):
    def fails(*_: object, **__: object) -> None:
        raise CausalModelError("One equation has no answer.")

    monkeypatch.setattr("cst_core.cli.chance.placebo", fails)
    got = cst("audit", "loan", "--k", "15", "--chance", "9")
    assert got.code == 0
    assert "One equation has no answer." in " ".join(got.out.split())
    assert "significant" in got.out


def test_chance_is_not_asked_unasked_where_that_takes_long(cst):
    said = " ".join(cst("audit", "loan", "--k", "15").out.split())
    assert "Whether the counts are more than chance gives was not asked" in said
    assert "was not asked" not in cst("audit", "loan", "--k", "15", "--chance", "0").out


@pytest.mark.parametrize(("direction", "word"), [("against", "more"), ("favour", "less")])
def test_what_a_case_is_is_said_for_the_direction_asked(cst, small, direction, word):
    said = " ".join(cst("audit", small, "--k", "3", "--direction", direction).out.split())
    assert f"people like the person are refused {word} often than people like the person's" in said


def test_nothing_of_the_users_is_overwritten(cst, small):
    people = small.parent / "people.csv"
    before = people.read_bytes()
    got = cst("counterfactuals", small, "--do", "sex=m", "--out", people)
    assert got.code == 2
    assert "overwrite" in got.err
    own = small.rename(small.with_name("scenario-used.yaml"))
    text = own.read_text(encoding="utf-8")
    assert cst("audit", own, "--out", own.parent).code == 2
    assert people.read_bytes() == before
    assert own.read_text(encoding="utf-8") == text


def test_counterfactuals_writes_everyone(cst, tmp_path):
    target = tmp_path / "cf.csv"
    got = cst("counterfactuals", "law-school", "--do", "gender=male", "--out", target)
    assert got.code == 0
    table = pd.read_csv(target, comment="#")
    source = load_scenario("law-school").dataset().frame
    assert len(table) == 21790
    assert set(table["gender"]) == {"male"}
    men = (source["gender"] == "male").to_numpy()
    assert (table.loc[men, "LSAT"].to_numpy() == source.loc[men, "LSAT"].to_numpy()).all()
    assert (table.loc[~men, "LSAT"].to_numpy() >= source.loc[~men, "LSAT"].to_numpy()).all()


def test_counterfactuals_with_levels_are_states_with_weights(cst, tmp_path):
    target = tmp_path / "b.csv"
    got = cst("counterfactuals", "berkeley", "--do", "gender=male", "--out", target)
    assert got.code == 0
    table = pd.read_csv(target, comment="#")
    case = load_scenario("berkeley")
    people = case.dataset()
    weights = table.groupby(table.columns[0])["weight of the state"].sum()
    assert len(weights) == len(people)
    np.testing.assert_allclose(weights, 1, atol=1e-9)
    factual = people.frame.reset_index(drop=True)
    women = factual["gender"] != "male"
    men = factual.loc[~women, "department"].value_counts(normalize=True)
    owner = pd.Index(people.index).get_indexer(table[table.columns[0]])
    hers = table[women.to_numpy()[owner]]
    shares = hers.groupby("department")["weight of the state"].sum() / women.sum()
    np.testing.assert_allclose(shares.loc[men.index], men, atol=1e-6)
    said = " ".join(got.out.split())
    assert "a row a state" in said
    moved = (factual["department"].to_numpy()[owner] != table["department"].to_numpy()) * table[
        "weight of the state"
    ]
    assert f"{moved.sum():,.1f} of 4,526 do" in said
    assert "# Rows: Effects have levels" in target.read_text(encoding="utf-8-sig").replace('"', "")


def test_likeliest_counterfactuals_are_called_so(cst, tmp_path):
    folder = tmp_path / "out"
    assert cst("audit", "berkeley", "--k", "15", "--out", folder).code == 0
    table = pd.read_csv(folder / "gender_k15.csv", comment="#")
    assert "likeliest counterfactual: department" in table
    assert "counterfactual: department" not in table


def test_world_changes_the_counterfactuals(cst, tmp_path):
    tables = []
    for world in ("linear", "log-link"):
        target = tmp_path / f"{world}.parquet"
        code = cst(
            *("counterfactuals", "law-school", "--do", "race=white"),
            *("--world", world, "--out", target),
        ).code
        assert code == 0
        tables.append(pd.read_parquet(target))
    assert not tables[0]["LSAT"].equals(tables[1]["LSAT"])
    assert tables[0]["UGPA"].equals(tables[1]["UGPA"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["audit", "nowhere.yaml"], ["nowhere.yaml", "law-school"]),
        (["audit", "x" * 5000], ["No scenario", "law-school"]),
        (["audit", "loan", "--k", "0"], ["--k", "'0'"]),
        (["audit", "loan", "--k", "-3"], ["--k"]),
        (["audit", "loan", "--k", "ten"], ["--k", "ten"]),
        (["audit", "loan", "--tau", "1.5"], ["τ", "1.5"]),
        (["audit", "loan", "--alpha", "0"], ["α"]),
        (["audit", "loan", "--direction", "up"], ["direction", "up"]),
        (["audit", "loan", "--ties", "random"], ["ties", "random"]),
        (["audit", "loan", "--max-distance", "-1"], ["max_distance", "-1"]),
        (["audit", "loan", "--test", "race"], ["--test", "race", "Gender"]),
        (["audit", "loan", "--test", "multiple"], ["multiple", "Gender"]),
        (["audit", "loan", "--world", "flat"], ["world", "flat", "linear"]),
        (["audit", "loan", "--preset", "strong"], ["--preset", "strong"]),
        (["audit", "loan", "--preset", "published", "--ties", "first"], ["--ties", "published"]),
        (["audit", "loan", "--preset", "published", "--correction", "bh"], ["--correction"]),
        (["audit", "loan", "--correction", "bh"], ["correction", "wald", "agresti-caffo"]),
        (["audit", "loan", "--interval", "magic"], ["interval", "magic", "score"]),
        (["audit", "loan", "--several", "any"], ["several", "any"]),
        (["audit", "loan", "--data", "nofile.csv"], ["nofile.csv"]),
        (["audit", "law-school", "--intersectional-form", "odd"], ["form", "odd"]),
        (["counterfactuals", "loan", "--do", "Gender", "--out", "x.csv"], ["--do", "Gender"]),
        (["counterfactuals", "loan", "--do", "Gender=9", "--out", "x.csv"], ["Gender", "9"]),
        (
            ["counterfactuals", "loan", "--do", "Gender=0", "--do", "Gender=1", "--out", "x.csv"],
            ["Gender", "twice"],
        ),
        (["counterfactuals", "loan", "--do", "Gender=0", "--out", "no/x.csv"], ["no/x.csv"]),
        (["counterfactuals", "loan", "--do", "Hair=1", "--out", "x.csv"], ["Hair"]),
        (["counterfactuals", "loan", "--do", "Gender=0", "--out", "x.docx"], [".csv", "x.docx"]),
        (["replicate", "--authors-data", "nofolder"], ["nofolder"]),
    ],
)
def test_bad_input_gets_a_sentence_and_exit_code_2(cst, arguments, words):
    got = cst(*arguments)
    assert got.code == 2
    for word in words:
        assert word in got.err


def test_wrong_scenario_lists_every_problem(cst, small):
    content = yaml.safe_load(small.read_text(encoding="utf-8"))
    content["roles"]["relevant"][0]["kind"] = "big"
    content["worlds"][0]["edges"].append({"from": "score", "to": "sex"})
    content["colour"] = "red"
    small.write_text(yaml.safe_dump(content), encoding="utf-8")
    got = cst("audit", small)
    assert got.code == 2
    assert "roles.relevant[0].kind" in got.err
    assert "colour" in got.err
    # the drawing can still be read, so its problem is listed with the others
    assert "worlds[0].edges[2]" in got.err


def test_table_with_text_in_a_numeric_column(cst, small):
    path = small.parent / "people.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("12.5", "many"), encoding="utf-8")
    got = cst("audit", small)
    assert got.code == 2
    assert "'score'" in got.err
    assert "'many'" in got.err


def test_everything_wrong_with_a_table_is_said_at_once(cst, small):
    path = small.parent / "people.csv"
    table = pd.read_csv(path).drop(columns="origin").assign(sex="x")
    table.to_csv(path, index=False)
    got = cst("audit", small)
    assert got.code == 2
    words = " ".join(got.err.split())
    assert "2 problems in the data" in words
    assert "Column not in the table: 'origin'" in words
    assert "Column 'sex': nobody has" in words


def test_unexpected_trouble_is_one_sentence(cst, monkeypatch):
    monkeypatch.setattr(
        "cst_core.cli.app.sample_scenarios", lambda: (_ for _ in ()).throw(RuntimeError("boom"))
    )
    got = cst("scenarios")
    assert got.code == 1
    assert "boom" in got.err
    assert "CST_DEBUG" in got.err


@pytest.mark.slow
def test_the_installed_command_runs():
    command = Path(sys.executable).with_name("cst")
    got = subprocess.run([command, "scenarios"], capture_output=True, text=True, check=True)
    assert "law-school" in got.stdout


def test_exported_cells_are_no_formulas(tmp_path):
    table = pd.DataFrame({"=name": ["=1+1", "@x", "fine"], "n": [-1, 2, 3]}, index=["+a", "b", "c"])
    write_csv(table, {}, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["index", "'=name", "n"]
    assert rows[1] == ["'+a", "'=1+1", "-1"]
    assert rows[2] == ["b", "'@x", "2"]


def test_csv_files_say_what_they_come_from_and_are_read_back(cst, small, tmp_path):
    folder, target = tmp_path / "out", tmp_path / "cf.csv"
    assert cst("audit", small, "--tau", "0.1", "--k", "2,3", "--out", folder).code == 0
    assert cst("counterfactuals", small, "--do", "sex=m", "--out", target).code == 0
    data = hashlib.sha256((small.parent / "people.csv").read_bytes()).hexdigest()
    common = ("Case: small", "Data: people.csv", f"SHA-256 of the data: {data}")
    common += ("Causal model: only", "Program: counterfactual-situation-testing ")
    for path in (target, *folder.glob("*.csv")):
        told = path.read_text("utf-8-sig")
        own = (
            ("Intervention: sex=m",)
            if path == target
            else ("k: 2, 3", "Accepted difference (tau): 0.1")
        )
        assert all(f"# {line}" in told for line in (*common, *own)), told[:500]
        read = read_table(path).frame
        pd.testing.assert_frame_equal(
            read, pd.read_csv(path, comment="#"), check_dtype=False, check_exact=False
        )
    assert len(read_table(target).frame) == 12


def test_written_scenario_is_lossless():
    for name in ("loan", "law-school"):
        scenario = load_scenario(name).scenario
        assert read_scenario(write_scenario(scenario)) == scenario


def test_several_tests_can_be_asked_for(cst):
    got = cst(
        *("audit", "law-school", "--k", "15", "--test", "race", "--test", "gender+race"),
        *("--test", "race", "--json", "-"),
    )
    assert got.code == 0
    assert [test["test"] for test in json.loads(got.out)["tests"]] == ["race", "intersectional"]


def test_an_accepted_arrow_without_a_reason_is_refused_with_what_to_write(cst, small):
    scenario = yaml.safe_load(small.read_text(encoding="utf-8"))
    scenario["worlds"][0]["edges"][0]["accepted"] = True
    small.write_text(yaml.safe_dump(scenario), encoding="utf-8")
    got = cst("audit", small)
    assert got.code == 2
    assert "expected the reason why this influence is justified, as text" in got.err
