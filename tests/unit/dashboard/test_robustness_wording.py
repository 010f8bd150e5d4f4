"""How firm the evidence is, in words and pictures: rules that the sentences keep."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import plotly.graph_objects as go

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
    delta_lower=(0.1, 0.0, -0.1, None), delta_upper=(0.4, 0.3, 0.2, None),
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
            placebo_figure(placebo(9, (1, 2, 3)), palette, significant=True),
            placebo_figure(placebo(0, (0, 0, 0)), palette, significant=False),
            bootstrap_figure(BOOTSTRAP, palette, significant=True),
            effect_figure(EFFECT, palette),
            tornado_figure(EFFECT, palette),
        ):
            checked = go.Figure(plot)
            assert len(checked.data) == len(plot["data"])
            assert "<b>race" not in checked.to_json()
            assert "<i>x" not in checked.to_json()


def test_the_placebo_histogram_holds_every_draw() -> None:
    for drawn in ((0, 0, 0), (1, 5, 300), tuple(range(100))):
        figure = placebo_figure(placebo(40, drawn), LIGHT, significant=True)
        assert sum(figure["data"][0]["y"]) == len(drawn)


def test_the_placebo_says_what_its_p_value_allows() -> None:
    many = placebo_sentence(placebo(50, tuple(range(39))))
    few = placebo_sentence(placebo(5, tuple(range(39))))
    assert "(p = 0.025)" in many
    assert "do not come from the sizes of the groups and from chance alone" in many
    assert "no evidence by itself" in few
    assert "This clears nobody." in few
    assert "discriminated" not in many + few


def test_the_bootstrap_counts_firm_findings_and_failed_refits() -> None:
    said = bootstrap_sentence(BOOTSTRAP)
    assert "fitted again to 19 random samples" in said
    assert "Of the 2 findings, 1 come out in at least 95% of the refits." in said
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
    assert "“without any effect (γ from 1 down to 0)”, 0 of 2" in said


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
