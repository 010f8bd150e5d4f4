"""A hundred thousand people, from the upload to one complainant."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from evidence_screen import METHODS, at, check_cell, check_headline, check_person, headline, slide
from numbers_shown import numbers
from playwright.sync_api import expect

from cst_core import SearchSettings, run_single
from cst_core.errors import CSTWarning

if TYPE_CHECKING:
    from app_driver import Person

    from cst_core.results import SingleResult

ROWS = 100_000
LONG_PATIENCE = 180_000


def table() -> pd.DataFrame:
    """Return made-up people, two in five of them women, decided by what they have."""
    random = np.random.default_rng(ROWS)
    woman = random.random(ROWS) < 0.4
    income = (50 + random.normal(0, 10, ROWS) - 6 * woman).round(2)
    savings = (0.5 * income + random.normal(0, 5, ROWS) - 2 * woman).round(2)
    return pd.DataFrame(
        {
            "id": [f"N{row:06d}" for row in range(ROWS)],
            "sex": np.where(woman, "woman", "man"),
            "income": income,
            "savings": savings,
            "decision": np.where(income + savings > 72, "granted", "denied"),
        }
    )


def by_the_library(person: Person) -> SingleResult:
    """Test what the store holds: as many neighbours as the screen will be asked for."""
    with person.server.store() as store:
        case = numbers(person.draft(), store, person.link)
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        return run_single(
            case.people, case.fitted, attribute="sex", search=SearchSettings(max_neighbours=20)
        )


def test_a_hundred_thousand_uploaded_people_stay_usable(person: Person) -> None:
    frame = table()
    women = int((frame["sex"] == "woman").sum())
    denied = int((frame["decision"] == "denied").sum())
    person.start()
    person.upload("many.csv", frame.to_csv(index=False).encode())
    person.says(re.compile(f"many\\.csv: {ROWS:,} people, 5 columns"))
    person.button("Take all suggestions").click()
    person.choose("Protected: whose case is examined", f"woman ({women:,} people)")
    person.choose("Reference: who they are compared with", f"man ({ROWS - women:,} people)")
    person.write(person.field("What these people are called"), "women")
    person.kept(lambda draft: draft.roles.protected[0].protected_name == "women")
    person.choose("Negative outcome in decision", f"denied ({denied:,} people)")
    person.button("Go on to the causal model").click()
    person.button("Draw the usual arrows").click()
    person.count(nodes=4, arrows=4)
    person.kept(lambda draft: len(draft.world.edges) == 4)
    person.go("Overview")
    told = re.compile(f"^Of {women:,} women, [0-9,]+ \\(")
    expect(headline(person)).to_have_text(told, timeout=LONG_PATIENCE)
    person.quiet()
    person.unfold()  # what was not there yet when the page was opened
    run = by_the_library(person)
    check_headline(person, run.summary("CST_wo", at(15)), women, "women")
    for k in (16, 17):
        slide(person, "ArrowRight", k)
        check_headline(person, run.summary("CST_wo", at(k)), women, "women")
    for method in run.methods:
        check_cell(person, METHODS[method], run.summary(method, at(17)), women)
    person.go("One person")
    person.button("Show the first in the table").click()
    name = person.heading(re.compile("^Person N[0-9]{6}"))
    expect(name).to_be_visible(timeout=LONG_PATIENCE)
    who = name.inner_text().split()[1]
    check_person(person, run, run.index.get_loc(who), at(17))
