"""The table of people: whose decision turns, each method's verdict, and a click that opens one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.evidence import METHOD_LABELS, METHOD_TITLES, Direction, Method, Verdicts
from cst_core.explain import STORIES, Complainants
from cst_core.similarity import IntArray
from dashboard.draft.document import BookmarkPart, Draft

SHOWN = 500
VERDICTS = {-1: "not possible", 0: "none", 1: "to examine", 2: "significant"}
OWN = "Own decision"
LOWEST, HIGHEST = "Lowest Δp, any coupling", "Highest Δp, any coupling"
HOLDS = "Case under every coupling"
_WHATEVER = (
    "whatever is assumed of who they would have been as one of the others (every coupling), which "
    "no data can tell"
)


def _own_decisions(
    draft: Draft, everyone: Complainants, rows: IntArray, direction: Direction
) -> list[str]:
    """Return what was decided about each, and what would have been about the counterfactual."""
    adverse = direction == "against"
    bad, good = (draft.names.outcome(refused=refused) for refused in (adverse, not adverse))
    words = {
        "turns": f"{bad} → {good}",
        "unknown": f"{bad} → not known",
        "stays": f"{bad} → {bad}",
        "spared": good,
    }
    return [words[STORIES[story]] for story in everyone.stories[rows]]


def table_frame(
    draft: Draft,
    everyone: Complainants,
    method: Method,
    rows: IntArray,
    marks: dict[str, BookmarkPart],
) -> pd.DataFrame:
    """Return the table of people, for the screen: what matters most stands first."""
    one = everyone.evidence[method]
    known = one.has_evidence[rows]
    side = "Lower bound" if one.settings.direction == "against" else "Upper bound"
    verdicts = {
        METHOD_LABELS[name]: [VERDICTS[int(value)] for value in verdict[rows]]
        for name, verdict in everyone.verdicts.items()
    }
    saved = [marks.get(name) for name in everyone.ids[rows]]
    notes = [("★ " + item.note).strip() if item else "" for item in saved]
    return pd.DataFrame(
        {
            "Person": everyone.ids[rows],
            OWN: _own_decisions(draft, everyone, rows, one.settings.direction),
            "Δp": np.where(known, one.delta[rows], np.nan),
            side: np.where(known, one.bound[rows], np.nan),
            **verdicts,
            **_over_couplings(one, rows),
            **({"Bookmark": notes} if marks else {}),
        }
    )


def _over_couplings(one: Verdicts, rows: IntArray) -> dict[str, Any]:
    """Return what any coupling could make of people's Δp, and which findings hold under all."""
    low, high, every = one.coupling_lowest, one.coupling_highest, one.case_every_coupling
    if low is None or high is None or every is None:
        return {}
    known, case = one.has_evidence[rows], one.is_case[rows]
    return {
        LOWEST: np.where(known, low[rows], np.nan),
        HIGHEST: np.where(known, high[rows], np.nan),
        HOLDS: np.where(case, np.where(every[rows], "holds", "may turn"), ""),
    }


def people_table(
    draft: Draft,
    everyone: Complainants,
    method: Method,
    *,
    ordered: IntArray,
    marks: dict[str, BookmarkPart],
    place: int | None,
    turn: int,
    choose: Callable[[str], None],
) -> None:
    """Show the first people in an order; a click anywhere in a row chooses its person.

    `turn` grows when the table is to take its marked row anew.
    """
    rows = ordered[:SHOWN]
    key = f"people-{hash(rows.tobytes()):x}-{turn}"

    def pick() -> None:
        selected = st.session_state[key]["selection"]
        chosen = [*(row for row, _ in selected["cells"]), *selected["rows"]]
        if chosen and chosen[0] < len(rows):
            choose(str(everyone.ids[rows[chosen[0]]]))

    here = np.flatnonzero(rows == place).tolist() if place is not None else []
    numbers = st.column_config.NumberColumn(format="%.3f")
    frame = table_frame(draft, everyone, method, rows, marks)
    st.dataframe(
        frame,
        key=key,
        height=280,
        hide_index=True,
        on_select=pick,
        selection_mode=("single-row", "single-cell"),
        selection_default={"selection": {"rows": [int(here[0])] if len(here) else []}},
        column_config={
            OWN: st.column_config.TextColumn(
                help="What was decided → what would have been decided on the counterfactual"
            ),
            "Δp": st.column_config.NumberColumn(
                format="%.3f", help="Share refused in the control group minus in the test group"
            ),
            LOWEST: st.column_config.NumberColumn(
                "Lowest Δp", format="%.3f", help=f"The smallest Δp {_WHATEVER}"
            ),
            HIGHEST: st.column_config.NumberColumn(
                "Highest Δp", format="%.3f", help=f"The largest Δp {_WHATEVER}"
            ),
            HOLDS: st.column_config.TextColumn("Holds?", help=f"Whether it is a case {_WHATEVER}"),
            "Lower bound": numbers,
            "Upper bound": numbers,
            **{
                METHOD_LABELS[name]: st.column_config.TextColumn(help=METHOD_TITLES[name])
                for name in everyone.verdicts
            },
        },
        alt="The people of the protected group, with each method's verdict",
    )
