"""The evidence pages: their numbers against the library, and their files."""

from __future__ import annotations

import csv
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from evidence_cases import (
    FORMULA,
    few_people,
    sample_run,
)
from evidence_screen import at, check_headline, headline
from playwright.sync_api import expect

from dashboard.draft.document import Draft

if TYPE_CHECKING:
    from app_driver import Person


def downloaded(person: Person, name: str, to: Path) -> Path:
    button = person.main.get_by_test_id("stDownloadButton").get_by_role("button", name=name).first
    with person.page.expect_download() as waiting:
        button.click()
    path = to / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def people_in(archive: zipfile.ZipFile) -> str:
    """Return the file of the first test's people."""
    return next(name for name in archive.namelist() if name.endswith("people-cst-without.csv"))


def check_told(about: str, draft: Draft, k: int) -> None:
    assert draft.source is not None
    told = (
        "Revision of the case",
        f"k: {k}",
        "(tau): 0",
        "(alpha): 0.05",
        "People equally far away: none is preferred",
    )
    for line in (draft.source.sha256, *told, "counterfactual-situation-testing "):
        assert line in about, about


def test_files_say_what_they_were_computed_from(person: Person, tmp_path: Path) -> None:
    run = sample_run("loan", "Gender")
    person.follow(person.server.workspace("loan"), "overview")
    check_headline(person, run.summary("CST_wo", at(15)), run.n_protected, "women")
    person.quiet()
    draft = person.draft()
    text = downloaded(person, "CSV", tmp_path).read_text("utf-8-sig")
    check_told(text, draft, 15)
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    found = run.summary("CST_wo", at(50))
    row = next(row for row in rows if (row["method"], row["k"]) == ("CST w/o", "50"))
    assert (int(row["cases"]), int(row["significant"])) == (found.cases, found.significant)

    book = openpyxl.load_workbook(downloaded(person, "XLSX", tmp_path))
    told = "\n".join(
        f"{name}: {value}" for name, value in book["About"].iter_rows(values_only=True)
    )
    check_told(told, draft, 15)
    assert book.worksheets[0].max_row == len(rows) + 1

    with zipfile.ZipFile(downloaded(person, "Everything", tmp_path)) as archive:
        names = set(archive.namelist())
        assert {"scenario.yaml", "about.txt", "1-Gender/counts.csv"} <= names
        check_told(archive.read("about.txt").decode(), draft, 15)
        people = archive.read(people_in(archive)).decode("utf-8-sig")
        check_told(people, draft, 15)
        body = [line for line in people.splitlines() if not line.startswith("#")]
        assert len(body) == run.n_protected + 1


def test_an_id_that_looks_like_a_formula_is_text_in_every_file(
    person: Person, tmp_path: Path
) -> None:
    person.follow(person.server.keep(*few_people()), "overview")
    expect(headline(person)).to_be_visible()
    person.quiet()
    with zipfile.ZipFile(downloaded(person, "Everything", tmp_path)) as archive:
        people = archive.read(people_in(archive)).decode("utf-8-sig")
    body = "\n".join(line for line in people.splitlines() if not line.startswith("#"))
    ids = [row["person"] for row in csv.DictReader(io.StringIO(body))]
    assert f"'{FORMULA}" in ids
    assert not any(name.startswith(("=", "+", "-", "@")) for name in ids)
