"""Her page, section by section."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.complainant import figures, plots
from dashboard.complainant.arithmetic import arithmetic_html, score_html
from dashboard.complainant.case import Case, Group
from dashboard.complainant.numbers import number_of_people, share
from dashboard.complainant.significance import bound_words
from dashboard.complainant.svg import picture
from dashboard.complainant.tables import verdicts_html, who_html
from dashboard.complainant.wording import (
    headline,
    her_cautions,
    the_others,
    ties_sentence,
    why_they_differ,
)
from dashboard.draft.document import Draft
from dashboard.evidence.exports import chart, table_downloads
from dashboard.evidence.results import Choice
from dashboard.evidence.wording import complainants, outcome_words
from dashboard.style import Palette, palette
from dashboard.text import markdown, markup, percent, short
from dashboard.wording import node_label

LINE_WORDS = "Δp and its one-sided interval against the accepted difference τ"
BOX_WORDS = (
    "Box: the middle half of the group; thick line: its middle (median); whiskers: the smallest "
    "and the largest. Circle and full line: she. Diamond and broken line: her counterfactual."
)


def verdict_section(draft: Draft, choice: Choice, case: Case) -> None:
    """Show the result, and Δp on its line."""
    st.html(f'<p class="cst-headline">{markup(headline(draft, case))}</p>')
    if case.finding.has_evidence:
        tau, against = case.settings.accepted_deviation, case.settings.direction == "against"
        chart(
            plots.delta_plot(case.finding, tau, palette(), against=against),
            "her-difference",
            LINE_WORDS,
            draft,
            choice,
        )
    st.html(f'<p class="cst-muted">{markup(bound_words(case.finding, case))}</p>')


def line_html(case: Case, colours: Palette) -> str:
    """Return Δp on its line; nothing when there is no evidence."""
    if not case.finding.has_evidence:
        return ""
    tau, against = case.settings.accepted_deviation, case.settings.direction == "against"
    line = figures.delta_line(case.finding, tau, colours, against=against)
    return picture(line, LINE_WORDS)


def who_section(draft: Draft, case: Case) -> None:
    """Show who she is and who she would have been, with the arithmetic."""
    st.subheader("Who she is, and who she would have been")
    st.html(who_html(draft, case))
    with st.container(key="complainant-arithmetic"):
        st.markdown("**How her counterfactual was computed**")
        st.html(arithmetic_html(draft, case))
        if case.score is not None:
            st.markdown("**The decision rule, applied to both**")
            st.html(score_html(draft, case))
        st.caption(
            "Names in square brackets are 1 for people of that group and 0 for the others. Numbers "
            "are shown to seven digits; the program computes with all of them."
        )


def groups_html(draft: Draft, case: Case) -> str:
    """Return both groups as marks to count, side by side."""
    words = outcome_words(draft)
    parts = []
    for name, title, group, refused in _both(draft, case):
        size = group.size + (refused is not None)
        negative = group.refused + bool(refused)
        said = (
            f"<b>{number_of_people(negative)} of {number_of_people(size)} {markup(words[0])}</b> "
            f"({share(negative / size)})"
            if size
            else "Nobody"
        )
        tied = ties_sentence(case, name)
        shared = f'<p class="cst-muted">{markup(tied)}</p>' if tied else ""
        own = ""
        if refused is not None:
            who = "She is" if name == "control" else "Her counterfactual is"
            mark = " (the mark with a ring)" if len(group) <= figures.DOTS else ""
            own = f'<p class="cst-muted">{who} counted in{mark}.</p>'
        parts.append(
            f"<div><h4>{markup(title)}</h4><p>{said}</p>"
            f"{figures.dots(group, words, refused)}"
            f"{shared}{own}</div>"
        )
    key = (
        f'<p class="cst-muted cst-key"><i class="x"></i> {markup(words[0])} '
        f'<i class="o"></i> {markup(words[1])}</p>'
    )
    return f'<div class="cst-groups">{"".join(parts)}</div>{key}'


def _both(draft: Draft, case: Case) -> list[tuple[str, str, Group, bool | None]]:
    test = case.run.name
    centre = "her" if case.method == "ST" else "her counterfactual"
    counted = case.with_centres
    return [
        (
            "control",
            f"Control group: {complainants(draft, test)} most like her",
            case.control,
            case.refused if counted else None,
        ),
        (
            "test",
            f"Test group: {the_others(draft, test)} most like {centre}",
            case.test,
            case.refused_there if counted else None,
        ),
    ]


def groups_section(draft: Draft, choice: Choice, case: Case) -> None:
    """Show both groups: marks to count, attributes, and everyone in them."""
    st.subheader("The people she is compared with")
    st.html(groups_html(draft, case))
    _boxes(draft, choice, case)
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


def _boxes(draft: Draft, choice: Choice, case: Case) -> None:
    """Show each relevant attribute in both groups: a chart, or shares where names have no order."""
    if not len(case.control) or not len(case.test):
        return
    drawn, named = [], []
    for attribute in case.run.dataset.roles.relevant:
        (named if attribute.kind == "nominal" else drawn).append(attribute)
    places = st.columns(2 if len(drawn) > 1 else 1)
    for place, attribute in enumerate(drawn):
        column, label = attribute.column, node_label(draft, attribute.column)
        names = [short(value, 20) for value in attribute.order or ()]
        figure = plots.box_plot(
            label, case.boxes(column), case.on_scale(column), palette(),
            (lambda value, names=names: names[int(value)]) if names else None,
        )  # fmt: skip
        words = f"{label} in the control and the test group, with her and her counterfactual"
        with places[place % len(places)]:
            chart(figure, f"her-box-{column}", words, draft, choice)
    if drawn:
        st.caption(BOX_WORDS)
    tables = [_nominal(case, item.column, node_label(draft, item.column)) for item in named]
    if tables:
        st.html("".join(tables))


def boxes_html(draft: Draft, case: Case, colours: Palette, most: int | None = None) -> str:
    """Return each relevant attribute in both groups, or so many, with both centres marked."""
    if not len(case.control) or not len(case.test):
        return ""
    pictures, tables = [], []
    for attribute in case.run.dataset.roles.relevant[:most]:
        label = node_label(draft, attribute.column)
        if attribute.kind == "nominal":
            tables.append(_nominal(case, attribute.column, label))
            continue
        boxes = case.boxes(attribute.column)
        marks = case.on_scale(attribute.column)
        words = f"{label} in the control and the test group, with her and her counterfactual"
        if attribute.order is None:
            svg = figures.box_picture(label, boxes, marks, colours)
        else:
            names = [short(value, 20) for value in attribute.order]
            svg = figures.box_picture(
                label, boxes, marks, colours, lambda value, names=names: names[int(value)]
            )
        pictures.append(picture(svg, words))
    drawn = (
        f'<div class="cst-boxes">{"".join(pictures)}</div><p class="cst-muted">{BOX_WORDS}</p>'
        if pictures
        else ""
    )
    return drawn + "".join(tables)


def _nominal(case: Case, column: str, label: str) -> str:
    cells = case.run.dataset.frame[column]
    shares = []
    for group in (case.control, case.test):
        weights = pd.Series(group.weights, index=cells.iloc[group.rows].map(str))
        shares.append(weights.groupby(level=0).sum() / group.size)
    table = pd.concat(shares, axis=1).fillna(0.0)
    table = table.loc[table.sum(axis=1).sort_values(ascending=False).index[:6]]
    own = {str(case.here[column]): "she", str(case.there[column]): "her counterfactual"}
    if str(case.here[column]) == str(case.there[column]):
        own = {str(case.here[column]): "she and her counterfactual"}
    rows = "".join(
        f'<tr><th scope="row">{markup(short(value, 40))}</th><td>{percent(a, 1)}</td>'
        f"<td>{percent(b, 1)}</td><td>{own.get(str(value), '')}</td></tr>"
        for value, a, b in table.itertuples()
    )
    return (
        f'<table class="cst-table"><thead><tr><th scope="col">{markup(short(label, 60))}</th>'
        f"<th>Control group</th><th>Test group</th><th></th></tr></thead><tbody>{rows}</tbody>"
        "</table>"
    )


def members_frame(draft: Draft, case: Case, group: Group) -> pd.DataFrame:
    """Return the people of a group, nearest first, with their attributes."""
    negative, positive = outcome_words(draft)
    members = case.run.dataset.frame.iloc[group.rows]
    own = {
        "Person": list(group.ids),
        "Distance": group.distances,
        "Part of a place": group.weights,
        "Decision": [negative if refused else positive for refused in group.negative],
    }
    for column in draft.relevant_columns:
        name = node_label(draft, column)
        own[name if name not in own else f"{name} (attribute)"] = members[column].to_numpy()
    return pd.DataFrame(own)


def methods_section(draft: Draft, choice: Choice, case: Case) -> None:
    """Show every method's verdict, why they differ, and Δp against k."""
    st.subheader("By all four methods")
    st.html(verdicts_html(draft, case, case.run.unavailable))
    for sentence in why_they_differ(draft, case, case.run.unavailable):
        st.markdown(f"- {markdown(sentence)}")
    st.markdown("**Her difference (Δp) against k, the number of people in each group**")
    chart(
        figures.curve_figure(case.curve, choice.k, palette()),
        "her-curve",
        "The difference in refusal rates for this person against k, with its bound",
        draft,
        choice,
    )
    notes = her_cautions(draft, case)
    if notes:
        st.subheader("Read with care")
        for note in notes:
            st.markdown(f"- {markdown(note)}")
