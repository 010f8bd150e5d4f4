"""Equations on the Causal model page: by hand, with their author, and felt in the preview."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from app_user import User

from cst_core.explain import number
from cst_core.scenario import load_scenario
from dashboard.dag_editor import SelectedBidirected, SelectedEdge, SelectedNode

Visit = Callable[..., User]
GENDER = "Coefficient of Gender in AnnualSalary"


@pytest.fixture
def loan(visit: Visit) -> User:
    user = visit(browser="a" * 32).open_sample("loan")
    user.at.text_input(key="author-name").set_value("Ada")
    return user.run()


@pytest.fixture
def law(visit: Visit) -> User:
    return visit().open_sample("law-school")


def moved(penalty: float) -> tuple[float, float, float, float]:
    """Return the women's mean salary and balance, and both had they been men, by least squares."""
    frame = load_scenario("loan").dataset().frame
    gender, salary, balance = (
        frame[name].to_numpy(dtype=float) for name in ("Gender", "AnnualSalary", "AccountBalance")
    )
    causes = np.column_stack([np.ones(len(frame)), gender, salary])
    _, of_gender, of_salary = np.linalg.lstsq(causes, balance, rcond=None)[0]
    women = gender == 1
    return (
        salary[women].mean(),
        salary[women].mean() - penalty,
        balance[women].mean(),
        balance[women].mean() - of_gender - of_salary * penalty,
    )


def test_a_coefficient_by_hand_is_saved_with_its_author_and_moves_the_preview(loan: User) -> None:
    loan.enter(GENDER, -20_000.0)
    part = loan.saved.world.equation("AnnualSalary").coefficients["Gender"]
    assert (part.value, part.source, part.note) == (-20_000, "by hand", "Set by Ada.")
    assert loan.last_change == ("Set the coefficient of Gender in AnnualSalary to −20000 by hand")
    salary, other_salary, balance, other_balance = moved(-20_000)
    assert f"Annual salary {number(salary)} {number(other_salary)} +20,000" in loan.text
    assert f"Account balance {number(balance)} {number(other_balance)}" in loan.text
    assert "Set by hand to −20,000; the data say −14,931" in loan.text
    assert "− 20,000 · [women]" in loan.text


def test_the_preview_of_the_fitted_model(loan: User) -> None:
    frame = load_scenario("loan").dataset().frame
    by_gender = frame.groupby("Gender")["AnnualSalary"].mean()
    _, other_salary, balance, other_balance = moved(by_gender[1] - by_gender[0])
    assert other_salary == pytest.approx(by_gender[0])
    assert f"{number(by_gender[1])} {number(by_gender[0])}" in loan.text
    assert f"Account balance {number(balance)} {number(other_balance)}" in loan.text


def test_one_person_in_the_preview(loan: User) -> None:
    loan.enter(GENDER, -20_000.0)
    loan.at.text_input(key="preview-person-typed").set_value("L0001")
    loan.run()
    assert "Person L0001" in loan.text
    assert "Annual salary 121,000 141,000 +20,000" in loan.text
    loan.at.text_input(key="preview-person-typed").set_value("nobody")
    loan.run()
    assert "Nobody in this group is called “nobody”" in loan.text


def test_undo_and_redo_give_the_widgets_their_values_back(loan: User) -> None:
    fitted = loan.field(GENDER).value
    loan.enter(GENDER, -1.0).enter(GENDER, -2.0)
    loan.press("Undo")
    assert loan.field(GENDER).value == -1
    loan.press("Undo")
    assert loan.field(GENDER).value == fitted
    assert loan.button("Undo").disabled
    loan.press("Redo").press("Redo")
    assert loan.field(GENDER).value == -2
    assert loan.button("Redo").disabled
    assert loan.saved.world.equation("AnnualSalary").coefficients["Gender"].value == -2


def test_why_a_value_is_set_by_hand(loan: User) -> None:
    loan.enter(GENDER, -1.0)
    why = "Why women, not men is set by hand"
    loan.write(why, "The wage study")
    note = "The wage study (Ada)"
    assert loan.saved.world.equation("AnnualSalary").coefficients["Gender"].note == note
    assert loan.events[0].reason == "The wage study"
    loan.enter(GENDER, -3.0)  # the old reason was for the old number
    assert loan.saved.world.equation("AnnualSalary").coefficients["Gender"].note == "Set by Ada."
    loan.write(why, "  The wage study (Ada) ")
    assert loan.saved.world.equation("AnnualSalary").coefficients["Gender"].note == note
    loan.write(why, "")
    assert loan.saved.world.equation("AnnualSalary").coefficients["Gender"].note == "Set by Ada."
    loan.write(why, "")  # it says so again, and the page comes to rest
    assert loan.saved.world.equation("AnnualSalary").coefficients["Gender"].note == "Set by Ada."


@pytest.mark.parametrize("label", ["Reset", "Fit this equation", "Fit all"])
def test_back_to_the_fitted_value(loan: User, label: str) -> None:
    fitted = loan.field(GENDER).value
    before = loan.saved
    assert loan.button("Fit all").disabled
    loan.enter(GENDER, -1.0)
    loan.press(label)
    assert loan.field(GENDER).value == fitted
    assert loan.saved == before


def test_bounds_are_saved_refused_and_felt(loan: User) -> None:
    loan.enter("Highest possible value", 90_000.0)
    assert loan.saved.world.equation("AnnualSalary").bounds == (None, 90_000)
    assert "cut off at a limit" in loan.text
    loan.enter("Lowest possible value", 95_000.0)
    assert any("is not below the upper bound" in item for item in loan.errors)
    assert loan.saved.world.equation("AnnualSalary").bounds == (None, 90_000)
    loan.press("Undo")
    assert loan.field("Highest possible value").value is None


def test_a_link_drops_values_by_hand_only_when_asked(loan: User) -> None:
    loan.enter(GENDER, -1.0)
    loan.choose("link-AnnualSalary-identity", "log")
    assert loan.saved.world.equation("AnnualSalary").link == "identity"
    assert "would be dropped" in loan.text
    loan.press("Change it and drop them")
    equation = loan.saved.world.equation("AnnualSalary")
    assert equation.link == "log"
    assert not equation.coefficients
    assert "ln(Annual salary) =" in loan.text


def test_a_link_without_values_by_hand_changes_at_once(loan: User) -> None:
    loan.choose("link-AnnualSalary-identity", "log")
    assert loan.saved.world.equation("AnnualSalary").link == "log"


def test_products(law: User) -> None:
    law.at.multiselect(key=law.key("products-UGPA")).set_value([("gender", "race")])
    law.run()
    assert law.saved.world.equation("UGPA").interactions == (("gender", "race"),)
    law.enter("Coefficient of gender:race in UGPA", 0.5)
    assert "· [women] · [non-white people]" in law.text
    law.at.multiselect(key=law.key("products-UGPA")).set_value([])
    law.run()
    equation = law.saved.world.equation("UGPA")
    assert equation.interactions == ()
    assert not equation.coefficients


def test_a_note_on_an_equation_stays(law: User) -> None:
    law.type("equation-note-UGPA", "Grades run from A to F.")
    assert law.saved.world.equation("UGPA").note == "Grades run from A to F."
    law.press("Undo").press("Redo")
    shown = law.at.text_input(key=law.key("equation-note-UGPA")).value
    assert shown == "Grades run from A to F."


def test_choosing_an_equation_selects_its_node(loan: User) -> None:
    loan.choose("equation-of-", "AccountBalance")
    assert loan.session.selection == SelectedNode(node="AccountBalance")
    assert loan.field("Coefficient of AnnualSalary in AccountBalance").value
    assert "Account balance, relevant attribute" in loan.text


def test_the_selected_node_is_named_noted_and_deleted(loan: User) -> None:
    loan.choose("equation-of-", "AccountBalance")
    loan.write("Shown as", "Savings").write("Note", "at year's end")
    node = loan.saved.world.node("AccountBalance")
    assert node is not None
    assert (node.label, node.note) == ("Savings", "at year's end")
    loan.press("Delete this attribute from the drawing")
    assert loan.saved.world.node("AccountBalance") is None
    loan.press("Undo")
    assert loan.saved.world.node("AccountBalance") == node


def test_the_selected_arrow_is_noted_turned_and_deleted(loan: User) -> None:
    loan.session.selection = SelectedEdge(cause="Gender", effect="AnnualSalary")
    loan.run().press("Turn it round")
    assert any("protected" in item for item in loan.errors)
    loan.type("edge-note-Gender→AnnualSalary", "a study")
    edge = loan.saved.world.edge("Gender", "AnnualSalary")
    assert edge is not None
    assert edge.note == "a study"
    loan.press("Delete this arrow")
    assert loan.saved.world.edge("Gender", "AnnualSalary") is None
    assert loan.session.selection is None


def test_the_selected_two_headed_arrow_is_noted_and_deleted(loan: User) -> None:
    ends = {"one": "AnnualSalary", "other": "AccountBalance"}
    area = next(item for item in loan.at.text_area if item.label.startswith("Import"))
    area.set_value("dag { Gender -> AnnualSalary <-> AccountBalance }")
    loan.press("Import as a new causal model")
    loan.session.selection = SelectedBidirected(**ends)
    loan.run().type("bidirected-note-AnnualSalary↔AccountBalance", "family wealth")
    arrow = loan.saved.world.unmeasured(**ends)
    assert arrow is not None
    assert arrow.note == "family wealth"
    assert "no number follows from it yet" in loan.text
    loan.press("Delete this arrow")
    assert loan.saved.world.bidirected == ()
    assert loan.session.selection is None


def test_the_selected_arrow_is_accepted_with_a_reason_and_taken_back(loan: User) -> None:
    loan.session.selection = SelectedEdge(cause="Gender", effect="AnnualSalary")
    loan.run()
    before = loan.text
    loan.type("accepted-Gender→AnnualSalary-False", "earned by hours worked")
    edge = loan.saved.world.edge("Gender", "AnnualSalary")
    assert edge is not None
    assert edge.accepted == "earned by hours worked"
    assert loan.last_change == "Accepted the arrow Gender → AnnualSalary: earned by hours worked"
    assert "Annual salary" in loan.text
    assert loan.text != before  # the salary no longer moves
    loan.type("accepted-Gender→AnnualSalary-True", "")
    assert any("needs its reason" in item for item in loan.errors)
    assert loan.saved.world.edge("Gender", "AnnualSalary") == edge
    loan.press("No longer accept it")
    edge = loan.saved.world.edge("Gender", "AnnualSalary")
    assert edge is not None
    assert edge.accepted is None
    assert "no longer accept" not in loan.text.lower()
