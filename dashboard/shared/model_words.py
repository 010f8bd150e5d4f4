"""Causal models in words: their equations, how well they fit, and how two of them differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cst_core.causal import (
    INTERCEPT,
    MECHANISMS,
    Coefficient,
    Equation,
    EquationDiagnostics,
    MechanismKind,
    NoiseByGroup,
)
from cst_core.explain import MINUS, number, percent, short
from cst_core.scenario import EquationPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.equation_parts import (
    bounds_in_words,
    products_in_words,
    same_causes,
    when_in_words,
)
from dashboard.draft.world_differences import (
    coupling_in_words,
    shares_in_words,
    world_differences,
)
from dashboard.shared.text import markup

FAR = 2.0
"""Standard errors beyond which a value set by hand is pointed out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismWords:
    """What is said of a kind of mechanism.

    Attributes
    ----------
    choice, choose, help
        The kind among others, on the button that drops what it does not take, and more about it.
    right_side
        What the effect equals, as HTML.
    without_coefficients
        What is said where coefficients would be; empty where there are some.
    arrow
        What stands at the arrow from a protected cause, where there is no coefficient.
    noise
        What U is, for an effect of this name, where it is not what is left unexplained.
    """

    choice: str
    choose: str
    help: str = ""
    right_side: Callable[[Draft, Equation], str]
    without_coefficients: str = ""
    arrow: str = ""
    noise: str = ""


_LEVELS = (
    "{} has values, not amounts: nothing is left over that would be a person's own. How the value "
    "here and the value in the other world hang together is an assumption (the coupling)."
)


def equation_html(draft: Draft, equation: Equation) -> str:
    """Return an equation as readable mathematics, its by-hand numbers underlined."""
    effect = markup(short(draft.names.label(equation.node), 60))
    left = f"ln({effect})" if equation.link == "log" else effect
    right = MECHANISM_WORDS[equation.mechanism].right_side(draft, equation)
    return f'<div class="cst-math">{left} = {right}</div>'


def _sum(draft: Draft, equation: Equation) -> str:
    noise = '<span class="u" title="everything else">+ U</span>'
    return " ".join(filter(None, [_terms(draft, equation.coefficients), noise]))


def _terms(draft: Draft, coefficients: Mapping[str, Coefficient]) -> str:
    """Return a sum of terms, its by-hand numbers underlined."""
    pieces: list[str] = []
    for term, item in coefficients.items():
        value = item.value or 0.0
        shown = number(abs(value))
        if item.source == "by hand":
            shown = f'<span class="hand" title="set by hand">{shown}</span>'
        words = "" if term == INTERCEPT else f" · {_factors(draft, term)}"
        sign = MINUS if value < 0 else "+" if pieces else ""
        pieces.append(f"{sign}{' ' if pieces else ''}{shown}{words}")
    return " ".join(pieces)


def _value_at_rank(draft: Draft, equation: Equation) -> str:
    causes = draft.world.parents(equation.node)
    group = [name for name in causes if name in draft.protected_columns]
    names = ", ".join(markup(short(draft.names.label(name), 40)) for name in group)
    among = f"among those with the same {names}" if names else "among everyone"
    rest = [
        f"b · {markup(short(draft.names.label(name), 40))}" for name in causes if name not in group
    ]
    noise = '<span class="u" title="the rank, from 0 to 1: it stays">U</span>'
    return " + ".join([f"the value at rank {noise} {among}", *rest])


def _predicted(draft: Draft, equation: Equation) -> str:
    causes = draft.world.parents(equation.node)
    names = ", ".join(markup(short(draft.names.label(name), 40)) for name in causes)
    noise = '<span class="u" title="everything else">+ U</span>'
    return f"f({names}) {noise}"


def _by_shares(draft: Draft, equation: Equation) -> str:
    names = [
        markup(short(draft.names.label(name), 40)) for name in draft.world.parents(equation.node)
    ]
    return f"one of its values, as often as among people with the same {' and '.join(names)}"


def _by_odds(draft: Draft, equation: Equation) -> str:
    by_level: dict[str, dict[str, Coefficient]] = {}
    for name, item in equation.coefficients.items():
        level, tilde, term = name.rpartition(" ~ ")
        if tilde or " | " not in name:  # cuts between values have rows of their own
            by_level.setdefault(level, {})[term] = item
    lines = []
    for level, terms in by_level.items():
        sum_ = _terms(draft, terms)
        odds = f" of {markup(short(level, 40))}" if level else ""
        lines.append(f"log-odds{odds}: {sum_}")
    return "<br>".join(["one of its values, by", *lines]) if lines else "one of its values"


MECHANISM_WORDS: Mapping[MechanismKind, MechanismWords] = {
    "linear": MechanismWords(
        choice="By a sum: what a cause adds is the same for everyone",
        choose="Make it a sum",
        right_side=_sum,
    ),
    "quantile": MechanismWords(
        choice="By rank: everyone takes the value that their rank has in the other group",
        choose="Keep ranks",
        help="By rank: the shapes of the two groups' distributions count, not only their averages. "
        "Also called rank-preserving, or quantile transport.",
        right_side=_value_at_rank,
        without_coefficients="There are no coefficients here: everyone keeps their rank within "
        "the group (quantile transport). Other causes than the protected ones act by a fitted sum "
        "beside it.",
        arrow="keeps ranks",
        noise="In {} everyone keeps their rank: U is the share of their own group that lies below "
        "them, so it runs from 0 to 1 in each group and there is nothing left to explain. "
        "Whatever the shapes of the two distributions, a counterfactual has the value at the "
        "same rank of the other.",
    ),
    "regressor": MechanismWords(
        choice="By a regressor: trees predict it from its causes, in any shape",
        choose="Let a regressor predict it",
        help="By a regressor: a tree, gradient boosting or a random forest, with the parameters "
        "that the scenario file gives it; a tree of depth 4 where it gives none.",
        right_side=_predicted,
        without_coefficients="There are no coefficients here: f is a regressor trained on these "
        "people, and U what it leaves unexplained of each of them.",
        arrow="regressor",
    ),
    "shares": MechanismWords(
        choice="By shares: how often people with equal causes have each value",
        choose="Take shares",
        help="For an attribute with few values. Of 100 people with equal causes, so and so many "
        "have each value; rows of this table can be set by hand.",
        right_side=_by_shares,
        without_coefficients="There are no coefficients here: the table of shares says how often "
        "people with equal causes have each value.",
        arrow="by shares",
        noise=_LEVELS,
    ),
    "logit": MechanismWords(
        choice="By log-odds: what a cause adds to the log-odds is the same for everyone",
        choose="Take log-odds",
        help="For an attribute with few values and causes that are numbers, or too few people for "
        "a table of shares: logit, proportional odds or multinomial logit.",
        right_side=_by_odds,
        noise=_LEVELS,
    ),
}


def _factors(draft: Draft, term: str) -> str:
    parts = []
    for factor in draft.names.factors(term):
        if factor in draft.protected_columns:
            parts.append(f"[{markup(short(draft.names.group(factor).protected, 40))}]")
        elif factor in draft.attribute_columns:
            parts.append(markup(short(draft.names.label(factor), 40)))
        else:
            parts.append(f"[{markup(short(factor.replace('=', ' is ', 1), 40))}]")
    return " · ".join(parts)


def far_from_fitted(item: Coefficient) -> str | None:
    """Return a sentence when a value set by hand is far from what the data say."""
    if item.source != "by hand" or item.value is None or item.fitted_value is None:
        return None
    gap = abs(item.value - item.fitted_value)
    error = item.standard_error or 0.0
    if gap <= FAR * error or gap == 0:
        return None
    low, high = item.fitted_value - FAR * error, item.fitted_value + FAR * error
    return (
        f"Set by hand to {number(item.value)}; the data say {number(item.fitted_value)}, 95 % "
        f"interval {number(low)} to {number(high)}. That may be right, but say "
        "why."
        if not item.note or item.note.startswith("Set by ")
        else f"Set by hand to {number(item.value)}, outside what the data say: {number(low)} to "
        f"{number(high)}."
    )


def diagnostics_sentences(
    draft: Draft, found: EquationDiagnostics, kind: MechanismKind
) -> list[str]:
    """Return how well an equation fits, in words; `kind` is the mechanism in use."""
    name = draft.names.label(found.node)
    noise = MECHANISM_WORDS[kind].noise
    if noise:
        return [noise.replace("{}", name)]
    if found.r_squared is None:
        said = f"{name} is the same for everyone, so there is nothing to explain."
    elif found.r_squared < 0:
        said = (
            f"With the coefficients set by hand, the equation describes {name} worse than its "
            "plain average does."
        )
    else:
        said = (
            f"The causes drawn explain {percent(found.r_squared)} of the differences in {name} "
            f"between people; the rest, U, is each person's own and is kept in the counterfactual."
        )
    if found.unseen_r_squared is not None:
        said += (
            f" Of people it had not seen it explains {percent(max(found.unseen_r_squared, 0.0))}: "
            "where that is much less, it knows people by heart and U is too small."
        )
    spreads = [_spread(draft, name, group) for group in found.by_group]
    return [said, *(spread for spread in spreads if spread)]


def _spread(draft: Draft, name: str, group: NoiseByGroup) -> str | None:
    names = draft.names.group(group.attribute)
    protected, reference = names.protected, names.reference
    gap = group.mean_protected - group.mean_reference
    pooled = (group.spread_protected + group.spread_reference) / 2
    words = []
    if pooled > 0 and abs(gap) > 0.1 * pooled:
        words.append(
            f"The unexplained part of {name} is on average {number(abs(gap), 3)} "
            f"{'higher' if gap > 0 else 'lower'} for {protected} than for {reference}: something "
            "that depends on the group is not in the drawing, or a coefficient set by hand hides it"
        )
    if group.equal_spread_p is not None and group.equal_spread_p < 0.01:
        more = protected if group.spread_protected > group.spread_reference else reference
        words.append(
            f"The unexplained part spreads wider among {more} "
            f"({number(group.spread_protected, 3)} for {protected}, "
            f"{number(group.spread_reference, 3)} for {reference}); the counterfactual carries it "
            "over unchanged, and the ± of the coefficients allow for it"
        )
    return ". ".join(words) + "." if words else None


LINK_WORDS = {"identity": "they add up", "log": "they multiply"}


def comparison_sentences(draft: Draft, first: DraftWorld, second: DraftWorld) -> list[str]:
    """Return how two causal models differ, in words."""
    found = world_differences(first, second)
    sentences = []
    for world, arrows in ((first, found.arrows_only_a), (second, found.arrows_only_b)):
        sentences += [
            f"Only {world.name} has the arrow {cause} → {effect}." for cause, effect in arrows
        ]
    for world, arrows in ((first, found.unmeasured_only_a), (second, found.unmeasured_only_b)):
        sentences += [
            f"Only {world.name} has the arrow {one} ↔ {other}: something unmeasured moves both."
            for one, other in arrows
        ]
    for world, arrows in ((first, found.accepted_only_a), (second, found.accepted_only_b)):
        for cause, effect in arrows:
            edge = world.edge(cause, effect)
            sentences.append(
                f"Only {world.name} accepts the arrow {cause} → {effect} as justified: "
                f"{edge and edge.accepted}"
            )
    for world, nodes in ((first, found.nodes_only_a), (second, found.nodes_only_b)):
        sentences += [f"Only {world.name} has {node}." for node in nodes]
    for item in found.equations:
        one, two = first.equation(item.node), second.equation(item.node)
        label = draft.names.label(item.node)
        sentences += [
            f"{label}, {what}: {left} in {first.name}, {right} in {second.name}."
            for what, left, right in _equation_differences(draft, one, two)
        ]
    return sentences


def _equation_differences(
    draft: Draft, one: EquationPart, two: EquationPart
) -> list[tuple[str, str, str]]:
    """Return what differs between two equations: what it is, and how it stands in each."""
    rows = [
        ("how its causes work together", LINK_WORDS[one.link], LINK_WORDS[two.link]),
        (
            "how it follows from its causes",
            MECHANISMS[one.mechanism].label,
            MECHANISMS[two.mechanism].label,
        ),
        ("its limits", bounds_in_words(one.bounds), bounds_in_words(two.bounds)),
        (
            "its products",
            products_in_words(one.interactions),
            products_in_words(two.interactions),
        ),
    ]
    rows.append(
        (
            "what is assumed of it in the other world",
            coupling_in_words(one.coupling),
            coupling_in_words(two.coupling),
        )
    )
    tables = [{same_causes(row.when): row for row in part.shares} for part in (one, two)]
    for key in dict.fromkeys([*tables[0], *tables[1]]):
        left, right = (table.get(key) for table in tables)
        when = (left or right).when  # type: ignore[union-attr]
        what = f"the shares for {when_in_words(when)}"
        rows.append((what, shares_in_words(left), shares_in_words(right)))
    terms = dict.fromkeys([*one.coefficients, *two.coefficients])
    rows += [
        (f"the part of {draft.names.term(term)}", _said(one, term), _said(two, term))
        for term in terms
    ]
    return [row for row in rows if row[1] != row[2]]


def _said(equation: EquationPart, term: str) -> str:
    part = equation.coefficients.get(term)
    by_hand = part is not None and part.source == "by hand"
    return f"{number(part.value, 12)} by hand" if part and by_hand else "fitted"
