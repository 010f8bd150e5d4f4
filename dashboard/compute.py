"""The only cached calls: from a draft to tables, fitted models and previews.

No table or array is ever part of a cache's key (Streamlit hashes only a sample of a large one).
The keys are texts: the data's SHA-256 and the parts of the draft that matter. Every cache is
bounded, and `forget_all` empties them when a workspace is deleted.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.causal.counterfactuals import Counterfactuals, counterfactuals
from cst_core.causal.diagnostics import EquationDiagnostics, diagnose_node, standardised
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import Dataset
from cst_core.data.reading import ReadTable, read_table
from cst_core.data.suggesting import Suggestion, suggest_roles
from cst_core.decisions.deciding import ask
from cst_core.errors import CSTError, DataError, Problem
from cst_core.scenario.document import RolesPart, WorldPart
from cst_core.scenario.opening import as_causal_model, as_decision_maker, as_roles
from dashboard import background
from dashboard.draft.document import Draft, DraftWorld, SourcePart, as_decision
from dashboard.kept import Kept
from dashboard.state import session, store


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """A causal model fitted to the data, and how strong its arrows are."""

    model: FittedCausalModel
    strengths: dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How a decision maker's answers compare with the recorded decisions."""

    n: int
    accepted: float
    agree: float | None
    recorded_accepted: float | None
    wrongly_refused: int = 0
    wrongly_accepted: int = 0


def _cached(entries: int) -> Callable[[Any], Any]:
    return st.cache_resource(max_entries=entries, show_spinner=False)


def _roles_part(draft: Draft) -> RolesPart:
    roles = draft.roles
    return RolesPart(
        id=roles.id,
        protected=roles.protected,
        relevant=roles.relevant,
        decision=as_decision(roles),
    )


def _roles_key(draft: Draft) -> str:
    plain = {"note": True, "protected_name": True, "reference_name": True}
    return draft.roles.model_dump_json(
        exclude={
            "protected": {"__all__": plain},
            "relevant": {"__all__": {"note": True}},
            "decision": {"note": True},
        }
    )


def _source_key(source: SourcePart) -> str:
    return source.model_dump_json(exclude={"name", "sample", "missing"})


_TABLES: Kept[ReadTable] = Kept(
    200, size=lambda read: int(read.frame.memory_usage(deep=True).sum()), limit=1_000_000_000
)


def _table_key(source: SourcePart) -> str:
    workspace = session().workspace
    assert workspace is not None
    return f"{workspace.id} {_source_key(source)}"


def table(source: SourcePart) -> ReadTable:
    """Return the uploaded table, read now if need be."""
    key = _table_key(source)
    found = _TABLES.get(key)
    if found is None:
        found = keep_table(source, _reading(source)())
    return found


def keep_table(source: SourcePart, read: ReadTable) -> ReadTable:
    """Keep a table of the open workspace that was just read.

    Workspaces that have the same table each had to read it, and then share it: many people on one
    sample do not push each other's tables out.
    """
    same = _TABLES.find(lambda key: key.partition(" ")[2] == _source_key(source))
    return _TABLES.put(_table_key(source), same or read)


def table_beside(source: SourcePart) -> ReadTable | None:
    """Return the uploaded table; while it is being read, show that and return None."""
    key = _table_key(source)
    found = _TABLES.get(key)
    if found is None:
        read = _reading(source)
        found = background.run(f"read {key}", "Reading the table", lambda _: read())
        if found is not None:
            found = keep_table(source, found)
    return found


def _reading(source: SourcePart) -> Callable[[], ReadTable]:
    """Return the work of reading a table, which needs nothing of this session any more."""
    workspace = session().workspace
    assert workspace is not None
    here, number = store(), workspace.id
    return lambda: read_source(here.get_blob(number, source.sha256), source)


def read_source(data: bytes, source: SourcePart) -> ReadTable:
    """Return a table read as the draft says."""
    return read_table(
        data,
        name=source.name,
        format=source.format,
        delimiter=source.delimiter,
        encoding=source.encoding,
        decimal=source.decimal,
        sheet=source.sheet,
    )


@_cached(16)
def _suggest(key: str, _frame: pd.DataFrame) -> tuple[Suggestion, ...]:
    return suggest_roles(_frame)


def suggestions(source: SourcePart) -> tuple[Suggestion, ...]:
    """Return what each column may be."""
    found: tuple[Suggestion, ...] = _suggest(_source_key(source), table(source).frame)
    return found


@_cached(16)
def _values(key: str, column: str, _frame: pd.DataFrame) -> pd.Series[Any]:
    return _frame[column].value_counts(dropna=True)


def values(source: SourcePart, column: str) -> pd.Series[Any]:
    """Return a column's different values and how often each occurs, the most frequent first."""
    found: pd.Series[Any] = _values(_source_key(source), column, table(source).frame)
    return found


@_cached(32)
def _dataset(key: str, _frame: pd.DataFrame, _draft: Draft) -> Dataset:
    assert _draft.source is not None
    return Dataset.from_frame(_frame, as_roles(_roles_part(_draft)), missing=_draft.source.missing)


def dataset_key(draft: Draft) -> str:
    """Return all that the checked data depend on: the file, how it is read, and the roles."""
    assert draft.source is not None
    return f"{_source_key(draft.source)} {draft.source.missing} {_roles_key(draft)}"


def dataset(draft: Draft) -> Dataset:
    """Return the checked data; raises a `DataError` that says what is wrong or missing."""
    if draft.source is None or not draft.roles.protected or not draft.roles.relevant:
        raise DataError("The data, a protected and a relevant attribute are needed first.")
    found: Dataset = _dataset(dataset_key(draft), table(draft.source).frame, draft)
    return found


def data_problems(draft: Draft) -> tuple[Problem, ...]:
    """Return everything wrong with the data under the roles given, each with its column."""
    if draft.source is None or not draft.roles.protected or not draft.roles.relevant:
        return ()
    try:
        found: tuple[Problem, ...] = _problems(dataset_key(draft), table(draft.source).frame, draft)
    except CSTError as error:
        return (Problem("", str(error)),)
    return found


@_cached(32)
def _problems(key: str, _frame: pd.DataFrame, _draft: Draft) -> tuple[Problem, ...]:
    assert _draft.source is not None
    roles = as_roles(_roles_part(_draft))
    return Dataset.problems(_frame, roles, missing=_draft.source.missing)


def _world_key(draft: Draft, world: DraftWorld) -> str:
    """Return what of a drawing matters for the numbers: not where a node stands, nor its notes."""
    return world.model_dump_json(
        exclude={
            "name": True,
            "description": True,
            "nodes": {"__all__": {"x": True, "y": True, "label": True, "note": True}},
            "edges": {"__all__": {"note": True}},
            "equations": {"__all__": {"note": True}},
        }
    )


@_cached(32)
def _fit(key: str, _dataset: Dataset, _draft: Draft, _world: DraftWorld) -> Fit:
    model = as_causal_model(
        WorldPart(
            name=_world.name, nodes=_world.nodes, edges=_world.edges, equations=_world.equations
        ),
        _roles_part(_draft),
        _draft.decision_node,
    )
    fitted = model.fit(_dataset)
    return Fit(model=fitted, strengths=standardised(fitted, _dataset))


def fit(draft: Draft, world: DraftWorld | None = None) -> Fit:
    """Return a causal model fitted to the data."""
    chosen = world or draft.world
    found: Fit = _fit(model_key(draft, chosen), dataset(draft), draft, chosen)
    return found


def diagnostics(draft: Draft, fit: Fit, node: str) -> EquationDiagnostics:
    """Return how well one equation fits; worked out only when someone looks."""
    return diagnose_node(fit.model, dataset(draft), node)


def model_key(draft: Draft, world: DraftWorld | None = None) -> str:
    """Return all that a fitted model depends on: data, roles and drawing."""
    chosen = world or draft.world
    return f"{dataset_key(draft)} {draft.decision_node} {_world_key(draft, chosen)}"


@_cached(32)
def _counterfactuals(key: str, _fit: Fit, _dataset: Dataset, _attribute: str) -> Counterfactuals:
    attribute = _dataset.roles.protected_attribute(_attribute)
    return counterfactuals(_fit.model, _dataset, {_attribute: attribute.reference_label})


def preview(draft: Draft, attribute: str) -> Counterfactuals:
    """Return everyone's attributes had the protected attribute had its reference value."""
    people = dataset(draft)
    key = f"{dataset_key(draft)} {_world_key(draft, draft.world)} {attribute}"
    found: Counterfactuals = _counterfactuals(key, fit(draft), people, attribute)
    return found


@_cached(32)
def _agreement(key: str, _dataset: Dataset, _draft: Draft) -> Agreement:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        maker = as_decision_maker(_draft.decision_maker, _dataset)
    recorded = _dataset.recorded_negative()
    given = recorded if maker is None else ask(maker, _dataset.frame)
    if given is None:
        raise DataError("There are no decisions yet.")
    return Agreement(
        n=len(_dataset),
        accepted=float(np.mean(~given)),
        agree=None if recorded is None else float(np.mean(given == recorded)),
        recorded_accepted=None if recorded is None else float(np.mean(~recorded)),
        wrongly_refused=0 if recorded is None else int((given & ~recorded).sum()),
        wrongly_accepted=0 if recorded is None else int((~given & recorded).sum()),
    )


def agreement(draft: Draft) -> Agreement:
    """Return how the decision maker compares with the recorded decisions."""
    key = f"{dataset_key(draft)} {draft.decision_maker.model_dump_json(exclude={'note'})}"
    found: Agreement = _agreement(key, dataset(draft), draft)
    return found


def forget_all() -> None:
    """Empty every cache: deleted data must not stay in memory."""
    for cache in (
        _TABLES, _suggest, _values, _dataset, _problems, _fit, _counterfactuals, _agreement,
    ):  # fmt: skip
        cache.clear()
