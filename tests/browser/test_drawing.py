"""Drawing: the loan sample, arrows by mouse, coefficients by hand, and what is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from numbers_shown import first_number, numbers
from playwright.sync_api import expect

if TYPE_CHECKING:
    from app_driver import Person


SALARY, BALANCE, LOAN = "Annual salary", "Account balance", "Loan approval"
VALUE = "Coefficient of Gender in AnnualSalary"


def label(person: Person, cause: str, effect: str) -> float:
    """Return the coefficient that an arrow says."""
    arrow = person.arrow(cause, effect)
    expect(arrow).to_have_attribute("aria-label", re.compile("coefficient"))
    return first_number(str(arrow.get_attribute("aria-label")).rpartition("coefficient")[2])


def fitted(person: Person) -> float:
    """Return Gender's coefficient in the salary, as the library fits it now."""
    with person.server.store() as store:
        return numbers(person.draft(), store, person.link).coefficient("Gender", "AnnualSalary")


def test_the_loan_sample_opens_drawn_and_fitted(person: Person) -> None:
    person.start()
    person.open_sample("loan applications")
    person.count(nodes=4, arrows=5)
    for name, role in (
        ("Gender", "protected attribute"),
        (SALARY, "relevant attribute"),
        (BALANCE, "relevant attribute"),
        (LOAN, "decision"),
    ):
        expect(person.node(name)).to_have_attribute("aria-label", re.compile(f"^{name}, {role}"))
    with person.server.store() as store:
        model = numbers(person.draft(), store, person.link)
    names = {"Gender": "Gender", "AnnualSalary": SALARY, "AccountBalance": BALANCE}
    for cause, effect in (
        ("Gender", "AnnualSalary"),
        ("Gender", "AccountBalance"),
        ("AnnualSalary", "AccountBalance"),
    ):
        shown = label(person, names[cause], names[effect])
        assert shown == pytest.approx(model.coefficient(cause, effect), rel=5e-3)
    expect(person.page.locator(".edge-label")).to_have_text(
        [re.compile("^−14,9"), re.compile("^−1,"), re.compile("^0.3"), "× 1", "× 5"]
    )
    expect(person.header).to_contain_text("Loan applications")
    expect(person.header).to_contain_text("Data: loan.csv")
    expect(person.header).to_contain_text("Causal model: linear")
    person.saved()


def test_an_arrow_drawn_by_mouse_gets_its_fitted_coefficient(person: Person) -> None:
    person.follow(person.server.workspace())
    person.delete_arrow("Gender", SALARY)
    expect(person.combobox("Equation for")).to_have_value(BALANCE)  # no equation without a cause
    person.quiet()
    person.draw_arrow("Gender", SALARY)
    shown = label(person, "Gender", SALARY)
    person.count(nodes=4, arrows=5)
    assert shown == pytest.approx(fitted(person), rel=5e-3)
    assert person.draft().world.edge("Gender", "AnnualSalary") is not None


def test_a_coefficient_set_by_hand_moves_drawing_and_preview(person: Person) -> None:
    person.follow(person.server.workspace())
    before = fitted(person)
    group = person.page.get_by_role("table", name=re.compile("^On average"))
    one = person.page.get_by_role("table", name=re.compile("^Person L0001"))
    salary = group.get_by_role("row", name=re.compile(f"^{SALARY}")).get_by_role("cell")
    assert first_number(salary.nth(3).inner_text()) == pytest.approx(-before, rel=5e-3)

    person.write(person.number(VALUE), "-5000")
    expect(person.arrow("Gender", SALARY)).to_have_attribute(
        "aria-label", f"arrow from Gender to {SALARY}, coefficient −5,000, set by hand"
    )
    expect(salary.nth(3)).to_have_text("+5,000")
    with person.server.store() as store:
        model = numbers(person.draft(), store, person.link)
    for column, name in (("AnnualSalary", SALARY), ("AccountBalance", BALANCE)):
        row = group.get_by_role("row", name=re.compile(f"^{name}")).get_by_role("cell")
        now, then = model.means("Gender", column)
        assert first_number(row.nth(1).inner_text()) == pytest.approx(now, rel=1e-4)
        assert first_number(row.nth(2).inner_text()) == pytest.approx(then, rel=1e-4)
    expect(one.get_by_role("row", name=re.compile(f"^{SALARY}"))).to_contain_text("126,000")
    person.says(re.compile("^women, not men"))
    person.says("set by hand")
    warning = person.page.locator(".cst-warn")
    expect(warning).to_contain_text("Set by hand to −5,000; the data say −14,931")
    expect(warning).to_contain_text("say why")
    expect(person.page.locator(".cst-math .hand")).to_have_text("5,000")

    why = person.field("Why women, not men is set by hand")
    person.write(why, "The union's pay study")
    person.kept(
        lambda draft: (
            draft.world.equation("AnnualSalary").coefficients["Gender"].note
            == "The union's pay study"
        )
    )
    expect(why).to_have_value("The union's pay study")
    person.button("Reset").click()
    expect(warning).to_have_count(0)
    expect(person.arrow("Gender", SALARY)).not_to_have_attribute(
        "aria-label", re.compile("set by hand")
    )
    assert label(person, "Gender", SALARY) == pytest.approx(before, rel=5e-3)
    assert float(person.number(VALUE).input_value()) == pytest.approx(before, rel=1e-5)
    assert fitted(person) == pytest.approx(before)


def test_fit_all_takes_back_every_number_set_by_hand(person: Person) -> None:
    person.follow(person.server.workspace())
    before = {end: label(person, "Gender", end) for end in (SALARY, BALANCE)}
    expect(person.button("Fit all")).to_be_disabled()
    person.write(person.number(VALUE), "-5000")
    expect(person.page.locator(".edge-label.by-hand")).to_have_text(["−5,000"])
    person.choose("Equation for", BALANCE)
    person.write(person.number("Coefficient of Gender in AccountBalance"), "-77")
    expect(person.page.locator(".edge-label.by-hand")).to_have_text(["−5,000", "−77"])
    person.button("Fit all").click()
    expect(person.page.locator(".edge-label.by-hand")).to_have_count(0)
    for end, value in before.items():
        assert label(person, "Gender", end) == value
    expect(person.button("Fit all")).to_be_disabled()
    assert person.draft().world.equations == ()


@pytest.mark.parametrize(
    ("cause", "effect", "why"),
    [
        (BALANCE, SALARY, "cycle"),
        (SALARY, "Gender", "protected"),
        (LOAN, BALANCE, "decision"),
    ],
)
def test_what_cannot_be_drawn_says_why_and_marks_it(
    person: Person, cause: str, effect: str, why: str
) -> None:
    person.follow(person.server.workspace())
    person.still()
    before = person.draft()
    person.draw_arrow(cause, effect)
    expect(person.refusal()).to_contain_text(re.compile(why, re.IGNORECASE))
    expect(person.refusal()).to_have_attribute("role", "alert")
    expect(person.refusal()).to_be_in_viewport()
    for name in (cause, effect):  # it is told under the drawing, and marked in it
        expect(person.node(name)).to_have_class(re.compile("refused"))
    expect(person.arrow(cause, effect)).to_have_count(0)
    person.count(nodes=4, arrows=5)
    person.saved()
    assert person.draft() == before
    expect(person.undo()).to_be_disabled()
    person.refusal().get_by_role("button", name="Dismiss").click()
    expect(person.refusal()).to_have_count(0)


def test_an_accepted_arrow_is_drawn_apart_and_moves_nothing(person: Person) -> None:
    person.follow(person.server.workspace())
    person.select(person.arrow("Gender", SALARY))
    person.write(person.field("Accept its influence as justified, because"), "hours worked")
    arrow = person.arrow("Gender", SALARY)
    expect(arrow).to_have_attribute(
        "aria-label", re.compile("accepted as justified: hours worked$")
    )
    expect(arrow.locator("g.accepted")).to_have_count(1)
    expect(person.page.locator(".edge-label.accepted")).to_have_text(re.compile("✓ accepted$"))
    edge = person.draft().world.edge("Gender", "AnnualSalary")
    assert edge is not None
    assert edge.accepted == "hours worked"
    person.undo().click()
    expect(arrow.locator("g.accepted")).to_have_count(0)
    person.kept(lambda draft: all(edge.accepted is None for edge in draft.world.edges))
