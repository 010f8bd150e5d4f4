"""Finding a person: search, table, histogram, previous and next, bookmarks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from cst_core.data import ids_of
from cst_core.evidence import Method
from cst_core.explain import (
    Complainants,
    Filter,
    Order,
    count,
    judge_everyone,
    number,
    short,
)
from cst_core.results import Result
from cst_core.similarity import IntArray
from dashboard.draft.document import BookmarkPart, Draft
from dashboard.frame.plots import show_figure
from dashboard.pages.person.people_table import SHOWN, people_table
from dashboard.session import computing, editing, results
from dashboard.session.caches import Cache
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.evidence_figures import BINS, delta_histogram
from dashboard.shared.text import markdown

PARAMETER = "person"
_HERE, _WRITTEN, _READ, _SPAN, _BARS, _TURN, _OPEN, _AGAIN = (
    f"complainant-{name}"
    for name in ("here", "written", "read", "span", "bars", "turn", "open", "again")
)
NOTE_LENGTH = 500
FILTERS: dict[Filter, str] = {
    "cases": "Cases only",
    "significant": "Significant only",
    "turns": "Own decision turns",
    "refused": "Own decision negative",
    "bookmarked": "Bookmarked",
    "differ": "Methods disagree",
}
ORDERS: dict[Order, str] = {
    "strongest": "Strongest evidence first",
    "largest": "Δp, largest first",
    "smallest": "Δp, smallest first",
    "surest": "Bound, strongest first",
    "table": "As in the data",
    "id": "By id",
}
STRONGEST = (
    "Strongest evidence first: significant findings; among them those whose own decision turns; "
    "then those whose interval has a width; then by the bound."
)
_IDS: Cache[npt.NDArray[np.object_]] = Cache(6)
_EVERYONE: Cache[Complainants] = Cache(6)


def everyone_of(draft: Draft, choice: Choice, found: Result) -> Complainants:
    """Return everyone's evidence under the settings of the page."""
    key = results.key_of(draft, choice.test)
    ids = _IDS.once(key, lambda: ids_of(found.index))
    return _EVERYONE.once(
        f"{key} {choice.settings}", lambda: judge_everyone(found, choice.settings, ids)
    )


def bar_range(middle: float) -> tuple[float, float]:
    """Return the differences that a bar of the histogram stands for."""
    edges = np.linspace(-1, 1, BINS + 1)
    place = int(np.clip(np.searchsorted(edges, middle) - 1, 0, BINS - 1))
    return float(edges[place]), float(edges[place + 1])


def choose(person: str) -> None:
    """Show a person, and put her into the address; also for other pages that lead to her."""
    workspace = session().workspace
    st.session_state[_HERE] = (workspace.id if workspace else "", person)
    if st.query_params.get(PARAMETER) != person:
        st.query_params[PARAMETER] = person
        st.session_state.setdefault(_WRITTEN, []).append(person)


def asked_for() -> str:
    """Return the person that the address names, or whom this tab last looked at.

    A browser may send an address from before the last choice. While what was written into it has
    not come back, an address that was read before, or that was written on the way, is not
    followed. Any other is: a link, or the browser's Back.
    """
    named = st.query_params.get(PARAMETER, "")
    written: list[str] = st.session_state.setdefault(_WRITTEN, [])
    workspace = session().workspace
    before = st.session_state.get(_HERE)
    if before is not None and workspace is not None and before[0] == workspace.id:
        is_old = bool(written) and named in (*written, st.session_state.get(_READ))
        if named in written:
            del written[: written.index(named) + 1]
        if not named or (is_old and named != before[1]):
            named = before[1]
        else:
            written.clear()
    st.session_state[_READ] = st.query_params.get(PARAMETER, "")
    if named:
        choose(named)
    return named


def finder(
    draft: Draft, choice: Choice, found: Result, method: Method
) -> tuple[Complainants, int | None]:
    """Show the ways to a person; return everyone, and her place among them."""
    if st.session_state.pop(_AGAIN, False):  # what stands around the page must be drawn anew
        st.rerun(scope="app")
    everyone = everyone_of(draft, choice, found)
    named = asked_for()
    place = everyone.place_of(named) if named else None
    if _OPEN not in st.session_state:
        st.session_state[_OPEN] = place is None
    where = st.expander(
        "Find a person",
        expanded=st.session_state[_OPEN],
        icon=":material/person_search:",
        on_change="rerun",
        key="open-finder",
    )
    with where:
        order = _ways(draft, choice, everyone, method, place, is_open=bool(where.open))
    if named and place is None:
        st.warning(markdown(_not_there(draft, choice, named)), icon=":material/person_off:")
    if len(order):
        _steps(everyone, order, place)
    return everyone, place


def _not_there(draft: Draft, choice: Choice, named: str) -> str:
    who = draft.names.complainants(choice.test)
    index = computing.dataset(draft).index
    shown = short(named, 80)
    if (index.astype(str) == named).any():
        return f"The person “{shown}” is in the data, but not one of the {who}: no case to show."
    return f"Nobody in the data has the id “{shown}”. Search, or choose somebody from the table."


def _ways(
    draft: Draft,
    choice: Choice,
    everyone: Complainants,
    method: Method,
    place: int | None,
    *,
    is_open: bool,
) -> IntArray:
    here = session()
    first = st.columns([1.3, 2.6, 1.1], vertical_alignment="bottom")
    typed = first[0].text_input(
        "Search by id",
        key="complainant-search",
        placeholder="all of it, or a part",
        on_change=_search,
        args=(everyone,),
    )
    filters = first[1].pills(
        "Show only",
        list(FILTERS),
        selection_mode="multi",
        format_func=FILTERS.__getitem__,
        wrap=True,
        key="complainant-filters",
    )
    order = first[2].selectbox(
        "Order", list(ORDERS), format_func=ORDERS.__getitem__, key="complainant-order"
    )
    marks = {item.person: item for item in draft.bookmarks if item.test == choice.test}
    span = st.session_state.get(_SPAN)
    keep = everyone.chosen(method, filters or (), bookmarked=marks.keys(), span=span)
    part = (typed or "").strip()
    if part and everyone.place_of(part) is None:
        keep &= everyone.containing(part)
    ordered = everyone.ordered(keep, method, order)
    if not is_open:  # the fields above must stay, or they forget what they hold
        return ordered
    with st.container(key="complainant-people"):  # one above the other where there is little room
        table, chart = st.columns([2, 1])
    with table:
        if len(ordered):
            people_table(
                draft,
                everyone,
                method,
                ordered=ordered,
                marks=marks,
                place=place,
                turn=st.session_state.get(_TURN, 0),
                choose=_open,
            )
        else:
            with st.container(height=280, border=True):
                st.markdown("**Nobody matches.** Take a filter away, or search for another id.")
        st.caption(_how_many(draft, choice, everyone, ordered, span))
        if order == "strongest":
            st.caption(STRONGEST)
    with chart:
        bars = st.session_state.get(_BARS, 0)
        _histogram(everyone, method, here.key(f"complainant-bars-{bars}"))
    return ordered


def _how_many(
    draft: Draft,
    choice: Choice,
    everyone: Complainants,
    ordered: IntArray,
    span: Any,
) -> str:
    who = markdown(draft.names.complainants(choice.test))
    said = f"{len(ordered):,} of {len(everyone):,} {who}"
    if span:
        said += f" with Δp from {number(span[0], 2)} to {number(span[1], 2)}"
    if len(ordered) > SHOWN:
        said += f"; the first {SHOWN} are shown. Filter or search for the others"
    return f"{said}. Click a row to open its person."


def _open(person: str) -> None:
    """Show a person, and let the table make room for her case."""
    choose(person)
    st.session_state["open-finder"] = st.session_state[_OPEN] = False


def _search(everyone: Complainants) -> None:
    typed = (st.session_state.get("complainant-search") or "").strip()
    if typed and everyone.place_of(typed) is not None:
        _open(typed)
        _turn()
    elif typed:
        st.session_state["open-finder"] = st.session_state[_OPEN] = True


def _turn() -> None:
    """Let the table take its marked row anew."""
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1


def _histogram(everyone: Complainants, method: Method, key: str) -> None:
    alt = "The distribution of Δp; pick a bar to see its people"
    figure = delta_histogram(everyone.evidence[method], alt)

    def pick() -> None:
        points = st.session_state[key]["selection"]["points"]
        if not points:
            st.session_state.pop(_SPAN, None)
            return
        ends = [bar_range(float(point["x"])) for point in points]
        st.session_state[_SPAN] = (min(low for low, _ in ends), max(high for _, high in ends))

    show_figure(
        figure,
        key=key,
        on_select=pick,
        selection_mode=("points", "box"),
        config={"displayModeBar": False},
    )
    if _SPAN in st.session_state:
        st.button(
            "Show every Δp again",
            icon=":material/close:",
            on_click=_whole,
        )
    else:
        st.caption("Pick a bar to see its people in the table. People with Δp = 0 are not drawn.")


def _whole() -> None:
    """Take the range away, and the mark on the chart with it."""
    st.session_state.pop(_SPAN, None)
    st.session_state[_BARS] = st.session_state.get(_BARS, 0) + 1


def _steps(everyone: Complainants, order: IntArray, place: int | None) -> None:
    """Offer the previous and the next person in the table's order."""
    where = np.flatnonzero(order == place) if place is not None else np.empty(0, dtype=int)
    now = int(where[0]) if len(where) else None

    def to(target: int) -> None:
        choose(str(everyone.ids[order[target]]))
        _turn()

    with st.container(key="complainant-steps", horizontal=True, vertical_alignment="center"):
        if now is None:
            st.button(
                "Show the first in the table", icon=":material/first_page:", on_click=to, args=(0,)
            )
            return
        st.button(
            "Previous",
            icon=":material/chevron_left:",
            disabled=now == 0,
            on_click=to,
            args=(now - 1,),
        )
        st.button(
            "Next",
            icon=":material/chevron_right:",
            disabled=now == len(order) - 1,
            on_click=to,
            args=(now + 1,),
        )
        st.markdown(f"{now + 1:,} of {count(len(order), 'person', 'people')} in the table")


def bookmark(draft: Draft, choice: Choice, person: str) -> None:
    """Show whether she is bookmarked, and let that and the note be changed."""
    here = session()
    mine = next(
        (item for item in draft.bookmarks if (item.test, item.person) == (choice.test, person)),
        None,
    )
    with st.popover(
        "Bookmarked" if mine else "Bookmark",
        icon=":material/bookmark:" if mine else ":material/bookmark_add:",
    ):
        key = here.key(f"complainant-note-{choice.test}-{person}")
        st.text_input(
            "Note (optional)", value=mine.note if mine else "", key=key, max_chars=NOTE_LENGTH
        )
        st.button(
            "Save the note" if mine else "Bookmark this person",
            type="primary",
            on_click=_save,
            args=(choice.test, person, key),
        )
        if mine:
            st.button("Remove the bookmark", on_click=_save, args=(choice.test, person, None))


def _save(test: str, person: str, key: str | None) -> None:
    draft = session().draft
    others = [item for item in draft.bookmarks if (item.test, item.person) != (test, person)]
    if key is None:
        said = f"Removed the bookmark of {short(person, 60)}"
    else:
        note = (st.session_state.get(key) or "").strip()
        others.append(BookmarkPart(test=test, person=person, note=note))
        said = f"Bookmarked {short(person, 60)}"
    editing.edit(draft.model_copy(update={"bookmarks": tuple(others)}), said)
    st.session_state[_AGAIN] = True
