"""Every page: its headers and console, the keyboard alone, and several causal models."""

from __future__ import annotations

import re
import urllib.request
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from app_driver import Person, Server


def test_every_answer_carries_the_security_headers(dashboard: Server) -> None:
    for path in ("/", "/causal-model", "/_stcore/health", "/static/none.js"):
        request = urllib.request.Request(f"{dashboard.address}{path}")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                headers = answer.headers
        except urllib.error.HTTPError as refused:
            with refused:
                headers = refused.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
        assert "'unsafe-inline'" not in scripts
        assert "'unsafe-eval'" not in scripts
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_no_page_without_a_workspace_says_anything_on_the_console(person: Person) -> None:
    """What the watch over every browser looks for; with a workspace, axe's test visits each."""
    person.start()
    for page in ("data", "causal-model", "history"):
        person.page.goto(f"{person.server.address}/{page}")
        person.says("No workspace is open")


def test_from_start_to_an_arrow_with_the_keyboard_alone(person: Person) -> None:
    keyboard = person.page.keyboard
    person.start()
    person.quiet()
    person.tab_to(person.button("Open loan applications"))
    keyboard.press("Enter")
    expect(person.heading("What was found")).to_be_visible()
    person.quiet()
    person.tab_to(person.link_to("Causal model"), 120)
    keyboard.press("Enter")
    person.drawn()
    person.quiet()
    person.tab_to(person.arrow("Gender", "Annual salary"))
    keyboard.press("Delete")
    person.count(nodes=4, arrows=4)
    person.kept(lambda draft: len(draft.world.edges) == 4)
    person.quiet()
    person.tab_to(person.tool("Draw an arrow"), 40, key="Shift+Tab")
    keyboard.press("Enter")
    cause, effect = person.combobox("From"), person.combobox("To")
    person.tab_to(cause, 20)
    keyboard.type("Gender")
    keyboard.press("Tab")
    keyboard.type("Annual")
    expect(effect).to_have_value("AnnualSalary")
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(person.arrow("Gender", "Annual salary")).to_have_attribute(
        "aria-label", re.compile("coefficient −14,9")
    )
    person.kept(lambda draft: len(draft.world.edges) == 5)


def test_the_law_school_has_two_worlds_to_compare(person: Person) -> None:
    person.start()
    person.open_sample("law school admissions")
    expect(person.combobox("Causal model")).to_have_value("linear")
    person.count(nodes=5, arrows=6)
    person.choose("Causal model", "log-link")
    expect(person.header).to_contain_text("Causal model: log-link")
    person.says(re.compile("with a log link for LSAT"))
    person.choose("Equation for", "LSAT")
    expect(person.page.locator(".cst-math")).to_contain_text("ln(LSAT)")

    person.open("Compare", exact=True)
    expect(person.page.locator(".react-flow")).to_have_count(2)
    person.says(re.compile("^LSAT, .*they multiply in log-link, they add up in linear"))
    marked = person.page.locator(".react-flow__edge .arrow.differs")
    expect(marked).to_have_count(4)  # the two arrows into LSAT, in both drawings
    person.open("Compare", exact=True)
    expect(person.page.locator(".react-flow")).to_have_count(1)

    person.button("New").click()
    person.write(person.field("Name of the new causal model"), "without gender")
    expect(person.combobox("Causal model")).to_have_value("without gender")
    person.count(nodes=5, arrows=6)
    person.delete_arrow("gender", "UGPA")
    draft = person.kept(lambda draft: len(draft.world.edges) == 5)
    assert [len(world.edges) for world in draft.worlds] == [6, 6, 5]
    person.open("Compare", exact=True)
    person.choose("Compare with", "log-link")
    person.says("Only log-link has the arrow gender → UGPA.")
