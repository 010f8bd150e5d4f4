"""Suggestions: the role, the kind and the reason for each column, and nothing decided."""

# ruff: noqa: PD011 (the values of a suggestion, not of a pandas object)

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cst_core.data import Suggestion, suggest_roles


def suggestion(name: str, values: Any) -> Suggestion:
    (found,) = suggest_roles(pd.DataFrame({name: values}))
    return found


def test_the_loan_table() -> None:
    generator = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "applicant_id": np.arange(100),
            "Gender": [0, 1] * 50,
            "AnnualSalary": generator.normal(50_000, 9_000, 100),
            "Dependants": generator.integers(0, 5, 100),
            "Region": ["north", "south", "east", None] * 25,
            "LoanApproval": [1.0, -1.0] * 50,
        }
    )
    found = suggest_roles(frame)
    assert [(one.column, one.role, one.kind) for one in found] == [
        ("applicant_id", "id", None),
        ("Gender", "protected", "ordinal"),
        ("AnnualSalary", "relevant", "continuous"),
        ("Dependants", "relevant", "ordinal"),
        ("Region", "relevant", "nominal"),
        ("LoanApproval", "decision", "ordinal"),
    ]
    assert found[1].reason == "Two values, and its name is one that the law often protects."
    assert found[4].values == ("east", "north", "south")
    assert [one.n_missing for one in found] == [0, 0, 0, 0, 25, 0]
    assert found[5].values == ("-1.0", "1.0")
    assert len(found[2].values) == 10


@pytest.mark.parametrize(
    "name",
    [
        *("gender", "Sex", "RACE", "race_detail", "ethnicity", "Religion", "disability", "age"),
        *("ageGroup", "applicant-age", "nationality", "maritalStatus", "pregnant", "isFemale"),
        *("sexual orientation", "foreign_worker", "racial_group", "birth_country", "Age2"),
        *("Geschlecht", "Alter", "Altersgruppe", "Staatsangehörigkeit", "Herkunft", "Religion"),
        *("Schwerbehinderung", "Familienstand", "Nationalität", "Hautfarbe", "Konfession"),
        *("sexe", "genre", "âge", "tranche d'âge", "nationalité", "état civil", "étranger"),
        *("sexo", "género", "edad", "raza", "nacionalidad", "discapacidad", "estado civil"),
        *("sesso", "genere", "età", "razza", "etnia", "nazionalità", "disabilità", "religione"),
        *("geslacht", "leeftijd", "herkomst", "nationaliteit", "etniciteit", "handicap"),
    ],
)
def test_names_that_the_law_often_protects(name: str) -> None:
    found = suggestion(name, ["p", "q", "p"])
    assert (found.role, found.kind) == ("protected", "nominal")
    assert "the law often protects" in found.reason


@pytest.mark.parametrize(
    "name",
    [
        *("percentage", "message", "wages", "mileage", "average", "trace", "bracelet", "Essex"),
        *("package", "engagement", "international", "email", "transaction", "unbiased"),
        *("Gehalt", "Einkommen", "revenu", "ingresos", "reddito", "inkomen", "alternative"),
    ],
)
def test_names_that_only_contain_such_a_word(name: str) -> None:
    assert suggestion(name, ["p", "q", "p"]).role == "relevant"


def test_a_protected_name_with_many_values_asks_for_the_comparison() -> None:
    found = suggestion("age", list(range(20, 60)))
    assert (found.role, found.kind) == ("protected", "continuous")
    assert "say which value is compared with which" in found.reason


@pytest.mark.parametrize(
    "name",
    [
        *("approved", "LoanApproval", "decision", "admitted", "is_accepted", "hired", "outcome"),
        *("granted", "label", "target", "admission", "REJECTED", "promoted"),
        *("Entscheidung", "Kredit bewilligt", "abgelehnt", "Ergebnis", "décision", "accordé"),
        *("refusé", "resultado", "aprobado", "rechazado", "decisione", "esito", "ammesso"),
        *("beslissing", "uitkomst", "afgewezen"),
    ],
)
def test_names_of_decisions(name: str) -> None:
    assert suggestion(name, [1, 0, 1]).role == "decision"


def test_a_decision_has_two_values() -> None:
    found = suggestion("outcome", [1, 2, 3, 1])
    assert (found.role, found.kind) == ("relevant", "ordinal")
    assert "a decision has two values" in found.reason


def test_one_decision_is_suggested_the_plainest() -> None:
    frame = pd.DataFrame({"label": [1, 0, 1], "approved": [0, 0, 1], "decision": [0, 1, 1]})
    found = suggest_roles(frame)
    assert [one.role for one in found] == ["ignore", "ignore", "decision"]
    assert "'decision' is more likely" in found[0].reason


@pytest.mark.parametrize("name", ["id", "ID", "case_id", "applicantId", "uuid", "Identifier"])
def test_ids_by_name_must_be_unique(name: str) -> None:
    assert suggestion(name, [3, 1, 2]).role == "id"
    assert suggestion(name, [3, 1, 1]).role == "ignore"
    assert suggestion(name, [3, 1, None]).role == "ignore"


@pytest.mark.parametrize(
    "name",
    [
        *("Antragsnummer", "Kunden-Nr.", "case number", "Aktenzeichen", "Matrikelnr", "numéro"),
        *("klantnummer", "No.", "número"),
    ],
)
def test_numbers_of_people_by_name_are_ids_only_if_each_has_one(name: str) -> None:
    assert suggestion(name, [31, 12, 25]).role == "id"
    assert suggestion(name, ["c-3", "c-1", "c-2"]).role == "id"
    never = "ignore" if name == "Aktenzeichen" else "relevant"  # nothing else is called so
    assert suggestion(name, [3, 1, 1]).role == never
    if name != "Aktenzeichen":
        assert suggestion(name, [1.5, 2.25, 7.125]).role == "relevant"


def test_numbers_of_the_rows_are_found_and_a_name_goes_before_them() -> None:
    assert suggestion("X", list(range(1, 41))).role == "id"
    assert suggestion("X", list(range(40))).reason == "It only numbers the rows."
    assert suggestion("year", list(range(2000, 2010))).role == "relevant", "too few to tell"
    assert suggestion("rank", list(range(40, 0, -1))).role == "relevant"
    assert suggestion("Kunde", [4_000_000 + 7919 * i for i in range(30)]).role == "id"
    assert suggestion("Gehalt", [40_000 + 791 * i for i in range(30)]).role == "relevant"
    frame = pd.DataFrame({"Lfd. Nr.": range(30), "Antrag": [f"a{i}" for i in range(30)]})
    assert [one.role for one in suggest_roles(frame)] == ["ignore", "id"]


@pytest.mark.parametrize(
    "written",
    ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%Y/%m/%d", "%d %B %Y", "%d-%b-%y", "%B %d, %Y", "%Y%m%d"],
)
def test_dates_are_no_category_with_365_levels(written: str) -> None:
    days = pd.date_range("2023-01-01", periods=365).strftime(written).tolist()
    cells = [int(day) for day in days] if written == "%Y%m%d" else [*days, "unbekannt"]
    found = suggestion("gender" if written == "%d.%m.%Y" else "seen", cells)
    assert (found.role, found.kind) == ("ignore", None)
    assert found.reason.startswith("Dates: ")
    assert found.content == f"Dates, such as {days[0]}"


def test_large_numbers_are_no_dates() -> None:
    assert suggestion("salary", [20200101, 20209999, 20210000, 20301301]).role == "relevant"


@pytest.mark.parametrize(
    ("values", "content", "reason"),
    [
        ([0, 1, 1], "Two values: 0, 1", "Two values: 0 and 1."),
        (["yes", "no", "no"], "Two values: no, yes", "Two values: no and yes."),
        ([True, False], "Two values: False, True", "True or false."),
        ([3, 1, 2], "Whole numbers, 1 to 3", "3 different whole numbers, perhaps steps on a"),
        ([1.5, 2000.25, 7.0], "Numbers, 1.5 to 2,000.25", "Numbers, 3 of them different."),
        (["a", "b", "c", "a"], "3 values: a, b, c", "Text with 3 different values."),
        ([*"abcdefghijk", "a"], "11 values, such as a", "Text with 11 different values."),
        ([7, 7], "One value: 7", "It has the same value"),
        ([None, None], "No values", "It has no values"),
    ],
)
def test_what_a_column_holds_in_a_few_words(values: Any, content: str, reason: str) -> None:
    found = suggestion("column", values)
    assert found.content == content
    assert found.reason.startswith(reason)
    assert found.n_values == len(set(values) - {None})


def test_postcodes_measure_nothing() -> None:
    assert suggestion("PLZ", [10115 + 7 * i for i in range(30)] * 2).role == "ignore"


def test_names_that_only_end_like_an_id() -> None:
    assert suggestion("paid", [3, 1, 2]).role == "relevant"


def test_one_id_is_suggested_by_name_before_by_values() -> None:
    frame = pd.DataFrame({"person": ["p", "q", "r"], "nr_id": [1, 2, 3], "other_id": [4, 5, 6]})
    found = suggest_roles(frame)
    assert [one.role for one in found] == ["ignore", "id", "ignore"]
    assert "'nr_id' is more likely" in found[0].reason
    assert suggest_roles(frame[["person"]])[0].role == "id"


def test_text_that_hardly_repeats_is_ignored() -> None:
    found = suggestion("street", [f"street {i}" for i in range(99)] + ["street 1"])
    assert (found.role, found.kind) == ("ignore", None)
    assert "99 different values" in found.reason


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (np.linspace(0, 1, 30), "continuous"),
        (list(range(11)), "continuous"),
        (list(range(10)), "ordinal"),
        ([1.0, 2.0, 3.0], "ordinal"),
        ([1.5, 2.0, 2.5], "continuous"),
        ([1.0, 2.0, np.inf], "continuous"),
        ([True, False, True], "nominal"),
        (["a", "b", "a"], "nominal"),
        (pd.Series(["a", "b", "a"], dtype=object), "nominal"),
        (pd.Series([True, None, False], dtype=object), "nominal"),
        (pd.array([1, None, 3], dtype="Int64"), "ordinal"),
        (pd.Categorical(["lo", "hi", "lo"], ["lo", "hi"], ordered=True), "ordinal"),
        (pd.Categorical(["lo", "hi", "lo"]), "nominal"),
        ([1, "x", 1], "nominal"),
        ([[1], [2], [1]], "nominal"),
    ],
)
def test_kinds(values: Any, kind: str) -> None:
    found = suggestion("column", values)
    assert (found.role, found.kind) == ("relevant", kind)


def test_an_ordered_category_shows_its_order() -> None:
    values = pd.Categorical(["lo", "hi", "mid"], ["lo", "mid", "hi", "top"], ordered=True)
    assert suggestion("level", values).values == ("lo", "mid", "hi")


def test_text_that_looks_like_numbers_says_so() -> None:
    found = suggestion("income", ["1,234", "5,678", "12 %", "-9"])
    assert (found.role, found.kind) == ("relevant", "nominal")
    assert "thousands separators" in found.reason


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([None, None], "no values"),
        ([7, 7], "same value"),
        (pd.to_datetime(["2020-01-01", "2021-01-01"]), "Dates: "),
        (pd.to_timedelta(["1 day", "2 days"]), "Neither numbers nor text"),
    ],
)
@pytest.mark.parametrize("name", ["column", "gender", "decision", "id"])
def test_columns_of_no_use(values: Any, reason: str, name: str) -> None:
    found = suggestion(name, values)
    assert (found.role, found.kind) == ("ignore", None)
    assert reason in found.reason


def test_long_values_are_cut_and_many_are_not_listed() -> None:
    found = suggestion("note", ["x" * 500, "short", "x" * 500])
    assert sorted(map(len, found.values)) == [5, 40]
    assert suggestion("n", list(range(100, 0, -1))).values == tuple(map(str, range(100, 90, -1)))


def test_names_that_are_no_text_and_an_empty_table() -> None:
    assert suggest_roles(pd.DataFrame({0: [1, 2], 1: [3, 4]}))[1].column == "1"
    assert suggest_roles(pd.DataFrame()) == ()
    assert suggest_roles(pd.DataFrame({"a": []}))[0].role == "ignore"


@settings(deadline=None)
@given(
    st.dictionaries(
        st.text(max_size=6) | st.sampled_from(["gender", "approved", "label", "id", "key"]),
        st.lists(
            st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=3),
            min_size=5,
            max_size=5,
        ),
        max_size=5,
    )
)
def test_any_table_gets_one_suggestion_a_column_and_is_left_alone(
    columns: dict[str, list[object]],
) -> None:
    frame = pd.DataFrame(columns)
    before = frame.copy(deep=True)
    found = suggest_roles(frame)
    pd.testing.assert_frame_equal(frame, before)
    assert [one.column for one in found] == list(columns)
    roles = [one.role for one in found]
    assert roles.count("decision") <= 1
    assert roles.count("id") <= 1
    for one in found:
        assert one.n_missing == frame[one.column].isna().sum()
        assert one.reason.endswith(".")
        assert len(one.values) <= 10
        assert (one.kind is None) == (one.role in ("id", "ignore"))
