"""History and sharing: what happened, versions, copies, the link, and deleting for good."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable

import pandas as pd
import pytest
from app_user import EVERY_PAGE, User
from own_cases import open_link

from dashboard.draft import files
from dashboard.session import caches
from dashboard.store import Store, WorkspaceGone

Visit = Callable[..., User]

RENAMED = "Changed the name of the negative outcome"


@pytest.fixture
def loan(visit: Visit) -> User:
    user = visit(browser="a" * 32).open_sample("loan")
    user.at.text_input(key="author-name").set_value("Ada")
    user.run().go("data").type("negative-name", "turned down")
    return user.go("history")


def keep(user: User, name: str) -> User:
    return user.submit("Name", name, "Keep this version")


def test_what_happened_by_whom(loan: User) -> None:
    assert RENAMED in loan.text
    assert "Ada" in loan.text
    assert "Opened the sample Loan applications" in loan.text
    assert "no name given" in loan.text
    loan.press("Undo")
    assert "Undid: Changed the name of the" in loan.text
    loan.press("Redo")
    assert "Redid: Changed the name of the" in loan.text


def test_a_named_version_is_brought_back(loan: User, store: Store) -> None:
    named = loan.saved
    keep(loan, "as sent to the court")
    assert [item.name for item in store.versions(loan.workspace.id)] == ["as sent to the court"]
    loan.go("data").type("negative-name", "sent away")
    assert loan.saved != named
    loan.go("history").press("Bring back")
    assert loan.saved == named
    assert loan.session.draft == named
    assert re.search(r"Restored: revision \d+", loan.text)
    assert "Restored: Restored" not in loan.text
    loan.press("Undo")
    assert loan.saved.outcomes.negative == "sent away"


def test_a_version_needs_a_new_name(loan: User, store: Store) -> None:
    keep(loan, "first")
    loan.go("data").type("negative-name", "no")
    keep(loan.go("history"), "first")
    assert any("already called “first”" in item for item in loan.errors)
    keep(loan, "   ")
    assert len(loan.errors) == 1
    assert len(store.versions(loan.workspace.id)) == 1


def test_looking_at_an_earlier_state_and_bringing_it_back(loan: User) -> None:
    earlier = loan.session.draft
    loan.go("data").type("negative-name", "sent away").go("history")
    event = next(item for item in reversed(loan.events) if item.summary.startswith(RENAMED))
    loan.at.button(key=f"look-{event.id}").click()
    loan.run()
    assert "Bringing it back would change the present state like this:" in loan.text
    loan.press_in_dialog("Bring this state back")
    assert loan.saved == earlier


def test_a_copy_is_a_workspace_of_its_own(loan: User, store: Store) -> None:
    original, before = loan.workspace.id, loan.saved
    loan.press("Make a copy")
    assert loan.workspace.id != original
    assert loan.saved.title == "Copy of Loan applications"
    assert store.open(loan.link).id == loan.workspace.id
    loan.go("data").type("negative-name", "only here")
    assert store.load(original)[1].document == before.to_json()
    assert "4,993 people" in loan.text, "the copy has the data, too"


def test_a_new_link_ends_the_old_one(loan: User, visit: Visit, store: Store) -> None:
    old, other = loan.link, visit(loan.link, browser="b" * 32)
    loan.press("Make a new link now")
    assert loan.link != old
    assert store.open(loan.link).id == loan.workspace.id
    with pytest.raises(WorkspaceGone):
        store.open(old)
    other.run()
    assert "There is no workspace behind this link" in other.text
    assert not other.session.is_open
    assert loan.link in next(item.value for item in loan.at.code)


def test_deleting_for_good(loan: User, visit: Visit, store: Store) -> None:
    link, workspace = loan.link, loan.workspace.id
    assert loan.button("Delete now").disabled
    loan.at.checkbox(key=loan.key("sure")).check()
    loan.run().press("Delete now")
    assert "The workspace and its data were deleted." in loan.text
    assert "w" not in loan.at.query_params
    with pytest.raises(WorkspaceGone):
        store.load(workspace)
    assert "There is no workspace behind this link" in visit(link).text


def test_nothing_of_a_deleted_workspace_stays_in_memory(visit: Visit) -> None:
    user = visit(open_link(2))  # its people are called P0000 and so on
    for path in EVERY_PAGE:
        user.go(path)
    user.go("complainant").at.query_params["id"] = "P0001"
    user.run().go("history")
    assert alive("P0001")
    assert caches.count() > 10
    user.at.checkbox(key=user.key("sure")).check()
    user.run().press("Delete now")
    assert caches.count() == 0
    assert not alive("P0001")


def alive(person: str) -> list[pd.DataFrame]:
    """Return the tables in memory that somebody is in, wherever they are held."""
    gc.collect()
    tables = [item for item in gc.get_objects() if isinstance(item, pd.DataFrame)]
    return [
        table
        for table in tables
        if person in table.index or ("id" in table and person in table["id"].array)
    ]


def test_a_complete_case_offers_a_scenario_and_an_unfinished_one_a_draft(loan: User) -> None:
    assert {"Scenario file", "Scenario with data"} <= loan.downloads
    loan.go("data").choose("role-Gender", "ignore").go("history")
    assert "The case is not complete" in loan.text
    assert loan.downloads == {"Draft (without data)"}


def test_a_draft_file_comes_back(loan: User, visit: Visit) -> None:
    loan.go("data").choose("role-Gender", "ignore")
    draft = loan.saved
    other = visit()
    other.at.file_uploader(key="scenario-file").upload(
        f"x{files.DRAFT_ENDING}", draft.to_json().encode(), "application/json"
    )
    other.run()
    assert other.saved == draft.model_copy(update={"source": None})
    assert "The scenario is here; its data are not. Upload loan.csv" in other.text


def test_a_hostile_scenario_file_is_refused_in_sentences(visit: Visit) -> None:
    user = visit()
    user.at.file_uploader(key="scenario-file").upload(
        "<b>x.yaml", b"format: 1\nname: !!python/object/apply:os.system [ls]\n", "text/yaml"
    )
    user.run()
    assert "was not taken in" in user.errors[0]
    assert not user.session.is_open
