"""The k slider through its range, and links that hold settings: numbers as the library's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import fresh
from evidence_cases import law_school_both, sample_run
from evidence_screen import (
    METHODS,
    at,
    check_cell,
    check_headline,
    check_overlap,
    check_person,
    person_link,
    slide,
    slider,
    telling,
)
from playwright.sync_api import expect

from cst_core.testing import overlap

if TYPE_CHECKING:
    from app_driver import Person

SAMPLES = pytest.mark.parametrize(
    ("sample", "attribute"), [("loan", "Gender"), ("law-school", "gender")]
)
THROUGH = (("Home", 1), ("ArrowRight", 2), ("ArrowUp", 3), ("End", 500), ("ArrowLeft", 499))


@SAMPLES
def test_the_slider_goes_through_its_range(person: Person, sample: str, attribute: str) -> None:
    run = sample_run(sample, attribute)
    link = person.server.workspace(sample)
    person.follow(link, "overview")
    check_headline(person, run.summary("CST_wo", at(15)), run.n_protected, "women")
    for method in run.methods:
        for k in (15, 50, 250):
            check_cell(person, METHODS[method], run.summary(method, at(k)), run.n_protected)
    for key, k in THROUGH:
        slide(person, key, k)
        check_headline(person, run.summary("CST_wo", at(k)), run.n_protected, "women")
        for method in run.methods:
            check_cell(person, METHODS[method], run.summary(method, at(k)), run.n_protected)
        expect(person.number("k as a number")).to_have_value(str(k))
    person.write(person.number("k as a number"), "137")
    expect(slider(person)).to_have_value("137")
    check_headline(person, run.summary("CST_wo", at(137)), run.n_protected, "women")
    slide(person, "ArrowRight", 138)  # the slider that follows the number can be moved on
    check_headline(person, run.summary("CST_wo", at(138)), run.n_protected, "women")
    person.follow(link, "overview")  # saved with the workspace
    expect(slider(person)).to_have_value("138")
    check_headline(person, run.summary("CST_wo", at(138)), run.n_protected, "women")


@SAMPLES
def test_the_slider_on_a_complainants_page(person: Person, sample: str, attribute: str) -> None:
    run = sample_run(sample, attribute)
    place = telling(run, 40)
    who = run.index[place]
    link = person_link(person.server.workspace(sample), who, k=40)
    person.follow(link, "complainant")
    expect(person.heading(f"Person {who}")).to_be_visible()
    check_person(person, run, place, at(40))
    for key, k in (("ArrowRight", 41), ("Home", 1), ("End", 500)):
        slide(person, key, k)
        check_person(person, run, place, at(k))


def test_the_slider_on_several_attributes(person: Person) -> None:
    multiple, crossed = law_school_both()
    n = multiple.n_protected
    person.follow(person.server.workspace("law-school"), "several")
    check_overlap(person, multiple, crossed, 15)
    for key, k in (("ArrowRight", 16), ("Home", 1), ("End", 500)):
        slide(person, key, k)
        check_overlap(person, multiple, crossed, k)
        together, meeting = (result.summary("CST_wo", at(k)) for result in (multiple, crossed))
        check_cell(person, "Multiple: both at once", together, n)
        check_cell(person, "Intersectional, as in the paper", meeting, n)
    person.open("Significant only", exact=True)
    check_overlap(person, multiple, crossed, 500, significant=True)
    parts = overlap(multiple, crossed, method="CST_wo", settings=at(500), significant=True).parts
    for part, size in parts.value_counts().items():
        name = f"{str(part).capitalize()} ({size:,})"
        expect(fresh(person.main.get_by_text(name, exact=True))).to_be_visible()
    person.write(person.number("k as a number"), "30")
    check_overlap(person, multiple, crossed, 30, significant=True)


@SAMPLES
def test_a_link_brings_its_settings(person: Person, sample: str, attribute: str) -> None:
    run = sample_run(sample, attribute)
    settings = at(40, 0.05, 0.1)
    asked = "k=40&tau=0.05&alpha=0.1&method=ST"
    link = person.server.workspace(sample)
    person.follow(f"{link}&{asked}", "overview")
    check_headline(person, run.summary("ST", settings), run.n_protected, "women", level="10 %")
    expect(slider(person)).to_have_value("40")
    expect(person.number("Accepted difference τ")).to_have_value("0.05")
    expect(person.number("Error level α")).to_have_value("0.1")
    person.says(re.compile("by more than 5 points"))
    place = telling(run, 40)
    asked = asked.replace("method=ST", "method=CST_w")
    person.follow(f"{person_link(link, run.index[place])}&{asked}", "complainant")
    check_person(person, run, place, settings, "CST_w")
    person.follow(link, "overview")  # the settings were that link's, not the workspace's
    check_headline(person, run.summary("CST_wo", at(15)), run.n_protected, "women")


def test_a_link_to_nobody_says_so(person: Person) -> None:
    run = sample_run("loan", "Gender")
    link = person.server.workspace("loan")
    men = [name for name in ("L0002", "L0006", "L0007") if name not in run.index]
    person.follow(person_link(link, men[0]), "complainant")
    person.says(re.compile(f"{men[0]}” is in the data, but not one of the women"))
    person.follow(person_link(link, "nobody-has-this"), "complainant")
    person.says(re.compile("Nobody in the data has the id “nobody"))
    person.follow(person_link(link, "L0001", k="many", tau="nan", method="XX"), "complainant")
    check_person(person, run, 0, at(15))  # settings that cannot be read are passed over
