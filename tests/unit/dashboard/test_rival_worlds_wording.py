"""Sentences, tables, figures and offers of the page of rival worlds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from figure_checks import check

from cst_core.data import Dataset
from cst_core.evidence import EvidenceSettings
from cst_core.robustness import Disagreement, RivalWorlds, arrows
from cst_core.scenario import (
    CoefficientPart,
    EdgePart,
    EquationPart,
    NodePart,
    ProtectedPart,
    RelevantPart,
    as_roles,
)
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.pages.doubts.rival_worlds.figures import (
    counts_figure,
    flagged_figure,
    reasons_figure,
)
from dashboard.pages.doubts.rival_worlds.pair import stored_name
from dashboard.pages.doubts.rival_worlds.rivals import (
    arrow_rival,
    coupling_rival,
    log_rival,
    open_model,
    rank_rival,
)
from dashboard.pages.doubts.rival_worlds.words import (
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
from dashboard.shared.figure import Bars

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
        "Of 2 women, 1 are cases in both causal models, 1 in one only, and 0 in none."
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
        "significant",
        "significant",
        "to examine",
        "not possible",
    ]
    assert np.isnan(frame["Δp, one"].iloc[3])
    assert list(people_frame(THREE, np.ones(5, dtype=bool), ("two",)).columns) == [
        "id",
        "Δp, two",
        "verdict, two",
    ]


def test_who_changes_which_way() -> None:
    assert pair_sentence(THREE, "one", "two", significant=True) == (
        "The verdict of 2 people changes: 1 are significant cases in one only, 1 in two only. "
        "1 are in both."
    )
    same = worlds(a=[2, 0], b=[2, 1])
    assert "Nobody’s verdict changes" in pair_sentence(same, "a", "b", significant=True)


def report(**update: object) -> Disagreement:
    people = pd.Index(["P1", "P2", "P3"])
    columns = {"pay": [1, 1, 0], "age": [0, 1, 0], HOSTILE: [0, 0, 0]}
    found = Disagreement(
        one="a",
        two="b",
        method="CST_wo",
        settings=EvidenceSettings(),
        significant=True,
        index=people,
        was=np.array([False, True, False]),
        becomes=np.array([True, False, True]),
        turned_by=pd.DataFrame(columns, index=people).astype(bool),
        differences={"pay": ("x",), "age": ("y",), HOSTILE: ("z",), "loop": ("w",)},
        impossible={"loop": "it would close a cycle."},
    )
    return replace(found, **update)  # type: ignore[arg-type]


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
    none = report(index=pd.Index([]), turned_by=pd.DataFrame())
    assert reason_sentences(none) == ["Nobody’s verdict changes, so there is nothing to explain."]
    assert "same equations" in reason_sentences(report(differences={}))[0]


def test_each_pair_is_kept_under_a_name_of_its_own() -> None:
    names = {
        stored_name(*pair, significant=significant)
        for pair in (("a", "b"), ("b", "a"), ("a b", ""), ("a", "b" * 500))
        for significant in (True, False)
    }
    assert len(names) == 8
    assert max(map(len, names)) <= 200


def test_the_bars_are_the_counts_and_equal_names_stand_apart() -> None:
    many = worlds(**{f"{'long name ' * 9}{number}": [2, 1, 0] for number in range(6)})
    assert [place for place, _ in counts_figure(many).y.ticks] == list(range(6))
    check(
        counts_figure(many),
        counts_figure(THREE),
        flagged_figure(THREE, significant=True),
        reasons_figure(report()),
    )
    figure = counts_figure(THREE)
    both = [mark for mark in figure.marks if isinstance(mark, Bars)]
    assert [bars.pattern for bars in both] == ["", "/"]
    assert (both[0].at, both[0].size) == ((2, 1, 0), (2, 2, 1))
    assert (both[1].base, both[1].size) == ((2, 2, 1), (1, 0, 1))
    assert [words for _, words in figure.y.ticks][::-1] == list(THREE.names)
    found = flagged_figure(THREE, significant=True)
    (bars,) = found.marks
    assert isinstance(bars, Bars)
    words = dict(found.y.ticks)
    assert {words[at]: size for at, size in zip(bars.at, bars.size, strict=True)} == {
        "in all 3": 1,
        "in 2 of 3": 0,
        "in 1 of 3": 2,
    }


CASE = Draft(
    roles=DraftRoles(
        protected=(ProtectedPart(column="sex", protected="f", reference="m"),),
        relevant=tuple(RelevantPart(column=name) for name in ("pay", "saved", "age")),
    ),
    worlds=(
        DraftWorld(
            name="drawn",
            nodes=tuple(NodePart(name=name) for name in ("sex", "pay", "saved", "age", "decision")),
            edges=(
                EdgePart(cause="sex", effect="pay"),
                EdgePart(cause="pay", effect="saved"),
                EdgePart(cause="pay", effect="decision"),
            ),
            equations=(EquationPart(node="saved", bounds=(0, None)),),
        ),
    ),
    active="drawn",
)


def people(*positive: str) -> Dataset:
    """Return people whose numbers are above 0 in these columns only."""
    frame = pd.DataFrame({"sex": ["f", "m", "f", "m"]}, index=list("abcd"))
    for column in ("pay", "saved", "age"):
        frame[column] = np.arange(4.0) + (1 if column in positive else 0)
    return Dataset.from_frame(frame, as_roles(CASE.roles.complete()))


def test_the_usual_rivals() -> None:
    log = log_rival(CASE, people("pay", "age"))
    assert log is not None
    assert log.draft.active == "drawn"
    assert {item.node: item.link for item in log.draft.worlds[1].equations} == {
        "saved": "identity",  # a value not above 0
        "pay": "log",
    }
    assert log_rival(CASE, people("age")) is None  # it has no cause
    rank = rank_rival(CASE, people())
    assert rank is not None
    made = rank.draft.worlds[1]
    assert made.equation("pay").mechanism == "quantile"
    assert made.equation("saved").mechanism == "linear"  # no protected cause
    assert rank_rival(rank.draft.model_copy(update={"active": rank.name}), people()) is None
    assert coupling_rival(CASE, people()) is None  # nothing has levels
    assert arrows(open_model(CASE)) == (("sex", "pay"), ("pay", "saved"))
    fewer = arrow_rival(CASE, "pay", "saved")
    assert [(e.cause, e.effect) for e in fewer.draft.worlds[1].edges] == [
        ("sex", "pay"),
        ("pay", "decision"),
    ]


def test_levels_have_a_rival_of_their_own_and_keep_no_ranks() -> None:
    two = people().frame.assign(pay=[1.0, 2.0, 1.0, 2.0])
    frame = pd.concat([two] * 4).set_axis([f"p{i}" for i in range(16)])
    dataset = Dataset.from_frame(frame, as_roles(CASE.roles.complete()))
    assert rank_rival(CASE, dataset) is None
    rival = coupling_rival(CASE, dataset)
    assert rival is not None
    made = rival.draft.worlds[1]
    assert made.equation("pay").coupling == "independent"
    assert coupling_rival(rival.draft.model_copy(update={"active": rival.name}), dataset) is None


def test_what_a_rival_does_not_keep_is_said() -> None:
    by_hand = {
        "sex": CoefficientPart(value=-2.5, source="by hand"),
        "age": CoefficientPart(value=1.0),
    }
    pay = EquationPart(node="pay", coefficients=by_hand, interactions=(("sex", "age"),))
    aged = (*CASE.world.edges, EdgePart(cause="age", effect="pay"))
    world = CASE.world.model_copy(update={"equations": (pay,), "edges": aged})
    case = CASE.model_copy(update={"worlds": (world,)})
    log, rank = log_rival(case, people("pay")), rank_rival(case, people("pay"))
    assert log is not None
    assert log.words.endswith("Not kept: −2.5, set by hand in pay for sex = f, not sex = m.")
    assert log.draft.worlds[1].description == log.words
    assert not log.draft.worlds[1].equation("pay").coefficients
    assert rank is not None
    assert rank.words.endswith(
        "Not kept: −2.5, set by hand in pay for sex = f, not sex = m and the product sex × age in "
        "pay."
    )
    plain = log_rival(CASE, people("pay"))
    assert plain is not None
    assert "Not kept" not in plain.words


def test_ranks_that_are_kept_get_no_log_link() -> None:
    kept = EquationPart(node="pay", mechanism="quantile")
    world = CASE.world.model_copy(update={"equations": (kept,)})
    case = CASE.model_copy(update={"worlds": (world,)})
    both = log_rival(case, people("pay", "saved"))
    assert both is not None
    made = both.draft.worlds[1]
    assert (made.equation("pay").link, made.equation("pay").mechanism) == ("identity", "quantile")
    assert made.equation("saved").link == "log"
    assert log_rival(case, people("pay")) is None


def test_a_rival_that_is_there_already_is_recognised_and_names_stay_apart() -> None:
    first = rank_rival(CASE, people())
    assert first is not None
    assert first.same_as == ""
    again = rank_rival(first.draft, people())
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
