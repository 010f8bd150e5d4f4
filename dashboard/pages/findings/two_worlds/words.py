"""The two worlds as plain sentences and tables; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from cst_core.explain import count, number, short
from cst_core.results import AttributeWorlds, Flips, Spread
from dashboard.draft.document import Draft
from dashboard.shared.tables import share_cell, table
from dashboard.shared.text import capital, markup

KINDS = ("as they are", "counterfactual", "compared with")
DOTS = ("a", "c", "r")


def group_words(draft: Draft, test: str) -> tuple[str, str, str]:
    """Return what the complainants, their counterfactuals and the others are called in charts."""
    who, rest = draft.names.complainants(test), draft.names.others(test)
    return f"{who}, as they are", f"{who}, counterfactual", f"{rest}, as they are"


def intervention_sentence(draft: Draft, test: str) -> str:
    """Return which two worlds are compared."""
    who, rest = draft.names.complainants(test), draft.names.others(test)
    instead = "none of these groups" if rest == "everyone else" else rest
    return (
        f"Two worlds: the one in which {who} live, and the one that the causal model describes had "
        f"they been {instead}, everything else about them kept. {capital(rest)} "
        "themselves are drawn behind, for comparison. k, τ, α and the method do not matter here."
    )


def shift_sentence(draft: Draft, test: str, item: AttributeWorlds) -> str:
    """Return how one attribute moves, in words."""
    name, who = draft.names.label(item.column), draft.names.complainants(test)
    if not item.moved:
        return (
            f"{name} stays as it is: in the causal model nothing that changes leads to it, so both "
            "worlds agree."
        )
    shift = item.mean_shift
    if shift is None or item.factual is None or item.counterfactual is None:
        return f"{name} is another for {item.moved:,} of {who}."
    far = "higher" if shift > 0 else "lower"
    moved = f"on average {number(abs(shift), 3)} {far}" if shift else "the same on average"
    sentence = (
        f"In the counterfactual world, {name} of {who} is {moved}: "
        f"{number(item.counterfactual.mean)} instead of {number(item.factual.mean)}."
    )
    if item.reference is not None:
        sentence += f" Among {draft.names.others(test)} it is {number(item.reference.mean)}."
    if item.clipped:
        whose = count(item.clipped, "value was", "values were")
        sentence += f" {whose} cut off at the limits of the equation."
    return sentence


def worlds_table(draft: Draft, test: str, items: Sequence[AttributeWorlds]) -> str:
    """Return means and quartiles of every attribute in both worlds."""
    words = group_words(draft, test)
    rows = []
    for item in items:
        spreads = (item.factual, item.counterfactual, item.reference)
        name = markup(short(draft.names.label(item.column), 60))
        if item.factual is None:
            rows.append(
                f'<tr><th scope="row">{name}</th><td colspan="6">Names have no mean; see the '
                f"picture. {item.moved:,} differ between the worlds.</td></tr>"
            )
            continue
        for place, (spread, who, dot) in enumerate(zip(spreads, words, DOTS, strict=True)):
            assert spread is not None
            head = f'<th scope="row" rowspan="3">{name}</th>' if place == 0 else ""
            clipped = f"{item.clipped:,}" if place == 1 else "–"
            rows.append(
                f'<tr>{head}<td><span class="cst-dot {dot}"></span>{markup(short(who, 60))}</td>'
                f'<td class="n">{number(spread.mean)}</td>'
                f'<td class="n">{number(spread.lower_quartile)}</td>'
                f'<td class="n">{number(spread.median)}</td>'
                f'<td class="n">{number(spread.upper_quartile)}</td>'
                f'<td class="n">{clipped}</td></tr>'
            )
    return (
        '<div class="cst-scroll"><table class="cst-table cst-worlds"><caption>A quarter of the '
        "group lies below the lower quartile, half below the median, three quarters below the "
        'upper quartile</caption><thead><tr><th scope="col">Attribute</th><th scope="col">Group'
        '</th><th scope="col" class="n">Mean</th><th scope="col" class="n">Lower quartile</th>'
        '<th scope="col" class="n">Median</th><th scope="col" class="n">Upper quartile</th>'
        '<th scope="col" class="n">Cut off at a limit</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def worlds_frame(draft: Draft, test: str, items: Sequence[AttributeWorlds]) -> pd.DataFrame:
    """Return the same table for a file."""
    words = group_words(draft, test)
    return pd.DataFrame(
        [
            {"attribute": item.column, "group": who, **_cells(spread), "moved": item.moved}
            | {"cut off at a limit": item.clipped if kind == KINDS[1] else None}
            for item in items
            for who, kind, spread in zip(
                words, KINDS, (item.factual, item.counterfactual, item.reference), strict=True
            )
        ]
    )


def _cells(spread: Spread | None) -> dict[str, float | None]:
    fields = ("n", "mean", "lowest", "lower_quartile", "median", "upper_quartile", "highest")
    return {
        field.replace("_", " "): None if spread is None else getattr(spread, field)
        for field in fields
    }


def flips_sentence(draft: Draft, test: str, found: Flips, *, by_model: bool = False) -> str:
    """Return how many decisions would turn, in words; `by_model`: of those a model makes."""
    negative, positive = draft.names.negative, draft.names.positive
    n = sum(_four(found))
    turned = found.refused_to_accepted + found.accepted_to_refused
    who = draft.names.complainants(test)
    of, were = ("By the model of the decisions, of", "are") if by_model else ("Of", "were")
    return (
        f"{of} {n:,} {who}, {found.refused_to_accepted:,} {were} {negative} and would be "
        f"{positive} in the counterfactual world; {found.accepted_to_refused:,} {were} {positive} "
        f"and would be {negative}. For the other {n - turned:,} the decision stays the same."
    )


def flips_table(draft: Draft, found: Flips) -> str:
    """Return the decisions in both worlds, crossed."""
    negative, positive = draft.names.negative, draft.names.positive
    n = sum(_four(found))
    return table(
        ["", *(f"In the counterfactual world {there}" for there in (negative, positive))],
        [
            [
                f"As they are: {negative}",
                share_cell(found.stays_refused, n, f"{negative} in both worlds"),
                share_cell(found.refused_to_accepted, n, "would turn in favour", here=True),
            ],
            [
                f"As they are: {positive}",
                share_cell(found.accepted_to_refused, n, "would turn against them", here=True),
                share_cell(found.stays_accepted, n, f"{positive} in both worlds"),
            ],
        ],
        caption="People, and their share of all people looked at",
        kind="cst-counts",
    )


def flips_frame(draft: Draft, found: Flips) -> pd.DataFrame:
    """Return the same table for a file."""
    negative, positive = draft.names.negative, draft.names.positive
    pairs = ((negative, negative), (negative, positive), (positive, negative), (positive, positive))
    return pd.DataFrame(
        [
            {"as they are": here, "counterfactual": there, "people": people}
            for (here, there), people in zip(pairs, _four(found), strict=True)
        ]
    )


def _four(found: Flips) -> tuple[int, int, int, int]:
    return (
        found.stays_refused,
        found.refused_to_accepted,
        found.accepted_to_refused,
        found.stays_accepted,
    )
