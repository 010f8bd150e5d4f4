"""Every sample opens, tells its case, runs its tests and writes its files."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cst_core.cli import main
from cst_core.scenario import load_scenario, sample_scenarios
from dashboard.draft import files
from dashboard.draft.conversion import problems, to_scenario

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLES = tuple(sample_scenarios())
NOWHERE_ELSE = ("adult", "german-credit")
"""Samples all of whose causal models are run; those of the others have tests of their own."""
FEWER = {"adult": 30}
"""Of a large sample, one row in so many is taken."""


def cst(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    """Run the command; raises where it stops with an error."""
    monkeypatch.setattr(sys, "argv", ["cst", *map(str, arguments)])
    with warnings.catch_warnings(), pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code


def test_the_gallery() -> None:
    assert SAMPLES == ("adult", "berkeley", "german-credit", "law-school", "loan")
    for page in ("README.md", "docs/guide/samples.md"):
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        assert all(f"`{name}`" in text for name in SAMPLES), page


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_tells_its_case_and_where_its_arrows_come_from(sample: str) -> None:
    scenario = load_scenario(sample).scenario
    assert scenario.name == sample
    assert all((scenario.title, scenario.description, scenario.story, scenario.origin))
    assert scenario.description.endswith("?"), "what is asked"
    assert all(item.protected_name and item.reference_name for item in scenario.roles.protected)
    assert scenario.outcomes.negative
    for world in scenario.worlds:
        places = {(node.x, node.y) for node in world.nodes}
        assert len(places) == len(world.nodes), "no node stands on another"
        assert not any(None in place for place in places)
        if sample in ("adult", "berkeley", "german-credit"):
            assert all(edge.note for edge in world.edges)


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_becomes_a_draft_and_comes_back(sample: str) -> None:
    scenario = load_scenario(sample).scenario
    draft, _ = files.sample_draft(sample)
    assert not problems(draft)
    assert draft.story == scenario.story
    back = to_scenario(draft, data_file=scenario.data.file)
    assert back.model_copy(update={"name": sample}) == scenario


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
@pytest.mark.parametrize(
    ("sample", "world"),
    [
        (name, world)
        for name in SAMPLES
        for world in load_scenario(name).worlds[: 2 if name in NOWHERE_ELSE else 1]
    ],
)
def test_a_sample_runs_each_of_its_tests_and_writes_its_files(
    sample: str, world: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = load_scenario(sample)
    out, drawing, instead = tmp_path / "out", tmp_path / "model.txt", []
    if sample in FEWER:
        rows = pd.read_csv(case.data_path).iloc[:: FEWER[sample]]
        rows.to_csv(tmp_path / "fewer.csv", index=False)
        instead = ["--data", tmp_path / "fewer.csv"]
    k = case.scenario.settings.k[0]
    cst(monkeypatch, "audit", sample, "--world", world, "--k", k, "--out", out, *instead)
    found = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert [test["test"] for test in found["tests"]][: len(case.roles().protected)] == [
        item.column for item in case.roles().protected
    ]
    for test in found["tests"]:
        means = {row["method"]: row["mean_delta"] for row in test["results"]}
        assert np.isfinite([mean for mean in means.values() if mean is not None]).all()
        assert {"CST_wo", "ST"} <= means.keys()
    assert case.scenario.story in load_scenario(out / "scenario-used.yaml").scenario.story
    cst(monkeypatch, "model", "export", sample, "--world", world, "--out", drawing)
    text = drawing.read_text(encoding="utf-8")
    assert text.count(" -> ") == len(case.world(world).edges)
