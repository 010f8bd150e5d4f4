"""Whatever can be asked of a test can be asked of one whose effects have levels, and agrees."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import discrete_cases as cases
import numpy as np
import pandas as pd
import pytest
from strategies import assert_described_as_judged

import cst_core
from cst_core.causal import LevelArithmetic
from cst_core.cli import main
from cst_core.errors import CausalModelError
from cst_core.explain import CoefficientChange, explain_person, what_if
from cst_core.results import MultipleSweeper, Result, SingleResult, Sweeper
from cst_core.robustness import (
    balance,
    bootstrap,
    disagreement,
    in_worlds,
    placebo,
    rival_worlds,
    tipping,
    tornado,
    under_model,
)
from cst_core.scenario import write_scenario

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
ASKED = cst_core.EvidenceSettings(n_neighbours=8)
SEARCH = cst_core.SearchSettings(max_neighbours=20)
CORRECTED = replace(ASKED, correction="bh", interval="agresti-caffo")
NEWCOMBE = replace(ASKED, interval="newcombe", accepted_deviation=-0.1)
LOG_ODDS = tuple(
    cst_core.Equation(node=node, mechanism="logit") for node in ("employed", "school", "job")
)


@pytest.fixture(scope="module")
def result() -> SingleResult:
    return cases.made_result()


@pytest.fixture(scope="module")
def several() -> dict[str, Result]:
    data, model = cases.made(both=True), cases.made_model(*LOG_ODDS, both=True)
    common: dict[str, Any] = {"decision_maker": cases.RULE, "search": SEARCH}
    return {
        "multiple": cst_core.run_multiple(data, model, **common),
        "paper": cst_core.run_intersectional(data, model, form="paper", **common),
        "full": cst_core.run_intersectional(data, model, form="full", **common),
    }


def many_levels() -> SingleResult:
    """Return a test with more states than are kept: two effects of twelve levels each."""
    random = np.random.default_rng(4)
    n = 700
    woman = random.random(n) < 0.5
    first = np.where(woman, random.integers(0, 12, n), random.binomial(11, 0.6, n))
    second = (first + random.integers(0, 12, n)) % 12
    names = np.array([f"l{number:02}" for number in range(12)])
    frame = pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "one": names[first],
            "two": names[second],
            "refused": np.where(random.random(n) < 0.1 + 0.07 * second - 0.05 * ~woman, "y", "n"),
        }
    )
    data = cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=tuple(
                cst_core.RelevantAttribute(column=name, kind="nominal") for name in ("one", "two")
            ),
            decision=cst_core.Decision(column="refused", negative="y"),
        ),
    )
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("sex", "one", "two"), edges=(("sex", "one"), ("one", "two")), protected=("sex",)
        ),
        equations={
            node: cst_core.Equation(node=node, mechanism="shares", coupling="independent")
            for node in ("one", "two")
        },
    )
    return cst_core.run_single(data, model, attribute="sex", search=SEARCH)


@pytest.mark.parametrize("settings", [ASKED, CORRECTED, NEWCOMBE], ids=["as is", "bh", "newcombe"])
@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF", "ST"])
def test_a_sweep_is_the_evidence_at_each_k(
    result: SingleResult, method: Any, settings: cst_core.EvidenceSettings
) -> None:
    assert_swept(Sweeper.of(result), result, method, settings)


def assert_swept(
    sweeper: Any, result: Result, method: Any, settings: cst_core.EvidenceSettings
) -> None:
    ks = [1, 5, 8, 20]
    for robust in (False, True):
        swept = sweeper.sweep(method, replace(settings, tie_robust=robust), ks)
        for place, k in enumerate(ks):
            found = result.evidence(method, replace(settings, n_neighbours=k, tie_robust=robust))
            assert swept.cases[place] == found.is_case.sum()
            assert swept.significant[place] == found.is_significant.sum()
            assert swept.mean_delta[place] == pytest.approx(found.delta.mean())


def test_dropped_states_widen_every_interval_and_sweeps_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cases.few_states(monkeypatch, 64)
    result = many_levels()
    evidence = result.evidence("CST_wo", ASKED)
    lost = evidence.test.lost
    assert lost is not None
    assert lost.max() > 0.01
    assert "counterfactual states than are looked at. The lightest were dropped" in " ".join(
        result.notes
    )
    mixture = result.counterfactuals.states.mixture
    assert mixture is not None
    assert np.bincount(mixture.owner).max() == 64
    np.testing.assert_allclose(lost, mixture.lost[result.is_protected])
    narrow = replace(evidence, test=replace(evidence.test, lost=None))
    for name, way in (("bound", -1), ("lower", -1), ("upper", 1)):
        np.testing.assert_allclose(
            getattr(evidence, name), getattr(narrow, name) + way * lost, atol=1e-12
        )
    assert (evidence.p_value >= narrow.p_value - 1e-12).all()
    states, mine = result.test_cst.states, result.test_cst.mixture  # type: ignore[union-attr]
    for end, found, unknown in zip(
        states.range(8), (evidence.test.lowest, evidence.test.highest), (0.0, lost), strict=True
    ):
        expected = np.bincount(mine.owner, weights=mine.weight * end / 8)
        np.testing.assert_allclose(found / 8, (1 - lost) * expected + unknown)
    assert (evidence.is_significant <= (evidence.bound > 1e-9)).all()
    assert evidence.coupling_lowest is not None
    assert evidence.coupling_highest is not None
    assert (evidence.coupling_lowest <= evidence.delta + 1e-9).all()
    assert (evidence.coupling_highest >= evidence.delta - 1e-9).all()
    for settings in (ASKED, CORRECTED, NEWCOMBE):
        assert_swept(Sweeper.of(result), result, "CST_wo", settings)


@pytest.mark.parametrize("kind", ["multiple", "paper", "full"])
def test_several_attributes(several: dict[str, Result], kind: str) -> None:
    found = several[kind]
    evidence = found.evidence("CST_wo", ASKED)
    assert evidence.coupling_lowest is not None
    assert evidence.coupling_highest is not None
    assert evidence.significant_every_coupling is not None
    assert (evidence.coupling_lowest <= evidence.delta + 1e-9).all()
    assert (evidence.coupling_highest >= evidence.delta - 1e-9).all()
    assert (evidence.significant_every_coupling <= evidence.is_significant).all()
    sweeper = MultipleSweeper.of(found) if kind == "multiple" else Sweeper.of(found.runs[0])
    assert_swept(sweeper, found, "CST_w", ASKED)
    if kind == "multiple":
        each = found.settings_each(ASKED)
        runs = [run.evidence("CST_wo", each).to_frame() for run in found.runs]
        both = runs[0].index.intersection(runs[1].index)
        lows = [run.loc[both, "coupling_lowest"].astype(float) for run in runs]
        np.testing.assert_allclose(evidence.coupling_lowest, np.minimum(*lows))
        every = runs[0].loc[both, "significant_every_coupling"]
        every &= runs[1].loc[both, "significant_every_coupling"]
        np.testing.assert_array_equal(evidence.significant_every_coupling, every)


def checks(result: Result) -> dict[str, Any]:
    return {
        "placebo": placebo(result, settings=ASKED, repeats=2, seed=1, workers=1),
        "bootstrap": bootstrap(result, settings=ASKED, refits=3, seed=1, workers=1),
        "tipping": tipping(result, settings=ASKED, workers=1),
        "tornado": tornado(result, settings=ASKED, method="CST_w", workers=1),
    }


@pytest.mark.parametrize("kind", ["multiple", "paper", "full"])
def test_every_check_runs_and_can_be_kept(several: dict[str, Result], kind: str) -> None:
    for name, found in checks(several[kind]).items():
        assert found.summary(), name
        assert type(found).from_json(found.to_json()).summary() == found.summary()
        assert all(isinstance(table, pd.DataFrame) for table in found.tables().values())


def test_checks_start_from_the_same_evidence(result: SingleResult) -> None:
    evidence = result.evidence("CST_wo", ASKED)
    found = checks(result)
    refits = found["bootstrap"]
    np.testing.assert_allclose(refits.delta, evidence.delta, atol=1e-12)
    np.testing.assert_array_equal(refits.is_significant, evidence.is_significant)
    assert found["tornado"].observed.cases == result.evidence("CST_w", ASKED).is_case.sum()
    nothing = under_model(result, result.model, effect_scale=0.0)
    np.testing.assert_allclose(
        nothing.evidence("CST_wo", ASKED).delta, result.evidence("ST", ASKED).delta, atol=1e-12
    )
    assert balance(result, ASKED).summary()


def test_every_coefficient_of_log_odds_has_a_bar() -> None:
    result = cases.made_result(cases.made_model(*LOG_ODDS))
    found = tornado(result, settings=ASKED, workers=1)
    bars = {(bar.node, bar.term) for bar in found.bars}
    for node in ("employed", "school", "job"):
        assert {(node, name) for name in result.model.equation(node).coefficients} <= bars
    bar = next(bar for bar in found.bars if bar.term == "technician ~ school=low")
    moved = what_moves(result, bar.node, bar.term, bar.low)
    assert bar.at_low.significant == moved.evidence("CST_wo", ASKED).is_significant.sum()


def what_moves(result: SingleResult, node: str, term: str, value: float) -> SingleResult:
    """Return the test with one coefficient set by hand, the others as they were fitted."""
    equations = {
        name: replace(
            result.model.equation(name),
            coefficients={
                key: replace(
                    item,
                    source="by hand",
                    value=value if (name, key) == (node, term) else item.value,
                )
                for key, item in result.model.equation(name).coefficients.items()
            },
        )
        for name in result.model.mechanisms
    }
    return cases.made_result(replace(result.model.model, equations=equations))


def test_another_world_is_as_a_fresh_run(result: SingleResult) -> None:
    worlds = {
        "shares": cases.made_model(),
        "forgetful": cases.made_model(
            cst_core.Equation(node="job", mechanism="shares", coupling="independent")
        ),
        "log-odds": cases.made_model(*LOG_ODDS),
        "accepted": cases.made_model(accepted={("sex", "school"): "asked for by law"}),
    }
    found = in_worlds(result, worlds)
    for name, model in worlds.items():
        fresh = cases.made_result(model)
        for method in ("CST_wo", "CST_w", "CF"):
            pd.testing.assert_frame_equal(
                found[name].evidence(method, ASKED).to_frame(),
                fresh.evidence(method, ASKED).to_frame(),
            )
        assert set(found[name].notes) == set(fresh.notes)
    compared = rival_worlds(found, settings=ASKED)
    assert (
        compared.counts().loc["shares", "cases"] == result.evidence("CST_wo", ASKED).is_case.sum()
    )
    for name in ("forgetful", "log-odds"):
        why = disagreement(found["shares"], found[name], settings=ASKED, names=("shares", name))
        assert why.numbers()["changed"] >= 0


def test_a_person_and_what_if(result: SingleResult) -> None:
    evidence = result.evidence("CST_w", ASKED)
    for place in (0, 7, 31):
        person = result.index[place]
        case = explain_person(result, person, "CST_w", ASKED).cases[0]
        assert case.finding.delta == pytest.approx(evidence.delta[place])
        assert case.test.size == pytest.approx(ASKED.n_neighbours)
        same = what_if(case, {})
        for name in ("p_control", "p_test", "delta", "bound"):
            assert getattr(same.finding, name) == pytest.approx(getattr(case.finding, name))
        assert (same.test.weights > 0).all()
        moved = what_if(case, {"job": "clerk", "pay": 1.0})
        changed = result.dataset.frame.copy()
        changed.loc[person, ["job", "pay"]] = ["clerk", 1.0]
        assert moved.refused
        fitted = cases.made_result(data=cases.made(changed), model=result.model)  # type: ignore[arg-type]
        fresh = fitted.evidence("CST_w", ASKED)
        assert moved.finding.p_test == pytest.approx(fresh.p_test[place], abs=1e-9)
    with pytest.raises(CausalModelError, match=r"somebody has 'pilot'"):
        what_if(case, {"job": "pilot"})


def test_her_steps_lead_to_the_weights_of_the_oracle(result: SingleResult) -> None:
    slow = cases.made_oracle()
    nodes = {node.name: node for node in slow.nodes}
    for person in result.index[:12]:
        case = explain_person(result, person, "CST_wo", ASKED).cases[0]
        here, heaviest = slow.people[case.row], {**case.there, **slow.do}
        for step in case.steps:
            if not isinstance(step.arithmetic, LevelArithmetic):
                continue
            expected = dict.fromkeys(nodes[step.node].levels, 0.0)
            expected |= {
                level: weight for weight, level in slow.outcomes(nodes[step.node], here, heaviest)
            }
            assert step.arithmetic.weights == pytest.approx(list(expected.values()))
            assert step.kept == all(
                here[name] == heaviest[name] for name in nodes[step.node].parents
            )


def test_what_if_a_coefficient_of_log_odds_were_another() -> None:
    result = cases.made_result(cases.made_model(*LOG_ODDS))
    case = explain_person(result, result.index[3], "CST_wo", ASKED).cases[0]
    change = CoefficientChange(node="school", term="sex", value=-3.0)
    found = what_if(case, {}, change).finding
    fresh = what_moves(result, "school", "sex", -3.0).evidence("CST_wo", ASKED)
    assert found.delta == pytest.approx(fresh.delta[3])


# --------------------------------------------------------------------------- the command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the made table and a scenario of it with every kind of effect."""
    cases.people().rename_axis("id").to_csv(tmp_path / "people.csv")
    arrows = "".join(
        f"      - {{from: {cause}, to: {effect}}}\n"
        for cause, effect in cases.EDGES
        if (cause, effect) != ("sex", "school")
    )
    (tmp_path / "case.yaml").write_text(
        f"""
format: 1
name: made
data: {{file: people.csv}}
roles:
  id: id
  protected: [{{column: sex, protected: f, reference: m}}]
  relevant:
    - {{column: employed, kind: nominal}}
    - {{column: school, kind: ordinal, order: [low, middle, high]}}
    - {{column: job, kind: nominal}}
    - {{column: pay}}
decision_maker: {{type: threshold, weights: {{pay: 1}}, cutoff: 2.9}}
worlds:
  - name: chain
    nodes: [{{name: sex}}, {{name: employed}}, {{name: school}}, {{name: job}}, {{name: pay}}]
    edges:
{arrows}      - {{from: sex, to: school, accepted: asked for by law}}
    equations:
      - node: employed
        shares:
          - {{when: {{sex: f}}, shares: {{"yes": 0.4, "no": 0.6}}, note: census}}
      - {{node: job, mechanism: logit, coupling: independent}}
settings: {{k: [8]}}
""",
        encoding="utf-8",
    )
    return tmp_path


def cst(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["cst", *map(str, arguments)])
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_the_command_writes_all_of_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out"
    assert cst(monkeypatch, "audit", folder / "case.yaml", "--out", out) == 0
    capsys.readouterr()
    case = cst_core.load_scenario(folder / "case.yaml")
    result = case.run("sex")
    written = pd.read_csv(out / "sex_k8.csv", comment="#", index_col="id")
    expected = result.evidence("CST_wo", ASKED).to_frame()
    for name in ("delta", "coupling_lowest", "coupling_highest", "case_every_coupling"):
        (column,) = [
            one for one in written if one.endswith(f"CST_wo: {name}") or one == f"CST w/o: {name}"
        ]
        np.testing.assert_allclose(
            written[column].astype(float), expected[name].astype(float), atol=1e-9
        )
    again = cst_core.load_scenario(out / "scenario-used.yaml")
    pd.testing.assert_frame_equal(again.run("sex").evidence("CST_wo", ASKED).to_frame(), expected)
    assert write_scenario(again.scenario).count("asked for by law") == 1
    numbers = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert "sex → school: this influence is accepted" in " ".join(numbers["tests"][0]["notes"])
    states = pd.read_csv(out / "sex_states.csv", comment="#")
    np.testing.assert_allclose(states.groupby("id")["weight"].sum(), 1.0)
    terms = pd.read_csv(out / "sex_equations.csv", comment="#").set_index(["node", "term"])
    assert terms.loc[("employed", "yes | sex = f"), "value"] == 0.4
    assert terms.loc[("employed", "yes | sex = f"), "source"] == "by hand"
    assert terms.loc[("job", "technician ~ school=low"), "source"] == "fitted"


def test_the_command_tells_one_person(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = cst_core.load_scenario(folder / "case.yaml").run("sex")
    person, target = result.index[0], folder / "her.json"
    assert cst(monkeypatch, "person", folder / "case.yaml", person, "--json", target) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "sex → school: this influence is accepted as justified (asked for by law)" in said
    hers = json.loads(target.read_text(encoding="utf-8"))["attributes"][0]
    finding = hers["findings"]["CST_wo"]
    assert sum(state["weight"] for state in hers["states"]) == pytest.approx(1)
    assert {step["attribute"]: step["noise"] is None for step in hers["steps"]} == {
        "employed": True,
        "school": True,
        "job": True,
        "pay": False,
    }
    evidence = result.evidence("CST_wo", ASKED)
    assert finding["delta"] == pytest.approx(evidence.delta[0])
    assert finding["coupling_lowest"] == pytest.approx(evidence.coupling_lowest[0])


def test_the_described_groups_of_a_sample_are_those_of_its_evidence() -> None:
    case = cst_core.load_scenario("german-credit")
    result = case.open(world="savings and home as well").run("age")
    assert isinstance(result, SingleResult)
    assert_described_as_judged(result, cst_core.EvidenceSettings(n_neighbours=15))
