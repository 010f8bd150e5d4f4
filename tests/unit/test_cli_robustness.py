"""`cst audit --robustness`: the parts in JSON, CSV and print."""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from cst_core import EvidenceSettings, SearchSettings, load_scenario, run_single
from cst_core.cli import main
from cst_core.cli.flags import parse_checks
from cst_core.robustness import CHECKS, Check, CheckResult, balance, placebo, standing

pytestmark = pytest.mark.slow

ROBUST = ("--robustness", "placebo,balance", "--seed", 5, "--repeats", 6)


@pytest.fixture
def cst(monkeypatch, capsys):
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cst", *map(str, arguments)])
        code = 0
        with warnings.catch_warnings():
            try:
                main()
            except SystemExit as stop:
                code = int(stop.code or 0)
        got = capsys.readouterr()
        assert "Traceback" not in got.out + got.err
        return code, got.out, got.err

    return run


@pytest.fixture(scope="module")
def observed() -> Any:
    case = load_scenario("loan")
    return run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=SearchSettings(max_neighbours=30),
    )


def test_json_has_the_librarys_numbers(cst, observed) -> None:
    code, out, _ = cst("audit", "loan", "--k", "15,30", *ROBUST, "--json", "-")
    assert code == 0
    (test,) = json.loads(out)["tests"]
    found = test["robustness"]
    assert list(found) == ["placebo", "balance"]
    settings = [EvidenceSettings(n_neighbours=k) for k in (15, 30)]
    expected = placebo(observed, settings=settings, methods=observed.methods, repeats=6, seed=5)
    told = found["placebo"]
    assert (told["seed"], told["repeats"], told["permuted"]) == (5, 6, ["Gender"])
    assert told["evaluated"] == told["complainants"] == observed.n_protected
    assert {(row["method"], row["k"]) for row in told["results"]} == {
        (method, k) for method in observed.methods for k in (15, 30)
    }
    for row in told["results"]:
        item = expected.of(row["method"], row["k"])
        p = item.p_cases if row["cases"] == "all" else item.p_significant
        assert row["p_value"] == p
        draws = item.cases if row["cases"] == "all" else item.significant
        assert row["placebo_mean"] == pytest.approx(draws.mean())
    for row in found["balance"]["results"]:
        groups = {group["group"]: group for group in row["groups"]}
        width = balance(observed, EvidenceSettings(n_neighbours=row["k"]))
        assert groups["test_cst"]["control / test"] == pytest.approx(width.ratio())
        assert groups["control"]["control / test"] is None
        assert row["warnings"]["test_cst"] == width.warning()


def test_files_and_print(cst, tmp_path: Path) -> None:
    code, out, _ = cst("audit", "loan", "--k", 15, *ROBUST, "--out", tmp_path / "found")
    assert code == 0
    assert "Placebo (seed 5)" in out
    assert "with the label dealt out at random" in out.replace("\n", " ").replace("  ", " ")
    assert "Balance (seed 5)" in out
    folder = tmp_path / "found"
    assert (
        len(pd.read_csv(folder / "Gender_placebo.csv", comment="#")) == 8
    )  # four methods, two kinds
    assert len(pd.read_csv(folder / "Gender_placebo_draws.csv", comment="#")) == 4 * 6
    people = pd.read_csv(folder / "Gender_k15.csv", comment="#")
    widths = pd.read_csv(folder / "Gender_balance_k15.csv", comment="#")
    assert len(widths) == len(people)
    assert widths.iloc[:, 0].tolist() == people.iloc[:, 0].tolist()
    overall = pd.read_csv(folder / "Gender_balance.csv", comment="#")
    assert overall["group"].tolist() == ["control", "test_st", "test_cst"]
    assert overall["mean of mean distance"].iloc[0] == pytest.approx(
        widths["control: mean distance"].mean()
    )
    content = json.loads((folder / "results.json").read_text())
    assert set(content["tests"][0]["robustness"]) == {"placebo", "balance"}


def test_the_seed_decides_and_without_the_option_nothing_is_added(cst) -> None:
    def numbers(*options: object) -> Any:
        code, out, _ = cst("audit", "loan", "--k", 15, *options, "--json", "-")
        assert code == 0
        return json.loads(out)["tests"][0]

    again = ("--robustness", "placebo", "--repeats", 4)
    assert numbers(*again, "--seed", 1) == numbers(*again, "--seed", 1)
    assert numbers(*again, "--seed", 1) != numbers(*again, "--seed", 2)
    assert "robustness" not in numbers()


def test_several_attributes(cst) -> None:
    code, out, _ = cst(
        "audit",
        "law-school",
        "--k",
        15,
        "--robustness",
        "balance,placebo",
        "--repeats",
        1,
        "--json",
        "-",
    )
    assert code == 0
    tests = {test["test"]: test["robustness"] for test in json.loads(out)["tests"]}
    assert tests["multiple"]["placebo"]["permuted"] == ["gender", "race"]
    assert "unavailable" in tests["multiple"]["balance"]
    assert tests["intersectional"]["placebo"]["permuted"][0] == "gender × race"
    assert set(tests["race"]) == {"balance", "placebo"}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--robustness", "horoscope"), "--robustness: expected some of balance"),
        (("--robustness", "placebo,"), "got ''"),
        (("--robustness", "placebo", "--preset", "published"), "published protocol has no such"),
        (("--robustness", "placebo", "--repeats", 0), "repeats: expected a whole number"),
        (("--robustness", "placebo", "--seed", -1), "seed: expected a whole number of 0 or more"),
    ],
)
def test_bad_requests_get_a_sentence(cst, options: tuple[object, ...], words: str) -> None:
    code, _, err = cst("audit", "loan", "--k", 15, *options)
    assert code == 2
    assert words in " ".join(err.split())


def test_all_means_every_check() -> None:
    assert parse_checks("all") == tuple(CHECKS)
    assert parse_checks("balance,balance") == ("balance",)


def test_standing_gives_the_librarys_counts(cst, observed, tmp_path: Path) -> None:
    options = ("--robustness", "standing", "--out", tmp_path / "found")
    code, out, _ = cst("audit", "loan", "--k", "15,30", *options)
    assert code == 0
    assert "so many are still found when one thing is changed" in " ".join(out.split())
    (test,) = json.loads((tmp_path / "found" / "results.json").read_text())["tests"]
    for row, k in zip(test["robustness"]["standing"]["results"], (15, 30), strict=True):
        wanted = standing(observed, settings=EvidenceSettings(n_neighbours=k))
        assert (row["k"], row["method"], row["findings"]) == (k, "CST_wo", wanted.findings)
        assert row["changes"] == [asdict(item) for item in wanted.counts]
    table = pd.read_csv(tmp_path / "found" / "Gender_standing.csv", comment="#")
    assert table["k"].value_counts().to_dict() == {15: 8, 30: 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(CheckResult):
    """A result of a check that only this test has."""

    n: int

    def summary(self) -> tuple[str, ...]:
        return (f"There are {self.n} people.",)

    def numbers(self) -> dict[str, Any]:
        return {"results": [{"n": self.n}]}

    def tables(self) -> dict[str, pd.DataFrame]:
        return {"": pd.DataFrame([{"n": self.n}])}


def test_a_check_is_added_by_a_line(cst, monkeypatch, tmp_path: Path) -> None:
    added = Check(name="counting", kind=Counted, run=lambda request: [Counted(n=request.result.n)])
    monkeypatch.setitem(CHECKS, "counting", added)
    options = ("--robustness", "counting", "--out", tmp_path / "found")
    code, out, _ = cst("audit", "loan", "--k", 15, *options)
    assert code == 0
    n = len(load_scenario("loan").dataset())
    assert f"Counting There are {n} people." in " ".join(out.split())
    (test,) = json.loads((tmp_path / "found" / "results.json").read_text())["tests"]
    assert test["robustness"] == {"counting": {"results": [{"n": n}]}}
    assert pd.read_csv(tmp_path / "found" / "Gender_counting.csv", comment="#")["n"].tolist() == [n]
