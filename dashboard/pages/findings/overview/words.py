"""The overview as plain sentences and tables; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from cst_core.evidence import (
    INTERVAL_METHODS,
    METHOD_LABELS,
    METHOD_TITLES,
    SETTINGS,
    DemographicParity,
    EvidenceSettings,
    Method,
)
from cst_core.explain import (
    MEANINGLESS,
    MEANINGLESS_WORDS,
    chance_cell,
    chance_numbers,
    listed,
    number,
    percent,
)
from cst_core.results import Summary
from cst_core.robustness import Placebo, PlaceboCounts
from cst_core.scenario import ModelPart
from dashboard.draft.document import Draft
from dashboard.shared.tables import TableCell, TableRow, numeric, share_cell, table
from dashboard.shared.verdict_words import coupling_columns


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
    negative = draft.names.negative
    against, k = settings.direction == "against", settings.n_neighbours
    case, who, rest = "A case", draft.names.complainants(test), draft.names.others(test)
    asked, one = draft.names.test(test), draft.names.pronouns(test)
    if asked.kind == "multiple":
        case = f"A case, by each of {listed(asked.attributes)} alone"
        who, rest = f"people in {one.his} group", f"people outside {one.his} group"
    elif asked.kind == "intersectional":
        who, rest = "people with the same protected values", "other people"
    elif rest == "everyone else":
        rest = "other people"
    if method == "CF":
        now, then = ("", " not") if against else (" not", "")
        own = f"{one.he} was"
        if isinstance(draft.decision_maker, ModelPart):
            own = f"by the model of the decisions, {one.he} was"
        return (
            f"{case}: {own}{now} {negative}, and as one of the {rest} {one.he} would{then} have "
            "been."
        )
    tau = settings.accepted_deviation
    points, beyond = f"{number(100 * abs(tau), 3)} points", ""
    if tau == 0 or (tau > 0) == against:
        compared = f"a {'larger' if against else 'smaller'} share was {negative} than"
        beyond = f", by more than {points}" if tau else ""
    else:
        side = "below" if against else "above"
        compared = f"the share {negative} was not {points} or more {side} that"
    there = one.him if method == "ST" else f"who {one.he} would have been"
    counted = ""
    if method == "CST_w":
        counted = f" {one.first.he} and {one.his} counterfactual are counted in."
    control, other = (f"{size:,} " for size in sizes or (k, k))
    if settings.balance_radii:
        if sizes is None:
            control = other = ""
        counted += (
            f" Neighbourhoods are balanced: the larger group gives k = {k:,}, the smaller one "
            "fewer, in proportion to its size."
        )
    return (
        f"{case}: of the {control}{who} most like {one.him}, {compared} of the {other}{rest} "
        f"most like {there}{beyond}.{counted}"
    )


def what_significant_means(
    draft: Draft, test: str, method: Method, settings: EvidenceSettings
) -> str:
    """Return when a case is called significant; for CF, that it depends on k, and why."""
    against = settings.direction == "against"
    side = "above" if against else "below"
    asked = draft.names.test(test)
    runs = len(asked.attributes) if asked.kind == "multiple" else 1
    shared = runs if settings.several == "bonferroni" else 1
    level = f"{number(100 * settings.significance_level / shared, 3)} %"
    each = f", by each of the {runs} attributes" if runs > 1 else ""
    tau = f"the accepted difference (τ = {number(settings.accepted_deviation, 3)})"
    if method != "CF":
        return (
            f"Significant: the interval of the difference in refusals (Δp) lies wholly {side} "
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
    method = INTERVAL_METHODS[settings.interval]
    if method.may_have_no_width:
        return (
            f"{meant}; with Wald's interval (the paper's) it can be far more often where groups "
            "are small, differ in size, or almost everyone in them was decided alike."
        )
    if method.never_errs_more:
        return f"{meant}."
    return f"{meant}; in small groups it can be a little more often."


def _stricter(settings: EvidenceSettings) -> str:
    """Return what else is asked of a significant case."""
    said = ""
    if settings.correction != "none":
        name = SETTINGS["correction"].words[settings.correction]
        said += f" As everyone is tested, the level is corrected for the number of tests ({name})."
    if settings.tie_robust:
        said += " Only verdicts count that hold however equally distant people are chosen."
    if settings.calibration != "none":
        said += (
            " And a difference like this must be as rare among worlds in which the label is dealt "
            "out at random, so that it means nothing (calibration)."
        )
    return said


def parity_sentence(draft: Draft, test: str, parity: DemographicParity) -> str:
    """Return the groups' acceptance rates, and whether Δp tends to their difference."""
    names, limit = draft.names, draft.settings.max_distance
    gap = (
        f"Over everyone, {percent(parity.accepted_protected, 1)} of {names.complainants(test)} "
        f"were {names.positive} and {percent(parity.accepted_reference, 1)} of "
        f"{names.others(test)}: a gap of {number(100 * parity.gap, 3)} points (demographic parity)."
    )
    if limit is None:
        return (
            f"{gap} If the groups took in everyone, Δp would be that gap, {number(parity.gap, 3)}; "
            "on the way there it may move away from it."
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
    *,
    chance: Placebo | None = None,
) -> str:
    """Return the paper's table: cases and significant cases by method and k.

    With `chance`, below every count how often a label without meaning gives as many.
    """
    dealt = {} if chance is None else _dealt(chance)
    rows: list[TableRow] = []
    for method, label in METHOD_TITLES.items():
        if method in unavailable:
            rows.append([label, TableCell(f"Not available: {unavailable[method]}", span=len(ks))])
            continue
        found = (
            share_cell(
                one.cases,
                n_protected,
                f"{one.significant:,} significant",
                here=(method, one.k) == chosen,
            )
            for one in cells[method]
        )
        rows.append([label, *found])
        if dealt:
            by_chance = (chance_cell(dealt.get((method, one.k))) for one in cells[method])
            rows.append([f"… {MEANINGLESS}", *by_chance])
    return table(
        ["Method", *(numeric(f"k = {k}") for k in ks)],
        rows,
        caption="Differences to examine, their share of the protected group, and those that are "
        "statistically significant" + (f". p: {MEANINGLESS_WORDS}" if dealt else ""),
        kind="cst-counts",
    )


def _dealt(chance: Placebo) -> dict[tuple[Method, int], PlaceboCounts]:
    return {(one.method, one.settings.n_neighbours): one for one in chance.counts}


def _chance_columns(counts: PlaceboCounts | None, *, asked: bool) -> dict[str, object]:
    """Return what chance gives beside a count, by the names in files; none where not asked."""
    if not asked:
        return {}
    known = {} if counts is None else chance_numbers(counts)
    return {
        f"by chance, {name}": known.get(name) for name in ("p", "answer", "times", "median", "most")
    }


def counts_frame(
    cells: Mapping[Method, Sequence[Summary]], n_protected: int, chance: Placebo | None = None
) -> pd.DataFrame:
    """Return the same table for a file: a row for each method and k."""
    dealt = {} if chance is None else _dealt(chance)
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
                **coupling_columns(summary),
                **_chance_columns(dealt.get((method, summary.k)), asked=bool(dealt)),
            }
            for method, found in cells.items()
            for summary in found
        ]
    )
