"""Robustness in a real browser: computed beside the page, kept, stale when due; numbers checked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from evidence_cases import sample_run
from evidence_screen import at, headline, person_link, slide
from playwright.sync_api import expect

from cst_core.evidence import PRESETS, EvidenceSettings, preset_settings, smallest_detectable
from cst_core.explain import strict_beside_paper
from cst_core.robustness import bootstrap, placebo, tipping

if TYPE_CHECKING:
    from app_driver import Person

K = 50


def test_what_stands_and_why_on_law_school(person: Person) -> None:
    run = sample_run("law-school", "race")
    settings = at(K)
    link = person.server.workspace("law-school")
    person.follow(f"{link}&test=race&k={K}", "robustness")
    findings = int(run.summary("CST_wo", settings).significant)
    expect(headline(person)).to_contain_text(
        f"There are {findings:,} significant findings about non-white people."
    )
    person.button("Compute everything").click()
    drawn = placebo(run, settings=settings, methods=["CST_wo"], repeats=100, seed=1).counts[0]
    person.says(
        f"finds {np.median(drawn.significant):g} significant cases in the middle, "
        f"{drawn.significant.max():,} at most"
    )
    turned = tipping(run, settings=settings)
    counts = turned.counts()["significant"]
    person.says(f"with half of the effect {counts[0.5]:,}, without it {counts[0.0]:,}")
    refitted = bootstrap(run, settings=settings, refits=200, seed=1)
    person.says(f"{int(refitted.standing().sum()):,} come out in at least 95% of the refits")
    # what waits for its turn is computed with the settings of when it begins
    expect(person.main.get_by_text("Begins when the computation")).to_have_count(0)
    expect(person.button("Cancel")).to_have_count(0)
    slide(person, "ArrowRight", K + 1)
    person.says("Computed before something changed: k, τ, α or another setting.")
    slide(person, "ArrowLeft", K)
    expect(person.main.get_by_text("Computed before something changed")).to_have_count(0)

    ends = "is_significant and significant_below.notna() and significant_crossings == 1"
    her = turned.to_frame().query(ends).index[0]
    person.follow(person_link(link, her, test="race", k=K), "complainant")
    below = turned.to_frame().at[her, "significant_below"]
    person.says(f"only if less than {100 * below:.0f} % of the measured gap were due to race")
    share = refitted.to_frame().at[her, "share_significant"]
    person.says(f"In {100 * share:.0f} % of 200 refits of the causal model")


def test_the_strict_preset_and_what_k_can_show(person: Person) -> None:
    run = sample_run("loan", "Gender")
    person.follow(person.server.workspace("loan"), "overview")
    person.button("More settings").click()
    person.number("How often labels are dealt out").fill("19")
    person.page.keyboard.press("Enter")
    person.choose("Preset", "strict")
    strict = preset_settings(PRESETS["strict"], replace(at(15), relabellings=19))
    found = run.summary("CST_wo", strict)
    expect(headline(person)).to_contain_text(
        f"{found.cases:,} ({100 * found.cases / run.n_protected:.0f} %)"
    )
    expect(headline(person)).to_contain_text(f"{found.significant:,} of them")
    expect(person.page.locator(".cst-line")).to_contain_text("strict")
    person.says(strict_beside_paper(run, "CST_wo", strict))
    person.page.keyboard.press("Escape")
    person.quiet()
    person.button("What can k = 15 show?").click()
    half = smallest_detectable(EvidenceSettings(interval="exact-ratio"), base=0.5).delta
    assert half is not None
    row = person.page.get_by_role("row").filter(
        has=person.page.get_by_role("rowheader", name="50 %", exact=True)
    )
    expect(row).to_contain_text(f"{100 * half:.0f} points")
