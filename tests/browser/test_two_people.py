"""Two people on one workspace: nothing is overwritten unseen, and nothing is lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import Locator, expect

if TYPE_CHECKING:
    from app_driver import People, Person


SALARY, BALANCE, LOAN = "Annual salary", "Account balance", "Loan approval"


def _both(people: People) -> tuple[Person, Person]:
    link = people.server.workspace()
    ada, ben = people.come(), people.come()
    ada.follow(link)
    ada.call_yourself("Ada")
    ben.follow(link)
    ben.call_yourself("Ben")
    return ada, ben


def _conflict(person: Person) -> Locator:
    return person.page.locator(".st-key-cst-conflict")


def _look(person: Person, what: str) -> None:
    """Open an earlier state from the list of changes."""
    row = person.main.get_by_text(what).first.locator("xpath=ancestor::*[.//button][1]")
    person.button("Look", within=row).click()


def test_a_change_by_someone_else_is_announced(people: People) -> None:
    ada, ben = _both(people)
    ada.delete_arrow("Gender", BALANCE)
    ben.says("Ada changed this workspace:")
    ben.says(re.compile("Deleted the arrow Gender → AccountBalance"))
    ben.count(nodes=4, arrows=5)  # nothing moves under his hands
    ben.button("Show the newest version").click()
    ben.count(nodes=4, arrows=4)
    expect(ben.main.get_by_text("Ada changed this workspace:")).to_have_count(0)
    ben.delete_arrow("Gender", SALARY)
    ben.kept(lambda draft: len(draft.world.edges) == 3)  # no conflict any more


def _clash(people: People, theirs: tuple[str, str], mine: tuple[str, str]) -> tuple[Person, Person]:
    """Let Ada delete an arrow and Ben, before he hears of it, another; show Ben's conflict."""
    ada, ben = _both(people)
    ada.delete_arrow(*theirs)
    ada.kept(lambda draft: len(draft.world.edges) == 4)
    ben.delete_arrow(*mine)
    box = _conflict(ben)
    expect(box).to_contain_text("Two people changed this workspace at the same time")
    expect(box).to_contain_text("Ada saved a change while you were making yours")
    expect(ben.header).to_contain_text("Set aside until you choose")
    return ada, ben


def test_both_changes_are_kept(people: People) -> None:
    _, ben = _clash(people, ("Gender", BALANCE), ("Gender", SALARY))
    columns = _conflict(ben).get_by_test_id("stColumn")
    expect(columns.nth(0)).to_contain_text("Gender → AccountBalance")
    expect(columns.nth(1)).to_contain_text("Gender → AnnualSalary")
    ben.button("Keep both changes").click()
    expect(_conflict(ben)).to_have_count(0)
    ben.count(nodes=4, arrows=3)
    ben.saved()
    kept = {(edge.cause, edge.effect) for edge in ben.draft().world.edges}
    assert not kept & {("Gender", "AccountBalance"), ("Gender", "AnnualSalary")}


def test_keeping_theirs_sets_mine_aside_and_brings_it_back(people: People) -> None:
    _, ben = _clash(people, ("Gender", BALANCE), ("Gender", SALARY))
    ben.button("Keep theirs").click()
    expect(_conflict(ben)).to_have_count(0)
    expect(ben.arrow("Gender", SALARY)).to_have_count(1)
    expect(ben.arrow("Gender", BALANCE)).to_have_count(0)
    ben.says("Your change is set aside under History and sharing.")
    ben.go("History and sharing")
    _look(ben, "Set aside (not in use): Deleted the arrow Gender → AnnualSalary")
    dialog = ben.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Gender → AnnualSalary")
    ben.button("Bring this state back", within=dialog).click()
    expect(dialog).to_have_count(0)
    ben.go("Causal model")
    expect(ben.arrow("Gender", BALANCE)).to_have_count(1)
    expect(ben.arrow("Gender", SALARY)).to_have_count(0)


def test_keeping_mine_leaves_theirs_in_the_history(people: People) -> None:
    _, ben = _clash(people, ("Gender", BALANCE), ("Gender", SALARY))
    ben.button("Keep mine").click()
    expect(_conflict(ben)).to_have_count(0)
    expect(ben.arrow("Gender", BALANCE)).to_have_count(1)
    expect(ben.arrow("Gender", SALARY)).to_have_count(0)
    ben.kept(lambda draft: draft.world.edge("Gender", "AnnualSalary") is None)
    ben.go("History and sharing")
    ben.says(re.compile("Kept own version"))
    _look(ben, "Deleted the arrow Gender → AccountBalance")
    dialog = ben.page.get_by_role("dialog")
    ben.button("Bring this state back", within=dialog).click()
    ben.go("Causal model")
    expect(ben.arrow("Gender", BALANCE)).to_have_count(0)
    expect(ben.arrow("Gender", SALARY)).to_have_count(1)


def test_two_values_for_one_coefficient_cannot_both_be_kept(people: People) -> None:
    ada, ben = _both(people)
    value = "Coefficient of Gender in AnnualSalary"
    ada.write(ada.number(value), "-5000")
    expect(ada.page.locator(".edge-label.by-hand")).to_have_text(["−5,000"])
    ben.write(ben.number(value), "-7000")
    box = _conflict(ben)
    expect(box).to_contain_text("only one of them can be in use")
    expect(box).to_contain_text("−5000")
    expect(box).to_contain_text("−7000")
    ben.quiet()
    expect(ben.button("Keep both changes")).to_have_count(0)
    assert ben.draft().world.equation("AnnualSalary").coefficients["Gender"].value == -5000
    ben.button("Keep mine").click()
    expect(ben.page.locator(".edge-label.by-hand")).to_have_text(["−7,000"])
    expect(ben.number(value)).to_have_value("-7000")
    ada.says("Ben changed this workspace:")
    ada.button("Show the newest version").click()
    expect(ada.number(value)).to_have_value("-7000")
    ada.go("History and sharing")
    ada.says(re.compile("Set the coefficient of Gender in AnnualSalary to −5000 by hand"))
