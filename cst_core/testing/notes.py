"""What a reader must know to judge a test's numbers, in sentences."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from cst_core.causal import (
    Counterfactuals,
    FitsWeighted,
    FittedCausalModel,
    LearnsByHeart,
    diagnose_node,
)
from cst_core.data import BoolArray, Dataset, Value, show_values
from cst_core.decisions import Approximation, DecisionMaker, Decisions
from cst_core.errors import CausalModelWarning, DataWarning
from cst_core.testing.value_notes import table_notes, value_notes

MANY = 0.05
"""A share of rows above which a clip or a disagreement is also a warning."""


def data_notes(dataset: Dataset, decisions: Decisions) -> list[str]:
    """Return what was left out of the data, and where b() and the record differ."""
    notes = [*dataset.notes]
    if dataset.n_dropped:
        notes.append(f"{dataset.n_dropped} row(s) with missing values were left out.")
    if decisions.disagreements and not decisions.approximate:
        note = (
            f"The decision maker disagrees with the recorded decision in "
            f"{decisions.disagreements} of {len(dataset)} rows. The recorded decisions are used "
            "for people, the decision maker for their counterfactuals."
        )
        notes.append(note)
        if decisions.disagreements > MANY * len(dataset):
            warnings.warn(note, DataWarning, stacklevel=4)
    constant = [
        attribute.column
        for attribute in dataset.roles.relevant
        if len(dataset.frame[attribute.column].drop_duplicates()) == 1
    ]
    if constant:
        notes.append(
            f"{', '.join(constant)}: everyone has the same value, so it does not tell people apart."
        )
    return notes


def model_notes(
    maker: DecisionMaker | None, decisions: Decisions, is_protected: BoolArray
) -> list[str]:
    """Return how far a model of the decisions can be trusted, and where it departs from them."""
    if not isinstance(maker, Approximation) or decisions.made is None or not decisions.recorded:
        return []
    refused, made = decisions.negative[is_protected], decisions.made[is_protected]
    split = (
        f"Of {refused.sum():,} people refused on record the model refuses "
        f"{(refused & made).sum():,} as they are; of {(~refused).sum():,} accepted on record it "
        f"refuses {(~refused & made).sum():,}. CF and CST w/ ask the model in both worlds, so that "
        "a difference between record and model is no finding."
    )
    notes = [*maker.agreement().sentences(), split]
    if (decisions.disagreements or 0) > MANY * len(decisions.negative):
        warnings.warn(notes[0], DataWarning, stacklevel=4)
    return notes


def weight_notes(dataset: Dataset, fitted: FittedCausalModel) -> list[str]:
    """Return where survey weights count, and where they do not."""
    column = dataset.roles.weight_column
    if column is None:
        return []
    without = [
        f"'{node}'"
        for node, mechanism in fitted.mechanisms.items()
        if not isinstance(mechanism, FitsWeighted)
    ]
    notes = [
        f"The survey weights '{column}' count where equations are fitted and in the shares of both "
        "groups; among neighbours everyone counts once."
    ]
    if without:
        notes.append(f"Fitted without the survey weights: the equation of {', '.join(without)}.")
    return notes


def group_notes(dataset: Dataset, columns: Sequence[str]) -> Iterator[str]:
    """Yield who is in neither group, and how an attribute is set that is a number."""
    for column in columns:
        if column not in dataset.groups:
            continue
        groups, cells = dataset.groups[column], dataset.frame[column]
        neither = ~(groups.is_protected(cells) | groups.is_reference(cells))
        label = groups.attribute.reference_label
        if neither.any():
            yield (
                f"'{column}': {int(neither.sum())} of {len(dataset)} people are in neither group "
                f"({show_values(cells[neither])}). They take part in fitting the causal model, "
                "with terms of their own; nobody is compared with them."
            )
        pooled = cells[groups.is_reference(cells)]
        implied = not groups.attribute.reference_values and not groups.is_by_limits
        if implied and len(pd.unique(pooled)) > 1:
            yield (
                f"'{column}': the reference is everyone else, several values taken as one "
                f"({show_values(pooled)}). The counterfactual is their average; name a reference "
                "to compare with one of them."
            )
        if groups.attribute.set_to == "rank":
            yield (
                f"'{column}' is a number in the equations: do({column} := {label}) gives each "
                "person the value that the reference group has at the same rank."
            )
        elif groups.is_number:
            yield (
                f"'{column}' is a number in the equations: do({column} := {label}) sets it to "
                f"{groups.attribute.set_to:g} for everyone outside the reference group."
            )


def told(notes: Sequence[tuple[str, bool]]) -> list[str]:
    """Return the notes' sentences, warning of those that weigh heavily."""
    for note, heavy in notes:
        if heavy:
            warnings.warn(note, CausalModelWarning, stacklevel=4)
    return [note for note, _ in notes]


def causal_notes(
    name: str,
    do: Mapping[str, Value],
    fitted: FittedCausalModel,
    other: Counterfactuals,
    is_protected: BoolArray,
    *,
    dataset: Dataset,
) -> list[tuple[str, bool]]:
    """Return what a reader must know about the counterfactuals, and whether it weighs heavily."""
    drawn = [node for node in do if node in fitted.model.graph.nodes]
    notes = [
        (f"'{node}' is not in the causal model, so nothing is taken to follow from it.", False)
        for node in do
        if node not in drawn
    ]
    if drawn and set(other.changed) == set(do):
        graph = fitted.model.graph
        follows = graph.descendants(do) - {*do, graph.decision}
        note = (
            f"{name}: {', '.join(node for node in graph.nodes if node in follows)} would follow "
            "from it, but nothing that people are compared or decided on by, so CST equals ST."
            if follows
            else f"{name}: nothing follows from it in the causal model, so CST equals ST."
        )
        notes.append((note, False))
    unmeasured = [" ↔ ".join(ends) for ends in fitted.model.graph.bidirected]
    if unmeasured:
        one = len(unmeasured) == 1
        note = (
            f"{', '.join(unmeasured)}: {'this arrow says' if one else 'these arrows say'} that "
            "something unmeasured moves both ends. Every number is computed as if nothing "
            "unmeasured were there; every result that rests on an arrow "
            f"{'it touches' if one else 'they touch'} says so. How strong it would have to be: "
            "`--robustness confounding` (command) or the page Robustness (dashboard)."
        )
        notes.append((note, True))
    notes += [
        (
            f"{cause} → {effect}: this influence is accepted as justified ({reason}); along it "
            "everyone's own value is passed on.",
            False,
        )
        for (cause, effect), reason in fitted.model.graph.accepted.items()
    ]
    complainants = int(is_protected.sum())
    notes += _state_notes(name, other, is_protected)
    for node, where in other.clips.items():
        clipped = int(where[is_protected].sum())
        if clipped:
            note = (
                f"{name}: {clipped} of {complainants} counterfactual values of '{node}' fell "
                "outside its bounds and were clipped."
            )
            notes.append((note, clipped > MANY * complainants))
    notes += value_notes(name, fitted, other, is_protected, dataset)
    notes += [
        (f"'{node}': {count} observed value(s) lie outside the bounds of its equation.", False)
        for node, count in other.outside_bounds.items()
        if count
    ]
    return [*notes, *_learnt_notes(fitted, dataset), *table_notes(fitted)]


def _state_notes(
    name: str, other: Counterfactuals, is_protected: BoolArray
) -> Iterator[tuple[str, bool]]:
    """Yield how many states were looked at where effects have levels, and what was left out."""
    if other.states.mixture is None:
        return
    mixture, n = other.states.mixture.of(is_protected)[0], int(is_protected.sum())
    lost, unseen = mixture.lost, int((~mixture.whole).sum())
    yield (
        f"{name}: {len(mixture.owner):,} counterfactual states of {n:,} people were looked "
        f"at; lost weight {lost.mean():.1%} on average, {lost.max():.1%} at most.",
        False,
    )
    if lost.any():
        note = (
            f"{name}: {int((lost > 0).sum())} of {n} people have more "
            "counterfactual states than are looked at. The lightest were dropped, at most "
            f"{lost.max():.1%} of a person; every interval is wider by as much."
        )
        yield note, bool(lost.max() > MANY)
    if unseen:
        yield (
            f"{name}: the range over couplings is exact for {n - unseen:,} of {n:,} people. "
            "For the others it includes states that were not looked at, as if they could be "
            "anything, so that findings may hold under every coupling that are not said to; a "
            "person's own page looks at every state.",
            False,
        )


def _learnt_notes(fitted: FittedCausalModel, dataset: Dataset) -> list[tuple[str, bool]]:
    """Return of each equation that may know people by heart how much it explains of the others."""
    notes = []
    for node, mechanism in fitted.mechanisms.items():
        if not isinstance(mechanism, LearnsByHeart):
            continue
        found = diagnose_node(fitted, dataset, node)
        if found.r_squared is None or found.unseen_r_squared is None:
            continue
        note = (
            f"'{node}': {mechanism.clause}, with R² {found.r_squared:.2f} on the people it was "
            f"fitted to and {found.unseen_r_squared:.2f} on people it had not seen."
        )
        learnt = found.r_squared - found.unseen_r_squared > MANY
        if learnt:
            note += (
                " It knows people by heart, so that what is each person's own (U) is too small and "
                "counterfactuals follow the prediction too closely. Take a simpler one."
            )
        notes.append((note, learnt))
    return notes
