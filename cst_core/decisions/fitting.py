"""A model of the recorded decisions, fitted to them: an approximation of b()."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cst_core.data import (
    BoolArray,
    ContextAttribute,
    Dataset,
    FloatArray,
    Groups,
    as_text,
    scale_values,
)
from cst_core.decisions.agreement import FOLDS, ModelAgreement, compare_with_record
from cst_core.decisions.makers import Classifier
from cst_core.errors import DecisionMakerError
from cst_core.learners import SEED, Learner, LearnerKind


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: its agreement is found once, if asked
class FittedClassifier(Classifier):
    """A model of the recorded decisions; make one with `fit_classifier`.

    Attributes
    ----------
    learner
        Which model it is, with its parameters and its seed.
    dataset
        The people it was fitted to.
    """

    learner: Learner
    dataset: Dataset

    def is_negative(self, frame: pd.DataFrame) -> BoolArray:
        """Return whom the model decides against."""
        with self.learner.running():
            return Classifier.is_negative(self, frame)

    def agreement(self) -> ModelAgreement:
        """Return how often it says what was recorded, also of people it had not seen.

        Cross-validated: people are dealt into five parts with the same share of negative
        decisions, by the learner's seed, and each part is judged by a model fitted to the others.
        """
        return self._agreement

    @cached_property
    def _agreement(self) -> ModelAgreement:
        recorded = self.dataset.recorded_negative()
        assert recorded is not None  # it was fitted to it
        rarer = int(min(recorded.sum(), (~recorded).sum()))
        folds = min(FOLDS, rarer)
        return compare_with_record(
            self.dataset,
            recorded,
            self.is_negative(self.dataset.frame),
            self._unseen(recorded, folds) if folds > 1 else None,
            model=str(self.learner),
            folds=folds,
            seed=self.learner.seed,
        )

    def _unseen(self, recorded: BoolArray, folds: int) -> BoolArray:
        from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415

        people = self.dataset.frame[list(self.columns)]
        parts = StratifiedKFold(n_splits=folds, shuffle=True, random_state=self.learner.seed)
        answers = np.zeros(len(people), dtype=bool)
        with warnings.catch_warnings(), self.learner.running():
            warnings.simplefilter("ignore")  # what it warns of it also warned of on all people
            for seen, unseen in parts.split(people, recorded):
                model = _pipeline(self.dataset, self.columns, self.learner)
                model.fit(people.iloc[seen], recorded[seen])
                answers[unseen] = model.predict(people.iloc[unseen])
        return answers


def fit_classifier(
    dataset: Dataset,
    *,
    kind: LearnerKind,
    columns: Sequence[str],
    seed: int = SEED,
    **parameters: float,
) -> FittedClassifier:
    """Fit one of scikit-learn's classifiers to the recorded decisions.

    A protected attribute is read as in the causal model, as protected or not, its levels or a
    number, so that a counterfactual "not White" has a meaning; a nominal one as its values; one
    with an order as the position in it; all else as numbers. All are standardised; the logistic
    regression has scikit-learn's usual penalty (L2).

    Parameters
    ----------
    dataset
        The people, with recorded decisions.
    kind
        ``"logistic"``, ``"tree"``, ``"gradient-boosting"`` or ``"random-forest"``.
    columns
        The columns the model reads: relevant or protected attributes.
    seed, parameters
        As in `Learner`: ``max_depth``, ``trees`` and others, each kind its own.

    Raises
    ------
    DecisionMakerError
        When there are no recorded decisions, all are the same, or a column has no role.
    SettingsError
        For a kind or a parameter that there is not, or a value outside its ends.

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
    learner = Learner(kind=kind, given=parameters, seed=seed)
    recorded = dataset.recorded_negative()
    if recorded is None:
        raise DecisionMakerError(
            "Model of the decisions: there are no recorded decisions to learn from. Name the "
            "column that records them, or give a threshold rule."
        )
    chosen = tuple(dict.fromkeys(columns))
    roles = dataset.roles
    known = roles.nodes
    unknown = [column for column in chosen if column not in known]
    if unknown or not chosen:
        came = ", ".join(map(repr, unknown)) or "none"
        raise DecisionMakerError(
            f"Model of the decisions: expected columns that are protected, relevant or context "
            f"attributes ({', '.join(known)}), got {came}."
        )
    if recorded.all() or not recorded.any():
        raise DecisionMakerError(
            "Model of the decisions: everyone has the same decision, so there is nothing to learn."
        )
    people = dataset.frame[list(chosen)]
    try:
        with learner.running():
            model = _pipeline(dataset, chosen, learner).fit(people, recorded)
    except Exception as error:  # such as numbers too large to be scaled
        raise DecisionMakerError(
            f"Model of the decisions: it could not be fitted: {type(error).__name__}: {error}"
        ) from error
    return FittedClassifier(
        model=model, columns=chosen, negative=True, learner=learner, dataset=dataset
    )


def _levels(column: pd.Series[Any]) -> tuple[str, ...]:
    return tuple(sorted({as_text(value) for value in pd.unique(column)}))


@dataclass(frozen=True, slots=True)
class _Features:
    """People as numbers; `levels` are the values met in each column."""

    groups: Mapping[str, Groups]
    attributes: Mapping[str, ContextAttribute]
    levels: Mapping[str, tuple[str, ...]]

    def matrix(self, people: pd.DataFrame) -> FloatArray:
        """Return the people's rows of numbers."""
        return np.column_stack(
            [part for column in people.columns for part in self._columns(people[column])]
        )

    def _columns(self, column: pd.Series[Any]) -> list[FloatArray]:
        name = str(column.name)
        if name in self.groups:
            codes, levels = self.groups[name].codes(column), self.groups[name].levels
            return [(codes == level).astype(float) for level in levels] or [codes]
        attribute = self.attributes[name]
        if attribute.kind != "nominal":
            return [scale_values(column, attribute)]
        places = pd.Categorical(column.map(as_text), categories=list(self.levels[name])).codes
        return [(places == position).astype(float) for position in range(len(self.levels[name]))]


def _pipeline(dataset: Dataset, columns: Sequence[str], learner: Learner) -> Any:
    # scikit-learn takes a second to import, and only this decision maker needs it
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import FunctionTransformer, StandardScaler  # noqa: PLC0415

    levels = {column: _levels(dataset.frame[column]) for column in columns}
    attributes = {item.column: item for item in (*dataset.roles.relevant, *dataset.roles.context)}
    features = _Features(dataset.groups, attributes, levels)
    return make_pipeline(
        FunctionTransformer(features.matrix), StandardScaler(), learner.classifier()
    )
