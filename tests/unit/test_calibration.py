"""Calibrated verdicts: against brute force, the same again, and in every kind of test."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core.cli import main
from cst_core.errors import CancelledError, SettingsError
from cst_core.evidence import PRESETS, EvidenceSettings
from cst_core.explain import calibration_notes, drawn_sentence, explain_person
from cst_core.explain.calibration_sentences import resolution_note
from cst_core.results import BINS, Calibration, SingleResult
from cst_core.testing import Ask, KeepingCalibrator, Redrawn, calibrate
from cst_core.testing.calibration import EXPLAINED, MORE, NEAR, ROOM
from cst_core.testing.deals import Permuted

K = 7
FEW = EvidenceSettings(n_neighbours=K, calibration="relabelling", relabellings=40)


def people(n: int = 150, seed: int = 3, *, direct: float = 0.0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    group = np.where(random.random(n) < 0.3, "p", "r")
    x1 = random.normal(0, 1, n) - 0.6 * (group == "p")
    x2 = 0.5 * x1 + random.normal(0, 1, n)
    refused = random.random(n) < 1 / (1 + np.exp(1.5 * (x1 + x2 - direct * (group == "p"))))
    return pd.DataFrame(
        {"g": group, "x1": x1, "x2": x2, "y": np.where(refused, "no", "yes")},
        index=[f"P{i}" for i in range(n)],
    )


def run_of(frame: pd.DataFrame, edges: tuple[tuple[str, str], ...] | None = None) -> SingleResult:
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="g", protected="p"),),
        relevant=(
            cst_core.RelevantAttribute(column="x1"),
            cst_core.RelevantAttribute(column="x2"),
        ),
        decision=cst_core.Decision(column="y", negative="no"),
    )
    drawn = (("g", "x1"), ("g", "x2"), ("x1", "x2")) if edges is None else edges
    graph = cst_core.CausalGraph(nodes=("g", "x1", "x2"), edges=drawn, protected=("g",))
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles), cst_core.CausalModel(graph=graph), attribute="g"
    )


def by_brute_force(frame: pd.DataFrame, order: np.ndarray, row: int, k: int) -> float:
    """Return her Δp when others have the labels of `order`; numpy's least squares, sorted lists."""
    dealt = frame["g"].to_numpy()[order]
    x = frame[["x1", "x2"]].to_numpy()
    spans = np.ptp(x, axis=0)
    label = (dealt == "p").astype(float)
    ones = np.ones(len(x))
    first = np.linalg.lstsq(np.c_[ones, label], x[:, 0], rcond=None)[0]
    second = np.linalg.lstsq(np.c_[ones, label, x[:, 0]], x[:, 1], rcond=None)[0]
    there = x[row] - [first[1], second[1] + second[2] * first[1]]
    labels = dealt.copy()
    partner = int(np.flatnonzero(order == row)[0])
    labels[partner], labels[row] = labels[row], labels[partner]
    assert labels[row] == "p"
    refused = (frame["y"] == "no").to_numpy()
    control = [i for i in np.flatnonzero(labels == "p") if i != row]
    test = np.flatnonzero(labels == "r")
    far = (np.abs(x[control] - x[row]) / spans).mean(axis=1)
    far_there = (np.abs(x[test] - there) / spans).mean(axis=1)
    return (
        refused[np.array(control)[np.argsort(far)[:k]]].mean()
        - refused[test[np.argsort(far_there)[:k]]].mean()
    )


def test_every_deal_is_what_brute_force_gives() -> None:
    frame = people()
    result = run_of(frame)
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=FEW)])
    dealer = Permuted.of(result, 0)
    evidence = result.evidence("CST_wo", replace(FEW, calibration="none"))
    for place in (0, 5, 17):
        row = int(np.flatnonzero(result.is_protected)[place])
        deals = [dealer.deal(number).order for number in range(found.drawn[place])]
        null = np.array([by_brute_force(frame, order, row, K) for order in deals])
        assert found.reached[place] == (null >= evidence.delta[place] - 1e-9).sum()
        np.testing.assert_allclose(found.mean[place], null[:40].mean(), atol=1e-12)
        np.testing.assert_allclose(found.spread[place], null[:40].std(), atol=1e-9)
        step = 2 / (BINS - 1)
        near = np.rint((null[:40] + 1) / step).astype(int)
        assert found.histogram[place].tolist() == np.bincount(near, minlength=BINS).tolist()


def test_deals_with_an_empty_group_have_no_difference_to_draw() -> None:
    """Near enough is nobody in many deals: such a deal reaches nothing and is not drawn at −1."""
    whole = run_of(people())
    near = cst_core.run_single(
        whole.dataset,
        whole.model.model,
        attribute="g",
        search=cst_core.SearchSettings(max_distance=0.02),
    )
    (found,) = calibrate(near, [Ask(method="CST_wo", settings=FEW)])
    counted = found.histogram.sum(axis=1)
    first = np.minimum(found.drawn, 40)
    assert (counted < first).any()
    assert (counted > 0).any()
    steps = np.linspace(-1, 1, BINS)
    for place in np.flatnonzero(counted):
        drawn = np.repeat(steps, found.histogram[place])
        assert found.mean[place] == pytest.approx(drawn.mean(), abs=2 / BINS)
        assert found.shown(int(place)) == (first[place], counted[place])
    assert np.isnan(found.mean[counted == 0]).all()
    again = Calibration.from_json(found.to_json())
    np.testing.assert_array_equal(again.mean, found.mean)
    has = near.evidence("CST_wo", FEW.uncalibrated).has_evidence
    place = int(np.flatnonzero(has & (counted < first))[0])
    strict = replace(FEW, interval="agresti-caffo")
    case = explain_person(near, near.index[place], "CST_wo", strict).cases[0]
    missing = first[place] - counted[place]
    assert f"but for {missing:,} in which one of the groups is empty" in drawn_sentence(case)


def test_as_many_worlds_are_said_to_be_drawn_as_are() -> None:
    settings = replace(FEW, relabellings=299)
    result = run_of(people(direct=2.5))
    found = result.evidence("CST_wo", settings)
    known = result.calibration("CST_wo", settings)
    assert known is not None
    for drawn, said in (
        (29, "Drawn: these 29 worlds."),
        (299, "Drawn: these 299 worlds."),
        (MORE * 300 - 1, "Drawn: the first 299 of these worlds."),
    ):
        who = found.index[np.flatnonzero(known.drawn == drawn)[0]]
        assert drawn_sentence(explain_person(result, who, "CST_wo", settings).cases[0]) == said
    (note,) = calibration_notes(result, ("CST_wo",), settings)
    assert "whom chance explains easily: a tenth as many; people near the line: ten times" in note


def test_people_near_the_line_have_more_deals_and_no_one_else() -> None:
    result = run_of(people(direct=2.5))
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=FEW)])
    more = found.drawn > 40
    assert set(found.drawn[more]) == {MORE * 41 - 1}
    assert more.any()
    assert not more.all()
    first = run_of(people(direct=2.5))
    (short,) = calibrate(first, [Ask(method="CST_wo", settings=FEW)])
    assert (short.reached[~more] >= 0).all()
    assert (found.reached[more] < NEAR * MORE * 3).all()


def test_whom_chance_explains_easily_has_a_tenth_of_the_deals() -> None:
    settings = replace(FEW, relabellings=299)
    result = run_of(people(direct=2.5))
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=settings)])
    assert set(found.drawn) == {29, 299, MORE * 300 - 1}
    explained = found.drawn == 29
    assert (found.p_value[explained] > EXPLAINED).all()
    np.testing.assert_array_equal(found.histogram.sum(axis=1), np.where(explained, 29, 299))
    # the deals are the first of those that others have
    (whole,) = calibrate(result, [Ask(method="CST_wo", settings=replace(FEW, relabellings=29))])
    np.testing.assert_array_equal(found.reached[explained], whole.reached[explained])


def test_the_same_seed_gives_the_same_and_questions_share_deals() -> None:
    result = run_of(people())
    asked = [
        Ask(method=method, settings=replace(FEW, n_neighbours=k))
        for method in ("CST_wo", "ST")
        for k in (3, K)
    ]
    together = calibrate(result, asked)
    for ask, found in zip(asked, together, strict=True):
        (alone,) = calibrate(run_of(people()), [ask])
        np.testing.assert_array_equal(found.mean, alone.mean)
        np.testing.assert_array_equal(found.histogram, alone.histogram)
        np.testing.assert_array_equal(found.drawn, alone.drawn)
        np.testing.assert_array_equal(found.reached, alone.reached)
    (other,) = calibrate(result, [Ask(method="CST_wo", settings=replace(FEW, relabelling_seed=1))])
    assert (other.mean != together[1].mean).any()


def test_the_order_of_rows_and_units_do_not_matter_to_the_p_value_as_such() -> None:
    frame = people()
    scaled = frame.assign(x1=frame["x1"] * 1000 + 5)
    (ours,) = calibrate(run_of(frame), [Ask(method="CST_wo", settings=FEW)])
    (other,) = calibrate(run_of(scaled), [Ask(method="CST_wo", settings=FEW)])
    np.testing.assert_array_equal(ours.reached, other.reached)


def test_situation_testing_redraws_labels_by_fitted_chances() -> None:
    result = run_of(people())
    st, cst = calibrate(
        result, [Ask(method="ST", settings=FEW), Ask(method="CST_wo", settings=FEW)]
    )
    assert (st.null, cst.null) == ("conditional", "permutation")
    assert "Hosmer" in st.notes[0]
    still = run_of(people(), edges=(("x1", "x2"),))  # nothing follows from the label
    (direct,) = calibrate(still, [Ask(method="CST_wo", settings=FEW)])
    assert direct.null == "conditional"
    graph = still.model.model.graph
    reasons = {("g", "x1"): "A reason.", ("g", "x2"): "Another."}
    drawn = replace(graph, edges=(("g", "x1"), ("g", "x2"), ("x1", "x2")), accepted=reasons)
    accepted = cst_core.run_single(still.dataset, cst_core.CausalModel(graph=drawn), attribute="g")
    (same,) = calibrate(accepted, [Ask(method="CST_wo", settings=FEW)])
    assert same.null == "conditional"
    np.testing.assert_array_equal(same.reached, direct.reached)


def test_fitted_chances_are_those_of_the_label() -> None:
    result = run_of(people(2000))
    drawn = Redrawn.of(result, seed=0)
    shares = np.mean([(drawn.deal(i).labels == 1) for i in range(200)], axis=0)
    assert abs(shares.mean() - result.is_protected.mean()) < 0.01
    low, high = np.argsort(drawn.chance)[:200], np.argsort(drawn.chance)[-200:]
    assert result.is_protected[low].mean() < result.is_protected[high].mean()
    np.testing.assert_allclose(shares[low].mean(), drawn.chance[low].mean(), atol=0.02)


def test_a_calibrated_p_value_is_never_below_either_part() -> None:
    result = run_of(people(direct=2.5))
    plain = EvidenceSettings(n_neighbours=K, interval="agresti-caffo", correction="bh")
    settings = replace(plain, calibration="relabelling", relabellings=99)
    ours, other = (result.evidence("CST_wo", one) for one in (settings, plain))
    assert ours.calibrated_p is not None
    np.testing.assert_array_equal(ours.p_value, np.maximum(other.p_value, ours.calibrated_p))
    assert (ours.is_significant <= other.is_significant).all()
    assert ours.is_significant.any()
    assert "calibrated_p" in ours.to_frame()
    known = result.calibration("CST_wo", settings)
    assert known is not None
    again = Calibration.from_json(known.to_json())
    np.testing.assert_array_equal(again.p_value, known.p_value)


@pytest.mark.parametrize("test", ["gender", "multiple", "intersectional"])
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_every_kind_of_test_can_be_calibrated(test: str) -> None:
    case = cst_core.load_scenario("law-school")
    result = case.run(test)
    strict = {"calibration": "relabelling", "relabellings": 19, "interval": "agresti-caffo"}
    settings = EvidenceSettings(n_neighbours=15, correction="bh", **strict)
    plain = replace(settings, calibration="none")
    for method in ("CST_wo", "CST_w", "CF"):
        found = result.evidence(method, settings)
        assert (found.is_significant <= result.evidence(method, plain).is_significant).all()


@pytest.mark.slow
def test_effects_with_levels_can_be_calibrated() -> None:
    result = cst_core.load_scenario("berkeley").run("gender")
    settings = EvidenceSettings(n_neighbours=15, calibration="relabelling", relabellings=19)
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=settings)])
    assert set(found.drawn) <= {19, MORE * 20 - 1}
    assert abs(found.mean.mean()) < 0.05


def test_who_is_left_out_of_her_own_test_group_where_effects_have_levels() -> None:
    """A woman dealt a man's label must not be among the men she is compared with."""
    result = cst_core.load_scenario("berkeley").run("gender")
    settings = EvidenceSettings(n_neighbours=1, calibration="relabelling", relabellings=19)
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=settings)])
    assert np.isfinite(found.mean).all()


def test_stopping_and_what_cannot_be() -> None:
    result = run_of(people())
    with pytest.raises(CancelledError, match="deals"):
        calibrate(result, [Ask(method="CST_wo", settings=FEW)], progress=lambda *_: False)
    by_row = replace(result, search=replace(result.search, ties="last"))
    with pytest.raises(SettingsError, match="order of rows"):
        calibrate(by_row, [Ask(method="CST_wo", settings=FEW)])
    with pytest.raises(SettingsError, match="relabellings"):
        EvidenceSettings(relabellings=5)


def test_strict_is_calibrated_and_no_other_preset_is() -> None:
    calibrated = {name for name, one in PRESETS.items() if one.fixed["calibration"] != "none"}
    assert calibrated == {"strict"}


def test_the_command_says_what_was_dealt_out_and_writes_it(monkeypatch, capsys) -> None:
    def cst(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["cst", *words])
        with warnings.catch_warnings(), pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 0
        return capsys.readouterr().out

    flags = ("--k", "15", "--calibration", "relabelling", "--relabellings", "19")
    content = json.loads(cst("audit", "loan", *flags, "--json", "-"))
    assert content["settings"]["calibration"] == "relabelling"
    (test,) = content["tests"]
    assert any("dealt out at random" in note for note in test["notes"])
    row = next(item for item in test["results"] if item["method"] == "CST_wo")
    assert row["significant"] == len(row["significant_people"]["calibrated_p"])
    said = cst("person", "loan", "L0015", *flags)
    assert "a difference like this one" in " ".join(said.split())


def test_what_is_kept_in_memory_is_bounded_and_never_of_the_settings_in_use() -> None:
    result = run_of(people())
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=FEW)])
    keeper = KeepingCalibrator(computes=False)
    for seed in range(ROOM + 20):
        keeper.keep(result, replace(FEW, relabelling_seed=seed), found)
    assert len(keeper._kept) == ROOM
    last = replace(FEW, relabelling_seed=ROOM + 19)
    assert keeper.known(result, "CST_wo", last) is not None
    assert keeper.known(result, "CST_wo", replace(FEW, relabelling_seed=0)) is None
    for k in range(1, ROOM + 20):  # every k of one group of settings is needed together
        keeper.keep(result, replace(last, n_neighbours=k), found)
    every = [replace(last, n_neighbours=k) for k in range(1, ROOM + 20)]
    assert all(keeper.known(result, "CST_wo", one) is not None for one in every)
    assert len(keeper._kept) == len(every)


def test_too_few_deals_to_tell_is_said_where_people_are_rarer_than_these() -> None:
    result = run_of(people())
    settings = replace(FEW, correction="bh", interval="exact-ratio")
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=settings)])
    tested = np.ones(len(found.drawn), dtype=bool)
    drawn = np.full(len(tested), 99)
    reached = np.full(len(tested), 50)
    needed = int(np.ceil(len(tested) * 0.01 / settings.significance_level))
    assert needed > 1
    for rarest in (0, 1, needed - 1, needed):
        reached[:rarest] = 0
        one = replace(found, drawn=drawn, reached=reached.copy())
        said = resolution_note(one, tested, settings)
        assert (said is not None) == (0 < rarest < needed)
    assert resolution_note(found, tested, replace(settings, correction="none")) is None
