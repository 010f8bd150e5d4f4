"""Links, copies, versions and files: a case goes out and comes back the same."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from app_driver import fresh
from playwright.sync_api import Locator, expect

if TYPE_CHECKING:
    from app_driver import Person


SALARY, BALANCE = "Annual salary", "Account balance"
LABELS = ["−14,931", "−1,097", "0.3", "× 1", "× 5"]


def download(person: Person, button: Locator) -> Path:
    with person.page.expect_download() as got:
        button.click()
    return Path(got.value.path())


def test_a_new_link_ends_the_old_one(person: Person) -> None:
    old = person.server.workspace()
    person.follow(old, "history")
    person.button("Make a new link").click()
    person.button("Make a new link now", within=person.page.locator("body")).click()
    person.says("There is a new link; the old one no longer works.")
    new = person.link
    assert new != old
    person.page.goto(f"{person.server.address}/causal-model?w={old}")
    person.says(re.compile("replaced by a new one"))
    expect(person.page.locator(".react-flow__node")).to_have_count(0)
    person.follow(new)
    person.count(nodes=4, arrows=5)


def test_a_copy_and_deleting_for_good(person: Person) -> None:
    first = person.server.workspace()
    person.follow(first, "history")
    person.button("Make a copy").click()
    person.says(re.compile("This is the copy"))
    expect(person.page.locator(".cst-status b")).to_have_text("Copy of Loan applications")
    copy = person.link
    assert copy != first
    person.go("Causal model")
    person.delete_arrow("Gender", SALARY)
    person.kept(lambda draft: len(draft.world.edges) == 4)
    assert len(person.server.draft(first).world.edges) == 5  # the original stays

    person.go("History and sharing")
    person.button("Delete for good").click()
    body = person.page.locator("body")
    expect(person.button("Delete now", within=body)).to_be_disabled()
    person.open("Yes, delete it for good")
    person.button("Delete now", within=body).click()
    person.says("The workspace and its data were deleted.")
    expect(person.heading("Your recent workspaces")).to_be_visible()
    person.says(re.compile("^Loan applications"))
    expect(person.main.get_by_text("Copy of Loan applications")).to_have_count(0)
    person.page.goto(f"{person.server.address}/causal-model?w={copy}")
    person.says(re.compile("the workspace may have been deleted"))


def test_a_named_version_and_an_earlier_state_come_back(person: Person) -> None:
    person.follow(person.server.workspace(), "history")
    person.write(person.field("Name"), "as sent to the court")
    named = person.main.get_by_role("strong").get_by_text("as sent to the court")
    expect(fresh(named)).to_be_visible()
    person.go("Causal model")
    person.delete_arrow("Gender", SALARY)
    person.delete_arrow("Gender", BALANCE)
    person.kept(lambda draft: len(draft.world.edges) == 3)
    person.go("History and sharing")
    person.button("Bring back").click()
    person.kept(lambda draft: len(draft.world.edges) == 5)
    person.says(re.compile("Restored: "))
    row = person.main.get_by_text("Deleted the arrow Gender → AnnualSalary").first
    person.button("Look", within=row.locator("xpath=ancestor::*[.//button][1]")).click()
    dialog = person.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Deleted the arrow Gender → AnnualSalary")
    fresh(dialog.get_by_label("Why (optional)")).fill("the expert withdrew it")
    person.button("Bring this state back", within=dialog).click()
    person.kept(lambda draft: len(draft.world.edges) == 4)
    person.says(re.compile("because: the expert withdrew it"))
    person.go("Causal model")
    person.count(nodes=4, arrows=4)
    expect(person.arrow("Gender", SALARY)).to_have_count(0)


def test_a_scenario_with_its_data_comes_back_the_same(person: Person) -> None:
    person.follow(person.server.workspace())
    person.write(person.number("Coefficient of Gender in AnnualSalary"), "-5000")
    expect(person.page.locator(".edge-label.by-hand")).to_have_text(["−5,000"])
    person.quiet()
    before, first = person.draft(), person.link
    person.go("History and sharing")
    archive = download(person, person.button("Scenario with data")).read_bytes()
    assert archive.startswith(b"PK")
    scenario = download(person, person.button("Scenario file")).read_bytes()
    assert b"title: Loan applications" in scenario

    person.go("Open another case")
    person.upload("case.zip", archive, into=1)
    expect(person.heading("What was found")).to_be_visible()
    person.go("Causal model")
    person.drawn()
    expect(person.page.locator(".edge-label")).to_have_text(["−5,000", *LABELS[1:]])
    assert person.link != first
    after = person.draft()
    assert after.worlds == before.worlds
    assert (after.roles, after.decision_maker) == (before.roles, before.decision_maker)
    assert after.source.sha256 == before.source.sha256

    person.go("Open another case")
    person.upload("case.yaml", scenario, into=1)
    person.says(re.compile("The scenario is here; its data are not. Upload loan.csv"))
    assert person.draft().worlds == before.worlds
    person.go("Causal model")
    person.count(nodes=4, arrows=5)


def test_a_drawing_goes_to_dagitty_and_back(person: Person) -> None:
    person.follow(person.server.workspace())
    person.button("Import or export").click()
    body = person.page.locator("body")
    text = download(person, person.button("Export as DAGitty text", within=body)).read_text()
    assert text.startswith("dag")
    person.field("Import: paste the text of a drawing").fill(text)
    person.button("Import as a new causal model", within=body).click()
    person.says(re.compile("The drawing is here as a new causal model"))
    person.count(nodes=4, arrows=5)
    expect(person.page.locator(".edge-label")).to_have_text(LABELS)
    draft = person.draft()
    assert len(draft.worlds) == 2
    drawn = [{(edge.cause, edge.effect) for edge in world.edges} for world in draft.worlds]
    assert drawn[0] == drawn[1]


def test_the_drawing_is_saved_as_svg_and_png(person: Person) -> None:
    person.follow(person.server.workspace())
    root = ET.fromstring(download(person, person.tool("Download SVG")).read_text(encoding="utf-8"))
    titles = {item.text for item in root.iter("{http://www.w3.org/2000/svg}title")}
    assert {"Gender", SALARY, BALANCE, "Loan approval"} <= {
        str(title).partition("\n")[0] for title in titles
    }
    assert download(person, person.tool("Download PNG")).read_bytes().startswith(b"\x89PNG")
