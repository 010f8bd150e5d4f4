"""The editor for causal drawings: a Streamlit component around React Flow.

Python owns the graph. The browser keeps a numbered log of what its user did and sends all of it
that is not yet acknowledged; the page applies what it has not seen, inside `on_log`, and passes
back the graph, how far it came, and what it refused. Nothing is lost or done twice, however edits
and reruns overlap, as long as the page remembers for each client the last number it applied.

Streamlit can stop a callback at any use of `st.session_state` when the next rerun is already
waiting. So a page reads what it needs, applies the operations to local values, and stores the graph
together with the number it reached in one single step; then a stopped callback has done nothing,
and the next one does it all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException, StreamlitComponentRegistryError

from dashboard.dag_editor.messages import parse_log, parse_selection
from dashboard.dag_editor.protocol import Acknowledged as Acknowledged
from dashboard.dag_editor.protocol import Addable as Addable
from dashboard.dag_editor.protocol import Drawing as Drawing
from dashboard.dag_editor.protocol import DrawnBidirected as DrawnBidirected
from dashboard.dag_editor.protocol import DrawnEdge as DrawnEdge
from dashboard.dag_editor.protocol import DrawnNode as DrawnNode
from dashboard.dag_editor.protocol import EditorData
from dashboard.dag_editor.protocol import Mark as Mark
from dashboard.dag_editor.protocol import Operation as Operation
from dashboard.dag_editor.protocol import Refusal as Refusal
from dashboard.dag_editor.protocol import Role as Role
from dashboard.dag_editor.protocol import SelectedBidirected as SelectedBidirected
from dashboard.dag_editor.protocol import SelectedEdge as SelectedEdge
from dashboard.dag_editor.protocol import SelectedNode as SelectedNode
from dashboard.dag_editor.protocol import Selection as Selection

COMPONENT = "counterfactual-situation-testing.dag_editor"


def dag_editor(
    drawing: Drawing,
    *,
    key: str,
    addable: Sequence[Addable] = (),
    acknowledged: Acknowledged | None = None,
    refusals: Sequence[Refusal] = (),
    can_undo: bool = False,
    can_redo: bool = False,
    selected: Selection | None = None,
    height: int = 560,
    fills: bool = False,
    read_only: bool = False,
    file_name: str = "drawing",
    palette: Mapping[Role, str] | None = None,
    on_log: Callable[[], None] | None = None,
    on_selection: Callable[[], None] | None = None,
) -> None:
    """Show the editor.

    Parameters
    ----------
    drawing
        The graph as Python has it; the browser draws its pending operations on top.
    key
        The widget's key, the same in every rerun.
    addable
        Attributes of the data that are not in the drawing.
    acknowledged
        The last operation of the current browser that was applied or refused.
    refusals
        Operations that were refused. Each is shown until a later one succeeds or it is dismissed.
    selected
        What Python wants selected; repeat what the browser selected otherwise.
    height
        In pixels, toolbar included.
    fills
        Whether it reaches to the lower edge of the window instead.
    file_name
        The beginning of the name of a downloaded picture.
    palette
        Colours for roles, in place of the usual ones.
    on_log, on_selection
        Called before the script runs; use `read_log(key)` and `read_selection(key)` inside.
    """
    data = EditorData(
        nodes=drawing.nodes,
        edges=drawing.edges,
        bidirected=drawing.bidirected,
        addable=tuple(addable),
        acknowledged=acknowledged,
        refusals=tuple(refusals),
        can_undo=can_undo,
        can_redo=can_redo,
        read_only=read_only,
        selected=selected,
        height=height,
        fills=fills,
        file_name=file_name,
        palette=dict(palette) if palette else None,
    )
    _component()(
        key=key,
        data=asdict(data),
        on_log_change=on_log or _nothing,
        on_selection_change=on_selection or _nothing,
    )


def read_log(key: str) -> tuple[str, tuple[Operation, ...]]:
    """Return the browser's client id and the operations it has not seen acknowledged.

    The operations are in order and their numbers grow; earlier calls may have returned some of
    them. The client is empty when nothing readable was sent.
    """
    return parse_log(_state(key).get("log"))


def read_selection(key: str) -> Selection | None:
    """Return what is selected in the browser."""
    return parse_selection(_state(key).get("selection"))


def _state(key: str) -> Mapping[str, Any]:
    state = st.session_state.get(key)
    return state if isinstance(state, Mapping) else {}


def _nothing() -> None:
    """Stand in for a callback: Streamlit keeps a state only when one is given."""


@cache
def _component() -> Callable[..., Any]:
    try:
        return st.components.v2.component(COMPONENT, js="dag_editor-*.js", css="style-*.css")
    except (StreamlitAPIException, StreamlitComponentRegistryError) as error:
        raise RuntimeError(
            "The drawing editor is not installed as it should be: `make install` builds it."
        ) from error
