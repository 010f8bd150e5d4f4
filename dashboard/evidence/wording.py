"""Evidence as plain sentences and tables; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from cst_core.evidence.parity import DemographicParity
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Method
from cst_core.results import Summary
from cst_core.similarity.ties import TieRule
from dashboard.draft.document import Draft
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE
from dashboard.setting_words import CORRECTIONS
from dashboard.text import count, listed, markup, number, percent
from dashboard.wording import METHOD_LABELS, METHOD_TITLES, group_names

CROWD = 0.2
"""A group that is this part of the people it is taken from is no longer "most like her"."""


def complainants(draft: Draft, test: str) -> str:
    """Return what the complainants of a test are called."""
    if test in (MULTIPLE, INTERSECTIONAL):
        return " who are also ".join(_people(draft, name, 0) for name in draft.protected_columns)
    return _people(draft, test, 0)


def others(draft: Draft, test: str) -> str:
    """Return what the people they are compared with are called."""
    if test in (MULTIPLE, INTERSECTIONAL):
        return "everyone else"
    return _people(draft, test, 1)


def _people(draft: Draft, column: str, place: int) -> str:
    """Return a group's name as a word for people, also where none was given."""
    named = group_names(draft, column)[place]
    if named == "everyone else":
        return named
    part = next((item for item in draft.roles.protected if item.column == column), None)
    given = part and (part.protected_name, part.reference_name)[place]
    return named if given else f"people with {named}"


def outcome_words(draft: Draft) -> tuple[str, str]:
    """Return what the negative and the positive outcome are called."""
    return draft.outcomes.negative or "refused", draft.outcomes.positive or "accepted"


def headline(
    draft: Draft, test: str, summary: Summary, n_protected: int, settings: EvidenceSettings
) -> str:
    """Return the result in one sentence."""
    who, share = complainants(draft, test), summary.cases / max(n_protected, 1)
    way = "against them" if settings.direction == "against" else "in their favour"
    level, digits = f"{number(100 * settings.significance_level)} %", int(0 < share < 0.1)
    tail = (
        f"{summary.significant:,} of them statistically significant at {level}"
        if summary.cases
        else "so none is statistically significant"
    )
    if summary.zero_width_significant:
        tail += (
            f" ({summary.zero_width_significant:,} of these because everyone in each group was "
            "decided alike, where the interval has no width and proves little)"
        )
    return (
        f"Of {n_protected:,} {who}, {summary.cases:,} ({percent(share, digits)}) show potential, "
        f"prima facie discrimination {way}, {tail}."
    )


def how_it_was_compared(
    draft: Draft,
    test: str,
    method: Method,
    settings: EvidenceSettings,
    sizes: tuple[int, int] | None = None,
) -> str:
    """Return what a case means under these settings.

    `sizes` are those of control and test group where they are not k each; without them, groups of
    balanced neighbourhoods are given no number.
    """
    negative, _ = outcome_words(draft)
    against, k = settings.direction == "against", settings.n_neighbours
    case, who, rest = "A case", complainants(draft, test), others(draft, test)
    if test == MULTIPLE:
        case = f"A case, by each of {listed(draft.protected_columns)} alone"
        who, rest = "people in her group", "people outside her group"
    elif test == INTERSECTIONAL:
        who, rest = "people with the same protected values", "other people"
    elif rest == "everyone else":
        rest = "other people"
    if method == "CF":
        now, then = ("", " not") if against else (" not", "")
        return (
            f"{case}: she was{now} {negative}, and as one of the {rest} she would{then} have been."
        )
    tau = settings.accepted_deviation
    points, beyond = f"{number(100 * abs(tau), 3)} points", ""
    if tau == 0 or (tau > 0) == against:
        compared = f"a {'larger' if against else 'smaller'} share was {negative} than"
        beyond = f", by more than {points}" if tau else ""
    else:
        side = "below" if against else "above"
        compared = f"the share {negative} was not {points} or more {side} that"
    there = "her" if method == "ST" else "who she would have been"
    counted = " She and her counterfactual are counted in." if method == "CST_w" else ""
    control, other = (f"{size:,} " for size in sizes or (k, k))
    if settings.balance_radii:
        if sizes is None:
            control = other = ""
        counted += (
            f" Neighbourhoods are balanced: the larger group gives k = {k:,}, the smaller one "
            "fewer, in proportion to its size."
        )
    return (
        f"{case}: of the {control}{who} most like her, {compared} of the {other}{rest} most like "
        f"{there}{beyond}.{counted}"
    )


def what_significant_means(
    draft: Draft, test: str, method: Method, settings: EvidenceSettings
) -> str:
    """Return when a case is called significant; for CF, that it depends on k, and why."""
    against = settings.direction == "against"
    side = "above" if against else "below"
    runs = len(draft.protected_columns) if test == MULTIPLE else 1
    shared = runs if settings.several == "bonferroni" else 1
    level = f"{number(100 * settings.significance_level / shared, 3)} %"
    each = f", by each of the {runs} attributes" if runs > 1 else ""
    tau = f"the accepted difference (τ = {number(settings.accepted_deviation, 3)})"
    if method != "CF":
        return (
            f"Significant: the interval of her difference in refusals (Δp) lies wholly {side} "
            f"{tau}{each}. {_nominal(settings, level)}{_stricter(settings)}"
        )
    return (
        "Significant, for CF: CF looks at nobody else and has no interval of its own, so the one "
        f"of CST w/ is used. A CF case is significant when that interval lies wholly {side} {tau}"
        f"{each}. It comes from groups whose size k sets. Hence CF finds as many cases for every "
        f"k, but not as many significant ones.{_stricter(settings)}"
    )


def _nominal(settings: EvidenceSettings, level: str) -> str:
    """Return how often chance is meant to do that, and where it may do it more often."""
    meant = f"It is meant to be so by chance alone in no more than {level} of such tests"
    if settings.interval == "wald":
        return (
            f"{meant}; with Wald's interval (the paper's) it can be far more often where groups "
            "are small, differ in size, or almost everyone in them was decided alike."
        )
    if settings.interval == "exact":
        return f"{meant}."
    return f"{meant}; in small groups it can be a little more often."


def _stricter(settings: EvidenceSettings) -> str:
    """Return what else is asked of a significant case."""
    said = ""
    if settings.correction != "none":
        name = CORRECTIONS[settings.correction]
        said += f" As everyone is tested, the level is corrected for the number of tests ({name})."
    if settings.tie_robust:
        said += " Only verdicts count that hold however equally distant people are chosen."
    return said


TIE_WORDS: dict[TieRule, str] = {
    "expected": "it is given as if they shared the places left",
    "first": "here earlier rows of the table come first",
    "last": "here later rows of the table come first",
}


def cautions(summary: Summary, notes: Sequence[str], ties: TieRule) -> list[str]:
    """Return what a reader must know to judge the numbers."""
    found = []
    if summary.no_evidence:
        found.append(
            f"{count(summary.no_evidence, 'person has', 'people have')} nobody in one of the two "
            "groups, so nothing can be said about them."
        )
    if summary.small_groups:
        found.append(
            f"{count(summary.small_groups, 'person has a group', 'people have groups')} smaller "
            f"than asked for by k = {summary.k}, because there are not enough people (or none near "
            "enough)."
        )
    if summary.tie_dependent:
        found.append(
            f"For {count(summary.tie_dependent, 'person', 'people')} the verdict depends on how "
            f"equally distant people are chosen; {TIE_WORDS[ties]}."
        )
    if summary.zero_width:
        found.append(
            f"For {count(summary.zero_width, 'person', 'people')} everyone or nobody was refused "
            "in each of the two groups. The interval (Wald's) then has no width and claims a "
            f"certainty that groups of up to {count(summary.k, 'person', 'people')} cannot give; "
            f"{summary.zero_width_significant:,} of the significant cases rest on that."
        )
    return found + list(notes)


def crowd_caution(k: int, smaller: int) -> list[str]:
    """Return a warning when a group is a large part of all the people it is taken from.

    Examples
    --------
    >>> crowd_caution(15, 1000)
    []
    """
    share = k / max(smaller, 1)
    if share < CROWD:
        return []
    return [
        f"With k = {k} a group holds {percent(min(share, 1.0))} of all the people it is taken from "
        f"({smaller:,}): “most like her” then says little. Take a smaller k, or set a largest "
        "distance ε."
    ]


def parity_sentence(draft: Draft, test: str, parity: DemographicParity) -> str:
    """Return the groups' acceptance rates, and whether Δp tends to their difference."""
    _, positive = outcome_words(draft)
    limit = draft.settings.max_distance
    gap = (
        f"Over everyone, {percent(parity.accepted_protected, 1)} of {complainants(draft, test)} "
        f"were {positive} and {percent(parity.accepted_reference, 1)} of {others(draft, test)}: a "
        f"gap of {number(100 * parity.gap, 3)} points (demographic parity)."
    )
    if limit is None:
        return (
            f"{gap} The larger k, the more of everyone is in the groups, and the closer Δp comes "
            f"to that gap, {number(parity.gap, 3)}."
        )
    return (
        f"{gap} Δp need not come close to it as k grows: nobody farther away than ε = "
        f"{number(limit, 3)} is ever in a group."
    )


def count_table(
    cells: Mapping[Method, Sequence[Summary]],
    ks: Sequence[int],
    n_protected: int,
    unavailable: Mapping[Method, str],
    chosen: tuple[Method, int],
) -> str:
    """Return the paper's table: cases and significant cases by method and k."""
    head = "".join(f'<th scope="col" class="n">k = {k}</th>' for k in ks)
    rows = []
    for method, label in METHOD_TITLES.items():
        if method in unavailable:
            rows.append(
                f'<tr><th scope="row">{label}</th><td colspan="{len(ks)}">'
                f"{markup('Not available: ' + unavailable[method])}</td></tr>"
            )
            continue
        found = "".join(
            f'<td class="n{" here" if (method, summary.k) == chosen else ""}">'
            f"<b>{summary.cases:,}</b> ({percent(summary.cases / max(n_protected, 1), 1)})<br>"
            f'<span class="cst-muted">{summary.significant:,} significant</span></td>'
            for summary in cells[method]
        )
        rows.append(f'<tr><th scope="row">{label}</th>{found}</tr>')
    return (
        '<div class="cst-scroll"><table class="cst-table cst-counts"><caption>Potential cases, '
        "their share of the protected group, and those that are statistically significant"
        f'</caption><thead><tr><th scope="col">Method</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def counts_frame(cells: Mapping[Method, Sequence[Summary]], n_protected: int) -> pd.DataFrame:
    """Return the same table for a file: a row for each method and k."""
    return pd.DataFrame(
        [
            {
                "method": METHOD_LABELS[method],
                "k": summary.k,
                "cases": summary.cases,
                "share of the protected group": summary.cases / max(n_protected, 1),
                "significant": summary.significant,
                "mean difference": summary.mean_delta,
                "verdict depends on ties": summary.tie_dependent,
                "groups smaller than k": summary.small_groups,
                "no evidence possible": summary.no_evidence,
                "intervals of no width": summary.zero_width,
            }
            for method, found in cells.items()
            for summary in found
        ]
    )
