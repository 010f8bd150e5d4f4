"""What the editor is asked to draw, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dashboard.components.dag_editor.messages import Operation, Selection

Role = Literal["protected", "relevant", "decision", "unknown"]
Mark = Literal["only here", "only there", "differs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnNode:
    """An attribute in the drawing.

    Attributes
    ----------
    name
        What arrows and operations call it: the column, or a free name where `role` is "unknown".
    label
        What is written on it.
    x, y
        Its upper left corner; None leaves the place to the browser until one is known.
    note
        Shown when the pointer rests on it.
    detail
        A short line under the label, such as how well its equation fits.
    """

    name: str
    label: str
    role: Role
    x: float | None = None
    y: float | None = None
    note: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnEdge:
    """An arrow in the drawing.

    Attributes
    ----------
    label
        The coefficient as text; empty when there is none.
    strength
        From 0 to 1, drawn as thickness; None draws a plain line.
    by_hand
        Whether the coefficient was set by hand; drawn dashed.
    mark
        How the arrow compares with another drawing.
    """

    cause: str
    effect: str
    label: str = ""
    strength: float | None = None
    by_hand: bool = False
    note: str = ""
    mark: Mark | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Addable:
    """An attribute that the drawing does not hold yet."""

    name: str
    label: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The graph to draw."""

    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """How far Python has come with a browser's operations; refused ones count as done."""

    client: str
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why an operation was not done, and what it concerns: shown beside that node or arrow."""

    client: str
    seq: int
    message: str
    target: Selection | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorState:
    """What the browser said last: its unacknowledged operations and the selection."""

    client: str
    operations: tuple[Operation, ...]
    selection: Selection | None
