"""`cst audit --robustness bootstrap,tornado,tipping,worlds`: the library's numbers come out."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from cst_core import EvidenceSettings, SearchSettings, load_scenario, run_multiple, run_single
from cst_core.cli import main
from cst_core.robustness import bootstrap, in_worlds, rival_worlds, tipping, tornado

pytestmark = pytest.mark.slow

DOUBTS = ("--robustness", "bootstrap,tornado,tipping,worlds", "--seed", 4, "--repeats", 5)
ASKED = EvidenceSettings(n_neighbours=15)


@pytest.fixture
def cst(monkeypatch, capsys):
    def run(*arguments: object) -> str:
        monkeypatch.setattr(sys, "argv", ["cst", *map(str, arguments)])
        code: object = None
        with warnings.catch_warnings():
            try:
                main()
            except SystemExit as stop:
                code = stop.code
        assert not code
        return capsys.readouterr().out

    return run


def test_json_has_the_librarys_numbers(cst) -> None:
    out = cst("audit", "loan", "--k", 15, *DOUBTS, "--json", "-")
    (test,) = json.loads(out)["tests"]
    told: dict[str, Any] = test["robustness"]
    case = load_scenario("loan")
    result = run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=SearchSettings(max_neighbours=15),
    )
    drawn = bootstrap(result, settings=ASKED, refits=5, seed=4)
    (row,) = told["bootstrap"]["results"]
    assert told["bootstrap"]["seed"] == 4
    assert row["significant"] == drawn.is_significant.sum()
    assert row["standing"] == drawn.standing().sum()
    assert [row["significant_low"], row["significant_high"]] == list(drawn.count_interval())
    bars = told["tornado"]["results"][0]["bars"]
    assert [(bar["node"], bar["term"], bar["width"]) for bar in bars] == [
        (bar.node, bar.term, bar.width) for bar in tornado(result, settings=ASKED).bars
    ]
    counts = told["tipping"]["results"][0]["counts"]
    wanted = tipping(result, settings=ASKED).counts()
    assert [item["effect_scale"] for item in counts] == wanted.index.tolist()
    assert [item["significant"] for item in counts] == wanted["significant"].tolist()
    assert "one causal model only" in told["worlds"]["unavailable"]


def test_worlds_of_every_test_and_their_files(cst, tmp_path: Path) -> None:
    out = cst(
        "audit", "law-school", "--k", 15, "--robustness", "worlds", "--out", tmp_path / "found"
    )
    assert "people are flagged in every world" in " ".join(out.split())
    content = json.loads((tmp_path / "found" / "results.json").read_text())
    tests = {test["test"]: test["robustness"]["worlds"] for test in content["tests"]}
    assert set(tests) == {"gender", "race", "multiple", "intersectional"}
    case = load_scenario("law-school")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = run_single(
            case.dataset(),
            case.causal_model("linear"),
            attribute="race",
            decision_maker=case.decision_maker(),
            search=SearchSettings(max_neighbours=15),
        )
        models = {name: case.causal_model(name) for name in ("linear", "log-link")}
        worlds = in_worlds(result, models)
    wanted = rival_worlds(worlds, settings=ASKED)
    (row,) = tests["race"]["results"]
    assert {item["world"]: item["significant"] for item in row["worlds"]} == (
        wanted.counts()["significant"].to_dict()
    )
    assert row["flagged"] == {
        word: int((wanted.flagged() == word).sum()) for word in ("all", "some", "none")
    }
    (why,) = row["reasons"]
    assert why["changed"] == (wanted.verdicts()["linear"] != wanted.verdicts()["log-link"]).sum()
    assert sum(why["because_of"].values()) == why["changed"]
    people = pd.read_csv(tmp_path / "found" / "race_worlds_k15.csv", comment="#")
    assert people["linear: is_significant"].sum() == wanted.verdicts()["linear"].sum()
    (why,) = tests["multiple"]["results"][0]["reasons"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        several = {
            name: run_multiple(
                case.dataset(),
                case.causal_model(name),
                decision_maker=case.decision_maker(),
                search=SearchSettings(max_neighbours=15),
            )
            for name in ("linear", "log-link")
        }
    held = [item.evidence("CST_wo", ASKED).is_significant for item in several.values()]
    assert why["changed"] == (held[0] != held[1]).sum()
    assert sum(why["because_of"].values()) == why["changed"]
    assert why["differences"]


def test_findings_that_end_for_lack_of_people_are_told_apart(cst) -> None:
    """With ε, against the library; without, the sentence does not appear."""
    near = 0.01
    asked = ("audit", "loan", "--k", 15, "--robustness", "tipping", "--max-distance", near)
    (test,) = json.loads(cst(*asked, "--json", "-"))["tests"]
    (row,) = test["robustness"]["tipping"]["results"]
    case = load_scenario("loan")
    result = run_single(
        case.dataset(),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=SearchSettings(max_neighbours=15, max_distance=near),
    )
    found = tipping(result, settings=ASKED)
    held = found.is_significant[found.grid == 1.0][0]
    ends = held & ~pd.isna(found.significant_below)
    lacking = ends & found.for_lack("significant", up=False)
    small = ends & ~found.for_lack("significant", up=False)
    assert (row["disappear_below"], row["lack_people_below"]) == (small.sum(), lacking.sum())
    assert small.any(), "the case must be able to tell"
    assert lacking.any()
    assert row["median_below"] == pytest.approx(
        float(pd.Series(found.significant_below[small]).median())
    )
    printed = " ".join(cst(*asked).split())
    words = "findings end with a smaller effect for lack of people within the maximum distance"
    assert f"{lacking.sum()} of {held.sum()} {words}" in printed
    assert f"{small.sum()} of {held.sum()} findings disappear with a smaller effect" in printed
    free = cst("audit", "loan", "--k", 15, "--robustness", "tipping")
    assert "for lack of people" not in " ".join(free.split())
