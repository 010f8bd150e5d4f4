"""The arithmetic of her counterfactual and of the decision rule, to be checked by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import singledispatch

import numpy as np

from cst_core.causal import (
    COUPLING_WORDS,
    Arithmetic,
    CouplingKind,
    LevelArithmetic,
    RankArithmetic,
    SumArithmetic,
    TermStep,
)
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase
from cst_core.explain.steps import NodeStep, Score
from cst_core.explain.text import GUARD, MINUS, exact, in_100, in_brackets, listed, of_100, short

NOTHING_FOLLOWS = (
    "By the causal model nothing else follows from the protected attribute, so the counterfactual "
    "differs in that alone."
)
SMALL = 0.01
"""Of 100, what is less is not told apart."""
Row = tuple[str, str, str]
"""What is done, the arithmetic, and what comes out."""
Rows = tuple[str, list[Row], list[Row]]
"""Her value as the equation takes it; the rows of abduction; those of action and prediction."""


def term_text(names: CaseNames, term: TermStep) -> str:
    """Return a term in words, such as "[women]"."""
    return " · ".join(names.factor(node, level) for node, level in term.factors)


def sum_text(found: SumArithmetic, *, there: bool) -> str:
    """Return an equation's sum with her numbers in it; without the noise."""
    if found.terms is None:
        return "by the fitted regression"
    return _signed(
        (
            term.coefficient,
            f" × {in_brackets(term.there if there else term.here)}" if term.factors else "",
        )
        for term in found.terms
    )


def sum_in_words(names: CaseNames, found: SumArithmetic) -> str:
    """Return an equation's sum, its causes by name."""
    return _signed(
        (term.coefficient, f" · {term_text(names, term)}" if term.factors else "")
        for term in found.terms or ()
    )


def _signed(terms: Iterable[tuple[float, str]]) -> str:
    """Return numbers, each with what stands behind it, as a sum."""
    pieces: list[str] = []
    for value, rest in terms:
        sign = MINUS if value < 0 else "+" if pieces else ""
        pieces.append(f"{sign}{' ' if pieces else ''}{exact(abs(value))}{rest}")
    return " ".join(pieces)


def step_title(names: CaseNames, step: NodeStep) -> str:
    """Return an attribute with what it was and what it becomes."""
    label = short(names.label(step.node), 60)
    there = exact(step.counterfactual)
    if isinstance(step.arithmetic, LevelArithmetic):
        parts = _by_weight(step.arithmetic)
        there = in_100(parts) if len(parts) > 1 else parts[0][0]
    return f"{label}: {exact(step.observed)} → {there}"


def equation_text(names: CaseNames, step: NodeStep) -> str:
    """Return the equation in use, with the digits that the arithmetic uses."""
    return _equation(step.arithmetic, names, short(names.label(step.node), 40))


@singledispatch
def _equation(found: Arithmetic, names: CaseNames, name: str) -> str:
    """Return the equation of a kind of mechanism."""
    raise NotImplementedError(type(found))


@_equation.register
def _(found: SumArithmetic, names: CaseNames, name: str) -> str:
    given = "what the fitted regression gives"
    return f"{_left(found, name)} = {sum_in_words(names, found) if found.terms else given} + U"


@_equation.register
def _(found: RankArithmetic, names: CaseNames, name: str) -> str:
    others = f" + {sum_in_words(names, found)}" if found.terms else ""
    return f"{_left(found, name)} = the value at rank U of the person's group{others}"


@_equation.register
def _(found: LevelArithmetic, names: CaseNames, name: str) -> str:
    return f"{name} = one of {', '.join(found.levels)}, by chances that its causes give"


def _left(found: SumArithmetic, name: str) -> str:
    return f"ln({name})" if found.link == "log" else name


def limits_text(step: NodeStep) -> str | None:
    """Return whether the result was cut off at a limit; None when there are no limits."""
    low, high = step.bounds
    if low is None and high is None:
        return None
    ends = " to ".join("…" if end is None else exact(end) for end in (low, high))
    if step.clipped:
        return f"{exact(step.arithmetic.predicted)} is outside {ends}: cut off"
    return f"within {ends}: not cut off"


def arithmetic_rows(names: CaseNames, step: NodeStep) -> list[Row]:
    """Return the steps of one attribute: what is done, the arithmetic, and what comes out."""
    own, abduction, prediction = _rows(step.arithmetic, names, step)
    if step.kept:
        return [*abduction, ("2 Action, 3 prediction", "none of its causes changes", own)]
    limits = limits_text(step)
    end = [("Limits", limits, exact(step.counterfactual))] if limits else []
    return [*abduction, *prediction, *end]


def by_hand_sentences(names: CaseNames, step: NodeStep) -> list[str]:
    """Return what of a step an expert set in place of what the data say, each with its reason."""
    said = []
    for row in step.set_shares:
        who = " and ".join(f"{names.label(name)} = {value}" for name, value in row.when.items())
        data = None if row.fitted is None else _of_levels(row.fitted)
        said.append(
            f"Set by hand, not counted: of 100 people with {who}, {_of_levels(row.shares)}. "
            f"{_data_say(data)} {_reason(row.note)}"
        )
    for name, item in step.set_coefficients.items():
        assert item.value is not None
        data = None if item.fitted_value is None else exact(item.fitted_value)
        said.append(
            f"Set by hand, not fitted: {names.term(name)}: {exact(item.value)}. "
            f"{_data_say(data)} {_reason(item.note)}"
        )
    return said


def _of_levels(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{level} {_part(share)}" for level, share in shares.items() if share > 0)


def _data_say(what: str | None) -> str:
    return f"The data say {what}." if what else "The data say nothing of it."


def _reason(note: str) -> str:
    return f"The reason given: {note.strip().rstrip('.')}." if note.strip() else "Without a reason."


@singledispatch
def _rows(found: Arithmetic, names: CaseNames, step: NodeStep) -> Rows:
    """Return the rows of a kind of mechanism."""
    raise NotImplementedError(type(found))


@_rows.register
def _(found: SumArithmetic, names: CaseNames, step: NodeStep) -> Rows:
    total = found.given_there + found.noise
    own, observed = _own(found, step)
    abduction = [
        *observed,
        ("What the equation gives here", sum_text(found, there=False), exact(found.given_here)),
        (
            "1 Abduction: the person's own part, U",
            f"{in_brackets(found.level)} {MINUS} {in_brackets(found.given_here)}",
            exact(found.noise),
        ),
    ]
    prediction = [
        (
            f"2 Action: the same {_set_to(names, found)}",
            sum_text(found, there=True),
            exact(found.given_there),
        ),
        (
            "3 Prediction: add the person's own part again",
            f"{in_brackets(found.given_there)} + {in_brackets(found.noise)}",
            exact(total),
        ),
        *_back(found, total),
    ]
    return own, abduction, prediction


@_rows.register
def _(found: RankArithmetic, names: CaseNames, step: NodeStep) -> Rows:
    left, total = found.level - found.given_here, found.at_rank + found.given_there
    own, observed = _own(found, step)
    here, there = [], []
    if found.terms:
        here = [
            ("The other causes’ part", sum_text(found, there=False), exact(found.given_here)),
            (
                "What is left of it",
                f"{in_brackets(found.level)} {MINUS} {in_brackets(found.given_here)}",
                exact(left),
            ),
        ]
        there = [
            ("The other causes’ part there", sum_text(found, there=True), exact(found.given_there)),
            (
                "3 Prediction",
                f"{in_brackets(found.at_rank)} + {in_brackets(found.given_there)}",
                exact(total),
            ),
        ]
    abduction = [
        *observed,
        *here,
        (
            "1 Abduction: the person's rank, U",
            f"share of the person's group below {exact(left)}, those equal to it by half",
            exact(found.noise),
        ),
    ]
    prediction = [
        (
            "2 Action: the same rank in the other group",
            f"the value at rank {exact(found.noise)} there",
            exact(found.at_rank),
        ),
        *there,
        *_back(found, total),
    ]
    return own, abduction, prediction


@_rows.register
def _(found: LevelArithmetic, names: CaseNames, step: NodeStep) -> Rows:
    own = exact(step.observed)
    causes = listed([names.label(cause) for cause in step.causes])
    abduction = [
        (f"Of 100 people with the same {causes}", _chances(found, found.here), ""),
        ("1 Abduction: what was seen of the person", "one of these", own),
    ]
    prediction = [
        ("2 Action: of 100 with that changed", _chances(found, found.there), ""),
        *_COUPLED[found.coupling](found),
    ]
    return own, abduction, prediction


def _least_change(found: LevelArithmetic) -> list[Row]:
    here, there, own = found.here[found.seen], found.there[found.seen], found.levels[found.seen]
    stays = found.weights[found.seen]
    how = (
        f"of {_part(here)} at {own}, {_part(there)} remain: {_part(there)} ÷ {_part(here)}"
        if stays < 1 - GUARD
        else f"there are no fewer at {own} there: this stays"
    )
    rows = [(_predicted(found), how, f"{own} {_part(stays, 3)} of 100")]
    more = [
        (level, other - chance if place != found.seen else 0.0)
        for place, (level, chance, other) in enumerate(
            zip(found.levels, found.here, found.there, strict=True)
        )
    ]
    if stays < 1 - GUARD:
        moved = [0.0 if place == found.seen else part for place, part in enumerate(found.weights)]
        rows.append(
            (
                f"The other {_part(1 - stays, 3)} go where more are than here, in proportion",
                "more there: " + ", ".join(f"{name} {_part(by)}" for name, by in more if by > 0),
                f"{_chances(found, moved, 3)} of 100",
            )
        )
    return rows


def _same_rank(found: LevelArithmetic) -> list[Row]:
    low = sum(found.here[: found.seen])
    high = low + found.here[found.seen]
    ends = np.cumsum(found.there)
    parts = ", ".join(
        f"{_part(max(low, end - chance))} to {_part(min(high, end))} are {level}"
        for level, chance, end, weight in zip(
            found.levels, found.there, ends.tolist(), found.weights, strict=True
        )
        if weight > 0
    )
    own = found.levels[found.seen]
    return [
        (
            "The person's rank here, counted from the lowest",
            f"of 100 ranks, {own} has",
            _ranks(low, high),
        ),
        (
            _predicted(found),
            f"of the ranks there, {parts}",
            f"{_chances(found, found.weights, 3)} of 100",
        ),
    ]


def _as_everybody(found: LevelArithmetic) -> list[Row]:
    return [
        (_predicted(found), "as everybody there", f"{_chances(found, found.weights, 3)} of 100")
    ]


_COUPLED: dict[CouplingKind, Callable[[LevelArithmetic], list[Row]]] = {
    "minimal-change": _least_change,
    "rank-preserving": _same_rank,
    "independent": _as_everybody,
}


def _predicted(found: LevelArithmetic) -> str:
    return f"3 Prediction: {COUPLING_WORDS[found.coupling]}"


def _ranks(low: float, high: float) -> str:
    return f"{_part(low)} to {_part(high)}"


def _part(chance: float, digits: int = 4) -> str:
    """Return a share as a number of 100."""
    if 0 < 100 * chance < SMALL:
        return f"under {SMALL}"
    return exact(float(f"{100 * chance:.{digits}g}"))


def _chances(found: LevelArithmetic, chances: Sequence[float], digits: int = 4) -> str:
    """Return how many of 100 are at each level, those with none left out."""
    return ", ".join(
        f"{level} {_part(chance, digits)}"
        for level, chance in zip(found.levels, chances, strict=True)
        if chance > 0
    )


def _by_weight(found: LevelArithmetic) -> list[tuple[str, float]]:
    """Return the levels she would be at, most often first."""
    parts = [one for one in zip(found.levels, found.weights, strict=True) if one[1] > 0]
    return sorted(parts, key=lambda part: -part[1])


def _own(found: SumArithmetic, step: NodeStep) -> tuple[str, list[Row]]:
    """Return her value as the equation takes it, and the row that says so where it must."""
    if found.link == "identity":
        return exact(step.observed), []
    own = f"ln {exact(step.observed)} = {exact(found.level)}"
    return own, [("Observed", own, exact(found.level))]


def _back(found: SumArithmetic, total: float) -> list[Row]:
    if found.link == "identity":
        return []
    return [("Back from the logarithm", f"exp({exact(total)})", exact(found.predicted))]


def _set_to(names: CaseNames, found: SumArithmetic) -> str:
    """Return which causes are set, or that they changed before."""
    changed = [
        term
        for term in found.terms or ()
        if len(term.factors) == 1
        and term.here != term.there
        and term.factors[0][0] not in names.attributes
    ]
    if not changed:
        return "with the changed causes"
    if all(term.there == 0 for term in changed):
        return f"with {' and '.join(term_text(names, term) for term in changed)} set to 0"
    said = [f"{term_text(names, term)} set to {exact(term.there)}" for term in changed]
    return f"with {' and '.join(said)}"


def score_text(score: Score, *, there: bool) -> str:
    """Return the rule's sum with her numbers in it."""
    return " + ".join(
        f"{in_brackets(weight)} × {in_brackets(other if there else own)}"
        for _, weight, own, other in score.parts
    )


def _against(score: Score, *, there: bool) -> str:
    value = score.there if there else score.here
    gap = value - score.cutoff
    where = "above" if gap > 0 else "below" if gap < 0 else "at"
    return f"{exact(abs(gap))} {where} the cut-off {exact(score.cutoff)}"


def rule_text(names: CaseNames, score: Score) -> str:
    """Return the decision rule, its attributes by name."""
    parts = " + ".join(
        f"{exact(weight)} · {short(names.label(column), 40)}"
        for column, weight, _, _ in score.parts
    )
    sign = "≥" if score.inclusive else ">"
    return f"{names.positive} when {parts} {sign} {exact(score.cutoff)}"


def score_rows(names: CaseNames, case: PersonCase) -> list[tuple[str, str, str, str, str]]:
    """Return who is judged, the sum, its value, how far that is from the cut-off, the outcome.

    Of several counterfactuals the likeliest is judged.
    """
    score = case.score
    if score is None:
        return []
    who = names.pronouns(case.whole).first
    other = f"{who.his} counterfactual"
    if case.many is not None:
        other = f"{who.his} likeliest counterfactual ({of_100(case.many.each[0].weight)})"
    return [
        (
            judged,
            score_text(score, there=there),
            exact(score.there if there else score.here),
            _against(score, there=there),
            names.outcome(refused=score.negative_there if there else score.negative_here),
        )
        for judged, there in ((who.he, False), (other, True))
    ]


def likeliest_note(case: PersonCase) -> str | None:
    """Return whose arithmetic is shown where she has several counterfactuals that differ more."""
    if case.many is None or len(case.steps) + (case.score is not None) < 2:
        return None
    return (
        "Where one thing follows from another that may come out in several ways, the arithmetic is "
        "that of the likeliest counterfactual."
    )


def recorded_note(names: CaseNames, case: PersonCase) -> str | None:
    """Return that her recorded decision is not the rule's, where that is so."""
    if case.score is None or case.score.negative_here == case.refused:
        return None
    return (
        f"The recorded decision is {names.outcome(refused=case.refused)}, which is not what the "
        "rule gives. The recorded one is used here."
    )
