"""Her page, section by section."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cst_core.data import as_text
from cst_core.evidence import over_k_note
from cst_core.explain import (
    CaseNames,
    GroupMembers,
    PersonCase,
    Side,
    bound_words,
    court_sentence,
    group_titles,
    headline_lines,
    her_cautions,
    her_chance_sentence,
    likeness_sentence,
    number_of_people,
    of_100,
    percent,
    selected_words,
    share,
    short,
    ties_sentence,
    why_they_differ,
)
from cst_core.results import Result
from dashboard.draft.document import Draft
from dashboard.frame.exports import chart, table_downloads
from dashboard.pages.person import figures
from dashboard.pages.person.arithmetic import arithmetic_html, score_html
from dashboard.pages.person.dots import DOTS, dots
from dashboard.pages.person.states import state_groups_html, states_html
from dashboard.pages.person.tables import verdicts_html, who_html
from dashboard.session import chance
from dashboard.shared.choice import Choice
from dashboard.shared.figure import Figure
from dashboard.shared.glossary import explained
from dashboard.shared.screen import bullets, muted
from dashboard.shared.tables import table
from dashboard.shared.text import markdown, markup

BOX_WORDS = (
    "Box: the middle half of the group; thick line: its middle (median); whiskers: the smallest "
    "and the largest. Circle and full line: the person. Diamond and broken line: the "
    "counterfactual."
)
SHARES_WORDS = " Numbers of 100 are shown to four digits, what comes of them to three."


def headline_html(draft: Draft, case: PersonCase, worlds: str = "") -> str:
    """Return the three lines: the finding, her own decision, how firm; and what else is against it.

    `worlds` is what the other causal models say of her, where that is known.
    """
    (_, first), *rest = headline_lines(draft.names, case, worlds)
    return f'<p class="cst-headline">{explained(first)}</p>' + "".join(
        f'<p class="{"cst-against" if mark else "cst-beside"}">{mark and f"<b>{mark}</b> "}'
        f"{explained(line)}</p>"
        for mark, line in rest
    )


def chance_objection(
    draft: Draft, choice: Choice, found: Result, case: PersonCase, *, is_significant: bool
) -> str:
    """Return what chance says against findings like hers, where that is known; else "".

    `is_significant`: she is a significant case of the whole test.
    """
    known = chance.known_chance(draft, choice, found) if case.finding.is_significant else None
    if known is None or choice.settings.calibration != "none":
        return ""
    return her_chance_sentence(known, choice.method, choice.k, is_significant=is_significant)


def verdict_section(draft: Draft, choice: Choice, case: PersonCase, by_chance: str) -> None:
    """Show the result with what chance says against it, and Δp on its line."""
    st.html(headline_html(draft, case))
    if by_chance:
        st.html(f'<p class="cst-against"><b>Against it:</b> {markup(by_chance)}</p>')
    if case.finding.has_evidence:
        chart(figures.delta_figure(case.finding, case.settings), "her-difference", draft, choice)
    muted(bound_words(case.finding, case))
    for more in (selected_words(case.finding, case), court_sentence(case.finding)):
        if more:
            muted(more)


def who_section(draft: Draft, case: PersonCase) -> None:
    """Show who she is and who she would have been, with the arithmetic."""
    who = draft.names.pronouns(case.whole)
    st.subheader(f"Who {who.he} is, and who {who.he} would have been")
    st.html(who_html(draft, case))
    if case.many is not None:
        st.html(states_html(draft, case))
    with st.container(key="complainant-arithmetic"):
        st.markdown(f"**How {who.his} counterfactual was computed**")
        st.html(arithmetic_html(draft, case))
        if case.score is not None:
            st.markdown("**The decision rule, applied to both**")
            st.html(score_html(draft, case))
        st.caption(
            "Names in square brackets are 1 for people of that group and 0 for the others. Numbers "
            "are shown to seven digits; the program computes with all of them."
            + (SHARES_WORDS if case.states is not None else "")
        )


def groups_html(draft: Draft, case: PersonCase) -> str:
    """Return both groups as marks to count, side by side."""
    words = draft.names.negative, draft.names.positive
    parts = []
    for name, title, group, refused in _both(draft, case):
        size = group.size + (refused is not None)
        negative = group.refused + (refused or 0.0)
        said = (
            f"<b>{number_of_people(negative)} of {number_of_people(size)} {markup(words[0])}</b> "
            f"({share(negative / size)})"
            if size
            else "Nobody"
        )
        tied = ties_sentence(group, " (small marks)" if len(group) <= DOTS else "")
        alike = likeness_sentence(draft.names, case, name)
        shared = "".join(
            f'<p class="cst-muted">{markup(said)}</p>' for said in (alike, tied) if said
        )
        own = ""
        if refused is not None:
            one = draft.names.pronouns(case.whole).first
            who = f"{one.he} is" if name == "control" else f"{one.his} counterfactual is"
            if name == "test" and case.many is not None:
                who = f"{one.his} counterfactual states, by their weights, are"
            mark = " (the mark with a ring)" if len(group) <= DOTS else ""
            own = f'<p class="cst-muted">{markup(who)} counted in{mark}.</p>'
        parts.append(
            f"<div><h4>{markup(title)}</h4><p>{said}</p>"
            f"{dots(group, words, refused)}"
            f"{shared}{own}</div>"
        )
    key = (
        f'<p class="cst-muted cst-key"><i class="x"></i> {markup(words[0])} '
        f'<i class="o"></i> {markup(words[1])}</p>'
    )
    return f'<div class="cst-groups">{"".join(parts)}</div>{key}'


def _both(draft: Draft, case: PersonCase) -> list[tuple[Side, str, GroupMembers, float | None]]:
    """Return the groups with their titles, and how much of the centre was refused if it counts."""
    titles = group_titles(draft.names, case)
    own = {"control": float(case.centre_refused), "test": case.share_there}
    return [
        (side, titles[side], group, own[side] if case.with_centres else None)
        for side, group in case.groups.items()
    ]


def groups_section(draft: Draft, choice: Choice, case: PersonCase) -> None:
    """Show both groups: marks to count, attributes, and everyone in them."""
    st.subheader(f"The people {draft.names.pronouns(case.whole).he} is compared with")
    st.html(groups_html(draft, case))
    if around := state_groups_html(draft, case):
        st.html(around)
    drawn = box_figures(draft, case)
    places = st.columns(2 if len(drawn) > 1 else 1)
    for place, (column, figure) in enumerate(drawn.items()):
        with places[place % len(places)]:
            chart(figure, f"her-box-{column}", draft, choice)
    if drawn:
        st.caption(BOX_WORDS)
    tables = nominal_html(draft, case)
    if tables:
        st.html(tables)
    for name, title, group, _ in _both(draft, case):
        people = st.expander(
            f"{markdown(title)}: everyone, one by one", on_change="rerun", key=f"open-{name}"
        )
        if not people.open:
            continue
        with people:
            table = members_frame(draft, case, group)
            st.dataframe(table, hide_index=True, height=300, key=f"members-{name}")
            stem = f"{case.person} {name}"
            table_downloads(table, short(stem, 31), draft, choice)


def box_figures(draft: Draft, case: PersonCase) -> dict[str, Figure]:
    """Return each relevant attribute that has an order, in both groups."""
    if not len(case.control) or not len(case.test):
        return {}
    who = draft.names.pronouns(case.whole)
    other = "counterfactual" if case.many is None else "likeliest counterfactual"
    return {
        attribute.column: figures.box_figure(
            draft.names.label(attribute.column),
            case.boxes[attribute.column],
            case.on_scale(attribute.column),
            [str(value) for value in attribute.order or ()],
            marked=(who.he, f"{who.his} {other}"),
        )
        for attribute in case.run.dataset.roles.relevant
        if attribute.kind != "nominal"
    }


def nominal_html(draft: Draft, case: PersonCase, most: int | None = None) -> str:
    """Return the shares of relevant attributes whose names have no order, or of so many."""
    if not len(case.control) or not len(case.test):
        return ""
    relevant = case.run.dataset.roles.relevant
    return "".join(
        _nominal(draft.names, case, attribute.column)
        for attribute in [one for one in relevant if one.kind == "nominal"][:most]
    )


def _nominal(names: CaseNames, case: PersonCase, column: str) -> str:
    who, label = names.pronouns(case.whole), names.label(column)
    other = f"{who.his} counterfactual"
    shares = pd.DataFrame(case.shares[column]).fillna(0.0)
    shares = shares.loc[shares.sum(axis=1).sort_values(ascending=False, kind="stable").index[:6]]
    own = {as_text(case.here[column]): who.he, as_text(case.there[column]): other}
    if case.many is not None:
        shares_there = case.many.shares(column)
        own = {as_text(value): f"{other} in {of_100(part)}" for value, part in shares_there.items()}
        mine = as_text(case.here[column])
        own[mine] = " and ".join([who.he, *([own[mine]] if mine in own else [])])
    elif as_text(case.here[column]) == as_text(case.there[column]):
        own = {as_text(case.here[column]): f"{who.he} and {other}"}
    rows = (
        [short(value, 40), percent(a, 1), percent(b, 1), own.get(value, "")]
        for value, a, b in shares.itertuples()
    )
    return table([short(label, 60), "Control group", "Test group", ""], rows)


def members_frame(draft: Draft, case: PersonCase, group: GroupMembers) -> pd.DataFrame:
    """Return the people of a group, nearest first, with their attributes."""
    negative, positive = draft.names.negative, draft.names.positive
    members = case.run.dataset.frame.iloc[group.rows]
    own = {
        "Person": list(group.ids),
        "Distance": group.distances,
        "Part of a place": group.weights,
        "Decision": [negative if refused else positive for refused in group.negative],
    }
    for column in draft.relevant_columns:
        name = draft.names.label(column)
        own[name if name not in own else f"{name} (attribute)"] = members[column].to_numpy()
    return pd.DataFrame(own)


def methods_section(draft: Draft, choice: Choice, case: PersonCase) -> None:
    """Show every method's verdict, why they differ, and Δp against k."""
    st.subheader("By all four methods")
    st.html(verdicts_html(draft, case, case.run.unavailable))
    bullets(why_they_differ(draft.names, case, case.run.unavailable))
    st.markdown("**The difference (Δp) against k, the number of people in each group**")
    chart(figures.curve_figure(case.curve, choice.k), "her-curve", draft, choice)
    note = over_k_note(choice.settings)
    if note:
        st.caption(markdown(note))
    notes = her_cautions(draft.names, case)
    if notes:
        st.subheader("Read with care")
        bullets(notes)
