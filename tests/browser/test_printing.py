"""One person on paper: two sides, whatever the case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import numpy as np
from evidence_cases import few_people, law_school_both
from playwright.sync_api import expect

from cst_core import EvidenceSettings

if TYPE_CHECKING:
    from app_driver import Person

PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


def sides(person: Person, link: str) -> int:
    """Return how many sides the printed page about one person has."""
    person.follow(link, "complainant")
    expect(person.page.locator(".cst-sheet")).to_have_count(1, timeout=120_000)
    person.quiet()
    return len(PAGE.findall(person.page.pdf(prefer_css_page_size=True)))


def test_a_person_of_the_loan_sample(person: Person) -> None:
    link = person.server.workspace("loan")
    for settings in ("k=15", "k=90&method=CST_w", "k=500&method=CF"):
        assert sides(person, f"{link}&person=L0015&{settings}") == 2, settings


def test_a_multiple_and_an_intersectional_test(person: Person) -> None:
    multiple, _ = law_school_both()
    evidence = multiple.evidence("CST_wo", EvidenceSettings(n_neighbours=30))
    who = multiple.index[int(np.argmax(evidence.delta))]
    link = person.server.workspace("law-school")
    for settings in (
        "test=multiple&k=30",
        "test=multiple&k=90&by=race&method=CST_w",
        "test=intersectional&k=30",
    ):
        assert sides(person, f"{link}&person={who}&{settings}") == 2, settings


def test_small_groups_and_names_of_every_kind(person: Person) -> None:
    draft, data = few_people()
    link = person.server.keep(draft, data)
    for who in ("P07", *re.findall(r"^(Wohn\w+),", data.decode(), re.MULTILINE)[:1]):
        assert sides(person, f"{link}&person={quote(who)}") == 2, who
