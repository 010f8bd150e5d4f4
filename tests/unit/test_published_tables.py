"""Tables in the layouts in which people publish them read without edits; all values are made up."""

from __future__ import annotations

import pandas as pd

from cst_core import Dataset, Decision, ProtectedAttribute, RelevantAttribute, Roles
from cst_core.data import ReadTable, read_table, suggest_roles
from cst_core.scenario import PreparationPart

ADULT = """\
39, State-gov, 77516, Bachelors, 13, Never-married, White, Male, 2174, 0, 40, United-States, <=50K
50, ?, 83311, HS-grad, 9, Married-civ-spouse, Black, Female, 0, 0, 13, United-States, <=50K
38, Private, 215646, HS-grad, 9, Divorced, White, Male, 99999, 0, 40, ?, >50K
53, Private, 234721, 11th, 7, Married-civ-spouse, Black, Female, 0, 0, 40, Cuba, >50K
28, Private, 338409, Bachelors, 13, Never-married, White, Female, 0, 0, 40, Cuba, <=50K
"""
GERMAN = """\
A11 6 A34 A43 1169 A65 A75 4 A93 A101 4 A121 67 A143 A152 2 A173 1 A192 A201 1
A12 48 A32 A43 5951 A61 A73 2 A92 A101 2 A121 22 A143 A152 1 A173 1 A191 A201 2
A14 12 A34 A46 2096 A61 A74 2 A93 A101 3 A121 49 A143 A152 1 A172 2 A191 A201 1
A11 42 A32 A42 7882 A61 A74 2 A92 A103 4 A122 45 A143 A153 1 A173 2 A191 A201 2
"""
COMPAS = """\
id,name,sex,dob,age,race,juv_fel_count,decile_score,priors_count,days_b_screening_arrest,c_jail_in,\
c_charge_degree,is_recid,decile_score,score_text,screening_date,priors_count,two_year_recid
1,ann a,Female,1987-04-18,26,African-American,0,7,0,-1,2013-08-13 06:03:42,F,0,7,High,2013-08-14,0,0
2,bob b,Male,1982-01-22,31,Caucasian,0,3,4,-1,2013-01-26 03:45:27,F,1,3,Low,2013-01-27,4,1
3,cid c,Male,1991-05-14,21,African-American,0,4,4,,,M,1,4,N/A,2013-04-14,4,1
4,dee d,Female,1993-01-21,22,Caucasian,0,8,1,0,2013-01-13 05:48:00,O,-1,8,High,2013-01-13,1,0
5,eve e,Female,1980-01-21,33,African-American,0,9,2,0,2013-02-13 05:48:00,F,1,9,High,2013-02-13,2,1
"""
MORTGAGE = """\
activity_year,lei,derived_sex,derived_race,action_taken,loan_amount,combined_loan_to_value_ratio,\
interest_rate,income,debt_to_income_ratio,applicant_age
2022,5493,Female,White,1,105000.0,80.0,4.25,61,36,35-44
2022,5493,Male,Black or African American,3,255000.0,NA,NA,88,>60%,25-34
2022,5493,Joint,White,1,155000.0,Exempt,Exempt,NA,20%-<30%,45-54
2022,5493,Female,Black or African American,3,95000.0,95.5,NA,47,42,8888
2022,5493,Male,White,4,95000.0,90,5.5,40,NA,35-44
"""
ADMISSIONS = """\
"Admit" "Gender" "Dept" "Freq"
"1" "Admitted" "Male" "A" 51
"2" "Rejected" "Male" "A" 31
"3" "Admitted" "Female" "A" 8
"4" "Rejected" "Female" "A" 2
"5" "Admitted" "Male" "B" 35
"6" "Rejected" "Male" "B" 20
"7" "Admitted" "Female" "B" 1
"8" "Rejected" "Female" "B" 1
"""
HIRING = """\
Candidate Name;Gender;Years of\xa0Experience;Test Score (%);Interview Date;Hired?
"Meier, Anna";f;3,5;71;31.01.2024;nein
"Schulz, Bernd";m;10,0;k. A.;28.02.2024;ja
"""


def read(text: str) -> ReadTable:
    return read_table(text.encode())


def sentences(table: ReadTable) -> str:
    return " ".join(note.sentence for note in table.notes)


def test_adult_income_as_the_archive_holds_it() -> None:
    for text in (ADULT, "|1x3 Cross validator\n" + ADULT.replace("K\n", "K.\n")):
        table = read(text)
        assert list(table.frame) == [f"c{place}" for place in range(1, 14)]
        assert len(table.frame) == 5
        assert table.frame["c1"].tolist() == [39, 50, 38, 53, 28]
        assert table.frame["c7"].tolist()[:2] == ["White", "Black"]
        assert "columns are called c1 to c13" in sentences(table)
    frame = pd.concat([read(ADULT).frame, read(ADULT.replace("K\n", "K.\n")).frame])
    part = PreparationPart.model_validate(
        {
            "missing_values": {"c2": ["?"]},
            "groups": [
                {"column": "c13", "name": "<=50K", "values": ["<=50K", "<=50K."]},
                {"column": "c13", "name": ">50K", "values": [">50K", ">50K."]},
            ],
        }
    )
    prepared, _ = part.preparation().apply(frame.reset_index(drop=True))
    assert sorted(set(prepared["c13"])) == ["<=50K", ">50K"]
    assert prepared["c2"].isna().sum() == 2


def test_adult_income_with_names_asks_about_its_codes() -> None:
    names = "age, work, fnlwgt, years, race, sex, gain, hours, income\n"
    rows = "".join(
        f"{20 + i}, {'?' if i % 9 == 0 else 'Private'}, {70000 + 7 * i}, {i % 12}, White, "
        f"{'Male' if i % 2 else 'Female'}, {99999 if i == 3 else 10 * i}, 40, "
        f"{'>50K' if i % 3 else '<=50K'}\n"
        for i in range(40)
    )
    found = {one.column: one for one in suggest_roles(read(names + rows).frame)}
    assert found["fnlwgt"].role == "weight"
    assert [doubt.question for doubt in found["gain"].doubts] == [
        "Does 99999 in 'gain' stand for a missing value? (1 row, far from the rest, 0 to 390.)"
    ]
    assert "data.missing_values: {work: ['?']}" in found["work"].doubts[0].note


def test_german_credit_as_the_archive_holds_it() -> None:
    table = read(GERMAN)
    assert table.delimiter == " "
    assert table.frame.shape == (4, 21)
    assert table.frame["c13"].tolist() == [67, 22, 49, 45]
    assert table.frame["c9"].tolist() == ["A93", "A92", "A93", "A92"]
    assert read(GERMAN.replace("\n", " \n")).frame.equals(table.frame)


def test_court_records_with_doubled_names_and_dates() -> None:
    table = read(COMPAS)
    assert [name for name in table.frame if "(2)" in name] == [
        "decile_score (2)",
        "priors_count (2)",
    ]
    assert "'priors_count (2)'. Both hold the same values." in sentences(table)
    assert table.frame["days_b_screening_arrest"].isna().sum() == 1
    assert pd.isna(table.frame["score_text"].iloc[2])
    found = {one.column: one for one in suggest_roles(table.frame)}
    assert found["screening_date"].reason.startswith("Dates: ")
    assert found["c_jail_in"].role == "ignore"
    part = PreparationPart.model_validate(
        {
            "dates": [{"column": "dob", "unit": "years", "since": "2013-01-01"}],
            "rows": [
                {"column": "is_recid", "is_not": -1},
                {"column": "c_charge_degree", "is_not": "O"},
                {"column": "race", "in": ["African-American", "Caucasian"]},
            ],
            "groups": [
                {"column": "decile_score", "name": "low", "at_most": 4},
                {"column": "decile_score", "name": "high", "at_least": 5},
            ],
        }
    )
    people = table.prepared(part.preparation())
    assert people.frame["decile_score"].tolist() == ["high", "low", "low", "high"]
    assert round(people.frame["dob"].iloc[0], 1) == -25.7


def test_a_date_as_a_number_has_a_way_out() -> None:
    frame = read(COMPAS).frame
    roles = Roles(
        protected=(ProtectedAttribute(column="sex", protected="Female"),),
        relevant=(RelevantAttribute(column="dob"),),
        decision=Decision(column="two_year_recid", negative=1),
    )
    message = next(one.message for one in Dataset.problems(frame, roles) if one.place == "dob")
    assert "'dob' is continuous but holds dates (1987-04-18, 1982-01-22, …" in message
    assert "data.dates: [{column: dob, unit: days}]" in message


def test_mortgages_with_exempt_and_missing_cells() -> None:
    table = read(MORTGAGE)
    assert table.frame["combined_loan_to_value_ratio"].isna().tolist() == [
        *(False, True, True, False, False)
    ]
    assert "'interest_rate' holds numbers, and 'Exempt' (1): read as missing." in sentences(table)
    assert table.frame["debt_to_income_ratio"].tolist()[1:4] == [">60%", "20%-<30%", "42"]
    assert table.frame["applicant_age"].tolist()[3] == "8888"
    part = PreparationPart.model_validate(
        {
            "rows": [{"column": "action_taken", "in": [1, 2, 3]}],
            "groups": [
                {"column": "action_taken", "name": "granted", "values": [1, 2]},
                {"column": "action_taken", "name": "denied", "values": [3]},
            ],
        }
    )
    people = table.prepared(part.preparation())
    assert people.frame["action_taken"].tolist() == ["granted", "denied", "granted", "denied"]
    assert "4 of 5 rows kept" in sentences(people)


def test_admissions_as_r_writes_them() -> None:
    for text in (ADMISSIONS, '"" ' + ADMISSIONS):
        table = read(text)
        assert {one.column: one.role for one in suggest_roles(table.frame)}["Freq"] == "count"
        roles = Roles(
            protected=(ProtectedAttribute(column="Gender", protected="Female", reference="Male"),),
            relevant=(RelevantAttribute(column="Dept", kind="nominal"),),
            decision=Decision(column="Admit", negative="Rejected"),
            count_column="Freq",
        )
        assert len(Dataset.from_frame(table.frame, roles)) == 149


def test_hiring_from_a_german_spreadsheet() -> None:
    table = read(HIRING)
    assert (table.delimiter, table.decimal) == (";", ",")
    assert table.frame.iloc[:, 2].tolist() == [3.5, 10.0]
    assert table.frame["Test Score (%)"].isna().tolist() == [False, True]
    assert "'k. A.' (1): read as missing" in sentences(table)
    part = PreparationPart.model_validate(
        {"dates": [{"column": "Interview Date", "format": "%d.%m.%Y", "since": "2024-01-01"}]}
    )
    assert table.prepared(part.preparation()).frame["Interview Date"].tolist() == [30.0, 58.0]
