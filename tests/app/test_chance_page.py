"""Overview: whether chance finds as many, and what the strict rule says beside the paper's."""

from __future__ import annotations

import pytest

from cst_core import EvidenceSettings, load_scenario
from cst_core.errors import CancelledError, CausalModelError
from cst_core.evidence import PRESETS, preset_settings
from cst_core.explain import chance_sentence, strict_beside_paper
from cst_core.robustness import placebo
from cst_core.testing import calibrate_result
from dashboard.session import calibrations, chance

SETTINGS = EvidenceSettings(n_neighbours=15)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(chance.MOST_REPEATS, "19")
    monkeypatch.setattr(chance, "usual_repeats", lambda *_: 99)
    monkeypatch.setattr(chance, "ASKED", (15,))


@pytest.mark.usefixtures("asked")
def test_more_than_chance_is_said_beside_the_headline_and_kept(visit, monkeypatch) -> None:
    loan = load_scenario("loan").open().run("Gender")
    dealt = placebo(loan, settings=SETTINGS, methods=loan.methods, repeats=19, seed=chance.SEED)
    expected = chance_sentence(dealt.of("CST_wo", 15))
    assert expected.startswith("More than chance gives")
    user = visit().open_sample("loan").go("overview")
    assert expected in user.text
    assert user.text.index("show a difference to examine") < user.text.index(expected)
    assert dealt.notes
    for note in dealt.notes:
        assert note in user.text  # under "Read with care"
    chance._CHANCE._things.clear()

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it is kept with the workspace")

    monkeypatch.setattr(chance, "placebo", never)
    link = user.link
    assert expected in visit(link).go("overview").text


@pytest.mark.usefixtures("asked")
def test_no_more_than_chance_comes_first(visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"], user.at.query_params["k"] = "gender", "50"
    said = user.go("overview").text
    assert "First of all: A meaningless label of the same size would find as many" in said
    assert said.index("First of all") < said.index("show a difference to examine")


@pytest.mark.usefixtures("asked")
def test_that_chance_finds_as_many_stands_against_each_of_them(visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"], user.at.query_params["k"] = "gender", "50"
    user.go("overview").go("complainant").press("Show the first in the table")
    said = "This is one of 183 significant cases at k = 50. A meaningless label of the same size"
    assert user.text.count(said) == 2  # on the page and on paper


@pytest.mark.usefixtures("asked")
def test_too_few_deals_are_said_to_be_too_few(visit) -> None:
    """Of six levels each is judged at α ÷ 6, which 19 deals cannot reach."""
    user = visit().open_sample("loan").go("overview")
    user.set_number("set-alpha", 0.01)
    assert "First of all: Too few deals to tell whether" in user.text
    assert "a meaningless label" not in user.text.lower()
    assert "0.05 (too few deals to tell)" in user.text


@pytest.mark.usefixtures("asked")
def test_she_is_not_said_to_be_one_of_those_found_at_another_k(visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"], user.at.query_params["k"] = "gender", "50"
    user.go("overview")
    user.go("complainant").press("Show the first in the table")
    user.at.slider[0].set_value(51)
    said = user.run().text
    assert "Against it: At k = 50, the nearest that was asked: A meaningless label" in said
    assert "This is one of 183 significant cases" not in said


def test_the_strict_answer_is_computed_on_request_and_kept(visit, monkeypatch) -> None:
    loan = load_scenario("loan").open().run("Gender")
    few = preset_settings(PRESETS["strict"], EvidenceSettings(n_neighbours=15, relabellings=19))
    calibrate_result(loan, ["CST_wo"], [few])
    expected = strict_beside_paper(loan, "CST_wo", few)
    user = visit().open_sample("loan").go("overview")
    user.set_number("set-relabellings", 19)
    user.press("Compute the strict answer")
    assert expected in user.text
    calibrations._KEPT._things.clear()

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it is kept with the workspace")

    monkeypatch.setattr(calibrations, "calibrate_result", never)
    assert expected in visit(user.link).go("overview").text
    user.choose("set-preset", "strict")
    assert expected in user.text
    found = loan.summary("CST_wo", few)
    assert f"{found.significant:,} of them statistically significant" in user.text


@pytest.mark.usefixtures("asked")
def test_what_is_kept_does_not_hang_on_the_k_first_shown(visit, monkeypatch) -> None:
    user = visit().open_sample("loan").go("data")
    user.at.query_params["k"] = "17"
    user.go("overview")
    assert "At k = 15, the nearest that was asked:" in user.text
    begun = []
    made = chance.placebo

    def counted(*given: object, **more: object) -> object:
        begun.append(more["repeats"])
        return made(*given, **more)

    monkeypatch.setattr(chance, "placebo", counted)
    user.at.slider[0].set_value(15)
    user.run()
    assert begun == []  # another k deals out nothing anew
    monkeypatch.setenv(chance.MOST_REPEATS, "39")
    assert "dealt out at random 39 times" in user.run().text  # but another number of deals does
    assert begun == [39]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    "error", [CausalModelError("One equation has no answer."), CancelledError("Cancelled.")]
)
def test_chance_that_fails_takes_nothing_else_of_the_page_with_it(
    visit, monkeypatch, error
) -> None:
    begun = []

    def fails(*_: object, **__: object) -> None:
        begun.append(1)
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(chance, "placebo", fails)
        user = visit().open_sample("loan").go("overview")
        said = f"Asking whether chance would find as many: {error}"
        for _ in range(2):
            assert [item.value.replace("\\", "") for item in user.at.error] == [said]
            assert "Differences to examine, their share of the protected group" in user.text
            assert "How many people have which difference" in user.text
            user.run()
        assert begun == [1]  # it is not begun by itself
    user.press("Try again")
    assert not user.at.error
    assert "More than chance gives" in user.text


def test_a_strict_answer_that_fails_leaves_the_page(visit, monkeypatch) -> None:
    begun = []

    def fails(*_: object, **__: object) -> None:
        begun.append(1)
        raise CancelledError("Cancelled. Nothing was changed.")

    monkeypatch.setattr(calibrations, "calibrate_result", fails)
    user = visit().open_sample("loan").go("overview").press("Compute the strict answer")
    assert len(user.at.error) == 1
    assert "How many people have which difference" in user.text
    user.go("start").go("overview")
    assert begun == [1]
    user.press("Try again")
    assert begun == [1, 1]
