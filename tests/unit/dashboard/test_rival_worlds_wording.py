"""Sentences, tables, figures and offers of the page of rival worlds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from cst_core.evidence.settings import EvidenceSettings
from cst_core.robustness.rival_worlds import RivalWorlds
from cst_core.scenario.document import (
    CoefficientPart,
    EdgePart,
    EquationPart,
    NodePart,
    ProtectedPart,
    RelevantPart,
)
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.robustness.worlds_figures import counts_figure, flagged_figure, reasons_figure
from dashboard.robustness.worlds_reasons import ReasonsReport, report_name
from dashboard.robustness.worlds_rivals import arrow_rival, arrows, log_rival, rank_rival
from dashboard.robustness.worlds_wording import (
    ONLY_TOGETHER,
    agreement_table,
    because_words,
    counts_table,
    headline,
    pair_sentence,
    people_frame,
    reason_counts,
    reason_sentences,
)
from dashboard.style import DARK, LIGHT

HOSTILE = "<img src=x>"


def worlds(**significant: list[int]) -> RivalWorlds:
    """Return worlds from who is significant in each; everyone with a number is a case."""
    n = len(next(iter(significant.values())))
    evidence: dict[str, Any] = {
        name: SimpleNamespace(
            is_significant=np.array(values) == 2,
            is_case=np.array(values) >= 1,
            has_evidence=np.array(values) >= 0,
            delta=np.array(values) / 4,
        )
        for name, values in significant.items()
    }
    return RivalWorlds(
        method="CST_wo",
        settings=EvidenceSettings(n_neighbours=5),
        index=pd.Index([f"P{row}" for row in range(n)]),
        evidence=evidence,
        results={},
    )


THREE = worlds(one=[2, 2, 1, 0, -1], two=[2, 0, 2, 0, 0], **{HOSTILE: [2, 1, 0, 0, 0]})


def test_the_headline_counts_all_some_and_none() -> None:
    assert headline(THREE, "women", significant=True) == (
        "Of 5 women, 1 are significant cases in each of the 3 causal models, 2 in some only, and "
        "2 in none."
    )
    assert headline(worlds(a=[2, 0], b=[2, 1]), "women", significant=False) == (
        "Of 2 women, 1 are potential cases in both causal models, 1 in one only, and 0 in none."
    )


def test_the_tables_say_the_counts_and_escape_names() -> None:
    shown = counts_table(THREE, "one")
    assert HOSTILE not in shown
    assert "&lt;img src=x&gt;" in shown
    assert shown.count("(open)") == 1
    assert "3 (60.0 %)" in shown  # cases in the first
    matrix = agreement_table(THREE, significant=True)
    assert HOSTILE not in matrix
    assert matrix.count("<b>60.0 %</b> <small>2 differ</small>") == 2  # one and two, both ways
    assert matrix.count("<b>80.0 %</b> <small>1 differ</small>") == 4
    assert matrix.count('class="own"') == 3


def test_people_are_ordered_by_their_difference() -> None:
    frame = people_frame(THREE, np.array([True, True, True, False, True]))
    assert frame["id"].tolist() == ["P0", "P1", "P2", "P4"]
    assert frame["verdict, one"].tolist() == [
        "significant", "significant", "potential", "not possible",
    ]  # fmt: skip
    assert np.isnan(frame["Δp, one"].iloc[3])
    assert list(people_frame(THREE, np.ones(5, dtype=bool), ("two",)).columns) == [
        "id", "Δp, two", "verdict, two",
    ]  # fmt: skip


def test_who_changes_which_way() -> None:
    assert pair_sentence(THREE, "one", "two", significant=True) == (
        "The verdict of 2 people changes: 1 are significant cases in one only, 1 in two only. "
        "1 are in both."
    )
    same = worlds(a=[2, 0], b=[2, 1])
    assert "Nobody’s verdict changes" in pair_sentence(same, "a", "b", significant=True)


def report(**update: object) -> ReasonsReport:
    fields: dict[str, Any] = {
        "one": "a", "two": "b", "method": "CST_wo", "significant": True,
        "people": ("P1", "P2", "P3"), "becomes": (True, False, True),
        "because": (("pay",), ("pay", "age"), ()),
        "differences": {"pay": ("x",), "age": ("y",), HOSTILE: ("z",), "loop": ("w",)},
        "impossible": {"loop": "it would close a cycle."},
    }  # fmt: skip
    return ReasonsReport(**(fields | update))


def test_reasons_in_sentences() -> None:
    assert reason_counts(report()) == {"pay": 2, "age": 1, HOSTILE: 0, ONLY_TOGETHER: 1}
    said = reason_sentences(report())
    assert said[0] == (
        "Taking only the equation of pay (its arrows included) from b into a turns the verdict of "
        "2 of these 3."
    )
    assert "For 1 of them more than one equation would do it alone." in said
    assert "For 1 no equation does it alone, only several together." in said
    assert said[-1] == "loop cannot be taken over alone: it would close a cycle."
    assert because_words(("pay", "age")) == "pay and age"
    assert because_words(()) == ONLY_TOGETHER
    none = report(people=(), becomes=(), because=())
    assert reason_sentences(none) == ["Nobody’s verdict changes, so there is nothing to explain."]
    assert "same equations" in reason_sentences(report(differences={}))[0]


def test_each_pair_is_kept_under_a_name_of_its_own() -> None:
    names = {
        report_name(*pair, significant=significant)
        for pair in (("a", "b"), ("b", "a"), ("a b", ""), ("a", "b" * 500))
        for significant in (True, False)
    }
    assert len(names) == 8
    assert max(map(len, names)) <= 200


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_plotly_accepts_every_figure_and_nothing_rests_on_colour(palette) -> None:
    many = worlds(**{f"{'long name ' * 9}{number}": [2, 1, 0] for number in range(6)})
    for figure in (
        counts_figure(THREE, palette),
        counts_figure(many, palette),
        flagged_figure(THREE, palette, significant=True),
        reasons_figure(report(), palette),
    ):
        checked = go.Figure(figure)
        assert checked.layout.font.color == palette.text
        for bars in checked.data:
            assert len(set(bars.y)) == len(bars.y)  # equal names would lie over each other
            assert not any("<img" in name for name in bars.y)
    both = go.Figure(counts_figure(THREE, palette)).data
    assert [bars.marker.pattern.shape for bars in both] == ["", "/"]
    assert both[0].x.tolist() == [1, 2, 2]  # from below: the last world first
    assert both[1].x.tolist() == [1, 0, 1]
    found = go.Figure(flagged_figure(THREE, palette, significant=True)).data[0]
    assert dict(zip(found.y, found.x, strict=True)) == {
        "in all 3": 1, "in 2 of 3": 0, "in 1 of 3": 2,
    }  # fmt: skip


CASE = Draft(
    roles=DraftRoles(
        protected=(ProtectedPart(column="sex", protected="f", reference="m"),),
        relevant=tuple(RelevantPart(column=name) for name in ("pay", "saved", "age")),
    ),
    worlds=(
        DraftWorld(
            name="drawn",
            nodes=tuple(NodePart(name=name) for name in ("sex", "pay", "saved", "age")),
            edges=(
                EdgePart(cause="sex", effect="pay"),
                EdgePart(cause="pay", effect="saved"),
                EdgePart(cause="pay", effect="decision"),
            ),
            equations=(EquationPart(node="saved", bounds=(0, None)),),
        ),
    ),
    active="drawn",
)  # fmt: skip


def test_the_usual_rivals() -> None:
    log = log_rival(CASE, {"pay", "age"})
    assert log is not None
    assert log.draft.active == "drawn"
    assert {item.node: item.link for item in log.draft.worlds[1].equations} == {
        "saved": "identity",  # a value not above 0
        "pay": "log",
    }
    assert log_rival(CASE, {"age"}) is None  # it has no cause
    rank = rank_rival(CASE)
    assert rank is not None
    made = rank.draft.worlds[1]
    assert made.equation("pay").mechanism == "quantile"
    assert made.equation("saved").mechanism == "linear"  # no protected cause
    assert rank_rival(rank.draft.model_copy(update={"active": rank.name})) is None
    assert arrows(CASE) == [("sex", "pay"), ("pay", "saved")]
    fewer = arrow_rival(CASE, "pay", "saved")
    assert [(e.cause, e.effect) for e in fewer.draft.worlds[1].edges] == [
        ("sex", "pay"), ("pay", "decision"),
    ]  # fmt: skip


def test_what_a_rival_does_not_keep_is_said() -> None:
    by_hand = {
        "sex": CoefficientPart(value=-2.5, source="by hand"),
        "age": CoefficientPart(value=1.0),
    }
    pay = EquationPart(node="pay", coefficients=by_hand, interactions=(("sex", "age"),))
    aged = (*CASE.world.edges, EdgePart(cause="age", effect="pay"))
    world = CASE.world.model_copy(update={"equations": (pay,), "edges": aged})
    case = CASE.model_copy(update={"worlds": (world,)})
    log, rank = log_rival(case, {"pay"}), rank_rival(case)
    assert log is not None
    assert log.words.endswith("Not kept: −2.5, set by hand in pay for sex = f, not sex = m.")
    assert log.draft.worlds[1].description == log.words
    assert not log.draft.worlds[1].equation("pay").coefficients
    assert rank is not None
    assert rank.words.endswith(
        "Not kept: −2.5, set by hand in pay for sex = f, not sex = m and the product sex × age in "
        "pay."
    )
    plain = log_rival(CASE, {"pay"})
    assert plain is not None
    assert "Not kept" not in plain.words


def test_ranks_that_are_kept_get_no_log_link() -> None:
    kept = EquationPart(node="pay", mechanism="quantile")
    world = CASE.world.model_copy(update={"equations": (kept,)})
    case = CASE.model_copy(update={"worlds": (world,)})
    both = log_rival(case, {"pay", "saved"})
    assert both is not None
    made = both.draft.worlds[1]
    assert (made.equation("pay").link, made.equation("pay").mechanism) == ("identity", "quantile")
    assert made.equation("saved").link == "log"
    assert log_rival(case, {"pay"}) is None


def test_a_rival_that_is_there_already_is_recognised_and_names_stay_apart() -> None:
    first = rank_rival(CASE)
    assert first is not None
    assert first.same_as == ""
    again = rank_rival(first.draft)
    assert again is not None
    assert again.same_as == first.name
    assert again.name == f"{first.name} 2"
    long = CASE.model_copy(
        update={
            "worlds": (CASE.world.model_copy(update={"name": "x" * 80}),),
            "active": "x" * 80,
        }
    )
    rival = arrow_rival(long, "sex", "pay")
    assert len(rival.name) <= 80
