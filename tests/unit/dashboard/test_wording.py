"""Sentences: the right numbers, the right direction, and names that stay text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from cst_core.causal import Coefficient, Equation, EquationDiagnostics, NoiseByGroup
from cst_core.scenario import CoefficientPart, EquationPart, NodePart, ProtectedPart, RelevantPart
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.pages.causal_model.words import (
    Shift,
    errors_sentence,
    shift_row,
    shift_table,
)
from dashboard.shared.model_words import (
    comparison_sentences,
    diagnostics_sentences,
    equation_html,
    far_from_fitted,
)

HOSTILE = '<img src=x onerror="alert(1)">'
DRAFT = Draft(
    roles=DraftRoles(
        protected=(
            ProtectedPart(
                column="sex", protected=1, reference=0, protected_name="women", reference_name="men"
            ),
            ProtectedPart(column="race", reference="white"),
        ),
        relevant=(
            RelevantPart(column="pay"),
            RelevantPart(column="town", kind="nominal"),
            RelevantPart(column=HOSTILE),
        ),
    ),
    worlds=(
        DraftWorld(
            name="Model 1",
            nodes=(NodePart(name="pay", label="Annual pay"), NodePart(name=HOSTILE)),
        ),
    ),
)
BY_HAND = Coefficient(value=-3.0, source="by hand", fitted_value=-1.0, standard_error=0.5)


def test_groups_are_called_what_people_call_them() -> None:
    bare = ProtectedPart(column="age", protected="old")
    roles = DRAFT.roles.model_copy(update={"protected": (*DRAFT.roles.protected, bare)})
    names = DRAFT.model_copy(update={"roles": roles}).names
    for column, called in {
        "sex": ("women", "men"),
        "race": ("race other than white", "race = white"),
        "elsewhere": ("elsewhere", "everyone else"),
        "age": ("age = old", "everyone else"),
    }.items():
        assert (names.group(column).protected, names.group(column).reference) == called


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("intercept", "Starting value"),
        ("sex", "women, not men"),
        ("pay", "Annual pay, per unit"),
        ("town=north", "town is north"),
        (r"town=EU\: a=b", "town is EU: a=b"),
        (r"sex:town=12\:30", "women, not men and town is 12:30"),
        ("sex:pay", "women, not men and Annual pay, per unit"),
    ],
)
def test_terms(term: str, words: str) -> None:
    assert DRAFT.names.term(term) == words


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", "", html).split())


def test_an_equation_has_its_signs_and_marks_what_is_by_hand() -> None:
    equation = Equation(
        node="pay",
        coefficients={
            "intercept": Coefficient(value=1200.5),
            "sex": BY_HAND,
            "town=north": Coefficient(value=0.25),
            "sex:town=north": Coefficient(value=-0.5),
        },
        interactions=(("sex", "town"),),
    )
    html = equation_html(DRAFT, equation)
    assert plain(html) == (
        "Annual pay = 1,200 − 3 · [women] + 0.25 · [town is north] "
        "− 0.5 · [women] · [town is north] + U"
    )
    assert re.findall(r'<span class="hand"[^>]*>(.*?)</span>', html) == ["3"]
    logged = equation_html(DRAFT, replace(equation, link="log"))
    assert plain(logged).startswith("ln(Annual pay) = ")
    first = equation_html(DRAFT, Equation(node="pay", coefficients={"sex": BY_HAND}))
    assert plain(first) == "Annual pay = −3 · [women] + U"


def test_names_in_html_stay_text() -> None:
    equation = Equation(node=HOSTILE, coefficients={HOSTILE: Coefficient(value=1.0)})
    shift = Shift(column=HOSTILE, before=1, after=2, low=0, high=4)
    for html in (
        equation_html(DRAFT, equation),
        shift_table(DRAFT, [shift], HOSTILE, (HOSTILE, HOSTILE)),
    ):
        assert "<img" not in html
        assert "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;" in html


@pytest.mark.parametrize(
    ("value", "error", "said"),
    [
        (-1.9, 0.5, False),
        (-2.0, 0.5, False),
        (-2.1, 0.5, True),
        (0.2, 0.5, True),
        (-1.0, 0.0, False),
        (-1.01, 0.0, True),
    ],
)
def test_far_is_beyond_two_standard_errors(value: float, error: float, *, said: bool) -> None:
    item = replace(BY_HAND, value=value, standard_error=error)
    assert (far_from_fitted(item) is not None) == said
    assert far_from_fitted(replace(item, source="fitted")) is None


def test_far_says_the_numbers() -> None:
    sentence = far_from_fitted(BY_HAND)
    assert sentence is not None
    assert "Set by hand to −3; the data say −1" in sentence
    assert "95 % interval −2 to 0" in sentence
    assert far_from_fitted(replace(BY_HAND, fitted_value=None)) is None


def diagnostics(r_squared: float | None, *groups: NoiseByGroup) -> list[str]:
    found = EquationDiagnostics(node="pay", n=10, r_squared=r_squared, by_group=groups)
    return diagnostics_sentences(DRAFT, found, "linear")


def test_how_well_an_equation_fits() -> None:
    assert "explain 25 % of the differences in Annual pay" in diagnostics(0.25)[0]
    assert "explain less than 1 % of" in diagnostics(0.001)[0]
    assert "worse than its plain average" in diagnostics(-0.1)[0]
    assert "the same for everyone" in diagnostics(None)[0]


GROUP = NoiseByGroup(
    attribute="sex",
    mean_protected=0,
    mean_reference=0,
    spread_protected=1,
    spread_reference=1,
    equal_spread_p=0.5,
)


def test_groups_that_do_not_differ_are_not_mentioned() -> None:
    assert len(diagnostics(0.5, GROUP)) == 1


@pytest.mark.parametrize(("gap", "word"), [(0.5, "higher"), (-0.5, "lower")])
def test_what_is_unexplained_by_group(gap: float, word: str) -> None:
    sentence = diagnostics(0.5, replace(GROUP, mean_protected=gap))[1]
    assert f"on average 0.5 {word} for women than for men" in sentence


@pytest.mark.parametrize(("protected", "more"), [(2.0, "women"), (0.5, "men")])
def test_which_group_spreads_wider(protected: float, more: str) -> None:
    group = replace(GROUP, spread_protected=protected, equal_spread_p=0.001)
    sentence = diagnostics(0.5, group)[1]
    assert f"spreads wider among {more} ({protected:g} for women, 1 for men)" in sentence
    assert sentence.endswith("the ± of the coefficients allow for it.")


def test_the_errors_shown_are_named() -> None:
    def said(*, has_levels: bool = False, **errors: float) -> str | None:
        return errors_sentence(DRAFT, {"sex": Coefficient(**errors)}, has_levels=has_levels)

    both = said(value=1.0, standard_error=0.115, classical_error=0.095)
    assert "(HC3)" in both
    assert both.endswith("the classical ones would hold: women, not men ± 0.095.")
    assert "survey weights" in said(value=1.0, standard_error=0.1)
    assert "HC3" not in said(value=1.0, standard_error=0.1, has_levels=True)
    assert said(value=1.0) is None


@pytest.mark.parametrize(
    ("after", "moved"),
    [(30.0, "+10"), (15.5, "−4.5"), (20.0, "no change"), (20 + 1e-12, "no change")],
)
def test_a_shift_says_both_values_and_the_change(after: float, moved: str) -> None:
    row = plain(shift_row(DRAFT, Shift(column="pay", before=20, after=after, low=0, high=40)))
    assert row.startswith("Annual pay20")
    assert row.endswith(moved)
    clipped = Shift(column="pay", before=20, after=after, low=0, high=40, clipped=1200)
    assert "1,200" in plain(shift_row(DRAFT, clipped))


def test_a_shift_stands_where_it_belongs_on_the_line() -> None:
    row = shift_row(DRAFT, Shift(column="pay", before=10, after=99, low=0, high=40))
    assert 'class="f" style="left:25.0%"' in row
    assert 'class="c" style="left:100.0%"' in row, "beyond what was seen stays on the line"
    same = shift_row(DRAFT, Shift(column="pay", before=5, after=5, low=5, high=5))
    assert "nan" not in same


def by_hand(value: float) -> DraftWorld:
    part = CoefficientPart(value=value, source="by hand")
    equation = EquationPart(node="pay", coefficients={"sex": part})
    return DRAFT.world.model_copy(update={"name": f"W{value}", "equations": (equation,)})


def test_two_models_are_said_to_differ_by_their_numbers() -> None:
    assert comparison_sentences(DRAFT, by_hand(1.0), by_hand(1.0)) == []
    (sentence,) = comparison_sentences(DRAFT, by_hand(1.0), by_hand(-2.0))
    assert "1 by hand in W1.0" in sentence
    assert "−2 by hand in W-2.0" in sentence
    (fitted,) = comparison_sentences(DRAFT, by_hand(1.0), DRAFT.world)
    assert "fitted in Model 1" in fitted
    assert len(comparison_sentences(DRAFT, by_hand(14930.61), by_hand(14930.62))) == 1
