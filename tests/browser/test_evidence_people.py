"""Complainants hard to show: small groups, no decision maker, names that want to do harm."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from evidence_cases import (
    HOSTILE_IDS,
    LONG,
    PICTURE,
    RIGHT_TO_LEFT,
    SCRIPT,
    few_people,
    few_people_run,
    sample_run,
)
from evidence_screen import (
    METHODS,
    at,
    check_cell,
    check_headline,
    check_person,
    headline,
    person_link,
    telling,
)
from playwright.sync_api import expect

from cst_core.scenario import RecordedPart
from dashboard.draft.files import sample_draft
from dashboard.shared.text import set_apart

if TYPE_CHECKING:
    from app_driver import Person

JOINER = "\N{WORD JOINER}"
WHY = "it needs the decision on the counterfactual person, and this case has no decision maker"
MOST = 11  # of twelve protected people, all but herself


def shown(name: str) -> str:
    """Return a name as Markdown places show it: something invisible keeps addresses apart."""
    return set_apart(name).replace("http:", f"http:{JOINER}")


def check_only_names(person: Person) -> None:
    """Check that nothing of a name became a picture, a link or an element, or made the page wide.

    The pictures of her page are drawn by the program and lie within the page.
    """
    pictures = person.main.locator("img:not([src^='data:image/svg+xml'])")
    expect(pictures).to_have_count(0)
    expect(person.main.locator("a[href*=invalid]:not([href^='#'])")).to_have_count(0)
    expect(person.main.locator("table b > b, h1 b, h2 b")).to_have_count(0)
    width = "(main) => main.scrollWidth - main.clientWidth"
    assert person.main.evaluate(width) <= 0


def test_without_a_decision_maker_two_methods_say_why_they_cannot(person: Person) -> None:
    run = sample_run("loan", "Gender")
    draft, data = sample_draft("loan")
    draft = draft.model_copy(update={"decision_maker": RecordedPart()})
    link = person.server.keep(draft, data)
    for method in ("CST_w", "CF"):
        person.follow(f"{link}&method={method}", "overview")
        person.says(re.compile(f"^This method is not available, so CST w/o is shown: {WHY}"))
        check_headline(person, run.summary("CST_wo", at(15)), run.n_protected, "women")
    rows = person.main.locator(".cst-counts").get_by_role("row")
    expect(rows.filter(has_text=WHY)).to_have_count(2)
    for method in ("CST_wo", "ST"):
        check_cell(person, METHODS[method], run.summary(method, at(50)), run.n_protected)
    place = telling(run, 15)
    person.follow(person_link(link, run.index[place], method="CF"), "complainant")
    person.says(re.compile(f"^This method is not available, so CST w/o is shown: {WHY}"))
    check_person(person, run, place, at(15))
    person.says(re.compile(f"CST w/ and CF: not available.*{WHY}"))


def test_several_attributes_without_a_decision_maker(person: Person) -> None:
    person.follow(f"{person.server.keep(*few_people())}&method=CST_w", "several")
    person.says(re.compile(f"^This method is not available, so CST w/o is shown: {WHY}"))
    expect(headline(person)).to_have_text(re.compile("^4 people are at once "))


def test_groups_smaller_than_k(person: Person) -> None:
    draft, data = few_people()
    run = few_people_run(draft, data)
    found = run.evidence("CST_wo", at(MOST))
    link = person.server.keep(draft, data)
    small = run.index.get_loc("P09")
    assert found.has_evidence[small]
    assert 0 < found.n_control[small] < found.n_test[small] < MOST
    person.follow(person_link(link, "P09"), "complainant")
    check_person(person, run, small, at(MOST))
    person.says(re.compile(f"The control group has only 1 person, fewer than k = {MOST}"))
    person.says(re.compile(f"The test group has only 4 people, fewer than k = {MOST}"))
    alone = run.index.get_loc("P06")
    assert found.n_control[alone] == 0
    assert not found.has_evidence[alone]
    person.follow(person_link(link, "P06"), "complainant")
    expect(headline(person)).to_have_text(re.compile("^Nobody is in one of the two groups"))
    person.says(re.compile("Nobody is in the control group, so nothing can be compared"))
    expect(person.main).not_to_contain_text(re.compile(r"\b(nan|NaN|inf)\b"))
    person.follow(link, "overview")
    check_headline(person, run.summary("CST_wo", at(MOST)), 12, SCRIPT)
    nobody, few = (~found.has_evidence).sum(), run.summary("CST_wo", at(MOST)).small_groups
    person.says(re.compile(f"^{nobody} people have nobody in one of the two groups"))
    person.says(re.compile(f"^{few} people have groups smaller than asked for by k = {MOST}"))


def test_names_that_want_to_do_harm_on_the_evidence_pages(person: Person) -> None:
    draft, data = few_people()
    run = few_people_run(draft, data)
    link = person.server.keep(draft, data)
    person.follow(link, "overview")
    check_headline(person, run.summary("CST_wo", at(MOST)), 12, SCRIPT)
    person.says(f"than of the {MOST} {LONG} most like who this person would have been.")
    check_only_names(person)
    person.go("Both worlds")
    person.says(re.compile(f"the one in which {re.escape(SCRIPT)} live"))
    person.says(set_apart(RIGHT_TO_LEFT))
    check_only_names(person)
    person.go("Groups")
    person.says("On average")
    person.says(re.compile(f"the {MOST} {re.escape(SCRIPT)} most like the person"))
    person.choose("Cases shown", "People I name by their id")
    person.write(person.field(re.compile("^Ids, ")), SCRIPT)
    expect(person.main.get_by_role("rowheader", name=SCRIPT).first).to_be_visible()
    check_only_names(person)
    person.go("Several attributes")
    expect(headline(person)).to_contain_text(f"at once {SCRIPT} who are also {PICTURE}")
    person.says("The people behind it")
    check_only_names(person)


def test_names_that_want_to_do_harm_on_a_complainants_page(person: Person) -> None:
    draft, data = few_people()
    run = few_people_run(draft, data)
    link = person.server.keep(draft, data)
    name = person.heading(re.compile("^Person "))
    for who in HOSTILE_IDS:
        person.follow(person_link(link, who), "complainant")
        expect(name).to_contain_text(shown(who)[:70])
        person.says("By all four methods")
        place = run.index.get_loc(who)
        if run.evidence("CST_wo", at(MOST)).has_evidence[place]:
            check_person(person, run, place, at(MOST))
        check_only_names(person)
    person.button(re.compile("Bookmark$")).click()
    person.write(person.field("Note (optional)"), SCRIPT + PICTURE)
    person.button("Bookmark this person", within=person.page.locator("body")).click()
    person.kept(lambda draft: [item.note for item in draft.bookmarks] == [SCRIPT + PICTURE])
    person.page.keyboard.press("Escape")
    person.open(re.compile("^Control group: .*everyone, one by one$"))
    expect(person.cells("td").filter(has_text=SCRIPT).first).to_be_attached()
    person.open("Find a person", exact=True)
    person.write(person.field("Search by id"), PICTURE)
    expect(name).to_have_text(f"Person {shown(PICTURE)}")
    check_only_names(person)


@pytest.mark.parametrize("width", [1024, 1440])
def test_the_table_of_people_shows_all_of_its_columns(person: Person, width: int) -> None:
    person.page.set_viewport_size({"width": width, "height": 1100})
    person.follow(person.server.workspace("berkeley"), "complainant")
    grid = person.main.locator(".st-key-complainant-people [data-testid='stDataFrame']")
    heads = grid.locator("th")
    expect(heads.filter(has_text="Holds?")).to_have_count(1)
    assert [head.strip() for head in heads.all_inner_texts() if head.strip()][:3] == [
        "Person",
        "Own decision",
        "Δp",
    ]
    wide = "(scroller) => scroller.scrollWidth - scroller.clientWidth"
    assert grid.locator(".dvn-scroller").evaluate(wide) <= 1


def test_a_person_of_several_attributes_is_opened_in_their_test(person: Person) -> None:
    person.follow(person.server.workspace("law-school"), "several")
    grid = person.main.get_by_test_id("stDataFrame")
    grid.scroll_into_view_if_needed()
    expect(grid.locator("th").filter(has_text="Id")).to_have_count(1)
    grid.click(position={"x": 20, "y": 55})  # the box before the first row
    person.button(re.compile(r"Open \d+")).click()
    expect(person.heading(re.compile(r"^Person \d+"))).to_be_visible()
    person.quiet()
    person.unfold()
    expect(person.combobox("Protected attribute")).to_have_value("all of them (multiple)")
    person.says(re.compile("^Both protected attributes show a difference"))
    person.go("Overview")
    expect(person.combobox("Protected attribute")).to_have_value("all of them (multiple)")
