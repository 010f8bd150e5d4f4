"""The groups as plain sentences and tables; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from cst_core.data import as_text
from cst_core.evidence import EvidenceSettings, FloatArray, Method
from cst_core.explain import CentreSlice, Slice, count, number, percent, short
from cst_core.results import SingleResult
from cst_core.robustness import NEAR, WIDE
from dashboard.draft.document import Draft
from dashboard.pages.person.groups.cases import Described
from dashboard.pages.person.groups.figures import NAMES
from dashboard.shared.tables import Html, dot, numeric, table
from dashboard.shared.text import capital, markup

SLICE_LABELS: dict[Slice, str] = {
    "ST and CST w/o": "Found by ST and CST",
    "CST w/o only": "Found by CST only",
    "significant": "Significant",
    "not significant": "Not significant",
}
CENTRE_LABELS: dict[CentreSlice, str] = {
    "CST w/ and CF": "Found by CST w/ and CF",
    "CST w/ only": "Found by CST w/, not by CF",
    "CST w/ significant": "Significant by CST w/",
    "CST w/ not significant": "Not significant by CST w/",
}
SHORT_LABELS: dict[Slice, str] = {
    "ST and CST w/o": "ST and CST",
    "CST w/o only": "CST only",
    "significant": "significant",
    "not significant": "not\xa0significant",
}
LABELS: dict[str, str] = dict([*SLICE_LABELS.items(), *CENTRE_LABELS.items()])
ALL, CHOSEN = "all cases", "chosen"
KIND_LABELS: dict[str, str] = {
    ALL: "Any, at random",
    **{which: f"{label}, at random" for which, label in SLICE_LABELS.items()},
    CHOSEN: "People I name by their id",
}
FEW_CASES, FEW_PEOPLE = 5, 10
SHOWN = 6
"""Values of a nominal attribute that have a row of their own."""
GROUP_HEADS = (dot("a", "Control"), dot("r", "ST test"), dot("c", "CST test"))
MOST = 3
"""Values of a nominal attribute that are named in a cell."""


def legend_sentence(draft: Draft, test: str, sizes: tuple[int, int]) -> str:
    """Return what the three groups are; `sizes` are those of a control and of a test group."""
    control, k = sizes
    who, rest = draft.names.complainants(test), draft.names.others(test)
    rest = "other people" if rest == "everyone else" else rest
    return (
        f"For each case three groups: the {control} {who} most like the person (control group), "
        f"the {k} {rest} most like the person (test group of ST), and the {k} {rest} most "
        "like the counterfactual (test group of CST). A box holds the "
        "middle half of a group; the line in it is the median; the whiskers reach the lowest and "
        "the highest member. A dot marks the person, an open diamond the counterfactual."
    )


def states_sentence(run: SingleResult) -> str:
    """Return around what a CST test group stands where effects have levels; empty elsewhere."""
    if run.counterfactuals.states.mixture is None:
        return ""
    return (
        " Where the causal model leads to levels, the counterfactual is several states, each with "
        "a weight: the CST test group is made of the people around all of them, who fill its "
        "places by these weights, and the diamond marks the heaviest state. The distance of a "
        "person in it is that to the nearest state."
    )


def cases_sentence(method: Method) -> str:
    """Return which cases the page is about."""
    own = "" if method == "CST_wo" else ", whichever method is chosen above"
    return (
        "The cases are those of the counterfactual test with groups only (CST w/o), beside the "
        f"classical test (ST){own}. Cases of CST w/ and CF are summarised at the end."
    )


def distance_sentences(found: Described) -> list[str]:
    """Return how alike the people called similar are."""
    control, st, cst = (_mean(found.groups[group].mean_distance) for group in NAMES)
    drawn = len(found.people)
    cases = count(found.n, "case") if drawn == found.n else f"{drawn} of {found.n:,} cases"
    if np.isnan(control) or np.isnan(cst):
        return []
    sentences = [
        f"On average over {cases}, the control group is "
        f"{number(control, 3)} away from the person, the ST test group {number(st, 3)}, and the "
        f"CST test group {number(cst, 3)} away from the counterfactual. 0 is alike in every "
        "relevant attribute, 1 as different as anyone in the data."
    ]
    near, far = sorted((control, cst))
    if far >= max(WIDE * near, NEAR):
        which = "control" if control > cst else "CST test"
        times = "" if near < 1e-9 else f"{number(far / near, 2)} times "
        words = f"{times}as far away as" if times else "away while there is no distance at all to"
        other = "CST test" if which == "control" else "control"
        sentences.append(
            f"The {which} group is {words} the {other} group: its people are less alike, and a "
            "part of the difference in refusals may come from that alone."
        )
    return sentences


def group_warnings(slices: Mapping[Slice, Described], sizes: tuple[int, int]) -> list[str]:
    """Return what makes the averages weak; `sizes` as in `legend_sentence`."""
    found = []
    control, test = sizes
    if control == test < FEW_PEOPLE:
        found.append(
            f"Each group has only {count(test, 'person', 'people')}: a box says little then."
        )
    elif min(sizes) < FEW_PEOPLE:
        which = "control" if control < test else "test"
        found.append(
            f"Each {which} group has only {count(min(sizes), 'person', 'people')} (balanced "
            "neighbourhoods): a box says little then."
        )
    asked = f"k = {test}" if control == test else f"the {control} (control) or {test} (test) asked"
    for which, described in slices.items():
        label = SLICE_LABELS[which]
        if 0 < described.n < FEW_CASES:
            found.append(f"{label}: an average over {count(described.n, 'case')} only.")
        small = sum(
            int((members.size < (control if group == "control" else test) - 1e-6).sum())
            for group, members in described.groups.items()
        )
        if small:
            found.append(
                f"{label}: {count(small, 'group has', 'groups have')} fewer people than "
                f"{asked}, because there are not enough (or none near enough)."
            )
    return found


def sampled_sentence(slices: Mapping[Slice, Described]) -> str:
    """Return how many cases the averages rest on."""
    parts = [
        f"{SLICE_LABELS[which]}: {described.n:,}"
        + (
            f" ({len(described.people)} of them drawn)"
            if len(described.people) < described.n
            else ""
        )
        for which, described in slices.items()
    ]
    drawn = any(len(item.people) < item.n for item in slices.values())
    note = " The draw is fixed: the same settings give the same cases." if drawn else ""
    spread = " In the tables, ± is the spread within a group (standard deviation), averaged."
    return f"Cases averaged. {'; '.join(parts)}.{note}{spread}"


def summary_frame(described: Described) -> pd.DataFrame:
    """Return the paper's summary table of some cases: a row a statistic, a column a group."""
    columns = {}
    for group, members in described.groups.items():
        rows = {
            "negatives": _mean(members.negatives[members.size > 0]),
            "share of negatives": _mean(members.share),
            "mean distance": _mean(members.mean_distance),
        }
        for place, name in enumerate(described.names):
            rows[f"mean {name}"] = _mean(members.means[:, place])
            rows[f"spread {name}"] = _mean(members.spreads[:, place])
        for name, (levels, shares) in described.shares.items():
            for place, level in enumerate(levels):
                rows[f"share {name} = {level}"] = _mean(shares[group][:, place])
        columns[group] = rows
    return pd.DataFrame(columns)


def summary_table(draft: Draft, which: Slice | CentreSlice, described: Described) -> str:
    """Return the paper's summary table of one slice."""
    frame = summary_frame(described)
    said: Any = frame.loc
    negative = draft.names.negative
    drawn = len(described.people)
    of = f", {drawn} drawn" if drawn < described.n else ""
    caption = f"{LABELS[which]} ({count(described.n, 'case')}{of})"
    if not drawn:
        return (
            f'<div class="cst-slice"><b>{markup(caption)}</b>'
            '<p class="cst-muted">No such cases under these settings.</p></div>'
        )
    rows = [
        _row(f"{negative}, people", [number(value, 3) for value in said["negatives"]]),
        _row(f"{negative}, share", [_share(value) for value in said["share of negatives"]]),
        _row("Mean distance", [number(value, 3) for value in said["mean distance"]]),
    ]
    for name in described.names:
        means, spreads = frame.loc[f"mean {name}"], frame.loc[f"spread {name}"]
        cells = [
            f"{number(mean)} ± {number(spread if spread > 1e-9 * abs(mean) else 0.0, 2)}"
            for mean, spread in zip(means, spreads, strict=True)
        ]
        rows.append(_row(short(draft.names.label(name), 40), cells))
    for name, (levels, _) in described.shares.items():
        label = short(draft.names.label(name), 40)
        found = frame.loc[[f"share {name} = {level}" for level in levels]].to_numpy()
        for level, values in zip(levels[:SHOWN], found, strict=False):
            rows.append(_row(f"{label}: {short(level, 40)}", [_share(value) for value in values]))
        if len(levels) > SHOWN:
            rest = [_share(value) for value in found[SHOWN:].sum(axis=0)]
            rows.append(_row(f"{label}: {count(len(levels) - SHOWN, 'rarer value')}", rest))
    title = Html(f"<b>{markup(caption)}</b>")
    return table(["", *map(numeric, GROUP_HEADS)], rows, caption=title, kind="cst-slice")


def slices_frame(
    slices: Mapping[Slice, Described] | Mapping[CentreSlice, Described],
) -> pd.DataFrame:
    """Return all summary tables for a file."""
    rows = []
    for which, described in slices.items():
        frame = summary_frame(described)
        for group in described.groups:
            rows.append(
                {
                    "cases": LABELS[which],
                    "number of cases": described.n,
                    "averaged": len(described.people),
                    "group": NAMES[group],
                    **frame[group].to_dict(),
                }
            )
    return pd.DataFrame(rows)


def cases_frame(
    run: SingleResult, described: Described, settings: EvidenceSettings
) -> pd.DataFrame:
    """Return a row for each of a handful of cases."""
    evidence = run.evidence("CST_wo", settings)
    classical = run.evidence("ST", settings)
    places = run.index.get_indexer(described.people)
    words = evidence.verdicts()
    table: dict[str, object] = {
        "id": [as_text(person) for person in described.people],
        "verdict, CST w/o": [words[place] for place in places],
        "Δp, CST w/o": _known(evidence.delta, evidence.has_evidence)[places],
        "Δp, ST": _known(classical.delta, classical.has_evidence)[places],
    }
    for group, found in described.groups.items():
        table[f"{NAMES[group]}: people"] = found.size
        table[f"{NAMES[group]}: share of negatives"] = found.share
        table[f"{NAMES[group]}: mean distance"] = found.mean_distance
    return pd.DataFrame(table)


def cases_table(draft: Draft, frame: pd.DataFrame) -> str:
    """Return the handful of cases as a table."""
    negative = draft.names.negative
    rows = []
    for row in frame.to_dict("records"):
        cells = [
            Html(
                f"{_share(row[f'{NAMES[group]}: share of negatives'])}<br>"
                f'<span class="cst-muted">{number(row[f"{NAMES[group]}: mean distance"], 3)} away'
                "</span>"
            )
            for group in NAMES
        ]
        delta = row["Δp, CST w/o"]
        said = "–" if np.isnan(delta) else number(delta, 3)
        rows.append([short(row["id"], 40), row["verdict, CST w/o"], said, *cells])
    return table(
        ["Id", "Verdict (CST w/o)", *map(numeric, ("Difference (Δp)", *GROUP_HEADS))],
        rows,
        caption=f"Share {negative} in each group, and how far its people are on average",
        kind="cst-cases",
    )


def nominal_table(draft: Draft, described: Described, column: str) -> str:
    """Return which part of each case's groups has which value of a nominal attribute."""
    levels, shares = described.shares[column]
    rows = (
        [short(as_text(person), 40), *(_largest(levels, shares[one][place]) for one in NAMES)]
        for place, person in enumerate(described.people)
    )
    label = markup(short(draft.names.label(column), 60))
    caption = Html(f"<b>{label}</b>: the most frequent values in each group")
    return table(["Id", *GROUP_HEADS], rows, caption=caption, kind="cst-cases")


def _largest(levels: tuple[str, ...], shares: FloatArray) -> str:
    """Return the values that most of a group have, the largest share first."""
    if np.isnan(shares).any():
        return "nobody there"
    order = [place for place in np.argsort(-shares, kind="stable")[:MOST] if shares[place] > 0]
    said = ", ".join(f"{short(levels[place], 30)} {percent(shares[place])}" for place in order)
    left = 1 - float(shares[order].sum())
    return f"{said}, other {percent(left)}" if left > 1e-9 else said


def _row(head: str, cells: list[str]) -> list[str]:
    return [capital(head), *cells]


def _share(value: float) -> str:
    return "nobody there" if np.isnan(value) else percent(value, 1)


def _mean(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _known(values: FloatArray, known: np.ndarray) -> FloatArray:
    return np.where(known, values, np.nan)
