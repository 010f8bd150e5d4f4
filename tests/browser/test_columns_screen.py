"""The table of columns on the Data page: one screen, by keyboard, and boxes that tell the truth."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import fresh
from playwright.sync_api import ViewportSize, expect

from dashboard.draft.document import Draft, SourcePart

if TYPE_CHECKING:
    from app_driver import Person

SCREEN: ViewportSize = {"width": 1440, "height": 900}
PEOPLE = 300


def table() -> bytes:
    """Return eleven columns as an agency publishes them."""
    random = np.random.default_rng(5)
    days = pd.Timestamp("2023-01-01") + pd.to_timedelta(random.integers(0, 365, PEOPLE), unit="D")
    income = random.normal(2400, 500, PEOPLE).round(2)
    frame = pd.DataFrame(
        {
            "Lfd. Nr.": range(1, PEOPLE + 1),
            "Antragsnummer": [f"A-{i:04}" for i in random.permutation(PEOPLE)],
            "Geschlecht": random.choice(["weiblich", "männlich"], PEOPLE),
            "Alter": np.where(np.arange(PEOPLE) % 25, random.integers(19, 67, PEOPLE), 999),
            "Staatsangehörigkeit": random.choice(["Deutschland", "EU", "Drittstaat"], PEOPLE),
            "Antragsdatum": pd.Series(days).dt.strftime("%d.%m.%Y"),
            "Einkommen (€/Monat)": income,
            "Höchster Abschluss": random.choice(["Haupt", "Real", "Abitur"], PEOPLE),
            "Berufsjahre": random.integers(0, 30, PEOPLE),
            "Hat Vorkredit": random.choice(["ja", "nein"], PEOPLE),
            "Kredit bewilligt": np.where(income > 2300, "ja", "nein"),
        }
    )
    return frame.to_csv(sep=";", decimal=",", index=False).encode("cp1252")


def test_eleven_columns_fit_one_screen(person: Person) -> None:
    person.page.set_viewport_size(SCREEN)
    source = SourcePart(name="Anträge.csv", sha256="-")
    person.follow(person.server.keep(Draft(title="Kredite", source=source), table()), "data")
    person.button("Take all suggestions").click()
    expect(person.combobox("What is Geschlecht?")).to_have_value("Protected attribute")
    expect(person.combobox("What is Antragsnummer?")).to_have_value("Id of the person")
    expect(person.combobox("What is Antragsdatum?")).to_have_value("Not used")
    expect(person.combobox("What is Kredit bewilligt?")).to_have_value("Decision")
    person.still()
    box = person.page.locator(".st-key-cst-columns").bounding_box()
    assert box is not None
    assert box["height"] <= 620, "with the line of pages and a heading above it"
    for name in ("Lfd. Nr.", "Einkommen (€/Monat)", "Kredit bewilligt"):
        cell = person.main.get_by_role("strong").get_by_text(name, exact=True)
        expect(fresh(cell)).to_have_count(1)
    for field in person.page.locator(".st-key-cst-columns input[role=combobox]").all():
        wide = field.evaluate("(one) => one.scrollWidth - one.clientWidth")
        assert wide <= 1, "a role is read in full"
    person.combobox("What is Lfd. Nr.?").focus()  # and all of it can be reached by keyboard
    person.tab_to(person.combobox("How is Einkommen (€/Monat) compared?"), most=20)


def test_a_code_is_answered_and_a_weight_refused(person: Person) -> None:
    source = SourcePart(name="Anträge.csv", sha256="-")
    person.follow(person.server.keep(Draft(title="Kredite", source=source), table()), "data")
    person.button("Take all suggestions").click()
    person.says(re.compile("Does 999 in 'Alter' stand for a missing value\\? \\(12 rows"))
    person.button("Yes, missing").click()
    person.kept(lambda draft: draft.preparation.missing_values == {"Alter": (999,)})
    person.says(re.compile(r"Values are missing in Alter \(12\): 12 people of 300 lack"))
    person.still()
    person.button(re.compile("^× 1")).first.click()
    weight = person.number(re.compile("^How much .* counts when people are compared"))
    person.write(weight, "-2")
    expect(fresh(person.page.get_by_text("−2 is too low: it is at least 0."))).to_be_visible()
    assert all(one.weight == 1 for one in person.draft().roles.relevant)
    expect(weight).to_have_value(re.compile("^-2"))
    person.write(weight, "3")
    person.kept(lambda draft: draft.roles.relevant[0].weight == 3)
    expect(fresh(person.page.get_by_text(re.compile("is too low")))).to_have_count(0)
