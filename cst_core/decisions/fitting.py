"""A simple model of the recorded decisions, fitted to them: an approximation of b()."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.data.dataset import Dataset, FloatArray, protected_mask, scale_values
from cst_core.data.matching import as_text
from cst_core.data.roles import Roles
from cst_core.decisions.makers import Classifier
from cst_core.errors import DecisionMakerError

ModelKind = Literal["logistic", "tree"]
SEED = 0
"""Breaks ties between equally good splits of a tree, so that the same data give the same tree."""


def fit_classifier(
    dataset: Dataset, *, kind: ModelKind, columns: Sequence[str], max_depth: int = 4
) -> Classifier:
    """Fit a logistic regression or a decision tree to the recorded decisions.

    A protected attribute is read as protected or not, as in the causal model, so that a
    counterfactual "not White" has a meaning; a nominal one as its values; one with an order as
    the position in it; all else as numbers. All are standardised; the logistic regression has
    scikit-learn's usual penalty (L2, C = 1).

    Parameters
    ----------
    dataset
        The people, with recorded decisions.
    kind
        ``"logistic"`` or ``"tree"``.
    columns
        The columns the model reads: relevant or protected attributes.
    max_depth
        The most questions the tree asks about one person.

    Raises
    ------
    DecisionMakerError
        When there are no recorded decisions, all are the same, or a column has no role.

    Examples
    --------
    >>> from cst_core.data.roles import (Decision, ProtectedAttribute, RelevantAttribute, Roles)
    >>> table = pd.DataFrame({"sex": list("ffmm"), "score": [1, 2, 8, 9], "hired": [0, 0, 1, 1]})
    >>> roles = Roles(protected=(ProtectedAttribute(column="sex", protected="f"),),
    ...               relevant=(RelevantAttribute(column="score"),),
    ...               decision=Decision(column="hired", negative=0))
    >>> data = Dataset.from_frame(table, roles)
    >>> fit_classifier(data, kind="tree", columns=["score"]).is_negative(data.frame).tolist()
    [True, True, False, False]
    """
    recorded = dataset.recorded_negative()
    if recorded is None:
        raise DecisionMakerError(
            "Model of the decisions: there are no recorded decisions to learn from. Name the "
            "column that records them, or give a threshold rule."
        )
    if kind not in ("logistic", "tree"):
        raise DecisionMakerError(
            f"Model of the decisions: expected kind 'logistic' or 'tree', got {kind!r}."
        )
    if max_depth < 1:
        raise DecisionMakerError(
            f"Model of the decisions: expected a max_depth of 1 or more, got {max_depth}."
        )
    chosen = tuple(dict.fromkeys(columns))
    roles = dataset.roles
    known = [item.column for item in roles.protected] + [item.column for item in roles.relevant]
    unknown = [column for column in chosen if column not in known]
    if unknown or not chosen:
        came = ", ".join(map(repr, unknown)) or "none"
        raise DecisionMakerError(
            f"Model of the decisions: expected columns that are protected or relevant attributes "
            f"({', '.join(known)}), got {came}."
        )
    if recorded.all() or not recorded.any():
        raise DecisionMakerError(
            "Model of the decisions: everyone has the same decision, so there is nothing to learn."
        )
    people = dataset.frame[list(chosen)]
    features = _Features(roles, {column: _levels(people[column]) for column in chosen})
    try:
        model = _pipeline(features, kind, max_depth).fit(people, recorded)
    except Exception as error:  # such as numbers too large to be scaled
        raise DecisionMakerError(
            f"Model of the decisions: it could not be fitted: {type(error).__name__}: {error}"
        ) from error
    return Classifier(model=model, columns=chosen, negative=True)


def _levels(column: pd.Series[Any]) -> tuple[str, ...]:
    return tuple(sorted({as_text(value) for value in pd.unique(column)}))


@dataclass(frozen=True, slots=True)
class _Features:
    """People as numbers; `levels` are the values met in each column."""

    roles: Roles
    levels: Mapping[str, tuple[str, ...]]

    def matrix(self, people: pd.DataFrame) -> FloatArray:
        """Return the people's rows of numbers."""
        return np.column_stack(
            [part for column in people.columns for part in self._columns(people[column])]
        )

    def _columns(self, column: pd.Series[Any]) -> list[FloatArray]:
        name = str(column.name)
        for protected in self.roles.protected:
            if protected.column == name:
                return [protected_mask(column, protected).astype(float)]
        attribute = next(item for item in self.roles.relevant if item.column == name)
        if attribute.kind != "nominal":
            return [scale_values(column, attribute)]
        codes = pd.Categorical(column.map(as_text), categories=list(self.levels[name])).codes
        return [(codes == position).astype(float) for position in range(len(self.levels[name]))]


def _pipeline(features: _Features, kind: ModelKind, max_depth: int) -> Any:
    # scikit-learn takes a second to import, and only this decision maker needs it
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import FunctionTransformer, StandardScaler  # noqa: PLC0415
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    learner = (
        DecisionTreeClassifier(max_depth=max_depth, random_state=SEED)  # reads 32-bit numbers
        if kind == "tree"
        else LogisticRegression(max_iter=1000)
    )
    return make_pipeline(FunctionTransformer(features.matrix), StandardScaler(), learner)
