"""From a draft to tables, fitted models and previews, each computed once."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from cst_core.causal import (
    Counterfactuals,
    EquationDiagnostics,
    FittedCausalModel,
    counterfactuals,
    diagnose_node,
    standardised,
)
from cst_core.data import Dataset, ReadTable, Suggestion, read_table, suggest_roles
from cst_core.decisions import Approximation, DecisionMaker, ModelAgreement, ask
from cst_core.errors import CSTError, DataError, Problem
from cst_core.scenario import (
    DecisionMakerPart,
    PreparationPart,
    RecordedPart,
    as_causal_model,
    as_decision_maker,
    as_roles,
)
from dashboard.draft.document import Draft, DraftWorld, SourcePart
from dashboard.session import background
from dashboard.session.caches import Cache
from dashboard.session.state import session, store


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
    of_model: ModelAgreement | None = None


def _roles_key(draft: Draft) -> str:
    plain = {"note": True, "protected_name": True, "reference_name": True, "pronoun": True}
    return draft.roles.model_dump_json(
        exclude={
            "protected": {"__all__": plain},
            "relevant": {"__all__": {"note": True}},
            "decision": {"note": True},
        }
    )


def _source_key(source: SourcePart) -> str:
    return source.model_dump_json(exclude={"name", "sample", "missing"})


_TABLES: Cache[ReadTable] = Cache(
    200, size=lambda read: int(read.frame.memory_usage(deep=True).sum()), limit=1_000_000_000
)
_PREPARED: Cache[ReadTable] = Cache(32)
_SUGGESTIONS: Cache[tuple[Suggestion, ...]] = Cache(16)
_VALUES: Cache[pd.Series[Any]] = Cache(16)
_DATASETS: Cache[Dataset] = Cache(32)
_PROBLEMS: Cache[tuple[Problem, ...]] = Cache(32)
_FITS: Cache[Fit] = Cache(32)
_COUNTERFACTUALS: Cache[Counterfactuals] = Cache(32)
_AGREEMENTS: Cache[Agreement] = Cache(32)
_MAKERS: Cache[DecisionMaker] = Cache(8)


def _table_key(source: SourcePart) -> str:
    workspace = session().opened
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
    workspace = session().opened
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
        header=source.header,
    )


def _prepared_key(draft: Draft) -> str:
    assert draft.source is not None
    key, prepared = _source_key(draft.source), draft.preparation
    return key if prepared == PreparationPart() else f"{key} {prepared.model_dump_json()}"


def prepared(draft: Draft) -> ReadTable:
    """Return the table with the rows and values that the draft takes of it."""
    assert draft.source is not None
    read = table(draft.source)
    return _PREPARED.once(
        _prepared_key(draft), lambda: read.prepared(draft.preparation.preparation())
    )


def reading_notes(draft: Draft) -> tuple[str, ...]:
    """Return what was done to the columns in use while the table was read and prepared."""
    try:
        return dataset(draft).notes
    except CSTError:
        return ()


def suggestions(draft: Draft) -> tuple[Suggestion, ...]:
    """Return what each column may be."""
    frame = prepared(draft).frame
    return _SUGGESTIONS.once(_prepared_key(draft), lambda: suggest_roles(frame))


def values(draft: Draft, column: str) -> pd.Series[Any]:
    """Return a column's different values and how often each occurs, the most frequent first."""
    frame, counts = prepared(draft).frame, draft.roles.count
    if counts and counts in frame and counts != column and is_numeric_dtype(frame[counts].dtype):
        return _VALUES.once(
            f"{column} by {counts} {_prepared_key(draft)}",
            lambda: frame.groupby(column)[counts].sum().astype(int).sort_values(ascending=False),
        )
    cells = frame[column]
    return _VALUES.once(f"{column} {_prepared_key(draft)}", lambda: cells.value_counts(dropna=True))


def dataset_key(draft: Draft) -> str:
    """Return all that the checked data depend on: the file, what is taken of it, the roles."""
    assert draft.source is not None
    return f"{_prepared_key(draft)} {draft.source.missing} {_roles_key(draft)}"


def dataset(draft: Draft) -> Dataset:
    """Return the checked data; raises a `DataError` that says what is wrong or missing."""
    if draft.source is None or not draft.roles.protected or not draft.roles.relevant:
        raise DataError("The data, a protected and a relevant attribute are needed first.")
    read, missing, real = prepared(draft), draft.source.missing, draft.preparation.real_values
    return _DATASETS.once(
        dataset_key(draft),
        lambda: Dataset.from_frame(
            read.frame,
            as_roles(draft.roles.complete()),
            missing=missing,
            notes=read.notes,
            real_values=real,
        ),
    )


def data_problems(draft: Draft) -> tuple[Problem, ...]:
    """Return everything wrong with the data under the roles given, each with its column."""
    if draft.source is None or not draft.roles.protected or not draft.roles.relevant:
        return ()
    missing = draft.source.missing
    try:
        frame = prepared(draft).frame
        return _PROBLEMS.once(
            dataset_key(draft),
            lambda: Dataset.problems(frame, as_roles(draft.roles.complete()), missing=missing),
        )
    except CSTError as error:
        return (Problem("", str(error)),)


def _world_key(world: DraftWorld) -> str:
    """Return what of a drawing matters for the numbers: not where a node stands, nor its notes."""
    return world.model_dump_json(
        exclude={
            "name": True,
            "description": True,
            "nodes": {"__all__": {"x": True, "y": True, "label": True, "note": True}},
            "edges": {"__all__": {"note": True}},
            "bidirected": {"__all__": {"note": True}},
            "equations": {"__all__": {"note": True}},
        }
    )


def _fit(people: Dataset, draft: Draft, world: DraftWorld) -> Fit:
    model = as_causal_model(world, draft.roles.complete(), draft.decision_node)
    fitted = model.fit(people)
    return Fit(model=fitted, strengths=standardised(fitted, people))


def fit(draft: Draft, world: DraftWorld | None = None) -> Fit:
    """Return a causal model fitted to the data."""
    chosen, people = world or draft.world, dataset(draft)
    return _FITS.once(model_key(draft, chosen), lambda: _fit(people, draft, chosen))


def diagnostics(draft: Draft, fit: Fit, node: str) -> EquationDiagnostics:
    """Return how well one equation fits; worked out only when someone looks."""
    return diagnose_node(fit.model, dataset(draft), node)


def model_key(draft: Draft, world: DraftWorld | None = None) -> str:
    """Return all that a fitted model depends on: data, roles and drawing."""
    chosen = world or draft.world
    return f"{dataset_key(draft)} {draft.decision_node} {_world_key(chosen)}"


def preview(draft: Draft, attribute: str) -> Counterfactuals:
    """Return everyone's attributes had the protected attribute had its reference value."""
    people, model = dataset(draft), fit(draft).model
    do = {attribute: people.roles.protected_attribute(attribute).reference_label}
    return _COUNTERFACTUALS.once(
        f"{model_key(draft)} {attribute}", lambda: counterfactuals(model, people, do)
    )


def maker_key(draft: Draft) -> str:
    """Return all that a decision maker depends on: data, roles and what is said of it."""
    return f"{dataset_key(draft)} {draft.decision_maker.model_dump_json(exclude={'note'})}"


def decision_maker(key: str, part: DecisionMakerPart, people: Dataset) -> DecisionMaker | None:
    """Return b(), fitted once where it is a model; `key` is that of `maker_key`."""
    if isinstance(part, RecordedPart):
        return None

    def make() -> DecisionMaker:
        found = as_decision_maker(part, people)
        assert found is not None  # only recorded decisions have none
        return found

    return _MAKERS.once(key, make)


def _agreement(people: Dataset, maker: DecisionMaker | None) -> Agreement:
    recorded = people.recorded_negative()
    given = recorded if maker is None else ask(maker, people.frame)
    if given is None:
        raise DataError("There are no decisions yet.")
    return Agreement(
        n=len(people),
        accepted=float(np.mean(~given)),
        agree=None if recorded is None else float(np.mean(given == recorded)),
        recorded_accepted=None if recorded is None else float(np.mean(~recorded)),
        wrongly_refused=0 if recorded is None else int((given & ~recorded).sum()),
        wrongly_accepted=0 if recorded is None else int((~given & recorded).sum()),
        of_model=maker.agreement() if isinstance(maker, Approximation) else None,
    )


def agreement(draft: Draft) -> Agreement:
    """Return how the decision maker compares with the recorded decisions."""
    key, people = maker_key(draft), dataset(draft)

    def make() -> Agreement:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _agreement(people, decision_maker(key, draft.decision_maker, people))

    return _AGREEMENTS.once(key, make)
