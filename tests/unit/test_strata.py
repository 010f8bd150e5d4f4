"""Labels dealt out among people alike in another attribute that causes what follows, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import cst_core
from cst_core import EvidenceSettings
from cst_core.explain import calibration_notes
from cst_core.results import SingleResult
from cst_core.robustness import placebo
from cst_core.robustness.permutation import Permuter
from cst_core.testing import Ask, Strata, calibrate
from cst_core.testing.deals import Permuted

K = 6
FEW = EvidenceSettings(n_neighbours=K, calibration="relabelling", relabellings=60)
COLUMNS = ("g", "h", "x", "refused")


def people(alike: float = 0.7, n: int = 160) -> pd.DataFrame:
    """Return people of whom two labels go together; the second one moves the attribute."""
    random = np.random.default_rng(3)
    g = random.random(n) < 0.4
    h = np.where(random.random(n) < alike, g, random.random(n) < 0.4)
    x = random.normal(0, 1, n) - 0.8 * h
    refused = x + random.normal(0, 0.5, n) < 0
    return pd.DataFrame(dict(zip(COLUMNS, (g * 1, h * 1, x, refused * 1), strict=True)))


def run_of(frame: pd.DataFrame, *, h_causes: bool = True) -> SingleResult:
    roles = cst_core.Roles(
        protected=tuple(
            cst_core.ProtectedAttribute(column=name, protected=1, reference=0) for name in "gh"
        ),
        relevant=(cst_core.RelevantAttribute(column="x"),),
        decision=cst_core.Decision(column="refused", negative=1),
    )
    edges = (("g", "x"), ("h", "x")) if h_causes else (("g", "x"),)
    graph = cst_core.CausalGraph(nodes=("g", "h", "x"), edges=edges, protected=("g", "h"))
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(graph=graph),
        attribute="g",
        search=cst_core.SearchSettings(max_neighbours=2 * K),
    )


def by_brute_force(frame: pd.DataFrame, order: NDArray[np.int64], row: int) -> float:
    """Return her Δp with others' labels dealt out: sorting and least squares only."""
    order = order.copy()
    partner = int(np.flatnonzero(order == row)[0])
    order[[partner, row]] = order[[row, partner]]  # she keeps her own label
    g, h = frame["g"].to_numpy()[order], frame["h"].to_numpy()
    x, refused = frame["x"].to_numpy(), frame["refused"].to_numpy()
    fitted = frame["g"].to_numpy()[_plain(order, row, partner)]
    design = np.column_stack([np.ones(len(x)), fitted, h])
    effect = np.linalg.lstsq(design, x, rcond=None)[0][1]
    others = np.setdiff1d(np.flatnonzero(g == 1), [row])
    control = others[np.argsort(np.abs(x[others] - x[row]), kind="stable")[:K]]
    outside = np.flatnonzero(g == 0)
    test = outside[np.argsort(np.abs(x[outside] - (x[row] - effect)), kind="stable")[:K]]
    return float(refused[control].mean() - refused[test].mean())


def _plain(order: NDArray[np.int64], row: int, partner: int) -> NDArray[np.int64]:
    """Return the deal as the equations are fitted to it: before the two labels were exchanged."""
    order = order.copy()
    order[[partner, row]] = order[[row, partner]]
    return order


def test_every_deal_is_what_brute_force_gives() -> None:
    frame = people()
    result = run_of(frame)
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=FEW)])
    dealer = Permuted.of(result, 0)
    assert found.within == dealer.within == ("h",)
    observed = result.evidence("CST_wo", FEW.uncalibrated).delta
    for place in (0, 7, 30):
        row = int(np.flatnonzero(result.is_protected)[place])
        deals = [dealer.deal(number).order for number in range(found.drawn[place])]
        null = np.array([by_brute_force(frame, deal, row) for deal in deals if deal is not None])
        assert found.reached[place] == (null >= observed[place] - 1e-9).sum()
        np.testing.assert_allclose(found.mean[place], null[:60].mean(), atol=1e-12)


def test_labels_stay_within_their_stratum_and_every_order_comes() -> None:
    frame = people()
    strata = Strata.of(run_of(frame), ["g"])
    h, before = frame["h"].to_numpy(), pd.crosstab(frame["g"], frame["h"])
    for number in range(20):
        order = strata.permutation(np.random.default_rng(number))
        assert sorted(order) == list(range(len(frame)))
        assert (h[order] == h).all()
        dealt = pd.crosstab(frame["g"].to_numpy()[order], h)
        assert (dealt.to_numpy() == before.to_numpy()).all()
    small = Strata(names=("h",), of_row=np.array([1, 0, 1, 0, 1]))
    random = np.random.default_rng(0)
    seen = [tuple(small.permutation(random).tolist()) for _ in range(2_400)]
    orders, counts = np.unique(seen, axis=0, return_counts=True)
    assert len(orders) == 12  # 3! times 2!
    assert counts.min() > 140  # 200 expected, 13.5 their spread
    assert counts.max() < 260


def test_with_nothing_beside_the_label_everyone_may_change_with_everyone() -> None:
    alone = run_of(people(), h_causes=False)
    strata = Strata.of(alone, ["g"])
    assert strata.names == ()
    assert strata.notes(alone) == ()
    order = strata.permutation(np.random.default_rng(5))
    assert (order == np.random.default_rng(5).permutation(len(order))).all()
    both = Strata.of(run_of(people()), ["g", "h"])  # dealt out together, as in a multiple test
    assert both.names == ()


def test_what_is_compared_or_follows_is_no_stratum() -> None:
    law = cst_core.load_scenario("law-school").run("gender")
    assert Strata.of(law, ["gender"]).names == ("race",)
    frame = people()
    result = run_of(frame)
    roles = result.dataset.roles
    compared = replace(
        roles,
        protected=roles.protected[:1],
        relevant=(*roles.relevant, cst_core.RelevantAttribute(column="h")),
    )
    dataset = cst_core.Dataset.from_frame(frame, compared)
    assert Strata.of(replace(result, dataset=dataset), ["g"]).names == ()


def test_a_number_is_taken_in_bands() -> None:
    frame = people().assign(h=np.arange(160) % 97)
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="g", protected=1, reference=0),),
        relevant=(cst_core.RelevantAttribute(column="x"),),
        decision=cst_core.Decision(column="refused", negative=1),
        context=(cst_core.ContextAttribute(column="h"),),
    )
    graph = cst_core.CausalGraph(
        nodes=("g", "h", "x"), edges=(("g", "x"), ("h", "x")), protected=("g",)
    )
    result = cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(graph=graph),
        attribute="g",
        search=cst_core.SearchSettings(max_neighbours=K),
    )
    strata = Strata.of(result, ["g"])
    assert strata.names == ("h (in 10 bands)",)
    sizes = np.bincount(strata.of_row)
    assert len(sizes) == 10
    assert sizes.min() >= 14
    for band in range(9):  # bands are in order
        inside, above = (frame["h"][strata.of_row == one] for one in (band, band + 1))
        assert inside.max() < above.min()


@pytest.mark.parametrize(
    ("alike", "says"),
    [
        (0.3, "means anything beyond h."),
        (0.95, "times less often than among all people: little can be told apart"),
        (1.0, "They go together entirely: no label can change hands"),
    ],
)
def test_how_closely_labels_go_together_is_said(alike: float, says: str) -> None:
    result = run_of(people(min(alike, 0.95)))
    if alike == 1.0:  # no equation could be fitted to it, unless its effects are set by hand
        frame = result.dataset.frame.assign(h=result.dataset.frame["g"])
        result = replace(result, dataset=replace(result.dataset, frame=frame))
    (note,) = Strata.of(result, ["g"]).notes(result)
    assert note.startswith("g: the causal model has h as a cause of what follows, too.")
    assert says in note


def test_words_and_counts_say_among_whom() -> None:
    result = run_of(people())
    settings = replace(FEW, relabellings=20)
    result.evidence("CST_wo", settings)
    said = " ".join(calibration_notes(result, ("CST_wo",), settings))
    assert "among everyone else of the same h and the causal model" in said
    assert "also among people of the same h; not by which way" in said
    counted = placebo(result, settings=settings.uncalibrated, repeats=9, seed=1)
    assert counted.of("CST_wo", K).within == ("h",)
    assert counted.of("ST", K).within == ()
    assert any("only among people of the same h" in note for note in counted.notes)
    assert "dealt out at random 9 times among people of the same h" in " ".join(
        counted.of("CST_wo", K).summary()
    )
    permuter = Permuter.of(result, max_neighbours=K, decides=False)
    again = permuter.rerun(
        permuter.strata.permutation(np.random.default_rng(1)), None, lambda: True
    )
    dealt, before = (
        pd.crosstab(one.runs[0].dataset.frame["g"], one.runs[0].dataset.frame["h"])
        for one in (again, result)
    )
    assert (dealt.to_numpy() == before.to_numpy()).all()
