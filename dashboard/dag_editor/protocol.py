"""What Python and the browser say to each other, told once.

The browser's types are made from this module whenever the editor is bundled
(`frontend/make_types.py`), so it imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
    accepted
        Why its influence is accepted as justified, drawn apart; empty when it is not.
    mark
        How the arrow compares with another drawing.
    """

    cause: str
    effect: str
    label: str = ""
    strength: float | None = None
    by_hand: bool = False
    accepted: str = ""
    note: str = ""
    mark: Mark | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBidirected:
    """A two-headed arrow in the drawing: something unmeasured moves both ends."""

    one: str
    other: str
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
    bidirected: tuple[DrawnBidirected, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedNode:
    """A node that is selected."""

    node: str
    kind: Literal["node"] = "node"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedEdge:
    """An arrow that is selected."""

    cause: str
    effect: str
    kind: Literal["edge"] = "edge"


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedBidirected:
    """A two-headed arrow that is selected."""

    one: str
    other: str
    kind: Literal["bidirected"] = "bidirected"


Selection = SelectedNode | SelectedEdge | SelectedBidirected


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
class EditorData:
    """Everything that the editor is shown; see `dag_editor`."""

    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    bidirected: tuple[DrawnBidirected, ...]
    addable: tuple[Addable, ...]
    acknowledged: Acknowledged | None
    refusals: tuple[Refusal, ...]
    can_undo: bool
    can_redo: bool
    read_only: bool
    selected: Selection | None
    height: int
    fills: bool
    file_name: str
    palette: Mapping[Role, str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeAdded:
    """Add an attribute at a place."""

    seq: int
    name: str
    x: float
    y: float
    op: Literal["add_node"] = "add_node"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeDeleted:
    """Delete an attribute and its arrows."""

    seq: int
    node: str
    op: Literal["delete_node"] = "delete_node"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRenamed:
    """Change the label of a column's node, or the name of a node that is not in the data."""

    seq: int
    node: str
    name: str
    op: Literal["rename_node"] = "rename_node"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesMoved:
    """Put attributes elsewhere."""

    seq: int
    positions: Mapping[str, tuple[float, float]]
    op: Literal["move_nodes"] = "move_nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeOperation:
    """Add, delete or turn around an arrow."""

    seq: int
    cause: str
    effect: str
    op: Literal["add_edge", "delete_edge", "reverse_edge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BidirectedOperation:
    """Add or delete a two-headed arrow."""

    seq: int
    one: str
    other: str
    op: Literal["add_bidirected", "delete_bidirected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainOperation:
    """Tidy up, undo or redo."""

    seq: int
    op: Literal["auto_layout", "undo", "redo"]


Operation = (
    NodeAdded
    | NodeDeleted
    | NodeRenamed
    | NodesMoved
    | EdgeOperation
    | BidirectedOperation
    | PlainOperation
)
