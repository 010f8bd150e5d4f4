"""Calibrated verdicts on the pages: computed beside them, the library's numbers, her picture."""

from __future__ import annotations

import time

from app_user import EVERY_PAGE, User

from cst_core import EvidenceSettings, load_scenario
from cst_core.testing import calibrate_result
from dashboard.session import calibrations, results

SETTINGS = EvidenceSettings(n_neighbours=15, calibration="relabelling", relabellings=19)


def settled(user: User, words: str) -> str:
    """Return the page's text once it says these words; the labels are dealt out beside it."""
    for _ in range(200):
        if words in user.text:
            return user.text
        time.sleep(0.1)
        user.run()
    raise AssertionError(f"{words!r} never came: {user.text[:500]}")


def test_the_headline_and_her_page_are_calibrated(visit) -> None:
    loan = load_scenario("loan").open().run("Gender")
    calibrate_result(loan, ["CST_wo"], [SETTINGS])
    found = loan.summary("CST_wo", SETTINGS)
    plain = loan.summary("CST_wo", SETTINGS.uncalibrated)
    assert found.significant < plain.significant
    user = visit().open_sample("loan").go("overview")
    user.set_number("set-relabellings", 19)
    user.choose("set-calibration", "relabelling")
    said = settled(user, f"{found.significant:,} of them statistically significant")
    assert "before calibration" in said
    assert "CF: set beside 19 worlds" in said  # under "Read with care"
    user.go("complainant").press("Show the first in the table")
    assert "a difference like this one" in settled(user, "came about")
    for page in EVERY_PAGE:
        user.go(page)
        assert not user.at.exception, page


def test_a_visit_to_another_k_costs_nothing_of_what_is_kept(visit, monkeypatch) -> None:
    user = visit().open_sample("loan").go("overview")
    user.set_number("set-relabellings", 19)
    user.choose("set-calibration", "relabelling")
    settled(user, "statistically significant")
    user.at.slider[0].set_value(17)
    settled(user.run(), "k = 17")
    calibrations._KEPT.clear()
    results._RESULTS.clear()

    def never(*_: object, **__: object) -> None:
        raise AssertionError("all of it is kept with the workspace")

    monkeypatch.setattr(calibrations, "calibrate_result", never)
    other = visit(user.link).go("overview")  # where the first one left it
    assert not other.at.error
    other.at.slider[0].set_value(30)
    settled(other.run(), "k = 30")
    assert not other.at.error
