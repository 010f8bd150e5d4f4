"""Workspaces: saving, conflicts, undo and redo, history, names, copies and links."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta

import pytest
from every_revision import every_revision

from dashboard.store import (
    Conflict,
    InvalidText,
    NameTaken,
    NothingToRedo,
    NothingToUndo,
    RevisionGone,
    Store,
    Workspace,
    WorkspaceGone,
    open_store,
)


def new(store: Store, document: str = "one", title: str = "Loans") -> Workspace:
    return store.create(document, title=title, author="Ada", summary="Began")


def save(store: Store, case: Workspace, document: str, **more: object) -> Workspace:
    return store.save(
        case.id,
        document,
        expected_version=case.version,
        author="Ada",
        summary=f"to {document}",
        **more,  # type: ignore[arg-type]
    )


def text(store: Store, case: Workspace) -> str:
    return store.load(case.id)[1].document


def test_create_open_load(store: Store) -> None:
    before = datetime.now(UTC)
    case = new(store, "dócument ✓ 🎲")
    assert (case.version, case.head, case.title) == (1, 1, "Loans")
    assert not case.can_undo
    assert not case.can_redo
    assert len(case.token) == 32
    assert case.token not in repr(case)
    assert store.open(case.token) == case
    loaded, revision = store.load(case.id)
    assert loaded == case
    assert revision == store.revision(case.id, 1)
    assert revision.document == "dócument ✓ 🎲"
    assert (revision.id, revision.parent, revision.kind) == (1, None, "create")
    for moment in (case.created, case.changed, revision.at):
        assert moment.utcoffset() == timedelta(0)
        assert before <= moment <= datetime.now(UTC)
    with pytest.raises(FrozenInstanceError):
        case.version = 2  # type: ignore[misc]


def test_everything_is_there_after_opening_again(url: str) -> None:
    with open_store(url) as store:
        case = save(store, save(store, new(store), "two"), "three")
        case = store.undo(case.id, expected_version=case.version, author="Ada")
    with open_store(url) as store:
        assert store.open(case.token) == case
        case = store.redo(case.id, expected_version=case.version, author="Ada")
        assert text(store, case) == "three"


@pytest.mark.parametrize("token", ["", "nonsense", "x" * 500, "a\x00b", "\ud800"])
def test_unknown_links_and_ids(store: Store, token: str) -> None:
    new(store)
    with pytest.raises(WorkspaceGone, match="no workspace behind this link"):
        store.open(token)
    if token.isprintable():
        for ask in (store.load, store.head_version, store.activity, store.versions, store.delete):
            with pytest.raises(WorkspaceGone):
                ask(token)


@pytest.mark.parametrize("number", [0, -1, 2, 2**31, 2**70])
def test_unknown_revisions(store: Store, number: int) -> None:
    case = new(store)
    with pytest.raises(RevisionGone):
        store.revision(case.id, number)
    with pytest.raises(RevisionGone):
        store.restore(case.id, number, expected_version=1, author="Ada")
    with pytest.raises(RevisionGone):
        store.set_aside(case.id, "x", base_revision=number, author="Ada", summary="", reason="")
    assert len(every_revision(store, case.id)) == 1


def test_a_revision_is_read_only_through_its_workspace(store: Store) -> None:
    one, two = new(store), new(store, "secret")
    two = save(store, two, "more secret")
    with pytest.raises(RevisionGone):
        store.revision(one.id, two.head)


def test_save_moves_the_head(store: Store) -> None:
    first = new(store)
    second = save(store, first, "two", reason="because")
    assert (second.version, second.head) == (2, 2)
    assert second.can_undo
    assert second.changed >= second.created == first.created
    revision = store.revision(second.id, 2)
    assert (revision.parent, revision.kind, revision.reason) == (1, "edit", "because")
    assert store.head_version(second.id) == 2


def test_saving_the_same_again_writes_nothing(store: Store) -> None:
    case = save(store, new(store), "two")
    assert save(store, case, "two") == case
    assert save(store, case, "two", title="Loans") == case
    assert len(every_revision(store, case.id)) == 2
    assert len(store.activity(case.id)) == 2


def test_conflict_tells_base_and_theirs_and_writes_nothing(store: Store) -> None:
    start = save(store, new(store), "base")
    theirs = save(store, start, "theirs")
    with pytest.raises(Conflict, match="changed elsewhere") as caught:
        save(store, start, "mine")
    assert caught.value.current == theirs
    assert caught.value.base == store.revision(start.id, start.head)
    assert caught.value.theirs.document == "theirs"
    assert len(every_revision(store, start.id)) == 3
    for move in (store.undo, store.redo):
        with pytest.raises(Conflict):
            move(start.id, expected_version=start.version, author="Ada")
    with pytest.raises(Conflict):
        store.restore(start.id, 1, expected_version=start.version, author="Ada")


def test_conflict_after_undo_finds_the_right_base(store: Store) -> None:
    case = save(store, save(store, new(store, "a"), "b"), "c")
    undone = store.undo(case.id, expected_version=case.version, author="Ada")  # the head is b
    save(store, undone, "theirs")
    with pytest.raises(Conflict) as caught:
        save(store, undone, "mine")
    assert caught.value.base.document == "b"


@pytest.mark.parametrize("version", [0, -3, 7, 2**31, 2**70])
def test_conflict_about_a_version_that_never_was(store: Store, version: int) -> None:
    case = new(store)
    with pytest.raises(Conflict) as caught:
        store.save(case.id, "two", expected_version=version, author="Ada", summary="")
    assert caught.value.base == caught.value.theirs


def test_set_aside_and_take_up_again(store: Store) -> None:
    start = new(store, "base")
    current = save(store, start, "theirs")
    side = store.set_aside(
        start.id, "mine", base_revision=start.head, author="Bo", summary="lost", reason="conflict"
    )
    assert (side.kind, side.parent, side.document) == ("set aside", start.head, "mine")
    assert store.open(start.token) == current
    after = store.restore(start.id, side.id, expected_version=current.version, author="Bo")
    assert text(store, after) == "mine"
    back = store.undo(start.id, expected_version=after.version, author="Bo")
    assert text(store, back) == "theirs"
    onward = save(store, back, "next")
    assert onward.head == 5


def test_undo_and_redo(store: Store) -> None:
    case = new(store, "a")
    with pytest.raises(NothingToUndo, match="nothing to undo"):
        store.undo(case.id, expected_version=1, author="Ada")
    with pytest.raises(NothingToRedo, match="nothing to redo"):
        store.redo(case.id, expected_version=1, author="Ada")
    for document in "bcd":
        case = save(store, case, document)
    seen = []
    while case.can_undo:
        case = store.undo(case.id, expected_version=case.version, author="Ada")
        seen.append(text(store, case))
    while case.can_redo:
        case = store.redo(case.id, expected_version=case.version, author="Ada")
        seen.append(text(store, case))
    assert "".join(seen) == "cbabcd"
    assert case.version == 10
    assert len(every_revision(store, case.id)) == 4


def test_a_save_after_undo_begins_a_new_line_and_keeps_the_old(store: Store) -> None:
    case = save(store, save(store, new(store, "a"), "b"), "c")
    case = store.undo(case.id, expected_version=case.version, author="Ada")
    case = save(store, case, "d")
    assert not case.can_redo
    with pytest.raises(NothingToRedo):
        store.redo(case.id, expected_version=case.version, author="Ada")
    assert [(r.id, r.parent) for r in every_revision(store, case.id)] == [
        (4, 2),
        (3, 2),
        (2, 1),
        (1, None),
    ]
    case = store.restore(case.id, 3, expected_version=case.version, author="Ada", reason="better")
    assert text(store, case) == "c"
    restored = store.revision(case.id, case.head)
    assert (restored.kind, restored.parent, restored.reason) == ("restore", 4, "better")
    assert store.restore(case.id, 3, expected_version=case.version, author="Ada") == case


def test_titles_follow_undo(store: Store) -> None:
    case = new(store)
    named = save(store, case, "one", title="Loans 2024")
    assert (named.title, named.version) == ("Loans 2024", 2)
    assert text(store, named) == "one"
    assert save(store, named, "one", title="Loans 2024") == named
    back = store.undo(case.id, expected_version=2, author="Ada")
    assert back.title == "Loans"
    both = save(store, back, "two", title="Third")
    assert (both.title, text(store, both)) == ("Third", "two")


def test_activity(store: Store) -> None:
    case = new(store, "0")
    for i in range(1, 7):
        case = save(store, case, str(i))
    case = store.undo(case.id, expected_version=case.version, author="Bo")
    case = store.redo(case.id, expected_version=case.version, author="Bo")
    newest = store.activity(case.id, limit=2)
    assert [e.what for e in newest] == ["redo", "undo"]
    assert [e.what for e in store.activity(case.id)[2:]] == ["edit"] * 6 + ["create"]
    undone = newest[1]
    assert (undone.author, undone.summary) == ("Bo", "to 6")
    assert (undone.revision, undone.version) == (6, 8)
    assert undone.at.utcoffset() == timedelta(0)


def test_named_versions(store: Store) -> None:
    case = save(store, new(store), "two")
    named = store.name_version(case.id, 1, "  As filed ", "Ada")
    assert (named.name, named.revision, named.author) == ("As filed", 1, "Ada")
    assert store.name_version(case.id, 1, "As filed", "Bo") == named
    store.name_version(case.id, 2, "As amended", "Ada")
    with pytest.raises(NameTaken, match="As filed"):
        store.name_version(case.id, 2, "As filed", "Ada")
    for wrong in ("", "  ", "x" * 201):
        with pytest.raises(InvalidText, match="1 to 200"):
            store.name_version(case.id, 2, wrong, "Ada")
    with pytest.raises(RevisionGone):
        store.name_version(case.id, 9, "None such", "Ada")
    assert [v.name for v in store.versions(case.id)] == ["As amended", "As filed"]


def test_duplicate(store: Store) -> None:
    case = save(store, new(store), "two")
    sha = store.put_blob(b"rows", name="rows.csv", workspace_id=case.id)
    store.name_version(case.id, 1, "As filed", "Ada")
    copy = store.duplicate(case.id, title="Copy", author="Bo")
    assert copy.token != case.token
    assert (copy.title, copy.version, copy.head, copy.can_undo) == ("Copy", 1, 1, False)
    assert text(store, copy) == "two"
    assert store.get_blob(copy.id, sha) == b"rows"
    assert store.versions(copy.id) == []
    save(store, copy, "changed")
    assert text(store, case) == "two"
    store.delete(case.id)
    assert store.get_blob(copy.id, sha) == b"rows"


def test_rotating_the_link(store: Store) -> None:
    case = new(store)
    turned = store.rotate_link(case.id, "Ada")
    assert turned.token != case.token
    assert turned.version == case.version
    assert store.open(turned.token) == turned
    with pytest.raises(WorkspaceGone):
        store.open(case.token)
    assert store.head_version(case.id, token=turned.token) == 1
    with pytest.raises(WorkspaceGone):
        store.head_version(case.id, token=case.token)
    assert store.activity(case.id)[0].what == "rotate link"


def test_texts_that_databases_dislike(store: Store) -> None:
    case = new(store, '["\'; DROP TABLE cst_revisions; --"]', title="a\x00b \ud83d")
    assert case.title == "a\N{REPLACEMENT CHARACTER}b ?"
    for bad in ("a\x00b", "\ud83d"):
        with pytest.raises(InvalidText, match="cannot be saved"):
            save(store, case, bad)
    for good in ("", " ", "\r\n\u2028", "\N{MAN}\u200d\N{ROCKET}"):
        case = save(store, case, good)
        assert text(store, case) == good


def test_browsers_and_recents(store: Store) -> None:
    one, two = new(store, title="1"), new(store, title="2")
    assert store.author("b1") == store.author("unknown") == ""
    store.set_author("b1", "Ada")
    store.set_author("b2", "Bo")
    assert (store.author("b1"), store.author("b2")) == ("Ada", "Bo")
    for case in (one, two, one):
        store.opened("b1", case)
    store.opened("b2", one)
    assert [w.title for w in store.recent("b1")] == ["1", "2"]
    assert [w.title for w in store.recent("b1", limit=1)] == ["1"]
    turned = store.rotate_link(one.id, "Ada")
    store.opened("b1", turned)
    assert [w.title for w in store.recent("b1")] == ["1", "2"]
    assert store.recent("b2") == []
    store.forget("b1", two.id)
    assert [w.id for w in store.recent("b1")] == [one.id]
    store.delete(one.id)
    assert store.recent("b1") == []
    with pytest.raises(WorkspaceGone):
        store.opened("b1", turned)
    with pytest.raises(InvalidText):
        store.set_author("x" * 201, "Ada")


def test_a_deleted_workspace_is_gone(store: Store) -> None:
    case, other = save(store, new(store), "two"), new(store, "other")
    store.undo(case.id, expected_version=2, author="Ada")
    store.name_version(case.id, 1, "name", "Ada")
    store.opened("b1", case)
    store.delete(case.id)
    with pytest.raises(WorkspaceGone):
        store.open(case.token)
    with pytest.raises(WorkspaceGone):
        save(store, case, "three")
    with pytest.raises(RevisionGone):
        store.revision(case.id, 1)
    assert text(store, other) == "other"
