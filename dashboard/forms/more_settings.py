"""The settings that are seldom moved: the preset and what it stands for, direction, ties, ε."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from cst_core.evidence.presets import PRESETS, Preset, preset_of
from cst_core.evidence.settings import Correction, Direction
from cst_core.scenario.document import SettingsPart
from cst_core.similarity.ties import TieRule
from dashboard.draft.document import Draft
from dashboard.setting_words import (
    CORRECTIONS,
    DIRECTIONS,
    FORMS,
    INTERVAL_REMARKS,
    INTERVALS,
    PRESET_LABELS,
    SEVERAL,
    TIES,
)
from dashboard.state import session
from dashboard.text import markdown

OWN = "own"
OWN_WORDS = "None of the presets: settings of your own."


def preset_in_use(settings: SettingsPart) -> Preset | None:
    """Return the preset that a case's settings equal."""
    return preset_of(
        ties=settings.ties,
        interval=settings.interval,
        correction=settings.correction,
        tie_robust=settings.tie_robust,
        balance_radii=settings.balance_radii,
    )


def more_settings(draft: Draft) -> dict[str, Any]:
    """Show the settings that are seldom moved; return what they are to be."""
    here, settings = session(), draft.settings
    chosen = _preset(settings)
    if chosen is not None:
        here.generation += 1  # the fields below take their values anew
        return {**_kept(settings), **chosen}
    directions = list(get_args(Direction))
    direction = st.selectbox(
        "Direction", directions, index=directions.index(settings.direction),
        format_func=DIRECTIONS.__getitem__, key=here.key("set-direction"),
        help="Against: refused more often than the others would be. In favour: less often.",
    )  # fmt: skip
    intervals = {name: words + INTERVAL_REMARKS.get(name, "") for name, words in INTERVALS.items()}
    interval = _choice(
        "Interval", intervals, settings.interval, "set-interval",
        "How sure a difference is. Wald's is the paper's; it has no width when both shares are 0 "
        "or 1, and errs when the groups differ in size. Agresti–Caffo, Newcombe and "
        "Miettinen–Nurminen hold their error level much better; the exact one never exceeds it.",
    )  # fmt: skip
    correction = _correction(settings, interval)
    search = _search_settings(settings)
    robust = st.toggle(
        "Only verdicts that hold however ties are broken", value=settings.tie_robust,
        key=here.key("set-tie-robust"),
        help="Where people are equally far away, it may depend on who of them is taken. Then no "
        "verdict is given that another choice would take back.",
    )  # fmt: skip
    balanced = st.toggle(
        "Balanced neighbourhoods", value=settings.balance_radii, key=here.key("set-balance"),
        help="Take fewer people from the smaller group, in proportion to its size, so that both "
        "groups are about equally alike. Off in the paper.",
    )  # fmt: skip
    several, form = settings.several, settings.intersectional_form
    if len(draft.protected_columns) > 1:
        several = _choice(
            "Several attributes at once", SEVERAL, several, "set-several",
            "At which error level each attribute is tested when all of them must show it. The "
            "paper divides α by their number. As every one of them must succeed, α for each is "
            "enough to keep the error of the whole at α.",
        )  # fmt: skip
        form = _choice(
            "Intersectional model", FORMS, form, "set-form",
            "How the causal model takes the attributes together.",
        )  # fmt: skip
    return {
        "direction": direction,
        **search,
        "interval": interval,
        "correction": correction,
        "tie_robust": robust,
        "balance_radii": balanced,
        "several": several,
        "intersectional_form": form,
    }


def _preset(settings: SettingsPart) -> dict[str, Any] | None:
    """Ask for a preset; return what it fixes when another one was chosen."""
    here, now = session(), preset_in_use(settings)
    names = [*PRESETS, *(() if now else (OWN,))]
    name = st.selectbox(
        "Preset", names, index=names.index(now.name if now else OWN),
        format_func=lambda item: PRESET_LABELS.get(item, "settings of your own"),
        key=here.key("set-preset"),
        help="A group of settings with a name. k, τ, α and the direction stay as they are.",
    )  # fmt: skip
    st.caption(markdown(PRESETS[name].description if name in PRESETS else OWN_WORDS))
    if name == OWN or (now is not None and name == now.name):
        return None
    new = PRESETS[name]
    return {
        "ties": new.ties,
        "interval": new.interval,
        "correction": new.correction,
        "tie_robust": new.tie_robust,
        "balance_radii": False,
    }


def _correction(settings: SettingsPart, interval: str) -> Correction:
    """Ask how to correct for many complainants; Wald's p-values do not allow it."""
    here, names = session(), list(get_args(Correction))
    possible = interval != "wald"
    found: Correction = st.selectbox(
        "Correction for many complainants", names,
        index=names.index(settings.correction if possible else "none"),
        format_func=CORRECTIONS.__getitem__,
        key=here.key(f"set-correction-{possible}"), disabled=not possible,
        help="Everyone is a test of her own; among many, some succeed by chance. "
        "Benjamini–Hochberg holds the expected share of false findings at α when the tests lean "
        "the same way, Benjamini–Yekutieli always. Needs another interval than Wald's.",
    )  # fmt: skip
    return found if possible else "none"


def _search_settings(settings: SettingsPart) -> dict[str, Any]:
    here, ties = session(), list(get_args(TieRule))
    tie = st.selectbox(
        "People equally far away", ties, index=ties.index(settings.ties),
        format_func=TIES.__getitem__, key=here.key("set-ties"),
        help="When more people are equally similar than there are places left in a group. "
        "Sharing does not depend on the order of the table.",
    )  # fmt: skip
    limit = st.number_input(
        "Largest distance ε (empty: none)", min_value=0.0, value=settings.max_distance,
        step=0.05, format="%.3g", placeholder="none", key=here.key("set-epsilon"),
        help="People farther away than this are never called similar; groups may then be "
        "smaller than k. 0: equal in everything; 1: as different as can be.",
    )  # fmt: skip
    return {"ties": tie, "max_distance": None if limit is None else float(limit)}


def _choice(label: str, options: dict[str, str], value: str, key: str, words: str) -> Any:
    names = list(options)
    return st.selectbox(
        label, names, index=names.index(value), format_func=options.__getitem__,
        key=session().key(key), help=words,
    )  # fmt: skip


def _kept(settings: SettingsPart) -> dict[str, Any]:
    names = ("direction", "max_distance", "several", "intersectional_form")
    return {name: getattr(settings, name) for name in names}
