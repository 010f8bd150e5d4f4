"""A case is read like a story: the answer first, Back that works, nothing that misleads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from evidence_cases import sample_run
from evidence_screen import at, headline, slider
from playwright.sync_api import expect

from cst_core.explain import stories, story_counts

if TYPE_CHECKING:
    from app_driver import Person

WIDER = """() => document.querySelector('[data-testid="stMain"]').scrollWidth
  - document.querySelector('[data-testid="stMain"]').clientWidth"""


def test_a_sample_opens_on_its_story_and_leads_to_a_printed_person(person: Person) -> None:
    run = sample_run("loan", "Gender")
    person.start()
    person.button("Open loan applications").click()  # 1
    expect(person.heading("What was found")).to_be_visible()
    found = run.summary("CST_wo", at(15))
    expect(headline(person)).to_contain_text(f"{found.significant:,} of them statistically")
    counts = story_counts(
        stories(run, "against"), run.evidence("CST_wo", at(15)).is_significant
    ).values()
    told = person.main.locator(".cst-stories b")
    expect(told).to_have_text([f"{many:,}" for many in counts])
    expect(person.page.locator("img.cst-picture")).to_be_visible()
    person.quiet()
    person.button("Look at one person").click()  # 2
    person.quiet()
    person.button(re.compile("Show the first in the table")).click()  # 3
    expect(person.heading(re.compile("^Person "))).to_be_visible()
    expect(person.page.locator(".cst-sheet")).to_have_count(1)  # 4: Ctrl+P
    assert person.page.evaluate(WIDER) <= 0


def test_back_has_one_entry_for_each_page_and_person(person: Person) -> None:
    person.follow(person.server.workspace("loan"), "overview")
    expect(headline(person)).to_be_visible()
    person.quiet()
    person.go("One person")
    person.button(re.compile("Show the first in the table")).click()
    who = person.heading(re.compile("^Person "))
    expect(who).to_be_visible()
    first = who.inner_text()
    person.quiet()
    person.button(re.compile("Next$")).click()
    expect(who).not_to_have_text(first)
    person.quiet()
    slider(person).focus()
    for _ in range(3):  # a setting that is moved is no place to come back to
        person.page.keyboard.press("ArrowRight")
        person.quiet()
    person.link_to("Doubts").click()
    expect(person.heading("Robustness")).to_be_visible()
    person.quiet()
    person.page.go_back()
    expect(who).to_be_visible()
    expect(who).not_to_have_text(first)
    person.quiet()
    person.page.go_back()
    expect(who).to_have_text(first)
    person.quiet()
    person.page.go_back()
    expect(person.heading("Overview")).to_be_visible()


def test_a_click_in_a_row_opens_its_person_and_makes_room(person: Person) -> None:
    run = sample_run("loan", "Gender")
    person.follow(person.server.workspace("loan"), "complainant")
    table = person.page.get_by_test_id("stDataFrame").first
    expect(table).to_be_visible()
    person.still()
    table.click(position={"x": 150, "y": 55})  # the first row, not its box
    who = person.heading(re.compile("^Person "))
    expect(who).to_be_visible()
    name = who.inner_text().removeprefix("Person ")
    place = list(map(str, run.index)).index(name)
    evidence = run.evidence("CST_wo", at(15))
    there = run.counterfactual_negative
    assert there is not None
    turns = run.refused & ~there[run.is_protected]
    assert (evidence.is_significant & turns)[place]
    strong = np.flatnonzero(evidence.is_significant & turns & ~evidence.zero_width)
    assert evidence.bound[place] == pytest.approx(evidence.bound[strong].max())
    expect(person.page.get_by_test_id("stDataFrame")).to_have_count(0)
    expect(headline(person)).to_be_in_viewport()


def test_a_number_out_of_bounds_is_refused_beside_its_box(person: Person) -> None:
    person.follow(person.server.workspace("loan"), "overview")
    expect(headline(person)).to_be_visible()
    said = headline(person).inner_text()
    box = person.number(re.compile("Accepted difference"))
    box.fill("5")
    box.press("Enter")
    person.says(
        "τ must be a number from −1 to 1 (5 % is written 0.05); 5 is not, so nothing was changed."
    )
    expect(box).to_have_value("0")
    expect(headline(person)).to_have_text(said)
    box.fill("0.05")
    box.press("Enter")
    expect(person.page.locator(".cst-line")).to_contain_text("τ 0.05")
    expect(person.main.get_by_text("so nothing was changed")).to_have_count(0)


def test_words_are_explained_where_they_stand(person: Person) -> None:
    person.follow(person.server.workspace("loan"), "overview")
    word = person.main.locator(".cst-headline .cst-term").first
    expect(word).to_have_attribute("aria-label", re.compile("^statistically significant: "))
    word.focus()
    shown = word.evaluate("(one) => getComputedStyle(one, '::after').content")
    assert len(shown) > 40


@pytest.mark.parametrize("path", ["story", "overview", "complainant"])
def test_on_a_phone_nothing_is_wider_than_the_screen(person: Person, path: str) -> None:
    person.page.set_viewport_size({"width": 390, "height": 844})
    link = person.server.workspace("loan")
    person.follow(f"{link}&person=L0015" if path == "complainant" else link, path)
    expect(headline(person)).to_be_visible()
    person.still()
    assert person.page.evaluate(WIDER) <= 0


def test_the_printed_overview_says_its_settings(person: Person) -> None:
    person.follow(f"{person.server.workspace('loan')}&k=30&alpha=0.01", "overview")
    expect(headline(person)).to_be_visible()
    person.still()
    person.page.emulate_media(media="print")
    line = person.page.locator(".cst-line")
    expect(line).to_be_visible()
    expect(line).to_contain_text("k 30 · τ 0 · α 1 %")


def test_the_shared_link_opens_the_case_with_its_settings(person: Person) -> None:
    person.follow(f"{person.server.workspace('loan')}&k=30", "story")
    expect(headline(person)).to_be_visible()
    person.go("History and sharing")
    link = person.main.get_by_test_id("stCode").first.inner_text().strip()
    assert link.startswith(f"{person.server.address}/story?w=")
    person.page.goto(link)
    expect(person.heading("What was found")).to_be_visible()
    person.says(re.compile(r"with groups of k = 30\."))
