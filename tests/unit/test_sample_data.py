"""The sample files are what their scripts make and hold what their notes say."""

import importlib.util
import zipfile
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
LOAN = REPOSITORY / "sample_data" / "loan"
LAW_SCHOOL = REPOSITORY / "sample_data" / "law-school"
BERKELEY = REPOSITORY / "sample_data" / "berkeley"
GERMAN = REPOSITORY / "sample_data" / "german-credit"
ADULT = REPOSITORY / "sample_data" / "adult"
AUTHORS = REPOSITORY.parent / "shared" / "data" / "authors"


def load_script(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"sample_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def loan() -> pd.DataFrame:
    return pd.read_csv(LOAN / "loan.csv")


@pytest.fixture(scope="module")
def law_school() -> pd.DataFrame:
    return pd.read_csv(LAW_SCHOOL / "law-school.csv")


def test_loan_is_what_the_generator_writes(tmp_path):
    written = tmp_path / "loan.csv"
    load_script(LOAN / "generate.py").write(written)
    assert written.read_bytes() == (LOAN / "loan.csv").read_bytes()


def test_loan_columns_and_codes(loan):
    assert list(loan) == ["id", "Gender", "AnnualSalary", "AccountBalance", "LoanApproval"]
    assert loan["id"].tolist() == [f"L{number:04d}" for number in range(1, len(loan) + 1)]
    assert set(loan["Gender"]) == {0, 1}
    assert set(loan["LoanApproval"]) == {-1, 1}
    assert (loan[["AnnualSalary", "AccountBalance"]] > 0).all(axis=None)


def test_loan_counts_are_those_of_its_note(loan):
    approved = loan["LoanApproval"] == 1
    female = loan["Gender"] == 1
    counts = (len(loan), female.sum(), approved.sum(), (approved & female).sum())
    assert counts == (4_993, 2_246, 2_523, 869)


def test_rule_reproduces_every_loan_decision(loan):
    score = loan["AnnualSalary"] + 5 * loan["AccountBalance"]
    assert ((score > 225_000) == (loan["LoanApproval"] == 1)).all()


def test_no_loan_score_is_within_a_cent_of_the_threshold(loan):
    score = loan["AnnualSalary"] + 5 * loan["AccountBalance"]
    assert (score - 225_000).abs().min() > 0.01


def test_law_school_columns_and_codes(law_school):
    assert list(law_school) == ["gender", "race", "race_detail", "LSAT", "UGPA"]
    assert set(law_school["gender"]) == {"female", "male"}
    is_white = law_school["race"] == "white"
    assert set(law_school["race"]) == {"white", "non-white"}
    assert (is_white == (law_school["race_detail"] == "White")).all()
    assert law_school.notna().all(axis=None)


def test_law_school_counts_are_those_of_its_note(law_school):
    female = law_school["gender"] == "female"
    non_white = law_school["race"] == "non-white"
    counts = (len(law_school), female.sum(), non_white.sum(), (female & non_white).sum())
    assert counts == (21_790, 9_537, 3_506, 1_833)
    assert (law_school["LSAT"] % 1 != 0).sum() == 2_032
    assert (law_school["UGPA"] > 4).sum() == 18


def test_rule_admits_505_to_law_school(law_school):
    score = 0.6 * law_school["UGPA"] + 0.4 * law_school["LSAT"]
    assert (score > 20.798).sum() == 505


def test_prepare_drops_the_row_and_copies_numbers_as_written():
    source = (
        "race,sex,LSAT,UGPA,region_first,ZFYA,sander_index,first_pf\r\n"
        "White,1,39,3.10,GL,-0.98,0.78,1\r\n"
        "White,2,39,2.9,PO,0.63,0.76,1\r\n"
        "Mexican,2,30.7,3,MS,-0.35,0.67,0"
    )
    assert load_script(LAW_SCHOOL / "prepare.py").convert(source) == (
        "gender,race,race_detail,LSAT,UGPA\n"
        "female,white,White,39,3.10\n"
        "male,non-white,Mexican,30.7,3\n"
    )


@pytest.mark.skipif(
    not AUTHORS.is_dir(), reason="the authors' data are not beside the repository (../shared)"
)
def test_law_school_equals_the_authors_rows(law_school):
    authors = pd.read_csv(AUTHORS / "clean_LawSchool.csv", sep="|")
    expected = pd.DataFrame(
        {
            "gender": authors["sex"].str.lower(),
            "race": authors["race_nonwhite"].map({"White": "white", "NonWhite": "non-white"}),
            "race_detail": authors["race"],
            "LSAT": authors["LSAT"],
            "UGPA": authors["UGPA"],
        }
    )
    pd.testing.assert_frame_equal(law_school, expected, check_dtype=False, check_exact=True)


@pytest.mark.parametrize(
    ("folder", "rows", "columns"),
    [(BERKELEY, 24, 4), (GERMAN, 1_000, 9), (ADULT, 32_561, 9)],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_gallery_has_the_rows_and_columns_of_its_notes(folder, rows, columns):
    frame = pd.read_csv(folder / f"{folder.name}.csv")
    script = load_script(folder / "prepare.py")
    note = (folder / "NOTE.md").read_text(encoding="utf-8")
    assert frame.shape == (rows, columns)
    assert tuple(frame) == script.COLUMNS
    assert frame.notna().all(axis=None)
    assert all(f"| `{column}` |" in note for column in frame)


def test_berkeley_counts_are_those_of_its_note():
    frame = pd.read_csv(BERKELEY / "berkeley.csv")
    people = frame.groupby(["gender", "admission"])["applicants"].sum()
    assert people.to_dict() == {
        ("female", "admitted"): 557,
        ("female", "rejected"): 1_278,
        ("male", "admitted"): 1_198,
        ("male", "rejected"): 1_493,
    }
    assert not frame.duplicated(["gender", "department", "admission"]).any()


def test_german_credit_counts_are_those_of_its_note():
    frame = pd.read_csv(GERMAN / "german-credit.csv")
    young, bad = frame["age"] <= 25, frame["risk"] == "bad"
    assert (young.sum(), bad.sum(), (young & bad).sum()) == (190, 300, 80)
    assert frame["age"].between(19, 75).all()
    assert frame["credit_amount"].agg(["min", "max"]).tolist() == [250, 18_424]
    assert frame["duration"].agg(["min", "max"]).tolist() == [4, 72]
    script = load_script(GERMAN / "prepare.py")
    for column, codes in {
        "employed_for": script.EMPLOYED,
        "housing": script.HOUSING,
        "checking_account": script.CHECKING,
        "savings": script.SAVINGS,
    }.items():
        assert set(frame[column]) == set(codes.values())


def test_adult_counts_are_those_of_its_note():
    frame = pd.read_csv(ADULT / "adult.csv")
    female, over = frame["sex"] == "female", frame["income"] == "over 50K"
    assert (female.sum(), over.sum(), (female & over).sum()) == (10_771, 7_841, 1_179)
    assert (frame["occupation"] == "not stated").sum() == 1_843
    assert (frame["native_country"] == "not stated").sum() == 583
    assert len(frame.drop_duplicates()) == 25_675
    note = (ADULT / "NOTE.md").read_text(encoding="utf-8")
    order = note.partition("The order of `education`: ")[2].partition(".\n")[0].split(", ")
    assert set(order) == set(frame["education"])
    assert len(order) == 16


@pytest.mark.parametrize(
    ("folder", "source", "expected"),
    [
        (
            BERKELEY,
            '"","Admit","Gender","Dept","Freq"\n"1","Admitted","Male","A",512\n',
            "male,A,admitted,512",
        ),
        (
            GERMAN,
            "A11 6 A34 A43 1169 A65 A75 4 A93 A101 4 A121 67 A143 A152 2 A173 1 A192 A201 1\n",
            "G0001,67,7 years or more,rented,no account,1000 DM or more,1169,6,good",
        ),
        (
            ADULT,
            "25, ?, 1, HS-grad, 9, Widowed, ?, Wife, Black, Female, 0, 0, 20, ?, <=50K\n\n",
            "25,female,Black,not stated,Widowed,HS-grad,not stated,20,up to 50K",
        ),
    ],
    ids=["berkeley", "german-credit", "adult"],
)
def test_prepare_takes_a_row_over(folder, source, expected):
    _, row = load_script(folder / "prepare.py").convert(source).splitlines()
    assert row == expected


@pytest.mark.parametrize("folder", [GERMAN, ADULT], ids=["german-credit", "adult"])
def test_prepare_refuses_another_file(folder, tmp_path):
    script = load_script(folder / "prepare.py")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr(script.MEMBER, "something else")
    with pytest.raises(SystemExit, match="expected SHA-256"):
        script.extract(tmp_path / "other.whl")
