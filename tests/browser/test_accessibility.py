"""Every page, light and dark, by axe-core; and the way to a complainant by keyboard alone.

axe-core comes with the packages that npm installs to build the drawing editor.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import PARTS
from evidence_cases import sample_run
from evidence_screen import at, check_headline, check_person, headline, person_link, slider
from playwright.sync_api import expect

import dashboard

if TYPE_CHECKING:
    from app_driver import People, Person

PACKAGES = Path(dashboard.__file__).parent / "dag_editor/frontend/node_modules"
AXE = PACKAGES / "axe-core/axe.min.js"
# What stands near the end of a page, so that all of it is there when axe looks.
END = {
    "start": "Your recent workspaces",
    "data": "5. Who decides",
    "causal-model": "Equations",
    "overview": "Read with care",
    "two-worlds": "Decisions that would turn",
    "groups": "A handful of cases",
    "story": "What was found",
    "complainant": "By all four methods",
    "several": "The people behind it",
    "words": "What it cannot show",
    "history": "Copy or delete",
}


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.exists():
        pytest.skip("axe-core is not there: npm has not installed the editor's packages")
    return AXE.read_text(encoding="utf-8")


def grave(person: Person, axe: str) -> list[str]:
    """Return what axe finds serious or critical on the page, a line for each element."""
    person.still()  # what is only faded is no finding
    person.page.evaluate(axe)  # the page's policy forbids a script element
    found: dict[str, Any] = person.page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], elementRef: false})"
    )
    return [
        f"{rule['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    people: People, axe: str, scheme: Literal["light", "dark"]
) -> None:
    person = people.come()
    person.page.set_viewport_size({"width": 1440, "height": 1000})
    person.page.emulate_media(color_scheme=scheme)
    person.start()
    found = {"start, nothing open": grave(person, axe)}
    person.follow(person_link(person.server.workspace("law-school"), 0), "complainant")
    for title, (_, path, _) in sorted(PARTS.items(), key=lambda item: item[1][1] != "complainant"):
        if path != "complainant":
            person.go(title)
        end = END.get(path, title)
        expect(person.page.get_by_role("heading", name=end).first).to_be_visible()
        found[path] = grave(person, axe)
    assert not any(found.values()), {path: lines for path, lines in found.items() if lines}


def test_from_start_to_a_complainant_with_the_keyboard_alone(person: Person) -> None:
    run, keyboard = sample_run("loan", "Gender"), person.page.keyboard
    person.start()
    person.quiet()
    person.tab_to(person.button("Open loan applications"))
    keyboard.press("Enter")
    expect(person.heading("What was found")).to_be_visible()
    person.quiet()
    person.tab_to(person.link_to("Findings"), 120)
    keyboard.press("Enter")
    check_headline(person, run.summary("CST_wo", at(15)), run.n_protected, "women")
    person.quiet()
    person.tab_to(person.main.locator(".st-key-cst-settings summary"), 120)
    keyboard.press("Enter")
    person.tab_to(slider(person))
    keyboard.press("ArrowRight")
    check_headline(person, run.summary("CST_wo", at(16)), run.n_protected, "women")
    person.quiet()
    person.tab_to(person.link_to("One person"), 120)
    keyboard.press("Enter")
    person.tab_to(person.field("Search by id"), 120)
    keyboard.type("L0003")
    keyboard.press("Enter")
    heading = person.heading(re.compile("^Person "))
    expect(heading).to_have_text("Person L0003")
    check_person(person, run, list(run.index).index("L0003"), at(16))
    person.quiet()
    person.tab_to(person.button(re.compile("Next$")), 120)
    keyboard.press("Enter")
    expect(heading).not_to_have_text("Person L0003")
    expect(headline(person)).to_contain_text("women most like her (16 people)")
