"""Uploaded bytes: who may read them, and when they go."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest

from dashboard.store import BlobGone, Store, Workspace, WorkspaceGone

NOTHING = timedelta(seconds=-1)


def new(store: Store, *blobs: str) -> Workspace:
    return store.create("{}", title="t", author="Ada", summary="Began", blobs=blobs)


def test_bytes_come_back(store: Store) -> None:
    data = bytes(range(256)) * 4000
    case = new(store)
    sha = store.put_blob(data, name="a.csv", workspace_id=case.id)
    assert sha == hashlib.sha256(data).hexdigest()
    assert store.get_blob(case.id, sha) == data
    assert store.put_blob(data, name="b.csv", workspace_id=case.id) == sha
    empty = store.put_blob(b"", name="empty", workspace_id=case.id)
    assert store.get_blob(case.id, empty) == b""


def test_a_hash_alone_opens_nothing(store: Store) -> None:
    owner, other = new(store), new(store)
    sha = store.put_blob(b"private", name="a.csv", workspace_id=owner.id)
    with pytest.raises(BlobGone):
        store.get_blob(other.id, sha)
    for blobs in ([sha], ["0" * 64], ["nonsense"]):
        with pytest.raises(BlobGone):
            store.save(other.id, "[]", expected_version=1, author="Eve", summary="", blobs=blobs)
        with pytest.raises(BlobGone):
            store.create("[]", title="t", author="Eve", summary="", blobs=blobs)
    assert store.head_version(other.id) == 1
    with pytest.raises(WorkspaceGone):
        store.put_blob(b"x", name="x", workspace_id="nowhere")


def test_bytes_that_wait_go_to_the_first_workspace_that_names_them(store: Store) -> None:
    sha = store.put_blob(b"private", name="a.csv")
    owner = new(store, sha)
    assert store.get_blob(owner.id, sha) == b"private"
    with pytest.raises(BlobGone):
        new(store, sha)
    saved = store.save(
        owner.id, "[]", expected_version=1, author="Ada", summary="", blobs=[sha, sha]
    )
    assert saved.version == 2
    assert store.put_blob(b"private", name="mine too.csv") == sha
    second = new(store, sha)
    assert store.get_blob(second.id, sha) == b"private"


def test_bytes_stay_as_long_as_somebody_uses_them(store: Store) -> None:
    sha = store.put_blob(b"shared", name="a", workspace_id=(one := new(store)).id)
    two = new(store)
    store.put_blob(b"shared", name="b", workspace_id=two.id)
    store.delete(one.id)
    assert store.get_blob(two.id, sha) == b"shared"
    with pytest.raises(BlobGone):
        store.get_blob(one.id, sha)
    store.put_blob(b"shared", name="c")  # waits for a workspace
    store.delete(two.id)
    three = new(store, sha)
    assert store.get_blob(three.id, sha) == b"shared"


def test_sweep(store: Store) -> None:
    case = new(store)
    used = store.put_blob(b"used", name="a", workspace_id=case.id)
    store.put_blob(b"used", name="again")
    waiting = store.put_blob(b"waiting", name="b")
    assert store.sweep() == 0
    assert store.sweep(older_than=NOTHING) == 1
    assert store.get_blob(case.id, used) == b"used"
    with pytest.raises(BlobGone):
        new(store, waiting)
