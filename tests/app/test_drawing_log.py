"""What the drawing sends: each operation is done once, and acknowledged when it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from app_user import User

from dashboard.dag_editor import DrawnBidirected, SelectedBidirected, SelectedEdge, SelectedNode
from dashboard.dag_editor.messages import parse_log
from dashboard.draft import files
from dashboard.draft.document import Draft
from dashboard.frame.drawings import drawing_of
from dashboard.pages.causal_model import drawing
from dashboard.session import editing
from dashboard.session.state import Session
from dashboard.store import Store, StoreBusy

Visit = Callable[..., User]


class Tab:
    """A session without a page, and the browser's log as it grows."""

    def __init__(self, store: Store, workspace_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store = store
        workspace, revision = store.load(workspace_id)
        self.here = Session(
            browser="b", workspace=workspace, draft=Draft.from_json(revision.document)
        )
        self.log: list[dict[str, Any]] = []
        self._patch = monkeypatch

    def send(self, *operations: dict[str, Any]) -> None:
        """Add operations to the log, and let the page take the whole log in."""
        for item in operations:
            self.log.append({"seq": len(self.log) + 1, **item})
        self.take_in()

    def take_in(self) -> None:
        sent = parse_log({"client": "tab1", "operations": self.log})
        with self._patch.context() as patch:
            for module in (editing, drawing):
                patch.setattr(module, "session", lambda: self.here)
            patch.setattr(drawing, "read_log", lambda _: sent)
            drawing.take_in()

    @property
    def acknowledged(self) -> int:
        return self.here.acknowledged.get("tab1", 0)

    @property
    def saved(self) -> Draft:
        assert self.here.workspace is not None
        return Draft.from_json(self.store.load(self.here.workspace.id)[1].document)

    @property
    def edges(self) -> set[tuple[str, str]]:
        return {(edge.cause, edge.effect) for edge in self.saved.world.edges}


@pytest.fixture
def new_tab(store: Store, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Tab]:
    draft, data = files.sample_draft("loan")
    assert draft.source is not None
    store.put_blob(data, name=draft.source.name)
    workspace = store.create(
        draft.to_json(), title="t", author="", summary="Began", blobs=(draft.source.sha256,)
    )
    return lambda: Tab(store, workspace.id, monkeypatch)


@pytest.fixture
def tab(new_tab: Callable[[], Tab]) -> Tab:
    return new_tab()


def edge(op: str, cause: str, effect: str) -> dict[str, Any]:
    return {"op": op, "cause": cause, "effect": effect}


DELETE = edge("delete_edge", "Gender", "AccountBalance")
CYCLE = edge("add_edge", "AccountBalance", "AnnualSalary")


def test_each_operation_is_done_once_however_often_it_is_sent(tab: Tab) -> None:
    tab.send(
        {"op": "add_node", "name": "Job", "x": 1.0, "y": 2.0}, edge("add_edge", "Gender", "Job")
    )
    first = tab.saved
    assert tab.acknowledged == 2
    assert first.world.edge("Gender", "Job") is not None
    tab.take_in()
    tab.send({"op": "rename_node", "node": "Job", "name": "Post"})
    assert tab.acknowledged == 3
    assert tab.saved.world.edge("Gender", "Post") is not None
    assert tab.here.workspace is not None
    summaries = [event.summary for event in tab.store.activity(tab.here.workspace.id, limit=9)]
    assert len(summaries) == 4, summaries
    assert summaries[1] == "Drew the arrow Gender → Job"


def test_a_refusal_is_acknowledged_with_its_reason_and_place(tab: Tab) -> None:
    before = tab.saved
    tab.send(CYCLE)
    assert tab.acknowledged == 1
    assert tab.saved == before
    (refusal,) = tab.here.refusals
    assert (refusal.client, refusal.seq) == ("tab1", 1)
    assert "cycle" in refusal.message or "circle" in refusal.message, refusal.message
    assert refusal.target == SelectedEdge(cause="AccountBalance", effect="AnnualSalary")
    tab.send(DELETE)
    assert tab.here.refusals == ()
    assert ("Gender", "AccountBalance") not in tab.edges


def test_what_comes_after_a_refusal_is_still_done(tab: Tab) -> None:
    tab.send(CYCLE, DELETE)
    assert tab.acknowledged == 2
    assert ("Gender", "AccountBalance") not in tab.edges


def test_what_is_not_saved_is_not_acknowledged_and_is_tried_again(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tab.saved

    def busy(*_: object, **__: object) -> None:
        raise StoreBusy

    with monkeypatch.context() as patch:
        patch.setattr(tab.store, "save", busy)
        tab.send(DELETE, edge("delete_edge", "Gender", "AnnualSalary"))
        assert tab.acknowledged == 0
        assert tab.here.trouble.startswith("Not saved: ")
        assert tab.saved == before
    tab.take_in()
    assert tab.acknowledged == 2
    assert tab.here.trouble == ""
    assert not {("Gender", "AccountBalance"), ("Gender", "AnnualSalary")} & tab.edges


def test_undo_and_redo(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tab.saved
    tab.send(DELETE)
    after = tab.saved
    tab.send({"op": "undo"})
    assert (tab.saved, tab.here.draft) == (before, before)
    tab.send({"op": "redo"})
    assert (tab.saved, tab.here.draft) == (after, after)
    tab.send({"op": "redo"})  # there is nothing to redo: done, and nothing happened
    assert tab.acknowledged == 4
    assert tab.saved == after

    def busy(*_: object, **__: object) -> None:
        raise StoreBusy

    with monkeypatch.context() as patch:
        patch.setattr(tab.store, "undo", busy)
        tab.send({"op": "undo"})
        assert tab.acknowledged == 4
        assert tab.here.trouble
    tab.take_in()
    assert tab.acknowledged == 5
    assert tab.saved == before


def test_operations_that_stream_into_a_conflict_are_all_kept_aside(
    tab: Tab, new_tab: Callable[[], Tab]
) -> None:
    other = new_tab()
    other.send({"op": "add_node", "name": "Job", "x": 0.0, "y": 0.0})
    tab.send(DELETE, edge("add_edge", "Gender", "LoanApproval"), CYCLE)
    assert tab.here.conflict is not None
    assert tab.acknowledged == 3
    assert tab.saved == other.saved, "the other's change was overwritten"
    mine = {(item.cause, item.effect) for item in tab.here.conflict.mine.world.edges}
    assert ("Gender", "AccountBalance") not in mine
    assert ("Gender", "LoanApproval") in mine
    assert tab.here.refusals[0].seq == 3
    assert tab.here.workspace is not None
    aside = [
        event
        for event in tab.store.activity(tab.here.workspace.id, limit=9)
        if event.what == "set aside"
    ]
    assert len(aside) == 2
    last = tab.store.revision(tab.here.workspace.id, aside[0].revision)
    assert Draft.from_json(last.document) == tab.here.conflict.mine
    tab.send({"op": "undo"})
    assert tab.acknowledged == 4
    assert tab.saved == other.saved, "undo in a conflict is for neither"


def test_a_conflict_that_cannot_be_set_aside_is_not_acknowledged(
    tab: Tab, new_tab: Callable[[], Tab], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_tab()
    other.send({"op": "auto_layout"})
    other.send({"op": "add_node", "name": "Job", "x": 0.0, "y": 0.0})

    def busy(*_: object, **__: object) -> None:
        raise StoreBusy

    with monkeypatch.context() as patch:
        patch.setattr(tab.store, "set_aside", busy)
        tab.send(DELETE)
        assert tab.acknowledged == 0
        assert tab.here.trouble
    tab.take_in()
    assert tab.acknowledged == 1
    assert tab.here.conflict is not None
    assert not tab.here.refusals


def test_two_headed_arrows_are_sent_drawn_and_refused(tab: Tab) -> None:
    ends = {"one": "AnnualSalary", "other": "AccountBalance"}
    tab.send({"op": "add_bidirected", **ends})
    assert [arrow.between for arrow in tab.saved.world.bidirected] == [tuple(ends.values())]
    tab.send({"op": "add_bidirected", **ends})
    (refusal,) = tab.here.refusals
    assert refusal.target == SelectedBidirected(**ends)
    drawn = drawing_of(tab.saved, tab.saved.world, None)
    assert drawn.bidirected == (DrawnBidirected(**ends),)
    tab.send({"op": "delete_bidirected", **ends})
    assert tab.saved.world.bidirected == ()


def test_a_log_that_cannot_be_read_changes_nothing(tab: Tab) -> None:
    before = tab.saved
    tab.send({"op": "drop_table"}, {"op": "add_node", "name": "x"})
    assert tab.acknowledged == 0
    assert tab.saved == before


def test_another_browser_counts_its_own_operations(new_tab: Callable[[], Tab]) -> None:
    tab = new_tab()
    tab.send(DELETE)
    tab.here.acknowledged = {"before": 7, **tab.here.acknowledged}
    tab.send(edge("delete_edge", "Gender", "AnnualSalary"))
    assert tab.here.acknowledged == {"before": 7, "tab1": 2}


def test_the_page_hands_over_the_graph_and_how_far_it_came(visit: Visit) -> None:
    user = visit().open_sample("loan")
    user.session.client = "tab1"
    user.session.acknowledged["tab1"] = 5
    user.session.selection = SelectedNode(node="AnnualSalary")
    user.run()
    (component,) = user.at.get("bidi_component")
    sent = json.loads(component.proto.json)
    assert sent["acknowledged"] == {"client": "tab1", "seq": 5}
    assert [node["name"] for node in sent["nodes"]] == [n.name for n in user.saved.world.nodes]
    by_ends = {(item["cause"], item["effect"]): item for item in sent["edges"]}
    assert by_ends["Gender", "AnnualSalary"]["label"] == "−14,931"
    assert not by_ends["Gender", "AnnualSalary"]["by_hand"]
    assert by_ends["AccountBalance", "LoanApproval"]["label"] == "× 5"
    assert sent["selected"]["node"] == "AnnualSalary"
    assert sent["can_undo"] is False
    user.enter("Coefficient of Gender in AnnualSalary", -20_000.0)
    (component,) = user.at.get("bidi_component")
    sent = json.loads(component.proto.json)
    changed = {(item["cause"], item["effect"]): item for item in sent["edges"]}
    assert changed["Gender", "AnnualSalary"]["label"] == "−20,000"
    assert changed["Gender", "AnnualSalary"]["by_hand"]
    assert sent["can_undo"] is True
