"""Tables as people publish them, on the Data page: what is told, and what can be said."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from app_user import User

from cst_core.scenario import PreparationPart

Visit = Callable[..., User]
COUNTS = "Admit,Gender,Dept,Freq\n" + "".join(
    f"{admit},{gender},{dept},{10 + 3 * len(gender) + len(admit)}\n"
    for dept in "ABCD"
    for gender in ("Male", "Female")
    for admit in ("Admitted", "Rejected")
)


def opened(visit: Visit, text: str) -> User:
    user = visit()
    user.at.file_uploader(key="own-data").upload("people.csv", text.encode(), "text/csv")
    return user.run()


def test_a_table_of_counts_is_read_as_people(visit: Visit) -> None:
    user = opened(visit, COUNTS)
    user.press("Take all suggestions")
    assert user.saved.roles.count == "Freq"
    assert "16 rows that count people" in user.text
    user.choose("protected-Gender", "Female")
    user.choose("role-Freq", "ignore")
    assert user.saved.roles.count is None
    assert "looks like counts (" in user.text
    user.press("Each row is one person")
    assert user.saved.roles.count == "none"
    assert user.last_change == "Took each row for one person"


def test_what_was_done_to_the_table_is_told(visit: Visit) -> None:
    user = opened(visit, "sex,age,age,hired\nf,20,?,no\nm,30,31,yes\nf,40,41,no\nm,50,51,yes\n")
    assert "number 2 is 'age (2)'. Their values differ." in user.text
    assert "'age (2)' holds numbers, and '?' (1): read as missing." in user.text


SCENARIO = """
format: 1
name: hiring
data: {file: people.csv, rows: [{column: wage, at_least: 1}]}
roles:
  protected: [{column: sex, protected: f, reference: m}]
  relevant: [{column: age}]
  decision: {column: hired, negative: "no"}
worlds: [{name: one, nodes: [{name: sex}, {name: age}], edges: [{from: sex, to: age}]}]
"""


def test_rows_that_cannot_be_taken_have_a_way_out(visit: Visit) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("scenario.yaml", SCENARIO)
        file.writestr("people.csv", "sex,age,hired\nf,20,no\nm,30,yes\nf,40,no\nm,50,yes\n")
    user = visit()
    user.at.file_uploader(key="scenario-file").upload(
        "case.zip", archive.getvalue(), "application/zip"
    )
    user.run().go("data")
    assert "Column not in the table: 'wage'" in user.text
    user.press("Take the table as it is")
    assert user.saved.preparation == PreparationPart()
    assert "4 people, 3 columns" in user.text
