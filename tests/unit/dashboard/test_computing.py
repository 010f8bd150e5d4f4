"""What is worked out anew and what is not: the keys of the caches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from cst_core.scenario import DecisionMakerPart, RecordedPart, ThresholdPart
from dashboard.draft import files
from dashboard.draft.document import Draft
from dashboard.draft.drawing import (
    AddEdge,
    AutoLayout,
    DeleteEdge,
    MoveNodes,
    NoteEdge,
    NoteNode,
    RenameNode,
)
from dashboard.draft.equations import (
    NoteEquation,
    SetBounds,
    SetCoefficient,
    SetInteractions,
    SetLink,
)
from dashboard.draft.refusals import Operation
from dashboard.draft.worlds import RenameWorld
from dashboard.session import caches, computing, state
from dashboard.session.state import Session
from dashboard.store import BlobGone, Store, open_store


class Bench:
    """A store, workspaces on it, and one of them open."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store, self.here = store, Session(browser="b")
        for module in (state, computing):
            monkeypatch.setattr(module, "session", lambda: self.here)
            monkeypatch.setattr(module, "store", lambda: store)

    def open(self, data: bytes | None = None) -> Draft:
        """Make a workspace with the loan sample, or with another table under its roles."""
        draft, own = files.sample_draft("loan")
        draft = SetBounds(node="AnnualSalary", low=-1e9).apply_to(draft)
        data = own if data is None else data
        assert draft.source is not None
        digest = self.store.put_blob(data, name=draft.source.name)
        draft = draft.model_copy(
            update={"source": draft.source.model_copy(update={"sha256": digest})}
        )
        self.here.workspace = self.store.create(
            draft.to_json(), title="t", author="", summary="s", blobs=(digest,)
        )
        return draft


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    caches.forget_all()
    with open_store(f"sqlite:///{tmp_path}/s.sqlite3") as store:
        yield Bench(store, monkeypatch)
    caches.forget_all()


def with_source(draft: Draft, **update: object) -> Draft:
    assert draft.source is not None
    return draft.model_copy(update={"source": draft.source.model_copy(update=update)})


def with_group(draft: Draft, **update: object) -> Draft:
    parts = (draft.roles.protected[0].model_copy(update=update),)
    return draft.model_copy(update={"roles": draft.roles.model_copy(update={"protected": parts})})


def with_relevant(draft: Draft, **update: object) -> Draft:
    first, *rest = draft.roles.relevant
    parts = (first.model_copy(update=update), *rest)
    return draft.model_copy(update={"roles": draft.roles.model_copy(update={"relevant": parts})})


def did(operation: Operation) -> Callable[[Draft], Draft]:
    return operation.apply_to


THE_SAME_NUMBERS: dict[str, Callable[[Draft], Draft]] = {
    "a node moved": did(MoveNodes(positions={"Gender": (9.0, 9.0)})),
    "tidied up": did(AutoLayout()),
    "a label": did(RenameNode(node="Gender", name="Sex")),
    "a node's note": did(NoteNode(node="Gender", note="n")),
    "an arrow's note": did(NoteEdge(cause="Gender", effect="AnnualSalary", note="n")),
    "an equation's note": did(NoteEquation(node="AnnualSalary", note="n")),
    "the model's name": did(RenameWorld(world="linear", name="other")),
    "a group's name": lambda draft: with_group(draft, protected_name="x", note="n"),
    "an attribute's note": lambda draft: with_relevant(draft, note="n"),
    "the title": lambda draft: draft.model_copy(update={"title": "x"}),
    "the decision maker": lambda draft: draft.model_copy(update={"decision_maker": RecordedPart()}),
}
OTHER_NUMBERS: dict[str, Callable[[Draft], Draft]] = {
    "a coefficient": did(SetCoefficient(node="AnnualSalary", term="Gender", value=-1.0)),
    "a link": did(SetLink(node="AnnualSalary", link="log")),
    "bounds": did(SetBounds(node="AnnualSalary", low=0.0)),
    "an arrow gone": did(DeleteEdge(cause="Gender", effect="AccountBalance")),
    "an arrow more": did(AddEdge(cause="Gender", effect="LoanApproval")),
    "products": did(SetInteractions(node="AccountBalance", groups=(("Gender", "AnnualSalary"),))),
    "who is protected": lambda draft: with_group(draft, protected=0, reference=1),
    "a kind": lambda draft: with_relevant(draft, kind="ordinal"),
    "the missing": lambda draft: with_source(draft, missing="drop"),
    "how it is read": lambda draft: with_source(draft, decimal="."),
}


@pytest.mark.parametrize("what", THE_SAME_NUMBERS)
def test_what_changes_no_number_is_not_fitted_anew(bench: Bench, what: str) -> None:
    draft = bench.open()
    changed = THE_SAME_NUMBERS[what](draft)
    assert changed != draft
    assert computing.fit(changed) is computing.fit(draft)
    assert computing.preview(changed, "Gender") is computing.preview(draft, "Gender")


@pytest.mark.parametrize("what", OTHER_NUMBERS)
def test_what_changes_numbers_is_fitted_anew(bench: Bench, what: str) -> None:
    draft = bench.open()
    before, moved = computing.fit(draft), computing.preview(draft, "Gender")
    changed = OTHER_NUMBERS[what](draft)
    assert changed != draft
    assert computing.fit(changed) is not before
    assert computing.preview(changed, "Gender") is not moved
    assert computing.fit(draft) is before, "and the former one is still there"


def test_a_coefficient_by_hand_is_in_the_numbers(bench: Bench) -> None:
    draft = bench.open()
    inside = computing.dataset(draft).is_protected("Gender")
    people = computing.dataset(draft).frame["AnnualSalary"].to_numpy()
    changed = SetCoefficient(node="AnnualSalary", term="Gender", value=-500.0).apply_to(draft)
    after = computing.preview(changed, "Gender").frame["AnnualSalary"].to_numpy()
    np.testing.assert_allclose(after[inside], people[inside] + 500)


LONG = 51_000  # beyond 50,000 rows Streamlit looks at a sample of them only
MAKERS: list[DecisionMakerPart] = [
    RecordedPart(),
    ThresholdPart(weights={"AnnualSalary": 1.0}, cutoff=90_000),
    ThresholdPart(weights={"AnnualSalary": 1.0}, cutoff=100_000),
    ThresholdPart(weights={"AccountBalance": 1.0}, cutoff=90_000),
]


def test_each_decision_maker_has_an_agreement_of_its_own(bench: Bench) -> None:
    draft = bench.open()
    found = [
        computing.agreement(draft.model_copy(update={"decision_maker": maker})) for maker in MAKERS
    ]
    assert len({id(item) for item in found}) == len(MAKERS)
    salary = computing.dataset(draft).frame["AnnualSalary"]
    assert found[0].agree == 1
    assert found[1].accepted == pytest.approx(float((salary > 90_000).mean()))
    assert found[2].accepted == pytest.approx(float((salary > 100_000).mean()))
    noted = MAKERS[1].model_copy(update={"note": "why"})
    assert computing.agreement(draft.model_copy(update={"decision_maker": noted})) is found[1]


def table(shift: int, length: int) -> bytes:
    """Return a table; two of them differ in the last row only."""
    rows = [f"P{i},{i % 2},{1000 + i},{i * 7 % 997},{1 if i % 3 else -1}" for i in range(length)]
    rows[-1] = f"Z,1,{shift},1,1"
    return ("id,Gender,AnnualSalary,AccountBalance,LoanApproval\n" + "\n".join(rows)).encode()


def last_salary(draft: Draft) -> int:
    assert draft.source is not None
    return int(computing.table(draft.source).frame["AnnualSalary"].iloc[-1])


@pytest.mark.slow
def test_two_workspaces_with_different_tables_never_share(bench: Bench) -> None:
    first = bench.open(table(1, LONG))
    one = bench.here.workspace
    fit, people = computing.fit(first), computing.dataset(first)
    second = bench.open(table(2, LONG))
    assert last_salary(second) == 2
    assert computing.dataset(second) is not people
    assert computing.fit(second) is not fit
    bench.here.workspace = one
    assert computing.fit(first) is fit
    assert last_salary(first) == 1


def test_a_workspace_does_not_reach_the_table_of_another_by_its_digest(bench: Bench) -> None:
    secret = bench.open(table(1, 100))
    computing.fit(secret)
    bench.open()
    with pytest.raises(BlobGone):
        computing.fit(secret)


def test_forgetting_empties_everything(bench: Bench) -> None:
    draft = bench.open()
    assert draft.source is not None
    before = (
        computing.table(draft.source),
        computing.suggestions(draft),
        computing.dataset(draft),
        computing.fit(draft),
        computing.preview(draft, "Gender"),
        computing.agreement(draft),
        computing.values(draft, "Gender"),
        computing.data_problems(draft),
    )
    caches.forget_all()
    after = (
        computing.table(draft.source),
        computing.suggestions(draft),
        computing.dataset(draft),
        computing.fit(draft),
        computing.preview(draft, "Gender"),
        computing.agreement(draft),
        computing.values(draft, "Gender"),
    )
    assert not [i for i, (old, new) in enumerate(zip(before, after, strict=False)) if old is new]
