"""The settings of the evidence, in one place on every evidence page."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args

import streamlit as st

from cst_core.evidence import METHOD_LABELS, METHOD_TITLES, SETTINGS, EvidenceSettings, preset_of
from cst_core.explain import number, short
from cst_core.testing import INTERSECTIONAL, MULTIPLE, parse_test
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list, one_in_row
from dashboard.frame.settings.fields import ask, number_or_refusal
from dashboard.frame.settings.link import address_of, read_link
from dashboard.frame.settings.more import MAIN, more_settings
from dashboard.session import editing, results
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.text import markdown, markup
from dashboard.shared.verdict_words import METHOD_SENTENCES

Shows = Literal["test", "method", "k", "rest"]
"""What a page may have a use for: which test, by which method, k, and the other settings."""
EVERY: tuple[Shows, ...] = get_args(Shows)
TEST_LABELS: dict[str, str] = {
    MULTIPLE: "all of them (multiple)",
    INTERSECTIONAL: "together (intersectional)",
}


def settings_form(shows: Collection[Shows] = EVERY) -> Choice:
    """Show the settings in a line that opens; return what the page is to show.

    What is changed is saved. `shows` are those that matter on the page; the others stay.
    """
    here = session()
    _from_link()
    notes = st.container()
    draft = here.draft
    names = results.tests(draft)
    test = draft.view.test if draft.view.test in names else names[0]
    most = results.largest_k(draft, test)
    typed_before, generation = here.k_typed, here.generation
    view, settings, line = dict(draft.view), dict(draft.settings), st.container()
    if shows:
        with st.container(key="cst-settings"):
            line = st.container(key="cst-settings-line")
            with st.expander("Settings", icon=":material/tune:"):
                view, settings = _main(draft, names, test, most, shows)
    wanted = {"view": view, "settings": settings}
    if _with(draft, wanted) != draft:
        wanted, here.link_notes = _changed(draft, wanted), ()
        editing.edit_settings(lambda newest: _with(newest, wanted))
        new_test, typed = view["test"] != draft.view.test, here.k_typed != typed_before
        untold = here.trouble != here.told  # the line above the page says what is not saved
        anew = here.generation != generation  # a preset was chosen: the fields show it
        if new_test or typed or untold or anew or _takes_long(draft, settings):
            st.rerun(scope="app")
    for note in here.link_notes:
        notes.warning(markdown(note), icon=":material/link_off:")
    _to_link(here.draft)
    choice = choice_of(here.draft)
    if shows:
        line.html(_line(here.draft, choice, shows))
    return choice


def _line(draft: Draft, choice: Choice, shows: Collection[Shows]) -> str:
    """Return the settings in a line."""
    settings, preset = choice.settings, preset_of(dict(draft.settings))
    said: dict[Shows, str] = {
        "test": markup(_test_label(draft, choice.test)),
        "method": markup(METHOD_TITLES[choice.method]),
        "k": f"k {choice.k:,}",
        "rest": " · ".join(
            (
                f"τ {number(settings.accepted_deviation, 3)}",
                f"α {number(100 * settings.significance_level, 3)} %",
                markup(preset.label if preset else "settings of your own"),
            )
        ),
    }
    told = " · ".join(f"<span>{words}</span>" for name, words in said.items() if name in shows)
    return f'<p class="cst-line">{told}</p>'


def choice_of(draft: Draft) -> Choice:
    """Return what a draft's settings say."""
    names = results.tests(draft)
    test = draft.view.test if draft.view.test in names else names[0]
    return Choice(test=test, method=draft.view.method, settings=settings_of(draft, test))


def settings_of(draft: Draft, test: str) -> EvidenceSettings:
    """Return what a draft's settings say for a test."""
    return draft.settings.evidence_settings(
        min(draft.view.k, results.largest_k(draft, test)),
        n_levels=parse_test(test, draft.tests).n_levels,
    )


def _main(
    draft: Draft, names: list[str], test: str, most: int, shows: Collection[Shows]
) -> tuple[dict[str, Any], dict[str, Any]]:
    view, settings = dict(draft.view), dict(draft.settings)
    first = st.columns([1.5, 2.4, 1, 1], vertical_alignment="bottom")
    if "test" in shows:
        chosen = _test(draft, names, test, first[0])
        view["test"] = draft.view.test if chosen == test else chosen
    if "method" in shows:
        view["method"] = one_in_row(
            "Method",
            METHOD_LABELS,
            draft.view.method,
            "set-method",
            first[1],
            help="  \n".join(
                f"**{said}**: {METHOD_SENTENCES[m]}" for m, said in METHOD_LABELS.items()
            ),
        )
    if "rest" in shows:
        for name, place in zip(MAIN, first[2:], strict=True):
            settings[name] = ask(SETTINGS[name], getattr(draft.settings, name), place)
    if "k" in shows:
        second = st.columns([3.4, 0.9, 1.6], vertical_alignment="bottom")
        view["k"] = _neighbours(second, draft, most)
        with second[2].popover("More settings", icon=":material/tune:", width="stretch"):
            settings |= more_settings(draft)
    return view, settings


def _test(draft: Draft, names: list[str], test: str, place: Any) -> str:
    return one_in_list(
        "Protected attribute",
        {name: _test_label(draft, name) for name in names},
        test,
        "set-test",
        place,
        help="Several at once: every one of them must show it (multiple), or the people who "
        "share them all are compared with everyone else (intersectional).",
    )


def _test_label(draft: Draft, name: str) -> str:
    """Return what a test is called in the list."""
    test = draft.names.test(name)
    if name in TEST_LABELS or test.kind == "single":
        return TEST_LABELS.get(name, short(name, 40))
    how = "" if test.kind == "multiple" else " together"
    return f"{' and '.join(short(item, 40) for item in test.attributes)}{how} ({test.kind})"


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
    typed = number_or_refusal(
        places[1],
        "k as a number",
        slid,
        key=here.key(f"type-k-{most}-{here.k_slid}"),
        holds=lambda number: 1 <= number <= most,
        expected=f"k must be a whole number from 1 to {most:,}",
        step=1,
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


def _takes_long(draft: Draft, settings: Mapping[str, Any]) -> bool:
    return any(
        settings[name] != getattr(draft.settings, name)
        for name, one in SETTINGS.items()
        if one.part != "evidence" or one.takes_long
    )


def _to_link(draft: Draft) -> None:
    """Put what is shown into the address, all at once, so that a copied link shows the same."""
    said = st.query_params.to_dict()
    wanted = {name: value for name, value in said.items() if name not in SETTINGS}
    wanted |= address_of(draft)
    if wanted != said:
        st.query_params.from_dict(wanted)


def _from_link() -> None:
    """Take over what the address says, once; the notes say what of it cannot be used."""
    here = session()
    if here.link_read:
        return
    here.link_read = True
    view, settings, here.link_notes = read_link(here.draft, st.query_params.to_dict())
    # this tab only: whoever opens an old link must not move everyone else's settings
    here.draft = _with(here.draft, {"view": view, "settings": settings})
