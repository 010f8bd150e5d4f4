"""How firm the evidence is, in words and pictures: rules that the sentences keep."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from figure_checks import check

from cst_core import EvidenceSettings
from cst_core.robustness import (
    CHECKS,
    FIRM,
    ArrowsAccepted,
    ArrowStrength,
    Balance,
    Beside,
    Bootstrap,
    Check,
    CheckResult,
    Confounding,
    OtherDistances,
    Placebo,
    PlaceboCounts,
    StandingCount,
    Tipping,
    Tornado,
)
from cst_core.robustness.tornado import Outcome, TornadoBar
from cst_core.similarity import Radii
from dashboard.draft.document import Draft
from dashboard.frame.computations.source import changes, stale_sentence
from dashboard.frame.computations.stored import StoredResult
from dashboard.pages.doubts.robustness import sections
from dashboard.pages.doubts.robustness.figures import (
    BARS,
    FIGURES,
    bootstrap_figure,
    confounding_figure,
    distances_figure,
    placebo_figure,
    standing_figure,
    tipping_figure,
    tornado_figure,
)
from dashboard.shared.figure import Bars, Figure, Line
from dashboard.shared.robustness_words import balance_sentences, balance_table, standing_headline

CHOICE: Any = SimpleNamespace(test="race")
COMMON: dict[str, Any] = {"name": "race", "method": "CST_wo", "settings": EvidenceSettings()}
PEOPLE = pd.Index(list("abcd"))
NO, NAN = np.zeros(4, dtype=bool), np.full(4, np.nan)


def placebo(observed: int, drawn: tuple[int, ...]) -> Placebo:
    counts = PlaceboCounts(
        method="CST_wo",
        settings=EvidenceSettings(),
        observed_cases=observed,
        observed_significant=observed,
        cases=np.array(drawn),
        significant=np.array(drawn),
    )
    return Placebo(
        name="race",
        permuted=("race",),
        repeats=len(drawn),
        seed=7,
        n_complainants=4,
        n_evaluated=4,
        counts=(counts,),
        notes=(),
    )


BOOTSTRAP = Bootstrap(
    **COMMON,
    seed=7,
    n_refits=20,
    n_failed=1,
    index=PEOPLE,
    n_complainants=4,
    is_case=np.array([True, True, True, False]),
    is_significant=np.array([True, True, False, False]),
    delta=NAN,
    share_case=np.array([1.0, 0.9, 0.5, 0.0]),
    share_significant=np.array([1.0, 0.8, 0.2, 0.0]),
    share_evidence=np.array([1.0, 1.0, 1.0, 0.0]),
    delta_mean=NAN,
    delta_lower=np.array([0.1, 0.0, -0.1, np.nan]),
    delta_upper=np.array([0.4, 0.3, 0.2, np.nan]),
    cases=np.array([3] * 19),
    significant=np.array([1, 2] * 9 + [2]),
    coefficients=pd.DataFrame(),
    notes=(),
)
TIPPING = Tipping(
    **COMMON,
    seed=7,
    grid=np.array([0.0, 0.5, 1.0, 2.0]),
    index=PEOPLE,
    n_complainants=4,
    is_case=np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], dtype=bool),
    is_significant=np.array([[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]], dtype=bool),
    delta=np.zeros((4, 4)),
    has_evidence=np.ones((4, 4), dtype=bool),
    case_turns=np.array([[0.3], [0.7], [0.7], [1.4]]),
    significant_turns=np.array([[0.3], [0.7], [1.4], [1.4]]),
    case_turns_for_lack=np.zeros((4, 1), dtype=bool),
    significant_turns_for_lack=np.array([[True], [False], [False], [False]]),
    tolerance=0.001,
    significant_tolerance=0.001,
    notes=(),
)


def bar(node: str, term: str, low: int, high: int) -> TornadoBar:
    return TornadoBar(
        node=node,
        term=term,
        value=-4.6,
        standard_error=0.2,
        source="fitted",
        by_hand=False,
        low=-5.0,
        high=-4.0,
        at_low=Outcome(cases=4, significant=low, mean_delta=0.0),
        at_high=Outcome(cases=4, significant=high, mean_delta=0.0),
    )


TORNADO = Tornado(
    **COMMON,
    seed=7,
    n_errors=2.0,
    observed=Outcome(cases=3, significant=2, mean_delta=0.1),
    bars=(bar("LSAT", "<b>race</b>", 3, 1),),
    notes=(),
)


def beside(own: str, other: str) -> Beside:
    return Beside(
        is_case=pd.DataFrame({own: ~NO, other: ~NO}, index=PEOPLE),
        is_significant=pd.DataFrame(
            {own: [True, True, False, False], other: [True, False, True, True]}, index=PEOPLE
        ),
        delta=pd.DataFrame({own: NAN, other: NAN}, index=PEOPLE),
    )


DISTANCES = OtherDistances(
    **COMMON,
    in_use="gower",
    beside=beside("gower", "rank"),
    notes=("Measured by ranks.",),
)
ARROWS = ArrowsAccepted(**COMMON, beside=beside("as drawn", "<b>race</b> → LSAT"))
CONFOUNDING = Confounding(
    **COMMON,
    arrows=(
        ArrowStrength(cause="race", effect="LSAT", t=-40.0, df=2000.0),
        ArrowStrength(cause="race", effect="<b>law</b>", undefined="race → law has none."),
    ),
    unmeasured=(),
    index=pd.Index(["a", "b", "c"]),
    n_complainants=3,
    is_significant=np.array([True, True, False]),
    effect_needed=np.array([0.5, np.nan, np.nan]),
    for_lack=np.zeros(3, dtype=bool),
    alone=np.array([[0.5, np.nan, np.nan], [np.nan] * 3]),
    together=np.array([0.2, np.nan, np.nan]),
    odds=np.array([2.2, 1.0, 1.0]),
    seed=7,
    notes=("It has a note.",),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(CheckResult):
    """The result of a check without random numbers."""

    def summary(self) -> tuple[str, ...]:
        return ("k = 5: one, two, three.",)

    def numbers(self) -> dict[str, Any]:
        return {"results": [{"k": 5}]}

    def tables(self) -> dict[str, pd.DataFrame]:
        return {}


FOUND = {
    "placebo": placebo(9, (1, 2, 3)),
    "bootstrap": BOOTSTRAP,
    "tipping": TIPPING,
    "tornado": TORNADO,
    "arrows": ARROWS,
    "distances": DISTANCES,
    "confounding": CONFOUNDING,
}
MADE_UP = Check(name="made-up", kind=Counted, run=lambda request: [Counted()])


def said_of(found: CheckResult) -> str:
    return " ".join(found.summary())


@pytest.mark.parametrize("name", [*FIGURES, "made-up"])
def test_a_section_shows_a_check_with_a_figure_whether_or_not_it_has_a_seed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: dict[str, str] = {}
    drawn: list[Figure] = []
    screen = {
        what: lambda text, what=what: shown.update({what: text})
        for what in ("subheader", "markdown", "caption")
    }
    monkeypatch.setattr(sections, "st", SimpleNamespace(**screen))
    monkeypatch.setattr(sections, "markdown", str)
    monkeypatch.setattr(sections, "chart", lambda figure, *_, **__: drawn.append(figure))
    monkeypatch.setattr(sections, "ask_for", lambda *_, **__: None)
    monkeypatch.setitem(FIGURES, "made-up", lambda found: standing_figure([]))
    check = CHECKS.get(name, MADE_UP)
    found = FOUND.get(name, Counted(notes=("It has a note.",)))
    stored = StoredResult(result=found, source="", at=datetime.now(), stale="")
    asked: Any = SimpleNamespace(draft=None, choice=None, stored=lambda check: stored)
    sections.check_section(check, asked)
    assert shown["subheader"] == (check.title or "Made-up")
    assert shown["markdown"] == said_of(found)
    assert len(drawn) == 1
    assert ("Seed 7:" in shown["caption"]) == (found.seed is not None)
    assert shown["caption"].startswith(" ".join(found.notes))


def test_distances_say_and_draw_what_stands_and_what_is_found_only_so() -> None:
    assert "of 2 significant cases by CST w/o" in said_of(DISTANCES)
    assert "by ranks 1 (and 2 more). Under every one of these distances: 1." in said_of(DISTANCES)
    stand, more = (mark for mark in distances_figure(DISTANCES).marks if isinstance(mark, Bars))
    assert (stand.size, more.size) == ((2, 1), (0, 2))


def test_the_tornado_says_by_how_many_errors_and_the_bootstrap_how_firm() -> None:
    assert "by 2 standard errors" in said_of(TORNADO)
    assert "by 3 standard errors" in said_of(replace(TORNADO, n_errors=3.0))
    assert f"at least {FIRM:.0%} of the refits" in said_of(BOOTSTRAP)


def test_every_figure_is_drawn_and_shows_no_markup() -> None:
    checks = [
        StandingCount(what="<img>", stand=1, of=2),
        StandingCount(what="y", stand=2, of=2),
    ]
    tornado = tornado_figure(TORNADO)
    assert tornado is not None
    check(
        standing_figure(checks),
        placebo_figure(placebo(9, (1, 2, 3))),
        placebo_figure(placebo(0, (0, 0, 0))),
        bootstrap_figure(BOOTSTRAP),
        tipping_figure(TIPPING),
        tornado,
    )


def test_the_placebo_histogram_holds_every_draw() -> None:
    for drawn in ((0, 0, 0), (1, 5, 300), tuple(range(100))):
        bars = placebo_figure(placebo(40, drawn)).marks[0]
        assert isinstance(bars, Bars)
        assert sum(size or 0 for size in bars.size) == len(drawn)


def test_the_placebo_says_what_its_p_value_allows() -> None:
    many = said_of(placebo(50, tuple(range(39))))
    few = said_of(placebo(5, tuple(range(39))))
    assert "(p = 0.025)" in many
    assert "Chance and the sizes of the groups alone seldom give so many" in many
    assert "no evidence by itself" in few
    assert "This clears nobody." in few
    assert "discriminated" not in many + few


def test_the_bootstrap_counts_firm_findings_and_failed_refits() -> None:
    said = said_of(BOOTSTRAP)
    assert "fitted again to 19 random samples" in said
    assert "Of the 2 findings, 1 comes out in at least 95% of the refits." in said
    assert "1 refit could not be made and is left out" in said


def test_the_effect_names_half_and_none() -> None:
    assert (
        "as assumed there are 2 significant cases, with half of the effect 1, without it 0."
        in said_of(TIPPING)
    )
    assert "between 1 and 3 significant cases" in said_of(TORNADO)
    none = replace(TORNADO, bars=())
    assert tornado_figure(none) is None
    assert "No fitted coefficient leads" in said_of(none)


def test_checks_count_what_stands() -> None:
    checks = [*BOOTSTRAP.stands(), *TIPPING.stands()]
    assert [(check.stand, check.of) for check in checks] == [(1, 2), (1, 2), (0, 2), (0, 2)]
    assert "In 95% of 19 refits" in checks[0].what
    said = standing_headline(Draft(), CHOICE, checks)
    assert said.startswith("There are 2 significant findings about")
    assert "“without any effect (γ = 0): classical situation testing”, 0 of 2" in said


def test_found_without_an_effect_and_found_throughout_are_two_counts() -> None:
    """The first comes back without any effect, the second holds all the way down."""
    back = replace(
        TIPPING,
        is_significant=np.array([[1, 1, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1]]) == 1,
        significant_turns=np.array([[0.3, 0.7], [np.nan, np.nan], [1.4, np.nan], [1.4, np.nan]]),
        significant_turns_for_lack=np.zeros((4, 2), dtype=bool),
    )
    half, none, throughout = back.stands()
    assert (half.stand, none.stand, throughout.stand) == (1, 2, 1)
    assert (none.more, throughout.of) == (0, 2)
    said = said_of(back)
    assert "of the 2 findings 2 are also found without any effect; 1 hold throughout" in said
    assert "1 of 2 findings disappear with a smaller effect and come back" in said
    assert "in steps of 1 from 0 to 2; where a verdict turns is known to 0.001" in said
    assert back.to_frame()["significant_for"].tolist()[:2] == ["0 to 0.3; 0.7 to 2", "0 to 2"]


def test_parts_are_compared_and_one_finding_is_one() -> None:
    checks = [
        StandingCount(what="All", stand=100, of=100),
        StandingCount(what="Half", stand=50, of=100),
        StandingCount(what="Few, in a sample", stand=9, of=10),
        StandingCount(what="A sample without any", stand=0, of=0),
    ]
    said = standing_headline(Draft(), CHOICE, checks)
    assert "Under 1 of the 3 checks below all of them stand." in said
    assert said.endswith("The smallest part stands here: “half”, 50 of 100.")
    one = [StandingCount(what="A", stand=1, of=1), StandingCount(what="B", stand=0, of=1)]
    assert standing_headline(Draft(), CHOICE, one).startswith("There is 1 significant finding ")
    assert standing_headline(Draft(), CHOICE, one).endswith(
        "Under 1 of the 2 checks below it stands. It is lost here: “b”."
    )
    assert "It stands under the check below." in standing_headline(Draft(), CHOICE, one[:1])
    assert "There is no significant finding" in standing_headline(Draft(), CHOICE, [])


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("CST_wo", "0 % none at all, which is classical situation testing around each one's own"),
        ("CST_w", "0 % none at all, where the counterfactual is as the person is: situation test"),
        ("CF", "0 % none at all, where the counterfactual is as the person is in all that peo"),
    ],
)
def test_no_effect_is_classical_for_one_method_only(method: str, words: str) -> None:
    said = said_of(replace(TIPPING, method=method))  # type: ignore[arg-type]
    assert words in said
    assert ("classical" in said) == (method == "CST_wo")
    single = replace(TIPPING, is_significant=TIPPING.is_significant & (TIPPING.index == "a"))
    assert "as assumed there is 1 significant case, with half" in said_of(single)


def test_many_and_long_coefficients_lie_beside_each_other() -> None:
    bars = tuple(bar(f"{'n' * 60}{place}", "t" * 60, 1, 2) for place in range(20))
    many = replace(TORNADO, bars=bars)
    figure = tornado_figure(many)
    assert figure is not None
    assert len(figure.y.ticks) == BARS
    assert figure.title == "The 12 of 20 coefficients that matter most"
    few = tornado_figure(TORNADO)
    assert few is not None
    assert few.title == ""


def radii(mean: list[float]) -> Radii:
    values = np.array(mean)
    return Radii(mean=values, largest=2 * values, size=np.full(len(values), 5.0))


def widths(name: str = "gender", seed: int | None = None) -> Balance:
    """Return four people: wide; wide by ratio, but near; not wide; without a test group."""
    return Balance(
        name=name,
        k=5,
        balance_radii=False,
        index=pd.Index(list("abcd")),
        n_complainants=4 if seed is None else 1000,
        seed=seed,
        control=radii([0.3, 0.009, 0.1, 0.2]),
        test_st=radii([0.3, 0.009, 0.1, 0.2]),
        test_cst=radii([0.1, 0.001, 0.1, np.nan]),
    )


def test_wide_groups_are_counted_by_the_rule_that_is_said() -> None:
    first, second, *_ = balance_sentences(widths(), "CST_wo")
    assert first.startswith("Mean distance over the 4 people by gender: 0.136 in the control")
    assert "0.067 in the test groups" in first
    assert second == (
        "For 1 of 4 (25 %) the control group is 1.5 times as wide as the test group or wider, and "
        "its people are 0.01 away or more."
    )
    assert "For 0 of 4 (0 %)" in balance_sentences(widths(), "ST")[1]
    shown = balance_table(widths())
    assert "<td>25 %</td>" in shown
    assert "1.5 times or more, and 0.01 away or more, for" in shown
    assert "Average over the 4 people by gender" in shown
    sample = widths("<b>x</b>", seed=1)
    assert (
        "over a random sample of 4 of the 1,000 people by <b>x</b>:"
        in (balance_sentences(sample, "ST")[0])
    )
    assert "a random sample of 4 of the 1,000 people by &lt;b&gt;x" in balance_table(sample)
    assert "4 people of the intersectional test" in balance_table(widths("intersectional"))
    none = replace(widths(), test_cst=radii([np.nan] * 4))
    assert balance_sentences(none, "CST_w") == ["Nobody has both groups."]


def test_the_range_over_refits_has_the_level_of_the_settings() -> None:
    for alpha, words in ((0.05, "in 95 % of them"), (0.2, "in 80 % of them")):
        settings = EvidenceSettings(significance_level=alpha)
        drawn = replace(BOOTSTRAP, settings=settings, significant=np.arange(101))
        ends = f"between {round(50 * alpha)} and {round(100 - 50 * alpha)}"
        assert f"{ends} {words}" in said_of(drawn)


def test_what_changed_is_said() -> None:
    now = json.dumps({"data": "1", "model": "2", "method": "ST", "settings": "k"})
    assert stale_sentence(now, now) == ""
    model = json.dumps({"data": "1", "model": "3", "method": "ST", "settings": "j"})
    assert changes(model, now) == ["the causal model", "k, τ, α or another setting"]
    data = json.dumps({"data": "0", "model": "3", "method": "ST", "settings": "k"})
    assert changes(data, now) == ["the data or what its columns mean"]
    assert "Compute it again" in stale_sentence(data, now)


def test_findings_against_the_strength_of_an_unseen_cause() -> None:
    figure = confounding_figure(CONFOUNDING)
    assert figure is not None
    check(figure)
    line = figure.marks[0]
    assert isinstance(line, Line)
    assert line.y[:2] == (2, 1)  # the one that ends, at the weaker of its two causes
    assert line.x[1] == pytest.approx(0.2)
    assert confounding_figure(replace(CONFOUNDING, is_significant=np.zeros(3, dtype=bool))) is None
    assert confounding_figure(replace(CONFOUNDING, arrows=CONFOUNDING.arrows[1:])) is None
