"""The settings of the evidence, in one place on every evidence page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from cst_core.evidence.verdicts import METHOD_NAMES
from dashboard import state
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE, Choice
from dashboard.forms.link import ALPHA, IN_SETTINGS, IN_VIEW, SELDOM, TAU, read_link, seldom
from dashboard.forms.more_settings import more_settings
from dashboard.state import session
from dashboard.text import markdown, short
from dashboard.wording import METHOD_LABELS, METHOD_SENTENCES

TEST_LABELS = {MULTIPLE: "all of them (multiple)", INTERSECTIONAL: "together (intersectional)"}


def settings_form() -> Choice:
    """Show the settings, save what is changed, and return what the page is to show."""
    here = session()
    _from_link()
    notes = st.container()
    draft = here.draft
    names = results.tests(draft)
    test = draft.view.test if draft.view.test in names else names[0]
    most = results.largest_k(draft, test)
    typed_before, generation = here.k_typed, here.generation
    with st.container(border=True, key="cst-settings"):
        view, settings = _main(draft, names, test, most)
    wanted = {"view": view, "settings": settings}
    if _with(draft, wanted) != draft:
        wanted, here.link_notes = _changed(draft, wanted), ()
        state.edit_settings(lambda newest: _with(newest, wanted))
        new_test, typed = view["test"] != draft.view.test, here.k_typed != typed_before
        untold = here.trouble != here.told  # the line above the page says what is not saved
        anew = here.generation != generation  # a preset was chosen: the fields show it
        if new_test or typed or untold or anew or _searches_again(draft, settings):
            st.rerun(scope="app")
    for note in here.link_notes:
        notes.warning(markdown(note), icon=":material/link_off:")
    _to_link(here.draft)
    return choice_of(here.draft)


def choice_of(draft: Draft) -> Choice:
    """Return what a draft's settings say."""
    names = results.tests(draft)
    test = draft.view.test if draft.view.test in names else names[0]
    return Choice(
        test=test,
        method=draft.view.method,
        settings=draft.settings.evidence_settings(
            min(draft.view.k, results.largest_k(draft, test))
        ),
    )


def _main(
    draft: Draft, names: list[str], test: str, most: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    here = session()
    first = st.columns([1.5, 2.4, 1, 1], vertical_alignment="bottom")
    chosen = first[0].selectbox(
        "Protected attribute",
        names,
        index=names.index(test),
        format_func=lambda name: TEST_LABELS.get(name, short(name, 40)),
        key=here.key("set-test"),
        help="Several at once: every one of them must show it (multiple), or the people who "
        "share them all are compared with everyone else (intersectional).",
    )
    method = first[1].segmented_control(
        "Method",
        METHOD_NAMES,
        default=draft.view.method,
        format_func=METHOD_LABELS.__getitem__,
        key=here.key("set-method"),
        required=True,
        help="  \n".join(f"**{METHOD_LABELS[m]}**: {METHOD_SENTENCES[m]}" for m in METHOD_NAMES),
    )
    tau = first[2].number_input(
        "Accepted difference τ", min_value=TAU[0], max_value=TAU[1],
        value=float(draft.settings.tau), step=0.01, format="%.3g", key=here.key("set-tau"),
        help="How large a difference in refusal rates is still accepted. 0: none at all; 0.05: "
        "up to five percentage points.",
    )  # fmt: skip
    alpha = first[3].number_input(
        "Error level α", min_value=ALPHA[0], max_value=ALPHA[1],
        value=float(draft.settings.alpha), step=0.01, format="%.3g", key=here.key("set-alpha"),
        help="How often, at most, chance alone is meant to look like a significant difference. "
        "0.05 is usual.",
    )  # fmt: skip
    second = st.columns([3.4, 0.9, 1.6], vertical_alignment="bottom")
    k = _neighbours(second, draft, most)
    with second[2].popover("More settings", icon=":material/tune:", width="stretch"):
        more = more_settings(draft)
    view = {
        "test": draft.view.test if chosen == test else chosen,
        "method": method or draft.view.method,
        "k": k,
    }
    settings = {
        "tau": draft.settings.tau if tau is None else float(tau),
        "alpha": draft.settings.alpha if alpha is None else float(alpha),
        **more,
    }
    return view, settings


def _neighbours(places: Any, draft: Draft, most: int) -> int:
    """Ask for k by a slider and by a number; the one that was not touched is made anew.

    The one that was keeps its identity, and with it the keyboard's focus.
    """
    here, shown, most = session(), min(draft.view.k, most), max(most, 2)
    slid = places[0].slider(
        "People in each group, k",
        min_value=1,
        max_value=most,
        value=shown,
        key=here.key(f"slide-k-{most}-{here.k_typed}"),
        help="How many of the most similar people make up the control and the test group. Few: "
        "very alike, but chance weighs more. Many: the other way round. At most the smaller "
        "group, and 500.",
    )
    if slid != shown:
        here.k_slid += 1
    typed = places[1].number_input(
        "k as a number",
        min_value=1,
        max_value=most,
        value=slid,
        step=1,
        key=here.key(f"type-k-{most}-{here.k_slid}"),
        label_visibility="collapsed",
    )
    if slid == shown and typed is not None and typed != shown:
        here.k_typed += 1
        return int(typed)
    return draft.view.k if slid == shown else int(slid)


def _with(draft: Draft, wanted: Mapping[str, Mapping[str, Any]]) -> Draft:
    return draft.model_copy(
        update={
            "view": draft.view.model_copy(update=dict(wanted["view"])),
            "settings": draft.settings.model_copy(update=dict(wanted["settings"])),
        }
    )


def _changed(draft: Draft, wanted: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return only what is to change, so that nobody else's change of the rest is taken back."""
    return {
        part: {
            field: value
            for field, value in fields.items()
            if getattr(getattr(draft, part), field) != value
        }
        for part, fields in wanted.items()
    }


def _searches_again(draft: Draft, settings: Mapping[str, Any]) -> bool:
    fields = ("ties", "max_distance", "intersectional_form")
    return any(settings[field] != getattr(draft.settings, field) for field in fields)


def _to_link(draft: Draft) -> None:
    """Put what is shown into the address, so that a copied link shows the same.

    Settings that are seldom moved are in it only where they are not the usual ones.
    """
    shown = {
        **{field: str(getattr(draft.view, field)) for field in IN_VIEW},
        **{field: str(getattr(draft.settings, field)) for field in IN_SETTINGS},
        **{field: seldom(draft.settings, field) for field in SELDOM},
    }
    for field, value in shown.items():
        if value and st.query_params.get(field) != value:
            st.query_params[field] = value
        elif not value and field in SELDOM and field in st.query_params:
            del st.query_params[field]


def _from_link() -> None:
    """Take over what the address says, once; the notes say what of it cannot be used."""
    here = session()
    if here.link_read:
        return
    here.link_read = True
    view, settings, here.link_notes = read_link(here.draft, st.query_params.to_dict())
    # this tab only: whoever opens an old link must not move everyone else's settings
    here.draft = _with(here.draft, {"view": view, "settings": settings})
