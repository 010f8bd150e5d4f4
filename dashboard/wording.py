"""Results as plain sentences; pure functions, no screen."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.causal.diagnostics import EquationDiagnostics, NoiseByGroup
from cst_core.causal.equations import INTERCEPT, Coefficient, Equation
from cst_core.evidence.verdicts import Method
from cst_core.scenario.document import EquationPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.equations import MECHANISM_WORDS, bounds_in_words
from dashboard.draft.world_differences import world_differences
from dashboard.text import MINUS, markup, number, percent, short, signed

METHOD_LABELS: dict[Method, str] = {"CST_wo": "CST w/o", "ST": "ST", "CST_w": "CST w/", "CF": "CF"}
METHOD_TITLES: dict[Method, str] = {
    "CST_wo": "Counterfactual test, groups only (CST w/o)",
    "ST": "Classical situation test (ST)",
    "CST_w": "Counterfactual test, herself counted in (CST w/)",
    "CF": "Counterfactual fairness, she alone (CF)",
}
"""What the methods are called where there is room."""
METHOD_SENTENCES: dict[Method, str] = {
    "CST_wo": "the counterfactual test, groups only. People of her group like her are compared "
    "with people of the other group like who she would have been. Her own decision is not counted.",
    "ST": "the classical situation test. People of her group like her are compared with people of "
    "the other group like her. What the protected attribute has already done to her salary or "
    "grades is left as it is.",
    "CST_w": "the counterfactual test, herself counted in. As CST w/o, but her own decision joins "
    "the first group, and the decision on her counterfactual the second. Needs a decision rule.",
    "CF": "counterfactual fairness. She was refused, and her counterfactual would have been "
    "accepted. Nobody else is looked at; only whether it is significant is read off CST w/. "
    "Needs a decision rule.",
}
METHOD_KEY = (
    "CST w/o: counterfactual test, groups only. ST: classical situation test. CST w/: "
    "counterfactual test, herself counted in. CF: counterfactual fairness, she alone."
)
"""What the short names in a chart stand for, in a line."""
LINK_WORDS = {"identity": "they add up", "log": "they multiply"}
FAR = 2.0
"""Standard errors beyond which a value set by hand is pointed out."""


def group_names(draft: Draft, column: str) -> tuple[str, str]:
    """Return what the protected and the reference group are called."""
    for part in draft.roles.protected:
        if part.column == column:
            protected = part.protected_name or (
                f"{column} = {part.protected}"
                if part.protected is not None
                else f"{column} other than {part.reference}"
            )
            reference = part.reference_name or (
                f"{column} = {part.reference}" if part.reference is not None else "everyone else"
            )
            return protected, reference
    return column, "everyone else"


def node_label(draft: Draft, name: str) -> str:
    """Return what a node is called in the drawing."""
    node = draft.world.node(name)
    return node.label if node and node.label else name


def term_label(draft: Draft, term: str) -> str:
    """Return a term of an equation in words."""
    if term == INTERCEPT:
        return "Starting value"
    parts = []
    for factor in term.split(":"):
        if factor in draft.protected_columns:
            protected, reference = group_names(draft, factor)
            parts.append(f"{protected}, not {reference}")
        elif factor in draft.relevant_columns:
            parts.append(f"{node_label(draft, factor)}, per unit")
        else:
            parts.append(factor.replace("=", " is "))
    return " and ".join(short(part, 60) for part in parts)


def equation_html(draft: Draft, equation: Equation) -> str:
    """Return an equation as readable mathematics, its by-hand numbers underlined."""
    effect = markup(short(node_label(draft, equation.node), 60))
    left = f"ln({effect})" if equation.link == "log" else effect
    if equation.mechanism == "quantile":
        return _rank_html(draft, equation, left)
    pieces: list[str] = []
    for term, item in equation.coefficients.items():
        value = item.value or 0.0
        shown = number(abs(value))
        if item.source == "by hand":
            shown = f'<span class="hand" title="set by hand">{shown}</span>'
        words = "" if term == INTERCEPT else f" · {_factor(draft, term)}"
        if not pieces:
            pieces.append(f"{MINUS if value < 0 else ''}{shown}{words}")
        else:
            pieces.append(f"{MINUS if value < 0 else '+'} {shown}{words}")
    noise = '<span class="u" title="what is her own: everything else">+ U</span>'
    body = " ".join(pieces)
    return f'<div class="cst-math">{left} = {body} {noise}</div>'


def _rank_html(draft: Draft, equation: Equation, left: str) -> str:
    """Return an equation in which everyone keeps her rank; the other causes act beside it."""
    causes = draft.world.parents(equation.node)
    group = [name for name in causes if name in draft.protected_columns]
    names = ", ".join(markup(short(node_label(draft, name), 40)) for name in group)
    among = f"among those with her {names}" if names else "among everyone"
    rest = [
        f"b · {markup(short(node_label(draft, name), 40))}" for name in causes if name not in group
    ]
    noise = '<span class="u" title="her rank, from 0 to 1: it is her own and stays">U</span>'
    body = " + ".join([f"the value at rank {noise} {among}", *rest])
    return f'<div class="cst-math">{left} = {body}</div>'


def _factor(draft: Draft, term: str) -> str:
    parts = []
    for factor in term.split(":"):
        if factor in draft.protected_columns:
            parts.append(f"[{markup(short(group_names(draft, factor)[0], 40))}]")
        elif factor in draft.relevant_columns:
            parts.append(markup(short(node_label(draft, factor), 40)))
        else:
            parts.append(f"[{markup(short(factor.replace('=', ' is '), 40))}]")
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
        f"Set by hand to {number(item.value)}; the data say {number(item.fitted_value)}, with "
        f"reasonable doubt between {number(low)} and {number(high)}. That may be right, but say "
        "why."
        if not item.note or item.note.startswith("Set by ")
        else f"Set by hand to {number(item.value)}, outside what the data say: {number(low)} to "
        f"{number(high)}."
    )


def diagnostics_sentences(draft: Draft, found: EquationDiagnostics) -> list[str]:
    """Return how well an equation fits, in words."""
    name = node_label(draft, found.node)
    sentences = []
    if draft.world.equation(found.node).mechanism == "quantile":
        return [
            f"In {name} everyone keeps her rank: U is the share of her own group that lies below "
            "her, so it runs from 0 to 1 in each group and there is nothing left to explain. "
            "Whatever the shapes of the two distributions, her counterfactual has the value at "
            "the same rank of the other."
        ]
    if found.r_squared is None:
        sentences.append(f"{name} is the same for everyone, so there is nothing to explain.")
    elif found.r_squared < 0:
        sentences.append(
            f"With the coefficients set by hand, the equation describes {name} worse than its "
            "plain average does."
        )
    else:
        sentences.append(
            f"The causes drawn explain {percent(found.r_squared)} of the differences in {name} "
            f"between people; the rest, U, is each person's own and is kept in her counterfactual."
        )
    return sentences + [
        sentence for group in found.by_group if (sentence := _spread(draft, name, group))
    ]


def _spread(draft: Draft, name: str, group: NoiseByGroup) -> str | None:
    protected, reference = group_names(draft, group.attribute)
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
            "over unchanged"
        )
    return ". ".join(words) + "." if words else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How one attribute moves under the intervention."""

    column: str
    before: float
    after: float
    low: float
    high: float
    clipped: int = 0

    @property
    def change(self) -> float:
        """By how much it moves."""
        return self.after - self.before


def shift_row(draft: Draft, shift: Shift) -> str:
    """Return a table row with the two values and a line on which they stand."""
    span = (shift.high - shift.low) or 1.0

    def place(value: float) -> float:
        return min(max(100 * (value - shift.low) / span, 0), 100)

    start, end = sorted((place(shift.before), place(shift.after)))
    moved = "no change" if abs(shift.change) < 1e-9 * span else signed(shift.change, 3)
    note = f"<br>{shift.clipped:,} cut off at a limit" if shift.clipped else ""
    name = node_label(draft, shift.column)
    return (
        f"<tr><td>{markup(short(name, 60))}</td>"
        f'<td class="n">{number(shift.before)}</td><td class="n">{number(shift.after)}</td>'
        f'<td class="n">{moved}{note}</td><td aria-hidden="true"><div class="cst-track">'
        f'<u style="left:{start:.1f}%;width:{end - start:.1f}%"></u>'
        f'<i class="f" style="left:{place(shift.before):.1f}%"></i>'
        f'<i class="c" style="left:{place(shift.after):.1f}%"></i></div></td></tr>'
    )


def shift_table(draft: Draft, shifts: list[Shift], caption: str, words: tuple[str, str]) -> str:
    """Return the table of what moves, with its two columns named."""
    rows = "".join(shift_row(draft, shift) for shift in shifts)
    return (
        f'<div class="cst-scroll"><table class="cst-table"><caption>{markup(caption)}</caption>'
        '<thead><tr><th scope="col">Attribute</th>'
        f'<th scope="col" class="n"><span class="cst-dot a"></span>{markup(words[0])}</th>'
        f'<th scope="col" class="n"><span class="cst-dot c"></span>{markup(words[1])}</th>'
        '<th scope="col" class="n">Change</th><th scope="col">Lowest to highest seen</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def comparison_sentences(draft: Draft, first: DraftWorld, second: DraftWorld) -> list[str]:
    """Return how two causal models differ, in words."""
    found = world_differences(first, second)
    sentences = []
    for world, arrows in ((first, found.arrows_only_a), (second, found.arrows_only_b)):
        sentences += [
            f"Only {world.name} has the arrow {cause} → {effect}." for cause, effect in arrows
        ]
    for world, nodes in ((first, found.nodes_only_a), (second, found.nodes_only_b)):
        sentences += [f"Only {world.name} has {node}." for node in nodes]
    for item in found.equations:
        one, two = first.equation(item.node), second.equation(item.node)
        label = node_label(draft, item.node)
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
            MECHANISM_WORDS[one.mechanism],
            MECHANISM_WORDS[two.mechanism],
        ),
        ("its limits", bounds_in_words(one.bounds), bounds_in_words(two.bounds)),
        ("its products", _products(one), _products(two)),
    ]
    terms = dict.fromkeys([*one.coefficients, *two.coefficients])
    rows += [
        (f"the part of {term_label(draft, term)}", _said(one, term), _said(two, term))
        for term in terms
    ]
    return [row for row in rows if row[1] != row[2]]


def _products(equation: EquationPart) -> str:
    return ", ".join(" × ".join(group) for group in equation.interactions) or "none"


def _said(equation: EquationPart, term: str) -> str:
    part = equation.coefficients.get(term)
    by_hand = part is not None and part.source == "by hand"
    return f"{number(part.value, 12)} by hand" if part and by_hand else "fitted"
