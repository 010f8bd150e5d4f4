"""Rival worlds in plain sentences and tables; pure functions, no screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from cst_core.data import as_text
from cst_core.explain import MINUS, count, listed, percent, short
from cst_core.robustness import Disagreement, RivalWorlds
from dashboard.shared.tables import Html, TableCell, numeric, table, world_head
from dashboard.shared.verdict_words import verdict_words

GOOD_FOR = (
    "A finding rests on a causal model, and nobody can prove one. A rival world is another causal "
    "model of the same data that somebody could defend just as well: an arrow less, causes that "
    "multiply instead of adding up, ranks instead of averages. Everyone is tested in each. Whoever "
    "is found in all of them is found whichever model is right; whoever is found in one only hangs "
    "on what it assumes."
)
SAME_FOR_ST = (
    "Situation testing (ST) does not use a causal model: it compares each person with people like "
    "that person as now. So its findings are the same in every world. Choose another method to see "
    "what the worlds change."
)
ONLY_TOGETHER = "only several together"
PARTS = ("all", "some", "none")


def kind_words(*, significant: bool) -> str:
    """Return what is counted."""
    return "significant cases" if significant else "cases"


def headline(found: RivalWorlds, who: str, *, significant: bool) -> str:
    """Return in how many worlds people are found, in a sentence."""
    sizes = found.flagged(significant=significant).value_counts()
    every, some, none = (int(sizes.get(part, 0)) for part in PARTS)
    worlds, kind = len(found.names), kind_words(significant=significant)
    each = "both causal models" if worlds == 2 else f"each of the {worlds} causal models"
    some_only = "one only" if worlds == 2 else "some only"
    return (
        f"Of {len(found.index):,} {who}, {every:,} are {kind} in {each}, {some:,} in {some_only}, "
        f"and {none:,} in none."
    )


def counts_table(found: RivalWorlds, open_world: str) -> str:
    """Return what each world finds, as a table."""
    n = max(len(found.index), 1)
    rows = []
    for name, row in found.counts().iterrows():
        cases, significant = int(row["cases"]), int(row["significant"])
        mean = float(row["mean_delta"])
        delta = "–" if np.isnan(mean) else f"{mean:.3f}".replace("-", MINUS)
        rows.append(
            [
                world_head(str(name), open_world),
                f"{cases:,} ({percent(cases / n, 1)})",
                f"{significant:,} ({percent(significant / n, 1)})",
                delta,
            ]
        )
    heads = map(numeric, ("To examine", "Significant", "Mean Δp"))
    return table(["Causal model", *heads], rows)


def counts_frame(found: RivalWorlds) -> pd.DataFrame:
    """Return what each world finds, for a file."""
    return found.counts().rename_axis("causal model").reset_index()


def agreement_table(found: RivalWorlds, *, significant: bool) -> str:
    """Return for every two worlds how many people have the same verdict in both."""
    shares = found.agreement(significant=significant).to_numpy()
    n = len(found.index)
    names = [short(name, 40) for name in found.names]
    same = TableCell(Html('<span role="img" aria-label="the same causal model">–</span>'), "own")
    return table(
        ["", *names],
        [
            [
                name,
                *(
                    same if place == other else agreement_cell(float(share), n)
                    for other, share in enumerate(line)
                ),
            ]
            for place, (name, line) in enumerate(zip(names, shares, strict=True))
        ],
        caption="People with the same verdict in both causal models, and how many have another "
        f"({kind_words(significant=significant)})",
        kind="cst-agree",
    )


def agreement_cell(share: float, n: int) -> Html:
    """Return a share with a bar as long as it, and the people who differ."""
    differ = n - round(share * n)
    return Html(
        f"<b>{percent(share, 1)}</b> <small>{differ:,} differ</small>"
        f'<div class="bar" aria-hidden="true"><u style="width:{100 * share:.1f}%"></u></div>'
    )


def people_frame(
    found: RivalWorlds, keep: np.ndarray, names: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return some people with Δp and verdict in each world, the largest mean Δp first."""
    deltas, chosen = found.deltas(), list(names or found.names)
    columns: dict[str, object] = {"id": [as_text(item) for item in found.index]}
    for name in chosen:
        columns[f"Δp, {name}"] = deltas[name].to_numpy()
        columns[f"verdict, {name}"] = verdict_words(found, name)
    order = deltas[chosen].mean(axis=1).to_numpy()
    frame = pd.DataFrame(columns).assign(order=order)[keep]
    if found.settings.direction == "against":
        frame = frame.sort_values("order", ascending=False, kind="stable")
    else:
        frame = frame.sort_values("order", kind="stable")
    return frame.drop(columns="order").reset_index(drop=True)


def pair_sentence(found: RivalWorlds, one: str, two: str, *, significant: bool) -> str:
    """Return who changes between two worlds, and which way."""
    table = found.verdicts(significant=significant)
    here, there = (table[name].to_numpy(dtype=bool) for name in (one, two))
    only_one, only_two = int((here & ~there).sum()), int((there & ~here).sum())
    kind = kind_words(significant=significant)
    changed = only_one + only_two
    if not changed:
        return f"Nobody’s verdict changes between the two: they find the same {kind}."
    return (
        f"The verdict of {count(changed, 'person', 'people')} changes: {only_one:,} are {kind} in "
        f"{one} only, {only_two:,} in {two} only. {int((here & there).sum()):,} are in both."
    )


def reason_counts(found: Disagreement) -> dict[str, int]:
    """Return for each attribute how many verdicts its equation turns alone, and for how many none.

    An equation may be one of several that each turn a verdict, so that these add up to more than
    the people who change.
    """
    turning = found.nodes_that_turn()
    counted = Counter(name for row in turning for name in row or (ONLY_TOGETHER,))
    counts = {name: counted[name] for name in map(str, found.turned_by)}
    return counts | ({ONLY_TOGETHER: counted[ONLY_TOGETHER]} if counted[ONLY_TOGETHER] else {})


def reason_sentences(found: Disagreement) -> list[str]:
    """Return which equation turns how many verdicts."""
    people = len(found.index)
    if not found.differences:
        return ["Both causal models have the same equations, so nothing can turn a verdict."]
    if not people:
        return ["Nobody’s verdict changes, so there is nothing to explain."]
    said = [
        f"Taking only the equation of {node} (its arrows included) from {found.two} into "
        f"{found.one} turns the verdict of {turned:,} of these {people:,}."
        for node, turned in reason_counts(found).items()
        if node != ONLY_TOGETHER
    ]
    several = sum(len(row) > 1 for row in found.nodes_that_turn())
    if several:
        said.append(f"For {several:,} of them more than one equation would do it alone.")
    together = sum(not row for row in found.nodes_that_turn())
    if together:
        said.append(f"For {together:,} no equation does it alone, only several together.")
    said += [f"{node} cannot be taken over alone: {why}" for node, why in found.impossible.items()]
    return said


def because_words(row: Sequence[str]) -> str:
    """Return what turns one verdict."""
    return listed(list(row)) if row else ONLY_TOGETHER
