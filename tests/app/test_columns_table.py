"""The table of columns on the Data page, its questions, and the list of what is left."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from app_user import User

from cst_core.data import read_table
from dashboard.draft.document import Draft

Visit = Callable[..., User]


def _rows() -> str:
    head = (
        "Lfd. Nr.;Antragsnummer;Geschlecht;Alter;Staatsangehörigkeit;Antragsdatum;"
        "Einkommen (€/Monat);Höchster Abschluss;Berufsjahre;Hat Vorkredit;Kredit bewilligt\n"
    )
    return head + "".join(
        f"{i + 1};A-{(7 * i) % 80:03};{'weiblich' if i % 2 else 'männlich'};"
        f"{999 if i % 20 == 5 else 20 + i % 41};{('Deutschland', 'EU', 'Drittstaat')[i % 3]};"
        f"{1 + i % 28:02}.{1 + i % 12:02}.2023;{'' if i == 7 else 1900 + 13 * i},5;"
        f"{('Haupt', 'Real', 'Abitur', 'unbekannt')[i % 4]};"
        f"{'weiß nicht' if i in (4, 9) else i % 30};{'ja' if i % 5 else 'nein'};"
        f"{'ja' if i % 3 else 'nein'}\n".replace(";,5;", ";;")
        for i in range(80)
    )


GERMAN = _rows().encode("cp1252")


@pytest.fixture
def own(visit: Visit) -> User:
    user = visit()
    user.at.file_uploader(key="own-data").upload("Anträge.csv", GERMAN, "text/csv")
    return user.run()


def button(user: User, name: str) -> User:
    user.at.button(key=user.key(name)).click()
    return user.run()


def test_a_table_as_an_agency_publishes_it(own: User) -> None:
    assert own.errors == [], "nothing is red before someone acted"
    assert "Dates, such as 01.01.2023" in own.text
    assert "Two values: ja, nein" in own.text
    own.press("Take all suggestions")
    roles = own.saved.roles
    assert own.errors == []
    assert roles.id == "Antragsnummer"
    assert [one.column for one in roles.protected] == [
        "Geschlecht",
        "Alter",
        "Staatsangehörigkeit",
    ]
    assert {one.column: one.kind for one in roles.relevant} == {
        "Einkommen (€/Monat)": "continuous",
        "Höchster Abschluss": "nominal",
        "Berufsjahre": "nominal",
        "Hat Vorkredit": "nominal",
    }
    assert roles.decision is not None
    assert roles.decision.column == "Kredit bewilligt"
    assert "Same value or not" in own.text
    labels = [box.label for box in own.at.selectbox]
    assert "How is Hat Vorkredit compared?" not in labels, "two values need no choice"
    assert "How is Einkommen (€/Monat) compared?" in labels


def test_codes_for_missing_values_are_asked_about(own: User) -> None:
    own.press("Take all suggestions")
    assert "Does 999 in 'Alter' stand for a missing value? (4 rows, far from the" in own.text
    assert "Does 'weiß nicht' in 'Berufsjahre' stand for a missing value? (2 rows" in own.text
    assert "3 questions about missing values are open" in own.text
    button(own, "code-yes-Alter-999")
    assert own.saved.preparation.missing_values == {"Alter": (999,)}
    assert own.last_change == "Took 999 in Alter for a missing value"
    assert "Does 999 in" not in own.text
    assert "999 in Alter stands for a missing value." in own.text
    assert "Alter (4)" in own.text
    button(own, "code-no-Höchster Abschluss-unbekannt")
    assert own.saved.preparation.real_values == {"Höchster Abschluss": ("unbekannt",)}
    assert "1 question about missing values is open" in own.text
    button(own, "code-yes-Berufsjahre-weiß nicht")
    assert "Whole numbers, 0 to 29" in own.text, "what is left are numbers"
    assert "questions" not in own.text
    button(own, "code-back-Alter-999")
    assert "Alter" not in own.saved.preparation.missing_values
    assert "Does 999 in 'Alter' stand for a missing value?" in own.text
    own.press("Undo")
    assert own.saved.preparation.missing_values["Alter"] == (999,)


def test_what_is_left_is_complete_and_told_once(own: User) -> None:
    own.press("Take all suggestions")
    for column in ("Einkommen (€/Monat)", "Berufsjahre", "Hat Vorkredit", "Höchster Abschluss"):
        own.choose(f"role-{column}", "ignore")
    left = own.text.partition("left to settle before a test can run:")[0].splitlines()[-1]
    assert left.startswith("5 things are"), left
    for said in (
        "No relevant attribute is named yet.",
        "Say who is compared in 'Geschlecht'",
        "Say who is compared in 'Alter'",
        "Say who is compared in 'Staatsangehörigkeit'",
        "Say which outcome in 'Kredit bewilligt' is the negative one.",
    ):
        assert own.text.count(f"- {said}") == 1, said
    own.choose("role-Einkommen (€/Monat)", "relevant")
    own.choose("role-Höchster Abschluss", "relevant").choose("kind-Höchster Abschluss", "ordinal")
    (wrong,) = own.errors
    assert "Höchster Abschluss" in wrong, "told whatever else is left"
    assert own.text.count(wrong) == 2, "beside its row, and in the list"
    assert "Values are missing in Einkommen (€/Monat) (1). Leave the 1 person out" in own.text


def test_a_weight_that_cannot_be_is_refused_beside_its_box(visit: Visit) -> None:
    loan = visit().open_sample("loan").go("data")
    before, field = loan.saved, loan.key("weight-AnnualSalary")
    loan.at.number_input(key=field).set_value(-1.0)
    loan.run()
    assert loan.errors == ["−1 is too low: it is at least 0. 1 still counts."]
    assert loan.saved == before
    loan.at.number_input(key=field).set_value(2.0)
    loan.run()
    assert loan.errors == []
    assert loan.saved.roles.relevant[0].weight == 2


def test_numbers_of_the_decision_maker_are_refused_beside_their_boxes(visit: Visit) -> None:
    loan = visit().open_sample("loan").go("data")
    loan.at.radio(key=loan.key("maker-type")).set_value("model")
    loan.run()
    loan.choose("model-kind", "tree")
    loan.set_number("model-tree-max_depth", 0)
    (said,) = loan.errors
    assert said.startswith("0 is too low: it is between 1 and ")
    assert loan.saved.decision_maker.model_dump()["max_depth"] is None


SCENARIO = """
format: 1
name: hiring
data:
  file: people.csv
  rows: [{column: age, at_least: 30}]
  groups: [{column: town, name: near, values: [a, b]}]
roles:
  protected: [{column: sex, protected: f, reference: m}]
  relevant: [{column: age}, {column: town, kind: nominal}]
  decision: {column: hired, negative: "no"}
worlds: [{name: one, nodes: [{name: sex}, {name: age}], edges: [{from: sex, to: age}]}]
"""


def test_rows_and_groups_of_a_scenario_file_are_said_to_be_in_force(visit: Visit) -> None:
    archive = io.BytesIO()
    rows = "".join(
        f"{'fm'[i % 2]},{20 + i},{'abc'[i % 3]},{'no' if i % 4 else 'yes'}\n" for i in range(40)
    )
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("scenario.yaml", SCENARIO)
        file.writestr("people.csv", f"sex,age,town,hired\n{rows}")
    user = visit()
    user.at.file_uploader(key="scenario-file").upload(
        "case.zip", archive.getvalue(), "application/zip"
    )
    user.run().go("data")
    assert "30 of 40 rows kept: those where 'age' is at least 30." in user.text
    assert "'town' is 'a' or 'b': read as 'near' (20 row(s))." in user.text
    assert "Rows, groups and dates are said in the scenario file" in user.text


def test_the_table_of_these_tests_is_what_it_should_be() -> None:
    frame = read_table(GERMAN, name="Anträge.csv").frame
    assert frame.shape == (80, 11)
    assert frame["Einkommen (€/Monat)"].isna().sum() == 1
    assert Draft().preparation.real_values == {}
