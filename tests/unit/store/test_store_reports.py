"""What took long to compute is kept with its workspace, and goes with it."""

from __future__ import annotations

import pytest

from dashboard.store import Store, WorkspaceGone


def test_a_report_takes_the_place_of_the_one_before(store: Store) -> None:
    case = store.create("{}", title="a", author="", summary="began")
    other = store.create("{}", title="b", author="", summary="began")
    assert store.report(case.id, "placebo") is None
    first = store.keep_report(case.id, "placebo", computed_from="one", content="1")
    store.keep_report(case.id, "bootstrap", computed_from="two", content="2")
    second = store.keep_report(case.id, "placebo", computed_from="three", content="3")
    assert first.at <= second.at
    assert store.report(case.id, "placebo") == second
    found = store.report(case.id, "bootstrap")
    assert found is not None
    assert (found.computed_from, found.content) == ("two", "2")
    assert store.report(other.id, "placebo") is None
    assert store.head_version(case.id) == case.version  # nothing to undo


def test_a_copy_has_the_reports_and_a_deleted_workspace_none(store: Store) -> None:
    case = store.create("{}", title="a", author="", summary="began")
    kept = store.keep_report(case.id, "placebo", computed_from="one", content="1")
    copy = store.duplicate(case.id, title="b", author="")
    store.delete(case.id)
    assert store.report(case.id, "placebo") is None
    assert store.report(copy.id, "placebo") == kept
    with pytest.raises(WorkspaceGone):
        store.keep_report(case.id, "placebo", computed_from="one", content="1")
