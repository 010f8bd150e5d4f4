"""Several attributes as plain sentences and tables; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from cst_core.evidence import EvidenceSettings
from cst_core.explain import count, everyone_over_couplings, listed, number, percent, short
from cst_core.results import Result, Summary
from cst_core.testing import INTERSECTIONAL, MULTIPLE
from dashboard.draft.document import Draft
from dashboard.pages.findings.several.comparison import PARTS
from dashboard.shared.tables import Html, TableRow, numeric, share_cell, table
from dashboard.shared.text import capital, markup
from dashboard.shared.verdict_words import coupling_columns

FEW = 30
"""Fewer people than this in a cell are pointed out."""
FORM_LABELS = {"paper": "as in the paper", "full": "in full"}
FORM_SENTENCES = {
    "paper": "As in the paper: one attribute, “has all of them”, takes the place of the single "
    "ones in every equation. What each does alone is left out, so the counterfactual undoes only "
    "what sets the people who have them all apart from everyone else.",
    "full": "In full: every attribute keeps its own effect and all their products are added; the "
    "counterfactual undoes the effects of each and of their meeting. It asks what would have been "
    "had none of the attributes been there.",
}


def level(settings: EvidenceSettings, runs: int) -> str:
    """Return the error level of each run, α ÷ number, or α by intersection and union."""
    alpha = settings.significance_level
    if settings.several == "intersection-union":
        return number(alpha)
    return f"{number(alpha)} ÷ {runs} = {number(alpha / runs, 3)}"


def test_labels(draft: Draft) -> dict[str, str]:
    """Return what each test is called."""
    names = {name: f"{draft.names.label(name)} alone" for name in draft.protected_columns}
    return {
        **names,
        MULTIPLE: f"Multiple: {'both' if len(names) == 2 else 'all'} at once",
        **{
            f"{INTERSECTIONAL} {form}": f"Intersectional, {FORM_LABELS[form]}"
            for form in FORM_LABELS
        },
    }


def several_headline(
    draft: Draft, n: int, multiple: Summary, crossed: Summary, settings: EvidenceSettings
) -> str:
    """Return both results in two sentences."""
    who = draft.names.complainants(MULTIPLE)
    way = "against them" if settings.direction == "against" else "in their favour"
    return (
        f"{n:,} people are at once {who}. Of these, {multiple.cases:,} "
        f"({percent(multiple.cases / max(n, 1), 1)}) show a difference to examine {way} "
        f"in every attribute (multiple; {multiple.significant:,} significant), and "
        f"{crossed.cases:,} ({percent(crossed.cases / max(n, 1), 1)}) one as a group of their own "
        f"(intersectional; {crossed.significant:,} significant)."
    )


def over_couplings(draft: Draft, tests: Mapping[str, tuple[Result, Summary]]) -> list[str]:
    """Return of each test how many findings hold under every coupling, where there are several."""
    said = {
        name: everyone_over_couplings(draft.names, result, summary)
        for name, (result, summary) in tests.items()
    }
    return [f"{name}: {sentence}" for name, sentence in said.items() if sentence]


def what_they_ask(draft: Draft, settings: EvidenceSettings) -> list[str]:
    """Return what the two tests ask, and at which level."""
    runs = len(draft.protected_columns)
    names = listed([draft.names.label(name) for name in draft.protected_columns])
    held = (
        f"each is held to the stricter error level α ÷ {runs}: {level(settings, runs)} (Bonferroni)"
        if settings.several == "bonferroni"
        else f"each is made at α = {level(settings, runs)} (intersection–union)"
    )
    return [
        f"Multiple: one test for each of {names}; it counts only who is a case in every one of "
        f"them. As {runs} tests must agree, {held}.",
        "Intersectional: one test that compares the people who have all of these attributes with "
        f"everyone else, at α = {number(settings.significance_level)}. It can find what no single "
        "attribute shows.",
    ]


def forms_sentence(paper: Summary, full: Summary, chosen: str) -> str:
    """Return how much the two forms of the intersection differ."""
    here = "both" if paper.cases == full.cases else None
    counts = (
        f"Both find {count(paper.cases, 'case')} here"
        if here
        else f"As in the paper it finds {count(paper.cases, 'case')} here "
        f"({paper.significant:,} significant), in full {full.cases:,} ({full.significant:,})"
    )
    return f"{counts}. The overlap below uses the form {FORM_LABELS[chosen]} (More settings)."


def tests_table(
    labels: Mapping[str, str],
    people: Mapping[str, int],
    cells: Mapping[str, Sequence[Summary]],
    levels: Mapping[str, str],
    k: int,
) -> str:
    """Return every test's counts over k."""
    ks = [summary.k for summary in next(iter(cells.values()))]
    rows: list[TableRow] = []
    for name, found in cells.items():
        n = people[name]
        head = Html(
            f'{markup(short(labels[name], 60))}<br><span class="cst-muted">'
            f"{n:,} people, α {markup(levels[name])}</span>"
        )
        body = (
            share_cell(item.cases, n, f"{item.significant:,} significant", here=item.k == k)
            for item in found
        )
        rows.append([head, *body])
    return table(
        ["Test", *(numeric(f"k = {item}") for item in ks)],
        rows,
        caption="Differences to examine, their share of the people tested, and those that are "
        "statistically significant",
        kind="cst-counts",
    )


def tests_frame(
    labels: Mapping[str, str],
    people: Mapping[str, int],
    cells: Mapping[str, Sequence[Summary]],
    levels: Mapping[str, str],
) -> pd.DataFrame:
    """Return the same table for a file."""
    return pd.DataFrame(
        [
            {
                "test": labels[name],
                "people": people[name],
                "error level": levels[name],
                "k": item.k,
                "cases": item.cases,
                "share": item.cases / max(people[name], 1),
                "significant": item.significant,
                "mean difference": item.mean_delta,
                **coupling_columns(item),
            }
            for name, found in cells.items()
            for item in found
        ]
    )


def overlap_sentence(sizes: Mapping[str, int], *, significant: bool) -> str:
    """Return the overlap in words."""
    n = sum(sizes.get(part, 0) for part in PARTS)
    kind = "significant cases" if significant else "cases"
    return (
        f"Of {n:,} people, {sizes.get('both', 0):,} are {kind} by both tests, "
        f"{sizes.get('intersectional only', 0):,} by the intersectional one only, "
        f"{sizes.get('multiple only', 0):,} by the multiple one only, and "
        f"{sizes.get('neither', 0):,} by neither (not drawn). Where the bars stand above each "
        "other are the people whom both find."
    )


def shares_table(draft: Draft, shares: pd.DataFrame, runs: Sequence[str]) -> str:
    """Return the paper's table: mean p_c and p_t of every test by part."""
    names = {name: draft.names.label(name) for name in draft.protected_columns}
    tops = "".join(
        f'<th scope="colgroup" colspan="2" class="n">'
        f"{markup(short(names.get(name, 'Intersectional'), 40))}</th>"
        for name in runs
    )
    subs = '<th scope="col" class="n">p_c</th><th scope="col" class="n">p_t</th>' * len(runs)
    rows = []
    for part in PARTS:
        row: Any = shares.loc[part]
        cells = "".join(
            f'<td class="n">{_share(row[f"{name}: {which}"])}</td>'
            for name in runs
            for which in ("p_control", "p_test")
        )
        rows.append(
            f'<tr><th scope="row">{capital(part)}</th>'
            f'<td class="n">{int(row["people"]):,}</td>{cells}</tr>'
        )
    return (
        '<div class="cst-scroll"><table class="cst-table"><caption>Mean share refused in the '
        "control group (p_c) and in the test group (p_t), by test and by who finds them"
        '</caption><thead><tr><th scope="col" rowspan="2">Found by</th><th scope="col" rowspan="2" '
        f'class="n">People</th>{tops}</tr><tr>{subs}</tr></thead><tbody>{"".join(rows)}</tbody>'
        "</table></div>"
    )


def dominance_sentence(draft: Draft, table: pd.DataFrame) -> str:
    """Return which attribute weighs most for how many of those who are a case somewhere."""
    found = table.drop(index="neither").sum()
    total = int(found.sum())
    if not total:
        return "Nobody is a case by either test, so there is nothing to weigh."
    parts = [
        f"{draft.names.label(name)} for {int(found[name]):,}"
        for name in draft.protected_columns
        if name in found
    ]
    equal = int(found.get("equal", 0))
    tail = f"; for {equal:,} the first places are equal" if equal else ""
    return (
        f"Of the {count(total, 'person', 'people')} found by at least one of the two tests, the "
        f"largest difference comes from {listed(parts)}{tail}."
    )


def dominance_table(draft: Draft, counts: pd.DataFrame) -> str:
    """Return the counts by part and attribute."""
    words = {"equal": "Equal", "no evidence": "No evidence possible"}
    heads = [short(words.get(name) or draft.names.label(name), 40) for name in counts.columns]
    return table(
        ["Found by", *map(numeric, heads)],
        [
            [capital(part), *(f"{value:,}" for value in counts.loc[part].to_numpy(int))]
            for part in PARTS
        ],
        caption="People by the attribute with their largest Δp",
    )


def small_warnings(draft: Draft, n: int, cells: Sequence[tuple[str, int]], k: int) -> list[str]:
    """Return what makes the comparison weak."""
    found = []
    who = listed([draft.names.group(name).protected for name in draft.protected_columns])
    if n < FEW:
        found.append(
            f"Only {count(n, 'person is', 'people are')} at once {who}: too few for firm words."
        )
    if n <= k:
        found.append(
            f"k = {k} is as many as all people who have every protected value, or more: their "
            "control groups are everyone else of them, similar or not."
        )
    found += [
        f"“{capital(part)}” holds {count(size, 'person', 'people')}: its averages rest on few."
        for part, size in cells
    ]
    return found


def _share(value: float | None) -> str:
    return "–" if value is None or pd.isna(value) else number(float(value), 3)
