"""The store against a simple model in memory, over random sequences of what people do."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from every_revision import every_revision
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from dashboard.store import Conflict, NothingToRedo, NothingToUndo, Store

DOCUMENTS = st.sampled_from(["", "a", "b", "c", '{"ü": [1, 2]}'])


@dataclass
class Model:
    revisions: list[tuple[str, int | None]]
    head: int = 1
    redo: list[int] = field(default_factory=list)
    heads: list[int] = field(default_factory=lambda: [1])  # of version 1, 2, …

    @property
    def version(self) -> int:
        return len(self.heads)

    def document(self) -> str:
        return self.revisions[self.head - 1][0]

    def move(self, head: int) -> None:
        self.head = head
        self.heads.append(head)

    def save(self, document: str) -> None:
        if document != self.document():
            self.revisions.append((document, self.head))
            self.redo.clear()
            self.move(len(self.revisions))


def machine(store: Store) -> type[RuleBasedStateMachine]:
    class Machine(RuleBasedStateMachine):
        @initialize(document=DOCUMENTS)
        def create(self, document: str) -> None:
            self.id = store.create(document, title="t", author="A", summary="s").id
            self.model = Model([(document, None)])

        @rule(document=DOCUMENTS)
        def save(self, document: str) -> None:
            store.save(
                self.id,
                document,
                expected_version=self.model.version,
                author="A",
                summary="s",
            )
            self.model.save(document)

        @rule()
        def undo(self) -> None:
            parent = self.model.revisions[self.model.head - 1][1]
            arguments = {"expected_version": self.model.version, "author": "A"}
            if parent is None:
                with pytest.raises(NothingToUndo):
                    store.undo(self.id, **arguments)
            else:
                store.undo(self.id, **arguments)
                self.model.redo.append(self.model.head)
                self.model.move(parent)

        @rule()
        def redo(self) -> None:
            arguments = {"expected_version": self.model.version, "author": "A"}
            if self.model.redo:
                store.redo(self.id, **arguments)
                self.model.move(self.model.redo.pop())
            else:
                with pytest.raises(NothingToRedo):
                    store.redo(self.id, **arguments)

        @rule(data=st.data())
        def restore(self, data: st.DataObject) -> None:
            number = data.draw(st.integers(1, len(self.model.revisions)))
            store.restore(self.id, number, expected_version=self.model.version, author="A")
            self.model.save(self.model.revisions[number - 1][0])

        @rule(data=st.data(), document=DOCUMENTS)
        def conflict(self, data: st.DataObject, document: str) -> None:
            if self.model.version == 1:
                return
            version = data.draw(st.integers(1, self.model.version - 1))
            with pytest.raises(Conflict) as caught:
                store.save(self.id, document, expected_version=version, author="B", summary="s")
            assert caught.value.base.id == self.model.heads[version - 1]
            assert caught.value.theirs.id == self.model.head
            base = caught.value.base.id
            store.set_aside(
                self.id, document, base_revision=base, author="B", summary="s", reason="r"
            )
            self.model.revisions.append((document, base))

        @invariant()
        def agree(self) -> None:
            if not hasattr(self, "model"):
                return
            workspace, revision = store.load(self.id)
            model = self.model
            assert workspace.version == model.version == store.head_version(self.id)
            assert workspace.head == revision.id == model.head
            assert revision.document == model.document()
            assert workspace.can_redo == bool(model.redo)
            assert workspace.can_undo == (model.revisions[model.head - 1][1] is not None)

        def teardown(self) -> None:
            if not hasattr(self, "model"):
                return
            newest_first = every_revision(store, self.id)
            assert [r.parent for r in reversed(newest_first)] == [
                parent for _, parent in self.model.revisions
            ]
            for number, (document, _) in enumerate(self.model.revisions, start=1):
                assert store.revision(self.id, number).document == document
            moves = [e.revision for e in store.activity(self.id, 10_000) if e.version]
            assert moves[::-1] == self.model.heads

    return Machine


@pytest.mark.slow
def test_store_and_model_agree(store: Store) -> None:
    run_state_machine_as_test(
        machine(store), settings=settings(max_examples=20, stateful_step_count=20)
    )
