"""How firm the evidence is, in words and pictures: rules that the sentences keep."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from cst_core.robustness.balance import Balance
from cst_core.similarity.radii import Radii
from dashboard.draft.document import Draft
from dashboard.robustness.basis import changes, stale_sentence
from dashboard.robustness.checks import Check, kept_checks
from dashboard.robustness.figures import (
    bootstrap_figure,
    effect_figure,
    placebo_figure,
    standing_figure,
    tornado_figure,
)
from dashboard.robustness.reports import Bar, BootstrapReport, EffectReport, PlaceboReport
from dashboard.robustness.wording import (
    BARS,
    balance_sentences,
    balance_table,
    bootstrap_sentence,
    effect_sentence,
    placebo_sentence,
    standing_headline,
    tornado_sentence,
)
from dashboard.style import DARK, LIGHT

CHOICE: Any = SimpleNamespace(test="race")
COMMON: dict[str, Any] = {"method": "CST_wo", "seed": 7, "n_complainants": 4, "n_evaluated": 4}


def placebo(observed: int, drawn: tuple[int, ...]) -> PlaceboReport:
    p = (1 + sum(one >= observed for one in drawn)) / (1 + len(drawn))
    return PlaceboReport(
        **COMMON, repeats=len(drawn), observed_cases=observed, observed_significant=observed,
        cases=drawn, significant=drawn, p_cases=p, p_significant=p,
    )  # fmt: skip


BOOTSTRAP = BootstrapReport(
    **COMMON, refits=20, failed=1, people=("a", "b", "c", "d"),
    is_case=(True, True, True, False), is_significant=(True, True, False, False),
    share_case=(1.0, 0.9, 0.5, 0.0), share_significant=(1.0, 0.8, 0.2, 0.0),
    level=0.95, delta_lower=(0.1, 0.0, -0.1, None), delta_upper=(0.4, 0.3, 0.2, None),
    cases=(3,) * 19, significant=(1, 2) * 9 + (2,),
)  # fmt: skip
EFFECT = EffectReport(
    **COMMON, grid=(0.0, 0.5, 1.0, 2.0), cases=(0, 1, 3, 4), significant=(0, 1, 2, 4),
    mean_delta=(0.0, 0.1, 0.2, 0.4), people=("a", "b", "c", "d"),
    is_significant=(True, True, False, False), below=(0.3, 0.7, None, None),
    above=(None, None, 1.4, None), for_lack=((True, False), *((False, False),) * 3),
    observed_significant=2, errors=2.0,
    bars=(Bar(node="LSAT", term="<b>race</b>", value=-4.6, low=-5, high=-4, cases=(3, 4),
              significant=(3, 1)),),
)  # fmt: skip


def test_every_plot_is_one_that_plotly_accepts_and_shows_no_markup() -> None:
    checks = [Check(what="<i>x</i>", stand=1, of=2), Check(what="y", stand=2, of=2)]
    for palette in (LIGHT, DARK):
        for plot in (
            standing_figure(checks, palette),
            placebo_figure(placebo(9, (1, 2, 3)), palette),
            placebo_figure(placebo(0, (0, 0, 0)), palette),
            bootstrap_figure(BOOTSTRAP, palette),
            effect_figure(EFFECT, palette),
            tornado_figure(EFFECT, palette),
        ):
            checked = go.Figure(plot)
            assert len(checked.data) == len(plot["data"])
            assert "<b>race" not in checked.to_json()
            assert "<i>x" not in checked.to_json()


def test_the_placebo_histogram_holds_every_draw() -> None:
    for drawn in ((0, 0, 0), (1, 5, 300), tuple(range(100))):
        figure = placebo_figure(placebo(40, drawn), LIGHT)
        assert sum(figure["data"][0]["y"]) == len(drawn)


def test_the_placebo_says_what_its_p_value_allows() -> None:
    many = placebo_sentence(placebo(50, tuple(range(39))))
    few = placebo_sentence(placebo(5, tuple(range(39))))
    assert "(p = 0.025)" in many
    assert "Chance and the sizes of the groups alone seldom give so many" in many
    assert "no evidence by itself" in few
    assert "This clears nobody." in few
    assert "discriminated" not in many + few


def test_the_bootstrap_counts_firm_findings_and_failed_refits() -> None:
    said = bootstrap_sentence(BOOTSTRAP)
    assert "fitted again to 19 random samples" in said
    assert "Of the 2 findings, 1 comes out in at least 95% of the refits." in said
    assert "1 refit could not be made and is left out" in said


def test_the_effect_names_half_and_none() -> None:
    assert effect_sentence(EFFECT).endswith(
        "As assumed there are 2 significant cases, with half of the effect 1, without it 0."
    )
    assert "between 1 and 3 significant cases" in tornado_sentence(EFFECT)
    none = EFFECT.model_copy(update={"bars": ()})
    assert "No fitted coefficient leads" in tornado_sentence(none)


def test_checks_count_what_stands() -> None:
    checks = kept_checks(BOOTSTRAP, EFFECT, None)
    assert [(check.stand, check.of) for check in checks] == [(1, 2), (1, 2), (0, 2)]
    assert "In 95% of 19 refits" in checks[0].what
    said = standing_headline(Draft(), CHOICE, checks)
    assert said.startswith("There are 2 significant findings about")
    assert "“without any effect of the attribute”, 0 of 2" in said


def test_parts_are_compared_and_one_finding_is_one() -> None:
    checks = [
        Check(what="All", stand=100, of=100),
        Check(what="Half", stand=50, of=100),
        Check(what="Few, in a sample", stand=9, of=10),
        Check(what="A sample without any", stand=0, of=0),
    ]
    said = standing_headline(Draft(), CHOICE, checks)
    assert "Under 1 of the 3 checks below all of them stand." in said
    assert said.endswith("The smallest part stands here: “half”, 50 of 100.")
    one = [Check(what="A", stand=1, of=1), Check(what="B", stand=0, of=1)]
    assert standing_headline(Draft(), CHOICE, one).startswith("There is 1 significant finding ")
    assert standing_headline(Draft(), CHOICE, one).endswith(
        "Under 1 of the 2 checks below it stands. It is lost here: “b”."
    )
    assert "It stands under the check below." in standing_headline(Draft(), CHOICE, one[:1])
    assert "There is no significant finding" in standing_headline(Draft(), CHOICE, [])


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("CST_wo", "0 % none at all, which is classical situation testing."),
        ("CST_w", "0 % none at all, where her counterfactual is as she is: situation testing with"),
        ("CF", "0 % none at all, where her counterfactual is as she is in all that she is compar"),
    ],
)
def test_no_effect_is_classical_for_one_method_only(method: str, words: str) -> None:
    said = effect_sentence(EFFECT.model_copy(update={"method": method}))
    assert words in said
    assert ("classical" in said) == (method == "CST_wo")
    single = EFFECT.model_copy(update={"observed_significant": 1})
    assert "As assumed there is 1 significant case, with half" in effect_sentence(single)


def test_many_and_long_coefficients_lie_beside_each_other() -> None:
    bars = tuple(
        Bar(node=f"{'n' * 60}{place}", term="t" * 60, value=1, low=0, high=2, cases=(1, 2),
            significant=(1, 2))
        for place in range(20)
    )  # fmt: skip
    many = EFFECT.model_copy(update={"bars": bars})
    names = tornado_figure(many, LIGHT)["data"][0]["y"]
    assert len(set(names)) == len(names) == BARS
    assert tornado_sentence(many).endswith("Drawn are the 12 of 20 coefficients that matter most.")
    assert "Drawn are" not in tornado_sentence(EFFECT)


def radii(mean: list[float]) -> Radii:
    values = np.array(mean)
    return Radii(mean=values, largest=2 * values, size=np.full(len(values), 5.0))


def widths(name: str = "gender", seed: int | None = None) -> Balance:
    """Return four people: wide; wide by ratio, but near; not wide; without a test group."""
    return Balance(
        name=name, k=5, balance_radii=False, index=pd.Index(list("abcd")),
        n_complainants=4 if seed is None else 1000, seed=seed,
        control=radii([0.3, 0.009, 0.1, 0.2]), test_st=radii([0.3, 0.009, 0.1, 0.2]),
        test_cst=radii([0.1, 0.001, 0.1, np.nan]),
    )  # fmt: skip


def test_wide_groups_are_counted_by_the_rule_that_is_said() -> None:
    first, second, *_ = balance_sentences(widths(), "CST_wo")
    assert first.startswith("Mean distance over the 4 complainants by gender: 0.136 in the control")
    assert "0.067 in the test groups" in first
    assert second == (
        "For 1 of 4 (25 %) the control group is 1.5 times as wide as the test group or wider, and "
        "its people are 0.01 away or more."
    )
    assert "For 0 of 4 (0 %)" in balance_sentences(widths(), "ST")[1]
    shown = balance_table(widths())
    assert "<td>25 %</td>" in shown
    assert "1.5 times or more, and 0.01 away or more, for" in shown
    assert "Average over the 4 complainants by gender" in shown
    sample = widths("<b>x</b>", seed=1)
    assert (
        "over a random sample of 4 of the 1,000 complainants by <b>x</b>:"
        in (balance_sentences(sample, "ST")[0])
    )
    assert "a random sample of 4 of the 1,000 complainants by &lt;b&gt;x" in balance_table(sample)
    assert "4 complainants of the intersectional test" in balance_table(widths("intersectional"))
    none = replace(widths(), test_cst=radii([np.nan] * 4))
    assert balance_sentences(none, "CST_w") == ["No complainant has both groups."]


def test_a_report_survives_being_kept() -> None:
    for report in (BOOTSTRAP, EFFECT, placebo(3, (1, 2))):
        assert type(report).model_validate_json(report.model_dump_json()) == report


def test_what_changed_is_said() -> None:
    now = json.dumps({"data": "1", "model": "2", "method": "ST", "settings": "k"})
    assert stale_sentence(now, now) == ""
    model = json.dumps({"data": "1", "model": "3", "method": "ST", "settings": "j"})
    assert changes(model, now) == ["the causal model", "k, τ, α or another setting"]
    data = json.dumps({"data": "0", "model": "3", "method": "ST", "settings": "k"})
    assert changes(data, now) == ["the data or what its columns mean"]
    assert "Compute it again" in stale_sentence(data, now)
