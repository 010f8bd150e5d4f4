"""Overview: whether chance finds as many, and what the strict rule says beside the paper's."""

from __future__ import annotations

import pytest

from cst_core import EvidenceSettings, load_scenario
from cst_core.evidence import PRESETS, preset_settings
from cst_core.explain import chance_sentence, strict_beside_paper
from cst_core.robustness import placebo
from cst_core.testing import calibrate_result
from dashboard.session import calibrations, chance

SETTINGS = EvidenceSettings(n_neighbours=15)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(chance.MOST_REPEATS, "19")
    monkeypatch.setattr(chance, "usual_repeats", lambda _: 99)
    monkeypatch.setattr(chance, "ASKED", (15,))


@pytest.mark.usefixtures("asked")
def test_more_than_chance_is_said_beside_the_headline_and_kept(visit, monkeypatch) -> None:
    loan = load_scenario("loan").open().run("Gender")
    dealt = placebo(loan, settings=SETTINGS, methods=loan.methods, repeats=19, seed=chance.SEED)
    expected = chance_sentence(dealt.of("CST_wo", 15))
    assert expected.startswith("More than chance gives")
    user = visit().open_sample("loan").go("overview")
    assert expected in user.text
    assert user.text.index("show potential, prima facie") < user.text.index(expected)
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
    assert said.index("First of all") < said.index("show potential, prima facie")


@pytest.mark.usefixtures("asked")
def test_that_chance_finds_as_many_stands_against_each_of_them(visit) -> None:
    user = visit().open_sample("law-school")
    user.at.query_params["test"], user.at.query_params["k"] = "gender", "50"
    user.go("overview").go("complainant").press("Show the first in the table")
    said = "She is one of 183 significant cases at k = 50. A meaningless label of the same size"
    assert user.text.count(said) == 2  # on the page and on paper


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
