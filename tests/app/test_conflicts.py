"""Two people on one workspace: nothing is overwritten unseen, and both changes stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_user import User

from dashboard.draft.document import Draft
from dashboard.store import Store

Visit = Callable[..., User]
CONFLICT = "Two people changed this workspace at the same time"


@pytest.fixture
def two(visit: Visit) -> tuple[User, User]:
    """Open one workspace twice; both tabs have seen the same version."""
    first = visit(browser="a" * 32).open_sample("loan")
    first.at.text_input(key="author-name").set_value("Ada")
    first.run().go("data")
    second = visit(first.link, browser="b" * 32)
    second.at.text_input(key="author-name").set_value("Ben")
    second.run().go("data")
    return first, second


def collide(first: User, second: User) -> None:
    first.type("negative-name", "turned down")
    second.type("positive-name", "granted")
    assert CONFLICT in second.text


def set_aside(store: Store, user: User) -> list[Draft]:
    return [
        Draft.from_json(store.revision(user.workspace.id, event.revision).document)
        for event in store.activity(user.workspace.id, limit=100)
        if event.what == "set aside"
    ]


def test_the_second_is_told_and_nothing_is_overwritten(
    two: tuple[User, User], store: Store
) -> None:
    first, second = two
    collide(first, second)
    assert second.saved.outcomes.negative == "turned down"
    assert second.saved.outcomes.positive == "approved"
    assert second.status() == "Set aside until you choose"
    assert "Ada changed" in second.text
    assert "You changed" in second.text
    assert [item.outcomes.positive for item in set_aside(store, second)] == ["granted"]
    assert second.button("Undo").disabled


def test_both_are_kept_where_they_do_not_touch(two: tuple[User, User]) -> None:
    first, second = two
    collide(first, second)
    second.press("Keep both changes")
    assert CONFLICT not in second.text
    assert second.saved.outcomes.negative == "turned down"
    assert second.saved.outcomes.positive == "granted"
    assert second.at.text_input(key=second.key("negative-name")).value == "turned down"
    assert second.status() == "Saved"
    assert second.last_change.startswith("Kept both: ")


def test_mine_is_kept_and_theirs_can_be_undone_to(two: tuple[User, User]) -> None:
    first, second = two
    collide(first, second)
    second.press("Keep mine")
    assert second.saved.outcomes.negative == "refused"
    assert second.saved.outcomes.positive == "granted"
    second.press("Undo")
    assert second.saved.outcomes.negative == "turned down"


def test_theirs_is_kept_and_mine_stays_in_the_history(two: tuple[User, User], store: Store) -> None:
    first, second = two
    collide(first, second)
    second.press("Keep theirs")
    assert second.session.draft == first.saved
    assert "Your change is set aside" in second.text
    assert second.at.text_input(key=second.key("positive-name")).value == "approved"
    assert set_aside(store, second)[0].outcomes.positive == "granted"
    second.go("history")
    assert "Set aside (not in use): Changed the name of the " in second.text


def test_changes_that_touch_offer_no_both(two: tuple[User, User]) -> None:
    first, second = two
    first.type("negative-name", "turned down")
    second.type("negative-name", "sent away")
    assert "touch the same part" in second.text
    assert not [item for item in second.at.button if item.label == "Keep both changes"]


def test_two_numbers_of_one_equation_are_both_kept(two: tuple[User, User]) -> None:
    for user in two:
        user.go("causal-model")
    first, second = two
    first.enter("Coefficient of Gender in AnnualSalary", -1000.0)
    second.enter("Coefficient of intercept in AnnualSalary", 0.5)
    assert CONFLICT in second.text
    assert "Changed the coefficient of Gender in AnnualSalary" in second.text
    second.press("Keep both changes")
    kept = second.saved.world.equation("AnnualSalary").coefficients
    assert (kept["Gender"].value, kept["intercept"].value) == (-1000.0, 0.5)


def test_one_number_set_twice_offers_no_both(two: tuple[User, User]) -> None:
    for user in two:
        user.go("causal-model")
    for user, value in zip(two, (-1000.0, -2000.0), strict=True):
        user.enter("Coefficient of Gender in AnnualSalary", value)
    assert "touch the same part" in two[1].text
    assert not [item for item in two[1].at.button if item.label == "Keep both changes"]


def test_further_edits_during_a_conflict_are_kept_aside_too(
    two: tuple[User, User], store: Store
) -> None:
    first, second = two
    collide(first, second)
    second.type("case-title", "Case 7")
    mine = second.session.draft
    assert (mine.title, mine.outcomes.positive) == ("Case 7", "granted")
    assert len(set_aside(store, second)) == 2
    first.type("case-origin", "the bank")
    second.press("Keep mine")
    assert second.saved == mine
    assert {event.summary for event in second.events} >= {"Changed the title or description"}


def test_the_first_is_told_of_what_the_second_did(two: tuple[User, User]) -> None:
    first, second = two
    second.type("positive-name", "granted")
    first.run()
    assert "Ben changed this workspace: Changed the name of the " in first.text
    first.press("Show the newest version")
    assert first.at.text_input(key=first.key("positive-name")).value == "granted"
    first.type("negative-name", "turned down")
    assert CONFLICT not in first.text
    assert first.saved.outcomes.positive == "granted"


def test_undo_after_someone_else_shows_theirs_instead(two: tuple[User, User]) -> None:
    first, second = two
    first.type("negative-name", "turned down")
    second.press("Show the newest version") if second.run() else None
    first.type("negative-name", "sent away")
    second.press("Undo")
    assert "Someone else changed this workspace first" in second.text
    assert second.saved.outcomes.negative == "sent away"
    assert second.session.draft == second.saved


def test_a_workspace_deleted_by_another_is_said(two: tuple[User, User], store: Store) -> None:
    first, second = two
    store.delete(first.workspace.id)
    second.type("positive-name", "granted")
    assert "There is no workspace behind this link" in second.text
    assert not second.session.is_open
