"""Taking changes back, and finding everything again after a refresh and after a crash."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import People
from playwright.sync_api import expect

if TYPE_CHECKING:
    from app_driver import Person, Server


SALARY, BALANCE = "Annual salary", "Account balance"
VALUE = "Coefficient of Gender in AnnualSalary"


def test_a_deleted_attribute_comes_back_by_button(person: Person) -> None:
    person.follow(person.server.workspace())
    before = person.draft()
    expect(person.undo()).to_be_disabled()
    person.node(SALARY).click()
    person.page.keyboard.press("Delete")
    person.count(nodes=3, arrows=2)
    expect(person.undo()).to_be_enabled()
    person.undo().click()
    person.count(nodes=4, arrows=5)
    person.kept(lambda draft: draft == before)
    expect(person.redo()).to_be_enabled()
    person.redo().click()
    person.count(nodes=3, arrows=2)
    person.undo().click()
    person.count(nodes=4, arrows=5)
    person.kept(lambda draft: draft == before)


@pytest.mark.parametrize("where", ["drawing", "page"])
def test_keys_undo_and_redo_one_step_each(person: Person, where: str) -> None:
    person.follow(person.server.workspace())
    person.delete_arrow("Gender", SALARY)
    person.delete_arrow("Gender", BALANCE)
    person.kept(lambda draft: len(draft.world.edges) == 3)
    expect(person.undo()).to_be_enabled()
    person.quiet()

    def press(keys: str) -> None:
        if where == "drawing":
            person.node("Gender").focus()
        else:
            person.heading("Equations").click()
        person.page.keyboard.press(keys)

    press("Control+z")
    person.count(nodes=4, arrows=4)
    expect(person.arrow("Gender", BALANCE)).to_have_count(1)
    expect(person.redo()).to_be_enabled()
    person.quiet()
    person.count(nodes=4, arrows=4)  # one step, not two
    press("Control+Shift+z")
    person.count(nodes=4, arrows=3)
    expect(person.redo()).to_be_disabled()
    person.quiet()
    press("Control+z")
    person.count(nodes=4, arrows=4)
    person.quiet()
    press("Control+z")
    person.count(nodes=4, arrows=5)
    expect(person.undo()).to_be_disabled()


def test_after_an_undo_the_fields_show_the_old_values(person: Person) -> None:
    person.follow(person.server.workspace())
    fitted = person.number(VALUE).input_value()
    person.write(person.number(VALUE), "-5000")
    expect(person.page.locator(".edge-label.by-hand")).to_have_text(["−5,000"])
    person.quiet()
    person.undo().click()
    expect(person.number(VALUE)).to_have_value(fitted)
    expect(person.page.locator(".edge-label.by-hand")).to_have_count(0)
    person.redo().click()
    expect(person.number(VALUE)).to_have_value("-5000")

    person.go("Data")
    person.choose("What is AccountBalance?", "Not used")
    expect(person.combobox("How is AccountBalance compared?")).to_have_count(0)
    person.undo().click()
    expect(person.combobox("What is AccountBalance?")).to_have_value("Relevant attribute")
    expect(person.combobox("How is AccountBalance compared?")).to_be_visible()
    called = person.field("What these people are called")
    person.write(called, "Frauen")
    person.kept(lambda draft: draft.roles.protected[0].protected_name == "Frauen")
    expect(person.undo()).to_be_enabled()
    person.quiet()
    person.undo().click()
    expect(called).to_have_value("women")
    person.kept(lambda draft: draft.roles.protected[0].protected_name == "women")


def _work(person: Person) -> dict[str, Any]:
    """Change a bit of everything, and return what the screen then shows."""
    person.write(person.number(VALUE), "-5000")
    expect(person.page.locator(".edge-label.by-hand")).to_have_text(["−5,000"])
    person.select(person.arrow("Gender", SALARY))
    person.write(person.field("Why this arrow is there"), "Pay gap, 2024 survey")
    person.kept(lambda draft: draft.world.edge("Gender", "AnnualSalary").note.startswith("Pay"))
    x, y = person.middle(person.node("Gender"))
    person.drag((x, y), (x + 40, y - 90))
    person.kept(lambda draft: draft.world.node("Gender").y < 60)
    person.button("New").click()
    person.write(person.field("Name of the new causal model"), "Second opinion")
    expect(person.combobox("Causal model")).to_have_value("Second opinion")
    person.count(nodes=4, arrows=5)
    person.delete_arrow("Gender", BALANCE)
    person.kept(lambda draft: len(draft.world.edges) == 4)
    person.quiet()
    return _seen(person)


def _seen(person: Person) -> dict[str, Any]:
    nodes = person.page.locator(".react-flow__node")
    arrows = person.page.locator(".react-flow__edge")
    person.drawn()
    person.still()  # no drawing of an earlier run beside this one
    person.count(nodes=4, arrows=4)
    expect(person.page.locator(".edge-label.by-hand")).to_have_text(["−5,000"])
    return {
        "nodes": nodes.evaluate_all("all => all.map((n) => [n.ariaLabel, n.style.transform])"),
        "arrows": arrows.evaluate_all("all => all.map((n) => n.ariaLabel)"),
        "labels": person.page.locator(".edge-label").all_inner_texts(),
        "world": person.combobox("Causal model").input_value(),
        "header": person.page.locator(".cst-status b").inner_text(),
    }


def test_everything_is_there_after_a_refresh_and_after_a_crash(
    browser: Any, own_dashboard: Server
) -> None:
    people = People(browser, own_dashboard)
    people.watch.server_dies = True
    person = people.come()
    person.follow(own_dashboard.workspace())
    before = _work(person)
    assert before["world"] == "Second opinion"
    held = person.draft()

    person.page.reload()
    assert _seen(person) == before

    own_dashboard.kill()
    own_dashboard.start()
    person.page.reload()
    assert _seen(person) == before
    assert person.draft() == held
    expect(person.undo()).to_be_enabled()

    person.choose("Causal model", "linear")
    person.count(nodes=4, arrows=5)
    person.select(person.arrow("Gender", SALARY))
    expect(person.field("Why this arrow is there")).to_have_value("Pay gap, 2024 survey")
    expect(person.number(VALUE)).to_have_value("-5000")
    person.go("Open another case")
    person.says(re.compile("^Loan applications"))
    people.leave()
    people.watch.check()
