"""How often a model of the decisions says what was recorded, also of people it had not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.data import BoolArray, Dataset

FOLDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement:
    """The agreement in one group.

    Attributes
    ----------
    group
        Who they are: ``"everyone"``, or a protected attribute's value.
    people
        How many.
    in_sample
        Which part of them the model decides on as was recorded.
    cross_validated
        The same where each person is judged by a model that was fitted without her; None where
        one of the two decisions is too rare to leave people out.
    base_rate
        The part with the commoner decision: the agreement of saying the same to all of them.
    """

    group: str
    people: int
    in_sample: float
    cross_validated: float | None
    base_rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAgreement:
    """How often a model of the decisions says what was recorded.

    Attributes
    ----------
    model
        The model with its parameters, in words.
    everyone, groups
        Over all people, and by protected group.
    folds, seed
        Into how many parts people were dealt, each judged by a model fitted to the others; by
        which seed.
    """

    model: str
    everyone: GroupAgreement
    groups: tuple[GroupAgreement, ...]
    folds: int
    seed: int

    def sentences(self) -> tuple[str, ...]:
        """Return what a reader must know of it."""
        here = self.everyone
        first = (
            f"The decision maker is a model of the recorded decisions ({self.model}). It says what "
            f"was recorded for {here.in_sample:.1%} of the people it was fitted to"
        )
        always = f"the commoner decision for everyone would be right for {here.base_rate:.1%}"
        if here.cross_validated is None:
            return (f"{first}; {always}. One decision is too rare to try it on people not seen.",)
        said = [
            f"{first}, and for {here.cross_validated:.1%} of people it had not seen "
            f"({self.folds} folds, seed {self.seed}); {always}."
        ]
        parts = [
            f"{one.group} {one.cross_validated:.1%} (commoner decision {one.base_rate:.1%})"
            for one in self.groups
        ]
        said.append(f"By group, of people it had not seen: {', '.join(parts)}.")
        poor = [one.group for one in (here, *self.groups) if self._is_poor(one)]
        if poor:
            said.append(
                f"For {', '.join(poor)} it does no better than the commoner decision, so what it "
                "says about counterfactual people is in doubt."
            )
        return tuple(said)

    @staticmethod
    def _is_poor(one: GroupAgreement) -> bool:
        found = one.cross_validated
        return found is not None and found <= one.base_rate < 1


def compare_with_record(
    dataset: Dataset,
    recorded: BoolArray,
    made: BoolArray,
    unseen: BoolArray | None,
    *,
    model: str,
    folds: int,
    seed: int,
) -> ModelAgreement:
    """Return the agreement of a model's decisions, `unseen` by models fitted without the person."""

    def of(group: str, inside: BoolArray) -> GroupAgreement:
        negative = float(recorded[inside].mean())
        return GroupAgreement(
            group=group,
            people=int(inside.sum()),
            in_sample=float((made == recorded)[inside].mean()),
            cross_validated=None if unseen is None else float((unseen == recorded)[inside].mean()),
            base_rate=max(negative, 1 - negative),
        )

    groups = []
    for item in dataset.roles.protected:
        protected = dataset.is_protected(item.column)
        for label, inside in (
            (item.protected_label, protected),
            (item.reference_label, dataset.is_reference(item.column)),
        ):
            if inside.any():
                groups.append(of(f"{item.column} {label}", inside))
    return ModelAgreement(
        model=model,
        everyone=of("everyone", np.ones(len(dataset), dtype=bool)),
        groups=tuple(groups),
        folds=folds,
        seed=seed,
    )
