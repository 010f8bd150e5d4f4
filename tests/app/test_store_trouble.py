"""A store that does not work is said in a sentence; no page breaks, and none runs for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_user import PAGES, User

from dashboard.dag_editor import SelectedNode
from dashboard.draft.drawing import AddNode
from dashboard.store import Store, StoreFull, StoreUnreachable

Visit = Callable[..., User]


@pytest.fixture
def loan(visit: Visit) -> User:
    return visit().open_sample("loan")


def fails(error: type[Exception]) -> Callable[..., None]:
    def call(*_: object, **__: object) -> None:
        raise error

    return call


EDITS: dict[str, tuple[str, Callable[[User], User]]] = {
    "outcome": ("data", lambda user: user.type("negative-name", "no")),
    "group": ("data", lambda user: user.type("protected-name-Gender", "ladies")),
    "title": ("data", lambda user: user.type("case-title", "Case 7")),
    "role": ("data", lambda user: user.choose("role-AccountBalance", "ignore")),
    "kind": ("data", lambda user: user.choose("kind-AccountBalance", "ordinal")),
    "weight": (
        "data",
        lambda user: user.set_number("weight-AccountBalance", 2.0),
    ),
    "rule": ("data", lambda user: user.set_number("rule-cutoff", 3.0)),
    "coefficient": (
        "causal-model",
        lambda user: user.enter("Coefficient of Gender in AnnualSalary", -1.0),
    ),
    "bounds": ("causal-model", lambda user: user.enter("Highest possible value", 5.0)),
    "note": ("causal-model", lambda user: user.type("equation-note-AnnualSalary", "why")),
    "world": ("causal-model", lambda user: user.type("world-name", "Other")),
    "label": ("causal-model", lambda user: user.write("Shown as", "Pay")),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_that_cannot_be_saved_is_said_once_and_saved_later(
    loan: User, store: Store, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path, change = EDITS[what]
    before = loan.saved
    loan.session.selection = SelectedNode(node="AnnualSalary")
    loan.go(path)
    with monkeypatch.context() as patch:
        patch.setattr(store, "save", fails(StoreFull))
        change(loan)
        if loan.status() == "Saved":  # a form that does not draw the page anew by itself
            loan.run()
        assert loan.status() == "Not saved"
        assert any(item.startswith("Not saved: ") for item in loan.errors), loan.errors
        loan.run()
        assert loan.saved == before
    change(loan)
    loan.run()
    assert loan.saved != before
    assert loan.status() == "Saved"
    assert not [item for item in loan.errors if item.startswith("Not saved")]


@pytest.mark.parametrize("what", ["load", "head_version", "recent", "activity", "get_blob"])
def test_a_store_that_cannot_be_read_gives_a_sentence_on_every_page(
    loan: User, store: Store, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(store, what, fails(StoreUnreachable))
    said = [path for path in PAGES if any("reached" in item for item in loan.go(path).errors)]
    expected = {"recent": ["start"], "activity": ["history"], "head_version": list(PAGES)}
    assert said == expected.get(what, [])  # the rest is asked for only when it is needed


def test_undo_that_does_not_work_is_said(
    loan: User, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loan.enter("Coefficient of Gender in AnnualSalary", -1.0)
    before = loan.saved
    with monkeypatch.context() as patch:
        patch.setattr(store, "undo", fails(StoreFull))
        loan.press("Undo")
        assert loan.errors
    assert loan.saved == before
    loan.press("Undo")
    assert not loan.errors
    assert loan.saved != before


def test_a_link_while_the_store_is_away(
    loan: User, visit: Visit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "open", fails(StoreUnreachable))
    other = visit(loan.link)
    assert any("Nothing that was saved is lost" in item for item in other.errors)
    assert other.link == loan.link, "the address must still name it when the store is back"


@pytest.mark.parametrize("label", ["Gender", "LoanApproval"])
def test_a_refused_name_is_said_beside_the_field(loan: User, label: str) -> None:
    changed = AddNode(name="Job").apply_to(loan.session.draft)
    loan.session.draft = changed
    loan.session.selection = SelectedNode(node="Job")
    loan.run()
    loan.write("Shown as", label)
    assert any("already drawn" in item for item in loan.errors), loan.errors
    assert loan.session.draft == changed
