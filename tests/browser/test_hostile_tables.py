"""Tables that are broken, too large, or want to do harm."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import fresh
from playwright.sync_api import expect

if TYPE_CHECKING:
    from app_driver import Person


PICTURE = "![](http://x.invalid/a)"
SCRIPT = "<img src=x onerror=alert(1)>"
JOINER = "\N{WORD JOINER}"


def shown(name: str) -> str:
    """Return a name as Markdown places show it: something invisible keeps an address apart."""
    return name.replace("http:", f"http:{JOINER}")


NO_TABLES = {
    "noise.csv": bytes(range(256)) * 40,
    "zeros.csv": b"\0" * 5000,
    "empty.csv": b"",
    "blank.csv": b"\n \n\n",
    "picture.xlsx": b"PK\x03\x04 this is no workbook" * 20,
    "table.parquet": b"PAR1" + b"\xff" * 400 + b"PAR1",
}


def test_what_is_no_table_is_refused_in_a_sentence(person: Person) -> None:
    """Each is given on the page that refused the one before."""
    person.start()
    alert = person.main.get_by_role("alert")
    for name, data in NO_TABLES.items():
        check_refused(person, name, data)
        person.page.get_by_role("button", name=re.compile("^(Remove|Delete|Clear)")).first.click()
        expect(alert).to_have_count(0)


def check_refused(person: Person, name: str, data: bytes) -> None:
    person.upload(name, data)
    alert = fresh(person.main.get_by_role("alert"))
    expect(alert).to_contain_text(re.compile(r"[a-z]{3,} [a-z]{2,}.*\."))
    expect(alert).not_to_contain_text(re.compile("Traceback|Error:|Exception|0x"))
    expect(person.heading("Open a sample")).to_be_visible()
    expect(person.header).to_have_count(0)  # no workspace was made
    with person.server.store() as store, store._database.read() as connection:
        title = name.rsplit(".", 1)[0]  # what Start would call its workspace
        found = connection.exec_driver_sql(
            "SELECT count(*) FROM cst_revisions WHERE title = ?", (title,)
        )
        assert found.scalar_one() == 0


def test_a_file_of_60_megabytes_is_refused(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.write(b"a,b\n")
        file.truncate(60_000_000)
    person.start()
    person.upload(path.name, path)
    person.says(re.compile("50.?0?.?MB"))
    expect(person.header).to_have_count(0)
    person.open_sample("loan applications")  # and the app goes on


def test_names_that_want_to_do_harm_are_only_names(person: Person) -> None:
    rows = [f"{i % 2},{10 + i % 7},{20 + i % 5},{i % 3 % 2}" for i in range(60)]
    head = f"gender,{PICTURE},{SCRIPT},decision"
    person.start()
    person.upload("names.csv", "\n".join([head, *rows]).encode())
    expect(person.heading("1. The table")).to_be_visible()
    for name in (PICTURE, SCRIPT):
        expect(person.cells("th").filter(has_text=name)).to_have_count(1)
        title = person.main.get_by_role("strong").get_by_text(name, exact=True)
        expect(fresh(title)).to_be_visible()
    person.button("Take all suggestions").click()
    for part in ("x.invalid", "onerror"):
        person.choose(re.compile(f"^What is .*{part}"), "Relevant attribute")
        expect(person.combobox(re.compile(f"^How is .*{part}"))).to_be_visible()
    person.open("A known rule: a weighted sum must pass a cut-off")
    person.write(person.number(re.compile(r"Weight of .*x\.invalid")), "2")
    person.write(person.number("Cut-off"), "12")
    person.says(re.compile(f"Accepted when .*{re.escape(shown(PICTURE))}"))
    person.go("Causal model")
    person.button("Draw the usual arrows").click()
    for name in (PICTURE, SCRIPT):
        expect(person.node(name)).to_be_visible()
        expect(person.arrow("gender", name)).to_have_count(1)
    person.select(person.node(SCRIPT))
    name = person.main.get_by_role("strong").get_by_text(SCRIPT, exact=True)
    expect(fresh(name)).to_be_visible()
    person.write(person.field("Note"), SCRIPT + PICTURE)
    person.kept(lambda draft: draft.world.node(SCRIPT).note == SCRIPT + PICTURE)
    person.delete_arrow("gender", PICTURE)
    person.kept(lambda draft: draft.world.edge("gender", PICTURE) is None)
    person.call_yourself(SCRIPT)
    person.go("History and sharing")
    person.says(re.compile(re.escape(f"Deleted the arrow gender → {shown(PICTURE)}")))
    person.says(re.compile(re.escape(SCRIPT)))  # whoever did it
    expect(person.main.locator("img")).to_have_count(0)
